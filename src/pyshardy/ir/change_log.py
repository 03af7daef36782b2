"""A log of changes to operations, so that indexes and the verifier process only what changed.

``ir.rewriting`` records its changes: structural changes, which ``ir.operation_index`` follows, and modifications, which
the verifier follows in addition (``ir.verifying.change_verifier``). A follower that is older than the oldest entry
processes everything. Entries hold operations only while a follower may need them (``kept_changes``), and are only
counted otherwise: an operation keeps its whole program alive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pyshardy.ir.operation import Operation

_MOST_REMEMBERED = 1 << 15
"""Beyond so many entries a look at the whole program costs no more, and what was erased should not stay alive."""


class ChangeLog:
    """Operations in the order in which something happened to them. ``count`` entries were ever made; of those the
    older half is forgotten when there are too many, and all while the log is not ``kept``."""

    __slots__ = ("_entries", "_forgotten", "kept")

    def __init__(self) -> None:
        self._entries: list[Operation] = []
        self._forgotten = 0
        self.kept = False

    @property
    def count(self) -> int:
        """How many entries were ever made: a number that grows with each."""
        return self._forgotten + len(self._entries)

    def add(self, op: Operation) -> None:
        """Enters ``op``."""
        if not self.kept:
            self._forgotten += 1
            return
        self._entries.append(op)
        if len(self._entries) > _MOST_REMEMBERED:
            self._forget()

    def extend(self, operations: Iterable[Operation]) -> None:
        """Enters all of ``operations``."""
        self._entries.extend(operations)
        if not self.kept:
            self.forget_all()
        elif len(self._entries) > _MOST_REMEMBERED:
            self._forget()

    def since(self, count: int) -> list[Operation] | None:
        """The entries made since there were ``count``, an operation as often as it was entered; None if some of them
        are forgotten."""
        known = count - self._forgotten
        return self._entries[known:] if known >= 0 else None

    def forget_all(self) -> None:
        """Keeps the number of entries alone."""
        self._forgotten += len(self._entries)
        self._entries.clear()

    def _forget(self) -> None:
        surplus = len(self._entries) - _MOST_REMEMBERED // 2
        self._forgotten += surplus
        del self._entries[:surplus]


STRUCTURAL_CHANGES = ChangeLog()
"""Operations that were put into some block, taken out of one, or renamed; those in their regions went with them."""

MODIFICATIONS = ChangeLog()
"""Operations whose operands, types or dictionaries have become others (dictionaries by ``rewriting.set_attributes`` and
``set_properties``), and owners of blocks that end in another way."""


_at_work = 0
"""How many of those who may ask have not finished."""


@contextmanager
def kept_changes() -> Iterator[None]:
    """Inside, what happens to operations can be asked for; afterwards it is forgotten."""
    global _at_work
    _at_work += 1
    STRUCTURAL_CHANGES.kept = MODIFICATIONS.kept = True
    try:
        yield
    finally:
        _at_work -= 1
        if not _at_work:
            for log in (STRUCTURAL_CHANGES, MODIFICATIONS):
                log.kept = False
                log.forget_all()


def structure_version() -> int:
    """A number that grows as soon as an operation has been put into some block, taken out of one, or renamed."""
    return STRUCTURAL_CHANGES.count
