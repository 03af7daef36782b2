// Dot products.
func.func @batch(%arg0: tensor<2x4x6xf32>, %arg1: tensor<2x6x8xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x6xf32>, tensor<2x6x8xf32>) -> tensor<2x4x8xf32>
  return
}
func.func @matrix(%arg0: tensor<4x6xf32>, %arg1: tensor<6x8xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return
}
func.func @outer(%arg0: tensor<4x6xf32>, %arg1: tensor<6x8xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [] x [] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x6x6x8xf32>
  return
}
func.func @inner(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<6xf32>, tensor<6xf32>) -> tensor<f32>
  return
}
func.func @batched_vector(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return
}
func.func @two_batches(%arg0: tensor<6x3x2xf32>, %arg1: tensor<2x5x3x6xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [2, 1] x [0, 2], contracting_dims = [0] x [3] : (tensor<6x3x2xf32>, tensor<2x5x3x6xf32>) -> tensor<2x3x5xf32>
  return
}
func.func @two_contractions(%arg0: tensor<6x3x2xf32>, %arg1: tensor<2x5x3x6xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [2] x [0], contracting_dims = [1, 0] x [2, 3] : (tensor<6x3x2xf32>, tensor<2x5x3x6xf32>) -> tensor<2x5xf32>
  return
}
func.func @dot_matrices(%arg0: tensor<4x6xf32>, %arg1: tensor<6x8xf32>) {
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return
}
func.func @dot_matrix_vector(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>) {
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  return
}
func.func @dot_vector_matrix(%arg0: tensor<6xf32>, %arg1: tensor<6x8xf32>) {
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<6xf32>, tensor<6x8xf32>) -> tensor<8xf32>
  return
}
func.func @dot_vectors(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) {
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<6xf32>, tensor<6xf32>) -> tensor<f32>
  return
}
