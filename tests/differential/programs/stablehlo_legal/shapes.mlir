func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<4x8xf32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<4x8xf32>) -> tensor<4x8x4xi8>
  return
}
// -----
func.func @f(%a: tensor<4x8x4xi8>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<4x8x4xi8>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<?x?xf32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<4, ?>>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<?x?xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x?x4xi8>
  return
}
// -----
func.func @f(%a: tensor<4x8x4xi8>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<4x8x4xi8>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<?x?xf32>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>) -> tensor<?x?x?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>) -> tensor<2x3x?x8xf32, #stablehlo.bounds<?, ?, 7, ?>>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x8xf32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<?x?xf32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x8xf32>) -> tensor<0x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<0, ?>>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<?x?xf32, #stablehlo.bounds<0, ?>>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<?x8xf32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<?x?xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x?xf32, #stablehlo.bounds<7, ?>>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<?x?xf32, #stablehlo.bounds<7, ?>>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<?x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<?x?xf32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<0x8xf32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<?x8xf32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<?, 7>>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<?x?xf32, #stablehlo.bounds<?, 7>>) -> tensor<i32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<0x8xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x0xi64>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<?x?xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<?x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<7, 11>>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<?x?xf32, #stablehlo.bounds<7, 11>>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reshape"(%a) : (tensor<4x8xf32>) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.reshape"(%a) : (tensor<?x?xf32>) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %r = "stablehlo.reshape"(%a) : (tensor<?x8xf32>) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<4, 7>>) {
  %r = "stablehlo.reshape"(%a) : (tensor<?x?xf32, #stablehlo.bounds<4, 7>>) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %0 = stablehlo.reshape %a : (tensor<?x8xf32>) -> tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<0x8xf32>) -> tensor<0x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<?, 9>>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<?x?xf32, #stablehlo.bounds<?, 9>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<4x8xf32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> : (tensor<?x?xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<i32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x0xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (tensor<?x?xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<2x?xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<?, 9>>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (tensor<?x?xf32, #stablehlo.bounds<?, 9>>) -> tensor<?x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<?x?xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<?x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<?x?xf32, #stablehlo.bounds<?, 4>>
  return
}
