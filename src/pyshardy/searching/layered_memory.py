"""The memory that a program needs with all layers, from the program of one device that has few of them.

What a layer keeps for another part of the program (activations for the backward pass, new parameters) is there once for
each layer that the kept one stands for; what it works on meanwhile, once. Where layers are left out, operations run in
the order in which they stand. Arguments and room for results of layers that are left out are there all the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyshardy.ir.operation import Operation, OpResult
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.liveness import MemoryModel
from pyshardy.partitioning.account.memory import Change, MemoryUse
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
    """The bytes of arguments and of results, and at the peak, of ``entry``, a function of ``local`` that ``short`` has
    become. Its operations stand for as many as ``counts`` say; ``arguments``, those that are not donated, and
    ``results`` are of layers that are left out."""
    size = model.boundary_bytes_of
    own = [value.type for value in entry.body.terminator.operands]
    is_whole = not results and not arguments and all(times == 1 for times in counts.values())
    course = MemoryUse(local, entry, model, [*own, *results], max_reordered=None if is_whole else 0)
    more: dict[int, list[Change]] = {}
    if not is_whole:
        taken = {value for step in course.steps for value in step.event.reused}
        for number, op in enumerate(course.operations):
            for value in op.results if counts.get(op, 1) > 1 else ():
                _add(more, course, short, value, number, counts[op] - 1, value in taken)
        for argument, times in zip(entry.body.arguments, short.argument_times, strict=False):
            if times > 1 and argument in course.in_place and argument in course.last:
                _change(
                    more, Change(True, course.size(argument), times - 1), -1, course.last[argument], argument in taken
                )
    left_out = sum(map(size, arguments))
    given = sum([size(value.type) for value in entry.body.arguments]) + left_out
    return given, sum(map(size, own)) + sum(map(size, results)), course.peak(more).bytes + left_out


def _add(
    more: dict[int, list[Change]],
    course: MemoryUse,
    short: ShortProgram,
    value: OpResult,
    number: int,
    times: int,
    is_taken: bool,
) -> None:
    """Adds what ``times`` values like ``value``, which operation ``number`` makes, change."""
    if value in course.fused or value not in course.last:
        return
    change = course.change(value, times)
    end = course.last[value]
    if change.in_result_buffers:
        _change(more, change, number, None, is_taken)
    elif _part(short, course.operations[number]) != _part(short, course.operations[end]):
        _change(more, change, number, end, is_taken)


def _change(more: dict[int, list[Change]], change: Change, begin: int, end: int | None, is_taken: bool) -> None:
    """Adds ``change`` from operation ``begin`` on until ``end`` has read it, or taken its place."""
    more.setdefault(begin, []).append(change)
    if end is not None:
        more.setdefault(end if is_taken else end + 1, []).append(change._replace(number=-change.number))


def _part(short: ShortProgram, op: Operation) -> object:
    """Which part of the program ``op`` is of: a series of layers (forward, backward, update), or what is between."""
    number = short.number(op.location)
    group = None if number is None else short.groups[number]
    return group[0] if isinstance(group, tuple) and group else None
