"""The result of a search as one page for a browser.

It begins with the strategy and whether it fits. Then follow the front of time against memory, with the sharding file of
each point; the gain of each line of the best file; known strategies; the limits of a step; and the file itself.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyshardy.ir.whole_files import write_whole
from pyshardy.report.page.document import environment, filled
from pyshardy.report.search_tables import limits_text, misfit_text
from pyshardy.report.words import counted, seconds_text, size_text

if TYPE_CHECKING:
    from pyshardy.report.page.front_picture import Front

_WIDE, _NARROW = (760, 430), (340, 330)
"""The sizes of the picture for a wide and a narrow window; the style shows one of them."""
_OBJECTIVES = {
    "expected": "the expected time of a step",
    "no-overlap": "the time of a step without overlap",
    "overlap": "the time of a step with full overlap",
    "memory": "the peak of memory",
}


def write_search_page(
    outcome: Mapping[str, Any],
    files: Sequence[str],
    points: Sequence[tuple[float, float]],
    path: str | os.PathLike[str],
) -> str:
    """Writes the page to ``path``: ``outcome`` is ``SearchResult.as_json(with_gains=True)``, ``files`` the sharding
    file of each point of its front, ``points`` the seconds and bytes of all strategies that were tried. Returns the
    page.

    Raises:
        ImportError: packages of ``pyshardy[report]`` are not installed.
        OSError: it cannot be written.
    """
    text = _page_text(outcome, files, points)
    write_whole(path, text.encode())
    return text


def _page_text(outcome: Mapping[str, Any], files: Sequence[str], points: Sequence[tuple[float, float]]) -> str:
    templates = environment()
    from markupsafe import Markup as safe

    from pyshardy.report.page import search_sections as sections
    from pyshardy.report.page.bars import limit_bar, numbered_bar

    front = sections.front_of(outcome, points)
    rows = sections.front_rows(outcome)
    step, memory = sections.step_parts(outcome), sections.memory_parts(outcome)
    seconds, fits = outcome["seconds"], outcome["fits"]
    return filled(
        templates,
        "search.html",
        ("page.css", "search.css"),
        ("search.js",),
        strategy=sections.shown(outcome["strategy"]),
        misfit="" if fits else misfit_text(outcome),
        hardware=sections.shown(outcome["hardware"]),
        mesh=sections.mesh_words(outcome),
        objective=_OBJECTIVES.get(outcome["objective"], sections.shown(outcome["objective"])),
        fits=fits,
        peak=size_text(outcome["peak"]),
        limit=size_text(outcome["limit"]),
        limit_part=f"{outcome['peak'] / (outcome['limit'] or 1.0):.0%}",
        limit_bar=safe(limit_bar(outcome["peak"], outcome["limit"])),
        seconds={name: seconds_text(one) for name, one in seconds.items()},
        received=size_text(outcome["received"]),
        tried=counted(outcome["evaluations"], "evaluation"),
        took=f"{outcome['search_seconds']:.1f} s",
        notes=[sections.shown(one) for one in outcome["notes"]],
        pictures=[safe(one) for one in _pictures(front)],
        out_of_sight=front.out_of_sight,
        points=[(row, sections.file_text(text)) for row, text in zip(rows, files, strict=True)],
        best_point=front.best.label,
        decisions=[
            one._replace(seconds_bar=safe(one.seconds_bar), bytes_bar=safe(one.bytes_bar))
            for one in sections.decisions(outcome)
        ],
        compared=sections.compared_rows(outcome),
        limits=sections.shown(limits_text(outcome).removeprefix("what limits it: ")),
        splits=[
            (title, safe(numbered_bar(parts)), sections.shares(parts, text))
            for title, parts, text in (
                ("Time of a step", step, seconds_text),
                ("Memory at the peak", memory, size_text),
            )
            if parts
        ],
        file=sections.best_file(outcome),
        commands=sections.commands(outcome),
    )


def _pictures(front: Front) -> list[str]:
    """A picture of the front, and one of all strategies that were tried, if there are others."""
    ranges = {"near": front} | ({"all": replace(front, everything=True)} if front.out_of_sight else {})
    sizes = {"wide": _WIDE, "narrow": _NARROW}
    return [one.picture(f"{name} {width}", *size) for name, one in ranges.items() for width, size in sizes.items()]
