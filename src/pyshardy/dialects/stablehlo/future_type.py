"""The type ``!stablehlo.future<…>``: results of an operation that has been started and not yet awaited."""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.types import Type


class FutureType(Type):
    """``!stablehlo.future<a, b>``; the elements are tensor types."""

    __slots__ = ("elements",)
    elements: tuple[Type, ...]

    def __new__(cls, elements: Iterable[Type]) -> FutureType:
        return cls._table[tuple(elements),]

    def children(self) -> Iterable[Attribute]:
        return self.elements

    def _render(self) -> str:
        return f"!stablehlo.future<{', '.join(map(str, self.elements))}>"
