"""Candidate plans compared by seconds: never a slower one than by bytes, and sometimes one that moves more."""

from __future__ import annotations

import json
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

from pyshardy import Plan, hardware, load, parse, partition
from pyshardy.analysis.cost import timed_plan
from pyshardy.analysis.cost.timed_plan import KnownTimes, TimedPlan
from pyshardy.cli import main
from pyshardy.ir.shortcuts import without_shortcuts
from tests.sampling import sampled

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.mlir"))

SLOW_LINKS = {
    "name": "far",
    "chip": {"memory": 1e12, "bandwidth": 1e12, "flops": {"f32": 1e15}},
    "links": [{"name": "wire", "topology": "switched", "bandwidth": 1e15, "latency": 1e-3}],
}
"""Bytes cost nothing here, each collective a millisecond."""
SLOW_CHIP = SLOW_LINKS | {"chip": {"memory": 1e12, "bandwidth": 1e12, "flops": {"f32": 1e6}}}


TARGETS: dict[str, Any] = {"v5e": "v5e", "h100": "h100", "far": SLOW_LINKS}


@cache
def plan_of(path: Path, on: str = "") -> Plan:
    """That of an example, chosen by bytes or by seconds, of which tests ask many things."""
    return partition(load(path), hardware=TARGETS[on]) if on else partition(load(path))


@pytest.mark.parametrize("path", sampled(EXAMPLES, 2), ids=lambda path: path.stem)
@pytest.mark.parametrize("on", TARGETS)
def test_a_plan_chosen_by_seconds_takes_no_more_of_them(path: Path, on: str) -> None:
    by_bytes, by_seconds = plan_of(path), plan_of(path, on)
    seconds = [plan.cost(TARGETS[on]).step_seconds.expected for plan in (by_bytes, by_seconds)]
    assert seconds[1] <= seconds[0] * (1 + 1e-8)
    assert by_bytes.chosen_by == "bytes" and by_seconds.chosen_by.startswith("seconds on ")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("on", TARGETS)
def test_links_never_say_that_a_step_takes_longer_than_it_does(path: Path, on: str) -> None:
    plan, target = plan_of(path, on), hardware(TARGETS[on])
    timed = TimedPlan(plan, target)
    seconds = timed.overlap.seconds
    busiest = max(timed.overlap.placed.busy.values())
    assert not TimedPlan(plan, target).takes_longer(seconds * (1 + 1e-8))
    sooner = TimedPlan(plan, target)
    assert sooner.takes_longer(busiest * (1 - 1e-8))


def test_that_a_link_is_busy_for_longer_is_known_without_what_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    timed = TimedPlan(partition(load(EXAMPLES[0].parent / "mlp.mlir")), "v5e")
    busiest = max(TimedPlan(timed.plan, "v5e").overlap.placed.busy.values())
    monkeypatch.setattr(timed_plan, "time_step", None)
    assert timed.takes_longer(busiest / 2)


@pytest.mark.parametrize("path", sampled(EXAMPLES, 2), ids=lambda path: path.stem)
@pytest.mark.parametrize("on", TARGETS)
def test_what_is_known_sooner_does_not_change_the_choice(path: Path, on: str) -> None:
    with without_shortcuts():
        assert str(partition(load(path), hardware=TARGETS[on]).module) == str(plan_of(path, on).module)


def test_no_step_is_scheduled_where_bounds_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load(EXAMPLES[0].parent / "transformer_fsdp.mlir")
    expected = str(partition(module, hardware="v5e").module)
    monkeypatch.setattr(timed_plan, "Overlap", None)
    assert str(partition(module, hardware="v5e").module) == expected


@pytest.mark.parametrize("name", ["mlp", "scan_layers"])
def test_that_computation_alone_takes_longer_is_known_without_a_schedule(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = partition(load(EXAMPLES[0].parent / f"{name}.mlir"))
    seconds = TimedPlan(plan, SLOW_CHIP).seconds
    monkeypatch.setattr(timed_plan, "Overlap", None)
    timed = TimedPlan(plan, SLOW_CHIP)
    assert seconds >= timed.step.seconds > 2 * timed.busiest_link
    assert timed.takes_longer(timed.step.seconds * (1 - 1e-8))


def test_nothing_is_certain_of_loops_that_wait() -> None:
    timed = TimedPlan(partition(load(EXAMPLES[0].parent / "scan_layers.mlir")), "v5e")
    assert timed.most_seconds == inf


ALONG_TWO_AXES = """
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}"""


@pytest.mark.parametrize("path", [None, *EXAMPLES], ids=lambda path: path.stem if path else "along two axes")
def test_collectives_take_as_long_together_as_each_alone(path: Path | None) -> None:
    plan = plan_of(path) if path else partition(parse(ALONG_TWO_AXES))
    assert plan.mesh is not None
    local = plan.counted.local.module
    for on in map(hardware, ("v5e", "h100")):
        times = KnownTimes(on).collectives(plan.mesh)
        for one, _ in plan.counted.collectives:
            alone = KnownTimes(on).collectives(plan.mesh)
            assert times.seconds(one, local) == alone.seconds(one, local)
            assert times.links(one, local) == alone.links(one, local)


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


MOVED = """
sdy.mesh @mesh = <["x"=4, "y"=4, "z"=2]>
func.func @main(%a: tensor<SxSxf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {}]>})
    -> (tensor<SxSxf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"z"}, {}]>]>} : tensor<SxSxf32>
  return %0 : tensor<SxSxf32>
}"""


@pytest.mark.parametrize(
    ("size", "on", "kind"),
    [(64, None, "collective_permute"), (64, "v5p", "all_gather"), (16384, "v5p", "collective_permute")],
)
def test_links_decide_how_a_tensor_goes_to_another_layout(size: int, on: str | None, kind: str) -> None:
    plan = partition(parse(MOVED.replace("SxS", f"{size}x{size}")), hardware=on)
    assert [one.kind for one in plan.collectives] == [kind]
    if size == 64:
        assert plan.check().agrees


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("on", ["v5e", SLOW_LINKS], ids=["v5e", "far"])
def test_no_more_plans_are_made_than_where_bytes_decide(path: Path, on: str) -> None:
    module = load(path)

    def plans_made(on: str | None) -> int:
        told = [0]
        partition(module, hardware=on, progress=lambda done, of: told.append(done))
        return max(told)

    assert plans_made(on) <= plans_made(None)
