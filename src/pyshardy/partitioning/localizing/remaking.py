"""Tensors that are made of less than they are: in another layout they are made anew, of what is brought there.

A broadcast has no more in it than its operand, and a mask no more than the vectors that are compared: instead of being
made as a whole and sliced, or sent, it is made again where it is needed, on the shard. So is what every device works
out of whole tensors, element by element, if only shards are asked for. What is made of nothing at all has a recipe
(``free_results``), which costs nothing; here it costs what the operands cost. Elementwise operations and broadcasts are
remade. The partitioner asks ``remade`` behind each operation, ``reshard`` decides.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import prod

from pyshardy.emitting.layout import Axes, Layout, Sharded, local_shape
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import BlockArgument, Operation
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.layouts.reshard import reshard_bytes
from pyshardy.partitioning.localizing.run import Run
from pyshardy.partitioning.localizing.site import Site, replicated_layout
from pyshardy.rules.properties import integers

_LONGEST_CHAIN = 16
_MOST_OPERANDS = 16
_SMALLER = 2
"""What a tensor is made of has so many times fewer elements, at least; a broadcast only no more."""

_SPREADING = "stablehlo.broadcast_in_dim"


class Remake:
    """Makes the only result of the operation at ``site`` anew. ``chain`` of them at most call one another for that;
    ``leaves`` is what they are made of in the end, with the number of elements."""

    __slots__ = ("_known", "_site", "chain", "key", "leaves")

    def __init__(self, site: Site, chain: int, leaves: dict[Sharded, int]) -> None:
        self._site = site
        self._known: dict[Layout, float] = {}
        self.chain = chain
        self.leaves = leaves
        self.key: Hashable = (chain, tuple([(one.type, one.layout) for one in leaves]))

    def bytes(self, layout: Layout) -> float:
        """What each device receives to make the tensor in ``layout``."""
        found = self._known.get(layout)
        if found is None:
            pairs = zip(self._site.operands, self._layouts(layout), strict=True)
            found = self._known[layout] = sum(reshard_bytes(one, there) for one, there in pairs)
        return found

    def __call__(self, layout: Layout) -> Sharded:
        """The tensor in ``layout``."""
        site = self._site
        operands = list(map(site.reshard, site.operands, self._layouts(layout)))
        if site.op.name == _SPREADING:
            type = site.op.results[0].type
            assert isinstance(type, TensorType)
            targets = integers(site.op, "broadcast_dimensions")
            value = site.builder.broadcast(operands[0].value, local_shape(type.shape, layout), targets)
            made = site.result(0, value, layout)
        else:
            (made,) = site.emit(operands, [layout])
        return made

    def _layouts(self, layout: Layout) -> list[Layout]:
        """Where the operands are needed for a result in ``layout``."""
        op = self._site.op
        if op.name == _SPREADING:
            return [layout_before(op, self._site.operands[0], layout)]
        return [layout if one.shape else replicated_layout(one.type) for one in self._site.operands]


def layout_before(op: Operation, operand: Sharded, layout: Layout) -> Layout:
    """The layout of the operand of a broadcast from which its result comes in ``layout`` by itself."""
    type = op.results[0].type
    assert isinstance(type, TensorType)
    spread: list[Axes] = [
        () if size == 1 and type.shape[target] != 1 else layout.dims[target]
        for size, target in zip(operand.shape, integers(op, "broadcast_dimensions"), strict=True)
    ]
    return Layout(layout.mesh, spread)


def remade(run: Run, op: Operation, operands: Sequence[Sharded], found: Sharded) -> Remake | None:
    """How ``found``, the result of ``op``, is made anew of less; None if it is not made of less."""
    spreads = op.name == _SPREADING
    if not spreads and not (op.traits & ELEMENTWISE and (found.layout.mesh is None or _any_remade(operands))):
        return None
    if found.recipe is not None or found.layout.unreduced or len(op.results) != 1 or op.regions:
        return None
    if not found.shape:
        # There is one layout for a scalar.
        return None
    size = _fixed_size(found) * (_SMALLER if spreads else 1)
    chain, leaves = 1, dict[Sharded, int]()
    for one in operands:
        if one.layout.unreduced or (not spreads and one.shape not in ((), found.shape)):
            return None
        if isinstance(one.remake, Remake):
            chain = max(chain, one.remake.chain + 1)
            leaves.update(one.remake.leaves)
        elif one.recipe is None and one.shape:
            leaves[one] = _fixed_size(one)
    if not size or chain > _LONGEST_CHAIN or len(leaves) > _MOST_OPERANDS:
        return None
    if _SMALLER * sum(leaves.values()) > size and not _may_be_kept(op, found, leaves):
        return None
    return Remake(Site(run, op, list(operands), (None,)), chain, leaves)


def _any_remade(operands: Sequence[Sharded]) -> bool:
    return any(one.remake is not None for one in operands)


def _may_be_kept(op: Operation, found: Sharded, leaves: Mapping[Sharded, int]) -> bool:
    """Whether ``leaves`` may be kept for later instead of ``found``, although they are as large: every device has it
    whole, and either nobody else asks for it, or they are arguments, which are kept anyway."""
    if found.layout.mesh is not None or not all(one.layout.mesh is None for one in leaves):
        return False
    return len(set(op.results[0].users)) == 1 or all(isinstance(one.value, BlockArgument) for one in leaves)


def _fixed_size(sharded: Sharded) -> int:
    """The number of elements; 0 if that is not known."""
    shape = sharded.shape
    return prod(shape) if all(size > 0 for size in shape) else 0
