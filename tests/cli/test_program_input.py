"""What the commands make of a file: every form is read, an empty one is named, and summaries tell how it was read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshardy.cli import main, sdy_opt
from tests.reading.binary_forms import forms

PROGRAM = "func.func @main(%a: tensor<8x4xf32>{0}) -> tensor<8x4xf32> {{ return %a : tensor<8x4xf32> }}"
COMMANDS = ["propagate", "partition", "check"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "program"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["bytecode", "artifact", "export", "artifact in gzip"])
@pytest.mark.parametrize("command", [*COMMANDS, "interpret", "sdy-opt"])
def test_every_command_reads_every_form(
    command: str, form: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_bytes(forms()[form])
    if command == "sdy-opt":
        assert sdy_opt.run([str(path)]) == 0
        assert "stablehlo.tanh" in capsys.readouterr().out
    elif command == "interpret":
        # It has arguments, which nobody has given.
        assert main.run([command, str(path)]) == 1
        assert "argument" in capsys.readouterr().err
    else:
        assert main.run([command, str(path)]) == 0


@pytest.mark.parametrize("command", [*COMMANDS, "interpret"])
@pytest.mark.parametrize("content", ["", " \n\n"])
def test_an_empty_file_is_one_clear_message(
    command: str, content: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text(content)
    assert main.run([command, str(path)]) == 1
    assert capsys.readouterr().err == f"pyshardy: {path} is empty: there is no program in it\n"


def test_a_byte_order_mark_is_no_part_of_a_program_but_for_sdy_opt(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text("func.func @main() { return }", encoding="utf-8-sig")
    for command in (*COMMANDS, "interpret"):
        assert main.run([command, str(path)]) == 0
    capsys.readouterr()
    assert sdy_opt.run([str(path)]) == 1
    assert f"{path}:1:1: error: unexpected character" in capsys.readouterr().err


@pytest.mark.parametrize("command", [*COMMANDS, "interpret"])
def test_what_is_mistaken_for_a_program_is_named(command: str, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text("HloModule jit_f\n")
    assert main.run([command, str(path)]) == 1
    assert f"{path} is HLO text; pyshardy reads StableHLO" in capsys.readouterr().err


def test_a_file_of_rules_runs_once_for_both_programs_of_a_check(path: Path, tmp_path: Path) -> None:
    path.write_text(PROGRAM.format(""))
    rules, trace = tmp_path / "rules.py", tmp_path / "trace"
    rules.write_text(f"print('ran', file=open({str(trace)!r}, 'a'))\n")
    main.run(["check", str(path), "--local", str(path), "--rules", str(rules)])
    assert trace.read_text() == "ran\n"


def test_to_sdy_opt_an_empty_file_is_an_empty_module(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text("")
    assert sdy_opt.run([str(path)]) == 0
    assert capsys.readouterr().out == "module {\n}\n"


def test_a_module_without_functions_is_named(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text("module {}")
    assert main.run(["partition", str(path)]) == 1
    assert capsys.readouterr().err == f"pyshardy: {path} has no function: there is nothing in it to shard\n"


def test_a_damaged_file_is_one_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_bytes(forms()["bytecode"][:100])
    for run, arguments in ((main.run, ["propagate", str(path)]), (sdy_opt.run, [str(path)])):
        assert run(arguments) == 1
        error = capsys.readouterr().err
        assert f"{path} is MLIR bytecode that jaxlib cannot read" in error and error.count("\n") == 1


NOTES = [
    ("", "", "the program has no mesh and no shardings: nothing is sharded"),
    (
        'sdy.mesh @m = <["x"=2]>',
        "",
        "the program has no shardings: every tensor is whole on each of the 2 devices of its mesh",
    ),
    (
        'sdy.mesh @m = <["x"=2]>',
        " {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}",
        "no sharding of the program names an axis: every tensor is whole on each device",
    ),
    (
        "",
        ' {mhlo.sharding = "{devices=[2,1]<=[2]}"}',
        "shardings of GSPMD (mhlo.sharding) were read: 1 argument",
    ),
]


@pytest.mark.parametrize(("mesh", "attribute", "note"), NOTES)
@pytest.mark.parametrize("command", COMMANDS)
def test_summaries_begin_with_what_there_is_to_know_of_the_input(
    command: str, mesh: str, attribute: str, note: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text(mesh + "\n" + PROGRAM.format(attribute))
    assert main.run([command, str(path)]) == 0
    captured = capsys.readouterr()
    shown = captured.out if command == "check" else captured.err
    assert shown.splitlines()[0] == note
    assert main.run([command, str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == [note]


def test_the_number_of_partitions_does_not_make_a_mesh(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text("module attributes {mhlo.num_partitions = 8 : i32} {" + PROGRAM.format("") + "}")
    assert main.run(["propagate", str(path)]) == 0
    assert "nothing is sharded, though mhlo.num_partitions says that it is for 8 devices" in capsys.readouterr().err


def test_gspmd_shardings_stay_as_they_are_in_sdy_opt(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text(PROGRAM.format(' {mhlo.sharding = "{devices=[2,1]<=[2]}"}'))
    assert sdy_opt.run([str(path)]) == 0
    assert 'mhlo.sharding = "{devices=[2,1]<=[2]}"' in capsys.readouterr().out
