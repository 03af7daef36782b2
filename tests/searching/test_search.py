"""Searches as a whole: what is found is best, fits, can be read, and does not depend on how it was found."""

import itertools
import random
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from math import prod
from typing import Any

import pytest

import pyshardy
from pyshardy import HardwareProblem, Module, PyshardyError, ShardingProblem, parse, partition, planning, search
from pyshardy.analysis.cost.hardware_files import hardware
from pyshardy.analysis.cost.targets import target
from pyshardy.searching import search as room
from pyshardy.searching.evaluation import Evaluator
from pyshardy.searching.layouts import Spec
from pyshardy.searching.objective import Objective
from pyshardy.searching.scoring import Score
from pyshardy.searching.search import SearchProblem, search_strategy
from pyshardy.searching.short_program import short_program
from pyshardy.searching.space import Layouts, Space
from pyshardy.searching.workers import score_of
from pyshardy.sharding.mesh import Mesh
from tests.sampling import sampled
from tests.searching.programs import LOOP, chain, training

MESH = {"data": 2, "model": 2}


def cost_by_file(module: Module, text: str, chip: str) -> float:
    """The expected seconds of a step under a sharding file."""
    copy = module.copy()
    copy.apply_shardings(tomllib.loads(text))
    return partition(copy).cost(chip).step_seconds.expected


# --- the best ---------------------------------------------------------------------------------------------------------


def every_spec(shape: tuple[int, ...], mesh: Mesh) -> Iterator[Spec]:
    """Each way to lay a tensor out along whole axes, in the order of the mesh."""
    names = [axis.name for axis in mesh.axes]
    for homes in itertools.product(range(-1, len(shape)), repeat=len(names)):
        at = dict(zip(names, homes, strict=True))
        dims = tuple(tuple(name for name in names if at[name] == place) for place in range(len(shape)))
        sizes = [prod(mesh.sizes[name] for name in axes) for axes in dims]
        if all(size % parts == 0 for size, parts in zip(shape, sizes, strict=True)):
            yield dims


SHAPES = {"wide and short": (64, 4096, 512), "long and narrow": (65536, 64, 256), "square": (1024, 1024, 4096)}


@pytest.mark.slow
@pytest.mark.parametrize("shape", sampled(SHAPES, 2))
def test_a_search_finds_what_trying_everything_finds_and_chance_does_not(shape: str) -> None:
    module, mesh, chip = chain(*SHAPES[shape]), Mesh(MESH), hardware("v5e")
    short = short_program(module)
    space, goal = Space(short), Objective("expected", chip.chip.capacity)
    evaluator = Evaluator(short, chip)
    listed = tuple(MESH.items())
    choices = [list(dict.fromkeys(every_spec(family.shape, mesh))) for family in space.listed]
    # What comes back lies as what goes in, so that there are some hundreds.
    assert [family.name for family in space.listed] == ["x", "w/up", "w/down", "result"]
    figures = {}
    for specs in itertools.product(*choices[:3]):
        layouts = Layouts(listed, (*specs, specs[0]), ())
        score = evaluator.score(mesh, space.boundary(layouts))
        if score is not None:
            figures[layouts] = goal.rank(score)
    best = min(figures.values())
    chance = random.Random(0)
    tried = chance.sample(sorted(figures, key=repr), min(100, len(figures) // 4))
    assert min(figures[one] for one in tried) > best
    found = search(module, "v5e", mesh=MESH, seconds=8)
    assert found.cost.step_seconds.expected <= best[1] * 1.0001


def test_known_strategies_are_never_better_than_what_is_found() -> None:
    for module in (chain(), training(2), parse(LOOP)):
        found = search(module, "h100", mesh=MESH, seconds=1)
        assert found.known
        assert all(found.cost.step_seconds.expected <= one.seconds for one in found.known)
        assert found.tried == sorted(found.tried, key=lambda one: float(f"{one.seconds:.5e}"))


def test_old_names_are_deprecated() -> None:
    with pytest.deprecated_call(match="pyshardy.Found is called pyshardy.SearchResult"):
        assert pyshardy.Found is pyshardy.SearchResult
    found = search(chain(), "h100", mesh=MESH, seconds=1)
    with pytest.deprecated_call(match="SearchResult.experts is called SearchResult.known"):
        assert found.experts == found.known


def test_large_products_are_shared_by_all_devices() -> None:
    alone, together = (search(chain(8192, 4096, 16384), f"h100x{count}", seconds=1) for count in (1, 4))
    assert alone.name == "replicated"
    assert together.cost.compute_seconds < 0.3 * alone.cost.compute_seconds


# --- memory -----------------------------------------------------------------------------------------------------------


def test_a_limit_of_memory_is_met_where_it_can_be() -> None:
    module = training(4, rows=64, width=512, hidden=2048)
    free = search(module, "v5e", mesh=MESH, seconds=2)
    least = search(module, "v5e", mesh=MESH, seconds=2, objective="memory")
    limit = (free.cost.peak_bytes + least.cost.peak_bytes) / 2
    assert limit < free.cost.peak_bytes
    found = search(module, "v5e", mesh=MESH, memory=limit, seconds=2)
    assert found.fits
    assert found.cost.peak_bytes <= limit
    assert found.cost.step_seconds.expected >= free.cost.step_seconds.expected


def test_what_fits_in_no_way_says_so_and_what_fills_the_memory() -> None:
    module = training(4, rows=16384, width=64, hidden=64)
    found = search(module, "v5e", mesh=MESH, memory=2e6, seconds=1)
    assert not found.fits
    (note,) = [one for one in found.notes if one.startswith("infeasible")]
    assert "saved for the backward pass" in note
    assert "rematerialisation" in note
    share = note.split("equal share of the whole program is ")[1].split(" MB")[0]
    assert 2 < float(share) <= float(note.split("at least ")[1].split(" MB")[0])


def test_the_least_memory_can_be_the_objective() -> None:
    module = training(2, rows=64, width=512, hidden=2048)
    least, fastest = (search(module, "h100", mesh=MESH, seconds=2, objective=one) for one in ("memory", "expected"))
    assert least.cost.peak_bytes < fastest.cost.peak_bytes


def test_the_front_has_no_point_that_another_beats() -> None:
    found = search(training(2), "v5e", mesh=MESH, seconds=2)
    for one, other in itertools.pairwise(found.pareto):
        assert one.seconds <= other.seconds
        assert one.peak > other.peak
    assert len({found.file_of(number) for number in range(len(found.pareto))}) == len(found.pareto)


# --- the file ---------------------------------------------------------------------------------------------------------


def test_the_file_costs_what_was_shown_to_the_last_digit() -> None:
    for module in (training(3), training(36), parse(LOOP)):
        found = search(module, "v5e", mesh=MESH, seconds=1)
        assert cost_by_file(module, found.text, "v5e") == found.cost.step_seconds.expected
        assert len(tomllib.loads(found.text)["shardings"]) <= 15
        assert found.plan.memory.peak > 0
        assert found.shardings.mesh is not None


def test_each_line_says_what_it_gains() -> None:
    found = search(training(3), "v5e", mesh=MESH, seconds=1)
    gains = found.why()
    assert [one.pattern for one in gains] == [one for one in tomllib.loads(found.text)["shardings"] if one != "**"]
    assert max(one.seconds or 0.0 for one in gains) > 0
    explained = found.explain()
    assert "what each line gains" in explained
    assert "what limits it" in explained


def test_two_searches_find_the_same() -> None:
    first, second = (search(training(3), "h100x4", seconds=1) for _ in range(2))
    assert first.text == second.text
    assert first.as_json() | {"search_seconds": 0} == second.as_json() | {"search_seconds": 0}


def test_more_layers_change_nothing_but_the_figures() -> None:
    few, many = (search(training(layers), "v5e", mesh=MESH, seconds=1) for layers in (36, 72))
    assert few.tables == many.tables
    assert few.evaluations == many.evaluations


def test_the_program_stays_as_it_was() -> None:
    module = training(2)
    before = str(module)
    found = search(module, "v5e", mesh=MESH, seconds=1)
    assert str(module) == before
    assert str(found.module) != before
    assert found.plan.check().agrees


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_what_a_file_keeps_is_not_up_for_discussion() -> None:
    keep = {"mesh": MESH, "shardings": {"params/**/up": ["model", "data"]}}
    found = search(training(3), "v5e", keep=keep, seconds=1)
    assert found.mesh == MESH
    for one in found.module.arguments():
        if one.name.startswith("params") and one.name.endswith("['up']"):
            assert one.sharding is not None
            assert one.sharding.body_text == '<@mesh, [{"model"}, {"data"}]>'


def test_what_the_program_says_is_kept_or_taken_off() -> None:
    module = training(3)
    module.add_mesh(MESH)
    for one in module.arguments():
        if one.name.endswith("['down']"):
            module.set_sharding(one, (None, "model"))
    kept = search(module, "v5e", keep="program", seconds=1)
    free = search(module, "v5e", mesh=MESH, seconds=1)
    plain = search(training(3), "v5e", mesh=MESH, seconds=1)
    sharded = {one.name: one.sharding for one in kept.module.arguments()}
    assert all(
        str(one.sharding) == str(sharded[one.name]) for one in module.arguments() if one.name.endswith("['down']")
    )
    assert free.tables == plain.tables


@pytest.mark.parametrize(
    ("arguments", "problem", "text"),
    [
        ({"hardware": "h100"}, SearchProblem, "how many devices there are is not said"),
        ({"hardware": "h100x8", "mesh": {"data": 3}}, HardwareProblem, "a mesh data=3 has 3 devices"),
        ({"hardware": "h100x4", "memory": 1000}, SearchProblem, "is below the arguments"),
        ({"hardware": "h100x4", "mesh": "square"}, SearchProblem, 'the mesh is "auto", or has the axes'),
        ({"hardware": "h100x4", "objective": "speed"}, SearchProblem, "an objective is one of expected"),
        ({"hardware": "h100x4", "seconds": 0}, SearchProblem, "takes more than 0 seconds"),
        (
            {"hardware": "h100x4", "mesh": MESH, "keep": {"mesh": {"a": 4}, "shardings": {"x": ["a"]}}},
            ShardingProblem,
            "and the search for",
        ),
        ({"hardware": "h100x4", "keep": {"shardings": {"x": ["a"]}}}, ShardingProblem, "not to be searched for"),
        (
            {"hardware": "h100x4", "keep": {"mesh": {"a": 4}, "shardings": {"nothing": ["a"]}}},
            ShardingProblem,
            "no argument or result of the program is called so",
        ),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(
    arguments: dict[str, object], problem: type[Exception], text: str
) -> None:
    with pytest.raises(problem) as error:
        search(training(1), **arguments)  # type: ignore[arg-type]
    assert text in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("shape", ["2x" * 3000, f"{1 << 62}x"])
def test_tensors_of_more_bytes_than_64_bits_count_are_refused(shape: str) -> None:
    text = f"func.func @main(%a: tensor<{shape}f32>) -> tensor<{shape}f32> {{ return %a : tensor<{shape}f32> }}"
    with pytest.raises(PyshardyError, match="has more bytes than 64 bits can count"):
        search(parse(text), "h100x4")


def test_donated_arguments_lie_as_the_results_that_take_them_over_whatever_they_are_called() -> None:
    square = "tensor<64x64xf32>"
    module = parse(f"""
    func.func @main(%w: {square} {{jax.buffer_donor = true}} loc("w"), %g: {square} loc("g"))
        -> ({square}, tensor<f32>) {{
      %0 = stablehlo.subtract %w, %g : {square}
      %1 = stablehlo.constant dense<0.0> : tensor<f32>
      return %0, %1 : {square}, tensor<f32>
    }}""")
    families = {family.name: family.results for family in Space(short_program(module)).listed}
    assert families["w"] == (0,)
    assert families["g"] == ()


def test_a_program_of_which_nothing_can_be_partitioned_is_one_sentence() -> None:
    with (
        pytest.raises(SearchProblem, match="no strategy that was tried can be partitioned"),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(Evaluator, "score", lambda *given: None)
        search(training(1), "h100", mesh=MESH, seconds=1)


# --- the clock --------------------------------------------------------------------------------------------------------


def test_the_clock_ends_a_search_that_takes_longer_than_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYSHARDY_CLOCK", raising=False)
    monkeypatch.setattr(room, "_SLACK", 1.0)
    monkeypatch.setattr(room, "_SECONDS_AN_EVALUATION", 1e-6)
    monkeypatch.setattr(room, "_SECONDS_AN_OPERATION", 0.0)
    score = score_of

    def on_a_busy_machine(*given: Any) -> Score | None:
        time.sleep(0.1)
        return score(*given)

    monkeypatch.setattr(room, "score_of", on_a_busy_machine)
    module = training(2, rows=2048, width=64, hidden=128)
    # Four million evaluations are its budget, days of them: that it ends at all is the clock's.
    found = search(module, "h100", mesh={"a": 4, "b": 2}, seconds=2)
    assert any("time was up" in one for one in found.notes)
    assert found.evaluations < 1000


def test_meshes_that_are_found_leave_half_of_the_budget_for_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_FEWEST_EVALUATIONS", 100)
    module = training(2, rows=2048, width=64, hidden=128)
    found = search(module, "h100x64", seconds=0.1)
    spent: Counter[object] = Counter()
    for one in found._result.tried:
        spent[one.layouts.mesh] += 4 if one.is_chosen else 1
    assert len(spent) > 3
    assert found.evaluations > 60
    assert spent.most_common(1)[0][1] > 20


# --- an interrupt -----------------------------------------------------------------------------------------------------


def test_an_interrupt_gives_the_best_so_far_without_another_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_plan(*_: object, **__: object) -> None:
        raise AssertionError("the whole program was partitioned")

    def progress(done: int, of: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    monkeypatch.setattr("pyshardy.searching.finals.partition", no_plan)
    found = search(training(3), "v5e", mesh=MESH, seconds=20, progress=progress)
    outcome = found.as_json()
    assert found.evaluations == 7 and not outcome["whole"]
    assert outcome["compute_seconds"] is outcome["memory"] is outcome["exposed_by_axes"] is None
    assert any("interrupted" in note and "few layers" in note for note in found.notes)
    assert "by few of its layers" in found.text
    assert "is known when it is costed as a whole" in found.report()
    # Who asks for more gets it.
    monkeypatch.undo()
    assert found.cost.step_seconds.expected == cost_by_file(training(3), found.text, "v5e")


def test_an_interrupt_among_the_best_keeps_those_that_were_costed(monkeypatch: pytest.MonkeyPatch) -> None:
    plans = 0

    def counted(*given: Any, **more: Any) -> object:
        nonlocal plans
        plans += 1
        if plans == 2:
            raise KeyboardInterrupt
        return plain(*given, **more)

    plain = planning.partition
    monkeypatch.setattr("pyshardy.searching.finals.partition", counted)
    found = search(training(3), "v5e", mesh=MESH, seconds=2)
    assert len(found.tried) == 1 and found.as_json()["whole"]
    assert any("interrupted" in note for note in found.notes) and "few layers" not in " ".join(found.notes)


def test_an_interrupt_before_anything_was_tried_is_one() -> None:
    def progress(done: int, of: int) -> None:
        raise AssertionError("nothing is tried")

    def check() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search_strategy(training(3), target("v5ex4"), seconds=3, progress=progress, check=check)


def test_what_has_no_time_for_the_fewest_evaluations_takes_about_what_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PYSHARDY_CLOCK", raising=False)
    monkeypatch.setattr("pyshardy.searching.search._SECONDS_AN_EVALUATION", 10.0)
    now = 0.0

    def scored(*_: object) -> Score:
        nonlocal now
        now += 1.0
        return Score(now, now, now, 1.0, 1.0)

    monkeypatch.setattr("pyshardy.searching.search.score_of", scored)
    monkeypatch.setattr("pyshardy.searching.search.time.monotonic", lambda: now)
    found = search(training(3), "v5e", mesh=MESH, seconds=5)
    # Of seven seconds at most three fifths of five are for the plans.
    assert 4 < found.evaluations < 8
    assert any(f"time was up after {found.evaluations} evaluations" in note for note in found.notes)
