"""Finds the symbols (functions, meshes) that attributes name, however deep inside of them."""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import FloatAttr, IntegerAttr, SymbolRefAttr, UnitAttr
from pyshardy.ir.operation import Operation

_NAMING_NOTHING = frozenset({IntegerAttr, FloatAttr, UnitAttr})
"""Classes of attributes that have no others inside. Arguments of a large program have thousands of different ones."""


def symbol_references(attributes: Iterable[Attribute]) -> list[SymbolRefAttr]:
    """The references in ``attributes``, each once."""
    found: list[SymbolRefAttr] = []
    seen = dict.fromkeys(attributes)
    pending = list(seen)
    while pending:
        one = pending.pop()
        if isinstance(one, SymbolRefAttr):
            found.append(one)
            continue
        for child in one.children():
            if type(child) not in _NAMING_NOTHING and child not in seen:
                seen[child] = None
                pending.append(child)
    return found


def named_symbols(op: Operation) -> list[str]:
    """The symbols of the program that ``op`` itself names, not the operations in it."""
    return [reference.root for reference in symbol_references((op.properties, op.attributes))]
