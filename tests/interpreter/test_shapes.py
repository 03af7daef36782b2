"""Operations that move elements, those whose shapes are operands included, against XLA."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array
from tests.interpreter.compiled import assert_program
from tests.interpreter.program_text import main, quoted

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
