"""The type ``!stablehlo.future<…>``: results of an operation that has been started and not yet awaited.

``attribute_text`` reads it; the verifier of ``async_start`` and ``async_done`` looks inside.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.types import Type


class FutureType(Type):
    """``!stablehlo.future<a, b>``; the elements are tensor types."""

    __slots__ = ("elements",)
    elements: tuple[Type, ...]
    _table: ClassVar[dict[tuple[Type, ...], FutureType]] = {}

    def __new__(cls, elements: Iterable[Type]) -> FutureType:
        key = tuple(elements)
        self = cls._table.get(key)
        if self is None:
            self = object.__new__(cls)
            self.elements = key
            cls._table[key] = self
        return self

    def children(self) -> Iterable[Attribute]:
        return self.elements

    def _render(self) -> str:
        return f"!stablehlo.future<{', '.join(map(str, self.elements))}>"
