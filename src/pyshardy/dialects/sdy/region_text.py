"""The syntax of the operations around a computation: manual and named computations, their return, constants, meshes.

Each is a pair of functions: one reads the text after the operation's name, one writes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.dialects.sdy.property_kinds import ELEMENTS
from pyshardy.ir.attribute import quoted, symbol_text
from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import NoneType
from pyshardy.sharding.list_text import parse_manual_axes
from pyshardy.sharding.lists import ManualAxes
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue
from pyshardy.sharding.text import check_kind, parse_mesh, parse_tensor_sharding

if TYPE_CHECKING:
    from pyshardy.ir.explicit_stack import Steps
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.parsing.region_parser import Argument
    from pyshardy.ir.parsing.value_parser import Unresolved
    from pyshardy.ir.printing.printer import Printer


# --- sdy.mesh ---------------------------------------------------------------------------------------------------------


def parse_mesh_op(parser: Parser, state: OperationState) -> None:
    """``@name = <["a"=2]> {…}``."""
    state.properties["sym_name"] = StringAttr(parser.symbol_name())
    parser.expect("=")
    state.properties["mesh"] = check_kind(parser, Mesh, parse_mesh)
    parser.optional_attributes(state)


def print_mesh_op(printer: Printer, op: Operation) -> None:
    mesh = op.properties.get("mesh")
    text = mesh.body_text if isinstance(mesh, Mesh) else str(mesh)
    printer.write(f" {symbol_text(op.symbol_name or '')} = {text}{printer.attr_dict(op, ('sym_name', 'mesh'))}")


# --- sdy.constant -----------------------------------------------------------------------------------------------------


def parse_constant(parser: Parser, state: OperationState) -> None:
    """``{…} dense<…> : T``, or the tail of the generic form ``() <{value = …}> {…} : () -> T``."""
    if parser.accept("("):
        parser.expect(")")
        if parser.accept("<"):
            state.properties.update(parser.dictionary().entries)
            parser.expect(">")
        parser.optional_attributes(state)
        parser.expect(":")
        state.types = list(parser.function_type().results)
        return
    parser.optional_attributes(state)
    offset = parser.start
    value = parser.attribute()
    if not isinstance(value, ELEMENTS):
        parser.error("invalid kind of attribute specified", at=offset)
    state.properties["value"] = value
    state.types = [value.type]


def print_constant(printer: Printer, op: Operation) -> None:
    value = op.properties.get("value")
    attributes = printer.attr_dict(op, ("value",))
    if isinstance(value, ELEMENTS) and value.type is op.results[0].type:
        printer.write(f"{attributes} {printer.attribute(value)}")
    else:
        properties = printer.dictionary(op.properties)
        printer.write(f"() <{properties}>{attributes} : {printer.signature(op)}")


# --- computations -----------------------------------------------------------------------------------------------------


def parse_manual_computation(parser: Parser, state: OperationState) -> Steps:
    """``(%a) in_shardings=[…] out_shardings=[…] manual_axes={…} (%b: T) { … } {…} : (T) -> T``."""
    operands, offset = _parse_operands(parser)
    for name in ("in_shardings", "out_shardings"):
        parser.expect_keyword(name)
        _parse_shardings(parser, state, name)
    parser.expect_keyword("manual_axes")
    parser.expect("=")
    state.properties["manual_axes"] = check_kind(parser, ManualAxes, parse_manual_axes)
    yield _parse_body(parser, state, operands, offset)


def print_manual_computation(printer: Printer, op: Operation) -> Steps:
    axes = op.properties.get("manual_axes")
    assert isinstance(axes, ManualAxes)
    printer.write(f"({printer.operands(op.operands)})")
    _print_shardings(printer, op)
    printer.write(f" manual_axes={axes.body_text}")
    yield _print_body(printer, op, ("in_shardings", "out_shardings", "manual_axes"))


def parse_named_computation(parser: Parser, state: OperationState) -> Steps:
    """``<"name">(%a) in_shardings=[…] out_shardings=[…] (%b: T) { … } {…} : (T) -> T``; the lists may be missing."""
    parser.expect("<")
    offset = parser.start
    name = parser.attribute(NoneType())
    if not isinstance(name, StringAttr):
        parser.error("invalid kind of attribute specified", at=offset)
    state.properties["name"] = StringAttr(name.value)
    parser.expect(">")
    operands, offset = _parse_operands(parser)
    for one in ("in_shardings", "out_shardings"):
        if parser.accept_keyword(one):
            _parse_shardings(parser, state, one)
    yield _parse_body(parser, state, operands, offset)


def print_named_computation(printer: Printer, op: Operation) -> Steps:
    name = op.properties.get("name")
    assert isinstance(name, StringAttr)
    printer.write(f"<{quoted(name.value)}>({printer.operands(op.operands)})")
    _print_shardings(printer, op)
    yield _print_body(printer, op, ("in_shardings", "name", "out_shardings"))


def _parse_operands(parser: Parser) -> tuple[list[Unresolved], int]:
    parser.expect("(")
    offset = parser.start
    operands = parser.operands()
    parser.expect(")")
    return operands, offset


def _parse_shardings(parser: Parser, state: OperationState, name: str) -> None:
    parser.expect("=")
    shardings = parser.comma_list("[", "]", lambda: check_kind(parser, TensorSharding, parse_tensor_sharding))
    state.properties[name] = TensorShardingPerValue(shardings)


def _parse_body(parser: Parser, state: OperationState, operands: list[Unresolved], offset: int) -> Steps:
    region = yield parser.region(_parse_arguments(parser))
    parser.custom_op = state.name
    state.regions.append(region)
    parser.optional_attributes(state)
    parser.expect(":")
    signature = parser.function_type()
    state.operands = parser.resolve_all(operands, signature.inputs, at=offset)
    state.types = list(signature.results)


def _parse_arguments(parser: Parser) -> list[Argument]:
    parser.expect("(", "expected '(' in argument list")
    arguments: list[Argument] = []
    if not parser.at(")"):
        arguments += parser.arguments()
        while parser.accept(","):
            arguments += parser.arguments()
    parser.expect(")", "expected ')' in argument list")
    return arguments


def _print_shardings(printer: Printer, op: Operation) -> None:
    for name in ("in_shardings", "out_shardings"):
        shardings = op.properties.get(name)
        if isinstance(shardings, TensorShardingPerValue):
            printer.write(f" {name}={shardings.list_text}")


def _print_body(printer: Printer, op: Operation, written: tuple[str, ...]) -> Steps:
    printer.write(f" ({', '.join(map(printer.argument, op.body.arguments))}) ")
    yield printer.region(op.regions[0], arguments=False)
    printer.write(f"{printer.attr_dict(op, written)} : {printer.signature(op)}")
