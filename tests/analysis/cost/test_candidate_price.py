"""Candidate plans compared by seconds: never a slower one than by bytes, and sometimes one that moves more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshardy import load, partition
from pyshardy.cli import main

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.mlir"))

SLOW_LINKS = {
    "name": "far",
    "chip": {"memory": 1e12, "bandwidth": 1e12, "flops": {"f32": 1e15}},
    "links": [{"name": "wire", "topology": "switched", "bandwidth": 1e15, "latency": 1e-3}],
}
"""Bytes cost nothing here, each collective a millisecond."""


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("hardware", ["v5e", "h100", SLOW_LINKS], ids=["v5e", "h100", "far"])
def test_a_plan_chosen_by_seconds_takes_no_more_of_them(path: Path, hardware: str) -> None:
    module = load(path)
    by_bytes, by_seconds = partition(module), partition(module, hardware=hardware)
    seconds = [plan.cost(hardware).step_seconds.expected for plan in (by_bytes, by_seconds)]
    assert seconds[1] <= seconds[0] * (1 + 1e-8)
    assert by_bytes.chosen_by == "bytes" and by_seconds.chosen_by.startswith("seconds on ")


def test_where_collectives_cost_and_bytes_do_not_more_bytes_may_move() -> None:
    module = load(EXAMPLES[0].parent / "transformer_megatron.mlir")
    by_bytes, by_seconds = partition(module), partition(module, hardware=SLOW_LINKS)
    assert by_seconds.bytes_moved > by_bytes.bytes_moved
    assert by_seconds.cost(SLOW_LINKS).communication_seconds < by_bytes.cost(SLOW_LINKS).communication_seconds


def test_a_plan_that_fits_goes_first() -> None:
    module = load(EXAMPLES[0].parent / "transformer_megatron.mlir")
    peaks = [partition(module, hardware=one).memory.peak for one in (None, SLOW_LINKS)]
    if peaks[0] < peaks[1]:
        tight = SLOW_LINKS | {"chip": {"memory": peaks[0], "bandwidth": 1e12, "flops": {"f32": 1e15}}}
        assert partition(module, hardware=tight).memory.peak == peaks[0]


def test_the_command_says_how_it_was_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(EXAMPLES[0].parent / "mlp.mlir")
    assert main.run(["partition", file, "--hardware", "v5e", "-o", "/dev/null", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chosen_by"] == "seconds on TPU v5e"
    assert main.run(["partition", file, "--hardware", "v5e", "-o", "/dev/null"]) == 0
    assert "candidate plans compared by seconds on TPU v5e" in capsys.readouterr().out
    assert main.run(["partition", file, "-o", "/dev/null"]) == 0
    assert "compared by" not in capsys.readouterr().out


def test_a_mesh_that_does_not_fit_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    small = {"chip": {"memory": 1e12, "bandwidth": 1e12, "flops": {"f32": 1e15}}}
    with pytest.raises(ValueError, match="devices"):
        partition(load(EXAMPLES[0].parent / "mlp.mlir"), hardware=small)
