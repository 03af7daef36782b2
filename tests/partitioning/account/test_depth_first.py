"""The order in which the operations of a block run: depth first, as XLA orders them."""

from __future__ import annotations

from functools import partial

import pytest

from pyshardy.ir.operation import Block
from pyshardy.partitioning.account.depth_first import has_at_most
from pyshardy.partitioning.account.memory_model import XLA_CPU, MemoryModel
from tests.partitioning.account.memory_programs import PRODUCT, SQUARE, body_of


def _names(block: Block, model: MemoryModel = XLA_CPU) -> list[str]:
    return [op.name.split(".")[1] for op in model.schedule(block).operations]


def test_the_larger_runs_first_and_many_operations_as_they_stand() -> None:
    large = "tensor<64x64xf32>"
    block = body_of(
        f"%a: {SQUARE}, %b: {large}",
        f"{SQUARE}, {large}",
        f"""
  %0 = stablehlo.tanh %a : {SQUARE}
  %1 = stablehlo.sine %b : {large}
  return %0, %1 : {SQUARE}, {large}""",
    )
    count = len(block)
    assert _names(block, MemoryModel(max_reordered=count)) == ["sine", "tanh", "return"]
    assert _names(block, MemoryModel(max_reordered=count - 1)) == ["tanh", "sine", "return"]
    assert not has_at_most(block, count, {next(iter(block)): 2})


def test_what_most_is_read_of_besides_runs_first() -> None:
    large = "tensor<64x64xf32>"
    block = body_of(
        f"%a: {SQUARE}, %b: {large}",
        f"{large}, {SQUARE}",
        f"""
  %0 = stablehlo.tanh %b : {large}
  %1 = stablehlo.exponential %a : {SQUARE}
  %2 = stablehlo.dot_general %1, %a, {PRODUCT}
  %3 = stablehlo.dot_general %1, %2, {PRODUCT}
  return %0, %3 : {large}, {SQUARE}""",
    )
    assert _names(block) == ["exponential", "dot_general", "dot_general", "tanh", "return"]


@pytest.mark.parametrize(("kinds", "order"), [(("tanh", "sine"), [1, 0]), (("dot_general", "dot_general"), [0, 1])])
def test_of_equals_elementwise_kernels_run_from_the_last(kinds: tuple[str, str], order: list[int]) -> None:
    rest = {"dot_general": f", %a, {PRODUCT}"}
    lines = [f"  %{n} = stablehlo.{kind} %a{rest.get(kind, f' : {SQUARE}')}" for n, kind in enumerate(kinds)]
    body = "\n".join((*lines, f"  return %0, %1 : {SQUARE}, {SQUARE}"))
    block = body_of(f"%a: {SQUARE}", f"{SQUARE}, {SQUARE}", body)
    written = list(block)
    assert [written.index(op) for op in XLA_CPU.schedule(block).operations] == [*order, 2]


def test_what_passes_counts_as_the_kernel_that_it_passes_into() -> None:
    """What the negated is made of is read by two kernels, though by one operation."""
    large = "tensor<64x64xf32>"
    block = body_of(
        f"%a: {SQUARE}, %b: {large}",
        f"{large}, {SQUARE}, {SQUARE}",
        f"""
  %0 = stablehlo.tanh %b : {large}
  %1 = stablehlo.exponential %a : {SQUARE}
  %2 = stablehlo.negate %1 : {SQUARE}
  %3 = stablehlo.sine %2 : {SQUARE}
  %4 = stablehlo.cosine %2 : {SQUARE}
  return %0, %3, %4 : {large}, {SQUARE}, {SQUARE}""",
    )
    assert _names(block)[0] == "exponential"


def test_what_a_loop_reads_inside_runs_before_it() -> None:
    block = body_of(
        f"%a: {SQUARE}, %n: tensor<i32>",
        f"tensor<i32>, {SQUARE}",
        f"""
  %0 = stablehlo.dot_general %a, %a, {PRODUCT}
  %1 = stablehlo.tanh %0 : {SQUARE}
  %2:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, {SQUARE}
  cond {{
    %m = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }} do {{
    %y = stablehlo.add %x, %1 : {SQUARE}
    stablehlo.return %i, %y : tensor<i32>, {SQUARE}
  }}
  return %2#0, %0 : tensor<i32>, {SQUARE}""",
    )
    assert _names(block)[:3] == ["dot_general", "tanh", "while"]


def test_what_is_copied_counts_for_the_order() -> None:
    """The weights are read by two, what else the smaller product reads by one."""
    small = "tensor<8x8xf32>"
    block = body_of(
        f"%w: {small}, %x: {SQUARE}",
        f"{SQUARE}, {small}, {small}",
        f"""
  %0 = stablehlo.dot_general %x, %x, {PRODUCT}
  %1 = stablehlo.tanh %w : {small}
  %2 = stablehlo.sine %w : {small}
  return %0, %1, %2 : {SQUARE}, {small}, {small}""",
    )
    for copied, names in (
        (0, ["dot_general", "sine", "tanh"]),
        (1, ["sine", "tanh", "dot_general"]),
    ):
        operations = XLA_CPU.schedule(block, copied=partial(list, block.arguments[:copied])).operations
        assert [op.name.removeprefix("stablehlo.") for op in operations[:3]] == names


_LARGE = "tensor<64x64xf32>"


def _order(arguments: str, results: str, body: str) -> list[int]:
    """The order in which the operations run, by their places in the text, without constants."""
    block = body_of(arguments, results, body)
    written = [op for op in block if op.name != "stablehlo.constant"]
    return [written.index(op) for op in XLA_CPU.schedule(block).operations if op in written]


def test_constants_do_not_count_as_read_by_several() -> None:
    """Three reductions read one zero; two products read the exponential."""
    kinds = [("multiply", 1), ("multiply", 0), ("multiply", 1)]
    sums = "".join(
        f"""
  %{number} = stablehlo.reduce(%b init: %zero) applies stablehlo.{kind} across dimensions = [{dim}]
      : ({_LARGE}, tensor<f32>) -> tensor<64xf32>"""
        for number, (kind, dim) in enumerate(kinds)
    )
    body = f"""
  %zero = stablehlo.constant dense<0.0> : tensor<f32>{sums}
  %3 = stablehlo.add %0, %1 : tensor<64xf32>
  %4 = stablehlo.add %3, %2 : tensor<64xf32>
  %5 = stablehlo.exponential %a : {SQUARE}
  %6 = stablehlo.dot_general %5, %a, {PRODUCT}
  %7 = stablehlo.dot_general %5, %6, {PRODUCT}
  return %4, %7 : tensor<64xf32>, {SQUARE}"""
    assert _order(f"%a: {SQUARE}, %b: {_LARGE}", f"tensor<64xf32>, {SQUARE}", body)[:3] == [5, 6, 7]


def test_an_all_to_all_counts_as_its_slices() -> None:
    """Each of four slices reads the product; the other product, of more bytes, is read once."""
    to_all = """<{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
      split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<16x16xf32>) -> tensor<64x4xf32>"""
    body = f"""
  %0 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : ({_LARGE}, {_LARGE}) -> {_LARGE}
  %1 = stablehlo.dot_general %a, %a, {PRODUCT}
  %2 = "stablehlo.all_to_all"(%1) {to_all}
  return %0, %2 : {_LARGE}, tensor<64x4xf32>"""
    assert _order(f"%a: {SQUARE}, %b: {_LARGE}", f"{_LARGE}, tensor<64x4xf32>", body) == [1, 2, 0, 3]


def test_what_a_loop_gets_several_times_is_copied_for_it() -> None:
    """The loop gets the zeros twice: they have another reader, so that the loop runs before the larger product."""

    def program(other: str) -> str:
        return f"""
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : ({_LARGE}, {_LARGE}) -> {_LARGE}
  %1 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> {SQUARE}
  %2:3 = stablehlo.while(%n = %i, %x = %1, %y = {other}) : tensor<i32>, {SQUARE}, {SQUARE}
  cond {{
    %c = stablehlo.compare LT, %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %s = stablehlo.add %x, %y : {SQUARE}
    stablehlo.return %n, %s, %s : tensor<i32>, {SQUARE}, {SQUARE}
  }}
  return %0, %2#1 : {_LARGE}, {SQUARE}"""

    arguments = f"%a: {SQUARE}, %b: {_LARGE}, %i: tensor<i32>"
    assert _order(arguments, f"{_LARGE}, {SQUARE}", program("%1")) == [1, 2, 0, 3]
    assert _order(arguments, f"{_LARGE}, {SQUARE}", program("%a")) == [0, 1, 2, 3]
