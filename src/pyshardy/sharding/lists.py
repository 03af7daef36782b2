"""Lists of axes as attributes: manual axes, and the parameters of the collectives of the ``sdy`` dialect.

They are immutable interned values; ``sharding.list_text`` reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyshardy.ir.attribute import Attribute, quoted
from pyshardy.sharding.axes import AxisRef, axes_text


class ManualAxes(Attribute):
    """The axes over which a ``sdy.manual_computation`` works by itself: names of full axes.

    >>> print(ManualAxes(["x"]))
    #sdy<manual_axes{"x"}>
    """

    __slots__ = ("names",)
    names: tuple[str, ...]

    def __new__(cls, names: Iterable[str] = ()) -> ManualAxes:
        return cls._table[tuple(names),]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def body_text(self) -> str:
        return "{" + ", ".join(map(quoted, self.names)) + "}"

    def _render(self) -> str:
        return f"#sdy<manual_axes{self.body_text}>"


class AxisRefList(Attribute):
    """Axis references in order: the axes of an all-reduce, for example."""

    __slots__ = ("axes",)
    axes: tuple[AxisRef, ...]

    def __new__(cls, axes: Iterable[AxisRef] = ()) -> AxisRefList:
        return cls._table[tuple(axes),]

    def __iter__(self) -> Iterator[AxisRef]:
        return iter(self.axes)

    def __len__(self) -> int:
        return len(self.axes)

    def children(self) -> Iterable[Attribute]:
        return self.axes

    @property
    def body_text(self) -> str:
        return axes_text(self.axes)

    def _render(self) -> str:
        return f"#sdy<axis_ref_list{self.body_text}>"


class ListOfAxisRefLists(Attribute):
    """Axis references dimension by dimension: what an all-gather gathers, for example."""

    __slots__ = ("lists",)
    lists: tuple[tuple[AxisRef, ...], ...]

    def __new__(cls, lists: Iterable[Iterable[AxisRef]] = ()) -> ListOfAxisRefLists:
        return cls._table[tuple(map(tuple, lists)),]

    def __iter__(self) -> Iterator[tuple[AxisRef, ...]]:
        return iter(self.lists)

    def __len__(self) -> int:
        return len(self.lists)

    @property
    def is_empty(self) -> bool:
        """Whether no dimension has an axis."""
        return not any(self.lists)

    def children(self) -> Iterable[Attribute]:
        return (axis for axes in self.lists for axis in axes)

    @property
    def body_text(self) -> str:
        return "[" + ", ".join(map(axes_text, self.lists)) + "]"

    def _render(self) -> str:
        return f"#sdy<list_of_axis_ref_lists{self.body_text}>"


class AllToAllParam(Attribute):
    """Axes that an all-to-all moves from dimension ``source`` to dimension ``target``."""

    __slots__ = ("axes", "source", "target")
    axes: tuple[AxisRef, ...]
    source: int
    target: int

    def __new__(cls, axes: Iterable[AxisRef], source: int, target: int) -> AllToAllParam:
        return cls._table[tuple(axes), source, target]

    def children(self) -> Iterable[Attribute]:
        return self.axes

    @property
    def body_text(self) -> str:
        return f"{axes_text(self.axes)}: {self.source}->{self.target}"

    def _render(self) -> str:
        return f"#sdy<all_to_all_param{self.body_text}>"


class AllToAllParamList(Attribute):
    """All the moves of one all-to-all."""

    __slots__ = ("params",)
    params: tuple[AllToAllParam, ...]

    def __new__(cls, params: Iterable[AllToAllParam] = ()) -> AllToAllParamList:
        return cls._table[tuple(params),]

    def __iter__(self) -> Iterator[AllToAllParam]:
        return iter(self.params)

    def __len__(self) -> int:
        return len(self.params)

    def children(self) -> Iterable[Attribute]:
        return self.params

    @property
    def body_text(self) -> str:
        return "[" + ", ".join(param.body_text for param in self.params) + "]"

    def _render(self) -> str:
        return f"#sdy<all_to_all_param_list{self.body_text}>"
