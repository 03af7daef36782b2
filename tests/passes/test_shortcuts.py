"""No shortcut can be seen in what comes out: texts, the order of uses and diagnostics are those of the plain way."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import PyshardyError, parse, run_passes
from pyshardy.ir.shortcuts import enabled, without_shortcuts
from tests.differential.pipelines import PIPELINES
from tests.generator import random_program
from tests.sampling import sampled
from tests.use_order import uses_by_number

EXAMPLES = sorted(Path("examples").glob("*.mlir"))
WHOLE_WAY = (
    "builtin.module(sdy-propagation-pipeline,"
    "func.func(sdy-insert-explicit-reshards{enable-full-version=true},sdy-reshard-to-collectives))"
)


def outcome(program: str, pipeline: str) -> tuple[object, ...]:
    """All that can be seen of a run."""
    module = parse(program)
    try:
        run_passes(module, pipeline)
    except PyshardyError as error:
        return (str(error),)
    return str(module), uses_by_number(module.op), [str(one) for one in module.context.diagnostics]


def assert_same(program: str, pipeline: str) -> None:
    """The outcome with shortcuts is the one without."""
    assert enabled()
    short = outcome(program, pipeline)
    with without_shortcuts():
        assert not enabled()
        assert outcome(program, pipeline) == short


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_come_out_the_same(path: Path) -> None:
    assert_same(path.read_text(), WHOLE_WAY)


@pytest.mark.parametrize("seed", sampled(range(150), 2))
def test_random_programs_come_out_the_same(seed: int) -> None:
    pipeline = list(PIPELINES.values())[seed % len(PIPELINES)]
    assert_same(random_program(seed, pipeline.features), pipeline.text)


@pytest.mark.parametrize("seed", sampled(range(60), 2))
def test_random_programs_take_the_whole_way_to_the_same_end(seed: int) -> None:
    assert_same(random_program(seed), WHOLE_WAY)
