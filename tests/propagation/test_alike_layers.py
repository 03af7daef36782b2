"""Propagation by few of many layers that are alike comes to what propagation by all of them comes to, or is not tried
out to the end."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from pyshardy import parse, run_passes
from pyshardy.dialects.main_function import find_main_function
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation
from pyshardy.propagation import alike_layers
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.gap import Gap
from pyshardy.propagation.repetition import Repetition
from pyshardy.propagation.watched_propagation import WatchedPropagation
from pyshardy.rules import registry
from pyshardy.rules.registry import custom_call_rule
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.versions import is_compiled
from tests.partitioning.test_fewer_layers import perceptrons, turned
from tests.propagation.fuzz import PIPELINES, Ways
from tests.propagation.layered_programs import LayeredProgram

SQUARE = "tensor<8x8xf32>"


def layers(
    count: int, layer: str, *, head: str = "", tail: str = "", given: str = "{}, {}", result: str = "{}, {}"
) -> str:
    """A program of so many copies of ``layer``, in which ``{n}`` and ``{next}`` are the number of the layer and of the
    next one; ``%y0`` is what the first reads, and what the last makes is returned."""
    body = "\n".join(layer.format(n=n, next=n + 1) for n in range(count))
    return f"""
        sdy.mesh @mesh = <["x"=2, "y"=2]>
        func.func @main(%y0: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{given}]>}}, %s: {SQUARE})
            -> ({SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{result}]>}}) {{
          {head}
          {body}
          {tail}
          return %y{count} : {SQUARE}
        }}
    """


TANH = f"%y{{next}} = stablehlo.tanh %y{{n}} : {SQUARE}"
WITH_SHARED = f"""
    %a{{n}} = stablehlo.add %y{{n}}, %s : {SQUARE}
    %y{{next}} = stablehlo.multiply %a{{n}}, %a{{n}} : {SQUARE}
"""


def by_few(text: str, pipeline: str = PIPELINES[1]) -> bool:
    """Whether few layers were enough, after seeing that the outcome is that of all of them."""
    ways = Ways()
    assert not ways.differ(text, pipeline)
    return ways.taken[True] > 0


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("seed", range(12))
def test_random_programs_get_the_same_shardings(seed: int, pipeline: str) -> None:
    assert not Ways().differ(str(LayeredProgram(seed, 30 + seed % 15)), pipeline)


def test_few_layers_are_often_enough() -> None:
    ways = Ways()
    for seed in range(40):
        ways.outcome(str(LayeredProgram(seed, 40)), PIPELINES[1], all_layers=False)
    assert ways.taken[True] > 10
    assert ways.taken[False] > 5


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
def test_histories_are_what_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WatchedPropagation, "are_layers_alike", lambda *_: True)
    assert Ways().differ(turned(60), PIPELINES[1])
    assert Ways().differ(str(LayeredProgram(1, 40)), PIPELINES[1])


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
def test_how_far_visits_look_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WatchedPropagation, "_farthest_look", lambda *_: 0)
    monkeypatch.setattr(WatchedPropagation, "_look", lambda *_: 0)
    monkeypatch.setattr(alike_layers, "distance_read", lambda _: 0)
    assert Ways().differ(str(LayeredProgram(1, 31)), PIPELINES[1])


@pytest.mark.skipif(is_compiled(), reason="functions of compiled modules cannot be replaced")
@pytest.mark.parametrize(("seed", "distance"), [(57, 3), (4, 4), (31, 6)])
def test_more_layers_are_left_where_visits_look_farther(
    seed: int, distance: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[tuple[int, bool]] = []
    propagated = alike_layers._propagated_around

    def noted(gap: Gap, *given: Any) -> Any:
        run = propagated(gap, *given)
        assert run is not None
        tried.append((run.distance, run.is_known))
        return run

    monkeypatch.setattr(alike_layers, "_propagated_around", noted)
    assert by_few(str(LayeredProgram(seed, 30 + seed % 15)))
    assert tried == [(distance, False), (distance, True)]


@pytest.mark.parametrize("seed", range(12))
def test_models_are_propagated_by_few_layers(seed: int) -> None:
    assert by_few(perceptrons(40, seed), PIPELINES[0])


def test_what_is_given_goes_forward_by_few_layers() -> None:
    assert by_few(layers(40, TANH, given='{"x"}, {?}', result="{?}, {?}"))


def test_what_is_asked_for_goes_back_through_few_layers_like_a_wave() -> None:
    assert by_few(layers(40, TANH, given="{?}, {?}", result='{"x"}, {?}'))
    asked = f'%y41 = sdy.sharding_constraint %y40 <@mesh, [{{"x"}}, {{?}}]> : {SQUARE}'
    text = layers(40, TANH, tail=asked, given="{?}, {?}", result="{?}, {?}").replace("return %y40", "return %y41")
    assert by_few(text, "sdy-apply-sharding-constraints,sdy-basic-propagate")


TURNED_BACK = f"""
    %t{{n}} = stablehlo.transpose %y{{n}}, dims = [1, 0] : ({SQUARE}) -> {SQUARE}
    %y{{next}} = stablehlo.reverse %t{{n}}, dims = [0] : {SQUARE}
"""


def test_waves_that_turn_are_followed_through_all_layers() -> None:
    assert not by_few(layers(40, TURNED_BACK, given="{?}, {?}", result='{"x"}, {?}'))


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
def test_waves_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WatchedPropagation, "_seen_by_wave", lambda *_: (1, 1))
    assert Ways().differ(layers(40, TURNED_BACK, given="{?}, {?}", result='{"x"}, {?}'), PIPELINES[1])


def test_what_all_layers_read_may_be_changed_by_the_first() -> None:
    assert by_few(layers(40, WITH_SHARED, given='{"x"}, {?}', result="{?}, {?}"))


def test_every_other_layer_may_be_sharded_otherwise() -> None:
    assert not by_few(turned(60))


def test_one_layer_may_be_sharded_otherwise() -> None:
    for odd in (3, 30, 57):
        text = perceptrons(60, 3, odd=odd)
        assert not Ways().differ(text, PIPELINES[0])


def test_dead_operations_go_in_all_layers() -> None:
    dead = TANH + f"\n    %d{{n}} = stablehlo.add %y{{n}}, %y{{n}} : {SQUARE}"
    assert by_few(layers(40, dead, given='{"x"}, {?}', result="{?}, {?}"))


def test_dead_operations_with_priorities_go_in_all_layers() -> None:
    dead = TANH + f'\n %d{{n}} = sdy.sharding_constraint %y{{n}} <@mesh, [{{{{"y"}}}}p1, {{{{?}}}}]> : {SQUARE}'
    assert by_few(layers(40, dead, given='{"x"}, {?}', result="{?}, {?}"), "sdy-user-priority-propagate")


def test_what_is_dead_through_all_layers_goes_like_a_wave() -> None:
    dead = TANH + f"\n    %d{{next}} = stablehlo.add %d{{n}}, %y{{n}} : {SQUARE}"
    text = layers(40, dead, given='{"x"}, {?}', result="{?}, {?}", head=f"%d0 = stablehlo.tanh %s : {SQUARE}")
    assert by_few(text)


def test_how_often_a_value_is_read_is_counted_without_layers_that_are_left_out() -> None:
    # The last layer alone still reads what the others, which are dead, have read.
    assert not Ways().differ(str(LayeredProgram(10392, 42)), PIPELINES[0])


def test_dead_operations_stay_when_a_run_is_dropped() -> None:
    dead = f"%d{{n}} = stablehlo.add %y{{n}}, %s : {SQUARE}{TURNED_BACK}"
    assert not by_few(layers(40, dead, given="{?}, {?}", result='{"x"}, {?}'))


def test_calls_concern_all_layers() -> None:
    called = f"%y{{next}} = func.call @f(%y{{n}}) : ({SQUARE}) -> {SQUARE}"
    text = layers(40, called, given='{"x"}, {?}', result="{?}, {?}")
    text += f"func.func private @f(%a: {SQUARE}) -> {SQUARE} {{ return %a : {SQUARE} }}"
    assert not by_few(text)


def test_groups_concern_all_layers() -> None:
    grouped = TANH + f"\n    sdy.sharding_group %y{{n}} group_id=0 : {SQUARE}"
    assert not by_few(layers(40, grouped, given='{"x"}, {?}', result="{?}, {?}"))


def test_what_is_said_is_said_once() -> None:
    refused = layers(40, TANH, head="%t = stablehlo.custom_call @a() : () -> tensor<?xf32>")
    ways = Ways()
    found = [ways.outcome(refused, PIPELINES[1], all_layers=way) for way in (False, True)]
    assert found[0] == found[1]
    assert "static shape" in str(found[0])
    assert str(found[0]).count("error:") == 1


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
def test_few_layers_are_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    finish = Propagation.finish

    def counting(self: Propagation, *, keep_sharding_rules: bool) -> None:
        counts.append(len(self.survey.operations))
        finish(self, keep_sharding_rules=keep_sharding_rules)

    monkeypatch.setattr(Propagation, "finish", counting)
    module = run_passes(parse(perceptrons(120)), PIPELINES[1])
    assert len(counts) == 1
    assert counts[0] < len(list(module.op.walk())) / 5


def test_the_program_is_put_together_again_when_a_run_is_dropped() -> None:
    module = parse(perceptrons(40))
    before = str(module)
    main = find_main_function(module.op)
    assert main is not None
    rewiring = Gap(Repetition(main), 1, 5).rewiring()
    assert rewiring is not None
    rewiring.exchange()
    joined = str(module)
    rewiring.exchange()
    assert str(module) == before != joined


def returning(count: int, *, times: int = 1, odd: int | None = None) -> str:
    """Layers with a weight each, that return what they make of it so many times; the results are sharded by turns, the
    last of layer ``odd`` otherwise."""
    body, arguments, results, values = [], [f"%y0: {SQUARE}"], [], []
    for n in range(count):
        arguments.append(f"%w{n}: {SQUARE}")
        body.append(f"%t{n} = stablehlo.tanh %w{n} : {SQUARE}")
        body.append(f"%y{n + 1} = stablehlo.add %y{n}, %t{n} : {SQUARE}")
        for time in range(times):
            dims = "{}, {?}" if time else '{}, {"y"}' if n == odd else '{}, {"x"}'
            results.append(f"{SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{dims}]>}}")
            values.append(f"%t{n}")
    values, results = [*values, f"%y{count}"], [*results, SQUARE]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=2]>',
            f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{",
            *body,
            f"return {', '.join(values)} : {', '.join([SQUARE] * len(values))}",
            "}",
        ]
    )


def test_what_layers_return_may_differ() -> None:
    assert by_few(returning(60))
    for odd in (2, 20, 30, 58):
        assert not Ways().differ(returning(60, odd=odd), PIPELINES[1])
        assert not by_few(returning(60, times=2, odd=odd))


def repetition_of(text: str) -> Repetition:
    main = find_main_function(parse(text).op)
    assert main is not None
    return Repetition(main)


SUM = f"%a{{n}} = stablehlo.add %y{{n}}, %y{{n}} : {SQUARE}\n    {TANH.replace('%y{n}', '%a{n}')}"


def test_a_layer_that_reads_something_else_in_the_same_place_is_unlike() -> None:
    text = layers(20, SUM).replace("%y0: tensor", "%x: tensor")
    assert (repetition_of(layers(20, SUM)).first, repetition_of(layers(20, SUM)).end) == (1, 19)
    text = text.replace("%a0 = stablehlo", f"%y0 = stablehlo.negate %x : {SQUARE}\n    %a0 = stablehlo")
    assert repetition_of(text).first == 1


def test_a_layer_that_is_read_by_something_else_in_the_same_place_is_unlike() -> None:
    text = layers(20, SUM, tail=f"%z = stablehlo.subtract %y20, %y20 : {SQUARE}").replace("return %y20", "return %z")
    assert repetition_of(text).end == 19


def test_a_layer_that_others_read_is_unlike() -> None:
    tail = f"%z = stablehlo.subtract %y20, %a8 : {SQUARE}"
    found = repetition_of(layers(20, SUM, tail=tail).replace("return %y20", "return %z"))
    assert (found.first, found.end) == (9, 19)


def test_a_layer_that_is_read_in_another_order_is_unlike() -> None:
    module = parse(layers(20, WITH_SHARED + f"\n    %d{{n}} = stablehlo.subtract %a{{n}}, %y{{n}} : {SQUARE}"))
    main = find_main_function(module.op)
    assert main is not None
    assert Repetition(main).end - Repetition(main).first > 17
    (value,) = [op for op in main.body if op.name == "stablehlo.add"][9].results
    rewriting.order_uses(value, list(value._uses)[::-1])
    found = Repetition(main)
    assert (found.first, found.end) == (10, 19)


def test_advice_is_given_for_each_layer() -> None:
    unknown = f"%y{{next}} = stablehlo.custom_call @unknown(%y{{n}}) : ({SQUARE}) -> {SQUARE}"
    text = layers(40, unknown, given='{"x"}, {?}', result="{?}, {?}")

    def said(fewest: int) -> list[str]:
        with patch.object(alike_layers, "_FEWEST_OPERATIONS", fewest):
            module = parse(text)
            module.context.remarks = True
            run_passes(module, PIPELINES[1])
            return [one.message for one in module.context.diagnostics]

    assert said(0) == said(10**6) != []


def test_rules_of_others_that_fail_are_reported_once() -> None:
    def failing(op: Operation, conservative: bool) -> OpShardingRule | None:
        raise ValueError("no such rule")

    unknown = f"%y{{next}} = stablehlo.custom_call @failing(%y{{n}}) : ({SQUARE}) -> {SQUARE}"
    text = layers(40, unknown, given='{"x"}, {?}', result="{?}, {?}")
    custom_call_rule("failing")(failing)
    try:
        ways = Ways()
        said = [ways.outcome(text, PIPELINES[1], all_layers=way) for way in (False, True)]
    finally:
        del registry._entries["stablehlo.custom_call @failing"]
    assert said[0] == said[1]
    assert str(said[0]).count("no such rule") == 1
