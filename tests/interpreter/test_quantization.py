"""Quantized values: which integers stand for which numbers, and operations on them."""

from __future__ import annotations

import numpy as np
import pytest

from pyshardy import PyshardyError, parse, partition
from pyshardy.interpreter import run


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("i8:f32, 0.5:-20", [2.0, -3.5, 73.5]),
        ("u8:f32, 0.5", [2.0, 0.0, 100.0]),
        ("i4<-2:3>:f32, 1.0", [2.0, -2.0, 3.0]),
    ],
)
def test_quantized_values_stand_for_the_nearest_number_in_range(kind: str, expected: list[float]) -> None:
    text = f"""func.func @main(%a: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {{
      %0 = stablehlo.uniform_quantize %a : (tensor<3xf32>) -> tensor<3x!quant.uniform<{kind}>>
      %1 = stablehlo.uniform_dequantize %0 : (tensor<3x!quant.uniform<{kind}>>) -> tensor<3xf32>
      %2 = stablehlo.maximum %0, %0 : tensor<3x!quant.uniform<{kind}>>
      %3 = stablehlo.uniform_dequantize %2 : (tensor<3x!quant.uniform<{kind}>>) -> tensor<3xf32>
      return %1, %3 : tensor<3xf32>, tensor<3xf32>
    }}"""
    plain, computed = run(parse(text), [np.array([2.0, -3.3, 100.0], np.float32)])
    assert plain.tolist() == expected
    assert computed.tolist() == expected


def test_each_channel_may_be_quantized_in_its_own_way() -> None:
    text = """func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0 = stablehlo.uniform_quantize %a : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 2.0:1}>>
      %1 = stablehlo.uniform_dequantize %0 : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 2.0:1}>>) -> tensor<2x2xf32>
      return %1 : tensor<2x2xf32>
    }"""
    (result,) = run(parse(text), [np.array([[1.3, 1.3], [2.6, 2.6]], np.float32)])
    assert result.tolist() == [[1.5, 2.0], [2.5, 2.0]]


def test_a_body_computes_on_quantized_values() -> None:
    element = "!quant.uniform<i8:f32, 0.5:2>"
    text = f"""func.func @main(%a: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {{
      %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4x{element}>
      %zero = stablehlo.constant() {{value = dense<2> : tensor<i8>}} : () -> tensor<{element}>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<4x{element}>, tensor<{element}>) -> tensor<{element}>
      %2 = "stablehlo.sort"(%0) ({{
        ^bb0(%x: tensor<{element}>, %y: tensor<{element}>):
          %less = stablehlo.compare LT, %x, %y : (tensor<{element}>, tensor<{element}>) -> tensor<i1>
          stablehlo.return %less : tensor<i1>
      }}) : (tensor<4x{element}>) -> tensor<4x{element}>
      %3 = stablehlo.uniform_dequantize %1 : (tensor<{element}>) -> tensor<f32>
      %4 = stablehlo.uniform_dequantize %2 : (tensor<4x{element}>) -> tensor<4xf32>
      return %3, %4 : tensor<f32>, tensor<4xf32>
    }}"""
    total, ordered = run(parse(text), [np.array([3, -1.5, 0.5, 2], np.float32)])
    assert float(total) == 4.0
    assert ordered.tolist() == [-1.5, 0.5, 2, 3]


SUMS = [
    ("i8:f32, 0.5", "i8:f32, 0.25:3", "i8:f32, 1.0", ""),
    ("i8:f32, 0.5", "i8:f32:0, {0.5, 0.25, 0.5, 0.5}", "i8:f32:0, {0.5, 0.5, 0.5, 0.5}", ""),
    ("i8:f32, 0.5", "u8:f32, 0.5", "i8:f32, 0.5", "requires the same element type"),
    ("i8:f32, 0.5", "i16:f32, 0.5", "i8:f32, 0.5", "requires the same element type"),
    ("i8:f32, 0.5", "i8:f32:0, {0.5, 0.25, 0.5, 0.5}", "i8:f32, 0.5", "requires the same element type"),
]


@pytest.mark.parametrize(("left", "right", "result", "wrong"), SUMS)
def test_values_of_two_quantized_types_are_added(left: str, right: str, result: str, wrong: str) -> None:
    first, second, total = (f"tensor<4x!quant.uniform<{one}>>" for one in (left, right, result))
    text = f"""func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> {first}
      %1 = stablehlo.uniform_quantize %b : (tensor<4xf32>) -> {second}
      %2 = stablehlo.add %0, %1 : ({first}, {second}) -> {total}
      %3 = stablehlo.uniform_dequantize %2 : ({total}) -> tensor<4xf32>
      return %3 : tensor<4xf32>
    }}"""
    if wrong:
        with pytest.raises(PyshardyError, match=wrong):
            parse(text)
        return
    values = np.array([1, 2, -3, 4], np.float32)
    (found,) = run(parse(text), [values, 2 * values])
    assert found.tolist() == [3, 6, -9, 12]


def test_the_bits_of_a_quantized_value_are_those_of_its_integer() -> None:
    wide, narrow = "!quant.uniform<i16:f32, 0.5>", "!quant.uniform<i8:f32, 0.25:3>"
    text = f"""func.func @main(%a: tensor<2xi16>) -> (tensor<2x2xi8>, tensor<2xi16>) {{
      %0 = stablehlo.bitcast_convert %a : (tensor<2xi16>) -> tensor<2x{wide}>
      %1 = stablehlo.bitcast_convert %0 : (tensor<2x{wide}>) -> tensor<2x2x{narrow}>
      %2 = stablehlo.bitcast_convert %1 : (tensor<2x2x{narrow}>) -> tensor<2x2xi8>
      %3 = stablehlo.bitcast_convert %0 : (tensor<2x{wide}>) -> tensor<2xi16>
      return %2, %3 : tensor<2x2xi8>, tensor<2xi16>
    }}"""
    values = np.array([258, -2], np.int16)
    parts, same = run(parse(text), [values])
    assert parts.tolist() == [[2, 1], [-2, -1]] and same.tolist() == values.tolist()
    with pytest.raises(PyshardyError, match="rank of smaller element type"):
        parse(text.replace(f"tensor<2x2x{narrow}>", f"tensor<2x{narrow}>"))


def test_quantized_values_are_partitioned() -> None:
    kind, other = "tensor<8x!quant.uniform<i8:f32, 0.5>>", "tensor<8x!quant.uniform<i8:f32, 0.25:3>>"
    sharded = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}'
    text = f"""sdy.mesh @mesh = <["x"=2]>
    func.func @main(%a: tensor<8xf32> {sharded}) -> (tensor<8xf32> {sharded}) {{
      %0 = stablehlo.uniform_quantize %a : (tensor<8xf32>) -> {kind}
      %1 = stablehlo.bitcast_convert %0 : ({kind}) -> {other}
      %2 = stablehlo.add %0, %1 : ({kind}, {other}) -> {kind}
      %3 = stablehlo.uniform_dequantize %2 : ({kind}) -> tensor<8xf32>
      return %3 : tensor<8xf32>
    }}"""
    plan = partition(parse(text))
    assert plan.check().agrees
    assert plan.bytes_moved == 0 and "tensor<4x!quant" in str(plan.module)
