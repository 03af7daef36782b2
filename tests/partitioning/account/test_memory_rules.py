"""Each rule of the account of memory by itself: the order, what fuses, functions in the place of calls, what is written
in place, what is copied."""

from __future__ import annotations

from functools import partial

import pytest

from pyshardy import parse
from pyshardy.ir.operation import Block, Operation
from pyshardy.partitioning.account.depth_first import is_moderate
from pyshardy.partitioning.account.donated import donated_and_read_later
from pyshardy.partitioning.account.fusion import values_in_passing
from pyshardy.partitioning.account.liveness import AS_WRITTEN, MemoryModel
from pyshardy.partitioning.account.memory import memory_of

_ROW = "tensor<256xf32>"
_SQUARE = "tensor<16x16xf32>"
_BYTES = 1024
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
    return [op.name.split(".")[1] for op in model.as_it_runs(block)[0]]


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
    assert _names(block, MemoryModel(moderate=count)) == ["sine", "tanh", "return"]
    assert _names(block, MemoryModel(moderate=count - 1)) == ["tanh", "sine", "return"]
    assert not is_moderate(block, count, {next(iter(block)): 2})


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
    assert [written.index(op) for op in AS_WRITTEN.as_it_runs(block)[0]] == [*order, 2]


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
    type = _MOVED[name].rsplit(" ", 1)[1]
    body = f"{_ZERO}  %0 = stablehlo.{_MOVED[name]}{_summed('%0', type)}"
    assert _between(_ARGUMENTS, "tensor<f32>", body) <= _SMALL


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

_ON_CHIPS = MemoryModel()
"""Nothing is copied."""
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
    assert len(donated_and_read_later(_step(result))) == copied


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
        operations, _ = AS_WRITTEN.as_it_runs(block, copied=partial(list, block.arguments[:copied]))
        assert [op.name.removeprefix("stablehlo.") for op in operations[:3]] == names


def test_what_a_product_reads_stands_for_those_before_it_too() -> None:
    block = _body(
        f"%a: {_SQUARE}, %b: {_SQUARE}",
        f"{_SQUARE}, {_SQUARE}",
        f"""  %0 = stablehlo.add %a, %b : {_SQUARE}
  %1 = stablehlo.tanh %0 : {_SQUARE}
  %2 = stablehlo.dot_general %0, %b, {_PRODUCT}
  return %1, %2 : {_SQUARE}, {_SQUARE}""",
    )
    assert not values_in_passing(block.operations())
