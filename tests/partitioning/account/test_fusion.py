"""Which values are fused into their readers, and which are written in place, on chips and in XLA's CPU backend."""

from __future__ import annotations

import pytest

from pyshardy.ir.operation import OpResult
from pyshardy.partitioning.account.fusion import fused_values, fused_values_on_cpus
from pyshardy.partitioning.account.memory_model import XLA_CPU, MemoryModel
from tests.partitioning.account.memory_programs import (
    BYTES,
    LARGE,
    LARGE_BYTES,
    ON_CHIPS,
    PRODUCT,
    ROW,
    SMALL,
    SQUARE,
    ZERO,
    body_of,
    extra_bytes,
    summed,
)

# --- what fuses -------------------------------------------------------------------------------------------------------

_LONG = "tensor<8192xf32>"
_MOVED = {
    "concatenate": f"concatenate %a, %b, dim = 0 : ({_LONG}, {_LONG}) -> tensor<16384xf32>",
    "dynamic_slice": f"dynamic_slice %a, %i, sizes = [5000] : ({_LONG}, tensor<i32>) -> tensor<5000xf32>",
    "pad": f"pad %a, %zero, low = [64], high = [0], interior = [0] : ({_LONG}, tensor<f32>) -> tensor<8256xf32>",
    "reverse": f"reverse %a, dims = [0] : {_LONG}",
    "slice": f"slice %a [0:5000] : ({_LONG}) -> tensor<5000xf32>",
    "transpose": f"transpose %s, dims = [1, 0] : ({LARGE}) -> {LARGE}",
}

_ARGUMENTS = f"%a: {_LONG}, %b: {_LONG}, %s: {LARGE}, %i: tensor<i32>"


@pytest.mark.parametrize("name", _MOVED)
def test_what_moves_elements_needs_no_memory_where_it_is_summed(name: str) -> None:
    """But for XLA's CPU backend, whose library sums what stands in memory, or is padded."""
    type = _MOVED[name].rsplit(" ", 1)[1]
    body = f"{ZERO}  %0 = stablehlo.{_MOVED[name]}{summed('%0', type)}"
    assert extra_bytes(_ARGUMENTS, "tensor<f32>", body, ON_CHIPS) <= SMALL
    assert (extra_bytes(_ARGUMENTS, "tensor<f32>", body) <= SMALL) == (name == "pad")


@pytest.mark.parametrize("name", _MOVED)
def test_it_stands_where_two_kernels_read_it(name: str) -> None:
    type = _MOVED[name].rsplit(" ", 1)[1]
    again = summed("%0", type).replace("%sum", "%max").replace("add", "maximum").splitlines()[1:-1]
    both = summed("%0", type).replace("return %sum : tensor<f32>", "return %sum, %max : tensor<f32>, tensor<f32>")
    body = f"{ZERO}  %0 = stablehlo.{_MOVED[name]}\n" + "\n".join(again) + both
    assert extra_bytes(_ARGUMENTS, "tensor<f32>, tensor<f32>", body) >= LARGE_BYTES


def test_a_product_reads_what_is_transposed_as_it_was() -> None:
    body = f"""
  %0 = stablehlo.transpose %a, dims = [1, 0] : ({SQUARE}) -> {SQUARE}
  %1 = stablehlo.dot_general %0, %b, {PRODUCT}
  %2 = stablehlo.dot_general %1, %0, {PRODUCT}
  return %2 : {SQUARE}"""
    assert extra_bytes(f"%a: {SQUARE}, %b: {SQUARE}", SQUARE, body) == BYTES


def test_the_sum_that_is_normed_stands_not_what_it_is_the_sum_of() -> None:
    """The mean waits for all of the sum, which a second kernel reads beside it."""
    body = f"""{ZERO}  %0 = stablehlo.dot_general %a, %a, {PRODUCT}
  %1 = stablehlo.dot_general %0, %a, {PRODUCT}
  %2 = stablehlo.add %0, %1 : {SQUARE}
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : ({SQUARE}, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> {SQUARE}
  %5 = stablehlo.dot_general %4, %a, {PRODUCT}
  %6 = stablehlo.subtract %2, %5 : {SQUARE}{summed("%6")}"""
    assert 0 <= extra_bytes(f"%a: {SQUARE}", "tensor<f32>", body) - 3 * BYTES <= SMALL


def test_what_a_sum_and_another_kernel_read_has_a_buffer() -> None:
    """The library that computes the sum reads buffers. The square is read by the sum alone."""
    block = body_of(
        f"%a: {LARGE}",
        LARGE,
        f"""{ZERO}  %0 = stablehlo.dot_general %a, %a, {PRODUCT.replace("16x16", "64x64")}
  %1 = stablehlo.abs %0 : {LARGE}
  %2 = stablehlo.multiply %1, %1 : {LARGE}
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : ({LARGE}, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> {LARGE}
  %5 = stablehlo.subtract %1, %4 : {LARGE}
  return %5 : {LARGE}""",
    )
    fused = {one.owner.name for one in fused_values_on_cpus(list(block)) if isinstance(one, OpResult)}
    assert "stablehlo.multiply" in fused
    assert "stablehlo.abs" not in fused


# --- functions in the place of calls ----------------------------------------------------------------------------------


def _function(name: str, results: str, body: str) -> str:
    return f"\n}}\nfunc.func private @{name}(%x: {SQUARE}) -> {results} {{\n{body}"


def test_what_a_function_makes_passes_into_its_reader() -> None:
    square = _function("square", SQUARE, f"  %0 = stablehlo.multiply %x, %x : {SQUARE}\n  return %0 : {SQUARE}")
    body = f"{ZERO}  %0 = call @square(%a) : ({SQUARE}) -> {SQUARE}{summed('%0')}{square}"
    assert extra_bytes(f"%a: {SQUARE}", "tensor<f32>", body) <= SMALL


def test_what_a_function_reads_element_by_element_passes_into_it() -> None:
    total = _function("total", "tensor<f32>", ZERO + summed("%x"))
    body = f"""  %0 = stablehlo.multiply %a, %a : {SQUARE}
  %1 = call @total(%0) : ({SQUARE}) -> tensor<f32>
  return %1 : tensor<f32>{total}"""
    assert extra_bytes(f"%a: {SQUARE}", "tensor<f32>", body) <= SMALL


def test_what_a_result_that_passes_is_made_of_lives_as_long() -> None:
    negate = _function("minus", SQUARE, f"  %0 = stablehlo.negate %x : {SQUARE}\n  return %0 : {SQUARE}")
    body = f"""{ZERO}  %0 = stablehlo.dot_general %a, %a, {PRODUCT}
  %1 = call @minus(%0) : ({SQUARE}) -> {SQUARE}
  %2 = stablehlo.dot_general %a, %b, {PRODUCT}
  %3 = stablehlo.multiply %1, %2 : {SQUARE}{summed("%3")}{negate}"""
    assert 0 <= extra_bytes(f"%a: {SQUARE}, %b: {SQUARE}", "tensor<f32>", body) - 2 * BYTES <= SMALL


def test_so_does_another_result_that_it_is_made_of() -> None:
    both = _function(
        "both",
        f"({SQUARE}, {SQUARE})",
        f"""  %0 = stablehlo.exponential %x : {SQUARE}
  %1 = stablehlo.negate %0 : {SQUARE}
  return %1, %0 : {SQUARE}, {SQUARE}""",
    )
    body = f"""{ZERO}  %0:2 = call @both(%a) : ({SQUARE}) -> ({SQUARE}, {SQUARE})
  %1 = stablehlo.dot_general %0#1, %b, {PRODUCT}
  %2 = stablehlo.dot_general %1, %b, {PRODUCT}
  %3 = stablehlo.multiply %0#0, %2 : {SQUARE}{summed("%3")}{both}"""
    assert 0 <= extra_bytes(f"%a: {SQUARE}, %b: {SQUARE}", "tensor<f32>", body) - 3 * BYTES <= SMALL


# --- what is written in place -----------------------------------------------------------------------------------------


def test_a_barrier_stands_in_the_place_of_what_it_holds_back() -> None:
    body = f"""{ZERO}  %0 = stablehlo.dot_general %a, %a, {PRODUCT}
  %1 = stablehlo.optimization_barrier %0 : {SQUARE}{summed("%1")}"""
    assert 0 <= extra_bytes(f"%a: {SQUARE}", "tensor<f32>", body) - BYTES <= SMALL


def test_what_products_one_behind_the_other_read_is_written_in_place() -> None:
    type, narrow = "tensor<2x8x16xf32>", "tensor<2x8x1xf32>"
    numbers = "batching_dims = [0] x [0], contracting_dims = [2] x [1]"
    body = f"""
  %0 = stablehlo.dot_general %a, %w, {numbers} : ({type}, tensor<2x16x16xf32>) -> {type}
  %1 = stablehlo.exponential %0 : {type}
  %2 = stablehlo.dot_general %1, %v, {numbers} : ({type}, tensor<2x16x1xf32>) -> {narrow}
  return %2 : {narrow}"""
    assert extra_bytes(f"%a: {type}, %w: tensor<2x16x16xf32>, %v: tensor<2x16x1xf32>", narrow, body) == BYTES


def test_room_for_one_result_holds_one_value_in_between() -> None:
    half = "tensor<8x16xf32>"
    body = f"""{ZERO}  %0 = stablehlo.dot_general %a, %a, {PRODUCT}
  %1 = stablehlo.dot_general %b, %0, contracting_dims = [1] x [0] : ({half}, {SQUARE}) -> {half}
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : ({half}, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : ({SQUARE}, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.add %2, %3 : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> {SQUARE}
  return %5 : {SQUARE}"""
    assert 0 <= extra_bytes(f"%a: {SQUARE}, %b: {half}", SQUARE, body) - BYTES // 2 <= SMALL


# --- what XLA's CPU backend does not fuse -----------------------------------------------------------------------------


def _joined(dim: int, piece: str, whole: str) -> str:
    return f"""
  %0 = stablehlo.negate %a : {piece}
  %1 = stablehlo.abs %a : {piece}
  %2 = stablehlo.concatenate %0, %1, dim = {dim} : ({piece}, {piece}) -> {whole}
  %3 = stablehlo.negate %2 : {whole}
  return %3 : {whole}"""


@pytest.mark.parametrize(
    ("dim", "piece", "whole", "stand"),
    [
        (1, "tensor<2x64xf32>", "tensor<2x128xf32>", True),
        (1, "tensor<2x63xf32>", "tensor<2x126xf32>", False),
        (0, "tensor<8x16xf32>", SQUARE, False),
        (0, "tensor<128xf32>", ROW, False),
    ],
)
def test_rows_are_joined_in_memory(dim: int, piece: str, whole: str, stand: bool) -> None:
    """The pieces stand, and what they become in the room of the result, which is made of it in its place."""
    body = _joined(dim, piece, whole)
    assert extra_bytes(f"%a: {piece}", whole, body) == (BYTES if stand else 0)
    assert extra_bytes(f"%a: {piece}", whole, body, ON_CHIPS) == 0


def _two_sums(made: str, first: str = "[0, 1]", second: str = "[0, 1]") -> str:
    return f"""{ZERO}  {made}
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = {first}
      : ({LARGE}, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reduce(%1 init: %zero) applies stablehlo.maximum across dimensions = {second}
      : ({LARGE}, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.add %2, %3 : tensor<f32>
  return %4 : tensor<f32>"""


def test_what_two_sums_read_stands() -> None:
    body = _two_sums(f"%1 = stablehlo.negate %a : {LARGE}")
    assert 0 <= extra_bytes(f"%a: {LARGE}", "tensor<f32>", body) - LARGE_BYTES <= SMALL
    assert extra_bytes(f"%a: {LARGE}", "tensor<f32>", body, ON_CHIPS) <= SMALL


@pytest.mark.parametrize(("made", "stands"), [("add %a, %b", True), ("negate %a", False)])
def test_what_joins_several_for_a_sum_and_another_kernel_stands(made: str, stands: bool) -> None:
    body = f"""{ZERO}  %0 = stablehlo.{made} : {LARGE}
  %1 = stablehlo.tanh %0 : {LARGE}{summed("%0", LARGE).replace("return %sum : tensor<f32>", "")}
  return %sum, %1 : tensor<f32>, {LARGE}"""
    between = extra_bytes(f"%a: {LARGE}, %b: {LARGE}", f"tensor<f32>, {LARGE}", body)
    assert 0 <= between - stands * LARGE_BYTES <= SMALL


_SELECTED = f"%1 = stablehlo.select %p, %a, %b : tensor<64x64xi1>, {LARGE}"


def test_a_library_sums_what_is_selected_from_memory() -> None:
    arguments = f"%a: {LARGE}, %b: {LARGE}, %p: tensor<64x64xi1>"
    body = f"{ZERO}  {_SELECTED}{summed('%1', LARGE)}"
    assert 0 <= extra_bytes(arguments, "tensor<f32>", body) - LARGE_BYTES <= SMALL
    assert extra_bytes(arguments, "tensor<f32>", body, ON_CHIPS) <= SMALL


@pytest.mark.parametrize(
    ("element", "kind", "stands"), [("f32", "add", False), ("f32", "multiply", True), ("i32", "add", True)]
)
def test_other_sums_than_those_of_the_library_read_memory(element: str, kind: str, stands: bool) -> None:
    square, number = (one.replace("f32", element) for one in (LARGE, "tensor<f32>"))
    body = f"""
  %zero = stablehlo.constant dense<0> : {number}
  %1 = stablehlo.negate %a : {square}
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.{kind} across dimensions = [0, 1]
      : ({square}, {number}) -> {number}
  return %2 : {number}""".replace("dense<0>", "dense<0>" if element == "i32" else "dense<0.0>")
    assert (extra_bytes(f"%a: {square}", number, body) > SMALL) == stands


_TAKEN = """"stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}>"""


@pytest.mark.parametrize("model", [XLA_CPU, ON_CHIPS])
def test_what_is_gathered_from_is_made_where_it_is_taken(model: MemoryModel) -> None:
    arguments, rows = f"%a: {SQUARE}, %i: tensor<8xi32>", "tensor<8x16xf32>"
    taken = f"  %0 = stablehlo.tanh %a : {SQUARE}\n  %1 = {_TAKEN} : ({SQUARE}, tensor<8xi32>) -> {rows}\n"
    assert extra_bytes(arguments, rows, f"{taken}  %2 = stablehlo.negate %1 : {rows}\n  return %2 : {rows}", model) == 0


@pytest.mark.parametrize("model", [XLA_CPU, ON_CHIPS])
def test_a_sum_reads_what_is_gathered_from_memory(model: MemoryModel) -> None:
    arguments, rows = f"%a: {LARGE}, %i: tensor<128xi32>", "tensor<128x64xf32>"
    taken = _TAKEN.replace("1, 16", "1, 64")
    total = f"{ZERO}  %0 = stablehlo.tanh %a : {LARGE}\n  %1 = {taken} : ({LARGE}, tensor<128xi32>) -> {rows}\n"
    assert 0 <= extra_bytes(arguments, "tensor<f32>", total + summed("%1", rows), model) - 2 * LARGE_BYTES <= SMALL


@pytest.mark.parametrize(
    ("type", "along", "stands"),
    [("tensor<63x65xf32>", 1, True), ("tensor<63x32xf32>", 1, False), ("tensor<63x65xi32>", 1, True),
     ("tensor<4096x32xi32>", 1, False), ("tensor<4096x33xi32>", 1, True), ("tensor<64x64xf32>", 1, False)],
)  # fmt: skip
def test_long_dimensions_are_reduced_from_memory(type: str, along: int, stands: bool) -> None:
    """In windows of 32 elements, but for what the library sums."""
    element = type[-4:-1]
    zero, column = "0" if element == "i32" else "0.0", type.replace("x" + type.split("x")[1], "", 1)
    body = f"""  %zero = stablehlo.constant dense<{zero}> : tensor<{element}>
  %0 = stablehlo.multiply %a, %a : {type}
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [{along}]
      : ({type}, tensor<{element}>) -> {column}
  return %1 : {column}"""
    assert (extra_bytes(f"%a: {type}", column, body) > SMALL) == stands


def test_a_sort_takes_the_place_of_what_it_sorts() -> None:
    body = f"""
  %0 = stablehlo.tanh %a : {ROW}
  %1 = "stablehlo.sort"(%0) <{{dimension = 0 : i64}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %lt = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }}) : ({ROW}) -> {ROW}
  return %1 : {ROW}"""
    assert extra_bytes(f"%a: {ROW}", ROW, body) == 0


def test_a_product_that_sums_nothing_is_made_where_it_is_read() -> None:
    arguments, square = "%a: tensor<16xf32>, %b: tensor<16xf32>", f"(tensor<16xf32>, tensor<16xf32>) -> {SQUARE}"
    body = f"""{ZERO}  %0 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : {square}
  %1 = stablehlo.tanh %0 : {SQUARE}{summed("%1")}"""
    assert extra_bytes(arguments, "tensor<f32>", body) <= SMALL


def test_what_a_product_reads_stands_for_those_before_it_too() -> None:
    block = body_of(
        f"%a: {SQUARE}, %b: {SQUARE}",
        f"{SQUARE}, {SQUARE}",
        f"""  %0 = stablehlo.add %a, %b : {SQUARE}
  %1 = stablehlo.tanh %0 : {SQUARE}
  %2 = stablehlo.dot_general %0, %b, {PRODUCT}
  return %1, %2 : {SQUARE}, {SQUARE}""",
    )
    assert not fused_values(block.operations())


def test_a_call_of_an_elementwise_function_writes_in_place() -> None:
    """XLA needs 2,112 bytes: two squares and a column."""
    column = "tensor<16x1xf32>"
    narrow = f"contracting_dims = [1] x [0] : ({SQUARE}, {column}) -> {column}"
    relu = _function(
        "relu",
        SQUARE,
        f"""{ZERO}  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> {SQUARE}
  %1 = stablehlo.maximum %x, %0 : {SQUARE}
  return %1 : {SQUARE}""",
    )
    body = f"""  %k = stablehlo.dot_general %b, %a, {PRODUCT}
  %0 = stablehlo.dot_general %k, %b, {PRODUCT}
  %1 = call @relu(%0) : ({SQUARE}) -> {SQUARE}
  %2 = stablehlo.dot_general %1, %v, {narrow}
  %3 = stablehlo.dot_general %k, %2, {narrow}
  return %3 : {column}{relu}"""
    assert extra_bytes(f"%a: {SQUARE}, %b: {SQUARE}, %v: {column}", column, body) - 2 * BYTES <= 64


def test_readers_compute_again_what_a_function_keeps_for_its_own_sum() -> None:
    """As ``jnp.var`` does, the function returns twice the distances from the mean, besides the sum of their squares."""
    var = f"""
}}
func.func private @var(%x: {LARGE}) -> (tensor<64xf32>, {LARGE}) {{
{ZERO}  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : ({LARGE}, tensor<f32>) -> tensor<64xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<64xf32>) -> {LARGE}
  %2 = stablehlo.subtract %x, %1 : {LARGE}
  %3 = stablehlo.multiply %2, %2 : {LARGE}
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
      : ({LARGE}, tensor<f32>) -> tensor<64xf32>
  %5 = stablehlo.add %2, %2 : {LARGE}
  return %4, %5 : tensor<64xf32>, {LARGE}"""
    operations = list(
        body_of(
            f"%a: {LARGE}",
            f"tensor<64xf32>, {LARGE}",
            f"""  %0:2 = call @var(%a) : ({LARGE}) -> (tensor<64xf32>, {LARGE})
  %1 = stablehlo.abs %0#1 : {LARGE}
  return %0#0, %1 : tensor<64xf32>, {LARGE}{var}""",
        )
    )
    assert operations[0].results[1] in fused_values_on_cpus(operations)
