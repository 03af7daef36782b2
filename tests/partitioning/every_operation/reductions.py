"""Reductions of dimensions and of windows."""

from __future__ import annotations

from tests.partitioning.every_operation.table import add, constant, listed, program
from tests.partitioning.random_layouts import Case, random_shape, tensor

_SUM = """{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }"""

_LARGER = """{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }"""


@program("stablehlo.reduce")
def reductions(case: Case, name: str) -> None:
    shape = random_shape(case.rng, 3)
    dims = case.rng.sample(range(len(shape)), case.rng.randint(0, len(shape)))
    result = tensor([size for dim, size in enumerate(shape) if dim not in dims])
    body = _SUM.replace("add", case.rng.choice(["add", "maximum", "minimum", "multiply", "subtract"]))
    if "subtract" in body:
        body = body.replace("subtract %p, %q", "add %q, %p")
    operands = [case.argument(tensor(shape)), constant(case, "tensor<f32>", "0.5")]
    add(case, name, operands, [tensor(shape), "tensor<f32>"], [result], f"dimensions = {listed(dims)}", body)


@program("stablehlo.reduce_window")
def window_reductions(case: Case, name: str) -> None:
    rng = case.rng
    shape = random_shape(rng, 3, [2, 3, 5, 8, 9])
    windows = [rng.choice([1, 1, 2, 3]) for _ in shape]
    strides = [rng.choice([1, 1, 2]) for _ in shape]
    padding = [[rng.randint(0, 1) if window > 1 else 0 for _ in range(2)] for window in windows]
    rows = zip(shape, windows, strides, padding, strict=True)
    found = [max(0, (n + sum(p) - w) // s + 1) for n, w, s, p in rows]
    properties = (
        f"window_dimensions = {listed(windows)}, window_strides = {listed(strides)}, "
        f"padding = dense<{padding}> : {tensor([len(shape), 2], 'i64')}"
    )
    operands = [case.argument(tensor(shape)), constant(case, "tensor<f32>", "0.5")]
    add(case, name, operands, [tensor(shape), "tensor<f32>"], [tensor(found)], properties, _SUM)


@program("stablehlo.select_and_scatter")
def selections_of_windows(case: Case, name: str) -> None:
    rng = case.rng
    shape = random_shape(rng, 2, [2, 4, 6, 9])
    windows = [rng.choice([1, 2, 2, 3][:size]) for size in shape]
    strides = [rng.choice([window, 1]) for window in windows]
    found = [(n - w) // s + 1 for n, w, s in zip(shape, windows, strides, strict=True)]
    properties = f"window_dimensions = {listed(windows)}, window_strides = {listed(strides)}"
    operands = [case.argument(tensor(shape)), case.argument(tensor(found)), constant(case, "tensor<f32>", "0.5")]
    types = [tensor(shape), tensor(found), "tensor<f32>"]
    add(case, name, operands, types, [tensor(shape)], properties, f"{_LARGER}, {_SUM}")
