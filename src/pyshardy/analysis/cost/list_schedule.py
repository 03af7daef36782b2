"""Schedules the tasks of a step: computation on one resource, collectives beside it on the links that they use.

There are two passes over the tasks. Backward: when a task must start so that nothing waits for it, with the collectives
of one link one after the other; as in XLA's latency-hiding scheduler, a collective and the tasks that lead to it are
moved forward that far, as long as there is memory for its result, which is there earlier. Forward, in that order: a
task starts once the tasks that it depends on are done, in the first gap of its resource that holds it; so computation
that needs no collective runs while other tasks wait for one.

No resource idles without a reason, so the schedule takes at most as long as one task after the other, and at least as
long as computation, or as the busiest link.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import inf

from pyshardy.analysis.cost.task_times import LoopTimes, TaskTimes
from pyshardy.analysis.cost.tasks import NO_TASK, Tasks

_MOST_GAPS = 64
"""The number of gaps of a resource that a task can fill: the last ones."""


class TakesLonger(Exception):
    """All tasks take longer than was asked for."""


def place(tasks: Tasks, memory: float = inf, most: float = inf) -> TaskTimes:
    """When ``tasks`` begin. What collectives bring before their turn stays within ``memory`` bytes.

    Raises:
        TakesLonger: computation idles for more than ``most`` less its own seconds in gaps that can no longer be filled.
            This does not always find out that ``most`` is exceeded: the result may take longer.
    """
    return _Scheduler(tasks, memory, most).placed


class _Scheduler:
    def __init__(self, tasks: Tasks, memory: float, most: float) -> None:
        count = len(tasks)
        self._tasks = tasks
        self.placed = TaskTimes(tasks, [0.0] * count, [0.0] * count)
        self.placed.loops = {number: loop for number, loop in tasks.loops.items() if isinstance(loop, LoopTimes)}
        self._clock = self._program_time()
        self._soonest = self._soonest_places(memory)
        begins, latest = self._wanted()
        self._lane = _Resource()
        self._links: dict[int, _Resource] = {}
        self._lanes: dict[tuple[int, ...], list[_Resource]] = {}
        self._progress: list[float] = []
        """For each task, as far as all are placed, when the last that computes among it and those before it ends."""
        self._done = bytearray(count)
        # Of two that are wanted at once that one goes first for which there is less time.
        order = sorted(range(count), key=latest.__getitem__)
        order.sort(key=begins.__getitem__)
        self._place_all(order, most - self.placed.computing)
        self._finish()

    def _program_time(self) -> list[float]:
        """When each task begins if computation waits for nothing."""
        clock, now = [], 0.0
        for seconds, links in zip(self._tasks.seconds, self._tasks.links, strict=True):
            clock.append(now)
            if not links:
                now += seconds
        self.placed.computing = now
        return clock

    def _soonest_places(self, memory: float) -> list[int]:
        """For each task the number of the first one before which it may begin: what collectives bring between them has
        to be held."""
        held, first, found = 0.0, 0, list[int]()
        if sum(self._tasks.bytes) <= memory:
            return [0] * len(self._tasks)
        for number, size in enumerate(self._tasks.bytes):
            held += size
            while held > memory and first < number:
                held -= self._tasks.bytes[first]
                first += 1
            found.append(first)
        return found

    def _wanted(self) -> tuple[list[float], list[float]]:
        """For each task two starts on the clock of computation (``_program_time``): the latest that delays no reader
        and is no later than in the program, and the latest that delays no reader."""
        tasks, clock = self._tasks, self._clock
        begins, ends = clock.copy(), clock.copy()
        needed = [inf] * len(tasks)
        free: dict[int, float] = {}
        # What is needed before a task is known when it is its turn: all that wait for it stand behind it.
        number = len(tasks)
        for need, begin, seconds, links, place, waits in zip(
            reversed(needed),
            reversed(clock),
            reversed(tasks.seconds),
            reversed(tasks.links),
            reversed(self._soonest),
            reversed(tasks.waits),
            strict=True,
        ):
            number -= 1
            if need < inf:
                for link in links:
                    need = min(need, free.get(link, inf))
                latest = need - seconds
                if latest < begin:
                    begin = latest
                if (place and clock[place] > begin) or begin < 0.0:
                    begin = clock[place]
                begins[number], ends[number] = begin, latest if latest > begin else begin
                for link in links:
                    free[link] = min(begin, free.get(link, inf))
            for other in waits:
                if begin < needed[other]:
                    needed[other] = begin
        return begins, ends

    def _place_all(self, order: Sequence[int], spare: float) -> None:
        """Places tasks in that ``order``.

        Raises:
            TakesLonger: computation stands still for longer than ``spare`` seconds.
        """
        placed, lane, done = self.placed, self._lane, self._done
        starts, ends, loops = placed.starts, placed.ends, placed.loops
        all_seconds, all_links, all_waits = self._tasks.seconds, self._tasks.links, self._tasks.waits
        # The end of what computes, of the last gap before that, and the length of the longest.
        now = last_gap = longest = 0.0
        for number in order:
            ready, waited = 0.0, NO_TASK
            for other in all_waits[number]:
                end = ends[other]
                if end > ready:
                    ready, waited = end, other
            seconds = all_seconds[number]
            if all_links[number]:
                begin = self._on_links(number, max(ready, self._allowed(number)), seconds, all_links[number])
            elif number in loops:
                begin, seconds = self._loop(ready, waited, loops[number])
                now, last_gap, longest = lane.end, lane.last_gap, lane.longest
            elif seconds:
                if ready <= now and (last_gap <= ready or longest < seconds):
                    # Fast path: no gap is left after ``ready``, or none that is long enough.
                    begin = now
                    now = lane.end = begin + seconds
                else:
                    begin = lane.take(ready, seconds, waited)
                    now, last_gap, longest = lane.end, lane.last_gap, lane.longest
                    if lane.lost > spare:
                        # Only the last ``_MOST_GAPS`` gaps can still be filled.
                        raise TakesLonger
            else:
                begin = ready
            starts[number] = begin
            ends[number] = begin + seconds
            done[number] = 1

    def _on_links(self, number: int, ready: float, seconds: float, links: tuple[int, ...]) -> float:
        """When collective ``number`` begins on ``links``."""
        busy, lanes = self.placed.busy, self._lanes.get(links)
        if lanes is None:
            lanes = self._lanes[links] = [self._links.setdefault(link, _Resource()) for link in links]
        for link in links:
            busy[link] = busy.get(link, 0.0) + seconds
        if len(lanes) == 1:
            begin = lanes[0].take(ready, seconds, NO_TASK)
            lanes[0].ended_at[begin + seconds] = number
            self._note_before(number, begin, ready, lanes[0])
            return begin
        begin = max(ready, *(lane.end for lane in lanes))
        for lane in lanes:
            if lane.end == begin:
                self._note_before(number, begin, ready, lane)
            lane.take(begin, seconds, NO_TASK)
            lane.ended_at[begin + seconds] = number
        return begin

    def _note_before(self, number: int, begin: float, ready: float, lane: _Resource) -> None:
        if begin > ready:
            before = lane.ended_at.get(begin)
            if before is not None and before != number:
                self.placed.before[number] = before

    def _loop(self, ready: float, waited: int, loop: LoopTimes) -> tuple[float, float]:
        """When a loop begins, and how long it takes: what is still under way on a link comes first there."""
        begin, seconds, held = max(ready, self._lane.end), loop.seconds, NO_TASK
        for link, used in loop.busy.items():
            lane = self._links.setdefault(link, _Resource())
            since = max(begin, lane.end)
            if since + used - begin > seconds:
                seconds, held = since + used - begin, lane.ended_at.get(lane.end, NO_TASK)
            lane.end = since + used
            self.placed.busy[link] = self.placed.busy.get(link, 0.0) + used
        if begin > self._lane.end:
            self._lane.note_gap(begin, waited)
        if seconds > loop.seconds:
            self._lane.closed.append((begin + loop.seconds, begin + seconds, held))
        self._lane.end = begin + seconds
        return begin, seconds

    def _allowed(self, number: int) -> float:
        """The earliest start of collective ``number`` at which its result fits into memory."""
        first = self._soonest[number]
        if not first:
            return 0.0
        progress, done, ends, links = self._progress, self._done, self.placed.ends, self._tasks.links
        count, last = len(progress), progress[-1] if progress else 0.0
        while count < len(done) and done[count]:
            if ends[count] > last and not links[count]:
                last = ends[count]
            progress.append(last)
            count += 1
        reached = min(first, count)
        return progress[reached - 1] if reached else 0.0

    def _finish(self) -> None:
        placed = self.placed
        last = max(range(len(self._tasks)), key=placed.ends.__getitem__, default=NO_TASK)
        placed.seconds = max(self._lane.end, placed.ends[last] if last != NO_TASK else 0.0)
        placed.gaps = sorted(self._lane.closed + self._lane.gaps)
        if placed.seconds > self._lane.end:
            placed.gaps.append((self._lane.end, placed.seconds, last))


class _Resource:
    """A resource, computation or a link, with its gaps: times at which it idles, as (begin, end, awaited task)."""

    __slots__ = ("closed", "end", "ended_at", "gaps", "last_gap", "longest", "lost")

    def __init__(self) -> None:
        self.end = 0.0
        """When the last task ends."""
        self.gaps: list[tuple[float, float, int]] = []
        """The gaps that a task can still fill, the last ``_MOST_GAPS``, in their order."""
        self.last_gap = 0.0
        """An upper bound of the ends of these gaps."""
        self.longest = 0.0
        """An upper bound of their lengths."""
        self.closed: list[tuple[float, float, int]] = []
        """The gaps that are filled no more."""
        self.lost = 0.0
        """The seconds of the closed gaps, without those in loops."""
        self.ended_at: dict[float, int] = {}
        """Of a link: the task that ends at each time."""

    def take(self, ready: float, seconds: float, waited: int) -> float:
        """When a task that is ``ready`` then, and takes so many ``seconds``, begins: as soon as there is room."""
        end = self.end
        if ready < self.last_gap and seconds <= self.longest:
            gaps = self.gaps
            first = bisect_right(gaps, (ready, inf, 0))
            for place in range(max(first - 1, 0), len(gaps)):
                low, high, cause = gaps[place]
                begin = low if low > ready else ready
                if high - begin >= seconds:
                    after = begin + seconds
                    if low < begin:
                        gaps[place] = low, begin, cause
                        if after < high:
                            gaps.insert(place + 1, (after, high, cause))
                    elif after < high:
                        gaps[place] = after, high, cause
                    else:
                        del gaps[place]
                    return begin
            self.longest = max((high - low for low, high, _ in gaps), default=0.0)
        begin = end if end > ready else ready
        if begin > end:
            self.note_gap(begin, waited)
            if len(self.gaps) > _MOST_GAPS:
                low, high, waited = closed = self.gaps.pop(0)
                self.closed.append(closed)
                self.lost += high - low
        self.end = begin + seconds
        return begin

    def note_gap(self, begin: float, waited: int) -> None:
        """Notes that there is a gap from the end up to ``begin``, as a task waits for the task ``waited``."""
        self.gaps.append((self.end, begin, waited))
        self.last_gap = begin
        self.longest = max(self.longest, begin - self.end)
