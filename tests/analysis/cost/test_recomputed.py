"""What ``jax.checkpoint`` computes again is no part of the model's operations, with locations and without."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from pyshardy import Cost, parse, partition

Layer = Callable[[Any, Any], Any]


def test_the_same_operation_twice_is_no_recomputation_where_jax_says_what_is() -> None:
    program = """
func.func @main(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>)
    -> tensor<8x8xf32>LOCATION
  %1 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>)
    -> tensor<8x8xf32>LOCATION
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}"""
    for location, flops in (("", 1024.0), (' loc("jit(step)/jvp(mlp)/dot_general")', 0.0)):
        assert partition(parse(program.replace("LOCATION", location))).cost("h100").recomputed_flops == flops


def layer(x: Any, w: Any) -> Any:
    return jnp.tanh(x @ w[0]) @ w[1]


def attention(x: Any, w: Any) -> Any:
    values = x @ w[0]
    return x + jax.nn.softmax(values @ x.T) @ values


def scanned(one: Layer, x: Any, w: Any) -> Any:
    return jax.lax.scan(lambda x, w: (one(x, w), None), x, w)[0]


def unrolled(one: Layer, x: Any, w: Any) -> Any:
    for index in range(4):
        x = one(x, (w[0][index], w[1][index]))
    return x


def in_groups(outer: Layer, x: Any, w: Any) -> Any:
    return scanned(outer, x, jax.tree.map(lambda one: one.reshape(2, 2, *one.shape[1:]), w))


def saving_products(one: Layer) -> Layer:
    found: Layer = jax.checkpoint(one, policy=jax.checkpoint_policies.dots_saveable)
    return found


remat = jax.checkpoint
MODELS: dict[str, tuple[Layer, Layer, float]] = {
    "unrolled": (lambda x, w: unrolled(remat(layer), x, w), lambda x, w: unrolled(layer, x, w), 0.5),
    "attention": (lambda x, w: unrolled(remat(attention), x, w), lambda x, w: unrolled(attention, x, w), 0.605),
    "scanned": (lambda x, w: scanned(remat(layer), x, w), lambda x, w: scanned(layer, x, w), 0.5),
    "groups": (
        lambda x, w: in_groups(remat(lambda x, w: scanned(layer, x, w)), x, w),
        lambda x, w: scanned(layer, x, w),
        1.0,
    ),
    "groups of layers": (
        lambda x, w: in_groups(remat(lambda x, w: scanned(remat(layer), x, w)), x, w),
        lambda x, w: scanned(layer, x, w),
        1.5,
    ),
    "all at once": (remat(lambda x, w: scanned(layer, x, w)), lambda x, w: scanned(layer, x, w), 1.0),
    "products are saved": (
        lambda x, w: unrolled(saving_products(layer), x, w),
        lambda x, w: unrolled(layer, x, w),
        0.0,
    ),
}
"""A model with rematerialisation and the same without; how much of the forward pass is done again (nobody needs the
last product of a layer again)."""


@cache
def cost_of(name: str, remat: bool, locations: bool, gradient: bool = True) -> Cost:
    with_remat, without, _ = MODELS[name]
    model = with_remat if remat else without

    def loss(w: Any, x: Any) -> Any:
        return jnp.sum(model(x, w) ** 2)

    wide = 64 if name == "attention" else 256
    w, x = (jnp.zeros((4, 64, wide)), jnp.zeros((4, wide, 64))), jnp.zeros((128, 64))
    lowered = jax.jit(jax.value_and_grad(loss) if gradient else loss).lower(w, x)
    return partition(parse(lowered.as_text(debug_info=locations))).cost("v5e")


@pytest.mark.parametrize("locations", [True, False])
@pytest.mark.parametrize("name", MODELS)
def test_what_is_computed_again_is_no_work_of_the_model(name: str, locations: bool) -> None:
    found, plain = cost_of(name, True, locations), cost_of(name, False, locations)
    forward = cost_of(name, False, locations, gradient=False)
    assert found.model_flops == pytest.approx(plain.model_flops, rel=5e-3)
    assert plain.recomputed_flops <= 1e-3 * plain.model_flops
    assert found.recomputed_flops == pytest.approx(MODELS[name][2] * forward.model_flops, rel=0.02, abs=3e5)


def test_both_utilisations_are_told() -> None:
    found = cost_of("scanned", True, True)
    part = found.model_flops / (found.model_flops + found.recomputed_flops)
    assert found.utilisation.no_overlap == pytest.approx(part * found.hardware_utilisation.no_overlap)
    told = found.as_json()
    assert told["recomputed_flops"] == found.recomputed_flops
    assert told["hardware_utilisation"] == found.hardware_utilisation.as_json()
    lines = [line for line in found.report().splitlines() if "utilisation" in line]
    assert [line.split(" FLOPs")[0] for line in lines] == ["model", "hardware"]
    assert lines[1].endswith("that are computed again")
    plain = cost_of("scanned", False, True)
    assert plain.utilisation == plain.hardware_utilisation
    assert "hardware FLOPs" not in plain.report()


BARRIERS = """
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<64x64xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
"""


def test_layers_with_barriers_between_them_are_computed_once() -> None:
    assert partition(parse(BARRIERS)).cost("v5e").recomputed_flops == 0


def test_the_same_operation_on_the_same_operands_is_done_twice() -> None:
    twice = BARRIERS.replace("stablehlo.dot_general %1,", "stablehlo.dot_general %x,")
    cost = partition(parse(twice)).cost("v5e")
    assert cost.recomputed_flops == cost.model_flops == 2 * 64**3


TRANSPOSED = """
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.tanh %x : tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.reshape %1 : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.tanh %2 : tensor<2x3xf32>
  return %0, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}
"""


def test_a_broadcast_that_transposes_is_no_reshape() -> None:
    assert partition(parse(TRANSPOSED)).cost("v5e").recomputed_flops == 0
    reshaped = TRANSPOSED.replace("broadcast_in_dim %x, dims = [1, 0]", "reshape %x")
    assert partition(parse(reshaped)).cost("v5e").recomputed_flops == 6


LOOP = """
func.func @main(%x: tensor<8x8xf32>, %w: tensor<5x8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %a:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x8xf32> cond {{
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<8x8xf32>
  }}
  %b:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x8xf32> cond {{
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.dot_general %y, %x, contracting_dims = [1] x [{other}]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %q = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<8x8xf32>
  }}
  return %a#1, %b#1 : tensor<8x8xf32>, tensor<8x8xf32>
}}
"""


def test_a_loop_that_goes_another_way_computes_nothing_again() -> None:
    """Its first product is that of the other loop in the first iteration alone."""
    assert partition(parse(LOOP.format(other=1))).cost("v5e").recomputed_flops == 0
    same = partition(parse(LOOP.format(other=0))).cost("v5e")
    assert same.recomputed_flops == 2 * 5 * 2 * 8**3
    assert same.model_flops == pytest.approx(5 * 2 * 8**3, rel=0.01)
