"""The interface of operations' verifiers: how to reject an operation, and the symbols around it.

Dialects write their verifiers against this class; ``verifier`` walks a program and calls them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.opdef import SYMBOL_TABLE
from pyshardy.ir.operation import Operation
from pyshardy.ir.symbol_tables import Symbols, symbols_in
from pyshardy.ir.verifying.operation_diagnostics import quoting_note


class VerificationError(Exception):
    """One operation is wrong."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(str(diagnostics[0]))
        self.diagnostics = diagnostics


class Verification:
    """One verification of a module. ``memo`` serves verifiers whose answer depends only on immutable values."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.memo: dict[object, object] = {}
        self._symbols: dict[Operation, Symbols] = {}

    def error(self, op: Operation, *messages: str, prefix: bool = True, notes: Iterable[Diagnostic] = ()) -> NoReturn:
        """Rejects ``op``: ``'op.name' op message``, or the bare message, with the operation quoted in a note.

        Of several messages each is an error, and the last has the notes.
        """
        position = self.context.position(op.location)
        current = quoting_note(self.context, op)
        start = f"'{op.name}' op " if prefix else ""
        errors = [Diagnostic("error", position, start + message) for message in messages]
        errors[-1].notes += [current, *notes]
        raise VerificationError(*errors)

    def note(self, op: Operation, message: str) -> Diagnostic:
        """A note at ``op``, to hand to ``error``."""
        return Diagnostic("note", self.context.position(op.location), message)

    def symbols(self, op: Operation) -> dict[str, Operation]:
        """The symbols of the nearest symbol table around ``op`` (or of ``op``, if it is one)."""
        table: Operation | None = op
        while table is not None and not table.traits & SYMBOL_TABLE:
            table = table.parent_op
        if table is None:
            return {}
        return self.table_symbols(table).by_name

    def table_symbols(self, table: Operation) -> Symbols:
        """The symbols of the symbol table ``table``."""
        known = self._symbols.get(table)
        if known is None:
            known = self._symbols[table] = symbols_in(table)
        return known
