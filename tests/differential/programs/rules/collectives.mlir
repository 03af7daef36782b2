// StableHLO collectives.
func.func @all_gather(%arg0: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}
func.func @all_gather_pair(%arg0: tensor<4x6xf32>, %arg1: tensor<6x5xf32>) {
  %0:2 = "stablehlo.all_gather"(%arg0, %arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>, tensor<6x5xf32>) -> (tensor<8x6xf32>, tensor<12x5xf32>)
  return
}
func.func @reduce_scatter(%arg0: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}
func.func @all_to_all(%arg0: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}
func.func @all_to_all_same(%arg0: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
func.func @all_reduce(%arg0: tensor<4x6xf32>) {
  %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
func.func @all_reduce_mixed(%arg0: tensor<4x6xf32>, %arg1: tensor<3xf32>, %arg2: tensor<f32>) {
  %0:3 = "stablehlo.all_reduce"(%arg0, %arg1, %arg2) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<3xf32>, tensor<f32>) -> (tensor<4x6xf32>, tensor<3xf32>, tensor<f32>)
  return
}
func.func @collective_permute(%arg0: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
func.func @collective_broadcast(%arg0: tensor<4x6xf32>) {
  %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
func.func @cross_replica_sum(%arg0: tensor<4x6xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
