"""The example of docs/dialects.md does what the page says, and the page shows what stands in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pyshardy
from pyshardy.extend import load_plugin
from pyshardy.versions import is_compiled

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "dialect"


def test_the_page_shows_what_stands_in_the_example() -> None:
    page, plugin = (ROOT / "docs" / "dialects.md").read_text(), (EXAMPLE / "loom.py").read_text()
    blocks = re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 10
    assert [block for block in blocks if block not in plugin and not block.startswith("lambda ")] == []


@pytest.mark.parametrize("name", ["step.mlir", "ring.mlir"])
def test_its_programs_are_partitioned_right(name: str) -> None:
    load_plugin(str(EXAMPLE / "loom.py"))
    plan = pyshardy.partition(pyshardy.load(EXAMPLE / name))
    report = plan.check()
    assert all(one.verdict.value == "equal" for one in report.results) and "exact evaluation" in str(report)


@pytest.mark.skipif(is_compiled(), reason="compiled classes do not list their fields")
def test_the_page_names_every_field_of_a_row_and_every_trait() -> None:
    from pyshardy import extend
    from pyshardy.ir.opdef import OpDef

    page = (ROOT / "docs" / "dialects.md").read_text()
    # What our own dialects need and nobody from outside has to know.
    own = {"argument_names", "default_dialect", "defaults", "elides", "kinds", "name", "result_names", "rules"}
    own |= {"symbol_verifiers", "types_alike"}
    assert [field for field in OpDef.__slots__ if field not in own and f"`{field}`" not in page] == []
    assert [name for name in extend.__all__ if name not in page and name not in _BESIDES] == []


_BESIDES = {"COMMUTATIVE", "enum_case", "integer", "integer_elements", "integers"}
"""What is for those who have read more than this page."""
