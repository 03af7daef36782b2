"""What a page says costs most: the cause of the causes first, tensors by the names that they have outside of loops."""

from __future__ import annotations

from pyshardy import hardware, parse, tensor_sharding
from pyshardy.analysis.cost.memory_timeline import memory_timeline
from pyshardy.analysis.why.edits import Edit, Effect, Proposal
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.reading.sharding_files.writing import line_values
from pyshardy.report.page.largest_costs import CostLine, largest_costs
from pyshardy.report.page.page import page_text
from pyshardy.report.page.report import Report
from pyshardy.report.page.tried_edits import TriedEdits, file_lines
from tests.analysis.test_displaced_batch import KEPT, SHARED, step
from tests.cli.test_report_command import page_data

STACKED = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<80x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<80> : tensor<i32>
  %nothing = stablehlo.constant dense<0.0> : tensor<f32>
  %empty = stablehlo.broadcast_in_dim %nothing, dims = [] : (tensor<f32>) -> tensor<80x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %stack = %empty, %x = %a) : tensor<i32>, tensor<80x64xf32>, tensor<64xf32> cond {
    %c = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %row = stablehlo.reshape %x : (tensor<64xf32>) -> tensor<1x64xf32>
    %new = stablehlo.dynamic_update_slice %stack, %row, %i, %zero
        : (tensor<80x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<80x64xf32>
    %m = stablehlo.dot_general %x, %x, contracting_dims = [] x []
        : (tensor<64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
    %y = stablehlo.dot_general %m, %x, contracting_dims = [0] x [0]
        : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %new, %y : tensor<i32>, tensor<80x64xf32>, tensor<64xf32>
  }
  return %0#1 : tensor<80x64xf32>
}
"""
"""What each turn of a loop is given, stacked."""

MANY = f"""
func.func @main(%x: tensor<256xf32>, %y: tensor<256xf32>) -> ({", ".join(["tensor<256xf32>"] * 4)}) {{
  %0 = stablehlo.exponential %x : tensor<256xf32> loc("m.py":1:1)
  %1 = stablehlo.exponential %y : tensor<256xf32> loc("m.py":1:1)
  %2 = stablehlo.exponential %0 : tensor<256xf32> loc("m.py":1:1)
  %3 = stablehlo.exponential %1 : tensor<256xf32> loc("m.py":2:1)
  return %0, %1, %2, %3 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}}
"""


def lines(text: str, on: str | None = None) -> list[CostLine]:
    explainer = Explainer(parse(text))
    report = Report.of(explainer if on is None else explainer.on(hardware(on)), "program")
    edits = TriedEdits(report.explainer.traced.source, fits=report.cost is None or report.cost.fits)
    return largest_costs(report, memory_timeline(report.plan, report.timed), [], edits)


def test_what_the_batch_has_lost_to_weights_is_one_line_with_what_would_help() -> None:
    program = step(SHARED, '[{"data"}, {}]')
    for on in (None, "v5e"):
        found = [one for one in lines(program, on) if one.kind == "communication"]
        first = found[0]
        said = " ".join(first.texts)
        assert "of weights, not of the batch" in said and "embed" in said and "priority 1" in said
        assert not any("gather" in " ".join(one.texts) for one in found[1:])
        kept = step(SHARED, '[{"data"}, {}]', KEPT)
        assert not any("of weights" in text for one in lines(kept, on) for text in one.texts)


def test_what_a_loop_carries_is_called_as_outside_and_replicas_are_counted() -> None:
    said = [text for one in lines(STACKED) if one.kind == "memory" for text in one.texts]
    assert any(text.startswith("the largest is %1#1, 80x32xf32") and "made by while" in text for text in said)
    helps = said[said.index(next(text for text in said if "made by while" in text)) + 1]
    assert "2 devices along y hold the same of it" in helps


def test_what_many_layers_make_alike_is_one_row_at_the_peak() -> None:
    report = Report.of(Explainer(parse(MANY)), "program")
    data = page_data(page_text(report))
    memory, texts = data["memory"], data["texts"]
    assert isinstance(memory, dict) and isinstance(texts, list)
    texts.append("")  # number -1
    rows = {(texts[name], texts[maker]): count for name, maker, _, _, _, _, count in memory["live"]}
    assert rows["", "exponential m.py:1"] == 3 and rows["%3", "exponential m.py:2"] == 1


LAYERS = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("x"),
                %a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>} loc("w[0]"),
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>} loc("w[1]"),
                %c: tensor<8x8xf32> loc("w[2]")) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  %1 = stablehlo.add %0, %c : tensor<8x8xf32>
  %2 = stablehlo.add %1, %x : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
"""


def test_an_edit_of_all_layers_is_one_line_and_of_some_a_line_each() -> None:
    module = parse(LAYERS)
    arguments = list(module.op.body)[1].body.arguments
    whole = tensor_sharding({"x": 2}, (None, None), name="mesh")

    def lines_of(*numbers: int) -> str:
        changes = tuple((arguments[one], whole) for one in numbers)
        proposal = Proposal("replicate", "", "", whole, changes)
        return file_lines(Edit(proposal, Effect(0, 0, 0, 0, 0, 0, 0), module), line_values(module))

    assert lines_of(1, 2, 3) == '"w/*" = []'
    assert lines_of(1, 2) == '"w/0" = []\n"w/1" = []'
    module = parse(LAYERS.replace("w[2]", "w['2b']"))
    arguments = list(module.op.body)[1].body.arguments
    assert lines_of(1, 2) == '"w/0" = []\n"w/1" = []'
    assert lines_of(0) == '"x" = []'
