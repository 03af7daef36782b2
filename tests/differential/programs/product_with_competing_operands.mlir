// pipeline: builtin.module(sdy-basic-propagate)
// pipeline: builtin.module(sdy-aggressive-propagate)
// pipeline: builtin.module(sdy-op-priority-propagate)
// pipeline: builtin.module(sdy-user-priority-propagate)
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {"y", ?}p0]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", "y"}]>}) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.negate %0 : tensor<8x32xf32>
  return %0, %1 : tensor<8x32xf32>, tensor<8x32xf32>
}
