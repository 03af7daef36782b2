// Decompositions, triangular solves, Fourier transforms.
func.func @cholesky(%arg0: tensor<4x6x6xf32>) {
  %0 = stablehlo.cholesky %arg0, lower = true : tensor<4x6x6xf32>
  return
}
func.func @cholesky_matrix(%arg0: tensor<8x8xf32>) {
  %0 = stablehlo.cholesky %arg0, lower = true : tensor<8x8xf32>
  return
}
func.func @solve_left_no_transpose(%arg0: tensor<5x4x4xf32>, %arg1: tensor<5x4x3xf32>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<5x4x4xf32>, tensor<5x4x3xf32>) -> tensor<5x4x3xf32>
  return
}
func.func @solve_left_transpose(%arg0: tensor<5x4x4xf32>, %arg1: tensor<5x4x3xf32>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<5x4x4xf32>, tensor<5x4x3xf32>) -> tensor<5x4x3xf32>
  return
}
func.func @solve_left_adjoint(%arg0: tensor<5x4x4xf32>, %arg1: tensor<5x4x3xf32>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<5x4x4xf32>, tensor<5x4x3xf32>) -> tensor<5x4x3xf32>
  return
}
func.func @solve_right_no_transpose(%arg0: tensor<5x4x4xf32>, %arg1: tensor<5x3x4xf32>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<5x4x4xf32>, tensor<5x3x4xf32>) -> tensor<5x3x4xf32>
  return
}
func.func @solve_right_transpose(%arg0: tensor<5x4x4xf32>, %arg1: tensor<5x3x4xf32>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<5x4x4xf32>, tensor<5x3x4xf32>) -> tensor<5x3x4xf32>
  return
}
func.func @solve_right_adjoint(%arg0: tensor<5x4x4xf32>, %arg1: tensor<5x3x4xf32>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<5x4x4xf32>, tensor<5x3x4xf32>) -> tensor<5x3x4xf32>
  return
}
func.func @solve_matrix(%arg0: tensor<4x4xf32>, %arg1: tensor<4x3xf32>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}
func.func @fft(%arg0: tensor<4x8x16xcomplex<f32>>) {
  %0 = stablehlo.fft %arg0, type = FFT, length = [16] : (tensor<4x8x16xcomplex<f32>>) -> tensor<4x8x16xcomplex<f32>>
  return
}
func.func @ifft(%arg0: tensor<4x8x16xcomplex<f32>>) {
  %0 = stablehlo.fft %arg0, type = IFFT, length = [8, 16] : (tensor<4x8x16xcomplex<f32>>) -> tensor<4x8x16xcomplex<f32>>
  return
}
func.func @rfft(%arg0: tensor<4x8x16xf32>) {
  %0 = stablehlo.fft %arg0, type = RFFT, length = [8, 16] : (tensor<4x8x16xf32>) -> tensor<4x8x9xcomplex<f32>>
  return
}
func.func @irfft(%arg0: tensor<4x8x9xcomplex<f32>>) {
  %0 = stablehlo.fft %arg0, type = IRFFT, length = [16] : (tensor<4x8x9xcomplex<f32>>) -> tensor<4x8x16xf32>
  return
}
func.func @rfft_one(%arg0: tensor<4x8x1xf32>) {
  %0 = stablehlo.fft %arg0, type = RFFT, length = [1] : (tensor<4x8x1xf32>) -> tensor<4x8x1xcomplex<f32>>
  return
}
func.func @fft_three(%arg0: tensor<4x8x16xcomplex<f32>>) {
  %0 = stablehlo.fft %arg0, type = FFT, length = [4, 8, 16] : (tensor<4x8x16xcomplex<f32>>) -> tensor<4x8x16xcomplex<f32>>
  return
}
func.func @eigh(%arg0: tensor<4x2x8x8xf32>) {
  %0:2 = stablehlo.custom_call @Eigh(%arg0) : (tensor<4x2x8x8xf32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8xf32>)
  return
}
func.func @qr(%arg0: tensor<5x8x3xf32>) {
  %0:2 = stablehlo.custom_call @Qr(%arg0) : (tensor<5x8x3xf32>) -> (tensor<5x8x3xf32>, tensor<5x3xf32>)
  return
}
func.func @qr_block(%arg0: tensor<8x3xf32>) {
  %0:2 = stablehlo.custom_call @QrDecompositionBlock(%arg0) : (tensor<8x3xf32>) -> (tensor<8x3xf32>, tensor<3xf32>)
  return
}
func.func @householder(%arg0: tensor<5x8x3xf32>, %arg1: tensor<5x3xf32>) {
  %0 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%arg0, %arg1) : (tensor<5x8x3xf32>, tensor<5x3xf32>) -> tensor<5x8x3xf32>
  return
}
