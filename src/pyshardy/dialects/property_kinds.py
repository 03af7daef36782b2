"""Kinds of properties that several dialects share, with the wording of MLIR's verifier."""

from __future__ import annotations

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, DictionaryAttr, StringAttr, SymbolRefAttr, UnitAttr
from pyshardy.ir.opdef import PropertyKind, property_kind
from pyshardy.ir.types import FunctionType, Type


def _is_flat(value: Attribute) -> bool:
    return isinstance(value, SymbolRefAttr) and len(value.path) == 1


STRING = property_kind("string attribute", StringAttr)
UNIT = property_kind("unit attribute", UnitAttr)
FLAT_SYMBOL = PropertyKind("flat symbol reference attribute", _is_flat, _is_flat)
FUNCTION_TYPE = PropertyKind(
    "type attribute of function type",
    lambda value: isinstance(value, Type),
    lambda value: isinstance(value, FunctionType),
)
DICTIONARIES = PropertyKind(
    "Array of dictionary attributes",
    lambda value: isinstance(value, ArrayAttr),
    lambda value: isinstance(value, ArrayAttr) and all(isinstance(entry, DictionaryAttr) for entry in value),
)
