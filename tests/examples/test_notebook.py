"""The notebook of the examples runs, and what stands in it is what comes out."""

from __future__ import annotations

import re
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbclient", reason="the notebook needs nbclient and ipykernel: pip install 'pyshardy[test]'")
pytest.importorskip("ipykernel", reason="the notebook needs nbclient and ipykernel: pip install 'pyshardy[test]'")

from tests.examples.notebook import PATH, executed, stored

_NUMBER = re.compile(r"\d+(\.\d+)?")


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(_NUMBER.sub("0", data).replace("0 runs", "0 run"))


def shown(notebook: Any) -> list[list[str]]:
    """The texts of what each cell shows, whatever the numbers in them are."""
    found = []
    for cell in notebook.cells:
        texts = _Texts()
        for output in cell.get("outputs", ()):
            assert output["output_type"] in ("execute_result", "display_data"), output
            texts.feed(output["data"]["text/html"])
        found.append(texts.found)
    return found


@pytest.mark.slow
def test_the_notebook_shows_what_comes_out() -> None:
    before = stored()
    after = shown(executed(before))
    assert after == shown(before)
    assert sum(map(bool, after)) == sum(cell.cell_type == "code" for cell in before.cells)


def test_the_notebook_is_small_and_names_no_machine() -> None:
    text = PATH.read_text()
    assert len(text) < 50_000
    assert tempfile.gettempdir() not in text and str(Path.home()) not in text
