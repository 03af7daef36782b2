"""The dialect ``tensor``: making tensors of scalars and taking them apart, as shape computations of programs do.

Rows of operations with hand-written pretty forms. ``ir.registry`` loads this file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyshardy.ir.opdef import PURE, Dialect, OpDef
from pyshardy.ir.types import DYNAMIC, IndexType, ShapedType, TensorType, Type

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parser import OperationState, Parser
    from pyshardy.ir.printer import Printer
    from pyshardy.ir.value_parser import Unresolved
    from pyshardy.ir.verification import Verification

_INDEX = IndexType()


def _shaped(parser: Parser) -> ShapedType:
    offset = parser.start
    type = parser.type()
    if not isinstance(type, ShapedType):
        parser.error("invalid kind of type specified", at=offset)
    return type


def _indices(parser: Parser, state: OperationState, opening: str, closing: str) -> None:
    """Operands of type ``index`` in brackets, behind those that ``state`` has."""
    found = parser.comma_list(opening, closing, parser.operand)
    state.operands += [parser.resolve(operand, _INDEX) for operand in found]


def _attributes_and_type(parser: Parser, state: OperationState) -> ShapedType:
    parser.optional_attributes(state)
    parser.expect(":")
    return _shaped(parser)


# --- from_elements, splat, empty --------------------------------------------------------------------------------------


def _parse_from_elements(parser: Parser, state: OperationState) -> None:
    operands = parser.operands()
    type = _attributes_and_type(parser, state)
    state.operands = [parser.resolve(operand, type.element) for operand in operands]
    state.types = [type]


def _print_from_elements(printer: Printer, op: Operation) -> None:
    printer.write(f" {printer.operands(op.operands)}{printer.attr_dict(op)} : {printer.type(op.results[0].type)}")


def _parse_empty(parser: Parser, state: OperationState) -> None:
    _indices(parser, state, "(", ")")
    state.types = [_attributes_and_type(parser, state)]


def _print_empty(printer: Printer, op: Operation) -> None:
    printer.write(f"({printer.operands(op.operands)}){printer.attr_dict(op)} : {printer.type(op.results[0].type)}")


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


# --- extract, insert, dim, rank ---------------------------------------------------------------------------------------


def _resolve_indexed(
    parser: Parser, state: OperationState, operands: list[tuple[Unresolved, Type]], indices: list[Unresolved]
) -> None:
    state.operands = [parser.resolve(operand, type) for operand, type in operands]
    state.operands += [parser.resolve(index, _INDEX) for index in indices]


def _parse_extract(parser: Parser, state: OperationState) -> None:
    source = parser.operand()
    indices = parser.comma_list("[", "]", parser.operand)
    type = _attributes_and_type(parser, state)
    _resolve_indexed(parser, state, [(source, type)], indices)
    state.types = [type.element]


def _print_extract(printer: Printer, op: Operation) -> None:
    source, *indices = op.operands
    element = f"{printer.operand(source)}[{printer.operands(indices)}]"
    printer.write(f" {element}{printer.attr_dict(op)} : {printer.type(source.type)}")


def _parse_insert(parser: Parser, state: OperationState) -> None:
    scalar = parser.operand()
    parser.expect_keyword("into")
    target = parser.operand()
    indices = parser.comma_list("[", "]", parser.operand)
    type = _attributes_and_type(parser, state)
    _resolve_indexed(parser, state, [(scalar, type.element), (target, type)], indices)
    state.types = [type]


def _print_insert(printer: Printer, op: Operation) -> None:
    scalar, target, *indices = op.operands
    places = f"{printer.operand(target)}[{printer.operands(indices)}]"
    printer.write(f" {printer.operand(scalar)} into {places}{printer.attr_dict(op)} : {printer.type(target.type)}")


def _verify_indices(first: int, message: str) -> Callable[[Verification, Operation], None]:
    """The operands behind ``first`` index the tensor before them."""

    def verify(verification: Verification, op: Operation) -> None:
        type = op.operands[first - 1].type
        if isinstance(type, TensorType) and type.rank != len(op.operands) - first:
            verification.error(op, message)

    return verify


def _parse_dim(parser: Parser, state: OperationState) -> None:
    parser.optional_attributes(state)
    source = parser.operand()
    parser.expect(",")
    index = parser.operand()
    parser.expect(":")
    state.operands = [parser.resolve(source, _shaped(parser)), parser.resolve(index, _INDEX)]
    state.types = [_INDEX]


def _print_dim(printer: Printer, op: Operation) -> None:
    printer.write(f"{printer.attr_dict(op)} {printer.operands(op.operands)} : {printer.type(op.operands[0].type)}")


def _parse_rank(parser: Parser, state: OperationState) -> None:
    source = parser.operand()
    state.operands = [parser.resolve(source, _attributes_and_type(parser, state))]
    state.types = [_INDEX]


def _print_rank(printer: Printer, op: Operation) -> None:
    source = op.operands[0]
    printer.write(f" {printer.operand(source)}{printer.attr_dict(op)} : {printer.type(source.type)}")


# --- cast and reshape -------------------------------------------------------------------------------------------------


def _parse_cast(parser: Parser, state: OperationState) -> None:
    source = parser.operand()
    type = _attributes_and_type(parser, state)
    parser.expect_keyword("to")
    state.types = [_shaped(parser)]
    state.operands = [parser.resolve(source, type)]


def _print_cast(printer: Printer, op: Operation) -> None:
    source = op.operands[0]
    dictionary = printer.attr_dict(op)
    types = f"{printer.type(source.type)} to {printer.type(op.results[0].type)}"
    printer.write(f" {printer.operand(source)}{dictionary} : {types}")


def _parse_reshape(parser: Parser, state: OperationState) -> None:
    source = parser.operand()
    parser.expect("(")
    shape = parser.operand()
    parser.expect(")")
    parser.optional_attributes(state)
    parser.expect(":")
    signature = parser.function_type()
    state.operands = parser.resolve_all([source, shape], signature.inputs)
    state.types = list(signature.results)


def _print_reshape(printer: Printer, op: Operation) -> None:
    source, shape = map(printer.operand, op.operands)
    printer.write(f" {source}({shape}){printer.attr_dict(op)} : {printer.signature(op)}")


def _row(
    name: str,
    operands: int | tuple[int, int | None],
    parse: Callable[[Parser, OperationState], None],
    print_: Callable[[Printer, Operation], None],
    suggestion: str | None = None,
    verifier: Callable[[Verification, Operation], None] | None = None,
) -> OpDef:
    return OpDef(
        f"tensor.{name}",
        operands=operands,
        results=1,
        traits=PURE,
        parse=parse,
        print_=print_,
        result_names=None if suggestion is None else lambda op: [suggestion],
        verifiers=() if verifier is None else (verifier,),
    )


DIALECT = Dialect(
    "tensor",
    [
        _row("cast", 1, _parse_cast, _print_cast, "cast"),
        _row("dim", 2, _parse_dim, _print_dim, "dim"),
        _row("empty", (0, None), _parse_empty, _print_empty, None, _verify_empty),
        _row(
            "extract",
            (1, None),
            _parse_extract,
            _print_extract,
            "extracted",
            _verify_indices(1, "incorrect number of indices for extract_element"),
        ),
        _row(
            "from_elements",
            (0, None),
            _parse_from_elements,
            _print_from_elements,
            "from_elements",
            _verify_from_elements,
        ),
        _row(
            "insert",
            (2, None),
            _parse_insert,
            _print_insert,
            "inserted",
            _verify_indices(2, "incorrect number of indices"),
        ),
        _row("rank", 1, _parse_rank, _print_rank, "rank"),
        _row("reshape", 2, _parse_reshape, _print_reshape, "reshape"),
        _row("splat", (1, None), _parse_from_elements, _print_from_elements, "splat"),
    ],
    partial=True,
)
