"""Tensors with a scale for each place of a dimension: that dimension is whole on every device."""

from __future__ import annotations

import itertools
import re

import pytest

import pyshardy

_MESH = 'sdy.mesh @m = <["a"=2, "b"=2]>\n'
_LAYOUTS = ('{"a"}, {"b"}', '{}, {"a", "b"}', '{"b", "a"}, {}')


def _quantized(shape: str, axis: int) -> str:
    return f"tensor<{shape}x!quant.uniform<i8:f32:{axis}, {{0.1,0.2,0.3,0.4}}>>"


_ROWS = _quantized("4x4", 0)
_MIDDLE = {
    "itself": ("", _ROWS),
    "added": (f"%r = stablehlo.add %q, %q : {_ROWS}", _ROWS),
    "turned": (
        f"%r = stablehlo.transpose %q, dims = [1, 0] : ({_ROWS}) -> {_quantized('4x4', 1)}",
        _quantized("4x4", 1),
    ),
    "cut": (f"%r = stablehlo.slice %q [0:4, 1:3] : ({_ROWS}) -> {_quantized('4x2', 0)}", _quantized("4x2", 0)),
    "doubled": (
        f"%r = stablehlo.concatenate %q, %q, dim = 1 : ({_ROWS}, {_ROWS}) -> {_quantized('4x8', 0)}",
        _quantized("4x8", 0),
    ),
    "reversed": (f"%r = stablehlo.reverse %q, dims = [1] : {_ROWS}", _ROWS),
}
"""What is done to the quantized ``%q``, and the type that comes of it."""


@pytest.mark.parametrize("middle", _MIDDLE)
def test_the_dimension_with_scales_is_never_sharded(middle: str) -> None:
    line, type = _MIDDLE[middle]
    shape = type.removeprefix("tensor<")[:3]
    for given, wanted in itertools.product(_LAYOUTS, repeat=2):
        text = _MESH + (
            f"func.func @main(%x: tensor<4x4xf32> {{sdy.sharding = #sdy.sharding<@m, [{given}]>}})"
            f" -> (tensor<{shape}xf32> {{sdy.sharding = #sdy.sharding<@m, [{wanted}]>}}) {{\n"
            f"  %q = stablehlo.uniform_quantize %x : (tensor<4x4xf32>) -> {_ROWS}\n  {line}\n"
            f"  %d = stablehlo.uniform_dequantize {'%r' if line else '%q'} : ({type}) -> tensor<{shape}xf32>\n"
            f"  return %d : tensor<{shape}xf32>\n}}\n"
        )
        plan = pyshardy.partition(pyshardy.parse(text))
        for found in re.finditer(r"tensor<(\d+)x(\d+)x!quant\.uniform<i8:f32:(\d)", str(plan.module)):
            assert found[1 + int(found[3])] == "4"
        assert plan.check().agrees


@pytest.mark.parametrize("what", ["argument", "result"])
def test_callers_cannot_shard_it_either(what: str) -> None:
    sharding = '{sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}'
    if what == "argument":
        text = f"func.func @main(%q: {_ROWS} {sharding}) {{ return }}"
    else:
        quantize = f"%q = stablehlo.uniform_quantize %x : (tensor<4x4xf32>) -> {_ROWS}"
        text = f"func.func @main(%x: tensor<4x4xf32>) -> ({_ROWS} {sharding}) {{ {quantize} return %q : {_ROWS} }}"
    with pytest.raises(
        pyshardy.PyshardyError, match=f"{what} 0 is quantized with a scale for each place of dimension 0"
    ):
        pyshardy.partition(pyshardy.parse(_MESH + text))
