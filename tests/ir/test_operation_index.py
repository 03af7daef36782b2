"""The index that is kept up from pass to pass is the one that a look at the whole program gives."""

from __future__ import annotations

import contextlib

import pytest

from pyshardy import PyshardyError, parse
from pyshardy.ir.change_log import kept_changes
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass
from pyshardy.ir.pipeline_run import PassObserver, run_pipeline
from pyshardy.ir.pipeline_text import parse_pipeline
from pyshardy.ir.rewriting import append, detach, erase, move_before, rename
from tests.differential.pipelines import PIPELINES
from tests.generator import random_program
from tests.sampling import sampled

PROGRAM = """
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func @other(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
"""


def assert_same(root: Operation, context: Context) -> None:
    """What the index says of `root` and of all that stands in its body is what is there."""
    for one in [root, *root.body]:
        kept, plain = operation_index(one, context), one.operations()
        assert set(kept.in_any_order()) == set(plain)
        assert kept.operations_postorder == list(one.walk_postorder())
        assert kept.operations == plain
        names = dict.fromkeys(op.name for op in plain)
        assert kept.counts == {name: sum(op.name == name for op in plain) for name in names}
        for name in names:
            assert kept.named(name) == [op for op in plain if op.name == name]
        some = list(names)[::2]
        assert set(kept.in_any_order()) == set(plain) and len(kept.in_any_order()) == len(plain)
        assert set(kept.in_any_order(some)) == set(kept.named(*some))
        assert kept.named(*some) == [op for op in plain if op.name in some]
        assert kept.has(*some)
        assert not kept.has("no.such")


class _Watch(PassObserver):
    def __init__(self, context: Context) -> None:
        self.context = context

    def after_pass(self, one: Pass, op: Operation) -> None:
        top = op
        while top.parent_op is not None:
            top = top.parent_op
        assert_same(top, self.context)


@pytest.mark.parametrize("seed", sampled(range(120), 2))
def test_the_index_is_kept_up_through_pipelines(seed: int) -> None:
    pipeline = list(PIPELINES.values())[seed % len(PIPELINES)]
    module = parse(random_program(seed, pipeline.features))
    parsed = parse_pipeline(pipeline.text)
    with contextlib.suppress(PyshardyError):
        run_pipeline(parsed, module.op, module.context, observers=[_Watch(module.context)])
    assert_same(module.op, module.context)


@pytest.mark.parametrize("kept", [True, False])
def test_what_moves_goes_and_is_renamed_is_counted_where_it_is(kept: bool) -> None:
    module = parse(PROGRAM)
    root, context = module.op, module.context
    main, other = root.body
    first, tanh, last, _ = main.body
    with kept_changes() if kept else contextlib.nullcontext():
        assert_same(root, context)
        move_before(last, tanh)
        assert_same(root, context)
        rename(tanh, "stablehlo.negate", {})
        assert_same(root, context)
        detach(tanh)
        assert_same(root, context)
        append(other.body, tanh)
        assert_same(root, context)
        detach(main)
        assert_same(root, context)
        append(root.body, main)
        assert_same(root, context)
        erase(main)
        erase(other)
        assert operation_index(root, context).operations == [root]
    assert first.name == "stablehlo.negate"
