"""Adapts the properties of an operation to tensors of other shapes, on a device or made small, as its row says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Operation

Shapes = Sequence[tuple[int, ...]]


def adapted_properties(op: Operation, operands: Shapes, results: Shapes) -> DictionaryAttr:
    """The properties of ``op`` as they are for operands and results of these shapes, if its row says so.

    Raises:
        TypeError: the row gives something else than properties. It may raise errors of its own, too.
    """
    adapts = op.definition.adapts if op.definition is not None else None
    if adapts is None:
        return op.properties
    properties = op.properties
    # What a plugin's function returns is looked at here.
    found: object = adapts(op, operands, results)
    if not isinstance(found, Mapping):
        raise TypeError(f"adapts returns {type(found).__name__}, and properties by their names are expected")
    for name, value in found.items():
        if not isinstance(value, Attribute):
            raise TypeError(f"adapts gives {name!r} as {type(value).__name__}, and an Attribute is expected")
        properties = properties.with_(name, value)
    return properties
