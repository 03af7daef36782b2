"""The schedule of a step: when a device runs each operation and collective of a plan, as ``overlap`` places them.

Computation is one track, collectives along each axis are others; collectives on different links run at the same time.
The end is the expected time of ``estimate``. Loops and calls are expanded; of long loops only the first iterations are,
and the others are one slot on each track. ``report.step_trace`` writes the schedule for viewers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pyshardy.analysis.cost.communication import axes_of
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.overlap import ITERATIONS
from pyshardy.analysis.cost.step import OperationTime, Step
from pyshardy.analysis.cost.task_times import LoopTimes, TaskTimes
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import Operation

COMPUTE = ""
"""The track of what computes; that of collectives is the axes that they go along, as in ``Cost.by_axes``."""
_MOST_SLOTS = 50_000


class Slot(NamedTuple):
    """A time on a track, in seconds since the step began. ``timed`` is what computes there and ``collective`` what
    communicates; without both it stands for so many ``iterations`` of the loop ``op``."""

    op: Operation
    track: str
    begin: float
    seconds: float
    timed: OperationTime | None = None
    collective: Collective | None = None
    iterations: int = 1


class Span(NamedTuple):
    """A loop or a call from begin to end; what it runs stands in slots of the same time. Of its ``iterations``
    the first ``shown`` have slots of their own."""

    op: Operation
    depth: int
    begin: float
    seconds: float
    iterations: int
    shown: int


@dataclass(frozen=True)
class Schedule:
    """A step on ``hardware``: ``slots`` and ``spans`` in the order of their begins, the ``tracks`` of collectives (axes
    of the mesh first), the ``seconds`` of it all."""

    hardware: Hardware
    slots: tuple[Slot, ...]
    spans: tuple[Span, ...]
    tracks: tuple[str, ...]
    seconds: float


def schedule_of(timed: TimedPlan, *, most_iterations: int = ITERATIONS, most_slots: int = _MOST_SLOTS) -> Schedule:
    """The step of ``timed``. Of a loop ``most_iterations`` iterations have slots of their own, and none where there are
    ``most_slots`` slots already."""
    plan, placed = timed.plan, timed.overlap.placed
    walk = _Walk(timed.step, plan.collectives, most_iterations, most_slots)
    walk.add(placed, 0.0, len(placed.tasks), 0)
    mesh = timed.communication.fabric.mesh
    axes = [axis.name for axis in mesh.axes if axis.size > 1]
    slots = sorted(walk.slots, key=lambda slot: slot.begin)
    used = [slot.track for slot in slots if slot.track != COMPUTE]
    tracks = tuple(dict.fromkeys([*(axes if plan.mesh is not None else ()), *used]))
    spans = tuple(sorted(walk.spans, key=lambda span: (span.begin, span.depth)))
    return Schedule(timed.hardware, tuple(slots), spans, tracks, timed.overlap.seconds)


class _Walk:
    def __init__(self, step: Step, collectives: Sequence[Collective], most_iterations: int, most_slots: int) -> None:
        self._step = step
        self._collectives = {one.op: one for one in collectives}
        self._most_iterations = most_iterations
        self._most_slots = most_slots
        self.slots: list[Slot] = []
        self.spans: list[Span] = []

    def add(self, placed: TaskTimes, since: float, count: int, depth: int) -> None:
        """Adds the first ``count`` tasks of ``placed``, which begins at ``since``."""
        tasks = placed.tasks
        for number in range(count):
            op, begin = tasks.ops[number], since + placed.starts[number]
            loop = placed.loops.get(number)
            if loop is not None:
                self._add_loop(op, loop, begin, placed.ends[number] - placed.starts[number], depth)
            elif tasks.links[number]:
                one = self._collectives[op]
                self.slots.append(Slot(op, _track(one), begin, tasks.seconds[number], collective=one))
            elif tasks.seconds[number]:
                self.slots.append(Slot(op, COMPUTE, begin, tasks.seconds[number], self._step.timed[op]))
        for op, first, end in tasks.calls:
            if first < end <= count:
                begin = min(placed.starts[first:end])
                self.spans.append(Span(op, depth, since + begin, max(placed.ends[first:end]) - begin, 1, 1))

    def _add_loop(self, op: Operation, loop: LoopTimes, begin: float, seconds: float, depth: int) -> None:
        shown = min(len(loop.first.ends), self._most_iterations) if len(self.slots) < self._most_slots else 0
        self.spans.append(Span(op, depth, begin, seconds, loop.iterations, shown))
        count = loop.first.counts[shown - 1] if shown else 0
        self.add(loop.first.placed, begin, count, depth + 1)
        rest = loop.iterations - shown
        if not rest:
            return
        behind = begin + (loop.first.ends[shown - 1] if shown else 0.0)
        for track, each in self._of_an_iteration(loop).items():
            if each:
                self.slots.append(Slot(op, track, behind, rest * each, iterations=rest))

    def _of_an_iteration(self, loop: LoopTimes) -> dict[str, float]:
        """The seconds of an iteration, by track."""
        found: dict[str, float] = {}
        tasks = loop.first.placed.tasks
        for number in range(loop.first.counts[0] if loop.first.counts else 0):
            inner = loop.first.placed.loops.get(number)
            if inner is not None:
                for track, seconds in self._of_an_iteration(inner).items():
                    found[track] = found.get(track, 0.0) + inner.iterations * seconds
                continue
            track = _track(self._collectives[tasks.ops[number]]) if tasks.links[number] else COMPUTE
            found[track] = found.get(track, 0.0) + tasks.seconds[number]
        return found


def _track(collective: Collective) -> str:
    return axes_of(collective).strip("{}").replace('"', "")
