"""The ``sdy`` dialect on programs of global values: reshards change nothing, manual computations run by shards."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.names import IDENTITIES
from pyshardy.dialects.sdy.placement import meshes
from pyshardy.interpreter.element_types import Array, narrow, wide
from pyshardy.interpreter.exact.reducers import combining
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.grid import Grid
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.operation import Operation
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue


@evaluates(*IDENTITIES)
def identity(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return operands


@evaluates("sdy.sharding_group")
def nothing(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return []


@evaluates("sdy.named_computation")
def named_computation(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return frame.nested().run(op.body, operands)


@evaluates("sdy.manual_computation")
def manual_computation(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Every device of the mesh runs the body on its shards along the manual axes; the results' shards are joined."""
    manual = set(manual_axes(op))
    inputs = _shardings(op.properties.get("in_shardings"))
    outputs = _shardings(op.properties.get("out_shardings"))
    mesh = _mesh_of(frame, [*inputs, *outputs])
    if mesh is None or not manual:
        return frame.nested().run(op.body, operands)
    if frame.lanes not in (1, mesh.total_size) or (frame.lanes > 1 and not frame.whole):
        frame.fail(op, "cannot run here: not all devices of its mesh reach it")
    places = _Places(mesh, manual)
    shards = [places.shard(value, sharding) for value, sharding in zip(operands, inputs, strict=True)]
    machine = frame.machine.beside(Grid(1, mesh.total_size))
    inner = Frame(machine, mesh.total_size, np.arange(mesh.total_size), whole=True, parent=frame)
    results = inner.run(op.body, shards)
    return [places.joined(value, sharding, frame.lanes) for value, sharding in zip(results, outputs, strict=True)]


def _shardings(value: Attribute | None) -> Sequence[TensorSharding]:
    return value.shardings if isinstance(value, TensorShardingPerValue) else ()


def _mesh_of(frame: Frame, shardings: Sequence[TensorSharding]) -> Mesh | None:
    known = meshes(frame.machine.module)
    found = [one.mesh_or_ref if isinstance(one.mesh_or_ref, Mesh) else known.get(one.mesh_or_ref) for one in shardings]
    return next((mesh for mesh in found if mesh is not None and mesh.axes), None)


class _Places:
    """Where each device of a mesh stands along the manual axes."""

    def __init__(self, mesh: Mesh, manual: set[str]) -> None:
        self.mesh = mesh
        self.manual = manual
        shape = tuple(mesh.sizes.values())
        self.devices = np.array(mesh.device_ids or range(mesh.total_size)).reshape(shape)
        coordinates = np.empty((len(shape), mesh.total_size), np.int64)
        coordinates[:, self.devices.reshape(-1)] = np.indices(shape).reshape(len(shape), -1)
        self.coordinates = dict(zip(mesh.sizes, coordinates, strict=True))

    def shard(self, value: Array, sharding: TensorSharding) -> Array:
        """The shard of each device."""
        counts, index = self._indices(sharding)
        lanes = np.arange(self.mesh.total_size) % len(value)
        if prod(counts) > 1:
            apart = _apart(value, counts)
            value = apart[(lanes, *index)]
        unreduced = [axis for axis in sharding.unreduced if axis.name in self.manual]
        if unreduced:
            # One device of those that are summed up holds the value.
            holds = np.all([self._along(axis) == 0 for axis in unreduced], axis=0)
            spread = np.broadcast_to(value, (self.mesh.total_size, *value.shape[1:]))
            value = np.where(holds.reshape(-1, *(1,) * (value.ndim - 1)), spread, np.zeros_like(spread))
        return value

    def joined(self, value: Array, sharding: TensorSharding, lanes: int) -> Array:
        """The values that ``value`` are the shards of: one for all, or one a device if ``lanes`` are the devices."""
        unreduced = [axis for axis in sharding.unreduced if axis.name in self.manual]
        if unreduced:
            value = self._summed(value, unreduced)
        counts, _ = self._indices(sharding)
        if prod(counts) == 1 and (len(value) == 1 or lanes > 1):
            return value
        sources = self._sources(sharding, lanes)
        shape = [size * count for size, count in zip(value.shape[1:], counts, strict=True)]
        found = value[sources] if len(value) > 1 else np.broadcast_to(value, (*sources.shape, *value.shape[1:]))
        rank = len(shape)
        order = [0, *(place for dimension in range(rank) for place in (1 + dimension, 1 + rank + dimension))]
        return found.transpose(order).reshape(len(sources), *shape)

    def _sources(self, sharding: TensorSharding, lanes: int) -> Array:
        """For each lane and each shard the device whose result is that shard."""
        counts, _ = self._indices(sharding)
        base = {name: (along if lanes > 1 else along[:1] * 0) for name, along in self.coordinates.items()}
        for name in self.manual:
            if name in base:
                base[name] = base[name] * 0
        rank = len(counts)
        place = {name: along.reshape(-1, *(1,) * rank) for name, along in base.items()}
        for dimension, dim in enumerate(sharding.dims):
            axes = [axis for axis in dim.axes if axis.name in self.manual]
            rest = np.arange(counts[dimension]).reshape(1, *(-1 if other == dimension else 1 for other in range(rank)))
            for axis in reversed(axes):
                size = axis.size(self.mesh)
                place[axis.name] = place[axis.name] + (rest % size) * self._stride(axis)
                rest = rest // size
        found: Array = self.devices[tuple(np.broadcast_arrays(*(place[name] for name in self.mesh.sizes)))]
        return np.broadcast_to(found, (max(1, lanes), *counts))

    def _summed(self, value: Array, axes: Sequence[AxisRef]) -> Array:
        spread = wide(np.broadcast_to(value, (self.mesh.total_size, *value.shape[1:])))
        add = combining(np.add, spread.dtype)
        for axis in axes:
            size, stride = axis.size(self.mesh), self._stride(axis)
            own = self._along(axis)
            total = np.zeros_like(spread)
            for other in range(size):
                place = dict(self.coordinates)
                place[axis.name] = place[axis.name] + (other - own) * stride
                total = add(total, spread[self.devices[tuple(place[name] for name in self.mesh.sizes)]])
            spread = total
        return narrow(spread, value.dtype)

    def _indices(self, sharding: TensorSharding) -> tuple[list[int], list[Array]]:
        """For each dimension the number of shards and the shard of each device."""
        counts, indices = [], []
        for dim in sharding.dims:
            count, index = 1, np.zeros(self.mesh.total_size, np.int64)
            for axis in dim.axes:
                if axis.name in self.manual:
                    size = axis.size(self.mesh)
                    count, index = count * size, index * size + self._along(axis)
            counts.append(count)
            indices.append(index)
        return counts, indices

    def _stride(self, axis: AxisRef) -> int:
        return self.mesh.sizes[axis.name] // axis.end(self.mesh)

    def _along(self, axis: AxisRef) -> Array:
        return self.coordinates[axis.name] // self._stride(axis) % axis.size(self.mesh)


def _apart(value: Array, counts: Sequence[int]) -> Array:
    """lanes x shape to lanes x shards along each dimension x shape of a shard."""
    for size, count in zip(value.shape[1:], counts, strict=True):
        if size % count:
            raise ValueError(f"a dimension of size {size} does not split into {count} equal shards")
    pairs = [part for size, count in zip(value.shape[1:], counts, strict=True) for part in (count, size // count)]
    rank = len(counts)
    order = [0, *range(1, 2 * rank, 2), *range(2, 2 * rank + 1, 2)]
    return value.reshape(len(value), *pairs).transpose(order)
