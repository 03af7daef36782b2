"""Branches and loops."""

from __future__ import annotations

from tests.partitioning.every_operation.table import add, program, scalar
from tests.partitioning.random_layouts import Case, random_shape, tensor


@program("stablehlo.if", "stablehlo.case")
def branches(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    a, b = case.argument(type), case.argument(type)
    which = case.argument("tensor<i1>" if name == "stablehlo.if" else "tensor<i32>")
    regions = f"""{{
    %l = stablehlo.add {a}, {b} : {type}
    stablehlo.return %l : {type}
  }}, {{
    %l = stablehlo.multiply {a}, {a} : {type}
    stablehlo.return %l : {type}
  }}"""
    add(case, name, [which], ["tensor<i1>" if name == "stablehlo.if" else "tensor<i32>"], [type], "", regions)


@program("stablehlo.while")
def loops(case: Case, name: str) -> None:
    type = tensor(random_shape(case.rng, 3))
    zero, one, three = (scalar(case, value) for value in (0, 1, 3))
    regions = f"""{{
  ^bb0(%i: tensor<i32>, %v: {type}):
    %l = stablehlo.compare LT, %i, {three} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }}, {{
  ^bb0(%i: tensor<i32>, %v: {type}):
    %n = stablehlo.add %i, {one} : tensor<i32>
    %w = stablehlo.cosine %v : {type}
    stablehlo.return %n, %w : tensor<i32>, {type}
  }}"""
    add(case, name, [zero, case.argument(type)], ["tensor<i32>", type], ["tensor<i32>", type], "", regions)
