"""A lower bound on the time of a step: the longest chain of dependent tasks, and the busy time of each resource.

No task starts before all tasks that lead to it are done. Computation is done at the earliest if tasks run in the order
in which they may start, and a link not before it has been busy with all of its collectives. So a plan that takes longer
than another one is often recognised without a schedule.
"""

from __future__ import annotations

from pyshardy.analysis.cost.task_times import LoopTimes
from pyshardy.analysis.cost.tasks import Tasks


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
