"""The benchmark's figures as tables: pure, compiled and C++ side by side, for a terminal and for ``docs/speed.md``.

Left of this file stands ``figures``, which names each figure; ``__main__`` prints the tables, and ``python -m
benchmarks.table`` writes those of the stored figures into the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, Figures

PAGE = Path(__file__).parent.parent / "docs" / "speed.md"
_BEGIN, _END = "<!-- figures -->\n", "<!-- end of figures -->\n"

_NAME = re.compile(
    r"(?P<program>.+), (?P<passes>\w+), (?P<kind>first call|steady state), verifier (?P<verifier>on|off)"
    r"(?P<what>, whole process|, memory)?(?P<compiled>, compiled)?"
)
_TITLES = {
    "first call": ("First call in a fresh process: parse, passes, print", "ms", 1e3),
    "steady state": ("Later calls in one process", "ms", 1e3),
    "whole process": ("Whole process: start of Python, imports, the call", "ms", 1e3),
    "memory": ("Most memory of the process", "MB", 1.0),
}
_TEXT = re.compile(r"text: (?P<text>.+), (?P<what>parse|print|memory)")
_TEXTS = "Large texts, read and printed once in a fresh process"
_ALONE = "Ours alone, first call in a fresh process"
_NONE = "—"


def tables(figures: Figures) -> str:
    """All figures as Markdown tables, one a kind of measurement."""
    compared: dict[str, dict[tuple[str, str, str], dict[str, Figure]]] = {kind: {} for kind in _TITLES}
    alone: dict[str, dict[str, float]] = {}
    texts: dict[str, dict[str, Figure]] = {}
    for name, figure in figures.rows.items():
        text = _TEXT.fullmatch(name)
        if text is not None:
            texts.setdefault(text["text"], {})[text["what"]] = figure
            continue
        found = _NAME.fullmatch(name)
        if found is None:
            program, _, what = name.removesuffix(", compiled").partition(", ")
            side = "compiled" if name.endswith(", compiled") else "pure"
            alone.setdefault(program, {})[f"{what or 'seconds'} {side}"] = figure.ours
            continue
        kind = (found["what"] or f", {found['kind']}").removeprefix(", ")
        row = (found["program"], found["passes"], found["verifier"])
        compared[kind].setdefault(row, {})["compiled" if found["compiled"] else "pure"] = figure
    blocks = [*(_compared(*_TITLES[kind], rows) for kind, rows in compared.items() if rows)]
    if texts:
        blocks.append("\n".join([f"{_TEXTS}:", "", *_of_texts(texts)]))
    if alone:
        blocks.append("\n".join([f"{_ALONE}:", "", *_alone(alone)]))
    return "\n\n".join(blocks) + "\n"


def _compared(title: str, unit: str, scale: float, rows: dict[tuple[str, str, str], dict[str, Figure]]) -> str:
    lines = [
        f"{title}, {unit}:",
        "",
        "| program | passes | verifier | pure | compiled | C++ | pure : C++ | compiled : C++ |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for (program, passes, verifier), sides in sorted(rows.items(), key=lambda row: _natural(", ".join(row[0]))):
        pure, compiled = sides.get("pure"), sides.get("compiled")
        theirs = pure.theirs if pure is not None else None
        cells = [
            program,
            passes,
            verifier,
            *(_NONE if one is None else f"{one.ours * scale:.0f}" for one in (pure, compiled)),
            _NONE if theirs is None else f"{theirs * scale:.0f}",
            *(_NONE if one is None or one.theirs is None else f"{one.ratio:.2f}" for one in (pure, compiled)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _of_texts(rows: dict[str, dict[str, Figure]]) -> Iterator[str]:
    yield "| text | parse, s | C++ | print, s | C++ | memory, MB | C++ |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for text, found in rows.items():
        cells = [text]
        for what, digits in (("parse", 1), ("print", 1), ("memory", 0)):
            one = found.get(what)
            for value in (one.ours, one.theirs) if one is not None else (None, None):
                cells.append(_NONE if value is None else f"{value:.{digits}f}")
        yield f"| {' | '.join(cells)} |"


def _alone(rows: dict[str, dict[str, float]]) -> Iterator[str]:
    yield "| program | pure, ms | compiled, ms | pure, MB | compiled, MB |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for program, found in sorted(rows.items(), key=lambda row: _natural(row[0])):
        columns = (("seconds pure", 1e3), ("seconds compiled", 1e3), ("memory pure", 1.0), ("memory compiled", 1.0))
        cells = [f"{found[key] * scale:.0f}" if key in found else _NONE for key, scale in columns]
        yield f"| {program} | {' | '.join(cells)} |"


def _natural(name: str) -> list[tuple[str, int]]:
    """Numbers in names are sorted as numbers, behind what they count."""
    words = re.sub(r"\d+", "", name)
    return [(words, 0), *(("", int(number)) for number in re.findall(r"\d+", name))]


def written(page: str, figures: Figures) -> str:
    """The text of ``page`` with the tables of ``figures`` between its marks."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\nMeasured {figures.made}.\n\n{tables(figures)}\n{_END}{after}"


def main() -> None:
    """Writes the stored figures into the page."""
    PAGE.write_text(written(PAGE.read_text(), Figures.stored()))


if __name__ == "__main__":
    main()
