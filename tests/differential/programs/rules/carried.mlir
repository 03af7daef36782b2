// Rules that the program carries: they stay, and only custom ones survive a drop.
func.func @carried(%arg0: tensor<4x6xf32>) -> tensor<6x4xf32> {
  %0 = stablehlo.custom_call @unknown(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=4, j=6}, custom>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.add %0, %0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([i, j]) {i=4, j=6, k=4, l=6} reduction={k} need_replication={l} permutation={i} blocked_propagation={i, l}>} : tensor<6x4xf32>
  %2 = stablehlo.abs %1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, jk])->([ij, k]) {i=2, j=3, k=-4}>} : tensor<6x4xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  return %2 : tensor<6x4xf32>
}
