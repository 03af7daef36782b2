"""The dialect ``check``: the values that a test program expects, which the interpreter checks.

``interpreter`` makes the dialect known to the parser; a tool that does not run programs keeps such operations as those
of an unknown dialect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyshardy.dialects.assembly import read_dictionary
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import FloatAttr, IntegerAttr, StringAttr
from pyshardy.ir.elements import DenseElementsAttr, DenseResourceAttr, SparseElementsAttr
from pyshardy.ir.opdef import Dialect, OpDef, PropertyKind, property_kind
from pyshardy.ir.types import F64, I64, TensorType, Type

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer
    from pyshardy.ir.verifying.verification import Verification

ELEMENTS = property_kind("constant vector/tensor attribute", DenseElementsAttr, DenseResourceAttr, SparseElementsAttr)
FLOAT = property_kind("float attribute", FloatAttr)
COUNT = PropertyKind(
    "non-negative integer attribute",
    lambda value: isinstance(value, IntegerAttr),
    lambda value: isinstance(value, IntegerAttr) and value.value >= 0,
)
STRING = property_kind("string attribute", StringAttr)

_SHORT_NAMES = {"probe": "probe_id", "iter": "iteration"}


def _parse(parser: Parser, state: OperationState) -> None:
    """``%a, %b, name = value, … {} : T, T``, or with the expected elements in the place of ``%b``."""
    operands = [parser.operand()]
    constant: Attribute | None = None
    while parser.accept(","):
        if parser.kind == "value":
            operands.append(parser.operand())
        elif parser.kind == "bare" and parser.text not in ("dense", "dense_resource", "sparse"):
            name = parser.keyword()
            parser.expect("=")
            state.properties[_SHORT_NAMES.get(name, name)] = _option(parser, name)
        else:
            constant = parser.attribute()
            state.properties["value"] = constant
    read_dictionary(parser, state)
    types: list[Type] = []
    if parser.accept(":"):
        if parser.at("("):
            types = list(parser.function_type().inputs)
        else:
            types = list(parser.types())
    elif isinstance(constant, DenseElementsAttr | DenseResourceAttr | SparseElementsAttr):
        types = [constant.type]
    else:
        parser.expect(":")
    if len(types) == 1:
        types *= len(operands)
    state.operands = parser.resolve_all(operands, types)


def _option(parser: Parser, name: str) -> Attribute:
    """The value of an option, without a type of its own: the types of the operands follow."""
    if parser.kind == "string":
        return StringAttr(parser.string())
    return parser.attribute(F64 if name == "tolerance" else I64)


def _print(printer: Printer, op: Operation) -> None:
    pieces = [printer.operands(op.operands)]
    value = op.properties.get("value")
    if value is not None:
        pieces.append(str(value))
    named = [(name, one) for name, one in op.properties if name != "value"]
    pieces += [f"{name} = {_bare(one)}" for name, one in named]
    dictionary = printer.attr_dict(op, [name for name, _ in op.properties])
    types = "" if value is not None else f" : {printer.types(operand.type for operand in op.operands)}"
    printer.write(f" {', '.join(pieces)}{dictionary}{types}")


def _bare(value: Attribute) -> str:
    return str(value).removesuffix(" : i64").removesuffix(" : f64")


def _same_types(verification: Verification, op: Operation) -> None:
    value = op.properties.get("value")
    types = [operand.type for operand in op.operands]
    expected = getattr(value, "type", None) if value is not None else types[-1]
    for type in types:
        if not isinstance(type, TensorType):
            verification.error(op, f"operand #0 must be a tensor, but got '{type}'")
        if not isinstance(expected, TensorType) or type.element is not expected.element or type.rank != expected.rank:
            verification.error(op, f"compares values of different types: '{type}' and '{expected}'")


def _op(name: str, operands: int, required: str = "", **optional: PropertyKind) -> OpDef:
    kinds = {"value": ELEMENTS, "probe_id": STRING, "iteration": COUNT}
    kinds = {one: kinds[one] for one in required.split()} | optional
    return OpDef(
        f"check.{name}",
        operands=operands,
        results=0,
        properties=kinds,
        required=required.split(),
        kinds=kinds,
        parse=_parse,
        print_=_print,
        verifiers=(_same_types,),
    )


DIALECT = Dialect(
    "check",
    [
        _op("expect_almost_eq", 2, tolerance=FLOAT),
        _op("expect_almost_eq_const", 1, "value", tolerance=FLOAT),
        _op("expect_close", 2, max_ulp_difference=COUNT, min_ulp_difference=COUNT),
        _op("expect_eq", 2),
        _op("expect_eq_const", 1, "value"),
        _op("expect_serialized_eq", 1, "probe_id", iteration=COUNT),
    ],
)
