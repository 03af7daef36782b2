"""``inline`` against MLIR's inliner, which jaxlib runs where it refines shapes (``inline`` alone has no say over
functions there), and ``cse`` behind it."""

from __future__ import annotations

import io
from typing import Any

import pytest

from pyshardy import parse, run_passes
from tests.differential.jax_programs import PROGRAMS

CALLS = """
module @m {
sdy.mesh @mesh = <["a"=2]>
func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %d = stablehlo.sine %a : tensor<8xf32>
  %1 = call @h(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @h(%a: tensor<8xf32>) -> tensor<8xf32> {
  %1 = stablehlo.cosine %a : tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @pub(%a: tensor<8xf32>) -> tensor<8xf32> {
  %1 = stablehlo.cosine %a : tensor<8xf32>
  %2 = call @rec(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @rec(%a: tensor<8xf32>) -> tensor<8xf32> {
  %2 = call @rec(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @unused(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @kept(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32>, %p: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %dead = stablehlo.sine %a : tensor<8xf32>
  %3 = call @g(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %2:2 = "stablehlo.if"(%p) ({
    %7 = call @g(%3) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %7, %7 : tensor<8xf32>, tensor<8xf32>
  }, {
    stablehlo.return %a, %a : tensor<8xf32>, tensor<8xf32>
  }) : (tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>)
  %4 = call @pub(%3) {mhlo.x = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  %5 = call @kept(%3) {no_inline} : (tensor<8xf32>) -> tensor<8xf32>
  return %4, %2#1, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
}
"""


def refined(text: str) -> Any:
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib import _jax
    from jaxlib.mlir import ir

    with jax_mlir.make_ir_context(), ir.Location.unknown():
        code = io.BytesIO()
        ir.Module.parse(text).operation.write_bytecode(code)
        module = ir.Module.parse(_jax.mlir.refine_polymorphic_shapes(code.getvalue(), False, True, False))
        return module.operation.get_asm(enable_debug_info=True)


def inlined(text: str) -> str:
    return run_passes(parse(text), "builtin.module(inline,cse)").text(debug_info=True)


def test_calls_of_every_kind_are_inlined_as_by_mlir() -> None:
    assert inlined(CALLS).strip() == refined(CALLS).strip()


@pytest.mark.parametrize("name", [name for name in PROGRAMS if "call" in name])
def test_jax_programs_are_inlined_as_by_mlir(name: str) -> None:
    text = PROGRAMS[name]()
    assert inlined(text).strip() == refined(text).strip()
