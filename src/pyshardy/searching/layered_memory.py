"""The memory of a program with all layers, estimated from the program of one device with few layers.

A value or a copy that a layer keeps for another part of the program (activations for the backward pass, new parameters)
counts once for each layer that the present one stands for; a temporary of a layer counts once. If layers are left out,
operations keep the order of the text. Arguments, and the space for results, of layers that are left out are in memory
all the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyshardy.ir.operation import Operation, OpResult
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.memory import AllocationChange, CopySpan, MemoryUse
from pyshardy.partitioning.account.memory_model import MemoryModel
from pyshardy.searching.short_program import ShortProgram


def layered_memory(
    short: ShortProgram,
    counts: Mapping[Operation, int],
    local: Operation,
    entry: Operation,
    arguments: Sequence[Type],
    results: Sequence[Type],
    model: MemoryModel,
) -> tuple[int, int, int]:
    """The bytes of arguments and of results, and at the peak, of ``entry``, the main function of ``local``, into which
    ``short`` was partitioned. Each operation stands for as many as ``counts`` says; ``arguments`` (those that are not
    donated) and ``results`` are the types of the layers that are left out."""
    size = model.boundary_bytes_of
    own = [value.type for value in entry.body.terminator.operands]
    is_whole = not results and not arguments and all(times == 1 for times in counts.values())
    course = MemoryUse(local, entry, model, [*own, *results], max_reordered=None if is_whole else 0)
    more: dict[int, list[AllocationChange]] = {}
    copies: list[CopySpan] = []
    if not is_whole:
        taken = {value for step in course.steps for value in step.event.reused}
        for number, op in enumerate(course.operations):
            for value in op.results if counts.get(op, 1) > 1 else ():
                _add(more, course, short, value, number, counts[op] - 1, value in taken)
        for argument, times in zip(entry.body.arguments, short.argument_times, strict=False):
            if times > 1 and argument in course.in_place and argument in course.last:
                _change(
                    more,
                    AllocationChange(True, course.size(argument), times - 1),
                    -1,
                    course.last[argument],
                    argument in taken,
                )
        for copied, first, last in course.kept_copies:
            reader = course.operations[first]
            if counts.get(reader, 1) > 1 and _part(short, reader) != _part(short, course.operations[last]):
                copies.append(CopySpan(first + 1, last, (counts[reader] - 1) * course.size(copied)))
    left_out = sum(map(size, arguments))
    given = sum([size(value.type) for value in entry.body.arguments]) + left_out
    return given, sum(map(size, own)) + sum(map(size, results)), course.peak(more, copies).bytes + left_out


def _add(
    more: dict[int, list[AllocationChange]],
    course: MemoryUse,
    short: ShortProgram,
    value: OpResult,
    number: int,
    times: int,
    is_taken: bool,
) -> None:
    """Adds the changes of memory by ``times`` values like ``value``, the result of operation ``number``."""
    if not course.has_buffer(value) or value not in course.last:
        return
    change = course.change(value, times)
    end = course.last[value]
    if change.in_result_buffers:
        _change(more, change, number, None, is_taken)
    elif _part(short, course.operations[number]) != _part(short, course.operations[end]):
        _change(more, change, number, end, is_taken)


def _change(
    more: dict[int, list[AllocationChange]], change: AllocationChange, begin: int, end: int | None, is_taken: bool
) -> None:
    """Adds ``change`` from operation ``begin`` until after ``end``, which reads the value or, if ``is_taken``, reuses
    its memory."""
    more.setdefault(begin, []).append(change)
    if end is not None:
        more.setdefault(end if is_taken else end + 1, []).append(change._replace(number=-change.number))


def _part(short: ShortProgram, op: Operation) -> object:
    """The part of the program that ``op`` is in: a series of layers (forward, backward, update), or the operations
    between series."""
    number = short.number(op.location)
    group = None if number is None else short.groups[number]
    return group[0] if isinstance(group, tuple) and group else None
