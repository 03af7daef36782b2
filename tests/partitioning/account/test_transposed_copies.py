"""What is copied for products, convolutions, collectives and loops, and what windows need besides."""

from __future__ import annotations

import pytest

from pyshardy.ir.operation import Operation
from pyshardy.partitioning.account.donated import copied_donated_arguments
from pyshardy.partitioning.account.memory_model import XLA_CPU, MemoryModel
from tests.partitioning.account.memory_programs import (
    BYTES,
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

# --- what is copied ---------------------------------------------------------------------------------------------------

_BATCH = "tensor<2x8x16xf32>"

_OVER_BATCH = f"contracting_dims = [0, 1] x [0, 1] : ({_BATCH}, {_BATCH}) -> {SQUARE}"

_OF_BATCH = f"contracting_dims = [2] x [0] : ({_BATCH}, {SQUARE}) -> {_BATCH}"


def test_a_product_that_sums_over_a_batch_copies_its_first_operand() -> None:
    body = f"  %0 = stablehlo.dot_general %x, %y, {_OVER_BATCH}\n  return %0 : {SQUARE}"
    arguments = f"%x: {_BATCH}, %y: {_BATCH}"
    assert extra_bytes(arguments, SQUARE, body) == BYTES
    assert extra_bytes(arguments, SQUARE, body, ON_CHIPS) == 0


def test_what_nobody_else_reads_is_made_in_that_order() -> None:
    body = f"""
  %0 = stablehlo.dot_general %x, %w, {_OF_BATCH}
  %1 = stablehlo.dot_general %0, %x, {_OVER_BATCH}
  return %1 : {SQUARE}"""
    assert extra_bytes(f"%x: {_BATCH}, %w: {SQUARE}", SQUARE, body) == BYTES


def _gradient(step: str) -> str:
    """A gradient, by which ``step`` goes back from %0, made of %x: that of weights is made last."""
    return f"""{ZERO}  %0 = stablehlo.dot_general %x, %w, {_OF_BATCH}
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> {_BATCH}
  {step}
  %2 = stablehlo.dot_general %1, %w, {_OF_BATCH}
  %3 = stablehlo.tanh %2 : {_BATCH}
  %4 = stablehlo.dot_general %3, %w, {_OF_BATCH}
  %5 = stablehlo.dot_general %1, %4, {_OVER_BATCH}
  return %5 : {SQUARE}"""


def test_what_a_kernel_makes_for_others_too_it_makes_again() -> None:
    """With the copy, what that is made of stands: two values, where one that is kept would do."""
    arguments = f"%x: {_BATCH}, %y: {_BATCH}, %w: {SQUARE}"
    step = f"""%t = stablehlo.tanh %y : {_BATCH}
  %unread = stablehlo.dot_general %t, %w, {_OF_BATCH}
  %1 = stablehlo.multiply %0, %t : {_BATCH}"""
    assert extra_bytes(arguments, SQUARE, _gradient(step)) - extra_bytes(
        arguments, SQUARE, _gradient(step), ON_CHIPS
    ) == (2 * BYTES)


def test_what_reads_products_alone_is_kept_in_rows() -> None:
    arguments = f"%x: {_BATCH}, %y: {_BATCH}, %w: {SQUARE}"
    step = f"%1 = stablehlo.maximum %0, %z : {_BATCH}"
    assert (
        extra_bytes(arguments, SQUARE, _gradient(step)) - extra_bytes(arguments, SQUARE, _gradient(step), ON_CHIPS) == 0
    )


_GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"


@pytest.mark.parametrize(("dim", "copied"), [(0, 0), (1, 512)])
def test_what_is_gathered_along_another_dimension_is_copied(dim: int, copied: int) -> None:
    """Then the piece is gone that it was gathered from."""
    piece = "tensor<8x16xf32>" if dim == 0 else "tensor<16x8xf32>"
    narrow = "tensor<16x1xf32>"
    body = f"""
  %0 = stablehlo.tanh %a : {piece}
  %1 = "stablehlo.all_gather"(%0) <{{all_gather_dim = {dim} : i64, {_GROUPS}}}> : ({piece}) -> {SQUARE}
  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : ({SQUARE}, {narrow}) -> {narrow}
  return %2 : {narrow}"""
    assert extra_bytes(f"%a: {piece}, %b: {narrow}", narrow, body) == 512 + 1024 + copied


@pytest.mark.parametrize(("dim", "copied"), [(0, 0), (1, 512)])
def test_what_is_scattered_along_another_dimension_is_copied_before(dim: int, copied: int) -> None:
    """Then the result is not there yet, in whose place half of the copy may stand."""
    piece = "tensor<8x16xf32>" if dim == 0 else "tensor<16x8xf32>"
    body = f"""
  %0 = stablehlo.dot_general %a, %a, {PRODUCT}
  %1 = "stablehlo.reduce_scatter"(%0) <{{scatter_dimension = {dim} : i64, {_GROUPS}}}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : ({SQUARE}) -> {piece}
  return %1 : {piece}"""
    assert extra_bytes(f"%a: {SQUARE}", piece, body) == 1024 + copied


def _step(result: str) -> Operation:
    """A step that takes ``result`` from donated weights."""
    block = body_of(
        f"%w: {SQUARE} {{tf.aliasing_output = 1 : i32}}, %x: {SQUARE}",
        f"{SQUARE}, {SQUARE}",
        f"""
  %0 = stablehlo.dot_general %x, %w, {PRODUCT}
  %1 = stablehlo.dot_general %x, %x, {PRODUCT}
  %2 = stablehlo.subtract %w, {result} : {SQUARE}
  return %0, %2 : {SQUARE}, {SQUARE}""",
    )
    assert block.parent_op is not None
    return block.parent_op


@pytest.mark.parametrize(("result", "copied"), [("%0", 0), ("%1", 1)])
def test_donated_weights_are_copied_if_the_new_ones_do_not_wait_for_all_who_read_them(result: str, copied: int) -> None:
    assert len(copied_donated_arguments(_step(result))) == copied


# --- what kernels need besides ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("model, is_counted", [(XLA_CPU, True), (MemoryModel(), False)])
def test_the_gradient_of_pooling_writes_the_indices_of_all_elements(model: MemoryModel, is_counted: bool) -> None:
    image, pooled = "tensor<8x16x16x4xf32>", "tensor<8x8x8x4xf32>"
    elements, windows, dimensions = 8 * 16 * 16 * 4, 8 * 8 * 8 * 4, 4
    between = extra_bytes(
        f"%image: {image}, %above: {pooled}",
        image,
        f"""{ZERO}
  %0 = "stablehlo.select_and_scatter"(%image, %above, %zero) <{{
    window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %ge = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %ge : tensor<i1>
  }}, {{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }}) : ({image}, {pooled}, tensor<f32>) -> {image}
  return %0 : {image}""",
        model,
    )
    # The result stands in the room of an image of indices, once these are gone; XLA's CPU backend needs as much.
    needed = 4 * dimensions * (elements + windows) + 4 * windows - 4 * elements
    assert between - SMALL <= (needed if is_counted else 0) <= between


def test_a_cumulative_sum_is_done_in_parts_of_a_copy() -> None:
    for window, copied in ((16, 0), (256, BYTES)):
        row = f"tensor<{BYTES // 4 // window}x{window}xf32>"
        body = f"""{ZERO}
  %0 = "stablehlo.reduce_window"(%x, %zero) <{{
    window_dimensions = array<i64: 1, {window}>, padding = dense<[[0, 0], [{window - 1}, 0]]> : tensor<2x2xi64>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }}) : ({row}, tensor<f32>) -> {row}
  return %0 : {row}"""
        assert 0 <= extra_bytes(f"%x: {row}", row, body) - copied <= SMALL


# --- what is made again, and how long it is kept ----------------------------------------------------------------------


def test_what_products_read_in_two_orders_is_made_for_each() -> None:
    """Never as it stands, and one after the other."""
    body = f"""
  %n = stablehlo.negate %x : {_BATCH}
  %0 = stablehlo.dot_general %n, %y, {_OVER_BATCH}
  %1 = stablehlo.dot_general %n, %z, contracting_dims = [1] x [0] : ({_BATCH}, tensor<8xf32>) -> tensor<2x16xf32>
  %2 = stablehlo.dot_general %n, %u, contracting_dims = [1, 2] x [0, 1] : ({_BATCH}, tensor<8x16xf32>) -> tensor<2xf32>
  %3 = stablehlo.dot_general %n, %t, contracting_dims = [2, 0] x [0, 1] : ({_BATCH}, tensor<16x2xf32>) -> tensor<8xf32>
  return %0, %3 : {SQUARE}, tensor<8xf32>"""
    arguments = f"%x: {_BATCH}, %y: {_BATCH}, %z: tensor<8xf32>, %u: tensor<8x16xf32>, %t: tensor<16x2xf32>"
    assert extra_bytes(arguments, f"{SQUARE}, tensor<8xf32>", body) <= BYTES + 128


@pytest.mark.parametrize(("last", "stand"), [("%n", 4), ("%x", 3)])
def test_what_is_made_again_is_kept_for_the_next_that_reads_it_so(last: str, stand: int) -> None:
    """Between the two that read it three values stand at one time. XLA's CPU backend allocates as much."""
    body = f"""{ZERO}  %n = stablehlo.negate %x : {_BATCH}
  %p = stablehlo.dot_general %n, %w, {_OF_BATCH}
  %0 = stablehlo.dot_general %n, %y, {_OVER_BATCH}
  %1 = stablehlo.dot_general %0, %b, {PRODUCT}
  %2 = stablehlo.dot_general %1, %0, {PRODUCT}
  %3 = stablehlo.dot_general %2, %1, {PRODUCT}
  %v = stablehlo.reshape %3 : ({SQUARE}) -> {_BATCH}
  %4 = stablehlo.dot_general {last}, %v, {_OVER_BATCH}
  %5 = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : ({_BATCH}, tensor<f32>) -> tensor<f32>{summed("%4").replace("return %sum : tensor<f32>", "")}
  return %sum, %5 : tensor<f32>, tensor<f32>"""
    arguments = f"%x: {_BATCH}, %y: {_BATCH}, %w: {SQUARE}, %b: {SQUARE}"
    assert extra_bytes(arguments, "tensor<f32>, tensor<f32>", body) == stand * BYTES


_CONVOLUTION = """stablehlo.convolution(%n, %k) dim_numbers = {numbers}, window = {{}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}"""


@pytest.mark.parametrize(
    ("numbers", "copied"), [("[b, 0, f]x[0, i, o]->[b, 0, f]", 0), ("[f, 0, b]x[i, 0, o]->[0, b, f]", 1)]
)
def test_a_convolution_copies_what_it_reads_into_its_order(numbers: str, copied: int) -> None:
    """That of a gradient of weights takes features for examples."""
    image, kernel = "tensor<4x16x4xf32>", "tensor<4x16x4xf32>"
    if copied:
        result = "tensor<1x4x4xf32>"
    else:
        image, kernel, result = "tensor<4x16x4xf32>", "tensor<16x4x4xf32>", "tensor<4x1x4xf32>"
    body = f"""
  %n = stablehlo.tanh %x : {image}
  %0 = {_CONVOLUTION.format(numbers=numbers)} : ({image}, {kernel}) -> {result}
  return %0, %n : {result}, {image}"""
    between = extra_bytes(f"%x: {image}, %k: {kernel}", f"{result}, {image}", body)
    assert between == copied * 2 * BYTES


def _loop(first: str, second: str) -> str:
    return f"""
  %0:3 = stablehlo.while(%i = %n, %x = %a, %y = %b) : tensor<i32>, {ROW}, {ROW}
  cond {{
    %m = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }} do {{
    %p = stablehlo.{first} : {ROW}
    %q = stablehlo.{second} : {ROW}
    stablehlo.return %i, %p, %q : tensor<i32>, {ROW}, {ROW}
  }}
  return %0#1, %0#2 : {ROW}, {ROW}"""


@pytest.mark.parametrize(
    ("first", "second", "copied"),
    [("add %x, %y", "subtract %x, %y", 2), ("negate %x", "negate %y", 0), ("negate %x", "add %p, %y", 0)],
)
def test_a_loop_copies_what_the_next_value_in_its_place_does_not_wait_for(first: str, second: str, copied: int) -> None:
    arguments = f"%a: {ROW}, %b: {ROW}, %n: tensor<i32>"
    between = extra_bytes(arguments, f"{ROW}, {ROW}", _loop(first, second))
    assert 0 <= between - copied * BYTES <= SMALL


def test_what_a_loop_reads_from_outside_is_copied_there() -> None:
    body = f"""
  %n = stablehlo.negate %x : {_BATCH}
  %0:2 = stablehlo.while(%i = %m, %s = %w) : tensor<i32>, {SQUARE}
  cond {{
    %c = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %g = stablehlo.dot_general %n, %y, {_OVER_BATCH}
    %h = stablehlo.dot_general %n, %s, {_OF_BATCH}
    %t = stablehlo.dot_general %h, %y, {_OVER_BATCH}
    %u = stablehlo.add %g, %t : {SQUARE}
    stablehlo.return %i, %u : tensor<i32>, {SQUARE}
  }}
  return %0#1 : {SQUARE}"""
    arguments = f"%x: {_BATCH}, %y: {_BATCH}, %w: {SQUARE}, %m: tensor<i32>"
    # The value itself, and inside its copy with what it is for.
    assert extra_bytes(arguments, SQUARE, body) == 2 * BYTES


# --- products that merge dimensions -----------------------------------------------------------------------------------

_CUBE, _ROWS = "tensor<16x16x16xf32>", "tensor<16x16xf32>"
_CUBE_BYTES = 4 * 16**3


def _outer_product(name: str, other: str, *, turned: bool) -> str:
    """The products of all elements of ``%a`` and ``%other``, for each row, as ``%name``, and as ``%names`` the sum of
    their squares."""
    made = f"{name}t" if turned else name
    transposed = f"  %{name} = stablehlo.transpose %{made}, dims = [0, 2, 1] : ({_CUBE}) -> {_CUBE}\n" if turned else ""
    return f"""  %{name}x = stablehlo.broadcast_in_dim %a, dims = [0, 1] : ({_ROWS}) -> {_CUBE}
  %{name}y = stablehlo.broadcast_in_dim %{other}, dims = [0, 2] : ({_ROWS}) -> {_CUBE}
  %{made} = stablehlo.multiply %{name}x, %{name}y : {_CUBE}
{transposed}  %{name}q = stablehlo.multiply %{name}, %{name} : {_CUBE}
  %{name}s = stablehlo.reduce(%{name}q init: %zero) applies stablehlo.add across dimensions = [1, 2]
      : ({_CUBE}, tensor<f32>) -> tensor<16xf32>
"""


@pytest.mark.parametrize("turned", [False, True])
def test_what_a_product_reads_with_dimensions_merged_is_computed_for_it_alone(turned: bool) -> None:
    """The gradients of some examples: their squares are summed, then they are summed with weights. XLA writes each to
    memory for its product alone, one after the other."""
    product = f"contracting_dims = [0] x [0] : (tensor<16xf32>, {_CUBE}) -> {SQUARE}"
    body = f"""{ZERO}{_outer_product("g", "b", turned=False)}{_outer_product("h", "c", turned=turned)}
  %w = stablehlo.add %gs, %hs : tensor<16xf32>
  %0 = stablehlo.dot_general %w, %g, {product}
  %1 = stablehlo.dot_general %w, %h, {product}
  return %0, %1 : {SQUARE}, {SQUARE}"""
    arguments = f"%a: {_ROWS}, %b: {_ROWS}, %c: {_ROWS}"
    assert 0 <= extra_bytes(arguments, f"{SQUARE}, {SQUARE}", body) - _CUBE_BYTES <= 256
    assert extra_bytes(arguments, f"{SQUARE}, {SQUARE}", body, ON_CHIPS) == 2 * _CUBE_BYTES


def test_a_convolution_of_groups_of_examples_is_done_for_all_pairs_of_groups() -> None:
    """XLA allocates 1,749,248 bytes."""
    type, kernel = "tensor<4x8x8x64xf32>", "tensor<7x7x1x64xf32>"
    body = f"""
  %0 = stablehlo.convolution(%x, %y) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {{pad = [[3, 3], [3, 3]]}} {{batch_group_count = 64 : i64, feature_group_count = 1 : i64}}
      : ({type}, {type}) -> {kernel}
  return %0 : {kernel}"""
    boundary = 2 * 4 * 8 * 8 * 64 * 4 + 7 * 7 * 64 * 4
    assert extra_bytes(f"%x: {type}, %y: {type}", kernel, body) + boundary == pytest.approx(1_749_248, rel=0.01)
    assert extra_bytes(f"%x: {type}, %y: {type}", kernel, body, ON_CHIPS) == 0
