"""Creates StableHLO operations before an operation that is being rewritten, and computes which shard a device holds.

A ``Builder`` that inserts before an anchor and never uses a value again, so that the text is that of the reference,
which emits ``partition_id`` at every use. Offsets on meshes of up to ``LARGEST_TABLE`` devices are looked up in a
table, as in the reference; on larger meshes they are computed, so that the program does not grow with the mesh.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.stablehlo.attributes import COMPARISON_DIRECTION, ChannelHandle
from pyshardy.emitting.builder import Builder, Properties, i64_array, tensor_type
from pyshardy.emitting.coordinates import combined, digit_of
from pyshardy.emitting.devices import index_of_place
from pyshardy.emitting.layout import Axes
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import EMPTY_DICTIONARY, DictionaryAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Region, Value
from pyshardy.ir.types import I1, I64, IntegerType, TensorType, Type
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

LARGEST_TABLE = 64
"""Offsets on meshes of up to this number of devices are looked up in a table."""

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
    """The channel after the largest one that any of ``operations`` uses."""
    handles = [op.get("channel_handle") for op in operations]
    return 1 + max([0, *(one.handle for one in handles if isinstance(one, ChannelHandle))])


class Emitter(Builder):
    """Inserts operations before an anchor. Devices are told apart by ``partition_id``, or by ``replica_id`` if each of
    them is a replica of the program."""

    def __init__(self, first_channel: int, *, by_replica: bool = False) -> None:
        super().__init__(first_channel, writes_identities=True)
        self._anchor: Operation | None = None
        self._device = "replica_id" if by_replica else "partition_id"

    @property
    def anchor(self) -> Operation:
        """The operation before which operations are inserted."""
        assert self._anchor is not None
        return self._anchor

    def at(self, anchor: Operation) -> None:
        """Inserts before ``anchor`` from now on, with its location."""
        self._anchor = anchor
        self.location = anchor.location

    def place(self, op: Operation) -> None:
        rewriting.insert_before(self.anchor, op)

    def splat_of(self, value: DenseElementsAttr) -> Value:
        return self.constant(value)

    def compare(self, a: Value, direction: str, b: Value) -> Value:
        properties: Properties = {"comparison_direction": COMPARISON_DIRECTION.of(direction)}
        return self.emit("compare", (a, b), TensorType(tensor_type(a).shape, I1), properties)

    def with_sharding(self, sharding: TensorSharding | None) -> Emitter:
        """An emitter that inserts at the same point operations with one result, which gets ``sharding``."""
        return self if sharding is None else _WithSharding(self, sharding)

    def filled(self, fill: Value, type: TensorType) -> Value:
        """A broadcast of the scalar ``fill`` to ``type``."""
        return self.emit("broadcast_in_dim", (fill,), type, {"broadcast_dimensions": i64_array(())})

    def padded_behind(self, value: Value, fill: Value, shape: Sequence[int]) -> Value:
        """``value`` padded with ``fill`` at the end of each dimension up to ``shape``."""
        old = tensor_type(value).shape
        return self.pad(value, fill, [0] * len(old), [new - size for new, size in zip(shape, old, strict=True)])

    def cut(self, value: Value, shape: Sequence[int]) -> Value:
        """The first ``shape`` elements of ``value``."""
        return self.slice(value, [0] * len(shape), shape)

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
        """As ``affine``, for a device id that has been emitted already."""
        if looks_up(mesh):
            found = self.looked_up([index * scale + offset for index in shard_indices(mesh, axes)], device)
            return self.emit("reshape", (found,), SCALAR_I64)
        index = self.shard_index_of(device, mesh, axes)
        value = index if scale == 1 else self.binary("multiply", index, self.scalar(scale, I64))
        return self.binary("add", value, self.scalar(offset, I64)) if offset else value

    def shard_index_of(self, device: Value, mesh: Mesh, axes: Axes) -> Value:
        """The shard index of ``device`` along ``axes``, computed: a scalar i64. The mesh must have its devices in the
        order of ids."""
        return combined(self, mesh, axes, partial(digit_of, self, lambda: device, mesh), I64)

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


class _WithSharding(Emitter):
    """Inserts through ``emit`` operations whose only result has ``sharding``."""

    def __init__(self, emit: Emitter, sharding: TensorSharding) -> None:
        super().__init__(1)
        self._emit = emit
        self._attributes = DictionaryAttr({SHARDING: TensorShardingPerValue([sharding])})

    def create(
        self,
        name: str,
        operands: Sequence[Value],
        types: Iterable[Type],
        properties: DictionaryAttr | Properties = EMPTY_DICTIONARY,
        attributes: DictionaryAttr = EMPTY_DICTIONARY,
        regions: tuple[Region, ...] = (),
    ) -> Operation:
        return self._emit.create(name, operands, types, properties, self._attributes, regions)

    def channel(self) -> ChannelHandle:
        return self._emit.channel()


def looks_up(mesh: Mesh) -> bool:
    """Whether offsets on ``mesh`` are looked up in a table: it is small, or has an explicit order of devices."""
    return mesh.total_size <= LARGEST_TABLE or bool(mesh.device_ids)
