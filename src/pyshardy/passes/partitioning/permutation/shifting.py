"""Permutes along a sharded dimension inside a manual computation: what shard t holds goes to shard t + h.

Reversals of dimensions that do not divide, and halo exchanges, are made of these.
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
    """From each device to the one whose shard index along ``axes`` is ``hops`` larger, all else being equal; nothing
    goes beyond the ends."""
    count = shard_count(axes, mesh)
    return pairs_along(mesh, axes, [(shard, shard + hops) for shard in range(count) if 0 <= shard + hops < count])


class ManualBody:
    """A manual computation in the making: until it is finished, ``emit`` puts operations at the end of its body;
    ``laid_out`` does the same with the sharding that the manual axes leave of that of the first operand."""

    def __init__(
        self, emit: Emitter, operands: Sequence[Value], shardings: Sequence[TensorSharding], manual: Sequence[str]
    ) -> None:
        self.emit = emit
        self._operands = operands
        self._shardings = shardings
        self._manual = manual
        self._anchor = emit.anchor
        self.laid_out = emit.laid_out(without_manual_axes(shardings[0], frozenset(manual)))
        self._block = Block()
        self._region = Region([self._block])
        self._return = rewriting.create("sdy.return", location=self._anchor.location)
        rewriting.append(self._block, self._return)
        emit.at(self._return)

    def argument(self, type: Type) -> Value:
        """Another block argument."""
        return self._block.add_argument(type, self._anchor.location)

    def permute(self, value: Value, mesh: Mesh, axes: Axes, hops: int, empty: Callable[[], Value]) -> Value:
        """What the shard ``hops`` before holds, zeros where there is none; ``empty()`` if there is none anywhere."""
        if not hops:
            return value
        pairs = shift_pairs(mesh, axes, hops)
        if not pairs:
            return empty()
        return collective_permute(self.laid_out, value, pairs).results[0]

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
