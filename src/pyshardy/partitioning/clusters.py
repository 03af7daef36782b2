"""Clusters of operations that move the elements of one tensor: into which layout to reshard that tensor first.

A roll, a difference or a rotation consists of several slices, concatenations and reversals of one tensor, each of which
would communicate on its own. If the results are requested in another layout, one reshard of the tensor may be cheaper.
So the operations that follow on a tensor are emitted on trial, with the tensor as it is and in each layout that makes
their results come out as requested, and the variant that moves the fewest bytes is taken. The partitioner asks before
each operation that may begin a cluster.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.dialects.sdy.names import CONSTANTS
from pyshardy.emitting.dead_operations import remove_dead
from pyshardy.emitting.layout import Axes, Layout, rank_of
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir import rewriting
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.types import quantized_axis
from pyshardy.partitioning.layouts.reshard import reshard_bytes
from pyshardy.partitioning.localizing.run import PartitionRun
from pyshardy.rules.properties import integers

_REASSIGNING = frozenset(f"stablehlo.{name}" for name in ("concatenate", "pad", "reverse", "slice"))
"""Operations that move elements to other shards."""

FIRST_OPERATIONS = _REASSIGNING | {"func.call"}
"""Operations with which a cluster may begin."""
_RESHAPING = frozenset(f"stablehlo.{name}" for name in ("broadcast_in_dim", "reshape", "transpose"))
_CONSTANTS = CONSTANTS | {"stablehlo.iota"}
_BROADCASTS = frozenset({"stablehlo.broadcast_in_dim"})
MAX_DISTANCE = 48
"""How many operations after the first one are looked at for members of a cluster."""
_MAX_LAYOUTS = 3


class _Cluster(NamedTuple):
    """Operations on ``root`` and on results of each other, in order, with the constants around them; ``needed`` are
    these without the constants that none of them reads. ``exits`` are the results with users outside the cluster, each
    with the layouts requested for it, as far as known."""

    root: Value
    operations: tuple[Operation, ...]
    needed: tuple[Operation, ...]
    exits: tuple[tuple[Value, tuple[Layout, ...]], ...]


class Clusters:
    """Finds clusters for ``run``, and notes which resharded tensor each of their operations reads."""

    def __init__(self, run: PartitionRun) -> None:
        self._run = run
        self._considered: set[Sharded] = set()
        self._known: dict[Hashable, Layout | None] = {}
        self.cluster_starts: dict[Operation, Operation] = {}
        """For each operation in a cluster the first operation of that cluster."""
        self.resharded_operands: dict[Operation, tuple[Value, Sharded]] = {}
        """For an operation in a cluster whose tensor is resharded: the operand, and what takes its place."""
        self.is_trial = False

    def before(self, op: Operation) -> tuple[Value, Sharded] | None:
        """The operand of ``op``, which is emitted next, that is replaced by the resharded tensor of its cluster, and
        that tensor; None if there is none."""
        if not self.is_trial and op.name in FIRST_OPERATIONS and op not in self.cluster_starts:
            for value in op.operands:
                found = self._run.env[value]
                if self._is_candidate(found):
                    self._considered.add(found)
                    self._decide(value, op)
        return self.resharded_operands.get(op)

    def _is_candidate(self, tensor: Sharded) -> bool:
        """Whether ``tensor`` may be the tensor of a cluster and has not been considered yet."""
        if tensor.layout.mesh is None or tensor.recipe is not None or tensor in self._considered:
            return False
        return quantized_axis(tensor.type) is None

    def _decide(self, root: Value, first: Operation) -> None:
        """Finds the cluster on ``root`` that begins with ``first``, and reshards ``root`` for it if that is cheaper."""
        cluster = self._cluster_from(root, first)
        if cluster is None:
            return
        source = self._run.env[root]
        key = self._key(cluster, source)
        if key not in self._known:
            self._known[key] = self._best_layout(cluster, source)
        layout = self._known[key]
        # Constants that none of the others reads make a difference only if the tensor is resharded.
        for op in cluster.operations if layout is not None else cluster.needed:
            self.cluster_starts[op] = first
            if op.name == "func.call":
                self.cluster_starts.update(dict.fromkeys(self._run.functions[callee(op)].body, first))
        if layout is not None:
            resharded = self._run.resharder.reshard(source, layout)
            self._considered.add(resharded)
            # Localizers of later members may look up the operands of earlier ones, back to the tensor.
            self.resharded_operands.update(dict.fromkeys(cluster.operations, (root, resharded)))

    # --- what belongs together ----------------------------------------------------------------------------------------

    def _cluster_from(self, root: Value, first: Operation) -> _Cluster | None:
        """The cluster on ``root`` that begins with ``first``; None if it has no operation that may begin one."""
        reached: dict[Value, None] = {root: None}
        free: set[Value] = set()
        operations: list[Operation] = []
        for op in islice(_operations_from(first), MAX_DISTANCE):
            if (op.name in _BROADCASTS if op.operands else op.name in _CONSTANTS) and self._is_free(op, free):
                free.update(op.results)
                operations.append(op)
            elif not reached.keys().isdisjoint(op.operands) and self._may_join(op, reached, free):
                reached.update(dict.fromkeys(op.results))
                operations.append(op)
        members = set(operations)
        if not any(op.name in FIRST_OPERATIONS for op in operations):
            return None
        exits = [
            (value, self._run.requested.for_value(value))
            for value in reached
            if value is not root and any(user not in members for user in value.users)
        ]
        return _Cluster(root, tuple(operations), tuple(_needed(operations, reached)), tuple(exits))

    def _is_free(self, op: Operation, free: set[Value]) -> bool:
        """Whether ``op``, a constant or broadcast, is computed from values that need no reshard: those of the cluster
        that are, replicated ones, and those with a recipe."""
        return not op.operands or self._is_free_value(op.operands[0], free)

    def _may_join(self, op: Operation, reached: dict[Value, None], free: set[Value]) -> bool:
        if op.name == "func.call":
            function = self._run.functions.get(callee(op))
            if function is None or not self._run.is_called_once(function):
                return False
            end = function.body.terminator
            if not all(_is_elementwise_or_moves(one) or not one.operands or one is end for one in function.body):
                return False
        elif not _is_elementwise_or_moves(op):
            return False
        return all(value in reached or self._is_free_value(value, free) for value in op.operands)

    def _is_free_value(self, value: Value, free: set[Value]) -> bool:
        if value in free:
            return True
        found = self._run.env.get(value)
        return found is not None and (found.recipe is not None or found.layout.mesh is None)

    def _key(self, cluster: _Cluster, source: Sharded) -> Hashable:
        """Everything that the choice of a layout depends on."""
        run = self._run
        numbers: dict[Value, int] = {cluster.root: 0}
        layouts = frozenset(one.layout for one in source.versions if run.builder.sees(one.value))
        parts: list[Hashable] = [source.type, source.layout, layouts]
        for op in cluster.operations:
            operands = []
            for value in op.operands:
                known = run.env.get(value)
                outside = None if known is None else (known.type, known.layout, known.recipe is not None)
                operands.append(numbers.get(value, outside))
            numbers.update((result, len(numbers) + index) for index, result in enumerate(op.results))
            requested = tuple(map(run.requested.for_value, op.results))
            # The key does not look into functions: a call has the same key as itself alone.
            kind = op if op.name == "func.call" else (op.name, op.properties)
            parts.append((kind, tuple(operands), tuple(result.type for result in op.results), requested))
        parts.append(tuple((numbers[value], requested) for value, requested in cluster.exits))
        return tuple(parts)

    # --- what it costs ------------------------------------------------------------------------------------------------

    def _best_layout(self, cluster: _Cluster, source: Sharded) -> Layout | None:
        """The layout to which the tensor is resharded first; None if it should stay as it is."""
        layouts = dict.fromkeys(
            layout
            for value, requested in cluster.exits
            for request in requested
            for layout in _root_layouts(request, value, cluster.root)
        )
        layouts.pop(source.layout, None)
        if not layouts:
            return None
        best, least = None, self._bytes(cluster, source, None)
        for layout in islice(layouts, _MAX_LAYOUTS):
            if reshard_bytes(source, layout) < least:
                moved = self._bytes(cluster, source, layout)
                if moved < least:
                    best, least = layout, moved
        return best

    def _bytes(self, cluster: _Cluster, source: Sharded, layout: Layout | None) -> float:
        """The bytes that each device receives in ``cluster`` with its tensor in ``layout`` and results in the requested
        layouts, found by emitting it on trial."""
        run, block = self._run, Block()
        builder, collectives = run.builder, run.collectives
        mark, channel, location = len(collectives.emitted), builder.next_channel, builder.location
        self.is_trial = True
        try:
            with builder.in_block(block):
                if layout is not None:
                    run.env[cluster.root] = run.resharder.reshard(source, layout)
                for op in cluster.operations:
                    run.emit(op)
                results = []
                for value, requested in cluster.exits:
                    found = run.env[value]
                    results += [run.resharder.reshard(found, request) for request in requested] or [found]
                builder.create("func.return", [result.value for result in results], ())
        finally:
            self.is_trial = False
            run.env[cluster.root] = source
            builder.next_channel, builder.location = channel, location
        made = collectives.emitted[mark:]
        del collectives.emitted[mark:]
        remove_dead(block, {one.op for one in made})
        moved = sum(one.bytes for one in made if one.op.parent is not None)
        for op in reversed(block):
            rewriting.erase(op)
        return moved


def _needed(operations: Sequence[Operation], results: Iterable[Value]) -> list[Operation]:
    """Those of ``operations`` that make some of ``results``, or what these are computed from."""
    found: list[Operation] = []
    read = set(results)
    for op in reversed(operations):
        if not read.isdisjoint(op.results):
            found.append(op)
            read.update(op.operands)
    return found[::-1]


def _operations_from(op: Operation) -> Iterator[Operation]:
    """``op`` and the operations after it in its block."""
    following: Operation | None = op
    while following is not None:
        yield following
        following = following.next_op


def _is_elementwise_or_moves(op: Operation) -> bool:
    return not op.regions and (op.name in _REASSIGNING or op.name in _RESHAPING or bool(op.traits & ELEMENTWISE))


def _root_layouts(layout: Layout, value: Value, root: Value) -> Iterator[Layout]:
    """The layout of ``root`` with which ``value`` comes out in ``layout`` without communication, if there is one:
    transposes permute dimensions, broadcasts drop them."""
    dims: Sequence[Axes] = layout.dims
    while value is not root:
        producer = value.defining_op
        if producer is None or not producer.operands or producer.name == "stablehlo.reshape":
            return
        if producer.name == "stablehlo.transpose":
            moved: list[Axes] = [()] * len(dims)
            for dim, source in enumerate(integers(producer, "permutation")):
                moved[source] = dims[dim]
            dims = moved
        value = producer.operands[0]
        if producer.name == "stablehlo.broadcast_in_dim":
            dims = [dims[dim] for dim in integers(producer, "broadcast_dimensions")]
        elif rank_of(value.type) != len(dims):
            return
    yield Layout(layout.mesh, dims)
