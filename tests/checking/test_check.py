"""The check runs both programs: right plans pass, wrong ones do not, large ones are refused with advice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pyshardy import Plan, PyshardyError, parse, partition
from pyshardy.checking import trials
from pyshardy.checking.check import TooLarge, check_plan, check_programs, programs_of
from pyshardy.checking.rounding import rounding_of
from pyshardy.checking.verdicts import Verdict
from pyshardy.ir import rewriting

_SUM = """
sdy.mesh @m = <["x"=4]>
func.func @main(%a: tensor<10x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<10x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}"""


def _plan() -> Plan:
    return partition(parse(_SUM.replace("10x3", "12x3")))


def test_a_right_plan_passes() -> None:
    report = _plan().check()
    assert report.agrees
    assert report.devices == 4
    assert [one.type for one in report.results] == ["tensor<3xf32>"]


def test_a_plan_without_its_collective_does_not_pass() -> None:
    plan = _plan()
    (op,) = [one for one in plan.local.op.walk() if one.name == "stablehlo.all_reduce"]
    rewriting.replace_op(op, op.operands)
    report = plan.check()
    assert report.differs
    assert "3 elements differ" in report.results[0].reason


def test_the_same_seed_gives_the_same_errors() -> None:
    plan = _plan()
    assert plan.check(seed=3).results == plan.check(seed=3).results


_NOISE = """
sdy.mesh @m = <["x"=4]>
func.func @main(%a: tensor<8x16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}, {}]>})
    -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1, 2]
      : (tensor<8x16x16xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<8x16x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<8xf32>
  return %3, %0 : tensor<8xf32>, tensor<8xf32>
}"""


def test_what_would_be_the_rest_of_a_zero_is_zero() -> None:
    report = partition(parse(_NOISE)).check()
    assert [one.verdict for one in report.results] == [Verdict.EQUAL, Verdict.EQUAL]
    assert "it is 0.0 throughout" in report.results[0].reason
    assert report.agrees
    assert not report.differs
    assert report.results[0].reason.startswith("it is 0.0 throughout, whatever the inputs are")


def test_rounding_is_no_excuse_for_a_missing_collective() -> None:
    plan = partition(parse(_NOISE))
    op = next(one for one in plan.local.op.walk() if one.name == "stablehlo.all_reduce")
    rewriting.replace_op(op, op.operands)
    assert plan.check().differs


def test_a_program_that_is_too_large_to_run_is_refused_with_advice() -> None:
    with pytest.raises(TooLarge, match="check the program with smaller shapes"):
        check_plan(_plan(), most_bytes=1000 // 10)


def test_of_a_loop_that_never_ends_one_iteration_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyshardy.interpreter.operations import control_flow

    monkeypatch.setattr(control_flow, "_LIMITS", ((20, 0), (10, 0)))
    module = parse(
        "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
        "  %0 = stablehlo.while(%i = %a) : tensor<8xf32>\n"
        "  cond {\n"
        "    %c = stablehlo.constant dense<true> : tensor<i1>\n"
        "    stablehlo.return %c : tensor<i1>\n"
        "  } do {\n"
        "    stablehlo.return %i : tensor<8xf32>\n"
        "  }\n"
        "  return %0 : tensor<8xf32>\n"
        "}\n"
    )
    report = check_plan(partition(module))
    assert report.agrees
    assert report.runs == 0
    with pytest.raises(PyshardyError, match="has not ended on these inputs after 10 iterations"):
        check_programs(replace(programs_of(partition(module)), correspondence=None))


def test_sums_that_overflow_in_one_order_and_not_in_another_are_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """An element that is tried where the decision turns makes terms of half the largest double; the second device has
    two of the same sign side by side."""
    text = """
        sdy.mesh @m = <["x"=2]>
        func.func @main(%x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<f32>, tensor<i1>) {
          %zero = stablehlo.constant dense<0.0> : tensor<f32>
          %least = stablehlo.constant dense<-1.0> : tensor<f32>
          %zeros = stablehlo.constant dense<0.0> : tensor<6xf32>
          %signs = stablehlo.constant dense<[1.0, -1.0, -1.0, 1.0, 1.0, -1.0]> : tensor<6xf32>
          %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
              : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
          %t = stablehlo.multiply %s, %s : tensor<f32>
          %twice = stablehlo.add %t, %t : tensor<f32>
          %finite = stablehlo.is_finite %twice : (tensor<f32>) -> tensor<i1>
          %all = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<6xf32>
          %nothing = stablehlo.multiply %x, %zeros : tensor<6xf32>
          %mine = stablehlo.add %nothing, %signs : tensor<6xf32>
          %terms = stablehlo.multiply %all, %mine : tensor<6xf32>
          %sum = stablehlo.reduce(%terms init: %zero) applies stablehlo.add across dimensions = [0]
              : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
          %y = stablehlo.maximum %sum, %least : tensor<f32>
          return %y, %finite : tensor<f32>, tensor<i1>
        }
    """
    monkeypatch.setattr(trials, "_SECONDS_FOR_TURNS", 60.0)
    report = partition(parse(text)).check()
    assert report.agrees
    assert report.runs > 4


def test_what_rounding_does_is_seen_in_large_numbers_too() -> None:
    programs = programs_of(_plan())
    assert rounding_of(programs, [np.full((12, 3), 4.0)]) == [0.0]
    assert rounding_of(programs, [np.full((12, 3), 1e20)])[0] > 0
