"""The time of a step with computation and collectives overlapped; loops in their steady state.

``task_builder`` makes the tasks, ``list_schedule`` schedules them. A loop becomes one task: its first iterations are
scheduled one after the other, as far as their data lets them overlap, and each of the others takes as long as the last
of these but one, and no less than its computation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import inf

from pyshardy.analysis.cost.communication import Communication
from pyshardy.analysis.cost.list_schedule import TakesLonger, place
from pyshardy.analysis.cost.schedule_bound import least_seconds
from pyshardy.analysis.cost.step import Step
from pyshardy.analysis.cost.task_builder import TaskBuilder
from pyshardy.analysis.cost.task_times import FirstIterations, LoopTimes, TaskTimes
from pyshardy.analysis.cost.tasks import NO_TASK, Tasks
from pyshardy.ir.operation import Block, Operation
from pyshardy.partitioning.account.counted import CountedProgram

ITERATIONS = 4
"""So many iterations of a loop are placed one by one: the first, two in the steady state, and the last."""


class Overlap:
    """The ``step`` of ``local``, a run of the program of one device, overlapped, or all of it ``in_order``. Collectives
    begin before their turn as long as their results fit into the free memory. ``memory(wanted)`` returns the free
    bytes, where ``wanted`` are the bytes of the results of all collectives."""

    def __init__(
        self,
        local: CountedProgram,
        step: Step,
        communication: Communication,
        memory: Callable[[int], float],
        *,
        in_order: bool = False,
    ) -> None:
        self._step = step
        self._memory = memory
        self._loops: dict[Operation, LoopTimes] = {}
        self._builder = TaskBuilder(step, communication, self._loop, in_order=in_order)
        self._tasks = Tasks()
        if local.all_segments is None:
            self._builder.add_once(self._tasks, local.entry.body)
        else:
            self._builder.add_segments(self._tasks, local.segments(), [NO_TASK] * len(local.entry.body.arguments))

    @cached_property
    def placed(self) -> TaskTimes:
        """When everything begins and ends."""
        return self._place(self._tasks)

    def takes_longer(self, most: float) -> bool:
        """Whether it is certain that the step takes longer than ``most`` seconds, as is often known sooner than how
        long."""
        if least_seconds(self._tasks) > most:
            return True
        try:
            self.__dict__["placed"] = self._place(self._tasks, most)
        except TakesLonger:
            return True
        return False

    @property
    def seconds(self) -> float:
        """How long the step takes."""
        return self.placed.seconds

    @property
    def busiest_link(self) -> float:
        """How long the link is busy that has most to do."""
        return max(self.placed.busy.values(), default=0.0)

    @cached_property
    def exposed(self) -> Mapping[Operation, float]:
        """For how long computation waits for each collective."""
        return self.placed.exposed()

    def _place(self, tasks: Tasks, most: float = inf) -> TaskTimes:
        brought = sum(tasks.bytes)
        return place(tasks, self._memory(brought) if brought else inf, most)

    def _loop(self, op: Operation) -> LoopTimes:
        found = self._loops.get(op)
        if found is None:
            found = self._loops[op] = self._while(op) if op.name == "stablehlo.while" else self._repeated(op)
        return found

    def _while(self, op: Operation) -> LoopTimes:
        """A while loop: consecutive iterations overlap as far as the values that they carry allow."""
        (condition, body), iterations = self._step.inner[op]
        shown = min(iterations, ITERATIONS)

        def placed_iterations() -> FirstIterations:
            tasks, carried, begins = Tasks(), [NO_TASK] * len(body.arguments), [0]
            iteration = self._builder.iteration(condition, body)
            for _ in range(shown):
                carried = iteration.add(tasks, carried)
                begins.append(len(tasks))
            placed = self._place(tasks)
            ends, last = [], 0.0
            for begin, end in pairwise(begins):
                last = max([last, *placed.ends[begin:end]])
                ends.append(last)
            return FirstIterations(placed, tuple(ends), tuple(begins[1:]))

        return self._loop_of((condition, body), iterations, shown, placed_iterations)

    def _repeated(self, op: Operation) -> LoopTimes:
        """Any other loop: an iteration begins when the previous one has ended."""
        blocks, iterations = self._step.inner[op]

        def placed_iteration() -> FirstIterations:
            tasks = Tasks()
            for block in blocks:
                self._builder.add_block(tasks, block, [NO_TASK] * len(block.arguments))
            placed = self._place(tasks)
            return FirstIterations(placed, (placed.seconds,), (len(tasks),))

        return self._loop_of(blocks, iterations, 1, placed_iteration)

    def _loop_of(
        self, blocks: Sequence[Block], iterations: int, shown: int, place_first: Callable[[], FirstIterations]
    ) -> LoopTimes:
        """A loop of so many ``iterations``, each of which runs ``blocks``; so many of them are ``shown``."""
        if not shown:
            return LoopTimes(0, 0.0, {}, place_first)
        computing = self._builder.seconds_of_computation(blocks)
        if computing is not None:
            # One operation behind the other.
            now, each = 0.0, list[float]()
            for _ in range(shown):
                for seconds in computing:
                    now += seconds
                each.append(now)
            return LoopTimes(iterations, now + (iterations - shown) * _steady(each), {}, place_first)
        first = place_first()
        # A link that cannot keep up falls behind further in each iteration.
        busy = {link: seconds / shown * iterations for link, seconds in first.placed.busy.items()}
        # An iteration may end soon after the one before because work of it was done early; all of them compute as long.
        steady = max(_steady(first.ends), first.placed.computing / shown)
        seconds = max([first.placed.seconds + (iterations - shown) * steady, *busy.values()])
        return LoopTimes(iterations, seconds, busy, lambda: first)


def _steady(ends: Sequence[float]) -> float:
    """How long an iteration takes after the first ones, which are done at ``ends``."""
    return ends[-2] - (ends[-3] if len(ends) > 2 else 0.0) if len(ends) > 1 else ends[0]
