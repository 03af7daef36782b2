"""The sections of the page of a search: the answer, the front, decisions, known strategies, the limits of a step.

An outcome (``SearchResult.as_json``) becomes texts and bars; ``search_page`` puts them into ``assets/search.html``.
Names come from a program: they are shown as ``one_line`` writes them, and the template escapes them.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from math import isclose
from typing import Any, NamedTuple

from pyshardy.analysis.cost.hardware_files import hardware
from pyshardy.analysis.cost.preset_files import presets
from pyshardy.reading.sharding_files.writing import toml_tables, toml_text
from pyshardy.report.page.bars import cell_bar
from pyshardy.report.page.front_picture import Front, Mark
from pyshardy.report.search_tables import MEMORY_WORDS
from pyshardy.report.words import one_line, seconds_text, size_text

_LONGEST = 400
_SAME = 1e-6
"""Figures with a smaller relative difference are taken as equal."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Outcome = Mapping[str, Any]


class Row(NamedTuple):
    """A strategy in a table: its label in the picture, its name, whether it is a known one, its figures; ``ratio`` is
    the time of its step relative to the best."""

    label: str
    words: str
    is_known: bool
    seconds: str
    ratio: str
    peak: str
    fits: bool
    received: str


class Decision(NamedTuple):
    """A line of the file, and how much more a step takes without it, with bars."""

    pattern: str
    value: str
    seconds: str
    seconds_bar: str
    bytes: str
    bytes_bar: str


class Share(NamedTuple):
    """A part of a whole: its name, its amount as written, and how much of the whole it is."""

    name: str
    amount: str
    part: str


def shown(text: object) -> str:
    """A text of the program, shortened to one line."""
    return one_line(str(text), _LONGEST)


def front_of(outcome: Outcome, points: Sequence[tuple[float, float]]) -> Front:
    """The contents of the picture."""
    front = [
        Mark(str(number), shown(one["words"]), one["seconds"], one["peak"], f"#point={number}")
        for number, one in enumerate(outcome["pareto"], 1)
    ]
    known = [
        Mark(letters(number), shown(one["words"]), one["seconds"], one["peak"])
        for number, one in enumerate(outcome["experts"])
    ]
    pairs = zip(front, outcome["pareto"], strict=True)
    on_front = next((mark for mark, one in pairs if _costs_as_best(one, outcome)), None)
    alone = Mark("", shown(outcome["strategy"]), outcome["seconds"]["expected"], outcome["peak"], "#file")
    return Front(front, known, on_front or alone, points, outcome["limit"])


def best(outcome: Outcome) -> Mapping[str, Any]:
    """The best strategy."""
    return {
        "words": outcome["strategy"],
        "is_expert": any(_is_best(one, outcome) for one in outcome["experts"]),
        "seconds": outcome["seconds"]["expected"],
        "peak": outcome["peak"],
        "received": outcome["received"],
    }


def front_rows(outcome: Outcome) -> list[Row]:
    """The points of the front, numbered as in the picture."""
    return [_row(str(number), one, outcome) for number, one in enumerate(outcome["pareto"], 1)]


def compared_rows(outcome: Outcome) -> list[Row]:
    """The best strategy, then the known ones with the letters of the picture, then others that were costed as a
    whole."""
    known = [*zip(map(letters, itertools.count()), outcome["experts"], strict=False)]
    own = next((label for label, one in known if _is_best(one, outcome)), "")
    listed = [(own, best(outcome)), *(row for row in known if row[0] != own)]
    others = [one for one in outcome["tried"] if one not in outcome["experts"] and not _is_best(one, outcome)]
    return [_row(label, one, outcome) for label, one in [*listed, *(("", one) for one in others)]]


def letters(number: int) -> str:
    """``A`` to ``Z``, then ``AA``."""
    rest, last = divmod(number, len(_LETTERS))
    return (letters(rest - 1) if rest else "") + _LETTERS[last]


def decisions(outcome: Outcome) -> list[Decision]:
    """The lines of the file, the largest gain first: those that are indispensable, then by seconds."""
    gains = sorted(outcome["gains"], key=lambda one: (one["seconds"] is not None, -(one["seconds"] or 0.0)))
    most = {name: max((abs(one[name] or 0.0) for one in gains), default=0.0) for name in ("seconds", "bytes")}
    found = []
    for one in gains:
        says = shown(toml_text(one["value"]))
        if one["seconds"] is None:
            found.append(Decision(shown(one["pattern"]), says, "not possible", "", "", ""))
            continue
        bars = {name: cell_bar(one[name], most[name]) for name in most}
        seconds, size = _signed(one["seconds"], seconds_text), _signed(one["bytes"], size_text)
        found.append(Decision(shown(one["pattern"]), says, seconds, bars["seconds"], size, bars["bytes"]))
    return found


def step_parts(outcome: Outcome) -> list[tuple[str, float]]:
    """The parts of the time of a step, in seconds; none if it was not costed as a whole."""
    if not outcome["whole"]:
        return []
    waits = sorted(outcome["exposed_by_axes"].items(), key=lambda one: -one[1])
    return [
        ("computation", outcome["compute_seconds"]),
        *((f"waiting for collectives along {shown(axes)}", one) for axes, one in waits if one > 0),
    ]


def memory_parts(outcome: Outcome) -> list[tuple[str, float]]:
    """The parts of the memory at the peak, in bytes; none if it was not costed as a whole."""
    if not outcome["whole"]:
        return []
    return [(MEMORY_WORDS.get(name, name), amount) for name, amount in outcome["memory"].items()]


def shares(parts: Sequence[tuple[str, float]], text: Any) -> list[Share]:
    """Parts as texts, the amounts written by ``text``."""
    total = sum(amount for _, amount in parts) or 1.0
    return [Share(name, text(amount), f"{amount / total:.1%}") for name, amount in parts]


def file_text(text: str) -> str:
    """A sharding file as it is shown and copied: characters that a page would not show are escaped as in TOML strings,
    which does not change its meaning."""
    return "".join(one if one.isprintable() or one == "\n" else _escaped(ord(one)) for one in text)


def best_file(outcome: Outcome) -> str:
    """The sharding file of the best."""
    return file_text(
        f"# {shown(outcome['strategy'])}.\n\n"
        + toml_tables(outcome["mesh"], outcome["shardings"], clear=outcome["clear"], hardware=outcome["chosen_for"])
    )


def commands(outcome: Outcome) -> str:
    """Command lines that use the file."""
    name = next((one for one in presets() if hardware(one).name == outcome["hardware"]), "HARDWARE")
    return (
        f"pyshardy cost FILE --shardings found.toml --hardware {name}\n"
        "pyshardy check FILE --shardings found.toml\n"
        "pyshardy partition FILE --shardings found.toml"
    )


def mesh_words(outcome: Outcome) -> str:
    """``data=4, model=2``."""
    return shown(", ".join(f"{name}={size}" for name, size in outcome["mesh"].items()))


def _row(label: str, one: Mapping[str, Any], outcome: Outcome) -> Row:
    least = outcome["seconds"]["expected"]
    return Row(
        label,
        shown(one["words"]),
        bool(one["is_expert"]),
        seconds_text(one["seconds"]),
        f"{one['seconds'] / least:.2f} ×" if least else "",
        size_text(one["peak"]),
        one["peak"] <= outcome["limit"],
        size_text(one["received"]),
    )


def _is_best(one: Mapping[str, Any], outcome: Outcome) -> bool:
    return one["words"] == outcome["strategy"] and _costs_as_best(one, outcome)


def _costs_as_best(one: Mapping[str, Any], outcome: Outcome) -> bool:
    pairs = ((one["seconds"], outcome["seconds"]["expected"]), (one["peak"], outcome["peak"]))
    return all(isclose(own, other, rel_tol=_SAME) for own, other in pairs)


def _signed(figure: float, text: Any) -> str:
    return f"{'+' if figure >= 0 else '-'}{text(abs(figure))}"


def _escaped(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
