"""The views of the report page, and the page of the documentation that lists them."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

_SCRIPT = (files("pyshardy.report.page") / "assets" / "main.js").read_text("utf-8")
_PAGE = Path(__file__).parents[3] / "docs" / "report.md"


def test_the_page_lists_every_view() -> None:
    titles = re.findall(r'title: "([^"]+)"', _SCRIPT)
    rows = re.findall(r"^\| ([A-Z][\w ]+) \|", _PAGE.read_text(), re.MULTILINE)
    assert len(titles) > 5
    assert rows == titles, "each view has a row in docs/report.md, in the order of the tabs"
