"""The committed example programs: every pipeline of passes agrees with the reference on each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.pipelines import PIPELINES, NamedPipeline
from tests.differential.reference import compare

# Some pipelines differ in the random programs that they are tried on alone.
DIFFERENT = {pipeline.text: pipeline for pipeline in PIPELINES.values()}.values()
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))


@pytest.mark.parametrize("pipeline", DIFFERENT, ids=lambda pipeline: pipeline.name)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_comes_out_as_from_the_reference(example: Path, pipeline: NamedPipeline) -> None:
    outcome = compare(example.read_text(), pipeline.text)
    assert outcome.agrees, outcome
