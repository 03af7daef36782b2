"""Memory over a step: it adds up to the peak that the plan has, in the time that the step takes, by what values are."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import load, parse, partition
from pyshardy.analysis.cost import memory_kinds as kinds
from pyshardy.analysis.cost.memory_timeline import memory_timeline
from pyshardy.analysis.cost.timed_plan import TimedPlan
from tests.analysis.cost.programs import FIVE_ITERATIONS

_EXAMPLES = Path(__file__).parents[3] / "examples"
PROGRAMS = ("mlp", "scan_layers", "transformer_fsdp")


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_reaches_the_peak_in_the_expected_time(name: str) -> None:
    plan = partition(load(_EXAMPLES / f"{name}.mlir"))
    timed = TimedPlan(plan, "v5e")
    for timeline in (memory_timeline(plan), memory_timeline(plan, timed)):
        assert max(timeline.totals) == timeline.memory.peak == timeline.totals[timeline.peak]
        assert all(min(row) >= 0 for row in timeline.rows) and list(timeline.begins) == sorted(timeline.begins)
    assert memory_timeline(plan).memory.peak == plan.memory.peak
    cost = plan.cost("v5e")
    timeline = memory_timeline(plan, timed)
    assert timeline.memory.peak == cost.peak_bytes
    assert timeline.seconds == pytest.approx(cost.step_seconds.expected)


def test_one_iteration_of_a_loop_is_unfolded_over_the_time_of_all() -> None:
    plan = partition(parse(FIVE_ITERATIONS))
    timeline = memory_timeline(plan, TimedPlan(plan, "v5e"))
    (loop,) = timeline.loops
    assert loop.iterations == 5 and loop.end - loop.begin > 0.9 * timeline.seconds
    inside = [op.name for op, begin in zip(timeline.operations, timeline.begins, strict=True) if begin < loop.end]
    assert inside.count("stablehlo.dot_general") + inside.count("stablehlo.dot") == 1


def test_values_are_what_they_are_to_the_author() -> None:
    plan = partition(load(_EXAMPLES / "transformer_fsdp.mlir"))
    timeline = memory_timeline(plan)
    made = {kinds.PARAMETERS, kinds.OPTIMIZER, kinds.SAVED, kinds.TEMPORARIES, kinds.GATHERED}
    assert made <= set(timeline.kinds)
    at_first = {kind: row[0] for kind, row in zip(timeline.kinds, timeline.rows, strict=True)}
    # Two moments of four bytes for each parameter of two.
    assert at_first[kinds.OPTIMIZER] == pytest.approx(2 * at_first[kinds.PARAMETERS], rel=0.01)
    middle = len(timeline.operations) // 2
    saved = timeline.rows[timeline.kinds.index(kinds.SAVED)]
    assert saved[0] == saved[-1] == 0 < saved[middle]


_DROPOUT = """
func.func @main(%x: tensor<64x1024xf32>, %k: tensor<2xui64>) -> tensor<64x1024xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %y = %x, %s = %k) : tensor<i32>, tensor<64x1024xf32>, tensor<2xui64> cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.constant dense<0.0> : tensor<64x1024xf32>
    %m = func.call @mask(%s) : (tensor<2xui64>) -> tensor<64x1024xi1>
    %p = stablehlo.select %m, %y, %z : tensor<64x1024xi1>, tensor<64x1024xf32>
    %q = stablehlo.sine %p : tensor<64x1024xf32>
    %l = func.call @mask(%s) : (tensor<2xui64>) -> tensor<64x1024xi1>
    %r = stablehlo.select %l, %q, %z : tensor<64x1024xi1>, tensor<64x1024xf32>
    stablehlo.return %j, %r, %s : tensor<i32>, tensor<64x1024xf32>, tensor<2xui64>
  }
  return %0#1 : tensor<64x1024xf32>
}
func.func private @mask(%k: tensor<2xui64>) -> tensor<64x1024xi1> {
  %s, %b = stablehlo.rng_bit_generator %k, algorithm = DEFAULT
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<64x1024xui32>)
  %h = stablehlo.constant dense<2147483648> : tensor<64x1024xui32>
  %m = stablehlo.compare LT, %b, %h : (tensor<64x1024xui32>, tensor<64x1024xui32>) -> tensor<64x1024xi1>
  return %m : tensor<64x1024xi1>
}
"""


def test_bits_that_are_kept_instead_of_a_mask_count_in_a_loop_too() -> None:
    plan = partition(parse(_DROPOUT))
    assert max(memory_timeline(plan).totals) == plan.memory.peak > 4 * 64 * 1024 * 4


@pytest.mark.parametrize("type", ["tensor<0x4xf32>", "tensor<*xf32>", "!stablehlo.token"])
def test_values_of_no_bytes_stand_nowhere(type: str) -> None:
    plan = partition(parse(f"func.func @main(%a: {type}) -> {type} {{ return %a : {type} }}"))
    timeline = memory_timeline(plan)
    assert (timeline.at_peak, timeline.totals, timeline.memory.peak) == ({}, [], 0)
