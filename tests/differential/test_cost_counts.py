"""What one operation computes, counted here and by XLA's ``cost_analysis``: to the last one."""

from __future__ import annotations

import pytest

from benchmarks.xla import Executable
from pyshardy import parse
from pyshardy.analysis.cost.operations import work_of_operation

_WINDOW = (
    "dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {WINDOW} {batch_group_count = 1 : i64, GROUPS}"
)


def _convolution(window: str, operands: str, result: str, groups: int = 1) -> tuple[str, str, str]:
    form = _WINDOW.replace("WINDOW", window).replace("GROUPS", f"feature_group_count = {groups} : i64")
    return f"stablehlo.convolution(%a, %b) {form}", operands, result


@pytest.mark.parametrize(
    ("form", "operands", "result"),
    [
        ("stablehlo.dot %a, %b", "tensor<4x8xf32>, tensor<8x16xf32>", "tensor<4x16xf32>"),
        ("stablehlo.dot %a, %b", "tensor<16x8xf32>, tensor<8xf32>", "tensor<16xf32>"),
        (
            "stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [0, 3] x [2, 1]",
            "tensor<4x2x8x16xf32>, tensor<2x16x4x32xf32>",
            "tensor<2x8x32xf32>",
        ),
        _convolution("", "tensor<2x9x16x8xf32>, tensor<3x3x8x8xf32>", "tensor<2x7x14x8xf32>"),
        _convolution(
            "stride = [2, 2], pad = [[0, 0], [0, 1]]",
            "tensor<2x9x16x8xf32>, tensor<3x3x1x8xf32>",
            "tensor<2x4x8x8xf32>",
            groups=8,
        ),
        _convolution(
            "pad = [[0, 0], [2, 2]], rhs_dilate = [2, 2]",
            "tensor<2x8x8x8xf32>, tensor<3x3x8x6xf32>",
            "tensor<2x4x8x6xf32>",
        ),
        _convolution(
            "pad = [[0, 0], [1, 1]], lhs_dilate = [1, 2]",
            "tensor<2x9x8x12xf32>, tensor<2x2x12x4xf32>",
            "tensor<2x8x16x4xf32>",
        ),
    ],
)
def test_an_operation_counts_as_xla_counts_it(form: str, operands: str, result: str) -> None:
    arguments = ", ".join(f"%{name}: {type}" for name, type in zip("ab", operands.split(", "), strict=True))
    body = f"%0 = {form} : ({operands}) -> {result}\n  return %0 : {result}"
    module = parse(f"func.func @main({arguments}) -> {result} {{\n  {body}\n}}")
    (function,) = module.op.body
    counted = work_of_operation(next(iter(function.body)), set())
    assert counted.flops == Executable(str(module), 1).flops
