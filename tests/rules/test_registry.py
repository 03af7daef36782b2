"""Which rule an operation gets: the one it carries, the registered one, or none, with one warning."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import pyshardy
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.rules import registry
from pyshardy.rules.builder import RuleBuilder
from pyshardy.rules.registry import RuleTable, custom_call_rule, rule_for, sharding_rule
from pyshardy.sharding.rule import SHARDING_RULE, OpShardingRule
from tests.rules.programs import operations, rule_text, rule_texts


@pytest.fixture
def _own_rules() -> Iterator[None]:
    before = dict(registry._entries)
    yield
    registry._entries.clear()
    registry._entries.update(before)


def test_a_rule_that_the_operation_carries_wins() -> None:
    carried = "<([i])->([j]) {i=5, j=7}>"
    line = f"%0 = stablehlo.abs %a {{sdy.sharding_rule = #sdy.op_sharding_rule{carried}}} : tensor<4xf32>"
    assert rule_text("%a: tensor<4xf32>", line) == carried
    assert rule_text("%a: tensor<4xf32>", line, conservative=True) == carried


def test_an_attached_rule_stands_on_the_operation() -> None:
    (op,) = operations("%a: tensor<4xf32>", "%0 = stablehlo.abs %a : tensor<4xf32>")
    rule = RuleTable().attach(op)
    assert op.attributes.get(SHARDING_RULE) is rule
    assert str(rule) == "#sdy.op_sharding_rule<([i])->([i]) {i=4}>"


def test_looking_a_rule_up_does_not_attach_it() -> None:
    (op,) = operations("%a: tensor<4xf32>", "%0 = stablehlo.abs %a : tensor<4xf32>")
    assert rule_for(op) is not None
    assert SHARDING_RULE not in op.attributes


def test_equal_operations_are_looked_at_once(_own_rules: None) -> None:
    looked_at: list[Operation] = []

    @sharding_rule("stablehlo.abs")
    def _rule(op: Operation, conservative: bool) -> OpShardingRule:
        looked_at.append(op)
        return RuleBuilder(op).build()

    lines = [f"%{n} = stablehlo.abs %a : tensor<4xf32>" for n in range(3)]
    assert rule_texts("%a: tensor<4xf32>", *lines) == ["<([i])->([j]) {i=1, j=1}>"] * 3
    assert len(looked_at) == 1


def test_users_can_register_rules_for_their_operations_and_custom_calls(_own_rules: None) -> None:
    @sharding_rule("mine.op")
    @custom_call_rule("mine")
    def _rule(op: Operation, conservative: bool) -> OpShardingRule:
        return RuleBuilder(op).add([0], [0], 3 if conservative else 2).build()

    lines = (
        '%0 = "mine.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>',
        "%1 = stablehlo.custom_call @mine(%a) : (tensor<4xf32>) -> tensor<4xf32>",
    )
    assert rule_texts("%a: tensor<4xf32>", *lines) == ["<([i])->([i]) {i=2}>"] * 2
    assert rule_texts("%a: tensor<4xf32>", *lines, conservative=True) == ["<([i])->([i]) {i=3}>"] * 2


def warnings(*lines: str) -> list[str]:
    context = Context()
    table = RuleTable(context)
    for op in operations("%a: tensor<4xf32>", *lines):
        assert table.rule(op) is None
    assert all(one.severity == "warning" and len(one.notes) == 1 for one in context.diagnostics)
    return [one.message for one in context.diagnostics]


def test_the_first_unknown_operation_and_the_first_unknown_custom_call_are_warned_about() -> None:
    assert warnings(
        "%0 = stablehlo.custom_call @one(%a) : (tensor<4xf32>) -> tensor<4xf32>",
        "%1 = stablehlo.custom_call @two(%a) : (tensor<4xf32>) -> tensor<4xf32>",
        '%2 = "mine.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>',
        '%3 = "mine.other"(%a) : (tensor<4xf32>) -> tensor<4xf32>',
    ) == [
        "custom call @one is unknown to SDY sharding rule registry",
        "op 'mine.op' is unknown to SDY sharding rule registry",
    ]


def test_operations_that_are_known_to_have_no_rule_are_passed_over_in_silence() -> None:
    assert not warnings(
        "%0 = stablehlo.constant dense<0> : tensor<4xi32>",
        "%1 = stablehlo.iota dim = 0 : tensor<4xi32>",
        "%2 = stablehlo.optimization_barrier %a : tensor<4xf32>",
        "%3 = stablehlo.custom_call @tpu_custom_call(%a) : (tensor<4xf32>) -> tensor<4xf32>",
        "%4 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<4xf32>",
    )


def test_the_note_of_a_warning_shows_the_operation() -> None:
    module = pyshardy.parse(
        "func.func @main(%x: tensor<4xf32>) {\n  %y = stablehlo.tuple %x : tuple<tensor<4xf32>>\n  return\n}"
    )
    pyshardy.run_passes(module, "builtin.module(func.func(sdy-populate-op-sharding-rules))")
    (warning,) = module.context.diagnostics
    assert str(warning) == (
        "-:2:8: warning: op 'stablehlo.tuple' is unknown to SDY sharding rule registry\n"
        "-:2:8: note: %0 = stablehlo.tuple %arg0 : tuple<tensor<4xf32>>"
    )
