func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<?x?x?xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<?x?x?xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<0x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<0x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<0x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<0x4x3xf32>) -> (tensor<0x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<?xf32, #stablehlo.bounds<3>>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<?xf32, #stablehlo.bounds<3>>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<?x?x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x?x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x?x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<?x0x?xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<?x0x?xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<?x0x?xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<?x0x?xf32>) -> (tensor<?x0x?xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?x?xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<?x?x?xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<0x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<0x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<0x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<?x4x?xf32, #stablehlo.bounds<5, ?, ?>>, %b: tensor<?xf32>, %c: tensor<?xf32, #stablehlo.bounds<2>>, %d: tensor<?xf32>, %e: tensor<?xf32, #stablehlo.bounds<2>>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<?x4x?xf32, #stablehlo.bounds<5, ?, ?>>, tensor<?xf32>, tensor<?xf32, #stablehlo.bounds<2>>, tensor<?xf32>, tensor<?xf32, #stablehlo.bounds<2>>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?x3xf32>, %b: tensor<?xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<?x?x3xf32>, tensor<?xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<?x?x?xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<?x?x?xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<0x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<0x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<0x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<?xf32>)
  return
}
// -----
func.func @f(%a: tensor<?x4x3xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<?x4x3xf32>, tensor<?xf32, #stablehlo.bounds<4>>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x4xcomplex<f32>>) {
  %r = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<?x?x?xf32>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<?x?x?xf32>) -> tensor<2x4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<0x4x4xf32>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<0x4x4xf32>) -> tensor<0x4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 4>>) {
  %r = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 4>>) -> tensor<4x?xcomplex<f32>, #stablehlo.bounds<?, 4>>
  return
}
// -----
func.func @f(%a: tensor<4x4xcomplex<f32>>) {
  %r = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<4x4xcomplex<f32>>) -> tensor<?x4xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>}> : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>}> : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x5xcomplex<f32>>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>}> : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>}> : (tensor<?x?xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0x8xcomplex<f32>>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>}> : (tensor<0x8xcomplex<f32>>) -> tensor<0x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<?x8xcomplex<f32>, #stablehlo.bounds<7, ?>>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>}> : (tensor<?x8xcomplex<f32>, #stablehlo.bounds<7, ?>>) -> tensor<4x?xcomplex<f32>, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<?x8xcomplex<f32>>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>}> : (tensor<?x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0x8xcomplex<f32>>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 1, 0>}> : (tensor<0x8xcomplex<f32>>) -> tensor<0x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>, %b: tensor<2x4x3xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?x?xf32>, %b: tensor<2x4x3xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<?x?x?xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>, %b: tensor<2x4x0xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x4x4xf32>, tensor<2x4x0xf32>) -> tensor<2x4x0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?x?xf32, #stablehlo.bounds<2, 5, 7>>, %b: tensor<2x4x3xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<?x?x?xf32, #stablehlo.bounds<2, 5, 7>>, tensor<2x4x3xf32>) -> tensor<2x?x?xf32, #stablehlo.bounds<?, ?, 3>>
  return
}
