func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.5 : f64, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = true}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<f32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf64>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf64>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<f32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<f32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<0xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<0xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 0 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: f32, %c: f32, %d: f32, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, f32, f32, f32, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, f32, f32)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x4x3xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.5 : f64, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = true}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf64>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf64>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<0xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<0xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 0 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (f32, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %r = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.5 : f64, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = true}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf64>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf64>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<f32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<0xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<0xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 0 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: f32, %c: f32) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, f32, f32) -> (tensor<2x4x3xf32>, f32, f32)
  return
}
// -----
func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<2x4x4xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf64>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<2x4x4xf64>) -> tensor<2x4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x4x2xf32>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<2x4x4x2xf32>) -> tensor<2x4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<2x0x4xf32>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<2x0x4xf32>) -> tensor<2x4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4xf32>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.cholesky"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>) {
  %r = "stablehlo.cholesky"(%a) : (tensor<2x4x4xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.cholesky"() : () -> tensor<2x4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>) {
  "stablehlo.cholesky"(%a) : (tensor<2x4x4xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>) {
  %r = "stablehlo.cholesky"(%a) ({ stablehlo.return }) : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x4xcomplex<f32>>) {
  %r = "stablehlo.cholesky"(%a) <{lower}> : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return
}
// -----
func.func @f(%arg0: tensor<2x4x4xf32>) {
  %0 = stablehlo.cholesky %arg0 : (tensor<2x4x4xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<2x4x4xf64>) {
  %0 = stablehlo.cholesky %arg0 : (tensor<2x4x4xf64>) -> tensor<2x4x4xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.cholesky %arg0 : tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>}> : (tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4xcomplex<f32>>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>}> : (tensor<4xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x5xcomplex<f32>>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 0, 0>}> : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xbf16>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>}> : (tensor<4x8xbf16>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>}> : (tensor<0xf32>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 0, 0>}> : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 0>}> : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8x2xf32>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>}> : (tensor<4x8x2xf32>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>}> : (tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>}> : (tensor<f32>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.fft"(%a) <{fft_length = array<i64: 8>}> : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>}> : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.fft"() <{fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>}> : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type RFFT>, fft_length}> : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.fft %arg0, type = FFT, length = [8] : (tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<4xcomplex<f32>>) {
  %0 = stablehlo.fft %arg0, type = IRFFT, length = [8] : (tensor<4xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x5xcomplex<f32>>) {
  %0 = stablehlo.fft %arg0, type = IRFFT, length = [0, 0] : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>, %b: tensor<2x4x3xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>, %b: tensor<2x4x3xf64>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x4x4xf32>, tensor<2x4x3xf64>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<2x4x3xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<f32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>, %b: tensor<f32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x4x4xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>, %b: tensor<2x4x3xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>, %b: f32) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x4x4xf32>, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<2x4x3xf32>) {
  %r = "stablehlo.triangular_solve"(%a) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4x4xf32>, %b: tensor<2x4x3xf32>) {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}
