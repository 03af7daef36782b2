"""A sharding file that names hardware: candidate plans are chosen by seconds there, by every command alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshardy import HardwareProblem, ShardingProblem, hardware, load, load_shardings, partition
from pyshardy.analysis.cost.targets import target
from pyshardy.cli import main
from pyshardy.module import HardwareName
from pyshardy.reading.sharding_files.writing import hardware_value

EXAMPLES = Path(__file__).parents[3] / "examples"
PROGRAM = EXAMPLES / "transformer_megatron.mlir"
SMALL = EXAMPLES / "mlp.mlir"
FAR = """
name = "far"
[chip]
memory = 1e12
bandwidth = 1e12
flops = {f32 = 1e15}
[[links]]
name = "wire"
topology = "switched"
bandwidth = 1e15
latency = 1e-3
"""
"""Bytes cost nothing there, each collective a millisecond: other plans are best than by bytes."""


@pytest.fixture
def far(tmp_path: Path) -> str:
    path = tmp_path / "far.toml"
    path.write_text(FAR)
    return str(path)


def test_plans_are_chosen_by_seconds_on_the_hardware_of_the_file(far: str) -> None:
    module = load(PROGRAM)
    by_bytes, by_seconds = partition(module), partition(module, hardware=far)
    assert by_seconds.bytes_moved > by_bytes.bytes_moved
    module.apply_shardings({"hardware": far})
    for one in (module, module.copy()):
        plan = partition(one)
        assert plan.bytes_moved == by_seconds.bytes_moved
        assert plan.chosen_by == "seconds on far"
    assert partition(module, hardware="v5e").chosen_by == "seconds on TPU v5e"


def test_commands_take_the_hardware_of_the_file(far: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "s.toml"
    file.write_text(f"hardware = {json.dumps(far)}\n")
    plan = partition(load(PROGRAM), hardware=far)
    assert main.run(["cost", str(PROGRAM), "--shardings", str(file), "--hardware", "v5e", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["step_seconds"]["expected"] == plan.cost("v5e").step_seconds.expected
    assert main.run(["partition", str(PROGRAM), "--shardings", str(file), "-o", "/dev/null", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chosen_by"] == "seconds on far"


def test_hardware_that_is_not_there_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "s.toml"
    file.write_text('hardware = "h10"\n')
    assert main.run(["partition", str(PROGRAM), "--shardings", str(file)]) == 1
    assert "there is no hardware 'h10'" in capsys.readouterr().err
    file.write_text('hardware = "gone.toml"\n')
    assert main.run(["check", str(PROGRAM), "--shardings", str(file)]) == 1
    assert "hardware file 'gone.toml' cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"hardware": 8}, 'shardings: hardware is a word as --hardware takes it, "h100"'),
        ({"hardware": {"attention": "fused"}}, "is a word as --hardware takes it"),
        ({"hardware": {"nam": "h100"}}, "did you mean 'name'"),
    ],
)
def test_hardware_that_cannot_be_meant_so_is_a_sentence(tables: dict[str, object], message: str) -> None:
    with pytest.raises(ShardingProblem) as error:
        load_shardings(tables)
    assert message in str(error.value)


def test_strategies_inherit_hardware() -> None:
    tables = {"hardware": "h100", "strategy": {"a": {}, "b": {"inherits": "a", "hardware": "v5p:4x4x8"}}}
    found = [load_shardings(tables, name).hardware for name in ("a", "b")]
    assert found == [HardwareName("h100"), HardwareName("v5p:4x4x8")]


@pytest.mark.parametrize("word", ["h100", "v5e", "v5p:4x4x8"])
@pytest.mark.parametrize("attention", [None, "fused"])
def test_hardware_that_was_described_has_the_name_of_its_preset(word: str, attention: str | None) -> None:
    given = target(word, attention=attention)
    found = target(given.hardware)
    assert found.name == given.name == HardwareName(word, attention)
    assert load_shardings({"hardware": hardware_value(found.name)}).hardware == found.name
    assert target(found.name.name, attention=found.name.attention).hardware == given.hardware


def test_hardware_of_ones_own_has_no_name() -> None:
    assert target({"chip": {"memory": 1e12, "bandwidth": 1e12, "flops": {"f32": 1e15}}}).name is None
    assert target(hardware("laptop")).name == HardwareName("laptop")


def test_cost_takes_hardware_with_the_number_of_devices() -> None:
    plan = partition(load(SMALL))
    count = plan.mesh.total_size if plan.mesh is not None else 0
    assert plan.cost(f"h100x{count}") == plan.cost("h100")
    assert plan.conflicts(hardware=f"h100x{count}", edits=False) == plan.conflicts(hardware="h100", edits=False)
    for ask in (
        plan.cost,
        lambda on: plan.conflicts(hardware=on),
        lambda on: plan.explain("params/w_in", hardware=on),
    ):
        with pytest.raises(HardwareProblem, match=f"has {count} devices, and the hardware 5"):
            ask("h100x5")


def test_plans_are_chosen_only_for_as_many_devices_as_the_hardware_has() -> None:
    count = 8
    assert str(partition(load(SMALL), hardware=f"h100x{count}").module) == str(
        partition(load(SMALL), hardware="h100").module
    )
    with pytest.raises(HardwareProblem, match=f"has {count} devices, and the hardware 5"):
        partition(load(SMALL), hardware="h100x5")
    module = load(SMALL)
    module.hardware = HardwareName("h100x5")
    with pytest.raises(HardwareProblem, match=f"has {count} devices, and the hardware 5"):
        partition(module)
    module.hardware = HardwareName(f"h100x{count}")
    assert partition(module).mesh is not None


@pytest.mark.parametrize("command", ["partition", "check", "explain", "cost", "report"])
def test_a_sharding_file_for_another_number_of_devices_is_a_sentence(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "s.toml"
    file.write_text('hardware = "h100x5"\n')
    arguments = {"explain": ["params/w_in"], "cost": ["--hardware", "v5e"], "report": ["-o", str(tmp_path / "p.html")]}
    code = main.run([command, str(SMALL), *arguments.get(command, ()), "--shardings", str(file)])
    assert code == 1 and "has 8 devices, and the hardware 5" in capsys.readouterr().err
    assert not (tmp_path / "p.html").exists()


COMMANDS = {
    "compare": ["--store", "OUT.json"],
    "conflicts": ["--json"],
    "cost": ["--json"],
    "explain": ["params/w_in", "--json"],
    "plot memory": ["--what", "memory", "-o", "OUT.svg"],
    "plot communication": ["--what", "communication", "-o", "OUT.svg"],
    "report": ["-o", "OUT.html"],
}
"""Commands that take hardware, with what makes them write the same each time."""


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_take_hardware_with_the_number_of_devices(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(hardware: str) -> tuple[int, str, str]:
        arguments = [one.replace("OUT", str(tmp_path / hardware.replace(":", "_"))) for one in COMMANDS[command]]
        code = main.run([command.split()[0], str(SMALL), *arguments, "--hardware", hardware])
        told = capsys.readouterr()
        return code, told.out, told.err

    assert run("h100x8")[:2] == run("h100")[:2]
    assert run("v5e:4x2")[::2] == (0, "")
    code, *said = run("h100x5")
    assert code == 1 and "has 8 devices, and the hardware 5" in "".join(said)
    assert not list(tmp_path.glob("h100x5.*"))
