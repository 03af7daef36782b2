// pipeline: builtin.module(sdy-basic-propagate)
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
