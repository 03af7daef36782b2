"""A dialect that nobody has heard of propagates, partitions, checks and costs as StableHLO does."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import pyshardy
from pyshardy.dialects.main_function import functions
from pyshardy.extend import (
    ELEMENTWISE,
    PURE,
    Assembly,
    Branches,
    CollectiveDef,
    DataFlow,
    FactorKind,
    Loop,
    RuleBuilder,
    run_branch,
    run_loop,
)
from pyshardy.interpreter import run_devices
from pyshardy.ir.operation import Operation
from pyshardy.ir.verifying.verification import Verification
from pyshardy.plugins import PluginProblem
from pyshardy.propagation.directions import PASS_THROUGH, op_kind
from pyshardy.searching.dimension_classes import DimensionClasses
from tests.extend import npu

MESH = '<["x"=2, "y"=2]>'
ROWS, COLUMNS = '#sdy.sharding<@mesh, [{"x"}, {}]>', '#sdy.sharding<@mesh, [{}, {"x"}]>'


@pytest.fixture(autouse=True)
def _dialect() -> None:
    npu.register()


def program(body: str, result: str = "tensor<6x8xf32>", sharding: str = ROWS, mesh: str = MESH) -> str:
    """A function of %x (6x8), which is sharded, %w (8) and the scalars %n and %p."""
    return f"""
sdy.mesh @mesh = {mesh}
func.func @main(%x: tensor<6x8xf32> {{sdy.sharding = {sharding}}}, %w: tensor<8xf32>, %n: tensor<i32>, %p: tensor<i1>)
    -> ({result}) {{
  {body}
}}"""


def plan_of(text: str) -> pyshardy.Plan:
    plan = pyshardy.partition(pyshardy.parse(text))
    assert all(one.verdict.value == "equal" for one in plan.check().results), str(plan.check())
    return plan


def kinds(plan: pyshardy.Plan) -> list[str]:
    return [one.kind for one in plan.collectives]


def line_of(text: object, name: str) -> str:
    return next(line for line in str(text).splitlines() if name in line)


# --- rows and rules ---------------------------------------------------------------------------------------------------

NORM = """%0:2 = "npu.norm"(%x, %w) : (tensor<6x8xf32>, tensor<8xf32>) -> (tensor<6x8xf32>, tensor<6xf32>)
  return %0#0 : tensor<6x8xf32>"""
FMA = """%0 = "npu.fma"(%x, %x, %x) : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>"""


def test_a_row_with_a_rule_is_shared_along_it() -> None:
    plan = plan_of(program(NORM, f"tensor<6x8xf32> {{sdy.sharding = {ROWS}}}"))
    assert "(tensor<3x8xf32>, tensor<8xf32>) -> (tensor<3x8xf32>, tensor<3xf32>)" in line_of(plan.module, "npu.norm")


def test_what_is_needed_whole_is_brought_there() -> None:
    plan = plan_of(program(NORM, f"tensor<6x8xf32> {{sdy.sharding = {COLUMNS}}}", COLUMNS))
    assert kinds(plan) and "x8xf32>, tensor<8xf32>)" in line_of(plan.module, "npu.norm")


def test_an_elementwise_operation_propagates_and_is_shared() -> None:
    propagated = pyshardy.propagate(pyshardy.parse(program(FMA)))
    assert '{"x"}' in line_of(propagated, "npu.fma")
    assert "tensor<3x8xf32>" in line_of(
        plan_of(program(FMA, f"tensor<6x8xf32> {{sdy.sharding = {ROWS}}}")).module, "npu.fma"
    )


def test_an_elementwise_operation_of_several_shapes_is_refused() -> None:
    with pytest.raises(pyshardy.PyshardyError, match="is elementwise, so its operands and results must have one shape"):
        pyshardy.parse(
            program(FMA.replace("%x, %x, %x", "%x, %w, %x").replace("<6x8xf32>, tensor<6x8", "<6x8xf32>, tensor<8"))
        )


def test_scalars_meet_tensors_element_by_element() -> None:
    body = """%less = stablehlo.compare LT, %x, %x : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xi1>
  %one = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  %0 = "npu.where"(%less, %x, %one) : (tensor<6x8xi1>, tensor<6x8xf32>, tensor<f32>) -> tensor<6x8xf32>
  %1 = "npu.where"(%p, %0, %x) : (tensor<i1>, tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  return %1 : tensor<6x8xf32>"""
    assert not plan_of(program(body, f"tensor<6x8xf32> {{sdy.sharding = {ROWS}}}")).collectives


@pytest.mark.parametrize("rows", [4, 5])
@pytest.mark.parametrize("name", ["npu.total", "npu.peak", "npu.fold"])
@pytest.mark.parametrize("by", ["min", "sum"])
def test_partial_results_are_combined(name: str, rows: int, by: str) -> None:
    """Also where padding has to be overwritten."""
    body = f"""%0 = stablehlo.slice %x [0:{rows}, 0:8] {{sdy.sharding = #sdy.sharding_per_value<[{ROWS[13:]}]>}}
      : (tensor<6x8xf32>) -> tensor<{rows}x8xf32>
  %1 = "{name}"(%0) {{by = "{by}"}} : (tensor<{rows}x8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>"""
    assert "all_reduce" in kinds(plan_of(program(body, "tensor<8xf32>")))


def test_properties_that_name_sizes_are_those_of_a_device() -> None:
    body = """%0 = "npu.crop"(%x) <{to = [6, 4]}> : (tensor<6x8xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>"""
    assert "to = [3, 4]" in str(plan_of(program(body, f"tensor<6x4xf32> {{sdy.sharding = {ROWS}}}")).module)


def test_a_rule_that_is_wrong_is_found_out() -> None:
    def both(op: Any, conservative: bool) -> Any:
        return RuleBuilder(op).add([0], [0], 6).add([1], [1], 8).build()

    fields: dict[str, Any] = {"operands": 1, "results": 1, "traits": PURE}
    npu.replaced(
        "npu.soft", **fields, rule=both, evaluator=lambda _, op, of: [of[0] / np.abs(of[0]).sum(2, keepdims=True)]
    )
    text = program(
        '%0 = "npu.soft"(%x) : (tensor<6x8xf32>) -> tensor<6x8xf32>\n  return %0 : tensor<6x8xf32>', sharding=COLUMNS
    )
    assert not pyshardy.partition(pyshardy.parse(text)).check().agrees
    npu.replaced(
        "npu.soft",
        operands=1,
        results=1,
        traits=PURE | ELEMENTWISE,
        evaluator=lambda _, op, of: [of[0] + np.arange(of[0].shape[2])],
    )
    assert not pyshardy.partition(pyshardy.parse(text)).check().agrees


@pytest.mark.parametrize(("priority", "first"), [("pass_through", True), ("slice", False), (None, False)])
def test_a_row_has_its_place_in_op_priority_propagation(priority: str | None, first: bool) -> None:
    npu.replaced("npu.turn", operands=1, results=1, traits=PURE, priority=priority)
    text = program('%0 = "npu.turn"(%x) : (tensor<6x8xf32>) -> tensor<6x8xf32>\n  return %0 : tensor<6x8xf32>')
    (op,) = [one for one in pyshardy.parse(text).op.walk() if one.name == "npu.turn"]
    assert (op_kind(op) == PASS_THROUGH) == first


def test_a_rule_of_a_registered_operation_is_believed() -> None:
    npu.replaced("npu.plain", operands=1, results=1, traits=PURE, evaluator=lambda _, op, of: [of[0] + 1])
    text = program('%0 = "npu.plain"(%x) : (tensor<6x8xf32>) -> tensor<6x8xf32>\n  return %0 : tensor<6x8xf32>')
    assert kinds(pyshardy.partition(pyshardy.parse(text))) == ["all_gather"]

    @pyshardy.sharding_rule("npu.plain")
    def _rows(op: Any, conservative: bool) -> Any:
        return RuleBuilder(op).add([0], [0], 6).add([1], [1], 8, FactorKind.NEED_REPLICATION).build()

    assert "tensor<3x8xf32>" in line_of(pyshardy.partition(pyshardy.parse(text)).module, "npu.plain")


# --- constants --------------------------------------------------------------------------------------------------------


def test_each_use_of_a_constant_is_sharded_by_itself() -> None:
    body = """%c = "npu.splat"() <{of = 2.0 : f32}> : () -> tensor<6x8xf32>
  %0 = stablehlo.add %x, %c : tensor<6x8xf32>
  %s = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>
  %1 = stablehlo.add %s, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<6x8xf32>
  return %0, %1 : tensor<6x8xf32>, tensor<6x8xf32>"""
    text = program(body, "tensor<6x8xf32>, tensor<6x8xf32>")
    found = [line for line in str(pyshardy.propagate(pyshardy.parse(text))).splitlines() if "npu.splat" in line]
    assert len(found) == 2 and '[{"x"}, {}]' in found[0] + found[1] and '[{}, {"y"}]' in found[0] + found[1]
    local = str(plan_of(text).module)
    assert (
        '"npu.splat"() <{of = 2.000000e+00 : f32}> : () -> tensor<3x8xf32>' in local and "-> tensor<6x4xf32>" in local
    )


@pytest.mark.parametrize("value", ["dense<2.0>", "dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]>"])
def test_a_constant_is_made_on_the_shard_or_cut_there(value: str) -> None:
    body = f"""%c = "npu.data"() <{{value = {value} : tensor<6xf32>}}> : () -> tensor<6xf32>
  %s = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<6xf32>) -> tensor<6x8xf32>
  %0 = stablehlo.add %x, %s : tensor<6x8xf32>
  return %0 : tensor<6x8xf32>"""
    plan = plan_of(program(body, f"tensor<6x8xf32> {{sdy.sharding = {ROWS}}}"))
    assert not plan.collectives
    assert line_of(plan.module, "npu.data").endswith(
        "-> tensor<3xf32>" if value == "dense<2.0>" else "-> tensor<6xf32>"
    )


# --- regions ----------------------------------------------------------------------------------------------------------

FOR = """%first = stablehlo.constant dense<0> : tensor<i32>
  %last = stablehlo.constant dense<5> : tensor<i32>
  %0 = "npu.for"(%first, %last, %x) ({
  ^bb0(%turn: tensor<i32>, %a: tensor<6x8xf32>):
    %1:2 = "npu.norm"(%a, %w) : (tensor<6x8xf32>, tensor<8xf32>) -> (tensor<6x8xf32>, tensor<6xf32>)
    %2 = stablehlo.add %1#0, %x : tensor<6x8xf32>
    "npu.done"(%2) : (tensor<6x8xf32>) -> ()
  }) : (tensor<i32>, tensor<i32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>"""
UNTIL = """%first = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = "npu.until"(%first, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<6x8xf32>):
    %1 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.compare LT, %i, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "npu.done"(%2) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<6x8xf32>):
    %1 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %i, %1 : tensor<i32>
    %3 = stablehlo.tanh %a : tensor<6x8xf32>
    "npu.done"(%2, %3) : (tensor<i32>, tensor<6x8xf32>) -> ()
  }) : (tensor<i32>, tensor<6x8xf32>) -> (tensor<i32>, tensor<6x8xf32>)
  return %0#1 : tensor<6x8xf32>"""
PICK = """%0 = "npu.pick"(%p) ({
    "npu.done"(%x) : (tensor<6x8xf32>) -> ()
  }, {
    %1 = stablehlo.negate %x : tensor<6x8xf32>
    "npu.done"(%1) : (tensor<6x8xf32>) -> ()
  }) : (tensor<i1>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>"""
BOX = """%0 = "npu.box"(%x) ({
  ^bb0(%a: tensor<6x8xf32>):
    %1 = "npu.data"() <{value = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>}> : () -> tensor<6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<6xf32>) -> tensor<6x8xf32>
    %3 = stablehlo.add %a, %2 : tensor<6x8xf32>
    "npu.done"(%3) : (tensor<6x8xf32>) -> ()
  }) : (tensor<6x8xf32>) -> tensor<6x8xf32>
  %4 = "npu.fence"(%0) : (tensor<6x8xf32>) -> tensor<6x8xf32>
  return %4 : tensor<6x8xf32>"""


@pytest.mark.parametrize("body", [FOR, UNTIL, PICK, BOX], ids=["for", "until", "pick", "box"])
def test_what_flows_through_regions_stays_sharded(body: str) -> None:
    plan = plan_of(program(body, f"tensor<6x8xf32> {{sdy.sharding = {ROWS}}}"))
    assert not plan.collectives and "6x8xf32" not in str(plan.module).split("attributes")[0]
    assert '{"x"}' in line_of(pyshardy.propagate(pyshardy.parse(program(body))), "return").replace("return", '{"x"}')


def test_what_a_scan_collects_is_whole_and_what_it_carries_is_not() -> None:
    body = """%0:2 = "npu.scan"(%x, %w) ({
  ^bb0(%a: tensor<6x8xf32>, %one: tensor<f32>):
    %1 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %2 = stablehlo.add %a, %1 : tensor<6x8xf32>
    "npu.done"(%2, %2) : (tensor<6x8xf32>, tensor<6x8xf32>) -> ()
  }) : (tensor<6x8xf32>, tensor<8xf32>) -> (tensor<6x8xf32>, tensor<8x6x8xf32>)
  return %0#0, %0#1 : tensor<6x8xf32>, tensor<8x6x8xf32>"""
    collected = 'tensor<8x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}'
    plan = plan_of(program(body, f"tensor<6x8xf32> {{sdy.sharding = {ROWS}}}, {collected}"))
    assert "-> (tensor<3x8xf32>, tensor<8x6x8xf32>)" in str(plan.module)


@pytest.mark.parametrize("body", [FOR, UNTIL, PICK, BOX], ids=["for", "until", "pick", "box"])
def test_the_search_knows_what_flows_through_regions(body: str) -> None:
    module = pyshardy.parse(program(body)).op
    (function,) = functions(module)
    classes = DimensionClasses(module, function)
    given, returned = ([classes.find(one) for one in found] for found in (classes.arguments[0], classes.returned[0]))
    assert given == returned


def test_an_explanation_goes_through_a_loop() -> None:
    (why,) = pyshardy.partition(pyshardy.parse(program(FOR))).explain("result 0", edits=False)
    assert "'operation': 'npu.for'" in str(why.as_json())


def test_a_loop_counts_with_its_turns() -> None:
    cost: Any = pyshardy.partition(pyshardy.parse(program(FOR))).cost("v5e").as_json()
    norm = next(one for one in cost["operations"] if one["operation"] == "npu.norm")
    assert (norm["runs"], norm["flops"]) == (5, 25.0)
    unknown: Any = pyshardy.partition(pyshardy.parse(program(FOR.replace("%last, %x", "%n, %x")))).cost("v5e").as_json()
    assert any("no trip count is known for 1 loop" in note for note in unknown["notes"])


@pytest.mark.parametrize(
    ("flow", "problem"),
    [
        (Loop(first_operand=1, first_argument=1), "result 0 is of type 'tensor<6x8xf32>', and operand 1 of 'npu.for'"),
        (Loop(first_operand=9, first_argument=1), "comes of operand 9 of 'npu.for', which has 3"),
        (Loop(first_operand=2), "is seen as 'tensor<i32>'"),
        (Loop(first_operand=2, first_argument=7), "which names what is not there: it has "),
        (DataFlow(), "NotImplementedError"),
        (None, "has the trait DATA_FLOW, but nothing says how its values flow"),
    ],
)
def test_a_flow_that_does_not_fit_is_an_error_at_the_operation(flow: DataFlow | None, problem: str) -> None:
    traits = {} if flow is not None else {"traits": 1 << 12}
    npu.replaced("npu.for", regions=1, data_flow=flow, **traits)
    with pytest.raises(pyshardy.PyshardyError, match=r"'npu\.for' op") as error:
        pyshardy.parse(program(FOR))
    assert problem in str(error.value)


# --- devices that part ways -------------------------------------------------------------------------------------------

PARTED = """%0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%a: tensor<3x8xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %last = stablehlo.constant dense<3> : tensor<i32>
    %id = stablehlo.partition_id : tensor<ui32>
    %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %is_first = stablehlo.compare EQ, %own, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    BODY
    sdy.return %out : tensor<3x8xf32>
  } : (tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>"""
PARTED_UNTIL = """%i, %out = "LOOP"(%own, %a) ({
    ^bb0(%i: tensor<i32>, %b: tensor<3x8xf32>):
      %on = stablehlo.compare LT, %i, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "END"(%on) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %b: tensor<3x8xf32>):
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      %more = stablehlo.add %b, %b : tensor<3x8xf32>
      "END"(%next, %more) : (tensor<i32>, tensor<3x8xf32>) -> ()
    }) : (tensor<i32>, tensor<3x8xf32>) -> (tensor<i32>, tensor<3x8xf32>)"""
PARTED_FOR = """%out = "npu.for"(%own, %last, %a) ({
    ^bb0(%turn: tensor<i32>, %b: tensor<3x8xf32>):
      %more = stablehlo.add %b, %b : tensor<3x8xf32>
      "npu.done"(%more) : (tensor<3x8xf32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<3x8xf32>) -> tensor<3x8xf32>"""
PARTED_PICK = """%out = "npu.pick"(%is_first) ({
      %more = stablehlo.add %a, %a : tensor<3x8xf32>
      "npu.done"(%more) : (tensor<3x8xf32>) -> ()
    }, {
      "npu.done"(%a) : (tensor<3x8xf32>) -> ()
    }) : (tensor<i1>) -> tensor<3x8xf32>"""


def parted(body: str, loop: str = "npu.until", end: str = "npu.done") -> str:
    inside = PARTED.replace("BODY", body.replace("%i, %out =", "%o:2 =").replace("LOOP", loop).replace("END", end))
    inside = inside.replace("sdy.return %out", "sdy.return %o#1") if "%o:2" in inside else inside
    return program(inside, mesh='<["x"=2]>')


def run(text: str) -> Any:
    """What each of two devices returns."""
    plan = pyshardy.partition(pyshardy.parse(text))
    x = np.arange(48, dtype=np.float32).reshape(6, 8)
    whole = np.ones((1, 8), np.float32), np.zeros(1, np.int32), np.ones(1, np.bool_)
    (found,) = run_devices(plan.module, [x.reshape(2, 3, 8), *whole], partitions=2)
    return found


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (PARTED_UNTIL, "'npu.until' op has devices part ways: operand 0 of 'npu.done', which ends a region, is not"),
        (PARTED_FOR, "'npu.for' op has devices part ways: its operand 0 is not the same on all of them"),
        (PARTED_PICK, "'npu.pick' op has devices part ways: its operand 0 is not the same on all of them"),
    ],
)
def test_devices_that_part_ways_are_an_error_at_the_operation(body: str, where: str) -> None:
    with pytest.raises(pyshardy.PyshardyError) as error:
        run(parted(body))
    (diagnostic,) = error.value.diagnostics
    assert where in diagnostic.message and "run_loop and run_branch" in diagnostic.message
    assert "\n" not in diagnostic.message


def test_each_device_goes_its_own_way_where_the_evaluator_lets_it() -> None:
    wanted = run(parted(PARTED_UNTIL, "stablehlo.while", "stablehlo.return"))
    npu.replaced("npu.until", regions=2, traits=npu.LOOPING, data_flow=Loop(), evaluator=run_loop)
    found = run(parted(PARTED_UNTIL))
    assert found.tolist() == wanted.tolist()
    assert found[:, 0, 1].tolist() == [8.0, 4 * 25.0]
    branch = lambda frame, op, operands: run_branch(frame, op, np.where(operands[0], 0, 1))  # noqa: E731
    npu.replaced("npu.pick", operands=1, regions=2, traits=npu.LOOPING, data_flow=Branches(), evaluator=branch)
    assert run(parted(PARTED_PICK))[:, 0, 1].tolist() == [2.0, 25.0]


def test_flags_that_a_scan_collects_may_differ() -> None:
    body = """%o:2 = "npu.scan"(%a, %flags) ({
    ^bb0(%b: tensor<3x8xf32>, %flag: tensor<i1>):
      %both = stablehlo.or %flag, %is_first : tensor<i1>
      "npu.done"(%b, %both) : (tensor<3x8xf32>, tensor<i1>) -> ()
    }) : (tensor<3x8xf32>, tensor<4xi1>) -> (tensor<3x8xf32>, tensor<4xi1>)"""
    flags = "%flags = stablehlo.constant dense<false> : tensor<4xi1>\n    "
    text = program(PARTED.replace("BODY", flags + body).replace("sdy.return %out", "sdy.return %o#0"), mesh='<["x"=2]>')
    assert run(text)[:, 0, 1].tolist() == [1.0, 25.0]


# --- collectives ------------------------------------------------------------------------------------------------------

GATHER = """%0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>]
      manual_axes={"x"} (%a: tensor<3x8xf32>) {
    %1 = "npu.all_rows"(%a) <{with = array<i64: 0, 1>}> : (tensor<3x8xf32>) -> tensor<6x8xf32>
    sdy.return %1 : tensor<6x8xf32>
  } : (tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>"""


def test_a_collective_is_counted_and_takes_time() -> None:
    plan = plan_of(program(GATHER, mesh='<["x"=2]>'))
    assert [(one.kind, one.group_size, one.bytes) for one in plan.collectives] == [("all_gather", 2, 96.0)]
    cost: Any = plan.cost("h100").as_json()
    (found,) = cost["collectives"]
    assert found["kind"] == "all_gather" and found["seconds"] > 0


# --- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"localizer": lambda site: 1 / 0}, "raises ZeroDivisionError"),
        ({"localizer": lambda site: []}, "returns 0 values for 2 results"),
        ({"localizer": lambda site: "all"}, "returns str, and a list with one Sharded a result is expected"),
        ({"rule": lambda op, conservative: 1 / 0}, "raises ZeroDivisionError"),
        ({"rule": npu.norm_rule, "evaluator": lambda *_: None}, "NoneType, and a list with one array a result"),
        ({"rule": npu.norm_rule, "evaluator": lambda *of: [of[2][0]]}, "has 2 results, but 1 values are computed"),
        ({"rule": npu.norm_rule, "evaluator": lambda *of: [of[2][0]] * 2}, "array of shape (1, 6, 8) for result 1"),
        ({"rule": npu.norm_rule, "adapts": lambda *_: 1 / 0}, "says of it"),
        ({"rule": npu.norm_rule, "adapts": lambda *_: ["n"]}, "adapts returns list"),
        ({"rule": npu.norm_rule, "adapts": lambda *_: {"n": 3}}, "adapts gives 'n' as int"),
        ({"rule": npu.norm_rule, "evaluator": lambda *of: 1 / 0}, "test_dialects.py:"),
        ({"rule": npu.norm_rule, "evaluator": lambda *of: of[2][0].fill(0)}, "raises ValueError: "),
        ({"rule": npu.norm_rule, "evaluator": lambda *of: [of[2][0] * 1j] * 2}, "complex128 for result 0"),
        ({"rule": lambda op, _: RuleBuilder(op).add([2, 0], [0, 0], 6).build()}, "dimension 2 of operand 0, of rank 2"),
        ({"rule": lambda op, _: RuleBuilder(op).add([-2, 0], [0, 0], 6).build()}, "dimension -2 of operand 0"),
        ({"rule": lambda op, _: RuleBuilder(op).add([0], [0, 0, 0], 6).build()}, "3 result dimensions for 2 results"),
        ({"verifiers": [lambda verification, op: 1 / 0]}, "raises ZeroDivisionError"),
        (
            {"collective": CollectiveDef("all_reduce", lambda op: cast(Any, [0, 1]))},
            "the groups of 'npu.norm' are [0, 1]",
        ),
        ({"data_flow": Loop()}, "cannot have the data flow Loop: it has no regions"),
    ],
)
def test_a_function_of_a_row_that_goes_wrong_is_an_error_at_the_operation(fields: dict[str, Any], problem: str) -> None:
    npu.replaced("npu.norm", operands=2, results=2, traits=PURE, **fields)
    with pytest.raises(pyshardy.PyshardyError, match=r"npu\.norm") as error:
        plan = pyshardy.partition(pyshardy.parse(program(NORM)))
        plan.check()
    assert problem in str(error.value), error.value


def _broken(*_: object) -> None:
    raise KeyError("form")


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        (Assembly("%0, %2 {} : functional-type"), r"print_ of op 'npu\.norm' \('%0, %2 .*'\) raises IndexError"),
        (Assembly("%0, <n:i65> {} : functional-type"), "names 'i65', which is none of"),
        (Assembly("%0"), "is not as 'what is written : how the types are'"),
    ],
)
def test_a_form_that_does_not_fit_is_a_sentence(form: Assembly, problem: str) -> None:
    with pytest.raises((ValueError, PluginProblem), match=problem):
        npu.replaced("npu.norm", operands=2, results=2, parse=form.parse, print_=form.print_)
        print(pyshardy.parse(program(NORM)))


def test_a_parse_that_raises_is_an_error_in_the_text() -> None:
    npu.replaced("npu.norm", operands=2, results=2, parse=_broken, print_=_broken)
    wanted = r"custom op 'npu\.norm' cannot be read: its parse \(.*test_dialects\.py:\d+\) raises KeyError: 'form'"
    with pytest.raises(pyshardy.PyshardyError, match=wanted):
        pyshardy.parse(program(NORM.replace('"npu.norm"', "npu.norm")))


def test_a_property_that_a_row_does_not_have_is_not_lost() -> None:
    npu.replaced("npu.norm", operands=2, results=2, properties=["scale", "mode"])
    wanted = r"its row has no property 'scal', only mode, scale"
    with pytest.raises(pyshardy.PyshardyError, match=wanted):
        pyshardy.parse(program(NORM.replace("(%x, %w)", "(%x, %w) <{scal = 2 : i64}>")))


def test_a_factor_as_large_as_none_of_its_dimensions_is_told_once() -> None:
    def rule(op: Any, conservative: bool) -> Any:
        return RuleBuilder(op).add([0], [0], 7).build()

    npu.replaced("npu.odd", operands=1, results=1, traits=PURE, rule=rule)
    body = """%0 = "npu.odd"(%x) : (tensor<6x8xf32>) -> tensor<6x8xf32>
  %1 = "npu.odd"(%0) : (tensor<6x8xf32>) -> tensor<6x8xf32>
  return %1 : tensor<6x8xf32>"""
    module = pyshardy.propagate(pyshardy.parse(program(body)))
    (warning,) = module.context.diagnostics
    assert warning.message.endswith("factor 0 has size 7, and the dimensions that it is are of 6")


# --- made small -------------------------------------------------------------------------------------------------------


def test_a_program_of_a_dialect_from_outside_is_made_small() -> None:
    text = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%x: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<64xf32>)
    -> (tensor<4096x64xf32>, tensor<64xf32>) {
  %lo = stablehlo.constant dense<0> : tensor<i32>
  %hi = stablehlo.constant dense<3> : tensor<i32>
  %half = "npu.splat"() <{of = 0.5 : f32}> : () -> tensor<4096x64xf32>
  %ones = "npu.data"() <{value = dense<1.0> : tensor<4096x64xf32>}> : () -> tensor<4096x64xf32>
  %0 = "npu.for"(%lo, %hi, %x) ({
  ^bb0(%i: tensor<i32>, %y: tensor<4096x64xf32>):
    %1:2 = "npu.norm"(%y, %w) : (tensor<4096x64xf32>, tensor<64xf32>) -> (tensor<4096x64xf32>, tensor<4096xf32>)
    %2 = "npu.fma"(%1#0, %half, %ones)
        : (tensor<4096x64xf32>, tensor<4096x64xf32>, tensor<4096x64xf32>) -> tensor<4096x64xf32>
    "npu.done"(%2) : (tensor<4096x64xf32>) -> ()
  }) : (tensor<i32>, tensor<i32>, tensor<4096x64xf32>) -> tensor<4096x64xf32>
  %3 = "npu.total"(%0) : (tensor<4096x64xf32>) -> tensor<64xf32>
  return %0, %3 : tensor<4096x64xf32>, tensor<64xf32>
}"""
    small = pyshardy.parse(text).made_small()
    assert [str(one.type) for one in small.results()] == ["tensor<4x4xf32>", "tensor<4xf32>"]
    report = pyshardy.partition(small).check()
    assert all(one.verdict.value == "equal" for one in report.results), str(report)


def test_what_is_cut_or_listed_keeps_its_size_in_a_small_program() -> None:
    text = """
func.func @main(%x: tensor<4096x64xf32>, %y: tensor<6xf32>) -> (tensor<4096x16xf32>, tensor<6xf32>) {
  %0 = "npu.crop"(%x) <{to = array<i64: 4096, 16>}> : (tensor<4096x64xf32>) -> tensor<4096x16xf32>
  %c = "npu.data"() <{value = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>}> : () -> tensor<6xf32>
  %1 = stablehlo.add %y, %c : tensor<6xf32>
  return %0, %1 : tensor<4096x16xf32>, tensor<6xf32>
}"""
    small = pyshardy.parse(text).made_small()
    assert [str(one.type) for one in small.arguments()] == ["tensor<4x64xf32>", "tensor<6xf32>"]
    assert "array<i64: 4, 16>" in str(small)
    assert pyshardy.partition(small).check().agrees


def test_a_row_that_cannot_be_adapted_to_small_shapes_is_named() -> None:
    def fails(op: Any, operands: Any, results: Any) -> Any:
        raise KeyError("sizes")

    npu.replaced("npu.crop", operands=1, results=1, properties=["to"], rule=npu.crop_rule, adapts=fails)
    text = """
func.func @main(%x: tensor<4096x64xf32>) -> tensor<4096x16xf32> {
  %0 = "npu.crop"(%x) <{to = array<i64: 4096, 16>}> : (tensor<4096x64xf32>) -> tensor<4096x16xf32>
  return %0 : tensor<4096x16xf32>
}"""
    with pytest.raises(ValueError, match=r"'npu.crop' is not adapted: raises KeyError"):
        pyshardy.parse(text).made_small()


def test_a_row_from_outside_may_refuse_a_program_that_gets_a_mesh() -> None:
    def wants_no_mesh(verification: Verification, op: Operation) -> None:
        if "mesh" in verification.symbols(op):
            verification.error(op, "wants no mesh")

    npu.replaced("npu.crop", operands=1, results=1, traits=PURE, verifiers=(wants_no_mesh,))
    module = pyshardy.parse("""
func.func @main(%x: tensor<8xf32> loc("x")) -> tensor<8xf32> {
  %0 = "npu.crop"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}""")
    before = str(module)
    with pytest.raises(pyshardy.PyshardyError, match="wants no mesh"):
        module.apply_shardings({"mesh": {"data": 4}, "shardings": {"x": ["data"]}})
    assert str(module) == before
