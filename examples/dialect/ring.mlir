sdy.mesh @mesh = <["data"=2, "model"=2]>

func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> tensor<8x16xf32> {
  %weights = "loom.table"() <{values = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>}> : () -> tensor<8xf32>
  %spread = stablehlo.broadcast_in_dim %weights, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %0 = stablehlo.multiply %x, %spread : tensor<8x16xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{}, {"data"}]>] out_shardings=[<@mesh, [{}, {"data"}]>]
      manual_axes={"data"} (%shard: tensor<8x8xf32>) {
    %2 = "loom.ring_sum"(%shard) <{rings = array<i64: 0, 2, 1, 3>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    sdy.return %2 : tensor<8x8xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
