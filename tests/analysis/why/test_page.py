"""docs/explain.md and docs/json.md list what there is: every cause, every kind of edit, every key of the JSON."""

import json
import re
from pathlib import Path

from pyshardy import load
from pyshardy.analysis.why import edits
from pyshardy.analysis.why import failed_conditions as failed
from pyshardy.analysis.why.annotations import ORIGIN_KINDS
from pyshardy.analysis.why.chains import DIRECTIONS
from pyshardy.analysis.why.conflicts import find_conflicts
from pyshardy.analysis.why.explainer import Explainer

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "explain.md").read_text()
JSON = (ROOT / "docs" / "json.md").read_text()


def table(heading: str) -> list[tuple[str, str]]:
    """The rows of the first table under a heading."""
    under = PAGE[PAGE.index(f"## {heading}\n") :]
    lines = under[under.index("| --- | --- |\n") :].split("\n\n")[0].splitlines()[1:]
    return [(row[0], row[1]) for row in (re.findall(r"(?<=\| ).*?(?= \|)", line) for line in lines)]


def keys(value: object) -> set[str]:
    """All keys anywhere in plain values."""
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values())) if value else set()
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


def test_the_causes_are_those_of_the_page() -> None:
    assert table("Why not") == list(failed.CAUSES.items())


def test_the_kinds_of_edits_are_those_of_the_page() -> None:
    assert table("What would change it") == list(edits.EDIT_KINDS.items())


def test_kinds_and_directions_are_those_of_the_schema() -> None:
    for words in (ORIGIN_KINDS, DIRECTIONS):
        assert " | ".join(f'"{one}"' for one in words) in JSON


def test_the_schemas_have_every_key_and_no_other() -> None:
    explainer = Explainer(load(ROOT / "examples" / "transformer_fsdp.mlir"))
    answers = [*explainer.explain("params['layers'][0]['up']"), *explainer.explain("all_gather:5")]
    answers += explainer.explain("%87", edits=False)
    found = keys([one.as_json() for one in answers])
    found |= keys(find_conflicts(explainer, edits=False).as_json()) | {"notes"}
    schemas = JSON[JSON.index("## explain") : JSON.index("## cost")] + JSON[JSON.index("PLACE") : JSON.index("TRAFFIC")]
    assert found == set(re.findall(r'"(\w+)":', schemas)) - {"schema"}
    json.dumps([one.as_json() for one in answers])
