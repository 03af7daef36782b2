"""Diagnostics as a person reads them in a terminal: place, severity, message, the source line and a caret."""

from __future__ import annotations

from pyshardy.ir.context import Diagnostic, SourceText


def diagnostic_text(diagnostic: Diagnostic, source: SourceText | None) -> str:
    """``file:line:col: error: message`` with the source line below it, notes after it, without a final newline."""
    position = diagnostic.position
    place = str(position) if position.line else "<unknown>:0"
    lines = [f"{place}: {diagnostic.severity}: {diagnostic.message}"]
    text = source.line(position.line) if source is not None and position.filename == source.filename else None
    if text is not None and position.column:
        lead = text.encode("utf-8", "surrogateescape")[: position.column - 1].decode("utf-8", "replace")
        lines.append(text)
        lines.append("".join("\t" if character == "\t" else " " for character in lead) + "^")
    lines += [diagnostic_text(note, source) for note in diagnostic.notes]
    return "\n".join(lines)
