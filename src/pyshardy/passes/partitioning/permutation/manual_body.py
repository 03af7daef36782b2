"""Builds manual computations that permute shards along a dimension: the shard of device t goes to device t + h.

Halo exchanges, and reversals of dimensions that do not divide, consist of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.emitting.collective_operations import collective_permute
from pyshardy.emitting.devices import pairs_along
from pyshardy.emitting.layout import Axes
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.operation import Block, Operation, Region, Value
from pyshardy.ir.types import TensorType, Type
from pyshardy.passes.partitioning.emitter import Emitter
from pyshardy.sharding.axes import shard_count
from pyshardy.sharding.lists import ManualAxes
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue, without_manual_axes


def shift_pairs(mesh: Mesh, axes: Axes, hops: int) -> list[tuple[int, int]]:
    """The pairs of devices of which the second has a shard index along ``axes`` larger by ``hops``, and is equal
    otherwise. Nothing is sent beyond the ends."""
    count = shard_count(axes, mesh)
    return pairs_along(mesh, axes, [(shard, shard + hops) for shard in range(count) if 0 <= shard + hops < count])


class ManualBody:
    """A manual computation that is being built: until it is finished, ``emit`` inserts at the end of its body.
    ``with_sharding`` does the same, and gives results the sharding of the first operand without the manual axes."""

    def __init__(
        self, emit: Emitter, operands: Sequence[Value], shardings: Sequence[TensorSharding], manual: Sequence[str]
    ) -> None:
        self.builder = emit
        self._operands = operands
        self._shardings = shardings
        self._manual = manual
        self._anchor = emit.anchor
        self.with_sharding = emit.with_sharding(without_manual_axes(shardings[0], frozenset(manual)))
        self._block = Block()
        self._region = Region([self._block])
        self._return = rewriting.create("sdy.return", location=self._anchor.location)
        rewriting.append(self._block, self._return)
        emit.at(self._return)

    def argument(self, type: Type) -> Value:
        """Another block argument."""
        return self._block.add_argument(type, self._anchor.location)

    def permute(self, value: Value, mesh: Mesh, axes: Axes, hops: int, empty: Callable[[], Value]) -> Value:
        """The shard that the device ``hops`` before holds, zeros if there is none; ``empty()`` if no device has one."""
        if not hops:
            return value
        pairs = shift_pairs(mesh, axes, hops)
        if not pairs:
            return empty()
        return collective_permute(self.with_sharding, value, pairs).results[0]

    def finish(self, returned: Value, type: TensorType) -> Operation:
        """The finished manual computation, which returns ``returned``: a tensor of ``type`` with the sharding of the
        first operand. It is inserted before the current operation."""
        rewriting.set_operands(self._return, (returned,))
        self.builder.at(self._anchor)
        properties: dict[str, Attribute] = {
            "in_shardings": TensorShardingPerValue(self._shardings),
            "manual_axes": ManualAxes(self._manual),
            "out_shardings": TensorShardingPerValue(self._shardings[:1]),
        }
        return self.builder.create(
            "sdy.manual_computation", self._operands, (type,), properties, regions=(self._region,)
        )
