"""The notations for the types of an operation at the end of its pretty form.

``SUFFIXES`` names them for ``dialects.assembly``. Each reads the types, resolves the operands that waited for them and
sets the result types; and each writes the shortest text with the same meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pyshardy.ir.types import ComplexType, FunctionType, ShapedType, TensorType, TupleType, Type

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.parsing.value_parser import Unresolved
    from pyshardy.ir.printing.printer import Printer


class TypeSuffix(NamedTuple):
    """``read`` gets the operands and the offset for a count that does not fit; ``write`` includes the colon."""

    read: Callable[[Parser, OperationState, list[Unresolved], int | None], None]
    write: Callable[[Printer, Operation], str]


def _assign_signature(
    parser: Parser, state: OperationState, operands: list[Unresolved], signature: FunctionType, offset: int
) -> None:
    if len(signature.inputs) != len(operands):
        parser.error(f"{len(operands)} operands present, but expected {len(signature.inputs)}", at=offset)
    if len(signature.results) != 1:
        parser.error("expected single output", at=offset)
    state.operands = parser.resolve_all(operands, signature.inputs)
    state.types = list(signature.results)


# --- functional-type: always the whole signature ----------------------------------------------------------------------


def _read_functional_type(
    parser: Parser, state: OperationState, operands: list[Unresolved], operands_offset: int | None
) -> None:
    parser.expect(":")
    signature = parser.function_type()
    state.operands = parser.resolve_all(operands, signature.inputs, at=operands_offset)
    state.types = list(signature.results)


def _write_functional_type(printer: Printer, op: Operation) -> str:
    return " : " + printer.signature(op)


# --- same-type: one type for all operands and the result, or the signature --------------------------------------------


def _read_same_type(parser: Parser, state: OperationState, operands: list[Unresolved], _: int | None) -> None:
    parser.expect(":")
    offset = parser.start
    type = parser.type()
    if isinstance(type, FunctionType):
        _assign_signature(parser, state, operands, type, offset)
        return
    state.operands = [parser.resolve(operand, type) for operand in operands]
    state.types = [type]


def _write_same_type(printer: Printer, op: Operation) -> str:
    type = op.results[0].type
    for operand in op.operands:
        if operand.type is not type:
            return " : " + printer.signature(op)
    return f" : {printer.type(type)}"


# --- result-type: the operands' types follow from it, or there are none -----------------------------------------------


def _read_tensor_result(parser: Parser, state: OperationState, _: list[Unresolved], __: int | None) -> None:
    parser.expect(":")
    offset = parser.start
    type = parser.type()
    if not isinstance(type, TensorType):
        parser.error(f"invalid kind of type specified: expected builtin.tensor, but found '{type}'", at=offset)
    state.types = [type]


def _read_any_result(parser: Parser, state: OperationState, _: list[Unresolved], __: int | None) -> None:
    parser.expect(":")
    state.types = [parser.type()]


def _read_tuple_result(
    parser: Parser, state: OperationState, operands: list[Unresolved], operands_offset: int | None
) -> None:
    parser.expect(":")
    offset = parser.start
    type = parser.type()
    if not isinstance(type, TupleType):
        parser.error("expected tuple type", at=offset)
    state.operands = parser.resolve_all(operands, type.elements, at=operands_offset)
    state.types = [type]


def _write_result(printer: Printer, op: Operation) -> str:
    return f" : {printer.type(op.results[0].type)}"


# --- operand-types: of a terminator -----------------------------------------------------------------------------------


def _read_operand_types(
    parser: Parser, state: OperationState, operands: list[Unresolved], operands_offset: int | None
) -> None:
    types = parser.types() if parser.accept(":") else []
    state.operands = parser.resolve_all(operands, types, at=operands_offset)


def _write_operand_types(printer: Printer, op: Operation) -> str:
    return " : " + printer.types(v.type for v in op.operands) if op.operands else ""


# --- select-types: the predicate's and the common type ----------------------------------------------------------------


def _read_select_types(parser: Parser, state: OperationState, operands: list[Unresolved], _: int | None) -> None:
    parser.expect(":")
    offset = parser.start
    types = parser.types()
    if len(types) == 1 and isinstance(types[0], FunctionType):
        _assign_signature(parser, state, operands, types[0], offset)
        return
    if len(types) != 2:
        parser.error("expected functional type or list of two types", at=offset)
    predicate, type = types
    state.operands = parser.resolve_all(operands, (predicate, type, type))
    state.types = [type]


def _write_select_types(printer: Printer, op: Operation) -> str:
    type = op.results[0].type
    predicate, on_true, on_false = (operand.type for operand in op.operands)
    if on_true is type and on_false is type:
        return f" : {printer.types((predicate, type))}"
    return " : " + printer.signature(op)


# --- complex-type: the operands are the parts of the result's elements ------------------------------------------------


def _read_complex_type(parser: Parser, state: OperationState, operands: list[Unresolved], _: int | None) -> None:
    parser.expect(":")
    offset = parser.start
    type = parser.type()
    if isinstance(type, FunctionType):
        _assign_signature(parser, state, operands, type, offset)
        return
    part = _real_type(type)
    if part is None:
        parser.error("expected tensor with complex element type", at=offset)
    state.operands = [parser.resolve(operand, part) for operand in operands]
    state.types = [type]


def _write_complex_type(printer: Printer, op: Operation) -> str:
    type = op.results[0].type
    part = _real_type(type)
    if all(operand.type is part for operand in op.operands):
        return f" : {printer.type(type)}"
    return " : " + printer.signature(op)


def _real_type(type: Type) -> Type | None:
    if isinstance(type, TensorType) and isinstance(type.element, ComplexType):
        return TensorType(type.shape, type.element.element, type.encoding)
    return None


# --- arrow-types: operand types -> result types without parentheses; bracketed-types: with parentheses, counts fixed --


def _read_arrow_types(
    parser: Parser, state: OperationState, operands: list[Unresolved], operands_offset: int | None
) -> None:
    parser.expect(":")
    types = _listed_types(parser, len(operands))
    parser.expect("->")
    state.types = [_shaped_type(parser)]
    state.operands = parser.resolve_all(operands, types, at=operands_offset)


def _read_arrow_types_to_two(
    parser: Parser, state: OperationState, operands: list[Unresolved], operands_offset: int | None
) -> None:
    parser.expect(":")
    types = _listed_types(parser, len(operands))
    parser.expect("->")
    parser.expect("(")
    state.types = _listed_types(parser, 2)
    parser.expect(")")
    state.operands = parser.resolve_all(operands, types, at=operands_offset)


def _read_bracketed_types(
    parser: Parser, state: OperationState, operands: list[Unresolved], operands_offset: int | None
) -> None:
    parser.expect(":")
    parser.expect("(")
    types = _listed_types(parser, len(operands))
    parser.expect(")")
    parser.expect("->")
    state.types = [_shaped_type(parser)]
    state.operands = parser.resolve_all(operands, types, at=operands_offset)


def _listed_types(parser: Parser, count: int) -> list[Type]:
    types = [_shaped_type(parser)]
    for _ in range(count - 1):
        parser.expect(",")
        types.append(_shaped_type(parser))
    return types


def _shaped_type(parser: Parser) -> Type:
    offset = parser.start
    type = parser.type()
    if not isinstance(type, ShapedType):
        parser.error("invalid kind of type specified", at=offset)
    return type


def _write_arrow_types(printer: Printer, op: Operation) -> str:
    operands = printer.types(operand.type for operand in op.operands)
    results = printer.types(result.type for result in op.results)
    return f" : {operands} -> {results if len(op.results) == 1 else f'({results})'}"


SUFFIXES = {
    "arrow-types": TypeSuffix(_read_arrow_types, _write_arrow_types),
    "arrow-types-to-two": TypeSuffix(_read_arrow_types_to_two, _write_arrow_types),
    "bracketed-types": TypeSuffix(_read_bracketed_types, _write_functional_type),
    "complex-type": TypeSuffix(_read_complex_type, _write_complex_type),
    "functional-type": TypeSuffix(_read_functional_type, _write_functional_type),
    "operand-types": TypeSuffix(_read_operand_types, _write_operand_types),
    "same-type": TypeSuffix(_read_same_type, _write_same_type),
    "select-types": TypeSuffix(_read_select_types, _write_select_types),
    "result-type": TypeSuffix(_read_any_result, _write_result),
    "tensor-result": TypeSuffix(_read_tensor_result, _write_result),
    "tuple-result": TypeSuffix(_read_tuple_result, _write_result),
}
"""The type suffixes by the names that assemblies use."""
