"""The graph of the tasks of a step: each has its seconds, the links that it uses, and the tasks that it waits for.

``task_builder`` makes them, ``list_schedule`` says when each begins.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.ir.operation import Operation

NO_TASK = -1
"""The task number of a value that no task computes."""


class Tasks:
    """Tasks by number, in the order of the program. ``links`` is empty for what computes, ``bytes`` is what the result
    of a collective takes; ``waits`` are lower numbers."""

    def __init__(self) -> None:
        self.ops: list[Operation] = []
        self.seconds: list[float] = []
        self.links: list[tuple[int, ...]] = []
        self.waits: list[tuple[int, ...]] = []
        self.bytes: list[int] = []
        self.loops: dict[int, object] = {}
        """The loops among them, by number."""
        self.calls: list[tuple[Operation, int, int]] = []
        """What calls others: they are the tasks from the first up to (excluding) the second number."""

    def __len__(self) -> int:
        return len(self.ops)

    def append(self, op: Operation, seconds: float, links: tuple[int, ...], waits: Iterable[int], size: int) -> int:
        """Appends a task of ``op`` that depends on the tasks ``waits``, and returns its number. ``size`` is the bytes
        of its result (of a collective). A task of zero seconds only joins its predecessors."""
        number = len(self.ops)
        self.ops.append(op)
        self.seconds.append(seconds)
        self.links.append(links)
        self.waits.append(tuple(waits))
        self.bytes.append(size)
        return number
