"""Each rule of the account of memory by itself: the order, what fuses, functions in the place of calls, what is written
in place, what is copied."""

from __future__ import annotations

from functools import partial

import pytest

from pyshardy import parse
from pyshardy.ir.operation import Block, Operation
from pyshardy.partitioning.account.depth_first import has_at_most
from pyshardy.partitioning.account.donated import copied_donated_arguments
from pyshardy.partitioning.account.fusion import fused_values
from pyshardy.partitioning.account.liveness import AS_WRITTEN, MemoryModel
from pyshardy.partitioning.account.memory import memory_of

_ROW = "tensor<256xf32>"
_SQUARE = "tensor<16x16xf32>"
_BYTES = 1024
_ON_CHIPS = MemoryModel()
"""Nothing is copied."""
_SMALL = 16
"""Scalars may take so many bytes."""
_PRODUCT = f"contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}"
_ZERO = "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"


def _body(arguments: str, results: str, body: str) -> Block:
    module = parse(f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}")
    return next(op for op in module.op.body if op.symbol_name == "main").body


def _between(arguments: str, results: str, body: str, model: MemoryModel = AS_WRITTEN) -> int:
    """The bytes of the peak besides arguments and results."""
    module = parse(f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}")
    memory = memory_of(module.op, next(op for op in module.op.body if op.symbol_name == "main"), model)
    assert sum(one.bytes for one in memory.live_at_peak) + memory.reserved == memory.peak
    return memory.peak - memory.arguments - memory.results


def _summed(value: str, type: str = _SQUARE) -> str:
    """The sum of ``value``, returned."""
    dimensions = list(range(type.count("x")))
    return f"""
  %sum = stablehlo.reduce({value} init: %zero) applies stablehlo.add across dimensions = {dimensions}
      : ({type}, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>"""


# --- the order --------------------------------------------------------------------------------------------------------


def _names(block: Block, model: MemoryModel = AS_WRITTEN) -> list[str]:
    return [op.name.split(".")[1] for op in model.schedule(block)[0]]


def test_the_larger_runs_first_and_many_operations_as_they_stand() -> None:
    large = "tensor<64x64xf32>"
    block = _body(
        f"%a: {_SQUARE}, %b: {large}",
        f"{_SQUARE}, {large}",
        f"""
  %0 = stablehlo.tanh %a : {_SQUARE}
  %1 = stablehlo.sine %b : {large}
  return %0, %1 : {_SQUARE}, {large}""",
    )
    count = len(block)
    assert _names(block, MemoryModel(max_reordered=count)) == ["sine", "tanh", "return"]
    assert _names(block, MemoryModel(max_reordered=count - 1)) == ["tanh", "sine", "return"]
    assert not has_at_most(block, count, {next(iter(block)): 2})


def test_what_most_is_read_of_besides_runs_first() -> None:
    large = "tensor<64x64xf32>"
    block = _body(
        f"%a: {_SQUARE}, %b: {large}",
        f"{large}, {_SQUARE}",
        f"""
  %0 = stablehlo.tanh %b : {large}
  %1 = stablehlo.exponential %a : {_SQUARE}
  %2 = stablehlo.dot_general %1, %a, {_PRODUCT}
  %3 = stablehlo.dot_general %1, %2, {_PRODUCT}
  return %0, %3 : {large}, {_SQUARE}""",
    )
    assert _names(block) == ["exponential", "dot_general", "dot_general", "tanh", "return"]


@pytest.mark.parametrize(("kinds", "order"), [(("tanh", "sine"), [1, 0]), (("dot_general", "dot_general"), [0, 1])])
def test_of_equals_elementwise_kernels_run_from_the_last(kinds: tuple[str, str], order: list[int]) -> None:
    rest = {"dot_general": f", %a, {_PRODUCT}"}
    lines = [f"  %{n} = stablehlo.{kind} %a{rest.get(kind, f' : {_SQUARE}')}" for n, kind in enumerate(kinds)]
    body = "\n".join((*lines, f"  return %0, %1 : {_SQUARE}, {_SQUARE}"))
    block = _body(f"%a: {_SQUARE}", f"{_SQUARE}, {_SQUARE}", body)
    written = list(block)
    assert [written.index(op) for op in AS_WRITTEN.schedule(block)[0]] == [*order, 2]


def test_what_passes_counts_as_the_kernel_that_it_passes_into() -> None:
    """What the negated is made of is read by two kernels, though by one operation."""
    large = "tensor<64x64xf32>"
    block = _body(
        f"%a: {_SQUARE}, %b: {large}",
        f"{large}, {_SQUARE}, {_SQUARE}",
        f"""
  %0 = stablehlo.tanh %b : {large}
  %1 = stablehlo.exponential %a : {_SQUARE}
  %2 = stablehlo.negate %1 : {_SQUARE}
  %3 = stablehlo.sine %2 : {_SQUARE}
  %4 = stablehlo.cosine %2 : {_SQUARE}
  return %0, %3, %4 : {large}, {_SQUARE}, {_SQUARE}""",
    )
    assert _names(block)[0] == "exponential"


def test_what_a_loop_reads_inside_runs_before_it() -> None:
    block = _body(
        f"%a: {_SQUARE}, %n: tensor<i32>",
        f"tensor<i32>, {_SQUARE}",
        f"""
  %0 = stablehlo.dot_general %a, %a, {_PRODUCT}
  %1 = stablehlo.tanh %0 : {_SQUARE}
  %2:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, {_SQUARE}
  cond {{
    %m = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }} do {{
    %y = stablehlo.add %x, %1 : {_SQUARE}
    stablehlo.return %i, %y : tensor<i32>, {_SQUARE}
  }}
  return %2#0, %0 : tensor<i32>, {_SQUARE}""",
    )
    assert _names(block)[:3] == ["dot_general", "tanh", "while"]


# --- what fuses -------------------------------------------------------------------------------------------------------

_MOVED = {
    "concatenate": f"concatenate %a, %b, dim = 0 : ({_ROW}, {_ROW}) -> tensor<512xf32>",
    "dynamic_slice": f"dynamic_slice %a, %i, sizes = [200] : ({_ROW}, tensor<i32>) -> tensor<200xf32>",
    "pad": f"pad %a, %zero, low = [64], high = [0], interior = [0] : ({_ROW}, tensor<f32>) -> tensor<320xf32>",
    "reverse": f"reverse %a, dims = [0] : {_ROW}",
    "slice": f"slice %a [0:200] : ({_ROW}) -> tensor<200xf32>",
    "transpose": f"transpose %s, dims = [1, 0] : ({_SQUARE}) -> {_SQUARE}",
}
_ARGUMENTS = f"%a: {_ROW}, %b: {_ROW}, %s: {_SQUARE}, %i: tensor<i32>"


@pytest.mark.parametrize("name", _MOVED)
def test_what_moves_elements_needs_no_memory_where_it_is_summed(name: str) -> None:
    """But for XLA's CPU backend, whose library sums what stands in memory, or is padded."""
    type = _MOVED[name].rsplit(" ", 1)[1]
    body = f"{_ZERO}  %0 = stablehlo.{_MOVED[name]}{_summed('%0', type)}"
    assert _between(_ARGUMENTS, "tensor<f32>", body, _ON_CHIPS) <= _SMALL
    assert (_between(_ARGUMENTS, "tensor<f32>", body) <= _SMALL) == (name == "pad")


@pytest.mark.parametrize("name", _MOVED)
def test_it_stands_where_two_kernels_read_it(name: str) -> None:
    type = _MOVED[name].rsplit(" ", 1)[1]
    again = _summed("%0", type).replace("%sum", "%max").replace("add", "maximum").splitlines()[1:-1]
    both = _summed("%0", type).replace("return %sum : tensor<f32>", "return %sum, %max : tensor<f32>, tensor<f32>")
    body = f"{_ZERO}  %0 = stablehlo.{_MOVED[name]}\n" + "\n".join(again) + both
    assert _between(_ARGUMENTS, "tensor<f32>, tensor<f32>", body) >= 800


def test_a_product_reads_what_is_transposed_as_it_was() -> None:
    body = f"""
  %0 = stablehlo.transpose %a, dims = [1, 0] : ({_SQUARE}) -> {_SQUARE}
  %1 = stablehlo.dot_general %0, %b, {_PRODUCT}
  %2 = stablehlo.dot_general %1, %0, {_PRODUCT}
  return %2 : {_SQUARE}"""
    assert _between(f"%a: {_SQUARE}, %b: {_SQUARE}", _SQUARE, body) == _BYTES


def test_the_sum_that_is_normed_stands_not_what_it_is_the_sum_of() -> None:
    """The mean waits for all of the sum, which a second kernel reads beside it."""
    body = f"""{_ZERO}  %0 = stablehlo.dot_general %a, %a, {_PRODUCT}
  %1 = stablehlo.dot_general %0, %a, {_PRODUCT}
  %2 = stablehlo.add %0, %1 : {_SQUARE}
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : ({_SQUARE}, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> {_SQUARE}
  %5 = stablehlo.dot_general %4, %a, {_PRODUCT}
  %6 = stablehlo.subtract %2, %5 : {_SQUARE}{_summed("%6")}"""
    assert 0 <= _between(f"%a: {_SQUARE}", "tensor<f32>", body) - 3 * _BYTES <= _SMALL


def test_of_one_value_each_kernel_makes_it_again() -> None:
    body = f"""{_ZERO}  %0 = stablehlo.dot_general %a, %a, {_PRODUCT}
  %2 = stablehlo.negate %0 : {_SQUARE}
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : ({_SQUARE}, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> {_SQUARE}
  %6 = stablehlo.subtract %2, %4 : {_SQUARE}{_summed("%6")}"""
    both = body.replace("return %sum : tensor<f32>", f"return %sum, %0 : tensor<f32>, {_SQUARE}")
    assert _between(f"%a: {_SQUARE}", f"tensor<f32>, {_SQUARE}", both) <= _SMALL


# --- functions in the place of calls ----------------------------------------------------------------------------------


def _function(name: str, results: str, body: str) -> str:
    return f"\n}}\nfunc.func private @{name}(%x: {_SQUARE}) -> {results} {{\n{body}"


def test_what_a_function_makes_passes_into_its_reader() -> None:
    square = _function("square", _SQUARE, f"  %0 = stablehlo.multiply %x, %x : {_SQUARE}\n  return %0 : {_SQUARE}")
    body = f"{_ZERO}  %0 = call @square(%a) : ({_SQUARE}) -> {_SQUARE}{_summed('%0')}{square}"
    assert _between(f"%a: {_SQUARE}", "tensor<f32>", body) <= _SMALL


def test_what_a_function_reads_element_by_element_passes_into_it() -> None:
    total = _function("total", "tensor<f32>", _ZERO + _summed("%x"))
    body = f"""  %0 = stablehlo.multiply %a, %a : {_SQUARE}
  %1 = call @total(%0) : ({_SQUARE}) -> tensor<f32>
  return %1 : tensor<f32>{total}"""
    assert _between(f"%a: {_SQUARE}", "tensor<f32>", body) <= _SMALL


def test_what_a_result_that_passes_is_made_of_lives_as_long() -> None:
    negate = _function("minus", _SQUARE, f"  %0 = stablehlo.negate %x : {_SQUARE}\n  return %0 : {_SQUARE}")
    body = f"""{_ZERO}  %0 = stablehlo.dot_general %a, %a, {_PRODUCT}
  %1 = call @minus(%0) : ({_SQUARE}) -> {_SQUARE}
  %2 = stablehlo.dot_general %a, %b, {_PRODUCT}
  %3 = stablehlo.multiply %1, %2 : {_SQUARE}{_summed("%3")}{negate}"""
    assert 0 <= _between(f"%a: {_SQUARE}, %b: {_SQUARE}", "tensor<f32>", body) - 2 * _BYTES <= _SMALL


def test_so_does_another_result_that_it_is_made_of() -> None:
    both = _function(
        "both",
        f"({_SQUARE}, {_SQUARE})",
        f"""  %0 = stablehlo.exponential %x : {_SQUARE}
  %1 = stablehlo.negate %0 : {_SQUARE}
  return %1, %0 : {_SQUARE}, {_SQUARE}""",
    )
    body = f"""{_ZERO}  %0:2 = call @both(%a) : ({_SQUARE}) -> ({_SQUARE}, {_SQUARE})
  %1 = stablehlo.dot_general %0#1, %b, {_PRODUCT}
  %2 = stablehlo.dot_general %1, %b, {_PRODUCT}
  %3 = stablehlo.multiply %0#0, %2 : {_SQUARE}{_summed("%3")}{both}"""
    assert 0 <= _between(f"%a: {_SQUARE}, %b: {_SQUARE}", "tensor<f32>", body) - 3 * _BYTES <= _SMALL


# --- what is written in place -----------------------------------------------------------------------------------------


def test_a_barrier_stands_in_the_place_of_what_it_holds_back() -> None:
    body = f"""{_ZERO}  %0 = stablehlo.dot_general %a, %a, {_PRODUCT}
  %1 = stablehlo.optimization_barrier %0 : {_SQUARE}{_summed("%1")}"""
    assert 0 <= _between(f"%a: {_SQUARE}", "tensor<f32>", body) - _BYTES <= _SMALL


def test_what_products_one_behind_the_other_read_is_written_in_place() -> None:
    type, narrow = "tensor<2x8x16xf32>", "tensor<2x8x1xf32>"
    numbers = "batching_dims = [0] x [0], contracting_dims = [2] x [1]"
    body = f"""
  %0 = stablehlo.dot_general %a, %w, {numbers} : ({type}, tensor<2x16x16xf32>) -> {type}
  %1 = stablehlo.exponential %0 : {type}
  %2 = stablehlo.dot_general %1, %v, {numbers} : ({type}, tensor<2x16x1xf32>) -> {narrow}
  return %2 : {narrow}"""
    assert _between(f"%a: {type}, %w: tensor<2x16x16xf32>, %v: tensor<2x16x1xf32>", narrow, body) == _BYTES


def test_room_for_one_result_holds_one_value_in_between() -> None:
    half = "tensor<8x16xf32>"
    body = f"""{_ZERO}  %0 = stablehlo.dot_general %a, %a, {_PRODUCT}
  %1 = stablehlo.dot_general %b, %0, contracting_dims = [1] x [0] : ({half}, {_SQUARE}) -> {half}
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : ({half}, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : ({_SQUARE}, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.add %2, %3 : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> {_SQUARE}
  return %5 : {_SQUARE}"""
    assert 0 <= _between(f"%a: {_SQUARE}, %b: {half}", _SQUARE, body) - _BYTES // 2 <= _SMALL


# --- what is copied ---------------------------------------------------------------------------------------------------

_BATCH = "tensor<2x8x16xf32>"
_OVER_BATCH = f"contracting_dims = [0, 1] x [0, 1] : ({_BATCH}, {_BATCH}) -> {_SQUARE}"
_OF_BATCH = f"contracting_dims = [2] x [0] : ({_BATCH}, {_SQUARE}) -> {_BATCH}"


def test_a_product_that_sums_over_a_batch_copies_its_first_operand() -> None:
    body = f"  %0 = stablehlo.dot_general %x, %y, {_OVER_BATCH}\n  return %0 : {_SQUARE}"
    arguments = f"%x: {_BATCH}, %y: {_BATCH}"
    assert _between(arguments, _SQUARE, body) == _BYTES
    assert _between(arguments, _SQUARE, body, _ON_CHIPS) == 0


def test_what_nobody_else_reads_is_made_in_that_order() -> None:
    body = f"""
  %0 = stablehlo.dot_general %x, %w, {_OF_BATCH}
  %1 = stablehlo.dot_general %0, %x, {_OVER_BATCH}
  return %1 : {_SQUARE}"""
    assert _between(f"%x: {_BATCH}, %w: {_SQUARE}", _SQUARE, body) == _BYTES


def _gradient(step: str) -> str:
    """A gradient, by which ``step`` goes back from %0, made of %x: that of weights is made last."""
    return f"""{_ZERO}  %0 = stablehlo.dot_general %x, %w, {_OF_BATCH}
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> {_BATCH}
  {step}
  %2 = stablehlo.dot_general %1, %w, {_OF_BATCH}
  %3 = stablehlo.tanh %2 : {_BATCH}
  %4 = stablehlo.dot_general %3, %w, {_OF_BATCH}
  %5 = stablehlo.dot_general %1, %4, {_OVER_BATCH}
  return %5 : {_SQUARE}"""


def test_what_a_kernel_makes_for_others_too_it_makes_again() -> None:
    """With the copy, what that is made of stands: two values, where one that is kept would do."""
    arguments = f"%x: {_BATCH}, %y: {_BATCH}, %w: {_SQUARE}"
    step = f"""%t = stablehlo.tanh %y : {_BATCH}
  %unread = stablehlo.dot_general %t, %w, {_OF_BATCH}
  %1 = stablehlo.multiply %0, %t : {_BATCH}"""
    assert _between(arguments, _SQUARE, _gradient(step)) - _between(arguments, _SQUARE, _gradient(step), _ON_CHIPS) == (
        2 * _BYTES
    )


def test_what_reads_products_alone_is_kept_in_rows() -> None:
    arguments = f"%x: {_BATCH}, %y: {_BATCH}, %w: {_SQUARE}"
    step = f"%1 = stablehlo.maximum %0, %z : {_BATCH}"
    assert _between(arguments, _SQUARE, _gradient(step)) - _between(arguments, _SQUARE, _gradient(step), _ON_CHIPS) == 0


_GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"


@pytest.mark.parametrize(("dim", "copied"), [(0, 0), (1, 512)])
def test_what_is_gathered_along_another_dimension_is_copied(dim: int, copied: int) -> None:
    """Then the piece is gone that it was gathered from."""
    piece = "tensor<8x16xf32>" if dim == 0 else "tensor<16x8xf32>"
    narrow = "tensor<16x1xf32>"
    body = f"""
  %0 = stablehlo.tanh %a : {piece}
  %1 = "stablehlo.all_gather"(%0) <{{all_gather_dim = {dim} : i64, {_GROUPS}}}> : ({piece}) -> {_SQUARE}
  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : ({_SQUARE}, {narrow}) -> {narrow}
  return %2 : {narrow}"""
    assert _between(f"%a: {piece}, %b: {narrow}", narrow, body) == 512 + 1024 + copied


@pytest.mark.parametrize(("dim", "copied"), [(0, 0), (1, 512)])
def test_what_is_scattered_along_another_dimension_is_copied_before(dim: int, copied: int) -> None:
    """Then the result is not there yet, in whose place half of the copy may stand."""
    piece = "tensor<8x16xf32>" if dim == 0 else "tensor<16x8xf32>"
    body = f"""
  %0 = stablehlo.dot_general %a, %a, {_PRODUCT}
  %1 = "stablehlo.reduce_scatter"(%0) <{{scatter_dimension = {dim} : i64, {_GROUPS}}}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : ({_SQUARE}) -> {piece}
  return %1 : {piece}"""
    assert _between(f"%a: {_SQUARE}", piece, body) == 1024 + copied


def _step(result: str) -> Operation:
    """A step that takes ``result`` from donated weights."""
    block = _body(
        f"%w: {_SQUARE} {{tf.aliasing_output = 1 : i32}}, %x: {_SQUARE}",
        f"{_SQUARE}, {_SQUARE}",
        f"""
  %0 = stablehlo.dot_general %x, %w, {_PRODUCT}
  %1 = stablehlo.dot_general %x, %x, {_PRODUCT}
  %2 = stablehlo.subtract %w, {result} : {_SQUARE}
  return %0, %2 : {_SQUARE}, {_SQUARE}""",
    )
    assert block.parent_op is not None
    return block.parent_op


@pytest.mark.parametrize(("result", "copied"), [("%0", 0), ("%1", 1)])
def test_donated_weights_are_copied_if_the_new_ones_do_not_wait_for_all_who_read_them(result: str, copied: int) -> None:
    assert len(copied_donated_arguments(_step(result))) == copied


def test_what_is_copied_counts_for_the_order() -> None:
    """The weights are read by two, what else the smaller product reads by one."""
    small = "tensor<8x8xf32>"
    block = _body(
        f"%w: {small}, %x: {_SQUARE}",
        f"{_SQUARE}, {small}, {small}",
        f"""
  %0 = stablehlo.dot_general %x, %x, {_PRODUCT}
  %1 = stablehlo.tanh %w : {small}
  %2 = stablehlo.sine %w : {small}
  return %0, %1, %2 : {_SQUARE}, {small}, {small}""",
    )
    for copied, names in (
        (0, ["dot_general", "sine", "tanh"]),
        (1, ["sine", "tanh", "dot_general"]),
    ):
        operations, _ = AS_WRITTEN.schedule(block, copied=partial(list, block.arguments[:copied]))
        assert [op.name.removeprefix("stablehlo.") for op in operations[:3]] == names


# --- what kernels need besides ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("model, is_counted", [(AS_WRITTEN, True), (MemoryModel(), False)])
def test_the_gradient_of_pooling_writes_the_indices_of_all_elements(model: MemoryModel, is_counted: bool) -> None:
    image, pooled = "tensor<8x16x16x4xf32>", "tensor<8x8x8x4xf32>"
    elements, windows, dimensions = 8 * 16 * 16 * 4, 8 * 8 * 8 * 4, 4
    between = _between(
        f"%image: {image}, %above: {pooled}",
        image,
        f"""{_ZERO}
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
    assert between - _SMALL <= (needed if is_counted else 0) <= between


def test_a_cumulative_sum_is_done_in_parts_of_a_copy() -> None:
    for window, copied in ((16, 0), (256, _BYTES)):
        row = f"tensor<{_BYTES // 4 // window}x{window}xf32>"
        body = f"""{_ZERO}
  %0 = "stablehlo.reduce_window"(%x, %zero) <{{
    window_dimensions = array<i64: 1, {window}>, padding = dense<[[0, 0], [{window - 1}, 0]]> : tensor<2x2xi64>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }}) : ({row}, tensor<f32>) -> {row}
  return %0 : {row}"""
        assert 0 <= _between(f"%x: {row}", row, body) - copied <= _SMALL


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
        (0, "tensor<8x16xf32>", _SQUARE, False),
        (0, "tensor<128xf32>", _ROW, False),
    ],
)
def test_rows_are_joined_in_memory(dim: int, piece: str, whole: str, stand: bool) -> None:
    """The pieces stand, and what they become in the room of the result, which is made of it in its place."""
    body = _joined(dim, piece, whole)
    assert _between(f"%a: {piece}", whole, body) == (_BYTES if stand else 0)
    assert _between(f"%a: {piece}", whole, body, _ON_CHIPS) == 0


def _two_sums(made: str, first: str = "[0, 1]", second: str = "[0, 1]") -> str:
    return f"""{_ZERO}  {made}
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = {first}
      : ({_SQUARE}, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reduce(%1 init: %zero) applies stablehlo.maximum across dimensions = {second}
      : ({_SQUARE}, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.add %2, %3 : tensor<f32>
  return %4 : tensor<f32>"""


def test_what_two_sums_read_stands() -> None:
    body = _two_sums(f"%1 = stablehlo.negate %a : {_SQUARE}")
    assert 0 <= _between(f"%a: {_SQUARE}", "tensor<f32>", body) - _BYTES <= _SMALL
    assert _between(f"%a: {_SQUARE}", "tensor<f32>", body, _ON_CHIPS) <= _SMALL


@pytest.mark.parametrize(("made", "stands"), [("add %a, %b", True), ("negate %a", False)])
def test_what_joins_several_for_a_sum_and_another_kernel_stands(made: str, stands: bool) -> None:
    body = f"""{_ZERO}  %0 = stablehlo.{made} : {_SQUARE}
  %1 = stablehlo.tanh %0 : {_SQUARE}{_summed("%0").replace("return %sum : tensor<f32>", "")}
  return %sum, %1 : tensor<f32>, {_SQUARE}"""
    between = _between(f"%a: {_SQUARE}, %b: {_SQUARE}", f"tensor<f32>, {_SQUARE}", body)
    assert 0 <= between - stands * _BYTES <= _SMALL


_SELECTED = f"%1 = stablehlo.select %p, %a, %b : tensor<16x16xi1>, {_SQUARE}"


def test_a_library_sums_what_is_selected_from_memory() -> None:
    arguments = f"%a: {_SQUARE}, %b: {_SQUARE}, %p: tensor<16x16xi1>"
    body = f"{_ZERO}  {_SELECTED}{_summed('%1')}"
    assert 0 <= _between(arguments, "tensor<f32>", body) - _BYTES <= _SMALL
    assert _between(arguments, "tensor<f32>", body, _ON_CHIPS) <= _SMALL


@pytest.mark.parametrize(
    ("element", "kind", "stands"), [("f32", "add", False), ("f32", "multiply", True), ("i32", "add", True)]
)
def test_other_sums_than_those_of_the_library_read_memory(element: str, kind: str, stands: bool) -> None:
    square, number = (one.replace("f32", element) for one in (_SQUARE, "tensor<f32>"))
    body = f"""
  %zero = stablehlo.constant dense<0> : {number}
  %1 = stablehlo.negate %a : {square}
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.{kind} across dimensions = [0, 1]
      : ({square}, {number}) -> {number}
  return %2 : {number}""".replace("dense<0>", "dense<0>" if element == "i32" else "dense<0.0>")
    assert (_between(f"%a: {square}", number, body) > _SMALL) == stands


_TAKEN = """"stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}>"""


@pytest.mark.parametrize("model", [AS_WRITTEN, _ON_CHIPS])
def test_what_is_gathered_from_is_made_where_it_is_taken(model: MemoryModel) -> None:
    arguments, rows = f"%a: {_SQUARE}, %i: tensor<8xi32>", "tensor<8x16xf32>"
    taken = f"  %0 = stablehlo.tanh %a : {_SQUARE}\n  %1 = {_TAKEN} : ({_SQUARE}, tensor<8xi32>) -> {rows}\n"
    assert _between(arguments, rows, f"{taken}  %2 = stablehlo.negate %1 : {rows}\n  return %2 : {rows}", model) == 0
    # A sum reads it from memory.
    summed = f"{_ZERO}{taken}{_summed('%1', rows)}"
    assert 0 <= _between(arguments, "tensor<f32>", summed, model) - _BYTES // 2 <= _SMALL


def test_a_sort_takes_the_place_of_what_it_sorts() -> None:
    body = f"""
  %0 = stablehlo.tanh %a : {_ROW}
  %1 = "stablehlo.sort"(%0) <{{dimension = 0 : i64}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %lt = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }}) : ({_ROW}) -> {_ROW}
  return %1 : {_ROW}"""
    assert _between(f"%a: {_ROW}", _ROW, body) == 0


# --- what is made again, and how long it is kept ----------------------------------------------------------------------

_IN_TURN = f"contracting_dims = [0, 1] x [0, 1] : ({_BATCH}, {_BATCH}) -> {_SQUARE}"


def test_what_products_read_in_two_orders_is_made_for_each() -> None:
    """Never as it stands, and one after the other."""
    body = f"""
  %n = stablehlo.negate %x : {_BATCH}
  %0 = stablehlo.dot_general %n, %y, {_OVER_BATCH}
  %1 = stablehlo.dot_general %n, %z, contracting_dims = [1] x [0] : ({_BATCH}, tensor<8xf32>) -> tensor<2x16xf32>
  %2 = stablehlo.dot_general %n, %u, contracting_dims = [1, 2] x [0, 1] : ({_BATCH}, tensor<8x16xf32>) -> tensor<2xf32>
  %3 = stablehlo.dot_general %n, %t, contracting_dims = [2, 0] x [0, 1] : ({_BATCH}, tensor<16x2xf32>) -> tensor<8xf32>
  return %0, %3 : {_SQUARE}, tensor<8xf32>"""
    arguments = f"%x: {_BATCH}, %y: {_BATCH}, %z: tensor<8xf32>, %u: tensor<8x16xf32>, %t: tensor<16x2xf32>"
    assert _between(arguments, f"{_SQUARE}, tensor<8xf32>", body) <= _BYTES + 128


def test_what_is_made_again_is_kept_for_the_next_that_reads_it_so() -> None:
    """Between them a product stands that the last reads."""

    def body(last: str) -> str:
        return f"""
  %n = stablehlo.negate %x : {_BATCH}
  %p = stablehlo.dot_general %n, %w, {_OF_BATCH}
  %0 = stablehlo.dot_general %n, %y, {_OVER_BATCH}
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] : ({_SQUARE}, {_SQUARE}) -> {_SQUARE}
  %v = stablehlo.reshape %2 : ({_SQUARE}) -> {_BATCH}
  %3 = stablehlo.dot_general {last}, {_OVER_BATCH}
  return %3, %p : {_SQUARE}, {_BATCH}"""

    arguments, results = f"%x: {_BATCH}, %y: {_BATCH}, %w: {_SQUARE}", f"{_SQUARE}, {_BATCH}"
    kept, not_kept = (_between(arguments, results, body(last)) for last in ("%n, %v", "%x, %v"))
    assert kept >= not_kept


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
    between = _between(f"%x: {image}, %k: {kernel}", f"{result}, {image}", body)
    assert between == copied * 2 * _BYTES


def _loop(first: str, second: str) -> str:
    return f"""
  %0:3 = stablehlo.while(%i = %n, %x = %a, %y = %b) : tensor<i32>, {_ROW}, {_ROW}
  cond {{
    %m = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }} do {{
    %p = stablehlo.{first} : {_ROW}
    %q = stablehlo.{second} : {_ROW}
    stablehlo.return %i, %p, %q : tensor<i32>, {_ROW}, {_ROW}
  }}
  return %0#1, %0#2 : {_ROW}, {_ROW}"""


@pytest.mark.parametrize(
    ("first", "second", "copied"),
    [("add %x, %y", "subtract %x, %y", 2), ("negate %x", "negate %y", 0), ("negate %x", "add %p, %y", 0)],
)
def test_a_loop_copies_what_the_next_value_in_its_place_does_not_wait_for(first: str, second: str, copied: int) -> None:
    arguments = f"%a: {_ROW}, %b: {_ROW}, %n: tensor<i32>"
    between = _between(arguments, f"{_ROW}, {_ROW}", _loop(first, second))
    assert 0 <= between - copied * _BYTES <= _SMALL


def test_a_product_that_sums_nothing_is_made_where_it_is_read() -> None:
    arguments, square = "%a: tensor<16xf32>, %b: tensor<16xf32>", f"(tensor<16xf32>, tensor<16xf32>) -> {_SQUARE}"
    body = f"""{_ZERO}  %0 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : {square}
  %1 = stablehlo.tanh %0 : {_SQUARE}{_summed("%1")}"""
    assert _between(arguments, "tensor<f32>", body) <= _SMALL


def test_what_a_product_reads_stands_for_those_before_it_too() -> None:
    block = _body(
        f"%a: {_SQUARE}, %b: {_SQUARE}",
        f"{_SQUARE}, {_SQUARE}",
        f"""  %0 = stablehlo.add %a, %b : {_SQUARE}
  %1 = stablehlo.tanh %0 : {_SQUARE}
  %2 = stablehlo.dot_general %0, %b, {_PRODUCT}
  return %1, %2 : {_SQUARE}, {_SQUARE}""",
    )
    assert not fused_values(block.operations())


def test_what_a_loop_reads_from_outside_is_copied_there() -> None:
    body = f"""
  %n = stablehlo.negate %x : {_BATCH}
  %0:2 = stablehlo.while(%i = %m, %s = %w) : tensor<i32>, {_SQUARE}
  cond {{
    %c = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %g = stablehlo.dot_general %n, %y, {_OVER_BATCH}
    %h = stablehlo.dot_general %n, %s, {_OF_BATCH}
    %t = stablehlo.dot_general %h, %y, {_OVER_BATCH}
    %u = stablehlo.add %g, %t : {_SQUARE}
    stablehlo.return %i, %u : tensor<i32>, {_SQUARE}
  }}
  return %0#1 : {_SQUARE}"""
    arguments = f"%x: {_BATCH}, %y: {_BATCH}, %w: {_SQUARE}, %m: tensor<i32>"
    # The value itself, and inside its copy with what it is for.
    assert _between(arguments, _SQUARE, body) >= 2 * _BYTES
