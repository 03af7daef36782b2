func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>}> : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>}> : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<i64>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<10x8xf32>, tensor<i64>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<1xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<10x8xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<5x1xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<f32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<0xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<0xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [], index_vector_dim = 1>}> : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<5x1xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (f32, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<5x1xi32>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers}> : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [3], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<3x10x8xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<3x10x8xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<i64>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<i64>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 8>}> : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 2, 1, 8>}> : (tensor<3x10x8xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<i64>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<3x10x8xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<3x10x8xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<3x10x8xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<3x10x8xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<f32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<3x10x8xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<3x10x8xf32>, tensor<5x1xi32>) -> tensor<3x5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<0x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64>}> : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (f32, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>) {
  %r = "stablehlo.gather"(%a, %b) <{dimension_numbers, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8, 6>}> : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>) -> tensor<3x5x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8, 6>}> : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>) -> tensor<3x5x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [1, 0], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8, 6>}> : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>) -> tensor<3x5x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0, 1], start_index_map = [0, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8, 6>}> : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>) -> tensor<3x5x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], operand_batching_dims = [1, 0], start_indices_batching_dims = [1, 0], start_index_map = [2, 3], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8, 6>}> : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>) -> tensor<3x5x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 9, -1>}> : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>) -> tensor<3x5x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<?x5x2xi32, #stablehlo.bounds<3, ?, ?>>) {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8, 6>}> : (tensor<3x10x8x6xf32>, tensor<?x5x2xi32, #stablehlo.bounds<3, ?, ?>>) -> tensor<3x7x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = true}> : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64}> : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}> : (f32, tensor<3xi32>) -> tensor<3x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<4x8xf32>, tensor<3xi32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<3xi32>) -> tensor<3x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<3xi32>) {
  "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<4x8xf32>, tensor<3xi32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}> ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims}> : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.torch_index_select"(%a, %b) <{dim, batch_dims = 0 : i64}> : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
  return
}
