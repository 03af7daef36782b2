"""Small sharded programs whose cost is looked at."""

from __future__ import annotations

TRAINING_STEP = """
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(
    %w: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("w"),
    %x: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x")
) -> (tensor<64x64xf32>, tensor<f32>) {
  %y = stablehlo.dot %x, %w : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  %t = stablehlo.tanh %y : tensor<32x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
  %g = stablehlo.dot_general %x, %t, contracting_dims = [0] x [0]
    : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %n = stablehlo.subtract %w, %g : tensor<64x64xf32>
  return %n, %l : tensor<64x64xf32>, tensor<f32>
}"""

LOOP = """
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(
    %w: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>},
    %x: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
    %n: tensor<i32>
) -> tensor<32x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  LIMIT
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<32x64xf32>
  cond {
    %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %next = stablehlo.dot %y, %w : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
    stablehlo.return %j, %next : tensor<i32>, tensor<32x64xf32>
  }
  return %0#1 : tensor<32x64xf32>
}"""

FIVE_ITERATIONS = LOOP.replace("LIMIT", "%limit = stablehlo.constant dense<5> : tensor<i32>")
UNKNOWN_ITERATIONS = LOOP.replace("LIMIT", "").replace("%limit", "%n")

BRANCHES = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(
    %p: tensor<i1>, %a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = stablehlo.dot %1, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %2 : tensor<64x64xf32>
  }, {
    %3 = stablehlo.reverse %a, dims = [0] : tensor<64x64xf32>
    stablehlo.return %3 : tensor<64x64xf32>
  }) : (tensor<i1>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}"""
