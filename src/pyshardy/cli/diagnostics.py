"""Formats diagnostics for a terminal: place, severity, message, the source line and a caret."""

from __future__ import annotations

from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.source_text import SourceText

_LONGEST_LINE = 1000
_BESIDE_CARET = 200


def diagnostic_text(diagnostic: Diagnostic, source: SourceText | None, *, repeat_place: bool = True) -> str:
    """``file:line:col: error: message`` with the source line below it, notes after it, without a final newline.

    Of a line of more than a thousand characters only the neighbourhood of the caret is shown. Without ``repeat_place``
    notes at the place of their diagnostic do not show the line again.
    """
    position = diagnostic.position
    place = str(position) if position.line else "<unknown>:0"
    lines = [f"{place}: {diagnostic.severity}: {diagnostic.message}"]
    text = source.line(position.line) if source is not None and position.filename == source.filename else None
    if text is not None and position.column:
        lines += _with_caret(text, position.column - 1)
    for note in diagnostic.notes:
        known = not repeat_place and note.position == position
        lines.append(diagnostic_text(note, None if known else source, repeat_place=repeat_place))
    return "\n".join(lines)


def _with_caret(text: str, column: int) -> tuple[str, str]:
    """The line and the line with the caret below it; ``column`` counts bytes from 0."""
    before = text[:column]
    if not before.isascii():
        before = text.encode("utf-8", "surrogateescape")[:column].decode("utf-8", "replace")
    if len(text) > _LONGEST_LINE:
        start, stop = max(0, len(before) - _BESIDE_CARET), len(before) + _BESIDE_CARET
        lead = "…" if start else ""
        text = lead + text[start:stop] + ("…" if stop < len(text) else "")
        before = lead + before[start:]
    return text, "".join("\t" if character == "\t" else " " for character in before) + "^"
