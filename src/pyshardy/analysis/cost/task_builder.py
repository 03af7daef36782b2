"""Makes the tasks of a step, which ``list_schedule`` schedules.

A call becomes the tasks of the function, a conditional those of its most expensive branch, a loop one task. An
operation that takes no time is no task: operations that read its result wait for the tasks of its operands. Of segments
that run the same operations the first is traversed, and the others are copies of its tasks (``task_templates``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from pyshardy.analysis.cost.communication import Communication
from pyshardy.analysis.cost.step import Step
from pyshardy.analysis.cost.task_templates import TaskTemplate
from pyshardy.analysis.cost.task_times import LoopTimes
from pyshardy.analysis.cost.tasks import NO_TASK, Tasks
from pyshardy.dialects.stablehlo.trip_count import is_loop
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.partitioning.account.executions import Execution, Segment, captured, executions_of_block
from pyshardy.partitioning.account.memory_model import type_bytes

_FREE, _WORK, _COLLECTIVE, _LOOP, _INLINE, _END = range(6)
_Kind = tuple[int, float, tuple[int, ...], int]
"""What an operation is as a task, its seconds, links and bytes."""


class TaskBuilder:
    """Makes tasks of what ``step`` runs. ``loop`` says how long a loop takes. If nothing overlaps, ``in_order``, every
    task waits for the one before it."""

    def __init__(
        self,
        step: Step,
        communication: Communication,
        loop: Callable[[Operation], LoopTimes],
        *,
        in_order: bool = False,
    ) -> None:
        self._in_order = in_order
        self._step = step
        self._communication = communication
        self._loop = loop
        self._kinds: dict[Operation, _Kind] = {}
        self._plain: dict[int, _Kind] = {}
        """The kinds of operations that only compute, by the identity of their ``OperationTime``."""
        self._executions: dict[Block, Sequence[Execution]] = {}
        self._open: set[Block] = set()

    def add_block(self, tasks: Tasks, block: Block, arguments: Sequence[int], outside: int = NO_TASK) -> list[int]:
        """Adds the tasks of ``block``. Its arguments come from the tasks ``arguments``, all other values from outside
        it from the task ``outside``. Returns the task of each value that ``block`` returns."""
        executions = self._executions.get(block)
        if executions is None:
            executions = self._executions[block] = executions_of_block(block)
        if block in self._open:
            # What calls itself has no end: its second time counts nothing.
            return []
        self._open.add(block)
        found = self._add_executions(tasks, executions, list(arguments), outside)
        self._open.remove(block)
        return found

    def add_once(self, tasks: Tasks, block: Block) -> None:
        """Adds the tasks of ``block``, whose arguments are there from the beginning, as ``add_block`` does, for a block
        that runs once. It is looked at directly, without the list of its executions, and its tasks get the same numbers
        as by ``add_block``: a schedule may be made by either."""
        made: dict[Value, int] = {}
        known, timed, plain = made.get, self._step.timed.get, self._plain.get
        ops, append = tasks.ops, tasks.append
        special = {*self._communication.operations, *self._step.inner, block.last}
        for op in block.operations():
            kind = None if op in special else plain(id(timed(op)))
            if kind is None:
                kind = self._kind(op)
            is_what, seconds, links, size = kind
            results, waits = op.results, list[int]()
            for value in op.operands:
                number = known(value, NO_TASK)
                if number >= 0 and number not in waits:
                    waits.append(number)
            if is_what == _WORK and not op.regions:
                if self._in_order and ops and len(ops) - 1 not in waits:
                    waits.append(len(ops) - 1)
                number = append(op, seconds, links, waits, size)
            else:
                inside = captured(op) if op.regions else ()
                if is_what >= _INLINE:
                    if is_what == _END:
                        return
                    read = [known(value, NO_TASK) for value in op.operands]
                    found = self._inlined(tasks, op, read, [made[one] for one in inside if one in made], NO_TASK)
                    made.update((result, _of(found, index)) for index, result in enumerate(results))
                    continue
                for value in inside:
                    number = known(value, NO_TASK)
                    if number >= 0 and number not in waits:
                        waits.append(number)
                if is_what != _FREE:
                    number = self._add_task(tasks, op, kind, waits)
                elif len(waits) > 1:
                    number = append(op, 0.0, (), waits, 0)
                elif waits:
                    (number,) = waits
                else:
                    continue
            if len(results) == 1:
                made[results[0]] = number
            else:
                made.update(dict.fromkeys(results, number))

    def iteration(self, condition: Block, body: Block) -> IterationTasks:
        """The tasks of an iteration of a loop."""
        return IterationTasks(self, condition, body, copies=not self._in_order)

    def seconds_of_computation(self, blocks: Sequence[Block]) -> list[float] | None:
        """How long the tasks of ``blocks`` take, in their order; None if collectives are among them."""
        found: list[float] = []
        for block in blocks:
            if block in self._open:
                continue
            self._open.add(block)
            inside = self._computation_of(block)
            self._open.remove(block)
            if inside is None:
                return None
            found += inside
        return found

    def _computation_of(self, block: Block) -> list[float] | None:
        found: list[float] = []
        for op in block.operations():
            is_what, seconds, _, _ = self._kind(op)
            if is_what == _COLLECTIVE or (is_what == _LOOP and self._loop(op).busy):
                return None
            if is_what == _INLINE:
                inside = self.seconds_of_computation(self._step.inner[op].blocks[:1])
                if inside is None:
                    return None
                found += inside
            elif seconds:
                found.append(seconds)
        return found

    def add_segments(self, tasks: Tasks, segments: Iterable[Segment], arguments: Sequence[int]) -> None:
        """Adds what runs in ``segments``, of a program whose arguments come from the tasks ``arguments``."""
        made, known = list(arguments), dict[tuple[Hashable, tuple[int, ...]], TaskTemplate]()
        for one in segments:
            if one.kind is None or self._in_order:
                self._add_executions(tasks, one.executions(), made, NO_TASK)
                continue
            read = [made[value] if value >= 0 else NO_TASK for value in one.read]
            pattern, places = _sharing(read)
            begin, first = len(tasks), len(made)
            template = known.get((one.kind, pattern))
            if template is None:
                self._add_executions(tasks, one.executions(), made, NO_TASK)
                known[one.kind, pattern] = TaskTemplate(
                    tasks, range(begin, len(tasks)), made[first:], len(read), places
                )
            else:
                template.add_copy(tasks, made, read)

    def _add_executions(
        self, tasks: Tasks, executions: Sequence[Execution], made: list[int], outside: int
    ) -> list[int]:
        """Adds ``executions``, which read of what was ``made`` by then, and notes what they make; what they return."""
        kinds, append, add = self._kinds, tasks.append, made.append
        for op, operands, inside in executions:
            kind = kinds.get(op)
            if kind is None:
                kind = kinds[op] = self._kind(op)
            is_what, seconds, links, size = kind
            results = len(op.results)
            if len(operands) == 1 and not inside and is_what <= _WORK and results == 1:
                # As most are.
                (one,) = operands
                number = made[one] if one >= 0 else outside
                if is_what == _FREE:
                    add(number)
                    continue
                if not self._in_order:
                    add(append(op, seconds, links, () if number < 0 else (number,), size))
                    continue
            waits: list[int] = []
            for one in operands:
                number = made[one] if one >= 0 else outside
                if number >= 0 and number not in waits:
                    waits.append(number)
            if is_what >= _INLINE:
                read = [made[one] if one >= 0 else outside for one in operands]
                if is_what == _END:
                    return read
                found = self._inlined(tasks, op, read, [made[one] for one in inside], outside)
                made += [_of(found, index) for index in range(results)]
                continue
            for one in inside:
                number = made[one]
                if number >= 0 and number not in waits:
                    waits.append(number)
            if is_what == _FREE and len(waits) < 2:
                number = waits[0] if waits else NO_TASK
            elif is_what == _FREE:
                number = append(op, 0.0, (), waits, 0)
            else:
                number = self._add_task(tasks, op, kind, waits)
            if results == 1:
                add(number)
            else:
                made += [number] * results
        return []

    def _add_task(self, tasks: Tasks, op: Operation, kind: _Kind, waits: list[int]) -> int:
        """Adds the task of ``op``, which waits for those tasks; its number."""
        is_what, seconds, links, size = kind
        number = len(tasks.ops)
        if self._in_order and number and number - 1 not in waits:
            waits.append(number - 1)
        if is_what == _LOOP:
            tasks.loops[number] = self._loop(op)
        return tasks.append(op, seconds, links, waits, size)

    def _inlined(
        self,
        tasks: Tasks,
        op: Operation,
        read: Sequence[int],
        within: Sequence[int],
        outside: int,
    ) -> Sequence[int]:
        """Adds the tasks of the block that ``op`` runs, in place of ``op``. Its operands come from the tasks ``read``,
        values that its regions capture from the tasks ``within``. Returns the tasks of its results."""
        block = next(iter(self._step.inner[op].blocks), None)
        if block is None:
            return read
        place, begin = len(tasks.calls), len(tasks)
        tasks.calls.append((op, begin, begin))
        if len(block.arguments) == len(read):
            found = self.add_block(tasks, block, read, outside)
        else:
            waits = list(dict.fromkeys(number for number in (*read, *within) if number >= 0))
            ready = tasks.append(op, 0.0, (), waits, 0) if len(waits) > 1 else waits[0] if waits else NO_TASK
            found = self.add_block(tasks, block, [ready] * len(block.arguments), ready)
        tasks.calls[place] = op, begin, len(tasks)
        return found

    def _kind(self, op: Operation) -> _Kind:
        if op.next_op is None and op.traits & TERMINATOR:
            return _END, 0.0, (), 0
        links = self._communication.links(op)
        if links:
            seconds = self._communication.seconds(op).pipelined
            if seconds:
                return _COLLECTIVE, seconds, tuple(sorted(links)), sum(type_bytes(one.type) for one in op.results)
        if op in self._step.inner:
            if op.name == "chlo.scan" or is_loop(op):
                return _LOOP, self._loop(op).seconds, (), 0
            return _INLINE, 0.0, (), 0
        timed = self._step.timed.get(op)
        if timed is None:
            return _FREE, 0.0, (), 0
        # Kernels of one kind have one object.
        known = self._plain.get(id(timed))
        if known is None:
            seconds = timed.seconds
            known = self._plain[id(timed)] = (_WORK if seconds else _FREE), seconds, (), 0
        return known


class IterationTasks:
    """Adds the tasks of a loop, one iteration at a time. With ``copies`` an iteration copies the tasks of the one
    before it if the carried values of both come from tasks in the same pattern."""

    def __init__(self, builder: TaskBuilder, condition: Block, body: Block, *, copies: bool) -> None:
        self._builder = builder
        self._blocks = condition, body
        self._copies = copies
        self._last: tuple[tuple[int, ...], range, list[int], dict[int, int]] | None = None
        self._template: TaskTemplate | None = None

    def add(self, tasks: Tasks, carried: Sequence[int]) -> list[int]:
        """Adds the tasks of the next iteration, which reads from the tasks ``carried``; those from which the one after
        it reads."""
        pattern, places = _sharing(carried)
        begin, last = len(tasks), self._last
        if last is not None and last[0] == pattern and self._copies:
            if self._template is None:
                _, iteration, returned, read = last
                self._template = TaskTemplate(tasks, iteration, returned, len(carried), read)
            copied: list[int] = []
            self._template.add_copy(tasks, copied, carried)
            return copied
        condition, body = self._blocks
        self._builder.add_block(tasks, condition, carried)
        found = self._builder.add_block(tasks, body, carried)
        returned = found if len(found) == len(carried) else list(carried)
        self._last, self._template = (pattern, range(begin, len(tasks)), returned, places), None
        return returned


def _sharing(read: Sequence[int]) -> tuple[tuple[int, ...], dict[int, int]]:
    """Which of the values that come from the tasks ``read`` come from one task: for each value the first that does, and
    for each task."""
    places: dict[int, int] = {}
    return tuple([places.setdefault(task, place) if task >= 0 else task for place, task in enumerate(read)]), places


def _of(numbers: Sequence[int], index: int) -> int:
    """The task of result ``index`` of what was made by ``numbers``: one task for all, or one each."""
    return numbers[index] if index < len(numbers) else numbers[0] if numbers else NO_TASK
