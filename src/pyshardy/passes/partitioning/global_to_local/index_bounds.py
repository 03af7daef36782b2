"""Which indices of a gather or scatter fall into a device's shard: the first and last index of the shard, dimension by
dimension, in the shape of the index tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.emitting.builder import tensor_type
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I64, IntegerType, TensorType
from pyshardy.passes.partitioning.global_to_local.conversion import ConversionSite


class IndexBounds:
    """Bounds for the entries of index vectors along ``vector_dim``; entry j indexes dimension ``dims[j]`` of
    ``operand``."""

    def __init__(
        self, site: ConversionSite, operand: Value, indices: Value, dims: Sequence[int], vector_dim: int
    ) -> None:
        self._site = site
        self._operand = operand
        self._dims = dims
        self._vector_dim = vector_dim
        self.sizes = site.type_before(operand).shape
        self.indices = self._wide_enough(indices)
        self.type = tensor_type(self.indices)
        self.element = self.type.element

    def _wide_enough(self, indices: Value) -> Value:
        """The indices in a type that can hold every index of the operand."""
        element = tensor_type(indices).element
        largest = max([0, *(self.sizes[dim] for dim in self._dims)])
        narrow = isinstance(element, IntegerType) and largest > 1 << (element.width - 1)
        return self._site.builder.convert(indices, I64) if narrow else indices

    @property
    def _is_single(self) -> bool:
        """Whether all elements of the index tensor are indices into one dimension."""
        type = self.type
        return len(self._dims) == 1 or self._vector_dim >= type.rank or type.shape[self._vector_dim] == 1

    def clamped(self) -> Value:
        """The indices clamped to the whole operand."""
        emit = self._site.builder
        lowest = emit.splat(0, self.type)
        limits = [self.sizes[dim] - 1 for dim in self._dims]
        if self._is_single:
            highest = emit.splat(limits[0], self.type)
        else:
            highest = emit.broadcast(emit.integers(limits, self.element), self.type.shape, (self._vector_dim,))
        return emit.clamp(lowest, self.indices, highest)

    def first(self, local: Callable[[int], bool]) -> list[Value]:
        """The first index of the device's shard in each dimension; 0 for a dimension that is not ``local``."""
        return [self._start(dim) if local(dim) else self._scalar(0) for dim in self._dims]

    def first_and_last(self, local: Callable[[int], bool]) -> tuple[list[Value], list[Value]]:
        """The first and the last index of the device's shard in each dimension."""
        emit = self._site.builder
        first: list[Value] = []
        last: list[Value] = []
        for dim in self._dims:
            if local(dim):
                first.append(self._start(dim))
                last.append(emit.binary("add", first[-1], self._scalar(self._local_size(dim) - 1)))
            else:
                first.append(self._scalar(0))
                last.append(self._scalar(self.sizes[dim] - 1))
        return first, last

    def spread(self, bounds: Sequence[Value]) -> Value:
        """One bound for each dimension, broadcast to the shape of the index tensor."""
        emit, shape = self._site.builder, self.type.shape
        if self._is_single:
            return emit.broadcast(bounds[0], shape)
        parts = [emit.reshape(bound, (1,)) for bound in bounds]
        return emit.broadcast(emit.concatenate(parts, 0), shape, (self._vector_dim,))

    def _start(self, dim: int) -> Value:
        site = self._site
        mesh = site.mesh(self._operand)
        assert mesh is not None
        offset = site.builder.affine(mesh, site.axes(self._operand)[dim], self._local_size(dim))
        return site.builder.emit("convert", (offset,), TensorType((), self.element))

    def _local_size(self, dim: int) -> int:
        return tensor_type(self._operand).shape[dim]

    def _scalar(self, value: int) -> Value:
        return self._site.builder.scalar(value, self.element)
