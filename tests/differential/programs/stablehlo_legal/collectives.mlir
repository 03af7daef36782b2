func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<?x?xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x0xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<?x?xf32, #stablehlo.bounds<7, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r:2 = "stablehlo.all_reduce"(%a, %b) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<?x?xf32, #stablehlo.bounds<5, 8>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) {
  %r:2 = "stablehlo.all_reduce"(%a, %b) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<0xf32>, tensor<0xf32>) -> (tensor<0xf32>, tensor<0xf32>)
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<> : tensor<0x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<?x?xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4x?xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x?xf32, #stablehlo.bounds<?, 5>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<7, ?>>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<?x?xf32, #stablehlo.bounds<7, ?>>) -> tensor<?x?xf32, #stablehlo.bounds<4, 9>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32, #stablehlo.bounds<?, 8>>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4x?xf32, #stablehlo.bounds<?, 8>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<?x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (tensor<0x8xf32>) -> tensor<0x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<?, 9>>) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<?x?xf32, #stablehlo.bounds<?, 9>>) -> tensor<?x?xf32, #stablehlo.bounds<5, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<?x?xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<?x?xf32>) -> tensor<?x?xf32, #stablehlo.bounds<3, 5>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<?x?xf32>
  return
}
