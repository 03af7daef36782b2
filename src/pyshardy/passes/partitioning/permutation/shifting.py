"""Permutes along a sharded dimension inside a manual computation: what shard t holds goes to shard t + h.

Reversals of dimensions that do not divide, and halo exchanges, are made of these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.emitting.builder import i64, i64_array, tensor_type
from pyshardy.emitting.devices import dense_pairs, index_of_place, stride_of
from pyshardy.emitting.layout import Axes
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Block, Operation, Region, Value
from pyshardy.ir.types import TensorType, Type
from pyshardy.passes.partitioning.emitter import Emitter
from pyshardy.sharding.axes import shard_count
from pyshardy.sharding.lists import ManualAxes
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, without_manual_axes


def shift_pairs(mesh: Mesh, axes: Axes, hops: int) -> list[tuple[int, int]]:
    """From each device to the one whose shard index along ``axes`` is ``hops`` larger, all else being equal; nothing
    goes beyond the ends."""
    ids = mesh.device_ids or range(mesh.total_size)
    count = shard_count(axes, mesh)

    def steps(index: int) -> int:
        """How far the shard number ``index`` is from shard 0 in the mesh."""
        place = 0
        for axis in reversed(axes):
            index, digit = divmod(index, axis.size(mesh))
            place += digit * stride_of(axis, mesh)
        return place

    pairs = []
    for place in range(mesh.total_size):
        index = index_of_place(place, mesh, axes)
        if 0 <= index + hops < count:
            pairs.append((ids[place], ids[place - steps(index) + steps(index + hops)]))
    return pairs


class ManualBody:
    """A manual computation in the making: ``emit`` puts operations at the end of its body. ``sharding`` is what the
    manual axes leave of that of its first operand."""

    def __init__(
        self, emit: Emitter, operands: Sequence[Value], shardings: Sequence[TensorSharding], manual: Sequence[str]
    ) -> None:
        self.emit = emit
        self._operands = operands
        self._shardings = shardings
        self._manual = manual
        self._anchor = emit.anchor
        self.sharding = without_manual_axes(shardings[0], frozenset(manual))
        self._block = Block()
        self._region = Region([self._block])
        self._return = rewriting.create("sdy.return", location=self._anchor.location)
        rewriting.append(self._block, self._return)

    def argument(self, type: Type) -> Value:
        """Another block argument."""
        return self._block.add_argument(type, self._anchor.location)

    def make(
        self, name: str, operands: Sequence[Value], type: TensorType, properties: Mapping[str, Attribute]
    ) -> Value:
        """The result of a new StableHLO operation that lies as the first operand does."""
        attributes = DictionaryAttr({SHARDING: TensorShardingPerValue([self.sharding])})
        self.emit.at(self._return)
        self.emit.location = self._anchor.location
        return self.emit.create(f"stablehlo.{name}", operands, (type,), dict(properties), attributes).results[0]

    def scalars(self) -> Emitter:
        """Emits into the body without shardings."""
        self.emit.at(self._return)
        self.emit.location = self._anchor.location
        return self.emit

    def slice(self, value: Value, dim: int, start: int, limit: int) -> Value:
        """Elements ``start`` up to ``limit`` of one dimension."""
        type = tensor_type(value)
        starts, limits, shape = [0] * type.rank, list(type.shape), list(type.shape)
        starts[dim], limits[dim], shape[dim] = start, limit, limit - start
        properties = {
            "start_indices": i64_array(starts),
            "limit_indices": i64_array(limits),
            "strides": i64_array([1] * type.rank),
        }
        return self.make("slice", (value,), type.with_shape(shape), properties)

    def concatenate(self, values: Sequence[Value], dim: int) -> Value:
        """``values`` one behind the other."""
        type = tensor_type(values[0])
        shape = list(type.shape)
        shape[dim] = sum(tensor_type(value).shape[dim] for value in values)
        return self.make("concatenate", values, type.with_shape(shape), {"dimension": i64(dim)})

    def permute(self, value: Value, mesh: Mesh, axes: Axes, hops: int, empty: Callable[[], Value]) -> Value:
        """What the shard ``hops`` before holds, zeros where there is none; ``empty()`` if there is none anywhere."""
        if not hops:
            return value
        pairs = shift_pairs(mesh, axes, hops)
        if not pairs:
            return empty()
        properties: dict[str, Attribute] = {
            "channel_handle": self.emit.channel(),
            "source_target_pairs": dense_pairs(pairs),
        }
        return self.make("collective_permute", (value,), tensor_type(value), properties)

    def zeros(self, type: TensorType) -> Value:
        """Zeros in the place of a value of ``type``."""
        zero = self.scalars().scalar(0, type.element)
        return self.make("broadcast_in_dim", (zero,), type, {"broadcast_dimensions": i64_array(())})

    def finish(self, returned: Value, type: TensorType) -> Operation:
        """The manual computation, which returns ``returned``: a tensor of ``type`` that lies as the first operand
        does. It is put before the operation at hand."""
        rewriting.set_operands(self._return, (returned,))
        self.emit.at(self._anchor)
        properties: dict[str, Attribute] = {
            "in_shardings": TensorShardingPerValue(self._shardings),
            "manual_axes": ManualAxes(self._manual),
            "out_shardings": TensorShardingPerValue(self._shardings[:1]),
        }
        return self.emit.create("sdy.manual_computation", self._operands, (type,), properties, regions=(self._region,))
