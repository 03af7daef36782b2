"""Finds the floating point operations that a program computes again, which model FLOPs utilisation does not count.

``jax.checkpoint`` has the backward pass compute values again that the forward pass has not kept. Where operations have
locations, JAX marks them in their scope (``rematted_computation``), or in that of calls and loops around them; if there
is no other operation like them, the first computation was removed as dead, and they are the first. Without such scopes
``value_numbers`` finds the same operation on the same operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pyshardy.analysis.cost.step import OperationTime, Step
from pyshardy.analysis.cost.value_numbers import computed_twice, computes_floats, regions_text
from pyshardy.ir.context import Context
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import Block, Operation
from pyshardy.ir.source_location import source_location
from pyshardy.partitioning.account.counted import CountedProgram, CountsDiffer

_SCOPE = "rematted_computation"
_BACKWARD = "transpose("
_OF_JAX = "jit("


class Recomputed(NamedTuple):
    """Floating point operations, and seconds that a chip at its peak takes for them."""

    flops: float = 0.0
    seconds_at_peak: float = 0.0

    def plus(self, timed: OperationTime, times: int) -> Recomputed:
        """With ``times`` runs of an operation more."""
        return Recomputed(self.flops + times * timed.work.flops, self.seconds_at_peak + times * timed.ideal_seconds)


def recomputed(program: CountedProgram, context: Context, step: Step) -> Recomputed:
    """What ``step``, a run of ``program``, computes again.

    Raises:
        CountsDiffer: operations that are counted as alike are not, in that.
    """
    counts: dict[tuple[object, ...], dict[bool, int]] = {}
    examples: dict[tuple[object, ...], OperationTime] = {}
    scopes = _Scopes(context)
    for op, times, is_again in _runs(program, scopes, step):
        kind = _kind(op)
        examples.setdefault(kind, step.timed[op])
        of_kind = counts.setdefault(kind, {False: 0, True: 0})
        of_kind[is_again] += times
    if not any(of_kind[True] for of_kind in counts.values()):
        return Recomputed() if scopes.are_of_jax else Recomputed(*computed_twice(program, step))
    found = Recomputed()
    for kind, of_kind in counts.items():
        if of_kind[False]:
            found = found.plus(examples[kind], of_kind[True])
    return found


class _Scopes:
    """What the scopes of locations say. ``are_of_jax`` tells whether one of them was written by JAX, which names what
    it computes again."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[object, tuple[bool, bool]] = {}
        self.are_of_jax = False

    def of(self, location: int | Location | None) -> tuple[bool, bool]:
        """Whether what stands at ``location`` is computed again, and whether it belongs to the backward pass."""
        found = self._known.get(location)
        if found is None:
            scope = source_location(location, self._context).scope
            self.are_of_jax = self.are_of_jax or _OF_JAX in scope
            found = self._known[location] = _SCOPE in scope, _BACKWARD in scope
        return found


def _runs(program: CountedProgram, scopes: _Scopes, step: Step) -> Iterator[tuple[Operation, int, bool]]:
    """The operations of the forward pass that compute, how often they run, and whether again: by their scope and those
    of the loops and calls around them."""
    entry = program.entry.body
    waiting: list[tuple[Block, int, bool]] = [(entry, 1, False)]
    while waiting:
        block, outer_times, is_again = waiting.pop()
        for op in program.operations if block is entry else block:
            inner = step.inner.get(op)
            if inner is None and not (op in step.timed and computes_floats(step.timed[op])):
                continue
            found = {scopes.of(location) for location in set(program.locations(op))}
            if len(found) > 1:
                raise CountsDiffer
            ((again, is_backward),) = found
            again = again or is_again
            times = program.times(op) if block is entry else outer_times
            if inner is not None:
                waiting += [(inside, times * inner.iterations, again) for inside in inner.blocks]
            elif again or not is_backward:
                yield op, times, again


def _kind(op: Operation) -> tuple[object, ...]:
    types = tuple([value.type for value in (*op.operands, *op.results)])
    return op.name, op.properties, types, regions_text(op)
