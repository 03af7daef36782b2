"""Arguments that loops, slices and calls carry: their collectives are told where somebody asks for the argument.

And every byte of a program has a cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import parse
from pyshardy.analysis.why.conflicts import find_conflicts
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.analysis.why.explanation import TensorExplanation
from pyshardy.api.explanations import explained
from pyshardy.report.plan_summary import summarize_plan

SCANNED = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8x64xf32> loc("x"),
    %w: tensor<3x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>} loc("params['w']"),
    %v: tensor<3x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>} loc("params['v']"))
    -> (tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %r:4 = stablehlo.while(%i = %c, %h = %x, %a = %w, %b = %v)
      : tensor<i32>, tensor<8x64xf32>, tensor<3x64x64xf32>, tensor<3x64x64xf32>
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %t = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0 = func.call @layer(%a, %i) : (tensor<3x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %1 = func.call @layer(%b, %i) : (tensor<3x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %2 = stablehlo.cosine %0 : tensor<64x64xf32>
      %3 = sdy.sharding_constraint %2 <@mesh, [{}, {}]> : tensor<64x64xf32>
      %4 = stablehlo.dot %h, %3 : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
      %5 = stablehlo.dot %4, %1 : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
      %6 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<64x64xf32>
      %7 = stablehlo.dot %5, %6 : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %7, %a, %b : tensor<i32>, tensor<8x64xf32>, tensor<3x64x64xf32>, tensor<3x64x64xf32>
    }
  return %r#1 : tensor<8x64xf32>
}
func.func private @layer(%w: tensor<3x64x64xf32>, %i: tensor<i32>) -> tensor<64x64xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %w, %i, %c, %c, sizes = [1, 64, 64]
      : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}"""


def _told(text: str, what: str) -> TensorExplanation:
    (found,) = Explainer(parse(text)).explain(what, edits=False)
    assert isinstance(found, TensorExplanation)
    return found


def test_a_stacked_argument_goes_through_what_its_layers_go_through_in_a_loop() -> None:
    told = _told(SCANNED, "params['w']")
    assert [(one.reason.collective.kind, one.reason.collective.turns) for one in told.moves] == [("all_gather", 3)]
    assert "goes through 1 collective, 36.0 KiB for each device" in str(explained(told))
    assert "12.0 KiB, 3 times" in str(explained(told))


def test_another_argument_that_is_given_to_the_same_function_goes_through_nothing() -> None:
    assert not _told(SCANNED, "params['v']").moves


@pytest.mark.parametrize("name", ["scan_layers", "transformer_fsdp", "mlp"])
def test_all_bytes_of_a_program_have_a_cause(name: str) -> None:
    explainer = Explainer(parse(Path(f"examples/{name}.mlir").read_text()))
    found = find_conflicts(explainer, edits=False)
    told = [*found.causes, *found.sums, *found.others]
    plan = explainer.traced.plan
    assert sum(one.run_bytes for one in told) == pytest.approx(sum(one.run_bytes for one in plan.collectives))
    assert all(one.text for one in told)


def test_collectives_go_by_the_numbers_that_explain_asks_for() -> None:
    explainer = Explainer(parse(SCANNED))
    causes = [cause for row in summarize_plan(explainer.traced.plan).collectives for cause in row.causes]
    for cause in causes:
        for number in cause.numbers:
            (told,) = explainer.explain(f"{cause.kind}:{number}", edits=False)
            # A constraint is a reshard in the program that is partitioned.
            operation = told.as_json()["collective"]["operation"].replace("sharding_constraint", "reshard")  # type: ignore[index]
            assert operation == cause.operation
