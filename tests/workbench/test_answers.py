"""What a workbench answers: figures that a plan has, changes that gain, files that mean the setting, and refusals."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from itertools import count
from threading import Event, Thread
from typing import Any

import pytest

from pyshardy import Module, parse, partition
from pyshardy.analysis.cost.hardware_files import hardware
from pyshardy.analysis.cost.targets import Target
from pyshardy.reading.sharding_files.strategies import load_shardings
from pyshardy.searching.layouts import InnerSharding
from pyshardy.searching.space import Layouts
from pyshardy.searching.workers import score_of
from pyshardy.sharding.mesh import Mesh
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


NUMBERS = count(1)
"""A browser numbers its questions."""


def asked(made: Answers, question: str, setting: object, **more: object) -> dict[str, object]:
    return made.answer(question, {"browser": "test", "number": next(NUMBERS), "setting": setting, **more})


def evaluated(made: Answers, setting: object) -> dict[str, object]:
    return asked(made, "evaluate", setting)


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
    whole = asked(made, "whole", setting)
    assert (whole["peak"], whole["expected"]) == (cost.peak_bytes, cost.step_seconds.expected)
    # Along the axis of the data parameters are stored, behind all others.
    assert "priority = 1" in text
    logical = made.answer("export", {"setting": setting})["logical"]
    assert "('hidden', 'model')" in logical and "# on a mesh data=4, model=2" in logical
    compile(logical, "logical", "exec")


def test_it_tries_changes_until_the_program_fits(made: Answers) -> None:
    setting: object = {"mesh": [["data", 8]], "specs": {}}
    assert evaluated(made, setting)["fits"] is False
    assert "MiB of " in str(evaluated(made, setting)["causes"])
    for _ in range(5):
        best = asked(made, "try", setting, axes=[])["best"]
        assert isinstance(best, dict)
        setting = best["setting"]
        if best["fits"]:
            return
    raise AssertionError("five tries do not fit")


def test_of_several_settings_of_one_browser_the_last_is_evaluated(made: Answers) -> None:
    setting, earlier = ({"mesh": [["a", a], ["b", b]], "specs": {}} for a, b in ((2, 4), (4, 2)))
    late, other = ({"browser": one, "number": 7, "setting": setting} for one in ("late", "other"))
    assert "expected" in made.answer("evaluate", late)
    assert made.answer("evaluate", late | {"number": 6, "setting": earlier}) == {"stale": True}
    assert "expected" in made.answer("evaluate", other | {"number": 1})


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


def test_partition_specs_are_python_that_gives_the_shardings() -> None:
    """As text that is copied: run in a process of eight devices, against the file of the same setting."""
    made = answers()
    placed = {"mesh": MESH, "specs": {str(row(made, "params/layers/*/up")["number"]): [["data"], ["model"]]}}
    placed["specs"] |= {str(row(made, "x")["number"]): [["data", "model"], []]}  # type: ignore[operator]
    text = made.answer("export", {"setting": placed})["specs"]
    program = f"""{text}
from jax.sharding import NamedSharding
for name, shape in (("x", (256, 128)), ("params/layers/*/up", (128, 512)), ("params/layers/*/down", (512, 128))):
    print(name, mesh.shape, NamedSharding(mesh, SPECS[name]).shard_shape(shape))
"""
    environment = os.environ | {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_force_host_platform_device_count=8"}
    found = subprocess.run([sys.executable, "-c", program], env=environment, text=True, capture_output=True)
    assert found.returncode == 0, found.stderr
    shape = "OrderedDict({'data': 4, 'model': 2})"
    assert found.stdout.replace("OrderedDict([('data', 4), ('model', 2)])", shape).splitlines() == [
        f"x {shape} (32, 128)",
        f"params/layers/*/up {shape} (32, 256)",
        f"params/layers/*/down {shape} (512, 128)",
    ]


# --- what is ended ----------------------------------------------------------------------------------------------------


def blocked(
    made: Answers, monkeypatch: pytest.MonkeyPatch, question: str, setting: object
) -> tuple[Thread, list[object]]:
    """The question, asked by a thread whose work does not come to an end but by its check."""
    begun, found = Event(), list[object]()

    def endless(*given: object, **more: object) -> object:
        check = given[0].context.check if isinstance(given[0], Module) else given[-1]
        assert callable(check)
        begun.set()
        end = time.monotonic() + 30
        while time.monotonic() < end:
            check()
            time.sleep(0.001)
        raise AssertionError("nobody has ended it")

    if question != "whole":
        monkeypatch.setattr(made.sheet._evaluator, "score", endless)
    else:
        monkeypatch.setattr("pyshardy.workbench.answers.partition", endless)
    thread = Thread(target=lambda: found.append(asked(made, question, setting)), daemon=True)
    thread.start()
    assert begun.wait(30)
    monkeypatch.undo()
    return thread, found


@pytest.mark.parametrize("question", ["evaluate", "whole", "try"])
def test_what_is_at_work_for_an_earlier_setting_is_ended(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = answers(2)
    first, then = ({"mesh": [["a", a], ["b", b]], "specs": {}} for a, b in ((2, 4), (4, 2)))
    thread, found = blocked(made, monkeypatch, question, first)
    later = evaluated(made, then)
    thread.join(30)
    ended: dict[str, object] = {"tried": [], "best": None} if question == "try" else {"stale": True}
    assert found == [ended]
    # What was ended has left nothing behind: both are as in a workbench that never ended anything.
    fresh = answers(2)
    assert later == evaluated(fresh, then)
    assert evaluated(made, first) == evaluated(fresh, first)
    assert asked(made, "whole", first) == asked(fresh, "whole", first)


def test_the_plan_of_another_browser_makes_way_and_is_made_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    made = answers(2)
    setting = {"mesh": [["a", 8]], "specs": {}}
    thread, found = blocked(made, monkeypatch, "whole", setting)
    answer = made.answer("evaluate", {"browser": "other", "number": 1, "setting": setting})
    assert "expected" in answer
    thread.join(60)
    assert found and "whole" in found[0]  # type: ignore[operator]


def test_a_search_that_is_stopped_answers_at_once_with_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    made = answers(2)
    setting = {"mesh": MESH, "specs": {}}

    def no_plan(*_: object, **__: object) -> None:
        raise AssertionError("a whole program was partitioned")

    def stopping(*given: Any) -> object:
        score = plain(*given)
        if len(scores) == 5:
            made.answer("stop", {"browser": "test", "number": next(NUMBERS)})
        scores.append(score)
        return score

    scores: list[object] = []
    plain = score_of
    monkeypatch.setattr("pyshardy.searching.finals.partition", no_plan)
    monkeypatch.setattr("pyshardy.searching.search.score_of", stopping)
    found = asked(made, "search", setting)
    assert len(scores) == 6
    assert "best so far" in str(found["notes"]) and "search" in found["best"]["words"]  # type: ignore[index]


# --- inside -----------------------------------------------------------------------------------------------------------


def test_what_a_search_says_inside_is_a_line_that_can_be_removed() -> None:
    made = answers(2)
    sheet = made.sheet
    number = next(one for one, name in enumerate(sheet.short.names) if name == "stablehlo.dot_general")
    inner = InnerSharding(sheet.short.groups[number], 0, (("data",), ("model",)))
    layouts = Layouts((("data", 4), ("model", 2)), tuple(((),) * len(one) for one in sheet.shapes), (inner,))
    score = sheet._evaluator.score(Mesh(dict(layouts.mesh)), sheet.space.boundary(layouts), layouts.inner)
    assert score is not None
    setting = sheet.taken_over(layouts, score).as_json()
    pattern = next(iter(setting["inside"]))  # type: ignore[call-overload]
    sheet._known.clear()
    assert evaluated(made, setting)["expected"] == score.expected
    texts = made.answer("export", {"setting": setting})
    assert f'"{pattern}" = ["data", "model"]' in texts["file"]
    assert "INSIDE" in texts["specs"] and pattern in texts["logical"]
    # It counts in the whole program, too, and goes when it is removed.
    without = {"mesh": setting["mesh"], "specs": setting["specs"]}
    assert asked(made, "whole", setting)["received"] != asked(made, "whole", without)["received"]
    assert pattern not in made.answer("export", {"setting": without})["file"]
    # Axes that are placed elsewhere leave it.
    placed = asked(made, "place", setting, axis="data", row=row(made, "x")["number"], dim=0)["setting"]
    assert placed["inside"] == setting["inside"]  # type: ignore[index]
    with pytest.raises(WrongRequest, match="is not divisible by 3"):
        read_setting(setting | {"mesh": [["data", 3], ["model", 1]]}, sheet.shapes, None, sheet.inside_shapes)
    with pytest.raises(WrongRequest, match="no such line inside"):
        evaluated(made, setting | {"inside": {":dot_general[9:99]": [[], []]}})


# --- a file that is saved anew ----------------------------------------------------------------------------------------


def test_what_was_found_holds_for_the_same_program_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    before, setting = answers(2), {"mesh": MESH, "specs": {}}
    wanted = evaluated(before, setting), asked(before, "whole", setting)
    same, other = answers(2), answers(3)
    same.take_results_of(before)
    other.take_results_of(before)
    assert before.answer("sheet", {})["program"] == same.answer("sheet", {})["program"]
    assert before.answer("sheet", {})["program"] != other.answer("sheet", {})["program"]
    assert evaluated(other, setting)["expected"] != wanted[0]["expected"]
    small = Target(hardware(SMALL), 8)
    larger = Target(hardware(SMALL | {"chip": SMALL["chip"] | {"memory": 4e6}}), 8)  # type: ignore[operator]
    alike = [Sheet(training(2), small), Sheet(training(2), small, "rules"), Sheet(training(2), larger)]
    assert len({one.digest for one in alike}) == 3 and alike[0].digest == before.sheet.digest

    def no_work(*_: object, **__: object) -> None:
        raise AssertionError("it was known")

    monkeypatch.setattr(same.sheet._evaluator, "score", no_work)
    monkeypatch.setattr("pyshardy.workbench.answers.partition", no_work)
    assert (evaluated(same, setting), asked(same, "whole", setting)) == wanted


def test_what_hardly_counts_is_no_cause() -> None:
    made = answers(2)
    shares = [one["share"] for one in evaluated(made, {"mesh": MESH, "specs": {}})["causes"]]  # type: ignore[attr-defined]
    assert shares and all(one >= 0.005 for one in shares[1:])
