"""Shortcut: lists the symbols of a module once while passes run on its functions, one after the other.

Verifiers and passes need the symbols around a function. A list made for each function makes a program of many functions
take time with their square. The result is the same: a pass on a function changes nothing around it, so names stay what
they are; if something moves into the module's body or out of it all the same, which ``ir.change_log`` knows, a new list
is made. Before and after such a run, and with ``ir.shortcuts`` off, every list is a new one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyshardy.ir import shortcuts
from pyshardy.ir.change_log import STRUCTURAL_CHANGES, kept_changes
from pyshardy.ir.operation import Operation

_kept: dict[Operation, Symbols] | None = None


class Symbols:
    """The symbols directly in the symbol table ``table``: ``by_name``, of equal names the first; and those of them
    ``without_regions``."""

    __slots__ = ("_members", "_of_kind", "_structure_version", "by_name", "table", "without_regions")

    def __init__(self, table: Operation) -> None:
        self.table = table
        self._structure_version = STRUCTURAL_CHANGES.count
        self._of_kind: dict[str, dict[str, Operation]] = {}
        self._members: dict[Operation, str] = {}
        self.by_name: dict[str, Operation] = {}
        for region in table.regions:
            for block in region.blocks:
                for op in block:
                    name = op.symbol_name
                    if name is not None:
                        self._members[op] = name
                        self.by_name.setdefault(name, op)
        self.without_regions = [op for op in self.by_name.values() if not op.regions]

    def of_kind(self, name: str) -> dict[str, Operation]:
        """The symbols that are operations called ``name``, ``func.func`` for example; of equal names the first."""
        known = self._of_kind.get(name)
        if known is None:
            known = self._of_kind[name] = {}
            for op, symbol in self._members.items():
                if op.name == name:
                    known.setdefault(symbol, op)
        return known

    def hold(self) -> bool:
        """Whether nothing has moved into the table or out of it since this was last asked."""
        now = STRUCTURAL_CHANGES.count
        if now == self._structure_version:
            return True
        moved = STRUCTURAL_CHANGES.since(self._structure_version)
        self._structure_version = now
        return moved is not None and not any(op in self._members or op.parent_op is self.table for op in moved)


def symbols_in(table: Operation) -> Symbols:
    """The symbols of ``table`` as they are now; not to be changed."""
    return symbols_kept_of(table) or Symbols(table)


def symbols_kept_of(table: Operation) -> Symbols | None:
    """The symbols of ``table`` while passes run on the functions in it, else None; not to be changed."""
    if _kept is None or not shortcuts.enabled():
        return None
    known = _kept.get(table)
    if known is None or not known.hold():
        known = _kept[table] = Symbols(table)
    return known


@contextmanager
def kept_symbols() -> Iterator[None]:
    """Passes on functions run inside: what symbols there are around them is listed once."""
    global _kept
    before, _kept = _kept, {}
    try:
        with kept_changes():
            yield
    finally:
        _kept = before
