func.func @f(%a: tensor<1x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>}> : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>, %b: tensor<0xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x8xf32>, tensor<0xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x?xf32, #stablehlo.bounds<?, 8>>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>}> : (tensor<1x?xf32, #stablehlo.bounds<?, 8>>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x?xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x?xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<2xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<1xi32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<0xi32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<2xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> tensor<?x8xf32, #stablehlo.bounds<5, ?>>
  return
}
// -----
func.func @f(%a: tensor<0xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<0xi32>) -> tensor<?x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<0x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32, #stablehlo.bounds<5, ?>>
  return
}
// -----
func.func @f(%a: tensor<0x0xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<0x0xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xindex>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<0xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32, #stablehlo.bounds<?, 8>>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<4x?xf32, #stablehlo.bounds<?, 8>>, tensor<2xi32>) -> tensor<?x?xf32, #stablehlo.bounds<5, 5>>
  return
}
// -----
func.func @f(%a: tensor<1x0xf32>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<1x0xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 3>}> : (tensor<?x?xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<4, 11>>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 3>}> : (tensor<?x?xf32, #stablehlo.bounds<4, 11>>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<?x?xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<0x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<0x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<?x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<?, 8>>, %b: tensor<?x?xf32, #stablehlo.bounds<?, 3>>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<?x?xf32, #stablehlo.bounds<?, 8>>, tensor<?x?xf32, #stablehlo.bounds<?, 3>>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<0x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<3, ?>>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<?x?xf32, #stablehlo.bounds<3, ?>>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32, #stablehlo.bounds<?, 5>>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<8x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<0x?xf32>
  return
}
