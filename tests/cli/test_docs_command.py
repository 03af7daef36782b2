"""``pyshardy docs`` prints what stands in ``docs``, whole or by section, and finds pages by words."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy.cli import documentation, main
from pyshardy.cli.explaining_pages import PAGES, address

DOCS = Path(__file__).parents[2] / "docs"
Captured = pytest.CaptureFixture[str]


def printed(captured: Captured, *arguments: str) -> str:
    assert main.run(["docs", *arguments]) == 0
    return captured.readouterr().out


def test_all_pages_are_listed_with_their_titles(capsys: Captured) -> None:
    lines = printed(capsys).splitlines()
    names = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    assert names == {line.split()[0] for line in lines[:-2]}
    assert all(len(line.split(maxsplit=1)) == 2 for line in lines[:-2])


@pytest.mark.parametrize("name", ["limits", "limits.md", "docs/limits.md", "docs/limits"])
def test_a_page_elsewhere_than_in_a_terminal_is_its_markdown(name: str, capsys: Captured) -> None:
    assert printed(capsys, name) == (DOCS / "limits.md").read_text()


def test_a_section_ends_before_the_next(capsys: Captured) -> None:
    page, text = (DOCS / "cost.md").read_text(), printed(capsys, "cost#hardware")
    assert text.startswith("## Hardware\n") and text in page
    following = page[page.index(text) + len(text) :].lstrip()
    assert following.startswith("## ")


def test_comments_of_programs_are_no_headings() -> None:
    text = "# Title\n```python\n# no heading\n```\n## A `part`, of two\nyes\n### Below\nmore\n## Next\n"
    assert documentation.title_of(text) == "Title"
    assert documentation.anchors_of(text) == ["title", "a-part-of-two", "below", "next"]
    assert documentation.section_of(text, "a-part-of-two") == "## A `part`, of two\nyes\n### Below\nmore\n"
    assert documentation.section_of(text, "no-heading") is None


def test_words_find_pages(capsys: Captured) -> None:
    assert printed(capsys, "all-gather") == (DOCS / "how-to" / "all-gather.md").read_text()
    # One by its whole name comes before one by its last part.
    assert printed(capsys, "rules") == (DOCS / "rules.md").read_text()
    several = printed(capsys, "strateg").splitlines()
    assert len(several) > 3 and several[-1] == "pyshardy docs PAGE prints one of these"


def test_what_is_not_there_is_said_with_what_may_be_meant(capsys: Captured) -> None:
    assert main.run(["docs", "limit5"]) == 1
    assert "is 'limits' meant? pyshardy docs lists all" in capsys.readouterr().err
    assert main.run(["docs", "reference/sdy-opt.md"]) == 1
    assert "a page of the site alone, made from the code: " in capsys.readouterr().err
    assert main.run(["docs", "cost#hardwares"]) == 1
    assert "hardware" in capsys.readouterr().err


@pytest.mark.parametrize("page", dict.fromkeys(PAGES.values()))
def test_what_messages_name_is_a_command_that_prints_something(page: str, capsys: Captured) -> None:
    program, *arguments = address(page).split()
    assert program == "pyshardy" and main.run(arguments) == 0
    assert capsys.readouterr().out.startswith("#")


def test_a_terminal_gets_it_laid_out(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    text = printed(capsys, "limits")
    assert "Limits" in text and not text.startswith("# ")


def test_an_installation_without_pages_says_so(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documentation, "_PLACES", ())
    assert main.run(["docs"]) == 1
    assert "has no documentation" in capsys.readouterr().err
