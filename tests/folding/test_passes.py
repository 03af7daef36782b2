"""Passes on few of many layers that are alike come to what they come to on all of them."""

from __future__ import annotations

import gc
from contextlib import suppress
from unittest.mock import patch

import pytest

from pyshardy import parse, propagate, run_passes
from pyshardy.folding import program as folded_programs
from pyshardy.folding.certifying.histories import LayerHistories
from pyshardy.folding.certifying.likeness import NeedsMoreLayers
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.fold import fold
from pyshardy.folding.folded import Folded
from pyshardy.folding.switch import DECLINED
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation
from pyshardy.rules import registry
from pyshardy.rules.registry import custom_call_rule
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.versions import is_compiled
from tests.folding.fuzz import PIPELINES, by_few, passed, small_programs_too, wrong_of
from tests.folding.programs import (
    SMALL,
    TANH,
    TURNED_BACK,
    WITH_SHARED,
    perceptrons,
    returning,
    squares,
    turned,
    twice,
    with_layer_functions,
)
from tests.folding.switch import without_folding
from tests.propagation.layered_programs import LayeredProgram
from tests.sampling import sampled


def is_folded(text: str, pipeline: str = PIPELINES[1]) -> bool:
    """Whether few layers were enough, after seeing that the outcome is that of all of them."""
    with small_programs_too():
        folded, wrong = by_few(lambda: wrong_of(text, lambda text: passed(text, pipeline)))
    assert wrong is None
    return folded


def reasons(text: str, pipeline: str = PIPELINES[1]) -> set[str]:
    """Why few layers are not enough, or not at once."""
    before = DECLINED.copy()
    assert not is_folded(text, pipeline)
    return {*(DECLINED - before)}


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("seed", sampled(range(10), 5))
def test_random_programs_get_the_same_shardings(seed: int, pipeline: str) -> None:
    is_folded(str(LayeredProgram(seed, 30 + seed % 15)), pipeline)


def test_few_layers_are_often_enough() -> None:
    with small_programs_too():
        found = [by_few(lambda seed=seed: passed(str(LayeredProgram(seed, 40)), PIPELINES[1]))[0] for seed in range(12)]  # type: ignore[misc]
    assert sum(found) > 5
    assert not all(found)


@pytest.mark.parametrize("seed", sampled(range(12), 2))
def test_models_are_propagated_by_few_layers(seed: int) -> None:
    assert is_folded(perceptrons(40, seed), PIPELINES[0])


@pytest.mark.parametrize("level", ["shardings", "reshards", "collectives"])
@pytest.mark.parametrize("strategy", ["reference", "optimal"])
def test_reshards_and_collectives_are_inserted_in_few_layers(level: str, strategy: str) -> None:
    def propagated(text: str) -> object:
        return {"text": propagate(parse(text), level=level, reshard_strategy=strategy).text(debug_info=True)}

    folded, wrong = by_few(lambda: wrong_of(perceptrons(60, 2), propagated))
    assert folded and wrong is None


def test_the_module_stays_the_same_object() -> None:
    module = parse(perceptrons(60))
    op, context = module.op, module.context
    assert by_few(lambda: run_passes(module, PIPELINES[0]))[0]
    assert module.op is op and module.context is context
    assert run_passes(module, "sdy-propagation-pipeline") is module


def test_what_is_given_goes_forward_by_few_layers() -> None:
    assert is_folded(squares(40, TANH, given='{"x"}, {?}', result="{?}, {?}"))


def test_what_is_asked_for_goes_back_through_few_layers_like_a_sweep() -> None:
    assert is_folded(squares(40, TANH, given="{?}, {?}", result='{"x"}, {?}'))
    asked = f'%y41 = sdy.sharding_constraint %y40 <@mesh, [{{"x"}}, {{?}}]> : {SMALL}'
    text = squares(40, TANH, tail=asked, given="{?}, {?}", result="{?}, {?}").replace("return %y40", "return %y41")
    assert is_folded(text, "sdy-apply-sharding-constraints,sdy-basic-propagate")


def test_sweeps_that_turn_are_followed_through_all_layers() -> None:
    assert not is_folded(squares(40, TURNED_BACK, given="{?}, {?}", result='{"x"}, {?}'))


def test_sweeps_may_follow_each_other_through_all_layers() -> None:
    assert is_folded(twice(40, TANH))


def test_a_sweep_that_turns_may_follow_no_other() -> None:
    assert reasons(twice(40, TURNED_BACK)) == {"a sweep of changes does not do the same in one layer after the other"}


@pytest.mark.parametrize("layer", [TANH, TURNED_BACK])
def test_a_sweep_that_changes_layers_in_turns_gives_no_certificate(layer: str) -> None:
    """Layers turn what they get, so that a sweep writes rows in one and columns in the next."""
    module = parse(squares(40, layer, given="{?}, {?}", result='{"x"}, {?}'))
    with small_programs_too():
        layers = folded_programs.layers_of(module.op)
    assert layers is not None
    folded = fold(module.op, layers, layers.first + 4, layers.end - 4)
    assert folded is not None
    histories = LayerHistories(folded)
    work = module.with_op(folded.module, module.context.fork(continues=True))
    work.context.propagation_observers = (histories,)
    with suppress(PyshardyError), without_folding():
        run_passes(work, "sdy-basic-propagate")
    assert histories.runs == 1
    assert histories.is_certain == (layer is TANH)


def test_what_all_layers_read_may_be_changed_by_the_first() -> None:
    assert is_folded(squares(40, WITH_SHARED, given='{"x"}, {?}', result="{?}, {?}"))


def test_every_other_layer_may_be_sharded_otherwise() -> None:
    assert not is_folded(turned(60))


def test_one_layer_may_be_sharded_otherwise() -> None:
    for odd in (3, 30, 57):
        is_folded(perceptrons(60, 3, odd=odd), PIPELINES[0])


def test_dead_operations_go_in_all_layers() -> None:
    dead = TANH + f"\n    %d{{n}} = stablehlo.add %y{{n}}, %y{{n}} : {SMALL}"
    assert is_folded(squares(40, dead, given='{"x"}, {?}', result="{?}, {?}"))


def test_dead_operations_with_priorities_go_in_all_layers() -> None:
    dead = TANH + f'\n %d{{n}} = sdy.sharding_constraint %y{{n}} <@mesh, [{{{{"y"}}}}p1, {{{{?}}}}]> : {SMALL}'
    assert is_folded(squares(40, dead, given='{"x"}, {?}', result="{?}, {?}"), "sdy-user-priority-propagate")


def test_what_is_dead_through_all_layers_goes_like_a_sweep() -> None:
    dead = TANH + f"\n    %d{{next}} = stablehlo.add %d{{n}}, %y{{n}} : {SMALL}"
    is_folded(squares(40, dead, given='{"x"}, {?}', result="{?}, {?}", head=f"%d0 = stablehlo.tanh %s : {SMALL}"))


# The last layer alone still reads what the others, which are dead, have read.
@pytest.mark.parametrize("seed", [10392])
def test_how_often_a_value_is_read_matters(seed: int) -> None:
    is_folded(str(LayeredProgram(seed, 42)), PIPELINES[0])


def test_a_run_that_does_not_say_it_leaves_no_trace() -> None:
    dead = f"%d{{n}} = stablehlo.add %y{{n}}, %s : {SMALL}{TURNED_BACK}"
    assert not is_folded(squares(40, dead, given="{?}, {?}", result='{"x"}, {?}'))


def test_calls_concern_all_layers_while_they_are_calls() -> None:
    called = f"%y{{next}} = func.call @f(%y{{n}}) : ({SMALL}) -> {SMALL}"
    text = squares(40, called, given='{"x"}, {?}', result="{?}, {?}")
    text += f"func.func private @f(%a: {SMALL}) -> {SMALL} {{ return %a : {SMALL} }}"
    assert not is_folded(text)


@pytest.mark.parametrize("pipeline", [PIPELINES[0], PIPELINES[4]])
def test_layers_may_call_functions_of_their_own(pipeline: str) -> None:
    assert is_folded(with_layer_functions(40), pipeline)


def test_groups_concern_all_layers() -> None:
    grouped = TANH + f"\n    sdy.sharding_group %y{{n}} group_id=0 : {SMALL}"
    assert reasons(squares(40, grouped, given='{"x"}, {?}', result="{?}, {?}")) == {"there are sharding groups"}


def test_what_layers_return_may_differ() -> None:
    assert is_folded(returning(60))
    for odd in (2, 20, 30, 58):
        is_folded(returning(60, odd=odd))
        assert not is_folded(returning(60, times=2, odd=odd))


def test_what_is_said_is_said_once() -> None:
    refused = squares(40, TANH, head="%t = stablehlo.custom_call @a() : () -> tensor<?xf32>")
    assert not is_folded(refused)
    said = str(passed(refused, PIPELINES[1]))
    assert "static shape" in said and said.count("error:") == 1


def test_advice_is_given_for_each_layer() -> None:
    unknown = f"%y{{next}} = stablehlo.custom_call @unknown(%y{{n}}) : ({SMALL}) -> {SMALL}"
    text = squares(40, unknown, given='{"x"}, {?}', result="{?}, {?}")

    def said() -> list[str]:
        module = parse(text)
        module.context.remarks = True
        run_passes(module, PIPELINES[1])
        return [one.message for one in module.context.diagnostics]

    with small_programs_too():
        folded = said()
    with without_folding():
        assert said() == folded != []


def test_rules_of_others_that_fail_are_reported_once() -> None:
    def failing(op: Operation, conservative: bool) -> OpShardingRule | None:
        raise ValueError("no such rule")

    unknown = f"%y{{next}} = stablehlo.custom_call @failing(%y{{n}}) : ({SMALL}) -> {SMALL}"
    text = squares(40, unknown, given='{"x"}, {?}', result="{?}, {?}")
    custom_call_rule("failing")(failing)
    try:
        assert not is_folded(text)
        assert str(passed(text, PIPELINES[1])).count("no such rule") == 1
    finally:
        del registry._entries["stablehlo.custom_call @failing"]


def test_passes_of_others_see_the_whole_program() -> None:
    assert not is_folded(perceptrons(60), "sdy-propagation-pipeline{debug-sharding-origins=true}")
    module = parse(perceptrons(60))
    run_passes(module, "sdy-propagation-pipeline,sdy-partitioner")
    with without_folding():
        assert str(module) == str(run_passes(parse(perceptrons(60)), "sdy-propagation-pipeline,sdy-partitioner"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(perceptrons(10), id="too few layers"),
        pytest.param(perceptrons(16, odd=8), id="no run of layers that are alike is long enough"),
    ],
)
def test_some_programs_have_too_few_layers(text: str) -> None:
    assert any(reason.startswith("too few can be left out") for reason in reasons(text, PIPELINES[0]))


def test_folding_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSHARDY_FOLDING", "off")
    assert folded_programs.layers_of(parse(perceptrons(60)).op) is None
    assert not is_folded(perceptrons(60), PIPELINES[0])


def test_no_garbage_is_looked_for_while_a_program_is_folded_and_unfolded() -> None:
    module, looks = parse(perceptrons(60)), [0]

    def count(phase: str, _: dict[str, int]) -> None:
        looks[0] += phase == "start"

    gc.callbacks.append(count)
    try:
        assert by_few(lambda: run_passes(module, PIPELINES[0]))[0]
    finally:
        gc.callbacks.remove(count)
    assert looks[0] < 5


@pytest.mark.skipif(is_compiled(), reason="classes of compiled modules cannot be replaced")
def test_more_layers_are_kept_where_one_near_the_end_of_a_model_differs() -> None:
    kept = []

    class First(Splice):
        def __init__(self, folded: Folded) -> None:
            kept.append(folded.beside)
            super().__init__(folded)
            if len(kept) == 1:
                raise NeedsMoreLayers(folded)

    with patch.object(folded_programs, "Splice", First), small_programs_too():
        folded, _ = by_few(lambda: run_passes(parse(perceptrons(60)), PIPELINES[0]))
    assert folded
    assert kept[1] > kept[0]
