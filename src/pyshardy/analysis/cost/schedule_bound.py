"""How long a step takes at least, however its tasks are placed.

No task begins before all that leads to it is done, one after the other; computation that begins no sooner than that,
one behind the other, is done at the earliest if what may begin first begins first. No link is done before it has been
busy with all of its collectives. So what takes longer than another plan is known without a schedule; and without tasks
where computation alone takes longer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from pyshardy.analysis.cost.list_schedule import LoopTimes
from pyshardy.analysis.cost.step import Step
from pyshardy.analysis.cost.tasks import Tasks
from pyshardy.ir.operation import Block, Operation
from pyshardy.partitioning.account.counted import CountedProgram


def least_seconds(tasks: Tasks) -> float:
    """What ``list_schedule.place`` takes for ``tasks`` at least, but for rounding."""
    starts: list[float] = []
    ends: list[float] = []
    busy: dict[int, float] = {}
    computing: list[tuple[float, float]] = []
    for seconds, links, waits in zip(tasks.seconds, tasks.links, tasks.waits, strict=True):
        begin = 0.0
        for other in waits:
            if ends[other] > begin:
                begin = ends[other]
        starts.append(begin)
        ends.append(begin + seconds)
        if not links:
            computing.append((begin, seconds))
        for link in links:
            busy[link] = busy.get(link, 0.0) + seconds
    for loop in tasks.loops.values():
        if isinstance(loop, LoopTimes):
            for link, seconds in loop.busy.items():
                busy[link] = busy.get(link, 0.0) + seconds
    computing.sort()
    now = 0.0
    for begin, seconds in computing:
        now = (begin if begin > now else now) + seconds
    return max(now, *busy.values(), max(ends, default=0.0))


def least_seconds_of_computation(program: CountedProgram, step: Step, links: Callable[[Operation], object]) -> float:
    """What everything takes that the entry of ``program``, a run of which is ``step``, computes, itself and in what it
    calls. Loops count nothing here; what uses ``links`` does not compute."""
    timed, inner = step.timed, step.inner

    @cache
    def of_block(block: Block) -> float:
        return sum([seconds(op) for op in block.operations()])

    # Kernels of one kind have one object.
    known: dict[int, float] = {}

    def seconds(op: Operation) -> float:
        one = timed[op]
        found = known.get(id(one))
        if found is None:
            found = known[id(one)] = one.seconds
        if op in inner:
            return of_block(inner[op].blocks[0]) if op.name == "func.call" and inner[op].blocks else 0.0
        return 0.0 if found and links(op) else found

    if not program.copies:
        return of_block(program.entry.body)
    return sum([seconds(op) * program.times(op) for op in program.entry.body.operations()])
