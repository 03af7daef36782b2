"""What a device is at, and when, in a step: each operation and collective of a plan, one after the other.

The times are those of ``timed_plan``. A collective stands where the program has it, behind all that it
needs and before all that needs it, and nothing overlaps: the end is the step without overlap of ``estimate``. Loops and
calls are gone through; of long loops the first turns are, and the others are one slot a track. ``report.step_trace``
writes the schedule for viewers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pyshardy.analysis.cost.communication import Communication, axes_of
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.step import Step, Timed
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import Block, Operation

COMPUTE = ""
"""The track of what computes; that of collectives is the axes that they go along, as in ``Cost.by_axes``."""
_MOST_TURNS = 8
_MOST_SLOTS = 50_000


class Slot(NamedTuple):
    """A time on a track, in seconds since the step began. ``timed`` is what computes there and ``collective`` what
    communicates; without both it stands for ``turns`` turns of the loop, or the whole of the call, ``op``."""

    op: Operation
    track: str
    begin: float
    seconds: float
    timed: Timed | None = None
    collective: Collective | None = None
    turns: int = 1


class Span(NamedTuple):
    """A loop or a call from begin to end; what it runs stands in slots of the same time. Of its ``turns`` so many as
    ``shown`` have slots of their own."""

    op: Operation
    depth: int
    begin: float
    seconds: float
    turns: int
    shown: int


@dataclass(frozen=True)
class Schedule:
    """A step on ``hardware``: ``slots`` in the order of time, ``spans`` in that of their begins, the ``tracks`` of
    collectives (axes of the mesh first), the ``seconds`` of it all."""

    hardware: Hardware
    slots: tuple[Slot, ...]
    spans: tuple[Span, ...]
    tracks: tuple[str, ...]
    seconds: float


def schedule_of(timed: TimedPlan, *, most_turns: int = _MOST_TURNS, most_slots: int = _MOST_SLOTS) -> Schedule:
    """The step of ``timed``. Of a loop ``most_turns`` turns have slots of their own, and none where there are
    ``most_slots`` slots already."""
    plan, communication = timed.plan, timed.communication
    walk = _Walk(timed.step, plan.collectives, communication, most_turns, most_slots)
    walk.run(timed.entry.body)
    mesh = communication.fabric.mesh
    axes = [axis.name for axis in mesh.axes if axis.size > 1]
    used = [slot.track for slot in walk.slots if slot.track != COMPUTE]
    tracks = tuple(dict.fromkeys([*(axes if plan.mesh is not None else ()), *used]))
    return Schedule(timed.hardware, tuple(walk.slots), tuple(walk.spans), tracks, walk.now)


class _Walk:
    def __init__(
        self,
        step: Step,
        collectives: Sequence[Collective],
        communication: Communication,
        most_turns: int,
        most_slots: int,
    ) -> None:
        self._step = step
        self._collectives = {one.op: one for one in collectives}
        self._communication = communication
        self._most_turns = most_turns
        self._most_slots = most_slots
        self._known: dict[Block, dict[str, float]] = {}
        self._around: list[Operation] = []
        self.slots: list[Slot] = []
        self.spans: list[Span] = []
        self.now = 0.0

    def run(self, block: Block) -> None:
        """Fills slots with what ``block`` does, from now on."""
        for op in block:
            collective = self._collectives.get(op)
            if collective is not None:
                seconds = self._communication.seconds(op).after
                self._add(Slot(op, _track(collective), self.now, seconds, collective=collective))
            timed = self._step.timed.get(op)
            if timed is not None and timed.seconds:
                self._add(Slot(op, COMPUTE, self.now, timed.seconds, timed))
            if op in self._step.inner and op not in self._around:
                self._run_inner(op)

    def _run_inner(self, op: Operation) -> None:
        blocks, turns = self._step.inner[op]
        totals = self._totals(blocks)
        shown = min(turns, self._most_turns) if len(self.slots) < self._most_slots else 0
        self.spans.append(
            Span(op, len(self._around), self.now, turns * sum(totals.values()), turns, shown),
        )
        self._around.append(op)
        for turn in range(shown):
            if len(self.slots) >= self._most_slots:
                shown = turn
                break
            for block in blocks:
                self.run(block)
        self._around.pop()
        rest = turns - shown
        for track, seconds in totals.items():
            if rest and seconds:
                self._add(Slot(op, track, self.now, rest * seconds, turns=rest))

    def _totals(self, blocks: Sequence[Block]) -> dict[str, float]:
        """The seconds of one run of ``blocks``, by track."""
        found: dict[str, float] = {}
        for block in blocks:
            for track, seconds in self._total(block).items():
                found[track] = found.get(track, 0.0) + seconds
        return found

    def _total(self, block: Block) -> dict[str, float]:
        if block not in self._known:
            found: dict[str, float] = {}
            self._known[block] = found
            for op in block:
                collective = self._collectives.get(op)
                if collective is not None:
                    track = _track(collective)
                    found[track] = found.get(track, 0.0) + self._communication.seconds(op).after
                timed = self._step.timed.get(op)
                if timed is not None:
                    found[COMPUTE] = found.get(COMPUTE, 0.0) + timed.seconds
                if op in self._step.inner:
                    blocks, turns = self._step.inner[op]
                    for track, seconds in self._totals(blocks).items():
                        found[track] = found.get(track, 0.0) + turns * seconds
        return self._known[block]

    def _add(self, slot: Slot) -> None:
        self.slots.append(slot)
        self.now += slot.seconds


def _track(collective: Collective) -> str:
    return axes_of(collective).strip("{}").replace('"', "")
