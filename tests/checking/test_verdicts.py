"""Every verdict that a check can have, each on the smallest program that deserves it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pyshardy import Plan, PyshardyError, parse, partition
from pyshardy.checking.check import check_programs, programs_of
from pyshardy.checking.verdicts import CheckReport, Verdict
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.plan import Correspondence, PlanDetails

_MESH = 'sdy.mesh @m = <["x"=4]>\n'
_ROWS = '{sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}'


def _plan(body: str, arguments: str, results: str) -> Plan:
    return partition(parse(f"{_MESH}func.func @main({arguments}) -> ({results}) {{\n{body}\n}}"))


def _operations(plan: Plan, name: str) -> list[Operation]:
    return [op for op in plan.local.op.walk() if op.name == f"stablehlo.{name}"]


def _verdicts(report: CheckReport) -> list[str]:
    return [one.verdict.value for one in report.results]


_UPDATE = """
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rate = stablehlo.constant dense<1.0e-06> : tensor<64xf32>
  %0 = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x64xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = stablehlo.multiply %0, %rate : tensor<64xf32>
  %2 = stablehlo.subtract %w, %1 : tensor<64xf32>
  return %2 : tensor<64xf32>"""


def test_a_gradient_times_a_small_learning_rate_is_seen() -> None:
    plan = _plan(_UPDATE, f"%w: tensor<64xf32>, %g: tensor<8x64xf32> {_ROWS}", "tensor<64xf32>")
    assert _verdicts(plan.check()) == ["equal"]
    for op in _operations(plan, "all_reduce"):
        rewriting.replace_op(op, op.operands)
    report = plan.check()
    assert _verdicts(report) == ["different"]
    assert report.results[0].error < 1e-5


def test_the_first_wrong_operation_is_named_with_both_values() -> None:
    plan = _plan(_UPDATE, f"%w: tensor<64xf32>, %g: tensor<8x64xf32> {_ROWS}", "tensor<64xf32>")
    (op,) = _operations(plan, "multiply")
    rewriting.set_operand(op, 0, op.operands[1])
    wrong = plan.check().first_wrong
    assert wrong is not None
    assert wrong.operation == "stablehlo.multiply"
    assert wrong.source == "stablehlo.multiply of type tensor<64xf32>"
    assert wrong.difference.expected != wrong.difference.found
    assert wrong.difference.device == 0
    assert f"is {wrong.difference.found} on device 0, {wrong.difference.expected} in the given program" in str(wrong)


def test_rightness_does_not_name_an_operation() -> None:
    plan = _plan(_UPDATE, f"%w: tensor<64xf32>, %g: tensor<8x64xf32> {_ROWS}", "tensor<64xf32>")
    assert plan.check().first_wrong is None


_NEVER = """
      %label = stablehlo.constant dense<200> : tensor<8x4xi32>
      %places = stablehlo.iota dim = 1 : tensor<8x4xi32>
      %0 = stablehlo.compare EQ, %places, %label : (tensor<8x4xi32>, tensor<8x4xi32>) -> tensor<8x4xi1>
      %1 = stablehlo.convert %0 : (tensor<8x4xi1>) -> tensor<8x4xf32>
      %2 = stablehlo.multiply %1, %a : tensor<8x4xf32>
      return %2 : tensor<8x4xf32>"""


def test_what_no_input_reaches_is_equal_with_a_word() -> None:
    report = _plan(_NEVER, f"%a: tensor<8x4xf32> {_ROWS}", "tensor<8x4xf32>").check()
    assert _verdicts(report) == ["equal"]
    assert "it is 0.0 throughout, whatever the inputs are; the operations that compute it" in report.results[0].reason


def test_where_nothing_is_known_of_values_the_operation_that_hides_them_is_named() -> None:
    programs = programs_of(_plan(_NEVER, f"%a: tensor<8x4xf32> {_ROWS}", "tensor<8x4xf32>"))
    report = check_programs(replace(programs, correspondence=None))
    assert _verdicts(report) == ["says nothing"]
    assert not report.agrees
    assert not report.differs
    assert "since stablehlo.multiply at" in report.results[0].reason


def test_a_result_without_any_input_is_equal_since_there_is_nothing_else_to_try() -> None:
    body = """
      %0 = stablehlo.constant dense<1.0> : tensor<8x4xf32>
      return %0 : tensor<8x4xf32>"""
    assert _verdicts(_plan(body, "", f"tensor<8x4xf32> {_ROWS}").check()) == ["equal"]


def test_labels_are_drawn_from_the_classes_that_they_are_compared_with() -> None:
    body = """
      %places = stablehlo.iota dim = 1 : tensor<64x10xi32>
      %0 = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<64xi32>) -> tensor<64x10xi32>
      %1 = stablehlo.compare EQ, %places, %0 : (tensor<64x10xi32>, tensor<64x10xi32>) -> tensor<64x10xi1>
      %2 = stablehlo.convert %1 : (tensor<64x10xi1>) -> tensor<64x10xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1]
          : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
      %4 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<64x10xf32>, tensor<f32>) -> tensor<10xf32>
      return %3, %4 : tensor<64xf32>, tensor<10xf32>"""
    report = _plan(body, "%labels: tensor<64xi32>", "tensor<64xf32>, tensor<10xf32>").check()
    # Each row has one label, whatever it is; how often each class comes depends on the labels.
    assert _verdicts(report) == ["equal", "equal"]
    assert report.results[0].reason and not report.results[1].reason


_LOG_SUM_EXP = """
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %low) across dimensions = [0]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %m = stablehlo.maximum %x, %y : tensor<f32>
    %p = stablehlo.subtract %x, %m : tensor<f32>
    %q = stablehlo.subtract %y, %m : tensor<f32>
    %r = stablehlo.exponential %p : tensor<f32>
    %s = stablehlo.exponential %q : tensor<f32>
    %t = stablehlo.add %r, %s : tensor<f32>
    %u = stablehlo.log %t : tensor<f32>
    %v = stablehlo.add %m, %u : tensor<f32>
    stablehlo.return %v : tensor<f32>
  }
  return %0 : tensor<4xf32>"""


def test_what_is_equal_by_what_a_function_is_agrees_within_rounding() -> None:
    plan = _plan(_LOG_SUM_EXP, f"%a: tensor<8x4xf32> {_ROWS}", "tensor<4xf32>")
    # As if the partitioner collected the sums of exponentials in another order.
    rolled = partition(
        parse(
            f"{_MESH}func.func @main(%a: tensor<8x4xf32> {_ROWS}) -> tensor<4xf32> {{\n"
            "  %first = stablehlo.slice %a [0:1, 0:4] : (tensor<8x4xf32>) -> tensor<1x4xf32>\n"
            "  %rest = stablehlo.slice %a [1:8, 0:4] : (tensor<8x4xf32>) -> tensor<7x4xf32>\n"
            "  %b = stablehlo.concatenate %rest, %first, dim = 0 : "
            "(tensor<7x4xf32>, tensor<1x4xf32>) -> tensor<8x4xf32>\n"
            f"{_LOG_SUM_EXP.replace('%a', '%b')}\n}}"
        )
    )
    plan.local, plan.details = rolled.local, lambda: PlanDetails((), Correspondence(plan.source, {}, {}))
    report = plan.check()
    assert _verdicts(report) == ["within rounding"]
    assert report.agrees
    assert "the exact values differ, but in double precision" in report.results[0].reason


@pytest.mark.parametrize(
    "step",
    [
        "%1 = stablehlo.exponential %0 : tensor<8x4xf32>",
        "%1 = stablehlo.floor %0 : tensor<8x4xf32>",
        "%1 = stablehlo.sign %0 : tensor<8x4xf32>",
        "%1 = stablehlo.reduce_precision %0, format = e5m2 : tensor<8x4xf32>",
        "%1 = stablehlo.clamp %low, %0, %high : (tensor<f32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>",
    ],
)
def test_a_mistake_is_seen_behind_every_kind_of_function(step: str) -> None:
    body = f"""
      %low = stablehlo.constant dense<-1.0> : tensor<f32>
      %high = stablehlo.constant dense<1.0> : tensor<f32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.constant dense<3.0> : tensor<8x4xf32>
      %0 = stablehlo.multiply %a, %s : tensor<8x4xf32>
      {step}
      %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
      return %2 : tensor<4xf32>"""
    plan = _plan(body, f"%a: tensor<8x4xf32> {_ROWS}", "tensor<4xf32>")
    assert [one.verdict for one in plan.check().results] == [Verdict.EQUAL]
    for op in _operations(plan, "all_reduce"):
        rewriting.replace_op(op, op.operands)
    assert plan.check().differs


_CLIPPED = """
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<LIMIT> : tensor<f32>
  %0 = stablehlo.multiply %g, %g : tensor<8x4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.sqrt %1 : tensor<f32>
  %3 = stablehlo.compare LT, %2, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
  %5 = stablehlo.divide %g, %4 : tensor<8x4xf32>
  %6 = stablehlo.select %3, %g, %5 : tensor<i1>, tensor<8x4xf32>
  return %6 : tensor<8x4xf32>"""


@pytest.mark.parametrize("limit", ["100.0", "0.5"])
def test_both_sides_of_a_decision_about_a_norm_are_tried(limit: str) -> None:
    plan = _plan(_CLIPPED.replace("LIMIT", limit), f"%g: tensor<8x4xf32> {_ROWS}", f"tensor<8x4xf32> {_ROWS}")
    assert plan.check().agrees
    for op in _operations(plan, "all_reduce"):
        rewriting.replace_op(op, op.operands)
    assert plan.check().differs


def test_a_test_for_infinities_gets_one() -> None:
    body = """
      %true = stablehlo.constant dense<true> : tensor<i1>
      %zero = stablehlo.constant dense<0.0> : tensor<8x4xf32>
      %0 = stablehlo.is_finite %g : (tensor<8x4xf32>) -> tensor<8x4xi1>
      %1 = stablehlo.reduce(%0 init: %true) applies stablehlo.and across dimensions = [0, 1]
          : (tensor<8x4xi1>, tensor<i1>) -> tensor<i1>
      %2 = stablehlo.select %1, %g, %zero : tensor<i1>, tensor<8x4xf32>
      return %2 : tensor<8x4xf32>"""
    plan = _plan(body, f"%g: tensor<8x4xf32> {_ROWS}", f"tensor<8x4xf32> {_ROWS}")
    assert plan.check().agrees
    for op in _operations(plan, "all_reduce"):
        rewriting.replace_op(op, op.operands)
    assert plan.check().differs


_INFECTED = """
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %bound = stablehlo.constant dense<40.0> : tensor<f32>
  %0 = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.multiply %g, %1 : tensor<8x4xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<8x4xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  %5 = stablehlo.compare GT, %4, %bound : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %6 = stablehlo.select %5, %2, %g : tensor<i1>, tensor<8x4xf32>
  return %6 : tensor<8x4xf32>"""


def test_a_decision_is_tried_close_to_where_it_turns() -> None:
    # What a device has of the sum is beyond the bound when the sum is, unless it is just beyond; infinities are in all.
    plan = _plan(_INFECTED, f"%g: tensor<8x4xf32> {_ROWS}", f"tensor<8x4xf32> {_ROWS}")
    assert plan.check().agrees
    scalar = next(op for op in _operations(plan, "all_reduce") if str(op.results[0].type) == "tensor<f32>")
    rewriting.replace_op(scalar, scalar.operands)
    assert plan.check().differs


_ALL_FINITE = """
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %f, %f : tensor<8x4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.is_finite %1 : (tensor<f32>) -> tensor<i1>
  %3 = stablehlo.multiply %g, %g : tensor<8x4xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
  %5 = stablehlo.is_finite %4 : (tensor<f32>) -> tensor<i1>
  %6 = stablehlo.and %2, %5 : tensor<i1>
  %7 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
  %8 = stablehlo.select %6, %g, %7 : tensor<i1>, tensor<8x4xf32>
  return %8 : tensor<8x4xf32>"""


@pytest.mark.parametrize("broken", [0, 1])
def test_each_argument_gets_an_element_beyond_all_squares(broken: int) -> None:
    plan = _plan(_ALL_FINITE, f"%f: tensor<8x4xf32> {_ROWS}, %g: tensor<8x4xf32> {_ROWS}", f"tensor<8x4xf32> {_ROWS}")
    assert plan.check().agrees
    sum_of_one = list(_operations(plan, "all_reduce"))[broken]
    rewriting.replace_op(sum_of_one, sum_of_one.operands)
    assert plan.check().differs


_TURNS = """
  %one = stablehlo.constant dense<1> : tensor<i32>
  %few = stablehlo.constant dense<3> : tensor<i32>
  %many = stablehlo.constant dense<4> : tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %bound = stablehlo.constant dense<50.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.compare GT, %0, %bound, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %2 = stablehlo.select %1, %many, %few : tensor<i1>, tensor<i32>
  %3:2 = stablehlo.while(%i = %none, %y = %x) : tensor<i32>, tensor<8xf32>
   cond {
    %4 = stablehlo.compare LT, %i, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
   } do {
    %5 = stablehlo.add %i, %one : tensor<i32>
    %6 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %8 = stablehlo.add %y, %7 : tensor<8xf32>
    stablehlo.return %5, %8 : tensor<i32>, tensor<8xf32>
  }
  return %3#1 : tensor<8xf32>"""


def test_devices_that_wait_for_ever_on_some_inputs_only_are_seen() -> None:
    plan = _plan(_TURNS, '%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}', "tensor<8xf32>")
    assert _verdicts(plan.check()) == ["equal"]
    largest = _operations(plan, "all_reduce")[0]
    rewriting.replace_op(largest, largest.operands)
    with pytest.raises(PyshardyError, match="deadlocks"):
        plan.check()


def test_what_overflows_by_the_order_of_a_product_is_no_mistake() -> None:
    body = """
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.multiply across dimensions = [0]
          : (tensor<512xf32>, tensor<f32>) -> tensor<f32>
      %1 = stablehlo.compare GT, %0, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %zero, %0 : tensor<i1>, tensor<f32>
      return %2 : tensor<f32>"""
    plan = _plan(body, '%x: tensor<512xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}', "tensor<f32>")
    assert not plan.check().differs
