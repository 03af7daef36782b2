"""Index vectors of gathers and scatters, component by component, relative to the shard of one device.

The shards of an indexed dimension begin at different elements, so the component for that dimension is reduced by the
offset of the device's shard.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.emitting.builder import Builder, tensor_type
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I32, I64, IntegerType, TensorType, Type


class IndexVectors:
    """The local tensor ``indices``, whose dimension ``vector_dim`` holds the components of each index vector. If
    ``vector_dim`` is the rank, each element is a vector of one component."""

    def __init__(self, builder: Builder, indices: Value, vector_dim: int) -> None:
        self._builder = builder
        self._indices = indices
        self._vector_dim = vector_dim
        self._changed: dict[int, Value] = {}
        self._element = tensor_type(indices).element

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape without the dimension of the components."""
        shape = tensor_type(self._indices).shape
        return (*shape[: self._vector_dim], *shape[self._vector_dim + 1 :])

    @property
    def count(self) -> int:
        """The number of components."""
        shape = tensor_type(self._indices).shape
        return shape[self._vector_dim] if self._vector_dim < len(shape) else 1

    @property
    def element(self) -> IntegerType:
        """The type of the components."""
        assert isinstance(self._element, IntegerType)
        return self._element

    def widen(self, element: Type, limits: Sequence[int] | None = None) -> None:
        """Converts to ``element``. With ``limits``, component k is clamped to 0 … ``limits[k]`` before."""
        if self._element is element:
            return
        if limits is not None:
            for number, limit in enumerate(limits):
                self[number] = self.clamped(number, limit)
        if self._changed:
            self._changed = {number: self._builder.convert(one, element) for number, one in self._changed.items()}
        else:
            self._indices = self._builder.convert(self._indices, element)
        self._element = element

    def __getitem__(self, number: int) -> Value:
        """Component ``number`` of all vectors."""
        found = self._changed.get(number)
        if found is not None:
            return found
        builder, dim = self._builder, self._vector_dim
        if self.count == 1:
            return builder.reshape(self._indices, self.shape)
        return builder.reshape(builder.slice_dim(self._indices, dim, number, number + 1), self.shape)

    def __setitem__(self, number: int, value: Value) -> None:
        self._changed[number] = value

    def clamped(self, number: int, limit: int) -> Value:
        """Component ``number``, clamped to 0 … ``limit``."""
        builder = self._builder
        low = builder.scalar(0, self.element)
        high = builder.scalar(min(limit, self.element.largest), self.element)
        return builder.clamp(low, self[number], high)

    def move(self, number: int, begin: Value) -> Value:
        """Subtracts the scalar ``begin`` from component ``number``, which is returned."""
        builder, value = self._builder, self[number]
        moved = builder.binary("subtract", value, builder.broadcast(begin, self.shape))
        self[number] = moved
        return moved

    def joined(self) -> Value:
        """All components as one tensor in the original form."""
        if not self._changed:
            return self._indices
        builder, dim = self._builder, self._vector_dim
        shape = list(tensor_type(self._indices).shape)
        if dim == len(shape):
            return self[0]
        shape[dim] = 1
        return builder.concatenate([builder.reshape(self[number], shape) for number in range(self.count)], dim)


def holds(element: Type, largest: int) -> bool:
    """Whether type ``element`` is wide enough that subtracting an offset of up to ``largest`` from any of its numbers
    never yields a wrong number between 0 and ``largest`` by overflow."""
    assert isinstance(element, IntegerType)
    return 2 * largest + 2 <= element.largest


def wider(largest: int) -> Type:
    """The signed type for index arithmetic up to ``largest``."""
    return I32 if holds(I32, largest) else I64


def is_signed(element: Type) -> bool:
    """Whether ``element`` has negative numbers."""
    return isinstance(element, IntegerType) and element.signedness != "u"


def zero(element: Type) -> DenseElementsAttr:
    """A scalar zero of type ``element``."""
    return DenseElementsAttr.splat_of(TensorType((), element), 0)
