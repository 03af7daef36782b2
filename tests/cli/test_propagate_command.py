"""``pyshardy propagate``: the program and a summary that a person, or a script, can read."""

import json
from pathlib import Path

import pytest

from pyshardy.cli import main
from tests.cli.conftest import JsonOf, SummaryOf

PROGRAM = """\
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""


def test_the_summary_names_mesh_tensors_boundaries_and_conflicts(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.mlir"
    assert main.run(["propagate", str(program), "-o", str(out)]) == 0
    assert "stablehlo.add %arg0, %arg1 {sdy.sharding" in out.read_text()
    summary = capsys.readouterr().out
    assert "mesh @mesh: x=2, y=4 (8 devices)" in summary
    assert "tensors: 3, 3 sharded, 0 replicated" in summary
    assert "4x8" in summary and "128 B" in summary
    assert f"…/{program.parent.name}/{program.name}:4:8: stablehlo.add: factor i:" in summary
    assert "no operation needs" not in summary
    assert "\x1b" not in summary


def test_json_has_the_same_figures(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["propagate", str(program), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["tensors"] == {"total": 3, "sharded": 3, "replicated": 0}
    assert summary["arguments"][0] == {
        "name": "%arg0",
        "symbol": "%arg0",
        "type": "tensor<8x8xf32>",
        "sharding": '<@mesh, [{"x"}, {}]>',
        "shape": [8, 8],
        "device_shape": [4, 8],
        "bytes": 256,
        "device_bytes": 128,
    }
    kinds = {(one["operation"], one["kind"]) for one in summary["conflicts"]}
    assert ("stablehlo.add", "disagreement") in kinds and ("stablehlo.add", "shared axis") in kinds


def test_what_fits_along_one_factor_conflicts_along_the_other_alone(json_of: JsonOf) -> None:
    conflicts = json_of("propagate", PROGRAM.replace('[{}, {"x"}]', '[{?}, {"y"}]'))["conflicts"]
    assert [one["factor"] for one in conflicts] == ["j"]


_DOT = """\
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %b: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot %a, %b : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
"""


def test_collectives_are_listed_with_what_they_cost_and_who_needs_them(
    tmp_path: Path, summary_of: SummaryOf, json_of: JsonOf
) -> None:
    listed = json_of("propagate", _DOT, "--collectives")["collectives"]
    # An all-reduce of 4x16 f32 over 4 devices receives 2 * 256 * 3/4 bytes, an all-to-all over 2 half of 256.
    assert [(one["operation"], one["axes"], one["bytes"], one["cause"], one["line"]) for one in listed] == [
        ("all_reduce", '{"y"}', 384.0, "stablehlo.dot", 5),
        ("all_to_all", '[{"x"}: 0->1]', 128.0, "func.return", 7),
    ]
    table = summary_of("propagate", _DOT, "--collectives")
    assert '[{"x"}: 0->1]' in table and "func.return" in table and "384 B" in table and "\x1b" not in table
    assert "2 in all, 2 of them move data; each device receives 512 B" in table
    assert "sdy.all_to_all" in (tmp_path / "out.mlir").read_text()


def test_reshards_are_listed_with_the_collectives_that_they_become(json_of: JsonOf) -> None:
    listed = json_of("propagate", _DOT, "--reshards")["reshards"]
    assert [(one["operation"], one["becomes"], one["cause"]) for one in listed] == [
        ("all_reduce", [], "stablehlo.dot"),
        ("reshard", ["all_to_all"], "func.return"),
    ]


def test_the_choice_of_axes_and_collectives_is_the_callers(json_of: JsonOf) -> None:
    text = (
        'sdy.mesh @mesh = <["x"=2, "y"=2]>\n'
        'func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>})\n'
        '    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) {\n'
        "  return %a : tensor<8x8xf32>\n}\n"
    )
    for strategy, names in (
        ("reference", ["collective_permute", "all_to_all"]),
        ("optimal", ["all_to_all", "all_to_all"]),
    ):
        listed = json_of("propagate", text, "--collectives", f"--reshard-strategy={strategy}")["collectives"]
        assert [one["operation"] for one in listed] == names


def test_a_sum_over_a_sharded_dimension_is_no_conflict_but_said(summary_of: SummaryOf, json_of: JsonOf) -> None:
    text = _DOT.replace('{sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}', "")
    summary = json_of("propagate", text)
    assert summary["conflicts"] == [] and summary["sums_over_sharded_dimensions"] == 1
    shown = summary_of("propagate", text)
    assert "no conflicts: at every operation the shardings of operands and results fit together" in shown
    assert "1 operation sums over a sharded dimension: devices combine their parts, which moves data too" in shown
    assert [one["kind"] for one in json_of("partition", text)["collectives"]] == ["all_reduce"]


LAYERS = """\
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%s: tensor<8xf32> loc("scale"),
    %a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("params['layers'][0]['w']"),
    %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("params['layers'][1]['w']"),
    %c: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>} loc("params['layers'][2]['w']"))
    -> (tensor<8x8xf32> {jax.result_info = "result"}) {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  %1 = stablehlo.add %0, %c : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
"""


def test_arguments_that_are_alike_are_one_row_and_the_largest_come_first(
    summary_of: SummaryOf, json_of: JsonOf
) -> None:
    shown = summary_of("propagate", LAYERS)
    rows = [line.split() for line in shown.split("results")[0].splitlines() if "%arg" in line]
    assert [row[:2] for row in rows] == [
        ["params['layers'][*]['w']", "×2"],
        ["params['layers'][2]['w']", "%arg3"],
        ["scale", "%arg0"],
    ]
    assert "stablehlo.add: factor i: operand 0" in shown and "operand 1 (params['layers'][2]['w'])" in shown
    shown = summary_of("propagate", LAYERS, "--all")
    rows = [line.split() for line in shown.split("results")[0].splitlines() if "%arg" in line]
    assert [row[1] for row in rows] == ["%arg0", "%arg1", "%arg2", "%arg3"]
    listed = json_of("propagate", LAYERS)["arguments"]
    assert [(one["name"], one["symbol"]) for one in listed][:2] == [
        ("scale", "%arg0"),
        ("params['layers'][0]['w']", "%arg1"),
    ]


def test_a_choice_of_reshards_without_reshards_is_refused(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["propagate", str(program), "--reshard-strategy=optimal"]) == 1
    assert "need --reshards or --collectives" in capsys.readouterr().err


def test_a_program_without_communication_says_so(summary_of: SummaryOf) -> None:
    text = "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  return %a : tensor<8xf32>\n}\n"
    assert "collectives: none" in summary_of("propagate", text, "--collectives")


def test_bad_input_is_a_diagnostic_and_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dynamic.mlir"
    path.write_text(
        "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
        "  %0 = stablehlo.tanh %a : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n"
    )
    assert main.run(["propagate", str(path)]) == 1
    assert (
        f"{path}:2:8: error: Shardy propagation only supports ranked tensors with a static shape. "
        "type: 'tensor<?xf32>'" in capsys.readouterr().err
    )


def test_a_missing_file_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["propagate", "missing.mlir"]) == 1
    assert capsys.readouterr().err == "pyshardy: cannot open input file 'missing.mlir': No such file or directory\n"


_PRIORITIES = """\
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {?}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}p0, {?}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""


def test_the_hierarchy_has_a_name_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "program.mlir", tmp_path / "out.mlir"
    file.write_text(_PRIORITIES)
    found = {}
    for given in ((), ("--hierarchy", "basic"), ("--strategy", "basic")):
        assert main.run(["propagate", str(file), "-o", str(out), *given]) == 0
        found[given] = out.read_text()
        said = capsys.readouterr().err
        assert ("--strategy basic is --hierarchy basic now" in said) == (given[:1] == ("--strategy",))
    assert found[()] != found["--hierarchy", "basic"] == found["--strategy", "basic"]
    assert main.run(["propagate", str(file), "--strategy", "fsdp"]) == 1
    assert "--strategy belongs to a sharding file" in capsys.readouterr().err
