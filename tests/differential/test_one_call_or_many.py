"""Passes run one call after the other, with text in between, give what one call with all of them gives.

There is one exception, which the reference shares: the order of a value's uses decides what propagation visits first,
and text does not keep it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import pyshardy
from pyshardy.ir.passes import Pass, Pipeline
from pyshardy.ir.pipeline_text import parse_pipeline
from tests.differential.pipelines import PIPELINES
from tests.differential.reference import run_reference
from tests.generator import random_program

_EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))
_WHOLE = "sdy-propagation-pipeline"
_ORDERED = """\
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.optimization_barrier %a : tensor<8x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.tanh %0 : tensor<8x8xf32>
  %3 = stablehlo.add %1, %2 : tensor<8x8xf32>
  %4 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return %3, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}
"""
"""Transpose and tanh want their result sharded differently, and the first of them to be visited wins."""


def _after(text: str, passes: str) -> str:
    return str(pyshardy.run_passes(pyshardy.parse(text), passes))


def _single_passes(pipeline: Pipeline) -> list[str]:
    found: list[str] = []
    for item in pipeline.items:
        if isinstance(item, Pipeline):
            found += [f"{item.anchor}({one})" for one in _single_passes(item)]
        elif isinstance(item, Pass) and item.name != "sdy-save-module":
            found.append(item.text())
    return found


def _after_one_by_one(text: str, passes: str) -> str:
    for one in _single_passes(parse_pipeline(passes)):
        text = _after(text, one)
    return text


@pytest.mark.parametrize("path", _EXAMPLES, ids=[path.stem for path in _EXAMPLES])
def test_an_example_comes_out_alike(path: Path) -> None:
    text = path.read_text()
    assert _after_one_by_one(text, _WHOLE) == _after(text, _WHOLE)


def test_random_programs_come_out_alike() -> None:
    compared = 0
    for seed in range(7000, 7015):
        text = random_program(seed, PIPELINES["whole"].features)
        try:
            whole = _after(text, _WHOLE)
        except pyshardy.PyshardyError:
            continue
        assert _after_one_by_one(text, _WHOLE) == whole, f"seed {seed}"
        compared += 1
    assert compared > 10


def test_where_the_order_of_uses_decides_both_sides_change_alike() -> None:
    add, propagate = "sdy-add-data-flow-edges", "sdy-basic-propagate"
    between = _after(_ORDERED, add)
    in_one, in_two = _after(_ORDERED, f"{add},{propagate}"), _after(between, propagate)
    assert (
        'stablehlo.transpose %1, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}, {?}]' in in_one
    )
    assert (
        'stablehlo.transpose %1, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {"x", ?}]' in in_two
    )
    assert run_reference(_ORDERED, f"builtin.module({add},{propagate})").pretty.strip() == in_one.strip()
    assert run_reference(between, f"builtin.module({propagate})").pretty.strip() == in_two.strip()
