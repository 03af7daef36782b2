"""Each rule of the account of memory by itself: the order, what fuses, functions in the place of calls, what is written
in place."""

from __future__ import annotations

import pytest

from pyshardy import parse
from pyshardy.ir.operation import Block
from pyshardy.partitioning.account.depth_first import in_order, is_moderate
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


def _between(arguments: str, results: str, body: str) -> int:
    """The bytes of the peak besides arguments and results."""
    module = parse(f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}")
    memory = memory_of(module.op, next(op for op in module.op.body if op.symbol_name == "main"))
    return memory.peak - memory.arguments - memory.results


def _summed(value: str, type: str = _SQUARE) -> str:
    """The sum of ``value``, returned."""
    dimensions = list(range(type.count("x")))
    return f"""
  %sum = stablehlo.reduce({value} init: %zero) applies stablehlo.add across dimensions = {dimensions}
      : ({type}, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>"""


# --- the order --------------------------------------------------------------------------------------------------------


def _chain(layers: int) -> Block:
    """Products one behind the other; what is returned first is made last, and needs nothing of them."""
    lines = [
        f"  %{n + 1} = stablehlo.dot_general %{n or 'a'}, %a, {_PRODUCT}".replace("%0,", "%a,") for n in range(layers)
    ]
    lines += [f"  %t = stablehlo.tanh %a : {_SQUARE}", f"  return %t, %{layers} : {_SQUARE}, {_SQUARE}"]
    return _body(f"%a: {_SQUARE}", f"{_SQUARE}, {_SQUARE}", "\n".join(lines))


@pytest.mark.parametrize(("layers", "first"), [(7, "stablehlo.tanh"), (8, "stablehlo.dot_general")])
def test_many_layers_run_as_they_stand(layers: int, first: str) -> None:
    assert in_order(_chain(layers))[0].name == first


def test_so_do_many_operations() -> None:
    block = _chain(3)
    count = len(block)
    assert in_order(block, count)[0].name == "stablehlo.tanh"
    assert in_order(block, count - 1)[0].name == "stablehlo.dot_general"
    assert not is_moderate(block, count, {next(iter(block)): 2})


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
    names = [op.name.removeprefix("stablehlo.") for op in in_order(block)]
    assert names[:3] == ["dot_general", "tanh", "while"]


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
