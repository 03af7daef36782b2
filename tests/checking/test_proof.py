"""Partitions that are compared part by part: what the inputs hide is seen, and what is right is never refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pyshardy import Plan, parse, partition
from pyshardy.checking.check import check_programs, programs_of
from pyshardy.checking.labels import labels_of
from pyshardy.checking.proof import Proof, Prover
from pyshardy.checking.trials import run_trials
from pyshardy.checking.verdicts import CheckReport
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation, Value

_MESH = 'sdy.mesh @m = <["x"=4]>\n'
_ROWS = '{sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}'


def _plan(body: str, arguments: str, results: str, functions: str = "") -> Plan:
    return partition(parse(f"{_MESH}{functions}func.func @main({arguments}) -> ({results}) {{\n{body}\n}}"))


def _operations(plan: Plan, name: str) -> list[Operation]:
    return [op for op in plan.local.op.walk() if op.name == f"stablehlo.{name}"]


def _proof(plan: Plan) -> Proof:
    programs = programs_of(plan)
    return Prover(programs, plan.correspondence.module, labels_of(programs), 0).prove()


def _differs_in_runs(plan: Plan) -> bool:
    return run_trials(programs_of(plan), 0).wrong is not None


def _verdicts(report: CheckReport) -> list[str]:
    return [one.verdict.value for one in report.results]


_CLIPPED_AWAY = """
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4xf32>
  %far = stablehlo.constant dense<1000000> : tensor<4xi32>
  %0 = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.compare GT, %i, %far, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = stablehlo.select %1, %0, %zeros : tensor<4xi1>, tensor<4xf32>
  return %2 : tensor<4xf32>"""


def test_a_gradient_that_is_zero_throughout_is_decided() -> None:
    plan = _plan(_CLIPPED_AWAY, f"%g: tensor<8x4xf32> {_ROWS}, %i: tensor<4xi32>", "tensor<4xf32>")
    report = plan.check()
    assert _verdicts(report) == ["equal"]
    assert "it is 0.0 throughout, whatever the inputs are" in report.results[0].reason
    for op in _operations(plan, "all_reduce"):
        rewriting.replace_op(op, op.operands)
    assert not _differs_in_runs(plan)
    wrong = plan.check()
    assert _verdicts(wrong) == ["different"]
    assert "for values that the runs did not have" in wrong.results[0].reason
    assert wrong.first_wrong is not None
    assert wrong.first_wrong.difference.expected != wrong.first_wrong.difference.found


def test_what_is_no_number_is_equal() -> None:
    body = """
      %0 = stablehlo.subtract %a, %a : tensor<8x4xf32>
      %1 = stablehlo.divide %0, %0 : tensor<8x4xf32>
      return %1 : tensor<8x4xf32>"""
    report = _plan(body, f"%a: tensor<8x4xf32> {_ROWS}", f"tensor<8x4xf32> {_ROWS}").check()
    assert _verdicts(report) == ["equal"]
    assert "it is nan throughout" in report.results[0].reason


def _layers(count: int) -> str:
    lines, before = [], "%a"
    for layer in range(count):
        lines += [
            f"%p{layer} = stablehlo.dot_general {before}, %w{layer}, contracting_dims = [1] x [0] "
            ": (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>",
            f"%t{layer} = stablehlo.tanh %p{layer} : tensor<8x8xf32>",
        ]
        before = f"%t{layer}"
    return "\n".join((*lines, f"return {before} : tensor<8x8xf32>"))


def _layered(count: int) -> Plan:
    columns = '{sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}'
    weights = [f"%w{layer}: tensor<8x8xf32> {columns}" for layer in range(count)]
    return _plan(_layers(count), ", ".join(("%a: tensor<8x8xf32>", *weights)), "tensor<8x8xf32>")


def test_of_layers_that_are_alike_one_is_compared() -> None:
    few, many = _proof(_layered(4)), _proof(_layered(12))
    assert few.proven == many.proven == {0}
    assert few.compared == many.compared
    assert many.alike > few.alike


@pytest.mark.parametrize("layer", [0, 5, 11])
def test_the_one_layer_that_is_not_like_the_others_is_seen(layer: int) -> None:
    plan = _layered(12)
    functions = _operations(plan, "tanh")
    rewriting.replace_op(functions[layer], functions[layer].operands)
    assert 0 in _proof(plan).failures


_LOOP = """
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<1000000000> : tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3:2 = stablehlo.while(%i = %none, %y = %x) : tensor<i32>, tensor<8x4xf32>
   cond {
    %4 = stablehlo.compare LT, %i, %many, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
   } do {
    %5 = stablehlo.add %i, %one : tensor<i32>
    %6 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
    %8 = stablehlo.subtract %y, %7 : tensor<8x4xf32>
    stablehlo.return %5, %8 : tensor<i32>, tensor<8x4xf32>
  }
  return %3#1 : tensor<8x4xf32>"""


def test_a_loop_of_a_thousand_million_turns_is_proven_by_one() -> None:
    plan = _plan(_LOOP, f"%x: tensor<8x4xf32> {_ROWS}", f"tensor<8x4xf32> {_ROWS}")
    report = plan.check()
    assert _verdicts(report) == ["equal"]
    assert report.runs == 0
    assert any("one iteration of a loop" in note for note in report.notes)
    for op in _operations(plan, "all_reduce"):
        rewriting.replace_op(op, op.operands)
    assert plan.check().differs


_FUNCTION = """func.func private @f(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
"""


def test_a_function_that_is_called_twice_is_proven_inside() -> None:
    body = """
      %0 = func.call @f(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
      %1 = stablehlo.tanh %0 : tensor<8x4xf32>
      %2 = func.call @f(%1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
      return %2 : tensor<8x4xf32>"""
    plan = _plan(body, f"%a: tensor<8x4xf32> {_ROWS}", f"tensor<8x4xf32> {_ROWS}", _FUNCTION)
    proof = _proof(plan)
    assert proof.proven == {0}
    assert proof.alike + proof.compared < 8
    for op in _operations(plan, "all_reduce"):
        rewriting.replace_op(op, op.operands)
    assert 0 in _proof(plan).failures


def test_both_sides_of_a_branch_are_compared() -> None:
    body = """
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %none = stablehlo.constant dense<-5> : tensor<i32>
      %0 = stablehlo.compare LT, %i, %none, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %1 = "stablehlo.if"(%0) ({
        %2 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
            : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
        stablehlo.return %2 : tensor<4xf32>
      }, {
        %3 = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [0]
            : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
        stablehlo.return %3 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      return %1 : tensor<4xf32>"""
    for broken in (0, 1):
        plan = _plan(body, f"%a: tensor<8x4xf32> {_ROWS}, %i: tensor<i32>", "tensor<4xf32>")
        assert _proof(plan).proven == {0}
        sums = _operations(plan, "all_reduce")
        rewriting.replace_op(sums[broken], sums[broken].operands)
        assert 0 in _proof(plan).failures


def test_what_is_wrong_but_never_read_is_no_mistake() -> None:
    body = """
      %0 = stablehlo.tanh %a : tensor<8x4xf32>
      %1 = stablehlo.slice %0 [0:8, 0:2] : (tensor<8x4xf32>) -> tensor<8x2xf32>
      return %1 : tensor<8x2xf32>"""
    plan = _plan(body, f"%a: tensor<8x4xf32> {_ROWS}", f"tensor<8x2xf32> {_ROWS}")
    (op,) = _operations(plan, "tanh")
    # The columns that the slice drops are something else.
    changed = parse(
        f"""{_MESH}func.func @main(%a: tensor<2x4xf32> {_ROWS}) -> (tensor<2x2xf32> {_ROWS}) {{
          %two = stablehlo.constant dense<2> : tensor<2x4xi64>
          %places = stablehlo.iota dim = 1 : tensor<2x4xi64>
          %mask = stablehlo.compare LT, %places, %two : (tensor<2x4xi64>, tensor<2x4xi64>) -> tensor<2x4xi1>
          %0 = stablehlo.tanh %a : tensor<2x4xf32>
          %1 = stablehlo.select %mask, %0, %a : tensor<2x4xi1>, tensor<2x4xf32>
          %2 = stablehlo.slice %1 [0:2, 0:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
          return %2 : tensor<2x2xf32>
        }}"""
    )
    block = next(one for one in changed.op.body if one.name == "func.func").body
    slice_ = next(one for one in block if one.name == "stablehlo.slice")
    copies: dict[Value, Value] = {op.results[0]: slice_.operands[0]}
    programs = replace(programs_of(plan), local=changed, copies=copies)
    report = check_programs(programs)
    assert _verdicts(report) == ["equal"]


def test_terms_of_a_sum_lie_on_all_devices_so_that_nobody_takes_one_for_the_sum() -> None:
    body = """
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %never = stablehlo.constant dense<1.0e+30> : tensor<4xf32>
      %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
      %1 = stablehlo.tanh %0 : tensor<4xf32>
      return %1 : tensor<4xf32>"""
    plan = _plan(body, f"%a: tensor<8x4xf32> {_ROWS}", "tensor<4xf32>")
    (total,), (function,) = _operations(plan, "all_reduce"), _operations(plan, "tanh")
    rewriting.set_operand(function, 0, total.operands[0])
    assert 0 in _proof(plan).failures


def test_an_alias_of_a_constant_is_that_constant() -> None:
    body = """
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.constant dense<2.0> : tensor<8x4xf32>
      %1 = stablehlo.pad %0, %b, low = [0, 0], high = [0, 0], interior = [0, 0]
          : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
      %2 = stablehlo.multiply %0, %1 : tensor<8x4xf32>
      %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
      return %3 : tensor<4xf32>"""
    assert _verdicts(_plan(body, "%b: tensor<f32>", "tensor<4xf32>").check()) == ["equal"]


def test_an_index_whose_column_is_zero_stays_so() -> None:
    body = """
      %zeros = stablehlo.constant dense<0> : tensor<8x1xi32>
      %0 = stablehlo.concatenate %i, %zeros, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
      %1 = "stablehlo.gather"(%a, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
          collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>,
          slice_sizes = array<i64: 1, 4>}> : (tensor<16x4xf32>, tensor<8x2xi32>) -> tensor<8x4xf32>
      return %1 : tensor<8x4xf32>"""
    columns = '{sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}'
    plan = _plan(body, f"%a: tensor<16x4xf32> {columns}, %i: tensor<8x1xi32>", f"tensor<8x4xf32> {columns}")
    assert _proof(plan).proven == {0}


def test_what_cannot_be_run_by_itself_leaves_the_whole_run() -> None:
    plan = _plan("return %a : tensor<8x4xf32>", f"%a: tensor<8x4xf32> {_ROWS}", f"tensor<8x4xf32> {_ROWS}")
    programs = replace(programs_of(plan), correspondence=None)
    report = check_programs(programs)
    assert report.agrees
    assert (report.parts, report.alike) == (0, 0)


def test_parts_that_overlap_too_much_are_left_to_the_whole_run() -> None:
    plan = _plan(
        "  %0 = stablehlo.tanh %a : tensor<8x4xf32>\n"
        + "".join(f"  %{n + 1} = stablehlo.sine %{n} : tensor<8x4xf32>\n" for n in range(700))
        + "  %z0 = stablehlo.add %700, %a : tensor<8x4xf32>\n"
        + "".join(f"  %z{n} = stablehlo.add %z{n - 1}, %{700 - n} : tensor<8x4xf32>\n" for n in range(1, 40))
        + f"  return {', '.join(f'%z{n}' for n in range(40))} : {', '.join(['tensor<8x4xf32>'] * 40)}",
        f"%a: tensor<8x4xf32> {_ROWS}",
        ", ".join(["tensor<8x4xf32>"] * 40),
    )
    programs = programs_of(plan)
    # As if nothing between arguments and results were known: each part is all that leads to its result.
    labels = labels_of(programs)
    for op in plan.local.op.walk():
        for value in op.results:
            while labels.first(value) is not None:
                labels.remove(value)
    proof = Prover(programs, plan.correspondence.module, labels, 0).prove()
    assert 0 < proof.compared < 20 and not proof.failures
    assert set(proof.open.values()) == {"to compare all parts takes longer than to run the whole programs"}
    assert _verdicts(plan.check()) == ["equal"] * 40


_ON_FOUR = 'sdy.mesh @mesh = <["x"=4]>\n'
_WHOLE_AND_SHARDED = """
func.func @main(%t: tensor<f32>) -> tensor<f32> {
  %0:2 = sdy.manual_computation(%t) in_shardings=[<@mesh, []>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>]
      manual_axes={"x"} (%arg: tensor<f32>) {
    %r = stablehlo.exponential %arg : tensor<f32>
    %s = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<f32>) -> tensor<1xf32>
    sdy.return %s, %s : tensor<1xf32>, tensor<1xf32>
  } : (tensor<f32>) -> (tensor<4xf32>, tensor<1xf32>)
  %1 = stablehlo.reshape %0#1 : (tensor<1xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}
"""


def test_a_local_value_may_be_a_sharded_and_a_whole_one() -> None:
    plan = partition(parse(_ON_FOUR + _WHOLE_AND_SHARDED))
    assert plan.check().agrees
    (made,) = _operations(plan, "exponential")
    rewriting.replace_op(made, made.operands)
    assert not check_programs(programs_of(plan)).agrees


_SUM_OF_RESIDUALS = """
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>, tensor<f32>) {
  %0:3 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>]
      out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>, <@mesh, []>] manual_axes={"x"} (%arg: tensor<2xf32>) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %c = stablehlo.constant dense<4.0> : tensor<f32>
    %k = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %e = stablehlo.exponential %arg : tensor<2xf32>
    %r = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %h = stablehlo.reshape %k : (tensor<1xf32>) -> tensor<f32>
    %m = stablehlo.multiply %r, %h : tensor<f32>
    %s = "stablehlo.all_reduce"(%m) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %u = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %u : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    sdy.return %e, %k, %s : tensor<2xf32>, tensor<1xf32>, tensor<f32>
  } : (tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>, tensor<f32>)
  return %0#0, %0#1, %0#2 : tensor<8xf32>, tensor<4xf32>, tensor<f32>
}
"""


def test_other_results_of_a_manual_computation_are_made_from_its_operands() -> None:
    """The second is the same on all devices, so it cannot be told by numbers whether it was read."""
    plan = partition(parse(_ON_FOUR + _SUM_OF_RESIDUALS))
    assert plan.check().agrees
    (made,) = _operations(plan, "multiply")
    rewriting.replace_op(made, made.operands[:1])
    assert not check_programs(programs_of(plan)).agrees


@pytest.mark.parametrize(
    ("other", "type"),
    [
        ("stablehlo.sqrt %a", "f32"),
        ("stablehlo.log %a", "f32"),
        ("stablehlo.divide %a, %a", "f32"),
        ("stablehlo.power %a, %a", "f32"),
        ("stablehlo.remainder %a, %a", "i32"),
    ],
)
def test_a_value_that_one_operation_wants_positive_is_negative_for_others(other: str, type: str) -> None:
    """Rows 4 to 8 are put together by a sum of what each device has of them, and zeros: the maximum is the same if all
    numbers are positive."""
    whole = f"tensor<8x12x{type}>"
    plan = partition(
        parse(f"""
sdy.mesh @m = <["a"=2, "b"=3]>
func.func @main(%a: {whole} {{sdy.sharding = #sdy.sharding<@m, [{{}}, {{"b", "a"}}]>}})
    -> (tensor<8x4x{type}> {{sdy.sharding = #sdy.sharding<@m, [{{}}, {{"a"}}]>}}, {whole}) {{
  %0 = stablehlo.slice %a [0:8, 4:8] : ({whole}) -> tensor<8x4x{type}>
  %1 = {other} : {whole}
  return %0, %1 : tensor<8x4x{type}>, {whole}
}}""")
    )
    assert plan.check().agrees
    (reduced,) = _operations(plan, "all_reduce")
    (add,) = (op for op in reduced.operations() if op.name == "stablehlo.add")
    rewriting.rename(add, "stablehlo.maximum", {})
    assert _verdicts(plan.check()) == ["different", "equal"]
