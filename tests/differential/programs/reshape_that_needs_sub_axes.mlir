// pipeline: builtin.module(sdy-basic-propagate{keep-sharding-rules=true})
// pipeline: builtin.module(func.func(sdy-populate-op-sharding-rules))
sdy.mesh @mesh = <["x"=8, "y"=3]>
func.func @main(%arg0: tensor<16x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4x4x9xf32>, tensor<4x36xf32>, tensor<6x24xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<16x9xf32>) -> tensor<4x4x9xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x4x9xf32>) -> tensor<4x36xf32>
  %2 = stablehlo.reshape %arg0 : (tensor<16x9xf32>) -> tensor<6x24xf32>
  return %0, %1, %2 : tensor<4x4x9xf32>, tensor<4x36xf32>, tensor<6x24xf32>
}
