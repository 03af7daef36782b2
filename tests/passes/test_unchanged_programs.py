"""What a pass says about whether it has changed the program: the verifier is spared where it says no."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import pyshardy
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, PassFailure, Pipeline
from pyshardy.ir.pipeline_text import parse_pipeline
from pyshardy.ir.printing.program_text import operation_text
from tests.differential.pipelines import PIPELINES
from tests.generator import random_program
from tests.sampling import sampled
from tests.use_order import uses_by_number

_EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))
_SEEDS = range(5000, 5002)


def _runs(pipeline: Pipeline, op: Operation) -> Iterator[tuple[Pass, Operation]]:
    for item in pipeline.items:
        if isinstance(item, Pass):
            yield item, op
        else:
            for nested in [one for one in op.body if one.name == item.anchor]:
                yield from _runs(item, nested)


def _liars(text: str, pipeline: str) -> Iterator[str]:
    """The passes of `pipeline` that say of `text`, as it reaches them, that they left it alone and did not."""
    module = pyshardy.parse(text)
    before: tuple[object, ...] | None = None
    for one, op in _runs(parse_pipeline(pipeline), module.op):
        before = before or (operation_text(module.op, generic=True), uses_by_number(module.op))
        try:
            answer = one.apply(op, module.context)
        except (PassFailure, pyshardy.PyshardyError):
            return
        if answer is not False:
            before = None
            continue
        after = operation_text(module.op, generic=True), uses_by_number(module.op)
        if after != before:
            yield one.text()
        before = after


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(PIPELINES, 4))
def test_a_pass_that_says_that_nothing_has_changed_is_right(name: str) -> None:
    pipeline = PIPELINES[name]
    for seed in _SEEDS:
        text = random_program(seed, pipeline.features)
        assert not list(_liars(text, pipeline.text)), f"seed {seed}"


@pytest.mark.slow
@pytest.mark.parametrize("path", _EXAMPLES, ids=[path.stem for path in _EXAMPLES])
def test_no_pass_lies_about_an_example(path: Path) -> None:
    assert not list(_liars(path.read_text(), PIPELINES["whole"].text))


def test_passes_that_find_nothing_to_do_say_so() -> None:
    module = pyshardy.parse("func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }")
    passes = parse_pipeline("symbol-dce,sdy-import-pipeline,sdy-flatten-call-graph,sdy-export-pipeline")
    silent = {one.name for one, op in _runs(passes, module.op) if one.apply(op, module.context) is not False}
    assert silent == {"sdy-constant-or-scalar-splitter"}


def test_a_program_that_was_changed_before_the_run_is_verified_though_no_pass_changes_it() -> None:
    module = pyshardy.parse("func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }")
    (returned,) = (op for op in module.op.walk() if op.name == "func.return")
    pyshardy.run_passes(module, "symbol-dce")
    rewriting.set_operands(returned, [])
    with pytest.raises(pyshardy.PyshardyError, match="has 0 operands, but enclosing function"):
        pyshardy.run_passes(module, "symbol-dce")
