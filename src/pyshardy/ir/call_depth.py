"""Counts the depth of nested calls, and the operations of a program in which each call has a copy of its function.

Both are counted from the call graph alone, function by function, before anything is copied. Code that walks a program
call by call needs space on Python's stack for it, which ``room_for_calls`` reserves.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pyshardy.ir.explicit_stack import REGION_DEPTH_LIMIT
from pyshardy.ir.limits import LimitExceeded, limit
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_kinds import OperationKinds

_CALLEES = {"func.call": "callee", "stablehlo.composite": "decomposition", "call": "callee"}
_FRAMES_OF_A_CALL = 12
_ROOM = 2_000


class _Own(NamedTuple):
    """How many operations a function has itself, and those of them that are calls."""

    size: int
    calls: list[Operation]


def _by_operation_of_module(module: Operation, kinds: OperationKinds) -> Iterator[tuple[Operation, _Own]]:
    """For each operation of ``module`` what it has inside, itself included; ``kinds`` are those of ``module``."""
    operations, outermost = kinds.operations, set(module.body)
    names = {*_CALLEES, *(op.name for op in outermost)}
    looked_at = {kind for kind, example in enumerate(kinds.examples) if example.name in names}
    candidates = (number for number, kind in enumerate(kinds.numbers) if kind in looked_at)
    marks = [n for n in candidates if operations[n].name in _CALLEES or operations[n] in outermost]
    begins = [place for place, number in enumerate(marks) if operations[number] in outermost]
    for place, following in zip(begins, [*begins[1:], len(marks)], strict=True):
        first, end = marks[place], marks[following] if following < len(marks) else len(operations)
        calls = [operations[number] for number in marks[place:following] if operations[number].name in _CALLEES]
        yield operations[first], _Own(end - first, calls)


def _called_by(operations: Iterable[Operation]) -> list[str]:
    """The names of the functions that ``operations``, which are calls, call, as often as they do."""
    found = []
    for op in operations:
        name = getattr(op.properties.entries.get(_CALLEES[op.name]), "root", None)
        if isinstance(name, str):
            found.append(name)
    return found


class CallTree:
    """The call tree of ``module``: for each function how deep its calls stand inside one another, and how many
    operations it becomes with copies of all that it calls. Calls of a function by itself count once. ``kinds`` are
    those of the operations of ``module``, if they are known already."""

    def __init__(self, module: Operation, kinds: OperationKinds | None = None) -> None:
        self.depths: dict[str, int] = {}
        self.sizes: dict[str, int] = {}
        calls: dict[str, list[str]] = {}
        self._own: dict[str, int] = {}
        """How many operations each function has itself."""
        for function, own in _by_operation_of_module(module, kinds or OperationKinds(module)):
            name = function.symbol_name
            if function.name == "func.func" and function.regions[0].blocks and name is not None:
                calls[name], self._own[name] = _called_by(own.calls), own.size
        for root in calls:
            self._visit(root, calls)

    def _visit(self, root: str, calls: dict[str, list[str]]) -> None:
        open_calls: dict[str, Iterator[str]] = {root: iter(calls[root])} if root not in self.depths else {}
        while open_calls:
            name, waiting = next(reversed(open_calls.items()))
            called = next(waiting, None)
            if called is None:
                del open_calls[name]
                known = [one for one in calls[name] if one in self.depths]
                self.depths[name] = 1 + max((self.depths[one] for one in known), default=0)
                self.sizes[name] = self._own[name] + sum(self.sizes[one] for one in known)
            elif called in calls and called not in self.depths and called not in open_calls:
                open_calls[called] = iter(calls[called])

    @property
    def depth(self) -> int:
        """How many functions stand inside one another at most."""
        return max(self.depths.values(), default=0)

    @property
    def size(self) -> int:
        """The operations of the function that becomes the largest."""
        return max(self.sizes.values(), default=0)


def check_call_depth(module: Operation, kinds: OperationKinds | None = None) -> None:
    """Makes room on Python's stack for the calls of ``module``, which may be copied; ``kinds`` are those of its
    operations, if they are known already.

    Raises:
        LimitExceeded: calls stand deeper inside one another, or the copies become more operations, than limits allow.
    """
    if sum(1 for op in module.body if op.name == "func.func") < 2:
        room_for_calls(1)
        return
    tree = CallTree(module, kinds)
    if tree.depth - 1 > limit("call-depth"):
        raise LimitExceeded(f"calls of functions stand {tree.depth - 1:,} deep inside one another", "call-depth")
    if tree.size > limit("called-operations"):
        message = f"with a copy of its function for each call the program has {tree.size:,} operations"
        raise LimitExceeded(message, "called-operations")
    room_for_calls(tree.depth)


def room_for_calls(depth: int) -> None:
    """Lets Python's stack grow so far that calls can stand ``depth`` deep inside one another, and regions as deep as
    they are read."""
    needed = (depth + REGION_DEPTH_LIMIT) * _FRAMES_OF_A_CALL + _ROOM
    if sys.getrecursionlimit() < needed:
        sys.setrecursionlimit(needed)
