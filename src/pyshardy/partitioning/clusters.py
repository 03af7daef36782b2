"""Clusters of operations that move the elements of one tensor: where that tensor should be before they begin.

A roll, a difference, a rotation are several slices, joins and reversals of one tensor, each of which would send what it
needs by itself; where the results are wanted in another layout, it may be cheaper to bring the tensor there first. So
the operations that follow on a tensor are emitted on trial, as it lies and in each layout that their results are wanted
in, and what moves the fewest bytes is done. The partitioner asks before each operation that cuts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.emitting.dead_operations import remove_dead
from pyshardy.emitting.layout import Axes, Layout, Sharded, rank_of
from pyshardy.ir import rewriting
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.partitioning.layouts.reshard import reshard_bytes
from pyshardy.partitioning.localizing.run import Run
from pyshardy.rules.properties import integers

_CUTS = frozenset(f"stablehlo.{name}" for name in ("concatenate", "pad", "reverse", "slice"))
"""Operations after which elements may belong to another shard."""

BEGINNINGS = _CUTS | {"func.call"}
"""Operations with which a cluster may begin."""
_TURNS = frozenset(f"stablehlo.{name}" for name in ("broadcast_in_dim", "reshape", "transpose"))
_CONSTANTS = frozenset({"sdy.constant", "stablehlo.constant", "stablehlo.iota"})
_SPREAD = frozenset({"stablehlo.broadcast_in_dim"})
FARTHEST = 48
"""How far behind the first operation of a cluster others are looked for."""
_MOST_LAYOUTS = 3


class _Cluster(NamedTuple):
    """Operations on ``root`` and on results of each other, in order, with the constants that they need; the ``exits``
    are the results that others use, each with the layouts in which it is wanted, as far as that is known."""

    root: Value
    operations: tuple[Operation, ...]
    exits: tuple[tuple[Value, tuple[Layout, ...]], ...]


class Clusters:
    """Finds clusters for ``run``, and remembers for each of their operations where it gets its tensor from."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._considered: set[Sharded] = set()
        self._known: dict[Hashable, Layout | None] = {}
        self.beginnings: dict[Operation, Operation] = {}
        """With which operation the cluster began that an operation belongs to."""
        self.brought: dict[Operation, tuple[Value, Sharded]] = {}
        """What takes the place of which operand of an operation."""
        self.is_trial = False

    def before(self, op: Operation) -> tuple[Value, Sharded] | None:
        """What takes the place of one of the operands of ``op``, which is emitted next: the tensor of its cluster."""
        if not self.is_trial and op.name in BEGINNINGS and op not in self.beginnings:
            for value in op.operands:
                found = self._run.env[value]
                if self._is_open(found):
                    self._considered.add(found)
                    self._decide(value, op)
        return self.brought.get(op)

    def _is_open(self, form: Sharded) -> bool:
        """Whether ``form`` may be the tensor of a cluster that has not been looked at."""
        return form.layout.mesh is not None and form.recipe is None and form not in self._considered

    def _decide(self, root: Value, first: Operation) -> None:
        cluster = self._following(root, first)
        if cluster is None:
            return
        for op in cluster.operations:
            self.beginnings[op] = first
            if op.name == "func.call":
                self.beginnings.update(dict.fromkeys(self._run.functions[callee(op)].body, first))
        given = self._run.env[root]
        key = self._key(cluster, given)
        if key not in self._known:
            self._known[key] = self._best(cluster, given)
        layout = self._known[key]
        if layout is not None:
            brought = self._run.resharder.reshard(given, layout)
            self._considered.add(brought)
            # What comes later may look back as far as to the tensor.
            self.brought.update(dict.fromkeys(cluster.operations, (root, brought)))

    # --- what belongs together ----------------------------------------------------------------------------------------

    def _following(self, root: Value, first: Operation) -> _Cluster | None:
        """The cluster of ``root`` that begins with ``first``; None if it is no cluster, or leads nowhere else."""
        reached: dict[Value, None] = {root: None}
        free: set[Value] = set()
        operations: list[Operation] = []
        for op in islice(_from(first), FARTHEST):
            if (op.name in _SPREAD if op.operands else op.name in _CONSTANTS) and self._is_free(op, free):
                free.update(op.results)
                operations.append(op)
            elif not reached.keys().isdisjoint(op.operands) and self._may_follow(op, reached, free):
                reached.update(dict.fromkeys(op.results))
                operations.append(op)
        members = set(operations)
        if not any(op.name in BEGINNINGS for op in operations):
            return None
        exits = [
            (value, self._run.requested.for_value(value))
            for value in reached
            if value is not root and any(user not in members for user in value.users)
        ]
        return _Cluster(root, tuple(operations), tuple(exits))

    def _is_free(self, op: Operation, free: set[Value]) -> bool:
        """Whether ``op``, a constant or one that spreads something, makes it of constants alone."""
        return not op.operands or self._costs_nothing(op.operands[0], free)

    def _may_follow(self, op: Operation, reached: dict[Value, None], free: set[Value]) -> bool:
        if op.name == "func.call":
            function = self._run.functions.get(callee(op))
            if function is None or not self._run.is_called_once(function):
                return False
            end = function.body.terminator
            if not all(_works_on_elements(one) or not one.operands or one is end for one in function.body):
                return False
        elif not _works_on_elements(op):
            return False
        return all(value in reached or self._costs_nothing(value, free) for value in op.operands)

    def _costs_nothing(self, value: Value, free: set[Value]) -> bool:
        if value in free:
            return True
        found = self._run.env.get(value)
        return found is not None and (found.recipe is not None or found.layout.mesh is None)

    def _key(self, cluster: _Cluster, given: Sharded) -> Hashable:
        """Everything that a decision depends on."""
        run = self._run
        numbers: dict[Value, int] = {cluster.root: 0}
        forms = frozenset(one.layout for one in given.versions if run.builder.sees(one.value))
        parts: list[Hashable] = [given.type, given.layout, forms]
        for op in cluster.operations:
            operands = []
            for value in op.operands:
                known = run.env.get(value)
                outside = None if known is None else (known.type, known.layout, known.recipe is not None)
                operands.append(numbers.get(value, outside))
            numbers.update((result, len(numbers) + index) for index, result in enumerate(op.results))
            requested = tuple(map(run.requested.for_value, op.results))
            # What a function does is not looked at here.
            kind = op if op.name == "func.call" else (op.name, op.properties)
            parts.append((kind, tuple(operands), tuple(result.type for result in op.results), requested))
        parts.append(tuple((numbers[value], requested) for value, requested in cluster.exits))
        return tuple(parts)

    # --- what it costs ------------------------------------------------------------------------------------------------

    def _best(self, cluster: _Cluster, given: Sharded) -> Layout | None:
        """Where the tensor should be; None if it should stay where it is."""
        layouts = dict.fromkeys(
            layout
            for value, requested in cluster.exits
            for request in requested
            for layout in _before(request, value, cluster.root)
        )
        layouts.pop(given.layout, None)
        if not layouts:
            return None
        best, least = None, self._bytes(cluster, given, None)
        for layout in islice(layouts, _MOST_LAYOUTS):
            if reshard_bytes(given, layout) < least:
                moved = self._bytes(cluster, given, layout)
                if moved < least:
                    best, least = layout, moved
        return best

    def _bytes(self, cluster: _Cluster, given: Sharded, layout: Layout | None) -> float:
        """What each device receives in ``cluster`` with its tensor in ``layout``, and the results where they are
        wanted."""
        run, block = self._run, Block()
        builder, collectives = run.builder, run.collectives
        mark, channel, location = len(collectives.emitted), builder.next_channel, builder.location
        self.is_trial = True
        try:
            with builder.in_block(block):
                if layout is not None:
                    run.env[cluster.root] = run.resharder.reshard(given, layout)
                for op in cluster.operations:
                    run.emit(op)
                results = []
                for value, requested in cluster.exits:
                    found = run.env[value]
                    results += [run.resharder.reshard(found, request) for request in requested] or [found]
                builder.create("func.return", [result.value for result in results], ())
        finally:
            self.is_trial = False
            run.env[cluster.root] = given
            builder.next_channel, builder.location = channel, location
        made = collectives.emitted[mark:]
        del collectives.emitted[mark:]
        remove_dead(block, {one.op for one in made})
        moved = sum(one.bytes for one in made if one.op.parent is not None)
        for op in reversed(block):
            rewriting.erase(op)
        return moved


def _from(op: Operation) -> Iterator[Operation]:
    """``op`` and what comes behind it in its block."""
    following: Operation | None = op
    while following is not None:
        yield following
        following = following.next_op


def _works_on_elements(op: Operation) -> bool:
    return not op.regions and (op.name in _CUTS or op.name in _TURNS or bool(op.traits & ELEMENTWISE))


def _before(layout: Layout, value: Value, root: Value) -> Iterator[Layout]:
    """The layout of ``root`` from which that of ``value`` comes by itself: dimensions change places in a transpose."""
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
