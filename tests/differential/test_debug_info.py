"""What propagation writes down about itself: origins and edges are those of the reference, on every kind of program.

Where the reference names an arbitrary one of several sources first, the order does not count. It crashes on many
programs with shardings on plain operations, and rejects what it wrote on the edges of loops.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.fuzz import try_program
from tests.differential.jax_programs import PROGRAMS
from tests.differential.pipelines import PIPELINES, NamedPipeline
from tests.differential.reference import Verdict, assert_agree
from tests.sampling import sampled

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))
DEBUGGING = [pipeline for name, pipeline in PIPELINES.items() if name.startswith("debug")]
RANDOM_PROGRAMS = 20


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_traced_as_by_the_reference(example: Path) -> None:
    text = example.read_text()
    assert_agree({pipeline.name: (text, pipeline.text) for pipeline in DEBUGGING})


@pytest.mark.parametrize("name", sampled(PROGRAMS, 3))
def test_a_jax_program_is_traced_as_by_the_reference(name: str) -> None:
    text = PROGRAMS[name]()
    tried = ["debug", "debug-origins", "debug-edges"]
    assert_agree({pipeline: (text, PIPELINES[pipeline].text) for pipeline in tried})


@pytest.mark.parametrize("pipeline", sampled(DEBUGGING, 2), ids=lambda one: one.name)
def test_random_programs_are_traced_as_by_the_reference(pipeline: NamedPipeline) -> None:
    findings = [try_program(seed, pipeline) for seed in range(RANDOM_PROGRAMS)]
    assert all(finding.outcome.agrees for finding in findings), "\n\n".join(
        str(finding) for finding in findings if not finding.outcome.agrees
    )
    equal = sum(finding.outcome.verdict is Verdict.EQUAL for finding in findings)
    assert equal > RANDOM_PROGRAMS // 2, "the reference failed on most of them, so nothing was compared"
