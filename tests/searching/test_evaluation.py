"""Strategies on a short program cost what they cost on the whole one."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any

import pytest

from pyshardy import Module, parse, partition
from pyshardy.analysis.cost.hardware_files import hardware
from pyshardy.ir import shortcuts
from pyshardy.module import HardwareName
from pyshardy.partitioning.candidate_plans import run_partitioner
from pyshardy.reading.sharding_files.applying import apply_shardings
from pyshardy.reading.sharding_files.shardable_tensors import ShardableTensors
from pyshardy.reading.sharding_files.strategies import load_shardings
from pyshardy.searching.evaluation import Evaluator
from pyshardy.searching.known_strategies import known_strategies
from pyshardy.searching.layouts import BoundarySpecs, InnerSharding
from pyshardy.searching.plan_choice import PlanChoice
from pyshardy.searching.scoring import Score
from pyshardy.searching.sharding_lines import Writer
from pyshardy.searching.short_program import short_program, whole_program
from pyshardy.searching.space import Layouts, Space
from pyshardy.sharding.mesh import Mesh
from tests.folding.programs import keeping_copies
from tests.searching.programs import chain, training

MESH = Mesh({"data": 2, "model": 2})


def whole_cost(
    module: Module, space: Space, layouts: Layouts, chip: str, *, by_seconds: bool = False
) -> tuple[float, float, float, float]:
    """Both bounds, the peak and the bytes that a device receives, of the whole program under a sharding file."""
    copy = module.copy()
    named = HardwareName(chip) if by_seconds else None
    apply_shardings(copy, load_shardings(Writer(space, hardware=named).tables(layouts)))
    cost = partition(copy).cost(chip)
    bounds = cost.step_seconds
    received = sum(one.run_bytes for one in cost.collectives)
    return bounds.no_overlap, bounds.full_overlap, cost.peak_bytes, received


@pytest.mark.parametrize("chip", ["h100", "v5e"])
def test_few_layers_cost_what_all_layers_do(chip: str) -> None:
    module = training(36)
    short, whole = short_program(module), whole_program(module)
    assert 5 * len(short.times) < len(whole.times)
    space = Space(short)
    few, all_of_them = (Evaluator(one, hardware(chip)) for one in (short, whole))
    for strategy in known_strategies(space, MESH):
        boundary = space.boundary(space.layouts(strategy))
        found, wanted = few.score(MESH, boundary), all_of_them.score(MESH, boundary)
        assert found is not None
        assert wanted is not None
        assert found.full_overlap <= found.expected <= found.no_overlap
        assert found.received == wanted.received
        assert found.no_overlap == pytest.approx(wanted.no_overlap, rel=0.02)
        # At the ends of a few layers more overlaps than in between.
        assert found.expected == pytest.approx(wanted.expected, rel=0.2)
        # Few layers run as they stand, all of them depth first, where gradients of weights wait for their sums.
        assert found.peak == pytest.approx(wanted.peak, rel=0.35)


def test_copies_that_a_layer_keeps_count_for_all_layers() -> None:
    # So many that all of them run as they stand, too.
    module = parse(keeping_copies(450))
    short, whole = short_program(module), whole_program(module)
    assert 5 * len(short.times) < len(whole.times)
    space = Space(short)
    boundary = space.boundary(space.layouts(next(iter(known_strategies(space, MESH)))))
    found, wanted = (Evaluator(one, hardware("h100")).score(MESH, boundary) for one in (short, whole))
    assert found is not None
    assert wanted is not None
    assert found.peak == pytest.approx(wanted.peak, rel=0.02)


def test_the_first_candidate_plan_costs_what_the_command_says_where_it_is_taken() -> None:
    module = training(3)
    space = Space(short_program(module))
    layouts = space.layouts(next(one for one, name in known_strategies(space, MESH).items() if name == "data parallel"))
    score = Evaluator(space.short, hardware("v5e")).score(MESH, space.boundary(layouts))
    assert score is not None
    found = score.no_overlap, score.full_overlap, score.peak, score.received
    assert found == pytest.approx(whole_cost(module, space, layouts, "v5e"))


def test_layers_that_are_not_counted_are_missed() -> None:
    right = short_program(training(36))
    wrong = replace(right, times=(1,) * len(right.times))
    scores = []
    for short in (right, wrong):
        space = Space(short)
        layouts = space.layouts(next(iter(known_strategies(space, MESH))))
        scores.append(Evaluator(short, hardware("h100")).score(MESH, space.boundary(layouts)))
    assert scores[0] is not None
    assert scores[1] is not None
    assert scores[1].no_overlap < 0.5 * scores[0].no_overlap


@pytest.mark.parametrize("by_seconds", [True, False])
def test_the_plan_that_is_chosen_costs_what_the_command_says(by_seconds: bool) -> None:
    module = training(3)
    space = Space(short_program(module))
    evaluator, choice = Evaluator(space.short, hardware("v5e")), PlanChoice(by_seconds, inf)
    others = 0
    for strategy in known_strategies(space, MESH):
        layouts = space.layouts(strategy)
        first = evaluator.score(MESH, space.boundary(layouts))
        score = evaluator.score(MESH, space.boundary(layouts), choice=choice)
        assert score is not None
        found = score.no_overlap, score.full_overlap, score.peak, score.received
        assert found == pytest.approx(whole_cost(module, space, layouts, "v5e", by_seconds=by_seconds))
        others += first != score
    assert others


def test_where_the_fastest_plan_does_not_fit_the_one_of_fewest_bytes_may() -> None:
    space = Space(short_program(training(3)))
    evaluator = Evaluator(space.short, hardware("v5e"))
    smaller = 0
    for strategy in known_strategies(space, MESH):
        boundary = space.boundary(space.layouts(strategy))
        fastest, least = (evaluator.score(MESH, boundary, choice=PlanChoice(True, limit)) for limit in (inf, 0))
        by_bytes = evaluator.score(MESH, boundary, choice=PlanChoice(False, inf))
        assert fastest is not None
        assert by_bytes is not None
        assert least == min(fastest, by_bytes, key=lambda one: one.peak)
        smaller += least != fastest
    assert smaller


def test_an_evaluator_forgets_what_came_before() -> None:
    short = short_program(training(3))
    space, chip = Space(short), hardware("v5e")
    known = [space.layouts(one) for one in known_strategies(space, MESH)]
    asked = [(one, choice) for one in known for choice in (None, PlanChoice(True, inf), PlanChoice(False, inf))]
    used = Evaluator(short, chip)
    first = [used.score(MESH, space.boundary(one), choice=choice) for one, choice in asked]
    again = [used.score(MESH, space.boundary(one), choice=choice) for one, choice in reversed(asked)][::-1]
    fresh = [Evaluator(short, chip).score(MESH, space.boundary(one), choice=choice) for one, choice in asked]
    assert first == again == fresh


def test_what_propagation_leaves_alike_is_partitioned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []

    def counting(*given: Any) -> Any:
        calls.append(given)
        return run_partitioner(*given)

    monkeypatch.setattr("pyshardy.searching.evaluation.run_partitioner", counting)
    module = training(36)
    space = Space(short_program(module))
    known = {name: space.layouts(one) for one, name in known_strategies(space, MESH).items()}
    evaluator = Evaluator(space.short, hardware("v5e"))

    def scored(layouts: Layouts, inner: Sequence[InnerSharding] = ()) -> Score | None:
        return evaluator.score(MESH, space.boundary(layouts), inner)

    product = next(number for number, name in enumerate(space.short.names) if name == "stablehlo.dot_general")
    group, score = space.short.groups[product], scored(known["data parallel"])
    as_it_is = InnerSharding(group, 0, (("data", "model"), ()))
    assert scored(known["data parallel"]) == score
    assert scored(known["data parallel"], [as_it_is]) == score
    assert len(calls) == 1
    assert scored(known["data parallel"], [InnerSharding(group, 0, ((), ()))]) != score
    assert scored(known["FSDP"]) != score
    assert len(calls) == 3
    # Of layers that are left out nothing is seen in the program.
    family = next(one for one in space.listed if one.name == "params/layers/*/up")
    left_out = next(one for one in family.arguments if one in space.short.left_out_arguments)
    arguments, results = space.boundary(known["data parallel"])
    elsewhere = BoundarySpecs({**arguments, left_out: (("data",), ())}, results)
    assert evaluator.score(MESH, elsewhere) != score
    assert len(calls) == 4
    with shortcuts.without_shortcuts():
        assert scored(known["data parallel"]) == score
    assert len(calls) == 5


def test_a_constraint_inside_holds_in_every_layer() -> None:
    module = training(36)
    short, whole = short_program(module), whole_program(module)
    space = Space(short)
    layouts = space.layouts(next(iter(known_strategies(space, MESH))))
    number = next(
        number for number, name in enumerate(short.names) if name == "stablehlo.dot_general" and short.times[number] > 1
    )
    inner = InnerSharding(short.groups[number], 0, (("data",), ("model",)))
    assert len(short.source_members[inner.group]) == 36
    (pattern,) = [one for one in Writer(space).lines(layouts._replace(inner=(inner,))) if one != "**"]
    assert [one.slot for one in ShardableTensors(module).find(pattern)] == [
        op.results[0] for op in short.source_members[inner.group]
    ]
    few = Evaluator(short, hardware("v5e")).score(MESH, space.boundary(layouts), [inner])
    everywhere = [
        InnerSharding(whole.groups[place], 0, inner.spec)
        for place, op in enumerate(module.op.operations())
        if op in short.source_members[inner.group]
    ]
    all_of_them = Evaluator(whole, hardware("v5e")).score(MESH, space.boundary(layouts), everywhere)
    assert few is not None
    assert all_of_them is not None
    assert few.received == all_of_them.received > 0
    assert few.no_overlap == pytest.approx(all_of_them.no_overlap, rel=0.02)


def test_what_cannot_be_partitioned_has_no_score() -> None:
    short = short_program(chain())
    space = Space(short)
    layouts = space.layouts(next(iter(known_strategies(space, MESH))))
    wrong = layouts._replace(specs=tuple((("data", "data"),) * len(spec) for spec in layouts.specs))
    assert Evaluator(short, hardware("h100")).score(MESH, space.boundary(wrong)) is None


SPLIT = """
func.func @main(%x: tensor<4096x512xf32>, %w: tensor<512x512xf32>) -> tensor<2x2048x512xf32> {
  %0 = stablehlo.reshape %x : (tensor<4096x512xf32>) -> tensor<2x2048x512xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0]
    : (tensor<2x2048x512xf32>, tensor<512x512xf32>) -> tensor<2x2048x512xf32>
  return %1 : tensor<2x2048x512xf32>
}"""
"""How far an axis goes through the reshape depends on its size."""


def test_what_evaluations_share_changes_no_digit() -> None:
    training_steps = short_program(training(3))
    space = Space(training_steps)
    split = BoundarySpecs({0: (("data",), ()), 1: ((), ())}, {0: ((), (), ())})
    chip = hardware("v5e")
    shared = Evaluator(training_steps, chip), Evaluator(short_program(parse(SPLIT)), chip)
    for sizes in ((2, 2), (4, 2), (8, 4)):
        mesh = Mesh(dict(zip(("data", "model"), sizes, strict=True)))
        boundaries = [space.boundary(space.layouts(one)) for one in list(known_strategies(space, mesh))[:6]]
        for evaluator, boundary in [(shared[1], split), *((shared[0], one) for one in boundaries)]:
            found = evaluator.score(mesh, boundary)
            assert found is not None
            with shortcuts.without_shortcuts():
                assert found == Evaluator(evaluator._short, chip).score(mesh, boundary)


class Given(BaseException):
    """What a check raises."""


def test_an_evaluation_that_is_ended_anywhere_leaves_nothing_behind() -> None:
    short = short_program(training(3))
    space = Space(short)
    layouts = [space.layouts(one) for one in list(known_strategies(space, MESH))[:3]]
    wanted = [Evaluator(short, hardware("v5e")).score(MESH, space.boundary(one)) for one in layouts]
    evaluator = Evaluator(short, hardware("v5e"))
    left = 0

    def check() -> None:
        nonlocal left
        left -= 1
        if not left:
            raise Given

    ended = 0
    for calls in (1, 2, 9, 30, 60, 90):
        for one, score in zip(layouts, wanted, strict=True):
            left = calls
            evaluator._scores.clear()
            try:
                assert evaluator.score(MESH, space.boundary(one), check=check) == score
            except Given:
                ended += 1
            assert evaluator.score(MESH, space.boundary(one)) == score
    # Passes and operations are looked at.
    assert ended >= 12
