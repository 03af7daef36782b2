"""``pyshardy explain`` and ``pyshardy conflicts``: text, JSON, edits written to a file, and what is wrong."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from pyshardy import load, parse, partition
from pyshardy.cli import main

PROGRAM = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path, status: int = 0) -> str:
    assert main.run([str(one) for one in arguments]) == status
    captured = capsys.readouterr()
    return captured.err if status else captured.out


def test_the_answer_is_text(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "explain", program, "%0")
    assert 'written on argument %arg0: <@mesh, [{"x"}, {}]>' in out
    assert "forward through dot_general" in out and "what would change it (tried):" in out


def test_without_edits_none_are_tried(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "what would change it" not in run(capsys, "explain", program, "%0", "--no-edits")


def test_json_is_an_object_or_a_list_with_the_documented_keys(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = json.loads(run(capsys, "explain", program, "%0", "--json"))
    assert list(one) == ["schema", "tensor", "dimensions", "moves", "causes", "edits"]
    tensor = one["tensor"]
    assert {"name", "value", "type", "sharding", "local_type", "location"} <= set(tensor)
    dimension: dict[str, Any] = one["dimensions"][0]
    assert {"dim", "axes", "not"} <= set(dimension)
    axis = dimension["axes"][0]
    assert set(axis) == {"axis", "steps", "origin"} and set(axis["origin"]) == {"kind", "name", "sharding"}
    expected = {"priority", "pass", "operation", "location", "factor", "from", "direction"}
    assert expected <= set(axis["steps"][0])
    assert all(set(entry) == {"axis", "cause", "text", "by"} for each in one["dimensions"] for entry in each["not"])
    edit = one["edits"][0]
    assert {"text", "target", "sharding", "effect"} <= set(edit)
    assert {"bytes_moved", "peak_memory", "changed_tensors"} <= set(edit["effect"])
    for what in (["%arg*"], ["%0", "%arg0"]):
        assert len(json.loads(run(capsys, "explain", program, *what, "--json"))) == 2


def test_a_collective_has_two_sides(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kind = partition(parse(PROGRAM)).collectives[0].kind
    one = json.loads(run(capsys, "explain", program, f"{kind}:0", "--json"))
    assert list(one) == ["schema", "collective", "factor", "sums", "text", "meet", "edits"]
    assert [side["origin"]["name"] for side in one["meet"]] in (["%arg0", "%arg1"], ["%arg1", "%arg0"])


def test_an_edit_is_written_and_has_its_effect(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "edited.mlir"
    one = json.loads(run(capsys, "explain", program, "%0", "--json", "--apply", "1", "-o", out))
    plan = partition(load(out))
    effect = one["edits"][0]["effect"]
    assert (plan.bytes_moved, plan.memory.peak) == (effect["bytes_moved"], effect["peak_memory"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["%7"], "'%7': the program has no value that MLIR prints so"),
        (["dot_generel:0"], "did you mean 'dot_general'"),
        (["%0", "--apply", "1"], "--apply N and -o OUT belong together"),
        (["%0", "--apply", "99", "-o", "out.mlir"], "--apply 99: there"),
    ],
)
def test_what_is_wrong_is_a_line_and_exit_code_1(
    program: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    error = run(capsys, "explain", program, *arguments, status=1)
    message, *page = error.splitlines()
    assert said in message and len(page) <= 1 and all(one.startswith("pyshardy: see pyshardy docs ") for one in page)


def test_a_value_of_another_function_is_suggested(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "calls.mlir"
    file.write_text("""
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @f(%b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %b : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}""")
    error = run(capsys, "explain", file, "%1", status=1)
    assert "'%1': MLIR prints no value of the main function so; did you mean '@f/%1'?" in error
    assert '"x"' in run(capsys, "explain", file, "@f/%1")


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PROGRAM.encode())))
    assert "dimension 0, size 8" in run(capsys, "explain", "-", "%0", "--no-edits")


def test_conflicts_are_listed(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "conflicts", program)
    assert "argument %arg0" in out or "arguments tensor<8x8xf32>" in out
    found = json.loads(run(capsys, "conflicts", program, "--json"))
    assert list(found) == ["schema", "notes", "causes", "sums", "others"]
    assert set(found["causes"][0]) == {
        "first",
        "second",
        "annotations",
        "bytes",
        "run_bytes",
        "exposed_seconds",
        "places",
        "lost",
        "text",
        "collectives",
        "edit",
    }
    assert found["causes"][0]["edit"] is not None
    assert json.loads(run(capsys, "conflicts", program, "--json", "--no-edits"))["causes"][0]["edit"] is None


def test_on_hardware_answers_are_in_seconds_too(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "conflicts", program, "--json", "--hardware", "v5e"))
    assert found["causes"][0]["exposed_seconds"] >= 0 and found["causes"][0]["edit"]["effect"]["seconds"] > 0
    shown = run(capsys, "conflicts", program, "--hardware", "v5e")
    assert "exposed" in shown and "a step is expected to take" in shown
    assert main.run(["conflicts", str(program), "--hardware", "v55"]) == 1
    assert "there is no hardware 'v55'" in capsys.readouterr().err
