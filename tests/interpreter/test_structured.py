"""Operations with attributes: hand-written programs against XLA, those included that JAX hardly ever makes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array
from tests.interpreter.compiled import assert_like_compiled, assert_program


def main(operation: str, arguments: str, result: str, *, results: int = 1) -> str:
    """A program of one operation with the arguments ``a``, ``b``, …, whose types are separated by spaces."""
    types = arguments.split()
    listed = ", ".join(f"%{name}: tensor<{type}>" for name, type in zip("abcdefgh", types, strict=False))
    outputs = ", ".join(f"tensor<{one}>" for one in result.split())
    names = "%0" if results == 1 else ", ".join(f"%0#{n}" for n in range(results))
    bound = "%0" if results == 1 else f"%0:{results}"
    return f"func.func @main({listed}) -> ({outputs}) {{\n  {bound} = {operation}\n  return {names} : {outputs}\n}}"


def quoted(name: str, properties: str, arguments: str, result: str, body: str = "", *, results: int = 1) -> str:
    """The same for an operation in generic form that takes all arguments."""
    types = arguments.split()
    operands = ", ".join(f"%{letter}" for letter, _ in zip("abcdefgh", types, strict=False))
    inputs, outputs = (", ".join(f"tensor<{one}>" for one in listed.split()) for listed in (arguments, result))
    written = f"<{{{properties}}}>" if properties else ""
    operation = f'"stablehlo.{name}"({operands}) {written} {body} : ({inputs}) -> ({outputs})'
    return main(operation, arguments, result, results=results)


def reducer(operation: str, element: str = "f32") -> str:
    return f"""({{ ^bb0(%p: tensor<{element}>, %q: tensor<{element}>):
      %s = stablehlo.{operation} %p, %q : tensor<{element}>
      stablehlo.return %s : tensor<{element}> }})"""


SHAPES = {
    "broadcast_in_dim": main(
        "stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<3x1xf32>) -> tensor<4x2x3xf32>", "3x1xf32", "4x2x3xf32"
    ),
    "broadcast": main(
        "stablehlo.broadcast %a, sizes = [2, 1] : (tensor<3xf32>) -> tensor<2x1x3xf32>", "3xf32", "2x1x3xf32"
    ),
    "concatenate": main(
        "stablehlo.concatenate %a, %b, %a, dim = 1 : (tensor<2x3xi8>, tensor<2x1xi8>, "
        "tensor<2x3xi8>) -> tensor<2x7xi8>",
        "2x3xi8 2x1xi8",
        "2x7xi8",
    ),
    "iota": main("stablehlo.iota dim = 1 : tensor<2x5xbf16>", "", "2x5xbf16"),
    "iota_complex": main("stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>", "", "3xcomplex<f32>"),
    "reshape": main("stablehlo.reshape %a : (tensor<2x6xf32>) -> tensor<3x1x4xf32>", "2x6xf32", "3x1x4xf32"),
    "reverse": main("stablehlo.reverse %a, dims = [0, 2] : tensor<2x3x4xf32>", "2x3x4xf32", "2x3x4xf32"),
    "transpose": main(
        "stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>", "2x3x4xf32", "4x2x3xf32"
    ),
    "slice": main("stablehlo.slice %a [1:7:3, 0:2] : (tensor<8x4xf32>) -> tensor<2x2xf32>", "8x4xf32", "2x2xf32"),
    "pad": quoted(
        "pad",
        "edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: -2, 3>, "
        "interior_padding = array<i64: 2, 0>",
        "3x4xf32 f32",
        "6x6xf32",
    ),
    "pad_away": quoted(
        "pad",
        "edge_padding_low = array<i64: -5>, edge_padding_high = array<i64: 6>, interior_padding = array<i64: 1>",
        "3xf32 f32",
        "6xf32",
    ),
    "pad_negative_between": quoted(
        "pad",
        "edge_padding_low = array<i64: -1>, edge_padding_high = array<i64: -3>, interior_padding = array<i64: 2>",
        "5xi32 i32",
        "9xi32",
    ),
    "empty": main("stablehlo.slice %a [2:2] : (tensor<4xf32>) -> tensor<0xf32>", "4xf32", "0xf32"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    assert_program(SHAPES[name])


@pytest.mark.parametrize("low", [-9, 0])
def test_dynamic_slices_are_moved_inside(low: int) -> None:
    text = main(
        "stablehlo.dynamic_slice %a, %b, %c, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, "
        "tensor<i32>) -> tensor<2x3xf32>",
        "4x6xf32 i32 i32",
        "2x3xf32",
    )
    update = quoted("dynamic_update_slice", "", "4x6xf32 2x3xf32 ui8 ui8", "4x6xf32")
    for seed in range(4):
        assert_program(text, seed=seed, a1=(low, 9), a2=(low, 9))
        assert_program(update, seed=seed, a2=(0, 255), a3=(0, 9))


DOTS = {
    "dot": main(
        "stablehlo.dot %a, %b : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>", "3x4xf32 4x5xf32", "3x5xf32"
    ),
    "dot_vectors": main("stablehlo.dot %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>", "4xf32 4xf32", "f32"),
    "batching": main(
        "stablehlo.dot_general %a, %b, batching_dims = [2, 0] x [0, 1], contracting_dims = [1] x [3] : "
        "(tensor<2x3x5x4xf32>, tensor<5x2x6x3xf32>) -> tensor<5x2x4x6xf32>",
        "2x3x5x4xf32 5x2x6x3xf32",
        "5x2x4x6xf32",
    ),
    "two_contracting": main(
        "stablehlo.dot_general %a, %b, contracting_dims = [0, 2] x [1, 0] : (tensor<2x3x4xf32>, tensor<4x2x5xf32>) -> "
        "tensor<3x5xf32>",
        "2x3x4xf32 4x2x5xf32",
        "3x5xf32",
    ),
    "bytes_to_words": main(
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xi8>, "
        "tensor<3x4xi8>) -> tensor<2x4xi32>",
        "2x3xi8 3x4xi8",
        "2x4xi32",
    ),
    "short_floats_to_long": main(
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> "
        "tensor<2x4xf32>",
        "2x3xbf16 3x4xbf16",
        "2x4xf32",
    ),
    "nothing_to_add": main(
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x0xf32>, "
        "tensor<0x4xf32>) -> tensor<2x4xf32>",
        "2x0xf32 0x4xf32",
        "2x4xf32",
    ),
    "complex": main(
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xcomplex<f32>>, "
        "tensor<3x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>",
        "2x3xcomplex<f32> 3x4xcomplex<f32>",
        "2x4xcomplex<f32>",
    ),
}


@pytest.mark.parametrize("name", DOTS)
def test_dot(name: str) -> None:
    assert_program(DOTS[name], a0=(-100, 100) if name == "bytes_to_words" else (-3, 3))


def test_products_of_large_integers_wrap_around() -> None:
    text = main(
        "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xi32>, "
        "tensor<3x2xi32>) -> tensor<2x2xi32>",
        "2x3xi32 3x2xi32",
        "2x2xi32",
    )
    assert_program(text, a0=(2**30, 2**31 - 1), a1=(2**30, 2**31 - 1))


def test_einsum() -> None:
    text = main(
        'stablehlo.einsum %a, %b, config = "bij,bjk->bik" : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) '
        "-> tensor<2x3x5xf32>",
        "2x3x4xf32 2x4x5xf32",
        "2x3x5xf32",
    )
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 3, 4)).astype(np.float32), rng.normal(size=(2, 4, 5)).astype(np.float32)
    np.testing.assert_allclose(run(parse(text), [a, b])[0], a @ b, rtol=1e-5)


CONVOLUTIONS = {
    "plain": ("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "", "2x8x7x3xf32", "3x2x3x4xf32", "2x6x6x4xf32", ""),
    "strides_and_padding": (
        "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
        "stride = [2, 1], pad = [[1, 2], [0, -1]]",
        "2x3x8x7xf32",
        "4x3x3x2xf32",
        "2x4x5x5xf32",
        "",
    ),
    "dilations": (
        "[b, 0, f]x[0, i, o]->[f, b, 0]",
        "stride = [2], pad = [[2, 1]], lhs_dilate = [3], rhs_dilate = [2]",
        "2x5x3xf32",
        "3x3x4xf32",
        "4x2x6xf32",
        "",
    ),
    "reversed": (
        "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
        "reverse = [true, false]",
        "2x5x5x3xf32",
        "3x2x3x4xf32",
        "2x3x4x4xf32",
        "",
    ),
    "feature_groups": ("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "2x6x6xf32", "3x2x9xf32", "2x4x9xf32", "feature 3"),
    "depthwise": ("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "2x6x4xf32", "3x1x8xf32", "2x4x8xf32", "feature 4"),
    "batch_groups": ("[f, 0, b]x[o, 0, i]->[f, 0, b]", "", "3x6x4xf32", "6x3x3xf32", "6x4x2xf32", "batch 2"),
    "large_kernel": (
        "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
        "rhs_dilate = [1, 2]",
        "2x8x9x3xf32",
        "7x4x3x4xf32",
        "2x2x3x4xf32",
        "",
    ),
    "no_space": ("[b, f]x[i, o]->[b, f]", "", "2x3xf32", "3x4xf32", "2x4xf32", ""),
    "short_floats": ("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "2x6x3xbf16", "3x3x4xbf16", "2x4x4xf32", ""),
    "integers": ("[b, 0, f]x[0, i, o]->[b, 0, f]", "", "2x6x3xi32", "3x3x4xi32", "2x4x4xi32", ""),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution(name: str) -> None:
    numbers, window, lhs, rhs, result, groups = CONVOLUTIONS[name]
    counts = {"feature": 1, "batch": 1}
    if groups:
        kind, count = groups.split()
        counts[kind] = int(count)
    operation = (
        f"stablehlo.convolution(%a, %b) dim_numbers = {numbers}, window = {{{window}}} "
        f"{{batch_group_count = {counts['batch']} : i64, feature_group_count = {counts['feature']} : i64}} : "
        f"(tensor<{lhs}>, tensor<{rhs}>) -> tensor<{result}>"
    )
    assert_program(main(operation, f"{lhs} {rhs}", result), ulps=32)


REDUCTIONS = [
    (operation, element)
    for operation, elements in {
        "add": ("f32", "bf16", "i8", "i1", "complex<f32>"),
        "multiply": ("f32", "i32", "i1"),
        "maximum": ("f32", "bf16", "i32", "ui8"),
        "minimum": ("f32", "i8"),
        "and": ("i32", "i1"),
        "or": ("ui8", "i1"),
        "xor": ("i32", "i1"),
    }.items()
    for element in elements
]


@pytest.mark.parametrize(("operation", "element"), REDUCTIONS)
def test_reduce(operation: str, element: str) -> None:
    body = reducer(operation, element)
    text = quoted("reduce", "dimensions = array<i64: 0, 2>", f"4x3x5x{element} {element}", f"3x{element}", body)
    assert_program(text, ulps=32)


def test_reduce_of_nothing_is_the_initial_value() -> None:
    assert_program(quoted("reduce", "dimensions = array<i64: 0>", "0x3xf32 f32", "3xf32", reducer("add")))


ARGMAX = """({ ^bb0(%p: tensor<f32>, %i: tensor<i32>, %q: tensor<f32>, %j: tensor<i32>):
  %gt = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %eq = stablehlo.compare EQ, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %lt = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %and = stablehlo.and %eq, %lt : tensor<i1>
  %first = stablehlo.or %gt, %and : tensor<i1>
  %v = stablehlo.select %gt, %p, %q : tensor<i1>, tensor<f32>
  %k = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
  stablehlo.return %v, %k : tensor<f32>, tensor<i32> })"""


@pytest.mark.parametrize("size", [1, 2, 7, 16])
def test_reduce_several_operands_by_any_body(size: int) -> None:
    text = quoted(
        "reduce",
        "dimensions = array<i64: 1>",
        f"3x{size}x2xf32 3x{size}x2xi32 f32 i32",
        "3x2xf32 3x2xi32",
        ARGMAX,
        results=2,
    )
    assert_program(text, a2=(-9, -8))


WINDOWS = {
    "pooling": (
        "window_dimensions = array<i64: 1, 2, 3>, window_strides = array<i64: 1, 2, 1>",
        "2x6x5xf32",
        "2x3x3xf32",
    ),
    "everything": (
        "window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 1>, "
        "window_dilations = array<i64: 1, 2>, padding = dense<[[2, 1], [0, 3]]> : tensor<2x2xi64>",
        "4x6xf32",
        "5x5xf32",
    ),
    "sums_so_far": (
        "window_dimensions = array<i64: 40>, padding = dense<[[39, 0]]> : tensor<1x2xi64>",
        "40xf32",
        "40xf32",
    ),
    "one_large_window": ("window_dimensions = array<i64: 10, 10>", "10x11xf32", "1x2xf32"),
    "negative_padding": (
        "window_dimensions = array<i64: 2>, padding = dense<[[-1, -2]]> : tensor<1x2xi64>",
        "8xf32",
        "4xf32",
    ),
}


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("operation", ["add", "maximum"])
def test_reduce_window(name: str, operation: str) -> None:
    properties, source, result = WINDOWS[name]
    # XLA takes no initial value for what is beyond the edges, which tells the two apart only if it is not neutral.
    start = (0, 0) if operation == "add" else (-9, 9)
    assert_program(quoted("reduce_window", properties, f"{source} f32", result, reducer(operation)), ulps=64, a1=start)


def test_reduce_window_of_several_operands() -> None:
    text = quoted(
        "reduce_window",
        "window_dimensions = array<i64: 3>, window_strides = array<i64: 2>",
        "9xf32 9xi32 f32 i32",
        "4xf32 4xi32",
        ARGMAX,
        results=2,
    )
    assert_program(text, a2=(-9, -8))


@pytest.mark.parametrize(
    ("window", "padding", "source"),
    [("2, 2", "", "3x4"), ("3, 3", ", padding = dense<[[1, 1], [1, 0]]> : tensor<2x2xi64>", "3x4")],
)
def test_select_and_scatter(window: str, padding: str, source: str) -> None:
    select = """({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1> }, """
    properties = f"window_dimensions = array<i64: {window}>, window_strides = array<i64: 2, 2>{padding}"
    text = quoted("select_and_scatter", properties, f"6x8xf32 {source}xf32 f32", "6x8xf32", select + reducer("add")[1:])
    assert_program(text)


GATHERS = {
    "rows": (
        "offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2",
        "1, 4",
        "6x4xf32 2x3x1xi32",
        "2x3x4xf32",
    ),
    "implicit_vector": (
        "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1",
        "1, 3",
        "6x4xf32 5xi32",
        "5x3xf32",
    ),
    "windows": (
        "offset_dims = [0, 2], start_index_map = [1, 0], index_vector_dim = 0",
        "2, 3",
        "6x8xf32 2x4xi64",
        "2x4x3xf32",
    ),
    "batching": (
        "offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], "
        "start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2",
        "1, 1, 3",
        "4x6x5xf32 2x4x1xi32",
        "2x4x3xf32",
    ),
    "batching_with_the_vector_first": (
        "offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], "
        "start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 0",
        "1, 1, 3",
        "4x6x5xf32 1x2x4xi32",
        "2x4x3xf32",
    ),
    "scalars": (
        "collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1",
        "1, 1",
        "6x4xf32 5x2xui8",
        "5xf32",
    ),
    "whole": ("offset_dims = [0, 1], index_vector_dim = 0", "6, 4", "6x4xf32 0xi32", "6x4xf32"),
}


@pytest.mark.parametrize("name", GATHERS)
def test_gather(name: str) -> None:
    numbers, sizes, arguments, result = GATHERS[name]
    properties = f"dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = array<i64: {sizes}>"
    for seed in range(3):
        assert_program(
            quoted("gather", properties, arguments, result), seed=seed, a1=(0 if "ui" in arguments else -4, 12)
        )


SCATTERS = {
    "rows": (
        "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1",
        "6x4xf32 5x1xi32 5x4xf32",
        "6x4xf32",
    ),
    "implicit_vector": (
        "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1",
        "6x4xf32 5xi32 5x4xf32",
        "6x4xf32",
    ),
    "elements": (
        "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 0",
        "6x4xf32 2x9xi32 9xf32",
        "6x4xf32",
    ),
    "batching": (
        "update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], "
        "scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2",
        "3x6x4xf32 5x3x1xi32 5x3x4xf32",
        "3x6x4xf32",
    ),
}
REPLACE = """({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  stablehlo.return %q : tensor<f32> })"""
HALVED = """({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %h = stablehlo.add %p, %p : tensor<f32>
  %s = stablehlo.add %h, %q : tensor<f32>
  stablehlo.return %s : tensor<f32> })"""


@pytest.mark.parametrize("name", SCATTERS)
@pytest.mark.parametrize(
    "body", [reducer("add"), reducer("maximum"), REPLACE, HALVED], ids=["add", "max", "replace", "any"]
)
def test_scatter(name: str, body: str) -> None:
    numbers, arguments, result = SCATTERS[name]
    properties = f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}>"
    for seed in range(3):
        assert_program(quoted("scatter", properties, arguments, result, body), seed=seed, a1=(-2, 8))


def test_scatter_of_short_floats_and_of_several_inputs() -> None:
    numbers = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    properties = f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}>"
    body = reducer("add", "bf16")
    assert_program(quoted("scatter", properties, "6xbf16 4x1xi32 4xbf16", "6xbf16", body), a1=(0, 3))
    both = """({ ^bb0(%p: tensor<f32>, %i: tensor<i32>, %q: tensor<f32>, %j: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      %t = stablehlo.multiply %i, %j : tensor<i32>
      stablehlo.return %s, %t : tensor<f32>, tensor<i32> })"""
    arguments = "6xf32 6xi32 4x1xi32 4xf32 4xi32"
    assert_program(quoted("scatter", properties, arguments, "6xf32 6xi32", both, results=2), a2=(0, 3))


def less(element: str, direction: str = "LT", kind: str = "", pairs: str = "") -> str:
    kind = f", {kind}" if kind else ""
    return f"""({{ ^bb0(%p: tensor<{element}>, %q: tensor<{element}>{pairs}):
      %c = stablehlo.compare {direction}, %p, %q{kind} : (tensor<{element}>, tensor<{element}>) -> tensor<i1>
      stablehlo.return %c : tensor<i1> }})"""


@pytest.mark.parametrize("element", ["f32", "bf16", "i8", "ui32"])
@pytest.mark.parametrize("direction", ["LT", "GT"])
def test_sort_by_one_comparison_is_stable(element: str, direction: str) -> None:
    body = less(element, direction, pairs=", %i: tensor<i32>, %j: tensor<i32>")
    properties = "dimension = 1 : i64, is_stable = true"
    text = quoted("sort", properties, f"3x9x2x{element} 3x9x2xi32", f"3x9x2x{element} 3x9x2xi32", body, results=2)
    assert_program(text)


def test_sort_in_total_order_puts_nan_and_zeros_in_their_places() -> None:
    text = quoted("sort", "dimension = 0 : i64, is_stable = true", "8xf32", "8xf32", less("f32", "LT", "TOTALORDER"))
    values = np.array([np.nan, 1, -0.0, 0.0, -np.nan, np.inf, -np.inf, -0.0], np.float32)
    assert_like_compiled(text, [values])


@pytest.mark.parametrize("size", [1, 2, 3, 8, 13])
def test_sort_by_any_comparator(size: int) -> None:
    body = """({ ^bb0(%p: tensor<i32>, %q: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>):
      %three = stablehlo.constant dense<3> : tensor<i32>
      %m = stablehlo.remainder %p, %three : tensor<i32>
      %n = stablehlo.remainder %q, %three : tensor<i32>
      %lt = stablehlo.compare LT, %m, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %eq = stablehlo.compare EQ, %m, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %gt = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %and = stablehlo.and %eq, %gt : tensor<i1>
      %or = stablehlo.or %lt, %and : tensor<i1>
      stablehlo.return %or : tensor<i1> })"""
    types = f"4x{size}xi32 4x{size}xf32"
    assert_program(quoted("sort", "dimension = -1 : i64, is_stable = true", types, types, body, results=2))


FOURIER = [
    ("FFT", "8", "3x8xcomplex<f32>", "3x8xcomplex<f32>"),
    ("IFFT", "4, 6", "4x6xcomplex<f64>", "4x6xcomplex<f64>"),
    ("RFFT", "2, 4, 6", "2x4x6xf32", "2x4x4xcomplex<f32>"),
    ("IRFFT", "5", "3x3xcomplex<f32>", "3x5xf32"),
]


@pytest.mark.parametrize(("kind", "lengths", "source", "result"), FOURIER)
def test_fft(kind: str, lengths: str, source: str, result: str) -> None:
    text = main(
        f"stablehlo.fft %a, type = {kind}, length = [{lengths}] : (tensor<{source}>) -> tensor<{result}>",
        source,
        result,
    )
    assert_program(text, ulps=64)


@pytest.mark.parametrize("lower", ["true", "false"])
@pytest.mark.parametrize("element", ["f32", "complex<f64>"])
def test_cholesky_reads_one_triangle(lower: str, element: str) -> None:
    text = main(
        f"stablehlo.cholesky %a, lower = {lower} : tensor<2x4x4x{element}>", f"2x4x4x{element}", f"2x4x4x{element}"
    )
    rng = np.random.default_rng(0)
    root: Array = rng.normal(size=(2, 4, 4))
    if element != "f32":
        root = root + 1j * rng.normal(size=(2, 4, 4))
    matrix = root @ np.conj(root.swapaxes(-1, -2)) + np.eye(4)
    mask = np.tril(np.ones((4, 4))) if lower == "true" else np.triu(np.ones((4, 4)))
    ours = run(parse(text), [np.where(mask, matrix, 7).astype(np.float32 if element == "f32" else np.complex128)])[0]
    factor = np.where(mask, ours, 0)
    product = (
        factor @ np.conj(factor.swapaxes(-1, -2)) if lower == "true" else np.conj(factor.swapaxes(-1, -2)) @ factor
    )
    np.testing.assert_allclose(product, matrix, rtol=1e-5)


def test_cholesky_of_a_matrix_that_is_not_positive_definite_is_nan() -> None:
    text = main("stablehlo.cholesky %a, lower = true : tensor<2x2x2xf32>", "2x2x2xf32", "2x2x2xf32")
    (factor,) = run(parse(text), [np.array([[[4, 0], [0, 9]], [[1, 2], [2, 1]]], np.float32)])
    assert factor[0].tolist() == [[2, 0], [0, 3]]
    assert np.isnan(factor[1]).any()


@pytest.mark.parametrize("left", ["true", "false"])
@pytest.mark.parametrize("lower", ["true", "false"])
@pytest.mark.parametrize("transpose", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
@pytest.mark.parametrize("unit", ["true", "false"])
def test_triangular_solve(left: str, lower: str, transpose: str, unit: str) -> None:
    properties = (
        f"left_side = {left}, lower = {lower}, transpose_a = #stablehlo<transpose {transpose}>, unit_diagonal = {unit}"
    )
    shape = "2x4x3" if left == "true" else "2x3x4"
    text = quoted("triangular_solve", properties, f"2x4x4xcomplex<f64> {shape}xcomplex<f64>", f"{shape}xcomplex<f64>")
    assert_program(text, ulps=2**14)


@pytest.mark.parametrize("algorithm", ["THREE_FRY", "PHILOX", "DEFAULT"])
@pytest.mark.parametrize("result", ["ui32", "4xui32", "3x5xui32", "3x4xui64", "7xui8", "2x3xui16"])
def test_random_bits_are_those_of_xla(algorithm: str, result: str) -> None:
    text = main(
        f"stablehlo.rng_bit_generator %a, algorithm = {algorithm} : (tensor<2xui64>) -> "
        f"(tensor<2xui64>, tensor<{result}>)",
        "2xui64",
        f"2xui64 {result}",
        results=2,
    )
    assert_like_compiled(text, [np.array([0x1234567890ABCDEF, 2**64 - 2], np.uint64)])
    assert_like_compiled(text, [np.array([7, 3], np.uint64)])


def test_philox_with_a_counter_of_128_bits() -> None:
    text = main(
        "stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<11xui32>)",
        "3xui64",
        "3xui64 11xui32",
        results=2,
    )
    assert_like_compiled(text, [np.array([1, 2**64 - 1, 5], np.uint64)])


def test_rng_draws_inside_its_bounds() -> None:
    text = """func.func @main() -> (tensor<1000xf32>, tensor<1000xi32>, tensor<1000xf32>) {
      %shape = stablehlo.constant dense<1000> : tensor<1xi64>
      %a = stablehlo.constant dense<2.0> : tensor<f32>
      %b = stablehlo.constant dense<5.0> : tensor<f32>
      %i = stablehlo.constant dense<-1> : tensor<i32>
      %j = stablehlo.constant dense<2> : tensor<i32>
      %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
          : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
      %1 = stablehlo.rng %i, %j, %shape, distribution = UNIFORM
          : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<1000xi32>
      %2 = stablehlo.rng %a, %b, %shape, distribution = NORMAL
          : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
      return %0, %1, %2 : tensor<1000xf32>, tensor<1000xi32>, tensor<1000xf32>
    }"""
    uniform, whole, normal = run(parse(text))
    assert uniform.min() >= 2 and uniform.max() < 5 and uniform.std() > 0.5
    assert set(whole.tolist()) == {-1, 0, 1}
    assert abs(normal.mean() - 2) < 1 and abs(normal.std() - 5) < 1


BATCH_NORMS = {
    "batch_norm_inference": ("3x4x5xf32 4xf32 4xf32 4xf32 4xf32", "3x4x5xf32", 1),
    "batch_norm_training": ("3x4x5xf32 4xf32 4xf32", "3x4x5xf32 4xf32 4xf32", 3),
    "batch_norm_grad": ("3x4x5xf32 4xf32 4xf32 4xf32 3x4x5xf32", "3x4x5xf32 4xf32 4xf32", 3),
}


@pytest.mark.parametrize("name", BATCH_NORMS)
def test_batch_norm(name: str) -> None:
    arguments, result, count = BATCH_NORMS[name]
    text = quoted(name, "epsilon = 1.0e-3 : f32, feature_index = 1 : i64", arguments, result, results=count)
    assert_program(text, ulps=64, a3=(0.5, 2), a4=(0.5, 2))


def test_map_applies_its_body_to_each_element() -> None:
    body = """({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %m = stablehlo.multiply %p, %q : tensor<f32>
      %s = stablehlo.subtract %m, %q : tensor<f32>
      stablehlo.return %s : tensor<f32> })"""
    assert_program(quoted("map", "dimensions = array<i64: 0, 1>", "2x3xf32 2x3xf32", "2x3xf32", body))


def test_tuples_tokens_and_barriers_pass_values_on() -> None:
    text = """func.func @main(%a: tensor<2xf32>, %b: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
      %0 = stablehlo.tuple %a, %b : tuple<tensor<2xf32>, tensor<i32>>
      %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
      %2 = stablehlo.create_token : !stablehlo.token
      %3 = stablehlo.after_all %2, %2 : !stablehlo.token
      %4:2 = stablehlo.optimization_barrier %1, %b : tensor<2xf32>, tensor<i32>
      return %4#0, %4#1 : tensor<2xf32>, tensor<i32>
    }"""
    assert_program(text)


DYNAMIC: dict[str, tuple[str, str, Callable[[Array], Array]]] = {
    "dynamic_reshape": (
        "%0 = stablehlo.dynamic_reshape %a, %s : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<?x?xf32>",
        "[3, 4]",
        lambda a: a.reshape(3, 4),
    ),
    "dynamic_broadcast_in_dim": (
        "%0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1, 2] : (tensor<2x6xf32>, "
        "tensor<3xi64>) -> tensor<?x?x?xf32>",
        "[3, 2, 6]",
        lambda a: np.broadcast_to(a, (3, 2, 6)),
    ),
    "dynamic_iota": (
        "%0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>",
        "[2, 3]",
        lambda a: np.array([[0, 1, 2], [0, 1, 2]], np.float32),
    ),
    "real_dynamic_slice": (
        "%one = stablehlo.constant dense<1> : tensor<2xi64>\n"
        "%end = stablehlo.constant dense<[2, 5]> : tensor<2xi64>\n"
        "%0 = stablehlo.real_dynamic_slice %a, %s, %end, %one : "
        "(tensor<2x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>",
        "[1, 2]",
        lambda a: a[1:2, 2:5],
    ),
    "dynamic_pad": (
        "%zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "%0 = stablehlo.dynamic_pad %a, %zero, %s, %s, %s : "
        "(tensor<2x6xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>",
        "[1, 0]",
        lambda a: np.array([a[0] * 0, a[0], a[0] * 0, a[1], a[1] * 0]),
    ),
}


@pytest.mark.parametrize("name", DYNAMIC)
def test_shapes_that_are_operands(name: str) -> None:
    operation, shape, expected = DYNAMIC[name]
    rank = shape.count(",") + 1
    result = operation.rpartition("-> ")[2]
    text = f"""func.func @main(%a: tensor<2x6xf32>) -> {result} {{
      %s = stablehlo.constant dense<{shape}> : tensor<{rank}xi64>
      {operation}
      return %0 : {result}
    }}"""
    a = np.arange(12, dtype=np.float32).reshape(2, 6)
    np.testing.assert_array_equal(run(parse(text), [a])[0], expected(a))
