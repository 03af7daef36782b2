"""CHLO: shardings pass through its operations in pyshardy, and stop at them in single passes, as in the reference."""

from __future__ import annotations

import pytest

import pyshardy
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.registry import dialect
from pyshardy.rules.chlo import RULES
from tests.partitioning.every_operation import PROGRAMS
from tests.partitioning.random_layouts import random_text
from tests.sampling import sampled

SQUARE = """
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x4xf32> {
  %0 = chlo.square %a : tensor<8x4xf32> -> tensor<8x4xf32>
  %1 = stablehlo.tanh %0 : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
"""
WARNING = "op 'chlo.square' is unknown to SDY sharding rule registry"


def test_shardings_pass_through_an_operation_of_chlo_without_a_warning() -> None:
    module = pyshardy.propagate(pyshardy.parse(SQUARE))
    assert str(module).count('[{"x"}, {}]') == 4
    assert not module.context.diagnostics


def test_without_chlo_rules_they_stop_there_as_in_the_reference() -> None:
    module = pyshardy.propagate(pyshardy.parse(SQUARE), chlo_rules=False)
    assert str(module).count('[{"x"}, {}]') == 1
    assert [one.message for one in module.context.diagnostics] == [WARNING]


def test_single_passes_are_those_of_the_reference_even_after_a_call_of_propagate() -> None:
    module = pyshardy.parse(SQUARE)
    pyshardy.propagate(module)
    again = pyshardy.run_passes(pyshardy.parse(SQUARE), "builtin.module(sdy-propagation-pipeline)")
    assert str(again).count('[{"x"}, {}]') == 1
    assert not module.context.chlo_rules


def test_a_rule_of_the_user_outdoes_that_of_chlo(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyshardy.rules import registry

    monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    pyshardy.sharding_rule("chlo.square")(lambda op, conservative: None)
    assert str(pyshardy.propagate(pyshardy.parse(SQUARE))).count('[{"x"}, {}]') == 1


def test_a_partition_moves_nothing_for_them() -> None:
    sharded_result = SQUARE.replace("-> tensor<8x4xf32> {\n", "-> (tensor<8x4xf32> {sdy.sharding = SHARDING}) {\n", 1)
    text = sharded_result.replace("SHARDING", '#sdy.sharding<@m, [{"x"}, {}]>')
    assert pyshardy.partition(pyshardy.parse(text)).bytes_moved == 0


def test_every_elementwise_operation_of_chlo_has_a_rule() -> None:
    chlo = dialect("chlo")
    assert chlo is not None
    for name, definition in chlo.definitions.items():
        assert name in RULES or not definition.traits & ELEMENTWISE


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(sorted(set(RULES) & set(PROGRAMS)), 2))
def test_a_program_with_the_operation_is_propagated_and_partitioned_right(name: str) -> None:
    for seed in range(3):
        plan = pyshardy.partition(pyshardy.parse(random_text(PROGRAMS[name], seed)))
        assert not plan.check(seed).differs
        assert not [one for one in plan.module.context.diagnostics if "is unknown" in one.message]
