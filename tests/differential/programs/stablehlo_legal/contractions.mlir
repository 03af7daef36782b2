func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.dot"(%a, %b) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  %r = "stablehlo.dot"(%a, %b) <{precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.dot"(%a, %b) : (tensor<?x?xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<?xf32, #stablehlo.bounds<7>>, %b: tensor<8xf32>) {
  %r = "stablehlo.dot"(%a, %b) <{precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<?xf32, #stablehlo.bounds<7>>, tensor<8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %r = "stablehlo.dot"(%a, %b) <{precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?x?xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<?x?x?xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<?x?xf32, #stablehlo.bounds<7, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x?xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<4x8xf32>, tensor<8x?xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<3x8x0xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<3x4x8xf32>, tensor<3x8x0xf32>) -> tensor<3x4x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (tensor<0xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (tensor<?x?xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (tensor<?x8xf32>, tensor<8x2xf32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<5, 8>>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (tensor<?x?xf32, #stablehlo.bounds<5, 8>>, tensor<8x2xf32>) -> tensor<?x?xf32, #stablehlo.bounds<?, 5>>
  return
}
// -----
func.func @f(%a: tensor<7x8xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (tensor<7x8xf32>, tensor<0xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->ba"}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->ba"}> : (tensor<0xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->ba"}> : (tensor<?x?xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->ba"}> : (tensor<4x8xf32>) -> tensor<8x?xf32, #stablehlo.bounds<?, 5>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->ba"}> : (tensor<4x8xf32>) -> tensor<?x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->ba"}> : (tensor<4xf32>) -> tensor<0x4xf32>
  return
}
