"""Emits StableHLO operations before an operation that is being rewritten, and says which shard a device holds.

A ``Builder`` that inserts where it is asked to and uses nothing again: the text is that of the reference, which emits
``partition_id`` anew at every use. Offsets of up to ``LARGEST_TABLE`` devices are looked up in a table, as there; for
larger meshes they are computed, so that the program does not grow with the mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pyshardy.dialects.sdy.placement import set_sharding
from pyshardy.dialects.stablehlo.attributes import COMPARISON_DIRECTION, ChannelHandle
from pyshardy.emitting.builder import Builder, Properties, i64_array, tensor_type
from pyshardy.emitting.coordinates import digits
from pyshardy.emitting.devices import index_of_place
from pyshardy.emitting.layout import Axes
from pyshardy.ir import rewriting
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import I1, I64, IntegerType, TensorType, Type
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

LARGEST_TABLE = 64
"""Up to this number of devices offsets are looked up in a table."""

_UI32 = IntegerType(32, "u")
SCALAR_I64 = TensorType((), I64)


@lru_cache(maxsize=1024)
def shard_indices(mesh: Mesh, axes: Axes) -> tuple[int, ...]:
    """The shard index along ``axes`` of each device, by device id."""
    by_place = [index_of_place(place, mesh, axes) for place in range(mesh.total_size)]
    if not mesh.device_ids:
        return tuple(by_place)
    by_device = [0] * len(by_place)
    for device, index in zip(mesh.device_ids, by_place, strict=True):
        by_device[device] = index
    return tuple(by_device)


def next_channel(operations: Sequence[Operation]) -> int:
    """The first channel that none of ``operations`` has, nor any before it."""
    handles = [op.get("channel_handle") for op in operations]
    return 1 + max([0, *(one.handle for one in handles if isinstance(one, ChannelHandle))])


class Emitter(Builder):
    """Inserts operations before the one it stands ``at``. Devices are told apart by ``partition_id``, or by
    ``replica_id`` if each of them is a replica of the program."""

    def __init__(self, first_channel: int, *, by_replica: bool = False) -> None:
        super().__init__(first_channel)
        self._anchor: Operation | None = None
        self._device = "replica_id" if by_replica else "partition_id"

    @property
    def anchor(self) -> Operation:
        """The operation before which operations are put."""
        assert self._anchor is not None
        return self._anchor

    def at(self, anchor: Operation) -> None:
        """Emits before ``anchor`` from now on, at its location."""
        self._anchor = anchor
        self.location = anchor.location

    def place(self, op: Operation) -> None:
        rewriting.insert_before(self.anchor, op)

    def splat_of(self, value: DenseElementsAttr) -> Value:
        return self.constant(value)

    def compare(self, a: Value, direction: str, b: Value) -> Value:
        properties: Properties = {"comparison_direction": COMPARISON_DIRECTION.of(direction)}
        return self.emit("compare", (a, b), TensorType(tensor_type(a).shape, I1), properties)

    def integers(self, values: Sequence[int], element: Type = I64) -> Value:
        """A constant with one dimension."""
        return self.constant(DenseElementsAttr.of(TensorType((len(values),), element), values))

    def spread(self, value: Value, shape: Sequence[int], dims: Sequence[int] = ()) -> Value:
        """``value`` with its dimensions at ``dims`` of a tensor of ``shape``, by an operation in any case."""
        type = tensor_type(value).with_shape(shape)
        return self.emit("broadcast_in_dim", (value,), type, {"broadcast_dimensions": i64_array(dims)})

    def reshaped(self, value: Value, shape: Sequence[int]) -> Value:
        """``value`` in another shape, by an operation in any case."""
        return self.emit("reshape", (value,), tensor_type(value).with_shape(shape))

    def padded(
        self, value: Value, fill: Value, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
    ) -> Value:
        """``value`` with ``fill`` around and between its elements, by an operation in any case."""
        type = tensor_type(value)
        sizes = zip(type.shape, low, high, interior, strict=True)
        shape = [below + size + max(0, size - 1) * between + above for size, below, above, between in sizes]
        properties: Properties = {
            "edge_padding_low": i64_array(low),
            "edge_padding_high": i64_array(high),
            "interior_padding": i64_array(interior),
        }
        return self.emit("pad", (value, fill), type.with_shape(shape), properties)

    def padded_behind(
        self, value: Value, fill: Value, shape: Sequence[int], sharding: TensorSharding | None = None
    ) -> Value:
        """``value`` with ``fill`` behind its elements up to ``shape``, laid out by ``sharding``."""
        old = tensor_type(value).shape
        none = [0] * len(old)
        high = [new - size for new, size in zip(shape, old, strict=True)]
        return _laid_out(self.padded(value, fill, none, high, none), sharding)

    def cut(self, value: Value, shape: Sequence[int], sharding: TensorSharding | None = None) -> Value:
        """The first ``shape`` elements of ``value``, fewer than all, laid out by ``sharding``."""
        return _laid_out(self.slice(value, [0] * len(shape), shape), sharding)

    # --- the running device -----------------------------------------------------------------------------------------

    def device_id(self) -> Value:
        """The id of the running device, a scalar i64."""
        return self.emit("convert", (self.emit(self._device, (), TensorType((), _UI32)),), SCALAR_I64)

    def looked_up(self, values: Sequence[int], device: Value, element: Type = I64) -> Value:
        """Entry number ``device`` of a table, of shape [1]."""
        table = self.integers(values, element)
        return self.dynamic_slice(table, (device,), (1,))

    def affine(self, mesh: Mesh, axes: Axes, scale: int, offset: int = 0) -> Value:
        """``offset`` plus ``scale`` times the shard index of the running device along ``axes``: a scalar i64."""
        return self.affine_of(self.device_id(), mesh, axes, scale, offset)

    def affine_of(self, device: Value, mesh: Mesh, axes: Axes, scale: int, offset: int = 0) -> Value:
        """As ``affine``, of a device id at hand."""
        if looks_up(mesh):
            found = self.looked_up([index * scale + offset for index in shard_indices(mesh, axes)], device)
            return self.emit("reshape", (found,), SCALAR_I64)
        index = self.shard_index_of(device, mesh, axes)
        value = index if scale == 1 else self.binary("multiply", index, self.scalar(scale, I64))
        return self.binary("add", value, self.scalar(offset, I64)) if offset else value

    def shard_index_of(self, device: Value, mesh: Mesh, axes: Axes) -> Value:
        """The shard index of ``device`` (of a mesh in the order of ids) along ``axes``, computed: a scalar i64."""
        index: Value | None = None
        for stride, size in digits(mesh, axes):
            digit = device if stride == 1 else self.binary("divide", device, self.scalar(stride, I64))
            if stride * size < mesh.total_size:
                digit = self.binary("remainder", digit, self.scalar(size, I64))
            if index is not None:
                digit = self.binary("add", self.binary("multiply", index, self.scalar(size, I64)), digit)
            index = digit
        return index if index is not None else self.scalar(0, I64)

    def is_first(self, mesh: Mesh, axes: Axes) -> Value:
        """Whether the running device has shard 0 along ``axes``: i1 of shape [1]."""
        device = self.device_id()
        if looks_up(mesh):
            return self.looked_up([int(index == 0) for index in shard_indices(mesh, axes)], device, I1)
        first = self.compare(self.shard_index_of(device, mesh, axes), "EQ", self.scalar(0, I64))
        return self.emit("reshape", (first,), TensorType((1,), I1))

    def slice_for_axes(self, value: Value, mesh: Mesh, axes: Sequence[Axes], shape: Sequence[int]) -> Value:
        """The running device's shard of ``value``, which it holds whole; ``shape`` is that of the shard."""
        starts = [
            self.affine(mesh, each, size) if each else self.scalar(0, I64)
            for each, size in zip(axes, shape, strict=True)
        ]
        return self.dynamic_slice(value, starts, shape)


def _laid_out(value: Value, sharding: TensorSharding | None) -> Value:
    if sharding is not None:
        set_sharding(value, sharding)
    return value


def looks_up(mesh: Mesh) -> bool:
    """Whether offsets on ``mesh`` are looked up: it is small, or its devices are in an order of their own."""
    return mesh.total_size <= LARGEST_TABLE or bool(mesh.device_ids)
