"""The dialect ``tensor``: makes tensors of scalars and takes them apart, in shape computations of programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import Assembly
from pyshardy.dialects.assembly_types import TypeSuffix
from pyshardy.ir.opdef import PURE, Dialect, OpDef
from pyshardy.ir.types import DYNAMIC, IndexType, ShapedType, TensorType, Type

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.parsing.value_parser import Unresolved
    from pyshardy.ir.printing.printer import Printer
    from pyshardy.ir.verifying.verification import Verification

_INDEX = IndexType()

# --- types ------------------------------------------------------------------------------------------------------------

_Types = Callable[[ShapedType, int], tuple[list[Type], Type]]
"""The types of so many operands, and that of the result, by the one that is written."""


def _suffix(types: _Types, written: Callable[[Operation], Type]) -> TypeSuffix:
    """One type, that of ``written``, from which all others follow."""

    def read(parser: Parser, state: OperationState, operands: list[Unresolved], _: int | None) -> None:
        parser.expect(":")
        inputs, result = types(_shaped(parser), len(operands))
        state.operands = list(map(parser.resolve, operands, inputs))
        state.types = [result]

    return TypeSuffix(read, lambda printer, op: f" : {printer.type(written(op))}")


def _shaped(parser: Parser) -> ShapedType:
    offset = parser.start
    type = parser.type()
    if not isinstance(type, ShapedType):
        parser.error("invalid kind of type specified", at=offset)
    return type


def _read_types_of_cast(parser: Parser, state: OperationState, operands: list[Unresolved], _: int | None) -> None:
    parser.expect(":")
    type = _shaped(parser)
    parser.expect_keyword("to")
    state.types = [_shaped(parser)]
    state.operands = [parser.resolve(operand, type) for operand in operands]


def _write_types_of_cast(printer: Printer, op: Operation) -> str:
    return f" : {printer.type(op.operands[0].type)} to {printer.type(op.results[0].type)}"


def _indices(count: int) -> list[Type]:
    return [_INDEX] * count


_SUFFIXES = {
    "cast-types": TypeSuffix(_read_types_of_cast, _write_types_of_cast),
    "elements-of-result": _suffix(lambda type, count: ([type.element] * count, type), lambda op: op.results[0].type),
    "index-of-source": _suffix(
        lambda type, count: ([type, *_indices(count - 1)], _INDEX), lambda op: op.operands[0].type
    ),
    "indexed-source": _suffix(
        lambda type, count: ([type, *_indices(count - 1)], type.element), lambda op: op.operands[0].type
    ),
    "indexed-target": _suffix(
        lambda type, count: ([type.element, type, *_indices(count - 2)], type), lambda op: op.operands[1].type
    ),
    "sizes-of-result": _suffix(lambda type, count: (_indices(count), type), lambda op: op.results[0].type),
}

# --- what is illegal --------------------------------------------------------------------------------------------------


def _verify_from_elements(verification: Verification, op: Operation) -> None:
    type = op.results[0].type
    if isinstance(type, TensorType) and type.has_static_shape and type.num_elements != len(op.operands):
        message = f"number of operands and types do not match: got {len(op.operands)} operands and {type.num_elements}"
        verification.error(op, f"{message} types")


def _verify_empty(verification: Verification, op: Operation) -> None:
    type = op.results[0].type
    dynamic = type.shape.count(DYNAMIC) if isinstance(type, TensorType) else 0
    if dynamic != len(op.operands):
        verification.error(op, f"incorrect number of dynamic sizes, has {len(op.operands)}, expected {dynamic}")


def _verify_indices(first: int, message: str) -> Callable[[Verification, Operation], None]:
    """The operands behind ``first`` index the tensor before them."""

    def verify(verification: Verification, op: Operation) -> None:
        type = op.operands[first - 1].type
        if isinstance(type, TensorType) and type.rank != len(op.operands) - first:
            verification.error(op, message)

    return verify


# --- rows -------------------------------------------------------------------------------------------------------------


def _row(
    name: str,
    operands: int | tuple[int, int | None],
    form: str,
    suggestion: str | None = None,
    verifier: Callable[[Verification, Operation], None] | None = None,
) -> OpDef:
    assembly = Assembly(form, suffixes=_SUFFIXES)
    return OpDef(
        f"tensor.{name}",
        operands=operands,
        results=1,
        traits=PURE,
        parse=assembly.parse,
        print_=assembly.print_,
        result_names=None if suggestion is None else lambda op: [suggestion],
        verifiers=() if verifier is None else (verifier,),
    )


_WRONG_EXTRACT = "incorrect number of indices for extract_element"
_WRONG_INSERT = "incorrect number of indices"

DIALECT = Dialect(
    "tensor",
    [
        _row("cast", 1, "%0 {} : cast-types", "cast"),
        _row("dim", 2, "{} %0, %1 : index-of-source", "dim"),
        _row("empty", (0, None), "(%...) {} : sizes-of-result", None, _verify_empty),
        _row("extract", (1, None), "%0[%...] {} : indexed-source", "extracted", _verify_indices(1, _WRONG_EXTRACT)),
        _row("from_elements", (0, None), "%... {} : elements-of-result", "from_elements", _verify_from_elements),
        _row(
            "insert", (2, None), "%0 into %1[%...] {} : indexed-target", "inserted", _verify_indices(2, _WRONG_INSERT)
        ),
        _row("rank", 1, "%0 {} : index-of-source", "rank"),
        _row("reshape", 2, "%0(%1) {} : functional-type", "reshape"),
        _row("splat", (1, None), "%... {} : elements-of-result", "splat"),
    ],
    partial=True,
)
