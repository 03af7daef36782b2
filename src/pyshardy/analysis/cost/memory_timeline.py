"""What stands in the memory of a device while a plan runs, operation by operation, by kind: for pictures.

The bytes are those of ``account.memory``, whose peak this reaches; the kinds those of ``account.memory_parts``, with
the arguments by the names of their author and gathered copies apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.collective_kinds import COLLECTIVE_KINDS
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.partitioning.account.fusion import value_in_memory
from pyshardy.partitioning.account.liveness import type_bytes
from pyshardy.partitioning.account.memory import Course
from pyshardy.partitioning.plan import Plan
from pyshardy.reading.sharding_files.paths import path_of_name

RESULTS, SAVED, GATHERED, INSIDE = "results", "made and kept", "gathered copies", "inside loops and calls"
OTHER_ARGUMENTS = "other arguments"
_MOST_ROOTS = 3
_GATHERING = frozenset(f"stablehlo.{one.name}" for one in COLLECTIVE_KINDS.values() if one.makes_whole)


@dataclass(frozen=True)
class MemoryTimeline:
    """Bytes by kind (``kinds``: arguments by the first part of their names, then the others) at each of ``operations``,
    those of the main function of the local program: one row a kind, one entry an operation. The peak is at operation
    number ``peak``."""

    kinds: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    operations: tuple[Operation, ...]
    peak: int
    kind_of: Callable[[Value], str] = field(repr=False, compare=False)
    """The kind of a value of the local program."""

    @property
    def totals(self) -> list[int]:
        """The bytes of all kinds together."""
        return [sum(column) for column in zip(*self.rows, strict=True)]


def memory_timeline(plan: Plan) -> MemoryTimeline:
    """What stands in the memory of a device while ``plan`` runs."""
    entry = functions_by_name(plan.local.op)[plan.entry]
    kind_of_argument = _argument_kinds(plan)
    kinds = [*dict.fromkeys(kind_of_argument), RESULTS, SAVED, GATHERED, INSIDE]
    returned = {value_in_memory(value) for value in entry.body.terminator.operands}

    def kind(value: Value) -> str:
        if value.parent_block is not entry.body:
            return INSIDE
        if isinstance(value, BlockArgument):
            return kind_of_argument[value.index]
        if value in returned:
            return RESULTS
        made = value.defining_op
        return GATHERED if made is not None and made.name in _GATHERING else SAVED

    course = Course(plan.local.op, entry)
    now: Counter[str] = Counter()
    unread = {argument for argument in course.in_place if argument not in course.last}
    for argument in entry.body.arguments:
        if argument not in unread:
            now[kind(argument)] += course.size(argument)
    rows: list[list[int]] = [[] for _ in kinds]

    def add(counter: Counter[str], value: Value, sign: int = 1) -> None:
        counter[kind(value)] += course.change(value, sign).bytes

    for moment, reserved in course.at_each_operation():
        at_work = now
        if moment is not None:
            for value in moment.begun:
                add(now, value)
            at_work = now.copy()
            for value in moment.taken:
                add(at_work, value, -1)
            at_work[INSIDE] += moment.inside.bytes
            for value in moment.ended:
                add(now, value, -1)
        for row, name in zip(rows, kinds, strict=True):
            row.append(at_work[name] + (reserved if name == RESULTS else 0))
    operations = course.operations
    totals = [sum(column) for column in zip(*rows, strict=True)]
    peak = max(range(len(totals)), key=totals.__getitem__, default=0)
    return MemoryTimeline(tuple(kinds), tuple(map(tuple, rows)), tuple(operations), peak, kind)


def _argument_kinds(plan: Plan) -> list[str]:
    """For each argument the first part of its name, if that is one of those that take most."""
    names = plan.names.boundary.arguments
    entry = functions_by_name(plan.local.op)[plan.entry]
    roots = [(path_of_name(name) or ("arguments",))[0] for name in names]
    roots = ["arguments" if root.startswith("arg") and root[3:].isdecimal() else root for root in roots]
    sizes: Counter[str] = Counter()
    for root, argument in zip(roots, entry.body.arguments, strict=True):
        sizes[root] += type_bytes(argument.type)
    largest = {root for root, _ in sizes.most_common(_MOST_ROOTS)}
    return [root if root in largest or len(sizes) == _MOST_ROOTS + 1 else OTHER_ARGUMENTS for root in roots]
