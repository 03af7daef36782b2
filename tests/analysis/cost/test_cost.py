"""The cost of whole plans: bytes as the plan has them, bounds, memory and what it is made of, notes, JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import pyshardy
from pyshardy import Cost, Plan, load, parse, partition
from pyshardy.report.plan_summary import summarize_plan
from tests.analysis.cost.programs import BRANCHES, FIVE_ITERATIONS, TRAINING_STEP, UNKNOWN_ITERATIONS
from tests.docs.json_notation import PAGE, schema

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))

TINY = {
    "name": "tiny",
    "chip": {"memory": 1024, "bandwidth": 1e9, "flops": {"f32": 1e12}},
    "links": [{"name": "wire", "topology": "switched", "bandwidth": 1e9, "latency": 1e-6}],
}


def plan(text: str) -> Plan:
    return partition(parse(text))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_collectives_are_those_of_the_partition(path: Path) -> None:
    found = partition(load(path))
    rows = summarize_plan(found).as_json()["collectives"]
    cost = found.cost("v5e").as_json()["collectives"]
    same = "kind", "axes", "group_size", "count", "bytes", "runs", "run_bytes"
    assert isinstance(rows, list) and isinstance(cost, list)
    assert sorted([[row[key] for key in same] for row in cost]) == sorted([[row[key] for key in same] for row in rows])
    assert all(row["seconds"] >= row["seconds_pipelined"] > 0 for row in cost)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_parts_of_memory_make_up_the_peak(path: Path) -> None:
    cost = partition(load(path)).cost("h100")
    assert sum(cost.parts.by_name().values()) == cost.peak_bytes


def test_the_step_is_the_sum_or_the_longer_of_both() -> None:
    cost = plan(TRAINING_STEP).cost(TINY)
    # dot: 2 * 16 * 16 * 64 operations, 4 * (16 * 64 + 64 * 16 + 16 * 16) bytes; the same once more, turned.
    assert cost.flops >= 2 * 2 * 16 * 16 * 64 and cost.compute_seconds >= 2 * 9216 / 1e9
    assert cost.communication_seconds == pytest.approx(sum(one.seconds for one in cost.collectives))
    assert cost.by_axes.keys() == {"data", "data, model"}
    assert sum(cost.by_axes.values()) == pytest.approx(cost.communication_seconds)
    assert cost.step_seconds.no_overlap == pytest.approx(cost.compute_seconds + cost.communication_seconds)
    assert cost.step_seconds.full_overlap == max(cost.compute_seconds, cost.communication_seconds)
    assert cost.exposed_seconds.no_overlap == pytest.approx(cost.communication_seconds)
    assert cost.exposed_seconds.full_overlap == 0.0
    # A switch is one link, whatever axes go through it.
    talking = plan(TRAINING_STEP).cost("h100")
    assert talking.step_seconds.full_overlap == talking.link_seconds > talking.compute_seconds
    assert talking.link_seconds == pytest.approx(talking.communication_seconds)
    assert talking.exposed_seconds.full_overlap == pytest.approx(talking.link_seconds - talking.compute_seconds)


def test_links_of_other_axes_work_at_the_same_time() -> None:
    torus = {"name": "wire", "topology": "torus", "dimensions": [2, 4], "bandwidth": 1e9, "latency": 1e-6}
    cost = plan(TRAINING_STEP).cost(TINY | {"links": [torus]})
    along = cost.by_axes
    assert along.keys() == {"data", "data, model"}
    assert cost.link_seconds == pytest.approx(along["data"] + along["data, model"])
    apart = plan(
        """
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(
    %a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}
) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
      tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}"""
    ).cost(TINY | {"links": [torus]})
    assert apart.link_seconds == max(apart.by_axes.values()) and len(apart.by_axes) == 2
    assert apart.step_seconds.expected == apart.link_seconds < apart.communication_seconds


def test_a_collective_is_timed_by_its_whole_tensor() -> None:
    text = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(
    %a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
      tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
      tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %a, %0, %b : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}"""
    size = 64 * 64 * 4
    seconds = {one.kind: one.seconds for one in plan(text).cost(TINY).collectives}
    assert seconds == pytest.approx(
        {
            "all_gather": size * 3 / 4 / 1e9 + 2e-6,
            "all_reduce": 2 * (size * 3 / 4 / 1e9 + 2e-6),
            "all_to_all": size / 4 * 3 / 4 / 1e9 + 1e-6,
        }
    )


def test_utilisation_is_of_the_whole_program() -> None:
    cost = plan(TRAINING_STEP).cost(TINY)
    # Two products, tanh, the sum and the difference.
    assert cost.model_flops == 2 * (2 * 32 * 64 * 64) + 2048 + 2047 + 4096
    whole = cost.model_flops / (8 * 1e12)
    assert cost.utilisation.no_overlap == pytest.approx(whole / cost.step_seconds.no_overlap)
    assert cost.utilisation.full_overlap == pytest.approx(whole / cost.step_seconds.full_overlap)


def test_work_that_every_device_repeats_is_no_use() -> None:
    text = TRAINING_STEP.replace('[{"data"}, {}]', "[{}, {}]").replace('[{}, {"model"}]', "[{}, {}]")
    cost = plan(text).cost("h100")
    assert cost.flops == cost.model_flops
    split = plan(TRAINING_STEP).cost("h100")
    assert split.model_flops == cost.model_flops and split.flops < cost.flops / 4


def test_loops_count_by_their_turns_and_unknown_ones_once_which_is_said() -> None:
    five, unknown = plan(FIVE_ITERATIONS).cost("v5e"), plan(UNKNOWN_ITERATIONS).cost("v5e")
    assert five.flops == pytest.approx(5 * unknown.flops, rel=1e-3)
    assert five.communication_seconds == pytest.approx(5 * unknown.communication_seconds)
    assert sum(one.run_bytes for one in five.collectives) == 5 * sum(one.bytes for one in five.collectives) > 0
    assert not any("not known" in note for note in five.notes)
    assert any(note.startswith("no trip count is known for 1 loop: a loop body counts once") for note in unknown.notes)


def test_of_branches_the_dearest_counts_and_the_bytes_of_all() -> None:
    found = plan(BRANCHES)
    cost = found.cost("h100")
    assert sum(one.bytes for one in cost.collectives) == found.bytes_moved
    assert any(note.startswith("of each conditional only the most expensive branch is counted") for note in cost.notes)
    assert any("in other branches: bytes count, seconds do not" in note for note in cost.notes)
    assert {one.kind: one.seconds == 0 for one in cost.collectives}["collective_permute"]


def test_what_nobody_knows_is_said() -> None:
    cost = plan(
        "func.func @main(%a: tensor<8xf16>) -> tensor<8xf16> {\n"
        "  %0 = stablehlo.custom_call @mystery(%a) : (tensor<8xf16>) -> tensor<8xf16>\n"
        "  %1 = stablehlo.tanh %0 : tensor<8xf16>\n  return %1 : tensor<8xf16>\n}"
    ).cost(TINY)
    assert cost.notes == (
        "there is no mesh: these are the figures of one device, which does everything",
        "the cost of custom_call @mystery is not known: "
        "it counts no operations, only the bytes that it reads and writes",
        "the hardware has no rate for f16: 1 TFLOP/s is assumed, from the rate of f32",
    )


def test_an_axis_that_the_mesh_does_not_have_is_said() -> None:
    cost = plan(TRAINING_STEP).cost(TINY | {"axes": {"modle": "wire"}})
    said = "the hardware says where axis 'modle' lies, the mesh has data, model; did you mean 'model'?"
    assert said in cost.notes


def test_a_program_without_shardings_runs_on_one_chip() -> None:
    cost = plan("func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  return %a : tensor<8xf32>\n}").cost("laptop")
    assert cost.devices == 1 and cost.step_seconds == (0.0,) * 3 and cost.utilisation == (0.0,) * 3
    assert "no communication" in cost.report()


def test_activations_wait_for_the_backward_pass() -> None:
    layers = "\n".join(
        f"  %{n + 1} = stablehlo.dot %{n}, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>"
        for n in range(4)
    )
    back = "\n".join(
        f"  %b{n} = stablehlo.dot %{n}, %{'b' + str(n + 1) if n < 4 else n} : "
        "(tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>"
        for n in range(4, 0, -1)
    )
    text = (
        (
            f"func.func @main(%0: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {{\n{layers}\n{back}\n"
            "  return %b1 : tensor<64x64xf32>\n}"
        )
        .replace("%0:", "%x:")
        .replace("dot %0,", "dot %x,")
    )
    one = 64 * 64 * 4
    parts = plan(text).cost("laptop").parts
    # When %b4 is made of %4, three activations wait.
    assert parts.by_name() == {"arguments": 2 * one, "results": 0, "saved": 3 * one, "temporaries": 2 * one}


def test_inside_a_loop_its_own_operations_are_at_work() -> None:
    parts = (
        plan("""
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %limit = stablehlo.constant dense<5> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<64x64xf32>
  cond {
    %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.dot %y, %y : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %b = stablehlo.dot %a, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %next = stablehlo.dot %b, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %j, %next : tensor<i32>, tensor<64x64xf32>
  }
  return %0#1 : tensor<64x64xf32>
}""")
        .cost("laptop")
        .parts
    )
    # At the last product three matrices are at work; what waits is the counter.
    assert parts.temporaries == 3 * 64 * 64 * 4 and parts.saved < 16


def test_results_that_are_ready_are_no_activations() -> None:
    parts = (
        plan("""
func.func @main(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.dot %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot %0, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot %1, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = stablehlo.dot %2, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %3 : tensor<64x64xf32>, tensor<64x64xf32>
}""")
        .cost("laptop")
        .parts
    )
    one = 64 * 64 * 4
    assert parts.by_name() == {"arguments": one, "results": 2 * one, "saved": 0, "temporaries": 2 * one}


def test_what_is_read_by_way_of_what_passes_is_worked_on() -> None:
    parts = (
        plan("""
func.func @main(%x: tensor<64x64xf32>) -> tensor<64xbf16> {
  %0 = stablehlo.dot %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.convert %0 : (tensor<64x64xf32>) -> tensor<64x64xbf16>
  %2 = stablehlo.tanh %1 : tensor<64x64xbf16>
  %3 = stablehlo.slice %2 [0:1, 0:64] : (tensor<64x64xbf16>) -> tensor<1x64xbf16>
  %4 = stablehlo.reshape %3 : (tensor<1x64xbf16>) -> tensor<64xbf16>
  return %4 : tensor<64xbf16>
}""")
        .cost("laptop")
        .parts
    )
    one = 64 * 64 * 4
    assert parts.by_name() == {"arguments": one, "results": 128, "saved": 0, "temporaries": one}


def test_a_row_waits_for_what_takes_most_of_its_time() -> None:
    """One product that waits for its operations, and ten of the same shape that wait for their bytes."""
    thin = "\n".join(
        f"""  %t{number} = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0]
    : (tensor<64x1xf32>, tensor<1x64xf32>) -> tensor<64x64xf32> loc("model.py":3:1)"""
        for number in range(10)
    )
    results = ", ".join(f"%t{number}" for number in range(10))
    types = ", ".join(["tensor<64x64xf32>"] * 11)
    text = f"""
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x1xf32>, %d: tensor<1x64xf32>)
    -> ({types}) {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("model.py":3:1)
{thin}
  return %0, {results} : {types}
}}"""
    (row,) = plan(text).cost({"chip": {"memory": 1e9, "bandwidth": 2e11, "flops": {"f32": 1e12}}}).operations
    assert (row.runs, row.bound) == (11, "memory")
    (row,) = plan(text).cost({"chip": {"memory": 1e9, "bandwidth": 4e11, "flops": {"f32": 1e12}}}).operations
    assert (row.runs, row.bound) == (11, "compute")


def test_what_a_program_can_use_decides_what_fits() -> None:
    found = plan(TRAINING_STEP)
    peak = found.memory.peak
    chip = {"memory": 2.0 * peak, "bandwidth": 1e9, "flops": {"f32": 1e12}}
    links = [{"name": "links", "topology": "switched", "bandwidth": 1e9}]
    assert found.cost({"chip": chip, "links": links}).fits
    less = found.cost({"chip": chip | {"usable": 0.5 * peak}, "links": links})
    assert not less.fits and "a program can use" in less.report().splitlines()[0]
    assert _json(less)["memory"]["capacity"] == 2 * peak and _json(less)["memory"]["usable"] == 0.5 * peak


def test_what_does_not_fit_is_said_first() -> None:
    cost = plan(TRAINING_STEP).cost(TINY)
    assert not cost.fits and "does not fit" in repr(cost)
    assert cost.report().splitlines()[0].startswith("does not fit: the peak of memory is ")
    assert cost._repr_html_().startswith("<p><b>does not fit: ")
    fitting = plan(TRAINING_STEP).cost("h100")
    assert fitting.fits and "does not fit" not in fitting.report() + repr(fitting)


def test_alike_operations_are_one_row_and_the_longest_stand_first() -> None:
    cost = partition(load(ROOT / "examples" / "transformer_megatron.mlir")).cost("h100")
    seconds = [one.seconds for one in cost.operations]
    assert seconds == pytest.approx(sorted(seconds, reverse=True))
    assert sum(one.seconds for one in cost.operations) == pytest.approx(cost.compute_seconds)
    assert sum(one.flops for one in cost.operations) == pytest.approx(cost.flops)
    keys = [(one.operation, one.location, one.type) for one in cost.operations]
    assert len(set(keys)) == len(keys)
    assert len(cost.report(everything=True).splitlines()) > len(cost.report().splitlines())


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_rows_that_take_equally_long_stand_in_an_order_of_their_own(order: tuple[int, int]) -> None:
    """In that of the scopes, not in that of the program: each layer has a scope, and layers may be left out."""
    at = 'loc("jit(f)/layer_{0}/tanh"("model.py":7:3))'
    first, second = (at.format(layer) for layer in order)
    text = f"""
    func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {{
      %0 = stablehlo.tanh %a : tensor<64x64xf32> {first}
      %1 = stablehlo.tanh %0 : tensor<64x64xf32> {second}
      return %1 : tensor<64x64xf32>
    }}"""
    rows = plan(text).cost("v5e").operations
    assert [row.location.inner_scope for row in rows] == ["layer_1", "layer_2"]


def test_axes_of_another_hardware_take_another_time() -> None:
    found = plan(TRAINING_STEP)
    assert found.cost("laptop").communication_seconds > 10 * found.cost("h100").communication_seconds
    with pytest.raises(pyshardy.HardwareProblem, match="no hardware 'h1000'"):
        found.cost("h1000")


# --- JSON -------------------------------------------------------------------------------------------------------------


def _json(cost: Cost) -> Any:
    return {"plan": "a", **json.loads(json.dumps(cost.as_json()))}


@pytest.mark.parametrize("text", [TRAINING_STEP, FIVE_ITERATIONS, BRANCHES])
def test_the_json_is_as_documented(text: str) -> None:
    found = {"schema": "pyshardy.cost/1", **_json(plan(text).cost("v5e"))}
    jsonschema.validate(found, schema(PAGE.read_text(), "COST"))
