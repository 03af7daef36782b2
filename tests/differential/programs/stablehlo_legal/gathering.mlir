func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>, indices_are_sorted = true}> : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<3x10x8xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<0xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<3x2xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<0xf32>, tensor<3x2xi32>) -> tensor<3x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<5, 8>>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<?x?xf32, #stablehlo.bounds<5, 8>>, tensor<3xi32>) -> tensor<?x?xf32, #stablehlo.bounds<2, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<?x?xf32>
  return
}
