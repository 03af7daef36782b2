"""Commands that take shardings from outside: ``--shardings``, ``pyshardy shardings`` and ``pyshardy compare``."""

import json
from pathlib import Path

import pytest

from pyshardy.cli import main
from tests.reading.sharding_files.programs import STEP

PROGRAM = STEP
FILE = """
[mesh]
data = 4
model = 2

[shardings]
"batch/*" = ["data"]

[strategy.dp]

[strategy.tp.shardings]
"params/layers/0/wq" = [[], "model"]
"params/layers/1/wq" = ["model"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "s.toml"
    path.write_text(FILE)
    return path


def failure(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main.run([str(one) for one in arguments]) == 1
    said = capsys.readouterr()
    assert said.out == "" and "Traceback" not in said.err
    return said.err


@pytest.mark.parametrize("command", ["propagate", "partition", "check"])
def test_a_strategy_is_applied_before_the_command_works(
    command: str, program: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [command, str(program), "--shardings", f"{file}:tp", "--json"]
    assert main.run(arguments) == 0
    out = capsys.readouterr().out
    found = json.loads(out)
    if command == "check":
        assert '"devices": 8' in out
    else:
        assert found["notes"] == [f"shardings of {file}:tp were applied to 3 tensors"]
        assert [one["device_shape"] for one in found["arguments"]] == [[8, 8], [8, 8], [8], [], [3, 8]]


def test_a_strategy_may_be_named_by_itself_and_the_mesh_be_another(
    program: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["partition", str(program), "--shardings", str(file), "--strategy", "tp", "--mesh", "data=2,model=4"]
    assert main.run([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["device_shape"] for one in found["arguments"]] == [[8, 4], [4, 8], [8], [], [6, 8]]


def test_a_file_may_have_a_colon_in_its_name(program: Path, file: Path) -> None:
    named = file.rename(file.with_name("a:tp"))
    assert main.run(["partition", str(program), "--shardings", str(named), "-o", str(named.with_name("out.mlir"))]) == 0


def test_a_wrong_strategy_or_file_is_one_sentence(
    program: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = failure(capsys, "partition", program, "--shardings", f"{file}:tpp")
    assert said == f"pyshardy: {file} has no strategy 'tpp', only dp, tp; did you mean 'tp'?\n"
    said = failure(capsys, "partition", program, "--shardings", "missing.toml")
    assert said == "pyshardy: cannot open sharding file 'missing.toml': No such file or directory\n"
    said = failure(capsys, "partition", program, "--shardings", f"{file}:tp", "--strategy", "dp")
    assert "name two strategies" in said
    assert "--mesh belongs to a sharding file" in failure(capsys, "check", program, "--mesh", "data=2")
    assert "'data' is no mesh" in failure(capsys, "check", program, "--mesh", "data")
    said = failure(capsys, "partition", program, "--shardings", f"{file}:tp", "--mesh", "data=5,model=2")
    assert "s.toml: [shardings] \"batch/*\": batch['x'] (tensor<12x8xf32>): dimension 0 has 12 elements" in said


def test_shardings_writes_a_file_that_can_be_given_back(
    program: Path, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["shardings", str(program), "--all"]) == 0
    assert capsys.readouterr().out.startswith('[shardings]\n"params/layers/0/wq"   = "?"\n')
    sharded, again, written = (tmp_path / name for name in ("sharded.mlir", "again.mlir", "written.toml"))
    assert main.run(["propagate", str(program), "--shardings", f"{file}:tp", "-o", str(sharded)]) == 0
    assert main.run(["shardings", str(sharded), "-o", str(written)]) == 0
    assert '"attention:dot_general"' in written.read_text()
    assert main.run(["propagate", str(sharded), "--shardings", str(written), "-o", str(again)]) == 0
    assert again.read_text() == sharded.read_text()
    capsys.readouterr()
    assert main.run(["shardings", str(sharded), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mesh"] == {"data": 4, "model": 2}


def test_compare_has_a_column_for_each_strategy(program: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["compare", str(program), str(file), "--given", "--replicated-above", "500B"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "the program has no mesh and no shardings: nothing is sharded"
    assert lines[1:4] == [
        "as given: 1 device",
        *(f"{name}: 8 devices, mesh @mesh: data=4, model=2" for name in ("dp", "tp")),
    ]
    heading = next(line for line in lines if "as given" in line and "dp" in line and "devices" not in line)
    assert heading.split() == ["as", "given", "dp", "tp"]
    assert next(line for line in lines if "arguments" in line).rstrip().endswith("1.4 KiB   1.1 KiB   * 644 B")
    assert "dp has whole on every device: params['layers'][*]['wq'] ×2 512 B" in lines


def test_compare_as_data_says_who_is_the_best(program: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = file.with_name("other.toml")
    other.write_text('[mesh]\nx = 4\n[shardings]\n"batch/*" = ["x"]\n')
    assert main.run(["compare", str(program), f"{file}:tp", str(other), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found["strategies"]] == ["s:tp", "other"]
    assert [one["devices"] for one in found["strategies"]] == [8, 4]
    tp = found["strategies"][0]
    assert tp["memory"]["arguments"] == 644 and tp["bytes_by_axes"] == {"model": tp["collectives"]["run_bytes"]}
    assert found["best"]["memory.arguments"] == ["s:tp"] and found["best"]["collectives"] == ["other"]
    assert found["best"]["padding"] == []


def test_compare_says_what_is_wrong(program: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no strategy 'x'" in failure(capsys, "compare", program, f"{file}:x")
    assert "cannot open sharding file" in failure(capsys, "compare", program, "missing.toml")
    assert "is no size" in failure(capsys, "compare", program, file, "--replicated-above", "big")
    file.write_text("[mesh\n")
    assert "s.toml:1:6: this is not TOML" in failure(capsys, "compare", program, file)
