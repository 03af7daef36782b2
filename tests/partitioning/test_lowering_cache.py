"""What operations became that were alike is what they would have become one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import PyshardyError, parse, partition
from pyshardy.ir.shortcuts import without_shortcuts
from pyshardy.partitioning.localizing.lowering_cache import LoweringCache
from pyshardy.versions import is_compiled
from tests.generator import random_program
from tests.partitioning.fuzz import FEATURES
from tests.use_order import uses_by_number

ALIKE = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                %c: tensor<8x4xf32>)
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
        tensor<8x4xf32>,
        tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  %1 = stablehlo.tanh %b : tensor<8x4xf32>
  %2 = stablehlo.tanh %c : tensor<8x4xf32>
  %3 = stablehlo.tanh %0 : tensor<8x4xf32>
  %4 = stablehlo.tanh %1 : tensor<8x4xf32>
  %5 = stablehlo.tanh %2 : tensor<8x4xf32>
  %6 = stablehlo.tanh %0 : tensor<8x4xf32>
  return %3, %4, %5, %6 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}"""
"""Operations that were made alike, and become different ones."""
EXAMPLES = sorted(Path("examples").glob("*.mlir"))


def outcome(program: str) -> tuple[object, ...]:
    """All that can be seen of a partition."""
    try:
        plan = partition(parse(program))
    except PyshardyError as error:
        return (str(error),)
    moved = [(one.kind, one.axes, one.group_size, one.bytes) for one in plan.collectives]
    return str(plan.module), uses_by_number(plan.module.op), moved, plan.memory.peak


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_partitioned_the_same(path: Path) -> None:
    short = outcome(path.read_text())
    with without_shortcuts():
        assert outcome(path.read_text()) == short


@pytest.mark.parametrize("seed", range(24))
def test_random_programs_are_partitioned_the_same(seed: int) -> None:
    program = random_program(seed, FEATURES)
    short = outcome(program)
    with without_shortcuts():
        assert outcome(program) == short


def test_operations_that_lie_or_are_wanted_elsewhere_are_not_alike() -> None:
    lines = str(partition(parse(ALIKE), propagated=True).module).splitlines()
    made = [line.rpartition(" : ")[2] for line in lines if "stablehlo.tanh" in line]
    assert made == [f"tensor<{shape}xf32>" for shape in ("4x4", "8x2", "8x4", "4x4", "8x2", "8x4", "2x4")]


REDUCED = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %begin: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%a init: %begin) applies stablehlo.add across dimensions = [0]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.reduce(%a init: %one) applies stablehlo.add across dimensions = [0]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}"""
"""Reductions of one tensor that begin with something else, or combine otherwise."""


def test_reductions_are_alike_if_they_begin_alike_and_combine_alike() -> None:
    short = outcome(REDUCED)
    with without_shortcuts():
        assert outcome(REDUCED) == short
    assert not partition(parse(REDUCED)).check().differs


def chains() -> str:
    """Two whole tensors that are reshaped to and fro, the first one so often that it cannot be made anew any more."""
    square, row = "tensor<4x4xf32>", "tensor<16xf32>"

    def chain(name: str, length: int) -> list[str]:
        types = [square, row] * length
        return [
            f"  %{name}{n + 1} = stablehlo.reshape %{name}{n} : ({types[n]}) -> {types[n + 1]}" for n in range(length)
        ]

    sharded = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2]>',
            f"func.func @main(%a0: {square}, %b0: {square}) -> ({square} {sharded}, {square} {sharded}) {{",
            *chain("a", 40),
            *chain("b", 4),
            f"  return %a40, %b4 : {square}, {square}",
            "}",
        ]
    )


def test_what_can_be_made_anew_is_not_like_what_cannot() -> None:
    short = str(partition(parse(chains()), propagated=True).module)
    with without_shortcuts():
        assert str(partition(parse(chains()), propagated=True).module) == short


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
def test_most_operations_of_a_model_are_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    made, asked = [0], [0]
    plain = LoweringCache.find

    def counting(self: LoweringCache, *arguments: object) -> tuple[object, object]:
        found = plain(self, *arguments)  # type: ignore[arg-type]
        asked[0] += 1
        made[0] += found[1] is not None
        return found

    monkeypatch.setattr(LoweringCache, "find", counting)
    partition(parse(Path("examples/transformer_megatron.mlir").read_text()))
    assert made[0] > asked[0] / 3
