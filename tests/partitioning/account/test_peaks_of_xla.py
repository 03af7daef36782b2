"""Small programs whose peak is what XLA's CPU backend allocates, but for numbers and rows that it keeps besides."""

from __future__ import annotations

import pytest

from pyshardy import parse
from pyshardy.partitioning.account.duplicated_uses import kept_instead
from pyshardy.partitioning.account.fusion import InlinedCalls, fused_values_on_cpus
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.memory_model import XLA_CPU
from tests.partitioning.account.memory_programs import LARGE, LARGE_BYTES, SMALL, body_of, extra_bytes

_PRODUCT = f"contracting_dims = [1] x [0] : ({LARGE}, {LARGE}) -> {LARGE}"
_BITS, _MASK = "tensor<64x64xui32>", "tensor<64x64xi1>"
_ZEROS = f"""
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> {LARGE}"""
_SORT = f"""
  %s = "stablehlo.sort"(%x) <{{dimension = 1 : i64}}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}) : ({LARGE}) -> {LARGE}"""
_GATHER = f"""<{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}}>
      : ({LARGE}, tensor<64x1xi32>) -> {LARGE}"""


def _scatter(into: str) -> str:
    return f"""
  %s = "stablehlo.scatter"({into}, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }}) : ({LARGE}, tensor<8x1xi32>, tensor<8x64xf32>) -> {LARGE}"""


_ROW = "tensor<64xf32>"
_TWO = f"%a: {LARGE}, %b: {LARGE}, %v: {_ROW}"


def _returned(value: str) -> str:
    """A product of ``value`` with a row, so that no result has room for a large value."""
    return f"""
  %out = stablehlo.dot_general {value}, %v, contracting_dims = [1] x [0] : ({LARGE}, {_ROW}) -> {_ROW}
  return %out : {_ROW}"""


_ROWS = f"{_TWO}, %i: tensor<8x1xi32>, %u: tensor<8x64xf32>"
_READS_TWICE = f"""
  %2 = stablehlo.tanh %1 : {LARGE}
  %3 = stablehlo.dot_general %2, %a, {_PRODUCT}
  %4 = stablehlo.multiply %1, %3 : {LARGE}
  %5 = stablehlo.dot_general %4, %0, {_PRODUCT}{_returned("%5")}"""
_PROGRAMS = {
    "a scatter works in the buffer of zeros": (
        _ROWS, f"{_ZEROS}{_scatter('%z')}\n  %0 = stablehlo.dot_general %s, %a, {_PRODUCT}{_returned('%0')}", 2,
    ),
    "a scatter that is added works in the buffer of the other value": (
        _ROWS, f"""{_ZEROS}{_scatter("%z")}
  %0 = stablehlo.dot_general %a, %b, {_PRODUCT}
  %1 = stablehlo.add %0, %s : {LARGE}{_returned("%1")}""", 1,
    ),
    "a transpose is computed by each reader": (
        _TWO, f"""
  %0 = stablehlo.dot_general %a, %b, {_PRODUCT}
  %1 = stablehlo.transpose %0, dims = [1, 0] : ({LARGE}) -> {LARGE}{_READS_TWICE}""", 3,
    ),
    "bits of one width are converted in a kernel with others": (
        _TWO, f"""
  %0 = stablehlo.dot_general %a, %b, {_PRODUCT}
  %1 = stablehlo.tanh %0 : {LARGE}
  %2 = stablehlo.bitcast_convert %1 : ({LARGE}) -> {_BITS}
  %3 = stablehlo.not %2 : {_BITS}
  %4 = stablehlo.bitcast_convert %3 : ({_BITS}) -> {LARGE}
  %5 = stablehlo.multiply %4, %a : {LARGE}
  %6 = stablehlo.dot_general %5, %a, {_PRODUCT}{_returned("%6")}""", 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", _PROGRAMS)
def test_values_that_have_a_buffer(name: str) -> None:
    arguments, body, buffers = _PROGRAMS[name]
    assert extra_bytes(arguments, _ROW, body) == buffers * LARGE_BYTES


def test_a_gather_has_a_buffer_where_its_reader_is_computed_for_a_sum_and_again_beside() -> None:
    body = f"""{_ZEROS}
  %0 = stablehlo.dot_general %a, %b, {_PRODUCT}
  %1 = "stablehlo.gather"(%0, %i) {_GATHER}
  %2 = stablehlo.maximum %1, %z : {LARGE}
  %3 = stablehlo.multiply %2, %b : {LARGE}
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1]
      : ({LARGE}, tensor<f32>) -> tensor<64xf32>
  %5 = stablehlo.multiply %2, %a : {LARGE}
  %6 = stablehlo.dot_general %5, %a, {_PRODUCT}
  %7 = stablehlo.dot_general %6, %v, contracting_dims = [1] x [0] : ({LARGE}, {_ROW}) -> {_ROW}
  return %4, %7 : {_ROW}, {_ROW}"""
    arguments = f"{_TWO}, %i: tensor<64x1xi32>"
    assert extra_bytes(arguments, f"{_ROW}, {_ROW}", body) == 3 * LARGE_BYTES
    operations = list(body_of(arguments, f"{_ROW}, {_ROW}", body))
    gather = next(op for op in operations if op.name == "stablehlo.gather")
    assert gather.results[0] not in fused_values_on_cpus(operations)


def _peak(text: str) -> int:
    module = parse(text)
    main = next(op for op in module.op.body if op.symbol_name == "main")
    memory = memory_of(module.op, main, XLA_CPU)
    assert sum(one.bytes for one in memory.live_at_peak) + memory.reserved == memory.peak
    return memory.peak


def test_a_function_updates_an_argument_in_place() -> None:
    def program(read: str) -> str:
        return f"""
func.func @main({_TWO}, %u: tensor<1x64xf32>, %i: tensor<i32>) -> {_ROW} {{
  %0 = stablehlo.dot_general %a, %b, {_PRODUCT}
  %1 = call @update(%0, %u, %i) : ({LARGE}, tensor<1x64xf32>, tensor<i32>) -> {LARGE}
  %2 = stablehlo.dot_general {read}, %v, contracting_dims = [1] x [0] : ({LARGE}, {_ROW}) -> {_ROW}
  %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0] : ({LARGE}, {_ROW}) -> {_ROW}
  return %3 : {_ROW}
}}
func.func private @update(%x: {LARGE}, %u: tensor<1x64xf32>, %i: tensor<i32>) -> {LARGE} {{
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : ({LARGE}, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> {LARGE}
  return %0 : {LARGE}
}}"""

    assert _peak(program("%a")) // LARGE_BYTES == 3
    assert _peak(program("%0")) // LARGE_BYTES == 4


_COMPUTES = f"stablehlo.select %m, %a, %b : {_MASK}, {LARGE}"
_READS_MASK = f"stablehlo.transpose %m, dims = [1, 0] : ({_MASK}) -> {_MASK}"


@pytest.mark.parametrize(("reader", "kept"), [(_COMPUTES, [LARGE]), (_READS_MASK, [])])
def test_what_a_mask_is_made_of_is_kept_instead_if_all_readers_compute_it(reader: str, kept: list[str]) -> None:
    module = parse(f"""
func.func @main(%a: {LARGE}, %b: {LARGE}) -> {LARGE} {{
  %m = call @mask(%a) : ({LARGE}) -> {_MASK}{_ZEROS}
  %0 = stablehlo.select %m, %b, %z : {_MASK}, {LARGE}
  %1 = {reader}
  return %0 : {LARGE}
}}
func.func private @mask(%x: {LARGE}) -> {_MASK} {{{_ZEROS}{_SORT}
  %1 = stablehlo.compare GT, %s, %z : ({LARGE}, {LARGE}) -> {_MASK}
  return %1 : {_MASK}
}}""")
    operations = list(next(op for op in module.op.body if op.symbol_name == "main").body)
    found = kept_instead(operations, set(), InlinedCalls(operations, on_cpus=True))
    assert [str(type) for types in found.values() for type in types] == kept


def test_a_mask_that_is_computed_from_bits_needs_the_room_of_the_bits() -> None:
    text = f"""
func.func @main(%a: {LARGE}, %b: {LARGE}) -> {LARGE} {{
  %m = call @mask(%a) : ({LARGE}) -> {_MASK}{_ZEROS}
  %0 = stablehlo.select %m, %b, %z : {_MASK}, {LARGE}
  %1 = stablehlo.dot_general %0, %a, {_PRODUCT}
  %2 = stablehlo.dot_general %1, %a, {_PRODUCT}
  %3 = stablehlo.select %m, %2, %z : {_MASK}, {LARGE}
  %4 = stablehlo.dot_general %3, %a, {_PRODUCT}
  return %4 : {LARGE}
}}
func.func private @mask(%x: {LARGE}) -> {_MASK} {{{_ZEROS}{_SORT}
  %1 = stablehlo.compare GT, %s, %z : ({LARGE}, {LARGE}) -> {_MASK}
  return %1 : {_MASK}
}}"""
    assert _peak(text) == 5 * LARGE_BYTES


_TO_ALL = """<{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
      split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<64x64xf32>) -> tensor<256x16xf32>"""


def test_an_all_to_all_reads_slices_that_are_computed_from_what_makes_its_operand() -> None:
    """A sum of two values is computed slice by slice; what else is needed of an operand is kept beside its slices."""
    summed = f"""
  %0 = stablehlo.dot_general %a, %b, {_PRODUCT}
  %1 = stablehlo.dot_general %b, %a, {_PRODUCT}
  %2 = stablehlo.add %0, %1 : {LARGE}
  %3 = "stablehlo.all_to_all"(%2) {_TO_ALL}
  return %3 : tensor<256x16xf32>"""
    assert extra_bytes(_TWO, "tensor<256x16xf32>", summed) == 2 * LARGE_BYTES
    alone = f"""
  %0 = stablehlo.dot_general %a, %b, {_PRODUCT}
  %1 = "stablehlo.all_to_all"(%0) {_TO_ALL}
  return %1 : tensor<256x16xf32>"""
    assert extra_bytes(_TWO, "tensor<256x16xf32>", alone) == LARGE_BYTES
    beside = f"""
  %0 = stablehlo.dot_general %a, %b, {_PRODUCT}
  %1 = "stablehlo.all_to_all"(%0) {_TO_ALL}
  %2 = stablehlo.dot_general %0, %a, {_PRODUCT}
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : ({LARGE}, tensor<f32>) -> tensor<f32>
  return %1, %3 : tensor<256x16xf32>, tensor<f32>"""
    assert 0 <= extra_bytes(_TWO, "tensor<256x16xf32>, tensor<f32>", beside) - 2 * LARGE_BYTES <= SMALL
