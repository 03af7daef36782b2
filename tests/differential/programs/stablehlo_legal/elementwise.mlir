func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.abs"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.abs"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.abs"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.abs"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.abs"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32, #stablehlo.bounds<4, ?>>) {
  %r = "stablehlo.abs"(%a) : (tensor<?x?xi32, #stablehlo.bounds<4, ?>>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x0xi32>) {
  %r = "stablehlo.abs"(%a) : (tensor<4x0xi32>) -> tensor<?x?xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<?x8xf32, #stablehlo.bounds<4, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>, %b: tensor<4x?xcomplex<f32>>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<4x8xcomplex<f32>>, tensor<4x?xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>, %b: tensor<0x8xf32>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<0x8xf32>, tensor<0x8xf32>) -> tensor<0x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.and"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.and"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.and"(%a, %b) : (tensor<?x?xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0x8xi32>, %b: tensor<0x8xi32>) {
  %r = "stablehlo.and"(%a, %b) : (tensor<0x8xi32>, tensor<0x8xi32>) -> tensor<0x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<?x?xi1, #stablehlo.bounds<4, 11>>) {
  %r = "stablehlo.and"(%a, %b) : (tensor<4x8xi1>, tensor<?x?xi1, #stablehlo.bounds<4, 11>>) -> tensor<?x?xi1, #stablehlo.bounds<4, 9>>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x?xi1>) {
  %r = "stablehlo.and"(%a, %b) : (tensor<4x8xi1>, tensor<4x?xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<0xi32>, %b: tensor<0xi32>) {
  %r = "stablehlo.and"(%a, %b) : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.atan2"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.atan2"(%a, %b) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.atan2"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x?xf32, #stablehlo.bounds<?, 9>>) {
  %r = "stablehlo.atan2"(%a, %b) : (tensor<4x8xf32>, tensor<4x?xf32, #stablehlo.bounds<?, 9>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x8xf32>) {
  %r = "stablehlo.atan2"(%a, %b) : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cbrt"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.cbrt"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.cbrt"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.cbrt"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cbrt"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4x8xf32>) -> tensor<4x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cbrt"(%a) : (tensor<4x8xf32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<0x?xf32>) {
  %r = "stablehlo.cbrt"(%a) : (tensor<0x?xf32>) -> tensor<0x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.ceil"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.ceil"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.ceil"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<4, 11>>) {
  %r = "stablehlo.ceil"(%a) : (tensor<?x?xf32, #stablehlo.bounds<4, 11>>) -> tensor<?x?xf32, #stablehlo.bounds<4, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.ceil"(%a) : (tensor<4x8xf32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<4x8xf32>, %c: tensor<f32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>, %c: tensor<0xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<0xf32>, tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<?x?xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<4x?xf32, #stablehlo.bounds<?, 9>>, %c: tensor<f32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<4x?xf32, #stablehlo.bounds<?, 9>>, tensor<f32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<4x8xf32>, tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x?xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32, #stablehlo.bounds<4, 8>>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<?x?xi32, #stablehlo.bounds<4, 8>>, tensor<4x8xi32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.complex"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.complex"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.complex"(%a, %b) : (tensor<4x?xf32>, tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.complex"(%a, %b) : (tensor<4x?xf32>, tensor<4x8xf32>) -> tensor<?x8xcomplex<f32>, #stablehlo.bounds<7, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.convert"(%a) : (tensor<4x8xf32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.convert"(%a) : (tensor<?x?xf32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %r = "stablehlo.convert"(%a) : (tensor<4x?xf32>) -> tensor<?x?xi32, #stablehlo.bounds<3, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.convert"(%a) : (tensor<4x8xf32>) -> tensor<4x?xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cosine"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.cosine"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.cosine"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.cosine"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32, #stablehlo.bounds<?, 8>>) {
  %r = "stablehlo.cosine"(%a) : (tensor<4x?xf32, #stablehlo.bounds<?, 8>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>>) {
  %r = "stablehlo.cosine"(%a) : (tensor<?x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.count_leading_zeros"(%a) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32>) {
  %r = "stablehlo.count_leading_zeros"(%a) : (tensor<?x?xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0x8xi32>) {
  %r = "stablehlo.count_leading_zeros"(%a) : (tensor<0x8xi32>) -> tensor<0x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.count_leading_zeros"(%a) : (tensor<4x8xi32>) -> tensor<4x?xi32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.count_leading_zeros"(%a) : (tensor<4x8xi32>) -> tensor<4x?xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.divide"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.divide"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.divide"(%a, %b) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.divide"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x?xf32, #stablehlo.bounds<4, 8>>) {
  %r = "stablehlo.divide"(%a, %b) : (tensor<4x8xf32>, tensor<?x?xf32, #stablehlo.bounds<4, 8>>) -> tensor<?x?xf32, #stablehlo.bounds<4, 11>>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.divide"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<?x?xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.exponential"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.exponential"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.exponential"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.exponential"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.exponential"(%a) : (tensor<4x8xf32>) -> tensor<?x?xf32, #stablehlo.bounds<7, 9>>
  return
}
// -----
func.func @f(%a: tensor<4x?xcomplex<f32>>) {
  %r = "stablehlo.exponential"(%a) : (tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.exponential"(%a) : (tensor<?x?xf32>) -> tensor<4x0xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.exponential_minus_one"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.exponential_minus_one"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.exponential_minus_one"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.exponential_minus_one"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>, #stablehlo.bounds<4, 9>>) {
  %r = "stablehlo.exponential_minus_one"(%a) : (tensor<?x?xcomplex<f32>, #stablehlo.bounds<4, 9>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.exponential_minus_one"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.floor"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.floor"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.floor"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<4, ?>>) {
  %r = "stablehlo.floor"(%a) : (tensor<?x?xf32, #stablehlo.bounds<4, ?>>) -> tensor<4x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %r = "stablehlo.floor"(%a) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.imag"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.imag"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>>) {
  %r = "stablehlo.imag"(%a) : (tensor<?x?xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.imag"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.imag"(%a) : (tensor<4x8xf32>) -> tensor<?x?xf32, #stablehlo.bounds<4, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.imag"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xcomplex<f32>>) {
  %r = "stablehlo.imag"(%a) : (tensor<0x8xcomplex<f32>>) -> tensor<0x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.is_finite"(%a) : (tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.is_finite"(%a) : (tensor<?x?xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.is_finite"(%a) : (tensor<4x8xf32>) -> tensor<4x?xi1, #stablehlo.bounds<?, 11>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.is_finite"(%a) : (tensor<4x8xf32>) -> tensor<?x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.log"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.log"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.log"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.log"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.log"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<?x?xf32>) -> tensor<4x1xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>, #stablehlo.bounds<5, ?>>) {
  %r = "stablehlo.log"(%a) : (tensor<?x?xcomplex<f32>, #stablehlo.bounds<5, ?>>) -> tensor<?x?xcomplex<f32>, #stablehlo.bounds<5, ?>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.log"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.log_plus_one"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.log_plus_one"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.log_plus_one"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.log_plus_one"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xcomplex<f32>, #stablehlo.bounds<7, ?>>) {
  %r = "stablehlo.log_plus_one"(%a) : (tensor<?x8xcomplex<f32>, #stablehlo.bounds<7, ?>>) -> tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 11>>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %r = "stablehlo.log_plus_one"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.logistic"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.logistic"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.logistic"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.logistic"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<?, 11>>) {
  %r = "stablehlo.logistic"(%a) : (tensor<?x?xf32, #stablehlo.bounds<?, 11>>) -> tensor<?x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.logistic"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<?x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.maximum"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.maximum"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.maximum"(%a, %b) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.maximum"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.maximum"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<?x?xi1, #stablehlo.bounds<7, 11>>) {
  %r = "stablehlo.maximum"(%a, %b) : (tensor<4x8xi1>, tensor<?x?xi1, #stablehlo.bounds<7, 11>>) -> tensor<4x?xi1>
  return
}
// -----
func.func @f(%a: tensor<4x0xui8>, %b: tensor<4x0xui8>) {
  %r = "stablehlo.maximum"(%a, %b) : (tensor<4x0xui8>, tensor<4x0xui8>) -> tensor<4x0xui8>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.minimum"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.minimum"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.minimum"(%a, %b) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.minimum"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.minimum"(%a, %b) : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>, %b: tensor<?x8xcomplex<f32>, #stablehlo.bounds<4, ?>>) {
  %r = "stablehlo.minimum"(%a, %b) : (tensor<4x8xcomplex<f32>>, tensor<?x8xcomplex<f32>, #stablehlo.bounds<4, ?>>) -> tensor<?x8xcomplex<f32>, #stablehlo.bounds<5, ?>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<?xf32>) {
  %r = "stablehlo.minimum"(%a, %b) : (tensor<0xf32>, tensor<?xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.multiply"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.multiply"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.multiply"(%a, %b) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.multiply"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>, #stablehlo.bounds<4, 8>>, %b: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.multiply"(%a, %b) : (tensor<?x?xcomplex<f32>, #stablehlo.bounds<4, 8>>, tensor<4x8xcomplex<f32>>) -> tensor<4x?xcomplex<f32>, #stablehlo.bounds<?, 11>>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>>, %b: tensor<?x?xcomplex<f32>>) {
  %r = "stablehlo.multiply"(%a, %b) : (tensor<?x?xcomplex<f32>>, tensor<?x?xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.negate"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.negate"(%a) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.negate"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.negate"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.negate"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<?x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 11>>) {
  %r = "stablehlo.negate"(%a) : (tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 11>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.not"(%a) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  %r = "stablehlo.not"(%a) : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32>) {
  %r = "stablehlo.not"(%a) : (tensor<?x?xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0x8xi32>) {
  %r = "stablehlo.not"(%a) : (tensor<0x8xi32>) -> tensor<0x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32, #stablehlo.bounds<7, ?>>) {
  %r = "stablehlo.not"(%a) : (tensor<?x?xi32, #stablehlo.bounds<7, ?>>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.not"(%a) : (tensor<4x8xi32>) -> tensor<?x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.or"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.or"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.or"(%a, %b) : (tensor<?x?xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0x8xi32>, %b: tensor<0x8xi32>) {
  %r = "stablehlo.or"(%a, %b) : (tensor<0x8xi32>, tensor<0x8xi32>) -> tensor<0x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x?xi1, #stablehlo.bounds<?, 8>>) {
  %r = "stablehlo.or"(%a, %b) : (tensor<4x8xi1>, tensor<4x?xi1, #stablehlo.bounds<?, 8>>) -> tensor<?x?xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.or"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<?x?xi1>
  return
}
// -----
func.func @f(%a: tensor<1x0xi1>, %b: tensor<1x0xi1>) {
  %r = "stablehlo.or"(%a, %b) : (tensor<1x0xi1>, tensor<1x0xi1>) -> tensor<1x0xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.popcnt"(%a) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32>) {
  %r = "stablehlo.popcnt"(%a) : (tensor<?x?xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0x8xi32>) {
  %r = "stablehlo.popcnt"(%a) : (tensor<0x8xi32>) -> tensor<0x8xi32>
  return
}
// -----
func.func @f(%a: tensor<1x4x8xi32>) {
  %r = "stablehlo.popcnt"(%a) : (tensor<1x4x8xi32>) -> tensor<1x?x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32, #stablehlo.bounds<4, 8>>) {
  %r = "stablehlo.popcnt"(%a) : (tensor<?x?xi32, #stablehlo.bounds<4, 8>>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.power"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.power"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.power"(%a, %b) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.power"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32, #stablehlo.bounds<7, ?>>, %b: tensor<?x?xi32, #stablehlo.bounds<?, 8>>) {
  %r = "stablehlo.power"(%a, %b) : (tensor<?x?xi32, #stablehlo.bounds<7, ?>>, tensor<?x?xi32, #stablehlo.bounds<?, 8>>) -> tensor<4x?xi32, #stablehlo.bounds<?, 11>>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.power"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<?x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x0xcomplex<f32>>, %b: tensor<4x0xcomplex<f32>>) {
  %r = "stablehlo.power"(%a, %b) : (tensor<4x0xcomplex<f32>>, tensor<4x0xcomplex<f32>>) -> tensor<4x0xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.real"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>>) {
  %r = "stablehlo.real"(%a) : (tensor<?x?xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xcomplex<f32>, #stablehlo.bounds<7, ?>>) {
  %r = "stablehlo.real"(%a) : (tensor<?x8xcomplex<f32>, #stablehlo.bounds<7, ?>>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<?x8xcomplex<f32>>) {
  %r = "stablehlo.real"(%a) : (tensor<?x8xcomplex<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x0xcomplex<f32>>) {
  %r = "stablehlo.real"(%a) : (tensor<4x0xcomplex<f32>>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<7, 9>>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<?x?xf32, #stablehlo.bounds<7, 9>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x0xf32>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = 3 : i32, mantissa_bits = 10 : i32}> : (tensor<4x0xf32>) -> tensor<4x0xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.remainder"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.remainder"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.remainder"(%a, %b) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.remainder"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x?xf32, #stablehlo.bounds<?, 8>>) {
  %r = "stablehlo.remainder"(%a, %b) : (tensor<4x8xf32>, tensor<?x?xf32, #stablehlo.bounds<?, 8>>) -> tensor<?x8xf32, #stablehlo.bounds<7, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.remainder"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>, %b: tensor<0x8xf32>) {
  %r = "stablehlo.remainder"(%a, %b) : (tensor<0x8xf32>, tensor<0x8xf32>) -> tensor<0x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.round_nearest_afz"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.round_nearest_afz"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.round_nearest_afz"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.round_nearest_afz"(%a) : (tensor<4x8xf32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 11>>
  return
}
// -----
func.func @f(%a: tensor<4x8xbf16>) {
  %r = "stablehlo.round_nearest_afz"(%a) : (tensor<4x8xbf16>) -> tensor<?x8xbf16>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<4x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<4x8xf32>) -> tensor<?x?xf32, #stablehlo.bounds<5, ?>>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>) {
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<0x8xf32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.rsqrt"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.rsqrt"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.rsqrt"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.rsqrt"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.rsqrt"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x0xf64>) {
  %r = "stablehlo.rsqrt"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4x0xf64>) -> tensor<4x0xf64>
  return
}
// -----
func.func @f(%a: tensor<?x8xcomplex<f32>, #stablehlo.bounds<5, ?>>) {
  %r = "stablehlo.rsqrt"(%a) : (tensor<?x8xcomplex<f32>, #stablehlo.bounds<5, ?>>) -> tensor<4x?xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xi1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<?x?xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: tensor<0xf32>, %c: tensor<0xf32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xf32>, %c: tensor<?x8xf32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: tensor<?x?xf32, #stablehlo.bounds<?, 9>>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<?x?xf32, #stablehlo.bounds<?, 9>>, tensor<4x8xf32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: tensor<?x?xf32>, %c: tensor<?x0xf32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<?x?xf32>, tensor<?x0xf32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_left"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_left"(%a, %b) : (tensor<?x?xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0x8xi32>, %b: tensor<0x8xi32>) {
  %r = "stablehlo.shift_left"(%a, %b) : (tensor<0x8xi32>, tensor<0x8xi32>) -> tensor<0x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_left"(%a, %b) : (tensor<?x8xi32>, tensor<4x8xi32>) -> tensor<?x?xi32, #stablehlo.bounds<4, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_left"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x?xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<?x?xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0x8xi32>, %b: tensor<0x8xi32>) {
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<0x8xi32>, tensor<0x8xi32>) -> tensor<0x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<?x?xi32>) {
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<4x8xi32>, tensor<?x?xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x8xi32, #stablehlo.bounds<5, ?>>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<?x8xi32, #stablehlo.bounds<5, ?>>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<?x?xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0x8xi32>, %b: tensor<0x8xi32>) {
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<0x8xi32>, tensor<0x8xi32>) -> tensor<0x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<?x8xi32, #stablehlo.bounds<7, ?>>) {
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<4x8xi32>, tensor<?x8xi32, #stablehlo.bounds<7, ?>>) -> tensor<?x?xi32, #stablehlo.bounds<5, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x?xi32>, %b: tensor<4x?xi32>) {
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<?x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0x16xi32>, %b: tensor<0x16xi32>) {
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<0x16xi32>, tensor<0x16xi32>) -> tensor<0x16xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sign"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.sign"(%a) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.sign"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.sign"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>, #stablehlo.bounds<4, 11>>) {
  %r = "stablehlo.sign"(%a) : (tensor<?x?xcomplex<f32>, #stablehlo.bounds<4, 11>>) -> tensor<?x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>>) {
  %r = "stablehlo.sign"(%a) : (tensor<?x?xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x0xi64>) {
  %r = "stablehlo.sign"(%a) : (tensor<4x0xi64>) -> tensor<4x0xi64>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sine"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.sine"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.sine"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.sine"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %r = "stablehlo.sine"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xcomplex<f32>, #stablehlo.bounds<4, ?>>) {
  %r = "stablehlo.sine"(%a) : (tensor<?x8xcomplex<f32>, #stablehlo.bounds<4, ?>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sqrt"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.sqrt"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.sqrt"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.sqrt"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %r = "stablehlo.sqrt"(%a) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 8>>) {
  %r = "stablehlo.sqrt"(%a) : (tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 8>>) -> tensor<?x?xcomplex<f32>, #stablehlo.bounds<7, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.subtract"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.subtract"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.subtract"(%a, %b) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.subtract"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.subtract"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x?xf32>) {
  %r = "stablehlo.subtract"(%a, %b) : (tensor<4x8xf32>, tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x0xcomplex<f32>>, %b: tensor<4x0xcomplex<f32>>) {
  %r = "stablehlo.subtract"(%a, %b) : (tensor<4x0xcomplex<f32>>, tensor<4x0xcomplex<f32>>) -> tensor<4x0xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.tan"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.tan"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.tan"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.tan"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>, #stablehlo.bounds<3, ?>>) {
  %r = "stablehlo.tan"(%a) : (tensor<?x?xcomplex<f32>, #stablehlo.bounds<3, ?>>) -> tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 11>>
  return
}
// -----
func.func @f(%a: tensor<?x?xcomplex<f32>>) {
  %r = "stablehlo.tan"(%a) : (tensor<?x?xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0x?xcomplex<f32>>) {
  %r = "stablehlo.tan"(%a) : (tensor<0x?xcomplex<f32>>) -> tensor<0x?xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.tanh"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>) {
  %r = "stablehlo.tanh"(%a) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.tanh"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.tanh"(%a) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %r = "stablehlo.tanh"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4x?xf32>) -> tensor<?x?xf32, #stablehlo.bounds<7, 8>>
  return
}
// -----
func.func @f(%a: tensor<?x8xcomplex<f32>>) {
  %r = "stablehlo.tanh"(%a) : (tensor<?x8xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x0xf32>) {
  %r = "stablehlo.tanh"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4x0xf32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.xor"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.xor"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<?x?xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.xor"(%a, %b) : (tensor<?x?xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<0x8xi32>, %b: tensor<0x8xi32>) {
  %r = "stablehlo.xor"(%a, %b) : (tensor<0x8xi32>, tensor<0x8xi32>) -> tensor<0x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.xor"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<?x8xi1>
  return
}
// -----
func.func @f(%a: tensor<?x8xi32, #stablehlo.bounds<4, ?>>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.xor"(%a, %b) : (tensor<?x8xi32, #stablehlo.bounds<4, ?>>, tensor<4x8xi32>) -> tensor<?x?xi32, #stablehlo.bounds<5, ?>>
  return
}
// -----
func.func @f(%a: tensor<?x0xi1>, %b: tensor<?x0xi1>) {
  %r = "stablehlo.xor"(%a, %b) : (tensor<?x0xi1>, tensor<?x0xi1>) -> tensor<?x0xi1>
  return
}
