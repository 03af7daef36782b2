"""``pyshardy cost``: one plan, several side by side, JSON, what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshardy import load, partition
from pyshardy.analysis.cost.estimate import cost_of_timed
from pyshardy.analysis.cost.hardware_files import HardwareProblem
from pyshardy.analysis.cost.preset_files import presets
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.cli import main
from tests.analysis.cost.programs import TRAINING_STEP

PROGRAM = TRAINING_STEP
Captured = pytest.CaptureFixture[str]

SHARDINGS = """
[mesh]
data = 8
[strategy.split.shardings]
"x" = ["data"]
[strategy.whole.shardings]
"x" = []
"""


@pytest.fixture
def shardings(tmp_path: Path) -> str:
    path = tmp_path / "s.toml"
    path.write_text(SHARDINGS)
    return str(path)


@pytest.fixture
def plain(tmp_path: Path) -> str:
    """The program without a mesh of its own."""
    path = tmp_path / "plain.mlir"
    text = TRAINING_STEP.replace('sdy.mesh @mesh = <["data"=2, "model"=4]>\n', "")
    for sharding in ('[{}, {"model"}]', '[{"data"}, {}]'):
        text = text.replace(f" {{sdy.sharding = #sdy.sharding<@mesh, {sharding}>}}", "")
    path.write_text(text)
    return str(path)


def test_one_plan_is_a_page(program: Path, capsys: Captured) -> None:
    assert main.run(["cost", str(program), "--hardware", "v5e"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(
        "8 devices, TPU v5e: data on ICI line of 2, model on ICI line of 4\na step is expected to take "
    )
    assert "communication, with all iterations of loops" in shown and "what takes longest" in shown


def test_the_help_names_all_presets(capsys: Captured) -> None:
    with pytest.raises(SystemExit):
        main.run(["cost", "--help"])
    shown = capsys.readouterr().out
    assert [name for name in presets() if name not in shown] == []


def test_json_has_the_figures(program: Path, capsys: Captured) -> None:
    assert main.run(["cost", str(program), "--hardware", "h100", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["plan"] == "program" and found["memory"]["fits"] is True and found["mesh"] == {"data": 2, "model": 4}


def test_two_programs_stand_side_by_side(program: Path, plain: str, capsys: Captured) -> None:
    assert main.run(["cost", str(program), plain, "--hardware", "h100"]) == 0
    shown = capsys.readouterr().out
    assert "program   " in shown and "plain" in shown and "* the best of its row" in shown
    assert main.run(["cost", str(program), plain, "--hardware", "h100", "--json"]) == 0
    assert [one["plan"] for one in json.loads(capsys.readouterr().out)] == ["program", "plain"]


def test_two_strategies_of_one_program_stand_side_by_side(plain: str, shardings: str, capsys: Captured) -> None:
    both = ["--shardings", f"{shardings}:split", "--shardings", f"{shardings}:whole"]
    assert main.run(["cost", plain, *both, "--hardware", "h100", "--json"]) == 0
    split, whole = json.loads(capsys.readouterr().out)
    assert (split["plan"], whole["plan"]) == ("split", "whole")
    assert split["flops"] < whole["flops"] and not whole["collectives"]


def test_another_mesh_stands_instead_of_that_of_the_file(plain: str, shardings: str, capsys: Captured) -> None:
    given = ["cost", plain, "--shardings", shardings, "--strategy", "split", "--mesh", "data=16", "--hardware", "h100"]
    assert main.run([*given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["axes"] == {"data": "NVLink 8, InfiniBand NDR 2"}


def test_plans_of_the_same_name_are_told_apart(program: Path, tmp_path: Path, capsys: Captured) -> None:
    other = tmp_path / "other" / "program.mlir"
    other.parent.mkdir()
    other.write_text(PROGRAM)
    assert main.run(["cost", str(program), str(other), "--hardware", "h100", "--json"]) == 0
    assert [one["plan"] for one in json.loads(capsys.readouterr().out)] == ["program", str(other)]


def test_what_does_not_fit_stands_first(program: Path, tmp_path: Path, capsys: Captured) -> None:
    tiny = tmp_path / "tiny.toml"
    tiny.write_text(
        "[chip]\nmemory = 1000\nbandwidth = 1e9\n[chip.flops]\nf32 = 1e9\n"
        '[[links]]\nname = "wire"\ntopology = "switched"\nbandwidth = 1e9\n'
    )
    assert main.run(["cost", str(program), "--hardware", str(tiny)]) == 0
    assert capsys.readouterr().out.startswith("does not fit: the peak of memory is ")
    assert main.run(["cost", str(program), str(program), "--hardware", str(tiny)]) == 0
    assert capsys.readouterr().out.startswith("does not fit: ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], f"--hardware is missing: one of {', '.join(presets())}, or a TOML file"),
        (["--hardware", "v5"], "there is no hardware 'v5'"),
        (["--hardware", "missing.toml"], "cannot open hardware file 'missing.toml': No such file or directory"),
        (["--hardware", "h100", "--mesh", "data=4"], "--mesh belongs to a sharding file: --shardings S.toml"),
    ],
)
def test_what_is_wrong_is_a_sentence(program: Path, options: list[str], said: str, capsys: Captured) -> None:
    assert main.run(["cost", str(program), *options]) == 1
    assert capsys.readouterr().err.startswith(f"pyshardy: {said}")


def test_hardware_is_that_of_the_sharding_file_if_none_is_given(plain: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "on.toml"
    path.write_text('hardware = {name = "v5ex8", attention = "fused"}\n' + SHARDINGS)
    which = ["cost", plain, "--shardings", f"{path}:split", "--json"]
    assert main.run(which) == 0
    of_file = json.loads(capsys.readouterr().out)
    assert main.run([*which, "--hardware", "v5e", "--fused-attention"]) == 0
    assert of_file == json.loads(capsys.readouterr().out) and of_file["hardware"] == "TPU v5e"
    assert main.run([*which, "--hardware", "h100"]) == 0
    assert json.loads(capsys.readouterr().out)["hardware"] == "NVIDIA H100 SXM"
    path.write_text('hardware = "v5ex4"\n' + SHARDINGS)
    assert main.run(which) == 1
    assert "a mesh data=8 has 8 devices, and the hardware 4" in capsys.readouterr().out


def test_python_takes_the_hardware_of_the_sharding_file(plain: str) -> None:
    module = load(plain)
    module.apply_shardings({"hardware": "v5e", "mesh": {"data": 8}, "shardings": {"x": ["data"]}})
    plan = partition(module)
    assert str(plan.cost()) == str(plan.cost("v5e")) != str(plan.cost("h100"))
    with pytest.raises(HardwareProblem, match=r'cost\(\) needs hardware, as cost\("h100"\)'):
        partition(load(plain)).cost()


def test_a_mesh_that_does_not_fit_the_hardware_is_a_sentence(program: Path, tmp_path: Path, capsys: Captured) -> None:
    alone = tmp_path / "alone.toml"
    alone.write_text("[chip]\nmemory = 1e9\nbandwidth = 1e9\n[chip.flops]\nf32 = 1e9\n")
    assert main.run(["cost", str(program), "--hardware", str(alone)]) == 1
    assert "needs links between devices" in capsys.readouterr().err


def test_a_strategy_belongs_to_one_file(plain: str, shardings: str, capsys: Captured) -> None:
    given = ["--shardings", f"{shardings}:split", "--shardings", f"{shardings}:whole", "--strategy", "split"]
    assert main.run(["cost", plain, *given, "--hardware", "h100"]) == 1
    assert "--strategy belongs to one sharding file" in capsys.readouterr().err


def test_a_trace_has_the_step_in_order(program: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "trace.json"
    assert main.run(["cost", str(program), "--hardware", "v5e", "--json", "--trace", str(out)]) == 0
    cost, trace = json.loads(capsys.readouterr().out), json.loads(out.read_text())
    tracks = {one["tid"]: one["args"]["name"] for one in trace["traceEvents"] if one["name"] == "thread_name"}
    assert list(tracks.values())[:4] == ["loops and calls", "compute", "links along data", "links along model"]
    events = [one for one in trace["traceEvents"] if one["ph"] == "X"]
    assert [one["ts"] for one in events] == sorted(one["ts"] for one in events)
    sums = dict.fromkeys(tracks.values(), 0.0)
    for one in events:
        sums[tracks[one["tid"]]] += one["dur"] / 1e6
    by_axes = dict.fromkeys(sums, 0.0)
    for one in cost["collectives"]:
        axes = one["axes"].strip("{}").replace('"', "")
        by_axes[f"links along {axes}"] += one["seconds_pipelined"]
    assert sums == pytest.approx(
        by_axes | {"compute": cost["compute_seconds"], "loops and calls": sums["loops and calls"]}
    )
    assert trace["otherData"]["step_seconds"]["program"] == pytest.approx(cost["step_seconds"]["expected"])
    reduced = next(one for one in events if one["name"] == "all_reduce")
    assert reduced["args"]["bytes"] > 0 and reduced["cat"] == "communication" and "location" in reduced["args"]
    dot = next(one for one in events if one["name"].startswith("dot"))
    assert dot["args"]["flops"] > 0 and dot["args"]["waits for"] in ("compute", "memory")


def test_plans_side_by_side_are_processes_of_a_trace(plain: str, shardings: str, tmp_path: Path) -> None:
    both = ["--shardings", f"{shardings}:split", "--shardings", f"{shardings}:whole"]
    out = tmp_path / "trace.json"
    assert main.run(["cost", plain, *both, "--hardware", "h100", "--trace", str(out)]) == 0
    named = [one for one in json.loads(out.read_text())["traceEvents"] if one["name"] == "process_name"]
    assert [one["args"]["name"].split(":")[0] for one in named] == ["split", "whole"]


def test_names_in_a_trace_are_printable_and_end(tmp_path: Path) -> None:
    hostile = "</script>\\E2\\80\\AE" + "x" * 10_000
    path, out = tmp_path / "p.mlir", tmp_path / "t.json"
    path.write_text(
        PROGRAM.replace(
            "%t = stablehlo.tanh %y : tensor<32x64xf32>",
            f'%t = stablehlo.tanh %y : tensor<32x64xf32> loc("{hostile}/tanh")',
        )
    )
    assert main.run(["cost", str(path), "--hardware", "v5e", "--trace", str(out)]) == 0
    text = out.read_text()
    assert (
        "</script>" in text
        and "\u202e" not in text
        and "\\u202e" not in text.replace("\\\\u202e", "")
        and len(text) < 20_000
    )


def test_a_trace_that_cannot_be_written_is_said(program: Path, tmp_path: Path, capsys: Captured) -> None:
    assert main.run(["cost", str(program), "--hardware", "v5e", "--trace", str(tmp_path / "no" / "t.json")]) == 1
    said = capsys.readouterr()
    assert "cannot open output file" in said.err and said.out == ""


SHARED_CONSTANT = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<8x8xf32>
  %1 = stablehlo.sine %0 : tensor<8x8xf32>
  %2 = stablehlo.multiply %1, %0 : tensor<8x8xf32>
  %3 = stablehlo.add %a, %2 : tensor<8x8xf32>
  %4 = stablehlo.add %b, %2 : tensor<8x8xf32>
  return %3, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}
"""


def test_copies_of_constants_that_propagation_makes_are_not_counted(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(SHARED_CONSTANT)
    assert main.run(["cost", str(path), "--hardware", "h100", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["model_flops"], found["recomputed_flops"]) == (256, 0)
    timed = Explainer(load(path)).on("h100").timed
    assert timed is not None
    cost = cost_of_timed(timed)
    assert (cost.model_flops, cost.recomputed_flops) == (256, 0)


def test_warnings_of_propagation_are_shown(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "p.mlir"
    path.write_text(
        SHARED_CONSTANT.replace(
            "stablehlo.sine %0 : tensor", "stablehlo.custom_call @f(%0) : (tensor<8x8xf32>) -> tensor"
        )
    )
    assert main.run(["cost", str(path), "--hardware", "h100"]) == 0
    assert "custom call @f is unknown to SDY sharding rule registry" in capsys.readouterr().err
