"""Programs that are the same are found to be so, and others are not."""

from __future__ import annotations

import pytest

from pyshardy import parse
from pyshardy.ir.rewriting import clone
from pyshardy.ir.same_program import is_same_program

PROGRAM = """
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<8xf32>
  %5 = stablehlo.reshape %3 : (tensor<8xf32>) -> tensor<4x2xf32>
  return %3 : tensor<8xf32>
}"""


def test_a_copy_is_the_same() -> None:
    module = parse(PROGRAM)
    assert is_same_program(module.op, clone(module.op))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("stablehlo.tanh", "stablehlo.sine"),
        ("add %a, %b", "add %b, %a"),
        ("subtract %1, %2", "subtract %2, %1"),
        ("dense<[[0, 1]]>", "dense<[[1, 0]]>"),
        ("add %x, %y", "add %y, %x"),
        ("f32", "f64"),
        ("return %3", "return %2"),
        ("4x2xf32", "2x4xf32"),
        ("  return", "  %9 = stablehlo.tanh %0 : tensor<8xf32>\n  return"),
    ],
)
def test_another_operation_value_type_or_number_is_seen(old: str, new: str) -> None:
    assert old in PROGRAM
    assert not is_same_program(parse(PROGRAM).op, parse(PROGRAM.replace(old, new)).op, locations=False)


def test_locations_count_only_if_they_are_asked_for() -> None:
    module = parse(PROGRAM)
    copy = clone(module.op)
    copy.operations()[2].location = -17
    assert not is_same_program(module.op, copy)
    assert is_same_program(module.op, copy, locations=False)


def test_where_a_block_ends_is_seen() -> None:
    one, other = (
        parse('module @a { module @b { } sdy.mesh @m = <["x"=2]> }'),
        parse('module @a { module @b { sdy.mesh @m = <["x"=2]> } }'),
    )
    assert not is_same_program(one.op, other.op, locations=False)
