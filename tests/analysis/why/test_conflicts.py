"""What meets at collectives, and all conflicts of a program with what they move."""

from pathlib import Path

import pytest

from pyshardy import hardware, load, parse, partition, planning
from pyshardy.analysis.cost.estimate import cost_of
from pyshardy.analysis.why.collective_reasons import CollectiveReason
from pyshardy.analysis.why.conflicts import Conflicts, find_conflicts
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.partitioning import plan as plans
from tests.analysis.why.programs import program, sharded
from tests.analysis.why.random_programs import random_explainer

ROOT = Path(__file__).parents[3]


def dot(first: str, second: str) -> str:
    return program(f"""
func.func @main(%a: tensor<8x16xf32> {sharded(first)}, %b: tensor<16x8xf32> {sharded(second)}) -> tensor<8x8xf32> {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}}""")


def reasons(text: str) -> list[CollectiveReason]:
    explainer = Explainer(parse(text))
    return [explainer.reasons.at(one) for one in explainer.traced.plan.collectives]


def test_a_sum_has_both_operands() -> None:
    (met,) = reasons(dot('[{}, {"x"}]', '[{"x"}, {}]'))
    assert met.sums and met.factor == "k" and met.first is not None and met.second is not None
    assert [one.text for one in met.annotations] == ["argument %arg0", "argument %arg1"]


def test_rivals_want_one_axis_for_two_factors() -> None:
    (met,) = reasons(dot('[{"x"}, {}]', '[{}, {"x"}]'))
    assert not met.sums and 'cannot use axis "x" for two things at once' in met.text
    assert {one.text for one in met.annotations} == {"argument %arg0", "argument %arg1"}


def test_an_operation_that_needs_a_factor_whole_says_so() -> None:
    text = program(f"""
func.func @main(%a: tensor<8x8xcomplex<f32>> {sharded('[{?}, {"x"}]')}) -> tensor<8x8xcomplex<f32>> {{
  %0 = stablehlo.fft %a, type = FFT, length = [8] : (tensor<8x8xcomplex<f32>>) -> tensor<8x8xcomplex<f32>>
  return %0 : tensor<8x8xcomplex<f32>>
}}""")
    met = reasons(text)[0]
    assert "needs" in met.text and "whole on every device" in met.text
    assert [one.text for one in met.annotations] == ["argument %arg0"]


def test_an_operation_without_a_rule_needs_its_operands_whole() -> None:
    text = program(f"""
func.func @main(%a: tensor<8x8xf32> {sharded('[{"x"}, {}]')}) -> tensor<8x8xf32> {{
  %0 = stablehlo.tanh %a : tensor<8x8xf32>
  %1 = stablehlo.custom_call @unknown(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}}""")
    (met,) = reasons(text)
    assert met.text == 'custom_call needs dimension 0 of %0 whole on every device, and that is sharded along "x"'
    assert [one.text for one in met.annotations] == ["argument %arg0"]


def test_what_was_computed_in_shards_is_gathered_for_an_operation_that_needs_it_whole() -> None:
    """No sharding of the half has the axis, along which the partitioner has computed it."""
    text = program(f"""
func.func @main(%a: tensor<8x8xf32> {sharded('[{"y"}, {"x"}]')}) -> tensor<8x8xf32> {{
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %a, %0 : tensor<8x8xf32>
  %two = stablehlo.constant dense<2.0> : tensor<8x8xf32>
  %2 = stablehlo.divide %1, %two : tensor<8x8xf32>
  %3 = stablehlo.cholesky %2, lower = true : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}}""")
    texts = [one.text for one in reasons(text)]
    assert 'cholesky needs %2 whole on every device, and that was computed along "x"' in texts
    assert not any("is computed along" in one for one in texts)


def test_neighbours_that_exchange_data_are_a_permutation() -> None:
    text = program(f"""
func.func @main(%a: tensor<1x8x4xf32> {sharded('[{?}, {"x"}, {?}]')}, %k: tensor<3x4x4xf32>) -> tensor<1x8x4xf32> {{
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{pad = [[1, 1]]}}
      {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
      : (tensor<1x8x4xf32>, tensor<3x4x4xf32>) -> tensor<1x8x4xf32>
  return %0 : tensor<1x8x4xf32>
}}""")
    assert any("needs a piece of its neighbours" in one.text for one in reasons(text))


def test_a_collective_of_the_program_itself_has_no_annotations() -> None:
    text = program("""
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x", "y"} (%p: tensor<4xf32>) {
    %1 = "stablehlo.collective_permute"(%p) <{source_target_pairs = dense<[[0, 4], [4, 0]]> : tensor<2x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}""")
    met = [one for one in reasons(text) if one.collective.kind == "collective_permute"]
    assert met and all(not one.annotations for one in met)


# --- conflicts --------------------------------------------------------------------------------------------------------


def moved(found: Conflicts) -> float:
    """The bytes of everything that ``conflicts`` lists."""
    listed = [met.collective for cause in (*found.sums, *found.others) for met in cause.reasons]
    rest = sum(one.bytes * (one.turns if one.turns is not None else 1) for one in listed)
    return sum(one.run_bytes for one in found.causes) + rest


def bytes_of(plan: plans.Plan) -> float:
    return sum(one.bytes * (one.turns if one.turns is not None else 1) for one in plan.collectives)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.mlir")), ids=lambda path: path.stem)
def test_all_that_moves_in_an_example_is_listed_once(path: Path) -> None:
    module = load(path)
    found = find_conflicts(Explainer(module), edits=False)
    assert moved(found) == bytes_of(partition(module))
    sizes = [one.run_bytes for one in found.causes]
    assert sizes == sorted(sizes, reverse=True)


def test_all_that_moves_in_random_programs_is_listed_once() -> None:
    for explainer in filter(None, map(random_explainer, range(20))):
        found = find_conflicts(explainer, edits=False)
        assert moved(found) == pytest.approx(bytes_of(explainer.traced.plan))


def test_layers_are_one_cause() -> None:
    found = find_conflicts(Explainer(load(ROOT / "examples" / "transformer_fsdp.mlir")), edits=False)
    largest = found.causes[0]
    assert largest.name == "argument params['layers'][*]['up'] and constraint at examples/make_examples.py:129"
    assert len(largest.reasons) == 2 and len(largest.annotations) == 4


def test_each_cause_gets_its_edit_if_that_is_wanted() -> None:
    text = dot('[{"x"}, {}]', '[{}, {"x"}]')
    (cause,) = find_conflicts(Explainer(parse(text)), edits=True).causes
    assert cause.edit is not None and cause.edit.effect.bytes_moved < cause.edit.effect.bytes_moved_before
    assert find_conflicts(Explainer(parse(text)), edits=False).causes[0].edit is None


def test_on_hardware_causes_are_in_the_seconds_that_are_waited_for() -> None:
    explainer = Explainer(load(ROOT / "examples" / "transformer_fsdp.mlir")).on(hardware("v5e"))
    found = find_conflicts(explainer, edits=False)
    waits = [one.exposed for one in found.causes]
    assert len(waits) > 1 and None not in waits and waits == sorted(waits, key=lambda one: -(one or 0))
    cost = cost_of(explainer.traced.plan, "v5e")
    everything = [one.exposed or 0.0 for one in (*found.causes, *found.sums, *found.others)]
    assert sum(everything) == pytest.approx(cost.exposed_seconds.expected)


def test_on_hardware_edits_are_in_seconds() -> None:
    explainer = Explainer(load(ROOT / "examples" / "convolution.mlir")).on(hardware("v5e"))
    found = find_conflicts(explainer, edits=True)
    cost = cost_of(explainer.traced.plan, "v5e")
    edits = [one.edit for one in found.causes if one.edit is not None]
    assert edits
    for edit in edits:
        effect, after = edit.effect, cost_of(planning.partition(edit.edited), "v5e")
        assert effect.seconds_before == pytest.approx(cost.step_seconds.expected)
        assert effect.peak_memory_before == cost.peak_bytes
        assert effect.seconds == pytest.approx(after.step_seconds.expected)
        assert after.step_seconds.expected < cost.step_seconds.expected
        assert effect.exposed == pytest.approx(after.exposed_seconds.expected)


def test_without_hardware_there_are_no_seconds() -> None:
    text = dot('[{"x"}, {}]', '[{}, {"x"}]')
    (cause,) = find_conflicts(Explainer(parse(text)), edits=True).causes
    assert cause.exposed is None and cause.edit is not None and cause.edit.effect.seconds is None
    assert cause.as_json()["exposed_seconds"] is None


def test_what_fits_together_is_no_conflict() -> None:
    found = partition(parse(dot('[{"x"}, {}]', '[{?}, {"y"}]'))).conflicts()
    assert not found.causes and str(found).startswith("no conflicts")
