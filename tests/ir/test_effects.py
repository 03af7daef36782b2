"""Which operations may be erased when nobody uses their results."""

from __future__ import annotations

import pytest

from pyshardy.ir.context import Context
from pyshardy.ir.effects import is_effect_free, is_trivially_dead
from pyshardy.ir.operation import Operation
from pyshardy.ir.parsing.parser import parse_module
from pyshardy.ir.source_text import SourceText


def first_operation(line: str) -> Operation:
    """The operation written in `line`, on the values %a (an f32 tensor) and %p (an i1 scalar)."""
    text = f"func.func @f(%a: tensor<8xf32>, %p: tensor<i1>) {{\n{line}\nreturn\n}}"
    module = parse_module(Context(SourceText(text), allow_unregistered=True)).op
    func = module.body.first
    assert func is not None and func.body.first is not None
    return func.body.first


SHOUT = "stablehlo.custom_call @shout() {has_side_effect = true} : () -> ()"


def choice(branch: str) -> str:
    """An `if` with this text in front of what one branch returns."""
    return (
        f'%0 = "stablehlo.if"(%p) ({{\n{branch}\nstablehlo.return %a : tensor<8xf32>\n}}, {{\n'
        "stablehlo.return %a : tensor<8xf32>\n}) : (tensor<i1>) -> tensor<8xf32>"
    )


FREE = [
    "%0 = stablehlo.add %a, %a : tensor<8xf32>",
    "%0 = stablehlo.custom_call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>",
    "%0 = stablehlo.custom_call @f(%a) {has_side_effect = false} : (tensor<8xf32>) -> tensor<8xf32>",
    choice(""),
    choice("%1 = stablehlo.abs %a : tensor<8xf32>"),
]
NOT_FREE = [
    SHOUT,
    '%0 = "foo.bar"(%a) : (tensor<8xf32>) -> tensor<8xf32>',
    '%0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}>'
    " : (tensor<8xf32>) -> tensor<8xf32>",
    choice(SHOUT),
]


@pytest.mark.parametrize("line", FREE)
def test_an_operation_without_effects_is_dead_when_unused(line: str) -> None:
    assert is_trivially_dead(first_operation(line))


@pytest.mark.parametrize("line", NOT_FREE)
def test_an_operation_with_effects_stays(line: str) -> None:
    op = first_operation(line)
    assert not is_effect_free(op)
    assert not is_trivially_dead(op)


def test_a_used_operation_is_not_dead() -> None:
    op = first_operation("%0 = stablehlo.abs %a : tensor<8xf32>\n%1 = stablehlo.abs %0 : tensor<8xf32>")
    assert is_effect_free(op)
    assert not is_trivially_dead(op)


def test_a_terminator_is_free_of_effects_and_never_dead() -> None:
    op = first_operation("")
    assert op.name == "func.return"
    assert is_effect_free(op)
    assert not is_trivially_dead(op)
