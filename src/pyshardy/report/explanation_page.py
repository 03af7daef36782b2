"""An explanation as HTML: ``_repr_html_`` of the answers of ``explain``.

Its texts are those of ``explanation_text``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyshardy.analysis.why.collective_reasons import Side
from pyshardy.analysis.why.edits import Edit
from pyshardy.analysis.why.explanation import CollectiveExplanation, Dimension, TensorExplanation
from pyshardy.ir.source_location import SourceLocation
from pyshardy.report.explanation_text import effect_text, step_text
from pyshardy.report.html_table import html_lines, html_table
from pyshardy.report.words import counted, short_name, size_text


def tensor_page(explanation: TensorExplanation) -> str:
    """The origin of each axis of a tensor, the blockers of others, its collectives, and edits."""
    title = f"{explanation.name}: {explanation.type}, {explanation.sharding or 'no sharding'}"
    lines = [explanation.description, _place(explanation.operation, explanation.location)]
    if explanation.local_type != explanation.type:
        lines.append(f"on a device {explanation.local_type}")
    chains = [row for dimension in explanation.dimensions for row in _chain_rows(dimension)]
    blockers = [
        (str(dimension.dim), one.axis.body_text, one.text)
        for dimension in explanation.dimensions
        for one in dimension.blockers
    ]
    moves = [
        (one.question, size_text(one.reason.collective.bytes), one.reason.location.place, one.reason.text)
        for one in explanation.moves
    ]
    return "".join(
        [
            html_lines(title, filter(None, lines)),
            html_table("why", ("dimension", "axis", "written on", "steps"), chains),
            html_table("why not", ("dimension", "axis", ""), blockers),
            html_table("goes through", ("", "bytes a device receives", "at", "why"), moves),
            _edits_table(explanation.edits),
        ]
    )


def collective_page(explanation: CollectiveExplanation) -> str:
    """The operation that needs a collective, the two shardings that conflict there, and edits that avoid it."""
    reason, collective = explanation.reason, explanation.reason.collective
    title = f"{explanation.question} {explanation.axes}, {counted(collective.group_size, 'device')} in a group"
    needed = _place(reason.operation.name if reason.operation is not None else "", reason.location)
    lines = [
        f"each device receives {size_text(collective.bytes)}",
        f"moves {explanation.tensor}" if explanation.tensor else "",
        f"needed by {needed}" if needed else "",
        reason.text,
    ]
    sides = [_side_row(one) for one in (reason.first, reason.second) if one is not None]
    return "".join(
        [
            html_lines(title, filter(None, lines)),
            html_table("what meets", ("tensor", "sharding", "axis", "", "steps"), sides),
            _edits_table(explanation.edits),
        ]
    )


def _place(operation: str, location: SourceLocation) -> str:
    where = " ".join(filter(None, (location.place, location.inner_scope)))
    return " at ".join(filter(None, (short_name(operation), where)))


def _chain_rows(dimension: Dimension) -> Iterator[tuple[str, ...]]:
    if not dimension.chains:
        yield str(dimension.dim), "", "not sharded", ""
    for chain in dimension.chains:
        origin = chain.origin
        written = f"{origin.text}: {origin.sharding.body_text}" if origin is not None else "made by the passes"
        yield str(dimension.dim), chain.axis.body_text, written, _steps_text(map(step_text, chain.steps))


def _steps_text(steps: Iterator[str]) -> str:
    return "; ".join(steps)


def _side_row(side: Side) -> tuple[str, ...]:
    axis = side.axis.body_text if side.axis is not None else ""
    steps = _steps_text(map(step_text, side.chain.steps)) if side.chain is not None else ""
    return side.tensor, side.sharding, axis, side.text, steps


def _edits_table(edits: Sequence[Edit]) -> str:
    rows = [(str(number), one.text, effect_text(one.effect)) for number, one in enumerate(edits, 1)]
    return html_table("what would change it (tried)", ("", "", ""), rows)
