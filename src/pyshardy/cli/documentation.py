"""Finds the pages of the documentation, in the sources or in the installed package.

``setup.py`` copies ``docs`` into what is built, so that there is one copy of each page; an installation that runs the
sources in place (``pip install -e``) reads those.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_PLACES = (_PACKAGE / "docs", _PACKAGE.parents[1] / "docs")
"""In a package that was built; beside the sources."""
_FENCE = re.compile(r"```.*?^```", re.MULTILINE | re.DOTALL)


def directory() -> Path | None:
    """Where the pages are; None if there are none."""
    return next((one for one in _PLACES if (one / "index.md").exists()), None)


def page_names(pages: Path) -> list[str]:
    """The names of all pages, as ``concepts/meshes``: those at the top first."""
    found = [path.relative_to(pages).with_suffix("").as_posix() for path in pages.rglob("*.md")]
    return sorted(found, key=lambda one: (one.count("/"), one))


def found_pages(pages: Path, topic: str) -> list[str]:
    """The pages that ``topic`` means: the one of that name (``limits``, ``docs/limits.md``), else those whose last part
    it is (``experts``), else those that have the word in their name or a heading."""
    names = page_names(pages)
    wanted = topic.removeprefix("docs/").removesuffix(".md").strip("/")
    if wanted in names:
        return [wanted]
    last = [one for one in names if one.rpartition("/")[2] == wanted]
    return last or [one for one in names if _speaks_of(pages, one, wanted.lower())]


def _speaks_of(pages: Path, name: str, word: str) -> bool:
    headings = [heading for _, heading in _headings(text_of(pages, name))]
    return any(word in one.lower() for one in (name, *headings))


def text_of(pages: Path, name: str) -> str:
    """The Markdown of a page."""
    return (pages / f"{name}.md").read_text(encoding="utf-8")


def title_of(text: str) -> str:
    """The title of a page."""
    return next((heading.replace("`", "") for _, heading in _headings(text)), "")


def section_of(text: str, anchor: str) -> str | None:
    """The part of a page below the heading that links call ``anchor``; None if it has none."""
    places = [(match.start(), len(match[1]), match[2]) for match in _heading_matches(text)]
    for number, (begin, level, heading) in enumerate(places):
        if anchor_of(heading) == anchor:
            ends = (place for place, other, _ in places[number + 1 :] if other <= level)
            return text[begin : next(ends, len(text))].rstrip() + "\n"
    return None


def anchors_of(text: str) -> Sequence[str]:
    """What links call the headings of a page."""
    return [anchor_of(heading) for _, heading in _headings(text)]


def anchor_of(heading: str) -> str:
    """What links call a heading: ``how-it-searches``."""
    return re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")


def _headings(text: str) -> list[tuple[int, str]]:
    return [(len(match[1]), match[2]) for match in _heading_matches(text)]


def _heading_matches(text: str) -> list[re.Match[str]]:
    """Those of headings, not of comments in programs."""
    blanked = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return list(re.finditer(r"^(#+) (.*)$", blanked, re.MULTILINE))
