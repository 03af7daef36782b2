"""Diagnostics about an operation: at its place, with a note that quotes it, as MLIR's ``emitError`` gives them."""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.operation import Operation

_SEE = "see current operation: "


def quoting_note(context: Context, op: Operation, *, generic: bool = True) -> Diagnostic:
    """``see current operation: …``; an operation of several lines begins on a line of its own."""
    from pyshardy.ir.printing.program_text import quoted_operation

    quoted = quoted_operation(op, generic=generic)
    if "\n" in quoted:
        quoted = "\n  " + quoted.replace("\n", "\n  ") if generic else "\n" + quoted
    return Diagnostic("note", context.position(op.location), f"{_SEE}{quoted}")


def bare_quoting_note(context: Context, op: Operation) -> Diagnostic:
    """The operation in pretty form and nothing else, as some warnings have it."""
    from pyshardy.ir.printing.program_text import quoted_operation

    quoted = quoted_operation(op, generic=False)
    return _BareQuote("note", context.position(op.location), "\n" + quoted if "\n" in quoted else quoted)


class _BareQuote(Diagnostic):
    """A note that is nothing but an operation."""

    __slots__ = ()


def quotes_operation(note: Diagnostic) -> bool:
    """Whether ``note`` was made by ``quoting_note`` or ``bare_quoting_note``."""
    return isinstance(note, _BareQuote) or note.message.startswith(_SEE)


def emit_at(
    context: Context, severity: str, op: Operation, message: str, notes: Iterable[Diagnostic] = ()
) -> Diagnostic:
    """Records a diagnostic about ``op``; errors quote it in generic form, others in pretty form."""
    note = quoting_note(context, op, generic=severity == "error")
    return context.emit(severity, op.location, message, [note, *notes])
