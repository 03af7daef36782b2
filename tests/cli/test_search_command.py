"""``pyshardy search``: what is printed and written, the check behind it, what is wrong."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from pyshardy.cli import main
from tests.searching.programs import chain, training

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "step.mlir"
    path.write_text(training(2, rows=2048, width=64, hidden=128).text(debug_info=True))
    return str(path)


def run(*arguments: str) -> int:
    return main.run(["search", *arguments])


def test_a_search_prints_its_strategy_and_writes_a_file_that_costs_as_much(
    program: str, tmp_path: Path, capsys: Captured
) -> None:
    file = str(tmp_path / "found.toml")
    assert run(program, "--hardware", "v5ex4", "--seconds", "1", "-o", file, "--explain") == 0
    printed = capsys.readouterr().out
    assert "what limits it" in printed
    assert "what each line gains" in printed
    assert run(program, "--hardware", "v5ex4", "--seconds", "1", "--json") == 0
    outcome = json.loads(capsys.readouterr().out)
    tables = {"hardware": outcome["chosen_for"], "mesh": outcome["mesh"], "shardings": outcome["shardings"]}
    assert tomllib.loads(Path(file).read_text()) == tables
    assert outcome["chosen_for"] == "v5ex4"
    for hardware in ("v5e", "v5ex4"):
        assert main.run(["cost", program, "--shardings", file, "--hardware", hardware, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["step_seconds"] == outcome["seconds"]


def test_a_slice_costs_as_much_as_was_found_for_it(program: str, tmp_path: Path, capsys: Captured) -> None:
    file = str(tmp_path / "found.toml")
    assert run(program, "--hardware", "v5p:2x2x2", "--fused-attention", "--seconds", "1", "-o", file, "--json") == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["chosen_for"] == {"name": "v5p:2x2x2", "attention": "fused"}
    options = ["--shardings", file, "--hardware", "v5p:2x2x2", "--fused-attention"]
    assert main.run(["cost", program, *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["step_seconds"] == outcome["seconds"]
    assert main.run(["cost", program, *options[:2], "--hardware", "v5ex4"]) == 1
    assert "devices, and the hardware 4" in capsys.readouterr().err


def test_without_a_place_for_it_the_file_is_printed(program: str, capsys: Captured) -> None:
    assert run(program, "--hardware", "v5e", "--mesh", "data=2", "--seconds", "1") == 0
    printed = capsys.readouterr().out
    assert tomllib.loads(printed[printed.index("# ") :])["mesh"] == {"data": 2}


MANUAL = """
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<1048576x16384xf32>) -> tensor<1048576x16384xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%b: tensor<131072x16384xf32>) {
    %1 = stablehlo.tanh %b : tensor<131072x16384xf32>
    sdy.return %1 : tensor<131072x16384xf32>
  } : (tensor<1048576x16384xf32>) -> tensor<1048576x16384xf32>
  return %0 : tensor<1048576x16384xf32>
}
"""


def test_a_check_proves_what_was_found(program: str, capsys: Captured) -> None:
    assert run(program, "--hardware", "v5ex2", "--seconds", "1", "--check", "--json") == 0
    assert json.loads(capsys.readouterr().out)["check"]["agrees"] is True


def test_a_program_too_large_for_a_check_is_made_small_for_it(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "large.mlir"
    path.write_text(chain(1 << 20, 4096, 16384).text(debug_info=True))
    assert run(str(path), "--hardware", "v5px8", "--seconds", "1", "--check") == 0
    assert "equal" in (printed := capsys.readouterr().out)
    assert "the program was made small, from " in printed


def test_a_program_that_cannot_be_checked_says_so_and_keeps_what_was_found(tmp_path: Path, capsys: Captured) -> None:
    path, file = tmp_path / "large.mlir", tmp_path / "found.toml"
    path.write_text(MANUAL)
    assert run(str(path), "--hardware", "v5p", "--mesh", "x=8", "--seconds", "1", "--check", "-o", str(file)) == 1
    printed = capsys.readouterr()
    assert "check: not made: " in printed.out
    assert "it has manual computations" in printed.out
    assert not printed.err
    assert tomllib.loads(file.read_text())["shardings"]


def test_what_does_not_fit_is_written_all_the_same_and_ends_with_1(program: str, capsys: Captured) -> None:
    assert run(program, "--hardware", "v5ex2", "--seconds", "1", "--memory", "400KB") == 1
    printed = capsys.readouterr().out
    assert printed.startswith("does not fit")
    assert "infeasible" in printed


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((), "--hardware is missing"),
        (("--hardware", "h100"), "how many devices there are is not said"),
        (("--hardware", "h200y8"), "there is no hardware 'h200y8'"),
        (("--hardware", "nowhere.toml"), "cannot open hardware file 'nowhere.toml'"),
        (("--hardware", "h100x8", "--mesh", "data=3"), "a mesh data=3 has 3 devices, and the hardware 8"),
        (("--hardware", "h100x8", "--mesh", "square"), "is no mesh"),
        (("--hardware", "h100x8", "--memory", "much"), "is no size"),
        (("--hardware", "h100x8", "--memory", "1KB"), "is below the arguments"),
        (("--hardware", "h100x8", "--seconds", "0"), "is no number of seconds"),
        (("--hardware", "h100x8", "--workers", "0"), "is no number of processes"),
        (("--hardware", "h100x8", "--objective", "speed"), "invalid choice"),
        (("--hardware", "h100x8", "--keep", "nowhere.toml"), "cannot open sharding file"),
    ],
)
def test_what_cannot_be_meant_is_one_line_and_exit_code_1(
    program: str, capsys: Captured, arguments: tuple[str, ...], text: str
) -> None:
    assert run(program, *arguments) == 1
    printed = capsys.readouterr()
    assert text in printed.err
    assert "Traceback" not in printed.err
    assert not printed.out
