"""The names that PyTorch/XLA saves beside a program."""

import json
from pathlib import Path

import pytest

from pyshardy import load, parse
from pyshardy.cli.main import run

PROGRAM = """func.func @main(%a: tensor<4xf32>, %b: tensor<8x4xf32> loc("p1.2"), %c: tensor<2x4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}"""
ROWS = [
    {"type_": "parameter", "position": -1, "name": "layers.0.bias"},
    {"type_": "parameter", "position": -1, "name": "layers.0.weight"},
    {"type_": "input_arg", "position": 0, "name": ""},
]


def saved(directory: Path, meta: str | None) -> Path:
    if meta is not None:
        (directory / "forward.meta").write_text(meta)
    path = directory / "forward.mlir"
    path.write_text(PROGRAM)
    return path


def names(path: Path) -> list[str]:
    return [one.name for one in load(path).arguments()]


def test_arguments_are_called_as_the_file_beside_the_program_says(tmp_path: Path) -> None:
    path = saved(tmp_path, json.dumps({"name": "forward", "input_locations": ROWS}))
    module = load(path)
    assert [one.name for one in module.arguments()] == ["layers.0.bias", "layers.0.weight", "input_0"]
    module.apply_shardings({"mesh": {"data": 2}, "shardings": {"layers/*/weight": ["data"], "input_0": ["data"]}})
    assert [bool(one.sharding) for one in module.arguments()] == [False, True, True]
    assert [one.name for one in parse(str(module)).arguments()] == [one.name for one in module.arguments()]


def test_commands_know_them_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path, json.dumps({"input_locations": ROWS}))
    (tmp_path / "s.toml").write_text('mesh = {data = 2}\n[shardings]\n"layers/0/weight" = ["data"]\n')
    assert run(["propagate", str(path), "--shardings", str(tmp_path / "s.toml"), "-o", str(tmp_path / "out")]) == 0
    assert "layers.0.weight" in capsys.readouterr().out
    assert "layers.0.weight" in (tmp_path / "out").read_text()


@pytest.mark.parametrize(
    "meta",
    [
        None,
        "",
        "no JSON",
        "[" * 100_000,
        "[1]",
        "{}",
        '{"input_locations": 3}',
        '{"input_locations": [1, 2, 3]}',
        json.dumps({"input_locations": ROWS[:2]}),
        json.dumps({"input_locations": [*ROWS[:2], {"position": -1, "name": 7}]}),
    ],
)
def test_a_file_that_is_about_something_else_says_nothing(tmp_path: Path, meta: str | None) -> None:
    assert names(saved(tmp_path, meta)) == ["%arg0", "p1.2", "%arg2"]
