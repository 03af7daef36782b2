// Gathers.
func.func @whole_and_single(%arg0: tensor<8x6x4xf32>, %arg1: tensor<5x2x3xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0, 1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6, 1>}> : (tensor<8x6x4xf32>, tensor<5x2x3xi32>) -> tensor<5x2x6x1xf32>
  return
}
func.func @partial(%arg0: tensor<8x6x4xf32>, %arg1: tensor<5x2x3xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0, 1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3, 2>}> : (tensor<8x6x4xf32>, tensor<5x2x3xi32>) -> tensor<5x2x3x2xf32>
  return
}
func.func @no_index_vector(%arg0: tensor<8x6x4xf32>, %arg1: tensor<5x2xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6, 4>}> : (tensor<8x6x4xf32>, tensor<5x2xi32>) -> tensor<5x2x6x4xf32>
  return
}
func.func @index_vector_first(%arg0: tensor<8x6x4xf32>, %arg1: tensor<2x5x7xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 2], start_index_map = [0, 2]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6, 1>}> : (tensor<8x6x4xf32>, tensor<2x5x7xi32>) -> tensor<5x7x6xf32>
  return
}
func.func @batching(%arg0: tensor<8x6x4xf32>, %arg1: tensor<8x5x2xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3, 1>}> : (tensor<8x6x4xf32>, tensor<8x5x2xi32>) -> tensor<8x5x3xf32>
  return
}
func.func @collapsed_one(%arg0: tensor<1x6xf32>, %arg1: tensor<5x1xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<1x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return
}
func.func @windows_first(%arg0: tensor<8x6xf32>, %arg1: tensor<5x1xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 8, 6>}> : (tensor<8x6xf32>, tensor<5x1xi32>) -> tensor<8x6x5xf32>
  return
}
func.func @scalar(%arg0: tensor<8x6xf32>, %arg1: tensor<2xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x6xf32>, tensor<2xi32>) -> tensor<f32>
  return
}
func.func @interleaved(%arg0: tensor<8x6xf32>, %arg1: tensor<5x7x2xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 2, 6>}> : (tensor<8x6xf32>, tensor<5x7x2xi32>) -> tensor<5x2x7x6xf32>
  return
}
func.func @random_0(%arg0: tensor<16x3xf32>, %arg1: tensor<3x1xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<16x3xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return
}
func.func @random_1(%arg0: tensor<4x3xf32>, %arg1: tensor<12x4x0x3xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<operand_batching_dims = [0, 1], start_indices_batching_dims = [1, 3], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x3xf32>, tensor<12x4x0x3xi32>) -> tensor<12x4x3xf32>
  return
}
func.func @random_2(%arg0: tensor<1xf32>, %arg1: tensor<8xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<1xf32>, tensor<8xi32>) -> tensor<8xf32>
  return
}
func.func @random_3(%arg0: tensor<1x6xf32>, %arg1: tensor<2xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1, 0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<1x6xf32>, tensor<2xi32>) -> tensor<1xf32>
  return
}
func.func @random_4(%arg0: tensor<4x16x8x4xf32>, %arg1: tensor<2x2x8x4x6xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], operand_batching_dims = [2, 3], start_indices_batching_dims = [2, 3], start_index_map = [1, 0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1, 1>}> : (tensor<4x16x8x4xf32>, tensor<2x2x8x4x6xi32>) -> tensor<2x8x4x6xf32>
  return
}
func.func @random_5(%arg0: tensor<6x1x6x8xf32>, %arg1: tensor<1x6x8x8xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], operand_batching_dims = [0, 3], start_indices_batching_dims = [1, 3], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1, 1>}> : (tensor<6x1x6x8xf32>, tensor<1x6x8x8xi32>) -> tensor<6x1x8x1x8xf32>
  return
}
func.func @random_6(%arg0: tensor<1x6x6xf32>, %arg1: tensor<1x1x12xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [2]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x6x6xf32>, tensor<1x1x12xi32>) -> tensor<1x12xf32>
  return
}
func.func @random_7(%arg0: tensor<1x12x2x6xf32>, %arg1: tensor<8xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 3], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 2, 1>}> : (tensor<1x12x2x6xf32>, tensor<8xi32>) -> tensor<1x2x8x1xf32>
  return
}
func.func @random_8(%arg0: tensor<4xf32>, %arg1: tensor<12x4x0xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<operand_batching_dims = [0], start_indices_batching_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<12x4x0xi32>) -> tensor<12x4xf32>
  return
}
func.func @random_9(%arg0: tensor<16x16x16xf32>, %arg1: tensor<16x16xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [1, 0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<16x16x16xf32>, tensor<16x16xi32>) -> tensor<16x16xf32>
  return
}
func.func @random_10(%arg0: tensor<6x4x1xf32>, %arg1: tensor<8x1x4x1xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [0], operand_batching_dims = [2], start_indices_batching_dims = [3], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1>}> : (tensor<6x4x1xf32>, tensor<8x1x4x1xi32>) -> tensor<8x4x1x4xf32>
  return
}
func.func @random_11(%arg0: tensor<1x4x8xf32>, %arg1: tensor<1xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x4x8xf32>, tensor<1xi32>) -> tensor<f32>
  return
}
func.func @random_12(%arg0: tensor<1xf32>, %arg1: tensor<1x8xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<1xf32>, tensor<1x8xi32>) -> tensor<8x1xf32>
  return
}
func.func @random_13(%arg0: tensor<6x3x3x4xf32>, %arg1: tensor<2x3x3x8x1xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [3], operand_batching_dims = [1, 2], start_indices_batching_dims = [2, 1], start_index_map = [0, 3]>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1, 1, 1>}> : (tensor<6x3x3x4xf32>, tensor<2x3x3x8x1xi32>) -> tensor<3x5x3x8x1xf32>
  return
}
func.func @random_14(%arg0: tensor<12xf32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 12>}> : (tensor<12xf32>, tensor<i32>) -> tensor<12xf32>
  return
}
