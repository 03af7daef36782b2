"""The dialect ``shape``: computations with shapes and the conditions under which they hold.

Programs with dynamic shapes have it around StableHLO. Operations share a few pretty forms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyshardy.dialects.func import parse_return, print_return
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, IntegerAttr, StringAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.opdef import (
    COMMUTATIVE,
    CONSTANT_LIKE,
    PURE,
    RECURSIVE_EFFECTS,
    SINGLE_BLOCK,
    TERMINATOR,
    Dialect,
    OpDef,
    property_kind,
)
from pyshardy.ir.operation import Block
from pyshardy.ir.rewriting import append, create
from pyshardy.ir.types import I1, DialectType, IndexType, TensorType, Type

if TYPE_CHECKING:
    from pyshardy.ir.explicit_stack import Steps
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.attribute_parser import AttributeParser
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer

SHAPE = DialectType("!shape.shape")
SIZE = DialectType("!shape.size")
WITNESS = DialectType("!shape.witness")
_INDEX = IndexType()
_TYPES = ("shape", "size", "value_shape", "witness")


def _parse_type(parser: AttributeParser, mnemonic: str) -> Type:
    if mnemonic not in _TYPES:
        parser.error(f"unknown  type `{mnemonic}` in dialect `shape`", at=parser.previous_end - len(mnemonic))
    return DialectType(f"!shape.{mnemonic}")


# --- shared forms -----------------------------------------------------------------------------------------------------

_Form = tuple["Callable[[Parser, OperationState], None]", "Callable[[Printer, Operation], None]"]


def _arrow_form() -> _Form:
    """``%0, %1 {} : T, U -> V``."""

    def parse(parser: Parser, state: OperationState) -> None:
        offset = parser.start
        operands = parser.operands()
        parser.optional_attributes(state)
        parser.expect(":")
        types = parser.types()
        parser.expect("->")
        state.types = [parser.type()]
        state.operands = parser.resolve_all(operands, types, at=offset)

    def print_(printer: Printer, op: Operation) -> None:
        dictionary = printer.attr_dict(op)
        types = printer.types(value.type for value in op.operands)
        result = printer.type(op.results[0].type)
        printer.write(f" {printer.operands(op.operands)}{dictionary} : {types} -> {result}")

    return parse, print_


def _operand_types_form(result: Type) -> _Form:
    """``%0, %1 {} : T, U``; the result type is always the same."""

    def parse(parser: Parser, state: OperationState) -> None:
        offset = parser.start
        operands = parser.operands()
        parser.optional_attributes(state)
        parser.expect(":")
        state.operands = parser.resolve_all(operands, parser.types(), at=offset)
        state.types = [result]

    def print_(printer: Printer, op: Operation) -> None:
        dictionary = printer.attr_dict(op)
        types = printer.types(value.type for value in op.operands)
        printer.write(f" {printer.operands(op.operands)}{dictionary} : {types}")

    return parse, print_


def _untyped_form(operand: Type, result: Type) -> _Form:
    """``%0, %1 {}``; all types are always the same."""

    def parse(parser: Parser, state: OperationState) -> None:
        state.operands = [parser.resolve(one, operand) for one in parser.operands()]
        parser.optional_attributes(state)
        state.types = [result]

    def print_(printer: Printer, op: Operation) -> None:
        printer.write(f" {printer.operands(op.operands)}{printer.attr_dict(op)}")

    return parse, print_


def _value_form(name: str, operand_types: tuple[Type, ...], value_type: Type | None, result: Type) -> _Form:
    """``%0, value {}``: an attribute that is written without its type behind the operands."""

    def parse(parser: Parser, state: OperationState) -> None:
        for type in operand_types:
            state.operands.append(parser.resolve(parser.operand(), type))
            parser.expect(",")
        offset = parser.start
        value = parser.attribute(value_type)
        if not isinstance(value, StringAttr if value_type is None else IntegerAttr):
            parser.error("invalid kind of attribute specified", at=offset)
        state.properties[name] = value
        parser.optional_attributes(state)
        state.types = [result]

    def print_(printer: Printer, op: Operation) -> None:
        pieces = [*map(printer.operand, op.operands), _bare_text(op.properties.get(name))]
        printer.write(f" {', '.join(pieces)}{printer.attr_dict(op, (name,))}")

    return parse, print_


def _bare_text(value: Attribute | None) -> str:
    return str(value.value) if isinstance(value, IntegerAttr) and value.type is _INDEX else str(value)


# --- const_shape ------------------------------------------------------------------------------------------------------


def _parse_const_shape(parser: Parser, state: OperationState) -> None:
    parser.optional_attributes(state)
    offset = parser.start
    written = parser.attribute(_INDEX)
    if not isinstance(written, ArrayAttr):
        parser.error("invalid kind of attribute specified", at=offset)
    extents = [extent.value for extent in written if isinstance(extent, IntegerAttr)]
    state.properties["shape"] = DenseElementsAttr.of(TensorType([len(extents)], _INDEX), extents)
    parser.expect(":")
    state.types = [parser.type()]


def _print_const_shape(printer: Printer, op: Operation) -> None:
    dictionary = printer.attr_dict(op, ("shape",))
    value = op.properties.get("shape")
    extents = value.integers() if isinstance(value, DenseElementsAttr) else []
    # MLIR puts the dictionary, with its own space, between its space and the bracket.
    printer.write(f" {dictionary}[{', '.join(map(str, extents))}] : {printer.type(op.results[0].type)}")


def _size_name(op: Operation) -> list[str]:
    return [f"c{_bare_text(op.properties.get('value'))}"]


# --- assuming ---------------------------------------------------------------------------------------------------------


def _parse_assuming(parser: Parser, state: OperationState) -> Steps:
    witness = parser.operand()
    state.operands = [parser.resolve(witness, WITNESS)]
    if parser.accept("->"):
        state.types = parser.comma_list("(", ")", parser.type)
    region = yield parser.region()
    if region.empty:
        region.add_block(Block())
    body = region.blocks[0]
    if body.last is None or body.last.name != "shape.assuming_yield":
        append(body, create("shape.assuming_yield", location=state.location))
    state.regions.append(region)
    parser.optional_attributes(state)


def _print_assuming(printer: Printer, op: Operation) -> Steps:
    printer.write(f" {printer.operand(op.operands[0])}")
    if op.results:
        printer.write(f" -> ({printer.types(result.type for result in op.results)})")
    printer.write(" ")
    yield printer.region(op.regions[0], arguments=False, terminators=bool(op.results))
    printer.write(printer.attr_dict(op))


# --- rows -------------------------------------------------------------------------------------------------------------


def _row(name: str, operands: int | tuple[int, int | None], form: _Form, traits: int = PURE) -> OpDef:
    parse, print_ = form
    return OpDef(f"shape.{name}", operands=operands, results=1, traits=traits, parse=parse, print_=print_)


def _value_row(
    name: str,
    property: str,
    form: _Form,
    summary: str,
    kind: type[Attribute],
    *,
    operands: int = 0,
    traits: int = PURE | CONSTANT_LIKE,
    result_names: Callable[[Operation], list[str]] | None = None,
) -> OpDef:
    parse, print_ = form
    return OpDef(
        f"shape.{name}",
        operands=operands,
        results=1,
        properties=(property,),
        required=(property,),
        kinds={property: property_kind(summary, kind)},
        traits=traits,
        parse=parse,
        print_=print_,
        result_names=result_names,
    )


DIALECT = Dialect(
    "shape",
    [
        *(_row(name, 2, _arrow_form(), PURE | COMMUTATIVE) for name in ("add", "mul")),
        *(_row(name, (1, None), _arrow_form(), PURE | COMMUTATIVE) for name in ("any", "broadcast")),
        *(_row(name, 2, _arrow_form(), PURE) for name in ("concat", "dim", "div", "get_extent")),
        *(_row(name, 2, _arrow_form(), PURE | COMMUTATIVE) for name in ("max", "min")),
        _row("meet", 2, _arrow_form(), COMMUTATIVE),
        *(_row(name, 1, _arrow_form()) for name in ("num_elements", "rank", "shape_of", "to_extent_tensor")),
        *(
            _row(name, (1, None), _operand_types_form(WITNESS), COMMUTATIVE)
            for name in ("cstr_broadcastable", "cstr_eq")
        ),
        *(
            _row(name, (1, None), _operand_types_form(I1), PURE | COMMUTATIVE)
            for name in ("is_broadcastable", "shape_eq")
        ),
        *(_row(name, (0, None), _operand_types_form(SHAPE)) for name in ("from_extent_tensor", "from_extents")),
        _row("size_to_index", 1, _operand_types_form(_INDEX)),
        _row("index_to_size", 1, _untyped_form(_INDEX, SIZE)),
        _row("assuming_all", (1, None), _untyped_form(WITNESS, WITNESS), PURE | COMMUTATIVE),
        _value_row(
            "const_shape",
            "shape",
            (_parse_const_shape, _print_const_shape),
            "index elements attribute",
            DenseElementsAttr,
        ),
        _value_row(
            "const_size",
            "value",
            _value_form("value", (), _INDEX, SIZE),
            "index attribute",
            IntegerAttr,
            result_names=_size_name,
        ),
        _value_row("const_witness", "passing", _value_form("passing", (), I1, WITNESS), "bool attribute", IntegerAttr),
        _value_row(
            "cstr_require",
            "msg",
            _value_form("msg", (I1,), None, WITNESS),
            "string attribute",
            StringAttr,
            operands=1,
            traits=0,
        ),
        OpDef(
            "shape.split_at",
            operands=2,
            results=2,
            traits=PURE,
            result_names=lambda op: ["head", "tail"],
        ),
        OpDef(
            "shape.assuming",
            operands=1,
            regions=1,
            traits=RECURSIVE_EFFECTS | SINGLE_BLOCK,
            parse=_parse_assuming,
            print_=_print_assuming,
        ),
        OpDef(
            "shape.assuming_yield",
            results=0,
            traits=PURE | TERMINATOR,
            parse=parse_return,
            print_=print_return,
        ),
    ],
    parse_type=_parse_type,
    partial=True,
)
