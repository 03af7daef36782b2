func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  %r = "stablehlo.dot"(%a, %b) <{precision_config = ["x"]}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.dot"(%a, %b) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  %r = "stablehlo.dot"(%a, %b) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<8x2xf32>) {
  %r = "stablehlo.dot"(%a, %b) : (f32, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.dot"(%a, %b) : (tensor<4x8xf32>, tensor<8x2xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.dot"(%a) : (tensor<4x8xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  "stablehlo.dot"(%a, %b) : (tensor<4x8xf32>, tensor<8x2xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.dot"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  %r = "stablehlo.dot"(%a, %b) <{precision_config}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) {
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%arg0: f32, %arg1: tensor<8x2xf32>) {
  %0 = stablehlo.dot %arg0, %arg1 : (f32, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x2xf32>) {
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<4x8xf32>, tensor<8x2xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = stablehlo.dot %a, %a, precision = [HIGH, HIGH, HIGH] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) {
  %0 = stablehlo.dot %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<2x5xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = ["x"]}> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<3x4x8xf32>, tensor<8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>}> : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = []>}> : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<f32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<0xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<3x4x8xf32>, tensor<f32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<3x4x8xf32>, tensor<0xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (f32, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>) {
  %r = "stablehlo.dot_general"(%a) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<3x4x8xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>) {
  %r = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers}> : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%arg0: tensor<3x4x8xf32>, %arg1: tensor<8x2xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x4x8xf32>, tensor<8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%arg0: tensor<3x4x8xf32>, %arg1: tensor<3x8x2xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%arg0: tensor<3x4x8xf32>, %arg1: tensor<3x8x2xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [0] x [1] : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0], precision = [HIGH, HIGH, HIGH] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0, 0] x [0, 1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0], precision = [HIGH, HIGH], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.einsum"(%a, %b) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<8x2xf32>) {
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (f32, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (tensor<4x8xf32>, tensor<8x2xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.einsum"(%a) <{einsum_config = "ab,bc->ac"}> : (tensor<4x8xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (tensor<4x8xf32>, tensor<8x2xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  %r = "stablehlo.einsum"(%a, %b) <{einsum_config}> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%arg0: f32, %arg1: tensor<8x2xf32>) {
  %0 = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (f32, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x2xf32>) {
  %0 = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<4x8xf32>, tensor<8x2xf32>) -> f32
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x2xf32>) {
  stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<4x8xf32>, tensor<8x2xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.unary_einsum"(%a) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->ba"}> : (f32) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->ba"}> : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.unary_einsum"() <{einsum_config = "ab->ba"}> : () -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->ba"}> : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->ba"}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.unary_einsum"(%a) <{einsum_config}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%arg0: f32) {
  %0 = stablehlo.unary_einsum %arg0, config = "ab->ba" : (f32) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.unary_einsum %arg0, config = "ab->ba" : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  stablehlo.unary_einsum %arg0, config = "ab->ba" : (tensor<4x8xf32>) -> ()
  return
}
