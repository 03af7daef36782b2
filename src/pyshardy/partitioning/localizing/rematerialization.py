"""Rematerialization: computes a tensor again in another layout from smaller operands, instead of resharding it.

The result of a broadcast contains no more than its operand, and a mask no more than the vectors that are compared. If
another layout is needed, it is cheaper to reshard the operands and compute the shard from them. The same holds for
elementwise results that every device computes from replicated tensors, if only shards of them are needed. Unlike a
recipe (``recipes``) a rematerialization may communicate: it costs the reshards of the operands. The partitioner looks
for one after each broadcast and elementwise operation; ``reshard`` decides whether to use it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import prod

from pyshardy.emitting.layout import Axes, Layout, local_shape
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import BlockArgument, Operation
from pyshardy.ir.types import TensorType, quantized_axis
from pyshardy.partitioning.layouts.reshard import reshard_bytes
from pyshardy.partitioning.localizing.recipes import LONGEST_CHAIN
from pyshardy.partitioning.localizing.run import PartitionRun
from pyshardy.partitioning.localizing.site import Site, replicated_layout
from pyshardy.rules.properties import integers

_MOST_OPERANDS = 16
_SMALLER = 2
"""The operands of an elementwise operation must have together at most 1/2 of the elements of the result; the operand
of a broadcast at most as many as the result."""

_BROADCAST = "stablehlo.broadcast_in_dim"


class Rematerialization:
    """Computes the only result of the operation at ``site`` again. At most ``chain`` of these call one another for
    that; ``leaves`` are the tensors that they start from, with their numbers of elements."""

    __slots__ = ("_known", "_site", "chain", "key", "leaves")

    def __init__(self, site: Site, chain: int, leaves: dict[Sharded, int]) -> None:
        self._site = site
        self._known: dict[Layout, float] = {}
        self.chain = chain
        self.leaves = leaves
        self.key: Hashable = (chain, tuple([(one.type, one.layout) for one in leaves]))

    def bytes(self, layout: Layout) -> float:
        """The bytes that each device receives to compute the tensor in ``layout``."""
        found = self._known.get(layout)
        if found is None:
            pairs = zip(self._site.operands, self._layouts(layout), strict=True)
            found = self._known[layout] = sum(reshard_bytes(one, there) for one, there in pairs)
        return found

    def __call__(self, layout: Layout) -> Sharded:
        """The tensor in ``layout``."""
        site = self._site
        operands = list(map(site.reshard, site.operands, self._layouts(layout)))
        if site.op.name == _BROADCAST:
            type = site.op.results[0].type
            assert isinstance(type, TensorType)
            targets = integers(site.op, "broadcast_dimensions")
            value = site.builder.broadcast(operands[0].value, local_shape(type.shape, layout), targets)
            made = site.result(0, value, layout)
        else:
            (made,) = site.emit(operands, [layout])
        return made

    def _layouts(self, layout: Layout) -> list[Layout]:
        """The layouts of the operands for a result in ``layout``."""
        op = self._site.op
        if op.name == _BROADCAST:
            return [layout_before(op, self._site.operands[0], layout)]
        return [layout if one.shape else replicated_layout(one.type) for one in self._site.operands]


def layout_before(op: Operation, operand: Sharded, layout: Layout) -> Layout:
    """The layout of the operand of a broadcast with which its result comes out in ``layout`` without communication."""
    type = op.results[0].type
    assert isinstance(type, TensorType)
    operand_dims: list[Axes] = [
        () if size == 1 and type.shape[target] != 1 else layout.dims[target]
        for size, target in zip(operand.shape, integers(op, "broadcast_dimensions"), strict=True)
    ]
    return Layout(layout.mesh, operand_dims)


def rematerialization_of(
    run: PartitionRun, op: Operation, operands: Sequence[Sharded], found: Sharded
) -> Rematerialization | None:
    """How ``found``, the result of ``op``, is computed again from smaller tensors; None if it is not."""
    broadcasts = op.name == _BROADCAST
    if not broadcasts:
        definition = op.definition
        if definition is None or not definition.traits & ELEMENTWISE:
            return None
        if found.layout.mesh is not None:
            for one in operands:
                if one.rematerialize is not None:
                    break
            else:
                return None
    if found.recipe is not None or found.layout.unreduced or len(op.results) != 1 or op.regions:
        return None
    if not found.shape:
        # A scalar has only one layout.
        return None
    allowed = _fixed_size(found) / (1 if broadcasts else _SMALLER)
    chain, leaves = 1, dict[Sharded, int]()
    for one in operands:
        if one.layout.unreduced or (not broadcasts and one.shape not in ((), found.shape)):
            return None
        if quantized_axis(one.type) is not None:
            return None
        if isinstance(one.rematerialize, Rematerialization):
            chain = max(chain, one.rematerialize.chain + 1)
            leaves.update(one.rematerialize.leaves)
        elif one.recipe is None and one.shape:
            leaves[one] = _fixed_size(one)
    if not allowed or chain > LONGEST_CHAIN or len(leaves) > _MOST_OPERANDS:
        return None
    if sum(leaves.values()) > allowed and not _needs_no_more_memory(op, found, leaves):
        return None
    return Rematerialization(Site(run, op, list(operands), (None,)), chain, leaves)


def _needs_no_more_memory(op: Operation, found: Sharded, leaves: Mapping[Sharded, int]) -> bool:
    """Whether ``leaves``, which are as large as ``found``, may be kept in memory instead of it: every device holds
    them, and either ``found`` has only one user, or they are arguments, which stay in memory anyway."""
    if found.layout.mesh is not None or not all(one.layout.mesh is None for one in leaves):
        return False
    return len(set(op.results[0].users)) == 1 or all(isinstance(one.value, BlockArgument) for one in leaves)


def _fixed_size(sharded: Sharded) -> int:
    """The number of elements; 0 if it is not known."""
    shape = sharded.shape
    return prod(shape) if all(size > 0 for size in shape) else 0
