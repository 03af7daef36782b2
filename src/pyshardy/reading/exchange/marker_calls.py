"""Makes the custom calls and calls of the exchange form; ``names`` has their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, IntegerAttr, StringAttr, SymbolRefAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import I1, Type
from pyshardy.reading.exchange import names


def custom_call(
    target: str,
    operands: Sequence[Value],
    types: Sequence[Type],
    strings: Mapping[str, Attribute],
    at: Operation,
    *,
    effect: bool = False,
) -> Operation:
    """A custom call of ``target`` with ``strings`` as frontend attributes and the location of ``at``, in no block."""
    properties: dict[str, Attribute] = {"call_target_name": StringAttr(target)}
    if effect:
        properties["has_side_effect"] = IntegerAttr(1, I1)
    attributes = DictionaryAttr({})
    for name, value in strings.items():
        attributes = with_string(attributes, name, value)
    return rewriting.create(
        "stablehlo.custom_call", operands, types, DictionaryAttr(properties), attributes, location=at.location
    )


def call_of(func: Operation, operands: Sequence[Value], types: Sequence[Type], at: Operation) -> Operation:
    """A call of ``func``, in no block; XLA is told not to inline it."""
    frontend = DictionaryAttr({"inlineable": StringAttr("false")})
    return rewriting.create(
        "func.call",
        operands,
        types,
        DictionaryAttr({"callee": SymbolRefAttr(func.symbol_name or "")}),
        names.with_frontend_attributes(DictionaryAttr({}), frontend),
        location=at.location,
    )


def with_string(attributes: DictionaryAttr, name: str, value: Attribute) -> DictionaryAttr:
    """``attributes`` with the text of ``value`` as frontend attribute ``name``."""
    frontend = names.frontend_attributes(attributes) or DictionaryAttr({})
    text = value if isinstance(value, StringAttr) else StringAttr(str(value))
    return names.with_frontend_attributes(attributes, frontend.with_(name, text))
