func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<0xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<i64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf64>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<4x8xf64>) -> tensor<4x8x4xi8>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.bitcast_convert"(%a) : (f32) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.bitcast_convert"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.bitcast_convert"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.bitcast_convert"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.bitcast_convert"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.bitcast_convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%arg0: tensor<0xf32>) {
  %0 = stablehlo.bitcast_convert %arg0 : (tensor<0xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>) {
  %0 = stablehlo.bitcast_convert %arg0 : (tensor<i64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: -1>}> : (tensor<4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<f32>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<i64>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.broadcast"(%a) : (tensor<4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (f32) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.broadcast"() <{broadcast_sizes = array<i64: 2, 3>}> : () -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2, 3>}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.broadcast"(%a) <{broadcast_sizes}> : (tensor<4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.broadcast %arg0, sizes = [-1] : (tensor<4x8xf32>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.broadcast %arg0, sizes = [2, 3] : (tensor<f32>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>) {
  %0 = stablehlo.broadcast %arg0, sizes = [2, 3] : (tensor<i64>) -> tensor<2x3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<i64>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 0, 0>}> : (tensor<1x8xf32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<f32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 0>}> : (tensor<1x8xf32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) : (tensor<1x8xf32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (f32) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.broadcast_in_dim"() <{broadcast_dimensions = array<i64: 1, 2>}> : () -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> ({ stablehlo.return }) : (tensor<1x8xf32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions}> : (tensor<1x8xf32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<i64>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<1x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<1x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 0] : (tensor<1x8xf32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = true}> : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a) <{dimension = 1 : i64}> : (tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i64>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<i64>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<0xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<f32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 0 : i64}> : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (f32, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<4x2xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) {
  "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<4x2xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) {
  %r = "stablehlo.concatenate"(%a, %b) <{dimension}> : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x2xf32>) {
  %0 = stablehlo.concatenate %arg0, dim = 1 : (tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<i64>) {
  %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<4x8xf32>, tensor<i64>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%arg0: tensor<0xf32>, %arg1: tensor<4x2xf32>) {
  %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<0xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<2x8xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x8xf32>, tensor<2x8xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<2x8xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<?x8xf32>, tensor<2x8xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<2x9xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x8xf32>, tensor<2x9xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %b: tensor<2x8xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<2x8xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %b: tensor<?x8xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<?x8xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %b: tensor<7x8xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<7x8xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = true}> : (tensor<4x8xf32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<1xi32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<f32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.get_dimension_size"(%a) : (tensor<4x8xf32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (f32) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.get_dimension_size"() <{dimension = 1 : i64}> : () -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.get_dimension_size"(%a) <{dimension}> : (tensor<4x8xf32>) -> tensor<i32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<4x8xf32>) -> tensor<1xi32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<f32>) -> tensor<i32>
  return
}
// -----
func.func @f(%arg0: f32) {
  %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (f32) -> tensor<i32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.iota"() <{iota_dimension = true}> : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<f32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<0xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.iota"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> f32
  return
}
// -----
func.func @f() {
  "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> ()
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.iota"() <{iota_dimension = 1 : i64}> ({ stablehlo.return }) : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.iota"() <{iota_dimension}> : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %0 = stablehlo.iota dim = 1 : tensor<f32>
  return
}
// -----
func.func @f() {
  %0 = stablehlo.iota dim = 1 : tensor<0xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: -1, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<i64>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<i64>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<f32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (f32, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.pad"(%a) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high, interior_padding = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [1, 0], high = [1, 0], interior = [-1, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [1, 0], high = [1, 0], interior = [] : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x15xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [1, 0], high = [1, 0], interior = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %v: tensor<f32>) {
  %0 = stablehlo.pad %a, %v, low = [1, 1], high = [2, 3], interior = [1, 1] : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<f32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %v: tensor<f32>) {
  %0 = stablehlo.pad %a, %v, low = [-9, 1], high = [2, 3], interior = [1, 1] : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<f32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8xf32>, %v: tensor<f32>) {
  %0 = stablehlo.pad %a, %v, low = [-9, 1], high = [2, 3], interior = [1, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.reshape"(%a) : (tensor<i64>) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.reshape"(%a) : (tensor<f32>) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.reshape"(%a) : (f32) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reshape"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.reshape"() : () -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.reshape"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reshape"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>) {
  %0 = stablehlo.reshape %arg0 : (tensor<i64>) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%arg0: f32) {
  %0 = stablehlo.reshape %arg0 : (f32) -> tensor<2x16xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %0 = stablehlo.reshape %a : (tensor<?x8xf32>) -> tensor<?x2xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %0 = stablehlo.reshape %a : (tensor<?x8xf32>) -> tensor<?x?xf32, #stablehlo.bounds<4, 5>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<i64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: -1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 0, 0>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reverse"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.reverse"() <{dimensions = array<i64: 1>}> : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1>}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reverse"(%a) <{dimensions}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.reverse %arg0, dims = [1] : (tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>) {
  %0 = stablehlo.reverse %arg0, dims = [1] : (tensor<i64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.reverse %arg0, dims = [1] : tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = true}> : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<i32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> : (tensor<f32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<1xi32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<1xi32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> : (f32, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<i32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<i32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension = 1 : i64}> ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %r = "stablehlo.set_dimension_size"(%a, %b) <{dimension}> : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %arg0, %arg1, dim = 1 : (tensor<4x8xf32>, tensor<i32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>, %arg1: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %arg0, %arg1, dim = 1 : (tensor<f32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<1xi32>) {
  %0 = stablehlo.set_dimension_size %arg0, %arg1, dim = 1 : (tensor<4x8xf32>, tensor<1xi32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %b = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %b, dim = 0 : (tensor<?x8xf32>, tensor<i32>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %b = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %b, dim = 0 : (tensor<4x8xf32>, tensor<i32>) -> tensor<2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64>}> : (tensor<4x8xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (tensor<i64>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 9>, strides = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: -1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 0, 0>, strides = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (tensor<f32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.slice"(%a) <{limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (f32) -> tensor<2x3xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.slice"() <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : () -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 2>, limit_indices, strides = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.slice %arg0 [] : (tensor<4x8xf32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.slice %arg0 [1:3, 2:8:2] : (tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>) {
  %0 = stablehlo.slice %arg0 [1:3, 2:8:2] : (tensor<i64>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %0 = stablehlo.slice %a [-1:2, 0:4] : (tensor<?x8xf32>) -> tensor<3x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %0 = stablehlo.slice %a [0:2, 0:4] : (tensor<?x8xf32>) -> tensor<3x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %0 = stablehlo.slice %a [3:2, 0:4] : (tensor<?x8xf32>) -> tensor<3x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<2, ?>>) {
  %0 = stablehlo.slice %a [0:3, 0:4] : (tensor<?x8xf32, #stablehlo.bounds<2, ?>>) -> tensor<3x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>) {
  %0 = stablehlo.slice %a [0:3, 0:4] : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<i64>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<f32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.transpose"(%a) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (f32) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 0, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.transpose"() <{permutation = array<i64: 1, 0>}> : () -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.transpose"(%a) <{permutation}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<i64>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<f32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<8xf32>) {
  %0 = stablehlo.transpose %a, dims = [0, 1] : (tensor<8xf32>) -> tensor<8xf32>
  return
}
