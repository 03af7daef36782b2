"""Tensor shardings: along which axes each dimension of a tensor is split.

They are immutable values bound to a mesh, by symbol or inline. Source: Shardy's documentation, sharding representation.
``dialects.sdy.placement`` finds them in a program; propagation makes new ones.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator
from math import prod

from pyshardy.ir.attribute import Attribute, symbol_text
from pyshardy.ir.attributes import SymbolRefAttr
from pyshardy.sharding.axes import AxisRef, axes_text
from pyshardy.sharding.mesh import Mesh


def _reference(axis: AxisRef | str) -> AxisRef:
    return AxisRef(axis) if isinstance(axis, str) else axis


class DimSharding(Attribute):
    """The axes of one dimension from major to minor, whether more may be added, and its priority (None if not given).

    >>> print(DimSharding(["x"], is_closed=False, priority=1).body_text)
    {"x", ?}p1
    """

    __slots__ = ("axes", "is_closed", "priority")
    axes: tuple[AxisRef, ...]
    is_closed: bool
    priority: int | None

    def __new__(
        cls, axes: Iterable[AxisRef | str] = (), is_closed: bool = True, priority: int | None = None
    ) -> DimSharding:
        if isinstance(axes, str):
            raise TypeError(f"the axes of a dimension are a list: [{axes!r}] rather than {axes!r}")
        return cls._table[tuple(map(_reference, axes)), bool(is_closed), priority]

    def _begin(self) -> None:
        if not all(isinstance(axis, AxisRef) for axis in self.axes):
            raise TypeError(f"the axes of a dimension are names or axis references, got: {list(self.axes)!r}")

    def sharded_size(self, mesh: Mesh) -> int:
        """Number of shards of the dimension."""
        return prod(axis.size(mesh) for axis in self.axes)

    def with_axes(self, axes: Iterable[AxisRef]) -> DimSharding:
        return DimSharding(axes, self.is_closed, self.priority)

    def children(self) -> Iterable[Attribute]:
        return self.axes

    @property
    def body_text(self) -> str:
        parts = [axis.body_text for axis in self.axes]
        if not self.is_closed:
            parts.append("?")
        return "{" + ", ".join(parts) + "}" + ("" if self.priority is None else f"p{self.priority}")

    def _render(self) -> str:
        return f"#sdy<dimension_sharding{self.body_text}>"


OPEN = DimSharding((), is_closed=False)
CLOSED = DimSharding((), is_closed=True)


class TensorSharding(Attribute):
    """One sharding a dimension, on a mesh given by symbol name or by value; plus explicitly replicated axes and axes
    over which the tensor is a sum (or ``reduction_op``) of its shards.

    >>> print(TensorSharding("mesh", [DimSharding(["x"]), DimSharding([], is_closed=False)]))
    #sdy.sharding<@mesh, [{"x"}, {?}]>
    """

    __slots__ = ("dims", "mesh_or_ref", "reduction_op", "replicated", "unreduced")
    mesh_or_ref: str | Mesh
    dims: tuple[DimSharding, ...]
    replicated: tuple[AxisRef, ...]
    unreduced: tuple[AxisRef, ...]
    reduction_op: str

    def __new__(
        cls,
        mesh_or_ref: str | Mesh,
        dims: Iterable[DimSharding],
        replicated: Iterable[AxisRef | str] = (),
        unreduced: Iterable[AxisRef | str] = (),
        reduction_op: str = "sum",
    ) -> TensorSharding:
        return cls._table[
            mesh_or_ref,
            tuple(dims),
            tuple(map(_reference, replicated)),
            tuple(map(_reference, unreduced)),
            reduction_op,
        ]

    def _begin(self) -> None:
        if not isinstance(self.mesh_or_ref, str | Mesh):
            raise TypeError(f"a sharding is on a mesh or on the name of one, got: {self.mesh_or_ref!r}")
        if not all(isinstance(dim, DimSharding) for dim in self.dims):
            raise TypeError(
                f"the dimensions of a sharding are of type DimSharding, got: {self.dims!r}; "
                "pyshardy.tensor_sharding takes plain names and tuples"
            )

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def has_axes(self) -> bool:
        """Whether any axis is named: sharding a dimension, replicated or unreduced."""
        return bool(self.replicated or self.unreduced) or any(dim.axes for dim in self.dims)

    @property
    def is_fully_replicated(self) -> bool:
        """No dimension is sharded (replicated and unreduced axes do not count)."""
        return not any(dim.axes for dim in self.dims)

    @property
    def is_fully_closed(self) -> bool:
        return all(dim.is_closed for dim in self.dims)

    def axes(self) -> Iterator[AxisRef]:
        """Every reference: dimensions in order, replicated, unreduced."""
        for dim in self.dims:
            yield from dim.axes
        yield from self.replicated
        yield from self.unreduced

    def replace(
        self,
        *,
        mesh_or_ref: str | Mesh | None = None,
        dims: Iterable[DimSharding] | None = None,
        replicated: Iterable[AxisRef] | None = None,
        unreduced: Iterable[AxisRef] | None = None,
    ) -> TensorSharding:
        """This sharding with the given parts exchanged."""
        return TensorSharding(
            self.mesh_or_ref if mesh_or_ref is None else mesh_or_ref,
            self.dims if dims is None else dims,
            self.replicated if replicated is None else replicated,
            self.unreduced if unreduced is None else unreduced,
            self.reduction_op,
        )

    def closed(self) -> TensorSharding:
        """All dimensions closed with their priorities, no replicated axes, unreduced axes kept."""
        dims = [DimSharding(dim.axes, True, dim.priority) for dim in self.dims]
        return TensorSharding(self.mesh_or_ref, dims, (), self.unreduced, self.reduction_op)

    def local_shape(self, shape: Iterable[int], mesh: Mesh) -> tuple[int, ...]:
        """The shape on one device, rounded up; negative (dynamic) sizes stay."""
        return tuple(
            size if size < 0 else -(-size // dim.sharded_size(mesh)) for size, dim in zip(shape, self.dims, strict=True)
        )

    def children(self) -> Iterable[Attribute]:
        mesh = self.mesh_or_ref
        yield SymbolRefAttr(mesh) if isinstance(mesh, str) else mesh
        yield from self.dims

    @property
    def body_text(self) -> str:
        mesh = self.mesh_or_ref
        parts = [symbol_text(mesh) if isinstance(mesh, str) else f"mesh{mesh.body_text}"]
        parts.append("[" + ", ".join(dim.body_text for dim in self.dims) + "]")
        if self.replicated:
            parts.append(f"replicated={axes_text(self.replicated)}")
        if self.unreduced:
            kind = "" if self.reduction_op == "sum" else self.reduction_op
            parts.append(f"unreduced={kind}{axes_text(self.unreduced)}")
        return "<" + ", ".join(parts) + ">"

    def _render(self) -> str:
        return f"#sdy.sharding{self.body_text}"


def fully_open(rank: int, mesh_or_ref: str | Mesh) -> TensorSharding:
    """No axes, every dimension open."""
    return TensorSharding(mesh_or_ref, (OPEN,) * rank)


def fully_closed(rank: int, mesh_or_ref: str | Mesh) -> TensorSharding:
    """No axes, every dimension closed."""
    return TensorSharding(mesh_or_ref, (CLOSED,) * rank)


class TensorShardingPerValue(Attribute):
    """The shardings of all operands, results or block arguments of an operation, in order."""

    __slots__ = ("shardings",)
    shardings: tuple[TensorSharding, ...]

    def __new__(cls, shardings: Iterable[TensorSharding]) -> TensorShardingPerValue:
        return cls._table[tuple(shardings),]

    def __iter__(self) -> Iterator[TensorSharding]:
        return iter(self.shardings)

    def __len__(self) -> int:
        return len(self.shardings)

    def __getitem__(self, index: int) -> TensorSharding:
        return self.shardings[index]

    def children(self) -> Iterable[Attribute]:
        return self.shardings

    def replace(self, index: int, sharding: TensorSharding) -> TensorShardingPerValue:
        """This list with entry ``index`` exchanged."""
        return TensorShardingPerValue((*self.shardings[:index], sharding, *self.shardings[index + 1 :]))

    @property
    def list_text(self) -> str:
        """``[<…>, <…>]`` as it stands in an operation's syntax."""
        return "[" + ", ".join(one.body_text for one in self.shardings) + "]"

    def _render(self) -> str:
        return f"#sdy.sharding_per_value<{self.list_text}>"


def equivalent(a: TensorSharding, b: TensorSharding | None) -> bool:
    """Whether both lay a tensor out alike. Open or closed, priorities, replicated and unreduced axes never matter;
    two fully replicated shardings agree whatever their mesh; otherwise the mesh must be named alike."""
    if a.is_fully_replicated:
        return b is None or b.is_fully_replicated
    if b is None or a.mesh_or_ref != b.mesh_or_ref:
        return False
    return [dim.axes for dim in a.dims] == [dim.axes for dim in b.dims]


# --- manual axes ------------------------------------------------------------------------------------------------------


def _split_manual(sharding: TensorSharding, manual: Container[str], *, keep_manual: bool) -> TensorSharding:
    dims = []
    for dim in sharding.dims:
        # A binary search, as in the reference: which answer counts when free axes have got before manual ones.
        count = bisect_left(dim.axes, True, key=lambda axis: axis.name not in manual)
        dims.append(dim.with_axes(dim.axes[:count] if keep_manual else dim.axes[count:]))
    replicated = [axis for axis in sharding.replicated if axis.name not in manual]
    unreduced = [axis for axis in sharding.unreduced if axis.name not in manual]
    return sharding.replace(dims=dims, replicated=replicated, unreduced=unreduced)


def without_manual_axes(sharding: TensorSharding, manual: Container[str]) -> TensorSharding:
    """What the body of a manual computation sees: without the manual axes, which come first in each dimension."""
    return _split_manual(sharding, manual, keep_manual=False)


def with_free_axes(outer: TensorSharding, inner: TensorSharding, manual: Container[str]) -> TensorSharding:
    """What stands outside a manual computation: each dimension has the manual axes of ``outer``, then all of ``inner``;
    openness, priorities and mesh are of ``inner``, replicated and unreduced axes of ``outer``."""
    base = _split_manual(outer, manual, keep_manual=True)
    dims = [new.with_axes((*old.axes, *new.axes)) for old, new in zip(base.dims, inner.dims, strict=True)]
    return TensorSharding(inner.mesh_or_ref, dims, outer.replicated, outer.unreduced)
