"""What a workbench answers: figures that a plan has, changes that gain, files that mean the setting, and refusals."""

from __future__ import annotations

import tomllib

import pytest

from pyshardy import parse, partition
from pyshardy.analysis.cost.hardware_files import hardware
from pyshardy.analysis.cost.targets import Target
from pyshardy.reading.sharding_files.strategies import load_shardings
from pyshardy.workbench.answers import Answers
from pyshardy.workbench.setting import WrongRequest, read_setting
from pyshardy.workbench.sheet import Sheet
from tests.searching.programs import training
from tests.workbench.served import SMALL, answers

MESH = [["data", 4], ["model", 2]]


@pytest.fixture(scope="module")
def made() -> Answers:
    return answers()


def row(made: Answers, pattern: str) -> dict[str, object]:
    rows = made.answer("sheet", {})["rows"]
    found: dict[str, object] = next(one for one in rows if one["pattern"] == pattern)
    return found


def evaluated(made: Answers, setting: object, number: int = 1) -> dict[str, object]:
    return made.answer("evaluate", {"browser": "test", "number": number, "setting": setting})


def test_rows_are_patterns_with_their_optimizer_and_names_for_dimensions(made: Answers) -> None:
    up = row(made, "params/layers/*/up")
    assert up["shape"] == [128, 512] and "hidden" in up["names"]  # type: ignore[operator]
    assert len(up["followers"]) == 1  # type: ignore[arg-type]
    assert row(made, "x")["role"] == "input"
    assert made.answer("sheet", {})["start"] == {"mesh": [["data", 8]], "specs": {}}


def test_what_it_evaluates_is_what_a_plan_costs_with_the_file_that_it_writes(made: Answers) -> None:
    setting: object = {"mesh": MESH, "specs": {}}
    for axis, pattern, dim in (("data", "x", 0), ("model", "params/layers/*/up", 1), ("data", "params/layers/*/up", 0)):
        number = row(made, pattern)["number"]
        setting = made.answer("place", {"setting": setting, "axis": axis, "row": number, "dim": dim})["setting"]
    found = evaluated(made, setting)
    text = made.answer("export", {"setting": setting})["file"]
    module = training(4)
    module.apply_shardings(load_shardings(tomllib.loads(text)))
    cost = partition(module).cost(SMALL)
    assert found["peak"] == pytest.approx(cost.peak_bytes, rel=0.02)
    assert found["expected"] == pytest.approx(cost.step_seconds.expected, rel=0.05)
    whole = made.answer("whole", {"browser": "test", "number": 2, "setting": setting})
    assert (whole["peak"], whole["expected"]) == (cost.peak_bytes, cost.step_seconds.expected)
    # Along the axis of the data parameters are stored, behind all others.
    assert "priority = 1" in text
    specs = made.answer("export", {"setting": setting})["specs"]
    scope: dict[str, object] = {}
    exec(specs.replace("from jax.sharding import PartitionSpec as P", "P = lambda *axes: axes"), scope)
    assert scope["SPECS"]["params/layers/*/up"] == ("data", "model")  # type: ignore[index]
    assert "('hidden', 'model')" in made.answer("export", {"setting": setting})["logical"]


def test_it_tries_changes_until_the_program_fits(made: Answers) -> None:
    setting: object = {"mesh": [["data", 8]], "specs": {}}
    assert evaluated(made, setting)["fits"] is False
    assert "MiB of " in str(evaluated(made, setting)["causes"])
    for _ in range(5):
        best = made.answer("try", {"browser": "test", "number": 2, "setting": setting, "axes": []})["best"]
        setting = best["setting"]
        if best["fits"]:
            return
    raise AssertionError("five tries do not fit")


def test_of_several_settings_of_one_browser_the_last_is_evaluated(made: Answers) -> None:
    setting = {"mesh": [["a", 2], ["b", 4]], "specs": {}}
    assert "expected" in evaluated(made, setting, number=7)
    assert evaluated(made, {"mesh": [["a", 4], ["b", 2]], "specs": {}}, number=6) == {"stale": True}
    other = made.answer("evaluate", {"browser": "other", "number": 1, "setting": setting})
    assert "expected" in other


@pytest.mark.parametrize(
    "given, message",
    [
        (None, "a setting has"),
        ({"mesh": []}, "a mesh has"),
        ({"mesh": [["a", 3]]}, "the mesh has 3 devices"),
        ({"mesh": [["<b>", 8]]}, "letters"),
        ({"mesh": [["a", True]]}, "number of devices"),
        ({"mesh": [["a", 8]], "specs": {"99": [[]]}}, "no such row"),
        ({"mesh": [["a", 8]], "specs": {"0": [["b"], []]}}, "no such axis"),
        ({"mesh": [["a", 8]], "specs": {"0": [["a"], ["a"]]}}, "one slot"),
        ({"mesh": [["a", 8]], "specs": {"0": [["a"]]}}, "as many slots"),
        ({"mesh": [["a", 8]], "specs": {"1": [["a"], []]}}, "28672 .*|28 is not divisible by 8"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(given: object, message: str) -> None:
    with pytest.raises(WrongRequest, match=message):
        read_setting(given, [(16, 16), (28, 4)], 8)


def test_a_program_on_another_number_of_devices_begins_on_those_there_are() -> None:
    text = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x6xf32> {
  %0 = stablehlo.tanh %a : tensor<16x6xf32>
  return %0 : tensor<16x6xf32>
}"""
    for devices, start in (
        (8, {"mesh": [["x", 4], ["y", 2]], "specs": {"0": [["x"], ["y"]]}}),
        (6, {"mesh": [["data", 6]], "specs": {}}),
    ):
        made = Answers(Sheet(parse(text), Target(hardware(SMALL), devices)), "tanh.mlir")
        sheet = made.answer("sheet", {})
        assert sheet["start"] == start and "4 devices" in sheet["notes"][0]
        assert "expected" in evaluated(made, sheet["start"])


def test_the_mesh_of_a_manual_computation_stays() -> None:
    text = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<16x6xf32>) -> tensor<16x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%b: tensor<8x6xf32>) {
    %1 = stablehlo.tanh %b : tensor<8x6xf32>
    sdy.return %1 : tensor<8x6xf32>
  } : (tensor<16x6xf32>) -> tensor<16x6xf32>
  return %0 : tensor<16x6xf32>
}"""
    made = Answers(Sheet(parse(text), Target(hardware(SMALL), 4)), "manual.mlir")
    assert made.answer("sheet", {})["bound"]
    assert "expected" in evaluated(made, {"mesh": [["x", 2], ["y", 2]], "specs": {}})
    with pytest.raises(WrongRequest, match="manual computation in the program needs the mesh x=2, y=2"):
        evaluated(made, {"mesh": [["x", 1], ["y", 4]], "specs": {}})
    with pytest.raises(WrongRequest, match="give hardware of 4"):
        Sheet(parse(text), Target(hardware(SMALL), 8))
