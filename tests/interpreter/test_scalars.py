"""Operations on scalars and shapes that stand around StableHLO."""

from __future__ import annotations

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.interpreter import run


@pytest.mark.parametrize(
    ("operation", "result", "expected"),
    [
        ("arith.addi %a, %b : i32", "i32", 4),
        ("arith.divsi %a, %b : i32", "i32", -2),
        (
            "arith.divui %a, %b : i32",
            "i32",
            (2**32 - 7) // 3,
        ),
        ("arith.maxui %a, %b : i32", "i32", -7),
        ("arith.cmpi slt, %a, %b : i32", "i1", True),
        ("arith.cmpi ult, %a, %b : i32", "i1", False),
        ("arith.cmpf olt, %x, %nan : f32", "i1", False),
        ("arith.cmpf ult, %x, %nan : f32", "i1", True),
        ("arith.cmpf uno, %x, %nan : f32", "i1", True),
        ("arith.select %yes, %a, %b : i32", "i32", -7),
        ("arith.shrui %a, %b : i32", "i32", (2**32 - 7) >> 3),
        ("arith.shrsi %a, %b : i32", "i32", -1),
        ("arith.trunci %a : i32 to i8", "i8", -7),
        ("arith.extui %yes : i1 to i8", "i8", 1),
        ("arith.extsi %yes : i1 to i8", "i8", -1),
        ("arith.fptosi %x : f32 to i32", "i32", 2),
        ("arith.index_cast %b : i32 to index", "index", 3),
        ("arith.mulf %x, %x : f32", "f32", 6.25),
    ],
)
def test_scalar(operation: str, result: str, expected: float) -> None:
    text = f"""func.func @main() -> {result} {{
      %a = arith.constant -7 : i32
      %b = arith.constant 11 : i32
      %c = arith.constant 8 : i32
      %d = arith.subi %b, %c : i32
      %x = arith.constant 2.5 : f32
      %nan = arith.constant 0x7FC00000 : f32
      %yes = arith.constant true
      %0 = {operation.replace("%b", "%d") if "addi" not in operation else operation}
      return %0 : {result}
    }}"""
    assert run(parse(text))[0].tolist() == expected


def test_shapes_are_computed_and_used() -> None:
    text = """func.func @main(%a: tensor<1x3xf32>) -> (tensor<2xindex>, tensor<2xindex>, index, tensor<2x2xf32>, f32) {
      %0 = shape.shape_of %a : tensor<1x3xf32> -> tensor<2xindex>
      %1 = shape.const_shape [4, 1] : tensor<2xindex>
      %2 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %3 = tensor.dim %a, %c1 : tensor<1x3xf32>
      %4 = tensor.extract %a[%c0, %c1] : tensor<1x3xf32>
      %5 = tensor.splat %4 : tensor<2x2xf32>
      return %0, %2, %3, %5, %4 : tensor<2xindex>, tensor<2xindex>, index, tensor<2x2xf32>, f32
    }"""
    shape, both, size, splat, element = run(parse(text), [np.array([[1, 2, 3]], np.float32)])
    assert shape.tolist() == [1, 3]
    assert both.tolist() == [4, 3]
    assert (int(size), float(element)) == (3, 2.0)
    assert splat.tolist() == [[2, 2], [2, 2]]
