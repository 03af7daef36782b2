"""When the tasks of a step begin and end, and for how long computation waits for each collective.

``list_schedule`` finds the times; a loop is one task, with times of its own for its first iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import NamedTuple

from pyshardy.analysis.cost.tasks import NO_TASK, Tasks
from pyshardy.ir.operation import Operation


class FirstIterations(NamedTuple):
    """The first iterations of a loop, ``placed`` one behind the other; ``ends`` says when each of these is done, and
    ``counts`` how many tasks they have, with those before."""

    placed: TaskTimes
    ends: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class LoopTimes:
    """All iterations of a loop: the ``seconds``, and how long each link is busy. ``place_first`` places the first."""

    iterations: int
    seconds: float
    busy: Mapping[int, float]
    place_first: Callable[[], FirstIterations]

    @cached_property
    def first(self) -> FirstIterations:
        """The first iterations."""
        return self.place_first()

    @cached_property
    def exposed(self) -> Mapping[Operation, float]:
        """For how long computation waits for each collective."""
        if not self.busy:
            return {}
        placed, ends, _ = self.first
        shown, exposed = len(ends), placed.exposed()
        rest = self.iterations - shown
        if rest:
            steady = placed.exposed(ends[-3], ends[-2]) if shown > 2 else exposed
            for op, waited in steady.items():
                exposed[op] = exposed.get(op, 0.0) + rest * waited
        waits = self.seconds - (placed.computing - placed.waits_inside) / shown * self.iterations
        found = sum(exposed.values())
        if found > waits:
            # Iterations that are not placed wait less than those that are.
            return {op: waited * max(waits, 0.0) / found for op, waited in exposed.items()}
        if exposed:
            # Iterations that are not placed wait longer, as a link falls behind: the collective with the longest
            # wait gets these waits.
            longest = max(exposed, key=exposed.__getitem__)
            exposed[longest] += waits - found
        return exposed


@dataclass
class TaskTimes:
    """When the ``tasks`` begin and end. ``computing`` are the seconds of computation, ``busy`` those of each link;
    ``gaps`` are the times at which computation waits, with the task that is waited for, and ``loops`` how long the
    loops among the tasks take."""

    tasks: Tasks
    starts: list[float]
    ends: list[float]
    seconds: float = 0.0
    computing: float = 0.0
    busy: dict[int, float] = field(default_factory=dict)
    gaps: list[tuple[float, float, int]] = field(default_factory=list)
    before: dict[int, int] = field(default_factory=dict)
    """What a collective waited for on its link."""
    loops: dict[int, LoopTimes] = field(default_factory=dict)

    @property
    def waits_inside(self) -> float:
        """The part of ``computing`` for which loops among the tasks wait for collectives of their own."""
        return sum(sum(loop.exposed.values()) for loop in self.loops.values())

    def exposed(self, begin: float = 0.0, end: float = inf) -> dict[Operation, float]:
        """For how long computation waits for each collective from ``begin`` to ``end``, those in loops included."""
        found: dict[Operation, float] = {}
        for low, high, task in self.gaps:
            if low < end and high > begin:
                self._follow(task, max(low, begin), min(high, end), found)
        for number, loop in self.loops.items():
            if begin <= self.starts[number] < end:
                for op, seconds in loop.exposed.items():
                    found[op] = found.get(op, 0.0) + seconds
        return found

    def _follow(self, task: int, begin: float, end: float, found: dict[Operation, float]) -> None:
        """Gives the time from ``begin`` to ``end``, at which ``task`` is waited for, to it and what it waited for."""
        last = task
        while begin < end and task != NO_TASK:
            if self.tasks.links[task]:
                since = max(begin, min(end, self.starts[task]))
                op = self.tasks.ops[task]
                found[op] = found.get(op, 0.0) + end - since
                last, end = task, since
            end = min(end, max(begin, self.ends[task]))
            task = self._waited_for(task)
        if begin < end and last != NO_TASK and self.tasks.links[last]:
            # For what did not begin sooner, as there was no memory for it.
            op = self.tasks.ops[last]
            found[op] = found.get(op, 0.0) + end - begin

    def _waited_for(self, task: int) -> int:
        found = self.before.get(task)
        if found is not None:
            return found
        return max(self.tasks.waits[task], key=self.ends.__getitem__, default=NO_TASK)
