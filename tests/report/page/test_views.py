"""The views of the report page, and the page of the documentation that lists them."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from pyshardy.report.page.page import _SCRIPTS

_ASSETS = files("pyshardy.report.page") / "assets"
_SCRIPT = (_ASSETS / "main.js").read_text("utf-8")
_PAGE = Path(__file__).parents[3] / "docs" / "report.md"


def test_the_page_lists_every_view() -> None:
    titles = re.findall(r'title: "([^"]+)"', _SCRIPT)
    rows = re.findall(r"^\| ([A-Z][\w ]+) \|", _PAGE.read_text(), re.MULTILINE)
    assert len(titles) > 5
    assert rows == titles, "each view has a row in docs/report.md, in the order of the tabs"


def test_every_view_is_drawn_by_a_function_of_the_page() -> None:
    """A view whose file is not listed leaves the page empty, which only a browser would show."""
    drawing = re.findall(r"draw: (\w+)", _SCRIPT)
    assert len(drawing) > 5 and len(drawing) == _SCRIPT.count("title: ")
    functions = {name for one in _SCRIPTS for name in re.findall(r"^function (\w+)", _text(one), re.MULTILINE)}
    missing = [name for name in drawing if name not in functions]
    assert not missing, f"no file in _SCRIPTS of report/page/page.py has `function {missing[0]}()`: list its file there"


def test_every_script_is_on_a_page() -> None:
    """Files of the pages of a search and of the workbench are listed there."""
    others = {"search.js", "workbench.js", "workbench_state.js"}
    present = {one.name for one in _ASSETS.iterdir() if one.name.endswith(".js")}
    assert present - others == set(_SCRIPTS), "list each script in _SCRIPTS of report/page/page.py"
    assert _SCRIPTS[-1] == "main.js"


def _text(script: str) -> str:
    return (_ASSETS / script).read_text("utf-8")
