"""The page of a search: all that it names is there, and whatever a program calls its tensors stays text."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pyshardy.cli import main
from pyshardy.report.page.document import MissingExtra
from pyshardy.report.search_page import write_search_page
from tests.report.search_outcomes import FILES, MIB, MS, POINTS, Outcome, outcome, strategy


class _Reader(HTMLParser):
    """The texts, tags and attributes of a page, and the texts of its cells by rows."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.attributes: dict[str, set[str]] = {}
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value or "")
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] in ("style", "script") and self.cdata_elem:
            return
        self.texts.append(data)
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def page(found: Outcome, directory: Path, files: tuple[str, ...] = FILES) -> _Reader:
    reader = _Reader()
    reader.feed(write_search_page(found, files, POINTS, directory / "page.html"))
    reader.close()
    return reader


def test_everything_that_was_found_is_named(tmp_path: Path) -> None:
    read = page(outcome(), tmp_path)
    for text in (
        "FSDP on params/w",
        "NVIDIA H100 SXM, mesh data=4, model=2; searched for: least the expected time of a step",
        "peak 300.0 MiB of 400.0 MiB, 75%",
        "1.50 ms with all communication behind computation, 3.00 ms one after the other",
        "found in 80 evaluations, 1.2 s",
        "time was up at params/w",
        "Point 3 of 3",
        '[shardings] "third" = []',
        "computation is 75% of the step, waiting for collectives along data 20%",
        "waiting for collectives along model 100 µs, 5.0%",
        "what is saved for later 150.0 MiB, 50.0%",
        '"params/w" = ["data", {axes = "model", priority = 1}]',
        "pyshardy cost FILE --shardings found.toml --hardware h100",
        "pyshardy check FILE --shardings found.toml",
    ):
        assert text in read.text, text
    assert read.text.startswith("FSDP on params/w")


def test_the_page_is_what_was_written_and_the_same_each_time(tmp_path: Path) -> None:
    texts = [write_search_page(outcome(), FILES, POINTS, tmp_path / name) for name in ("a.html", "b.html")]
    assert texts[0] == texts[1] and texts[0].startswith("<!doctype html>")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes() == texts[0].encode()


def test_the_largest_gain_comes_first_and_what_is_needed_before_it(tmp_path: Path) -> None:
    rows = [[" ".join(cell.split()) for cell in row] for row in page(outcome(), tmp_path).rows]
    at = rows.index(["line", "says", "time without it", "peak without it"])
    assert [row[0] for row in rows[at + 1 : at + 4]] == ["needed", "params/w", "small"]
    assert rows[at + 1][1:3] == ['["model"]', "not possible"]
    assert rows[at + 2][2:] == ["+1.00 ms", "+64.0 MiB"] and rows[at + 3][2] == "-10.0 µs"


def test_the_best_stands_beside_known_strategies_and_then_all_others(tmp_path: Path) -> None:
    rows = [[" ".join(cell.split()) for cell in row] for row in page(outcome(limit=320), tmp_path).rows]
    at = next(number for number, row in enumerate(rows) if row[0] == "in the picture")
    assert [row[:4] + row[5:6] for row in rows[at + 1 : at + 5]] == [
        ["★ the best", "FSDP on params/w", "2.00 ms", "1.00 ×", "fits"],
        ["A", "Megatron on model (known)", "2.50 ms", "1.25 ×", "fits"],
        ["B", "ZeRO-1 on data (known)", "3.00 ms", "1.50 ×", "does not fit"],
        ["", "something else", "4.00 ms", "2.00 ×", "does not fit"],
    ]


def test_a_best_that_people_know_is_listed_once_with_its_letter(tmp_path: Path) -> None:
    found = outcome()
    best = strategy(found["strategy"], 2.0, 300, known=True)
    found["experts"] = [best, *found["experts"]]
    found["tried"][0] = best
    rows = [[" ".join(cell.split()) for cell in row] for row in page(found, tmp_path).rows]
    at = next(number for number, row in enumerate(rows) if row[0] == "in the picture")
    assert [row[0] for row in rows[at + 1 :]] == ["★ the best A", "B", "C", ""]
    assert rows[at + 1][1] == "FSDP on params/w (known)"


def test_what_does_not_fit_is_said_before_all_else(tmp_path: Path) -> None:
    read = page(outcome(limit=200), tmp_path)
    said = "does not fit: the peak of memory is 300.0 MiB, 100.0 MiB above the limit"
    # The title of the document, and then the first that stands in it.
    assert read.text.startswith(f"does not fit: FSDP on params/w {said} FSDP on params/w")
    assert said not in page(outcome(), tmp_path).text


_HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u202e"


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    found = outcome(_HOSTILE)
    found |= {"mesh": {_HOSTILE: 8}, "hardware": _HOSTILE, "exposed_by_axes": {_HOSTILE: 0.5 * MS}}
    found["experts"] = [strategy(_HOSTILE, 2.5, 280, known=True)]
    read = page(found, tmp_path, (_HOSTILE, _HOSTILE, _HOSTILE))
    assert "img" not in read.tags and read.tags.count("script") == 1
    assert not [name for name in read.attributes if name.startswith("on")] and "style" not in read.attributes
    assert all(one.startswith("#") for one in read.attributes["href"])
    html = (tmp_path / "page.html").read_text("utf-8")
    assert "\u202e" not in html and "<img" not in html
    # In tables, in the file, and in what a point is called.
    assert read.text.count("</script><img src=x onerror=alert(1)>") > 12
    assert any("</script><img src=x" in one for one in read.attributes["aria-label"])


def test_nothing_is_loaded_and_nothing_else_runs(tmp_path: Path) -> None:
    page(outcome(), tmp_path)
    html = (tmp_path / "page.html").read_text("utf-8")
    assert "default-src 'none'; script-src 'sha256-" in html
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", html)


def test_the_picture_has_the_limit_where_it_is_near(tmp_path: Path) -> None:
    near, far = page(outcome(), tmp_path), page(outcome(limit=80_000), tmp_path)
    assert "pattern" in near.tags and "limit 400.0 MiB" in near.texts
    assert "pattern" not in far.tags and "limit 78.1 GiB →" in far.texts


def test_what_was_tried_far_from_the_front_is_shown_when_it_is_asked_for(tmp_path: Path) -> None:
    read = page(outcome(), tmp_path)
    assert "all that was tried: 2 far from the front" in read.text
    assert {"front near wide", "front near narrow", "front all wide", "front all narrow"} <= read.attributes["class"]


def test_a_best_that_is_not_on_the_front_leads_to_its_file(tmp_path: Path) -> None:
    found = outcome()
    found["pareto"] = [strategy("faster", 1.0, 310), *found["pareto"][1:]]
    read = page(found, tmp_path)
    assert "#file" in read.attributes["href"] and "(best): FSDP on params/w: 2.00 ms" in " ".join(
        read.attributes["aria-label"]
    )
    assert "#file" not in page(outcome(), tmp_path).attributes["href"]


def test_little_to_show_is_a_page_too(tmp_path: Path) -> None:
    found = outcome()
    found |= {"pareto": [], "experts": [], "tried": [], "gains": [], "notes": [], "exposed_by_axes": {}}
    text = write_search_page(found, (), (), tmp_path / "page.html")
    assert "Point 1" not in text and "What each line gains" not in text and "2.00 ms" in text


def test_figures_that_are_none_are_no_dots(tmp_path: Path) -> None:
    points = [*POINTS, (float("inf"), 1.0), (float("nan"), MIB)]
    assert "nan" not in write_search_page(outcome(), FILES, points, tmp_path / "page.html").split("<script>")[0]


@pytest.mark.parametrize("package", ["jinja2", "svg"])
def test_without_its_packages_it_says_what_to_install(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(
        MissingExtra, match=re.escape("a report needs jinja2 and svg.py: pip install 'pyshardy[report]'")
    ):
        write_search_page(outcome(), FILES, POINTS, tmp_path / "page.html")
    assert not list(tmp_path.iterdir())


def test_the_command_says_so_before_it_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    target = tmp_path / "page.html"
    assert main.run(["search", "missing.mlir", "--hardware", "h100x8", "--report", str(target)]) == 1
    assert capsys.readouterr().err.startswith("pyshardy: a report needs jinja2 and svg.py: pip install")
    assert not target.exists()


def test_after_an_interrupt_the_page_says_what_is_not_known(tmp_path: Path) -> None:
    unknown = {"whole": False, "compute_seconds": None, "exposed_by_axes": None, "memory": None}
    read = page(outcome() | unknown, tmp_path)
    assert "is known when it is costed as a whole" in read.text
    assert "Memory at the peak" not in read.text
