func.func @f(%a: tensor<1x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 0, 0>}> : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<f32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>}> : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<i64>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 2>}> : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 0>}> : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 1, 2>}> : (f32, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>, %b: tensor<3xi32>) {
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions}> : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<1x8xf32>, %arg1: tensor<3xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [1, 2] : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return
}
// -----
func.func @f(%arg0: tensor<1x8xf32>, %arg1: tensor<3xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [0, 0] : (tensor<1x8xf32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>, %arg1: tensor<3xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [1, 2] : (tensor<f32>, tensor<3xi32>) -> tensor<3x4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %p = stablehlo.constant dense<3> : tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %p, dims = [0, 1] : (tensor<1x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<2xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension = true}> : (tensor<2xi32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<2xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<2xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) : (tensor<2xi32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (f32) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<2xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.dynamic_iota"() <{iota_dimension = 1 : i64}> : () -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<2xi32>) {
  "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<2xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> ({ stablehlo.return }) : (tensor<2xi32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<2xi32>) {
  %r = "stablehlo.dynamic_iota"(%a) <{iota_dimension}> : (tensor<2xi32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<2xi32>) {
  %0 = stablehlo.dynamic_iota %arg0, dim = 1 : (tensor<2xi32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: f32) {
  %0 = stablehlo.dynamic_iota %arg0, dim = 1 : (f32) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<2xi32>) {
  %0 = stablehlo.dynamic_iota %arg0, dim = 1 : (tensor<2xi32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<1x8xf32>) {
  %p = stablehlo.constant dense<3> : tensor<2xi32>
  %0 = stablehlo.dynamic_iota %p, dim = 0 : (tensor<2xi32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi4>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi4>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<i64>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<f32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (f32, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d) : (tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>, %c: tensor<2xi32>, %d: tensor<2xi32>, %e: tensor<2xi32>) {
  %r = "stablehlo.dynamic_pad"(%a, %b, %c, %d, %e) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>, %arg2: tensor<2xi32>, %arg3: tensor<2xi32>, %arg4: tensor<2xi4>) {
  %0 = stablehlo.dynamic_pad %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi4>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>, %arg1: tensor<f32>, %arg2: tensor<2xi32>, %arg3: tensor<2xi32>, %arg4: tensor<2xi32>) {
  %0 = stablehlo.dynamic_pad %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<i64>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xi32>, %arg3: tensor<2xi32>, %arg4: tensor<2xi32>) {
  %0 = stablehlo.dynamic_pad %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<f32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %v: tensor<f32>, %p: tensor<3xi32>) {
  %0 = stablehlo.dynamic_pad %a, %v, %p, %p, %p : (tensor<4x8xf32>, tensor<f32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %v: tensor<f32>) {
  %p = stablehlo.constant dense<-1> : tensor<2xi32>
  %0 = stablehlo.dynamic_pad %a, %v, %p, %p, %p : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<7x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %v: tensor<f32>) {
  %p = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = stablehlo.dynamic_pad %a, %v, %p, %p, %p : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<7x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<i64>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<2xindex>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<f32>, tensor<2xindex>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (f32, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<4x8xf32>, tensor<2xi32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a) : (tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xi32>) {
  "stablehlo.dynamic_reshape"(%a, %b) : (tensor<4x8xf32>, tensor<2xi32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xi32>) {
  %r = "stablehlo.dynamic_reshape"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>, %arg1: tensor<2xi32>) {
  %0 = stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<i64>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<2xi32>) {
  %0 = stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?xf32>
  return
}
// -----
func.func @f(%arg0: f32, %arg1: tensor<2xi32>) {
  %0 = stablehlo.dynamic_reshape %arg0, %arg1 : (f32, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %p = stablehlo.constant dense<3> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %a, %p : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>, %b: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b) <{slice_sizes = array<i64: 2, 3>}> : (tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b) <{slice_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 3>}> : (tensor<f32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: -1, 3>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 9>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>, %c: tensor<i4>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i4>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 3>}> : (f32, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 3>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes = array<i64: 2, 3>}> ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_slice"(%a, %b, %c) <{slice_sizes}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%arg0: tensor<i32>, %arg1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [2, 3] : (tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [2, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [2, 3] : (tensor<4x8xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%a: tensor<2x3xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x3xf32>, %c: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<0x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i4>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i4>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<f32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (f32, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x3xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %r = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<2x3xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg3 : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<i64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi4>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi4>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (f32, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<2xi32>, %b: tensor<2xi32>, %c: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c) : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>, %d: tensor<2xi32>) {
  %r = "stablehlo.real_dynamic_slice"(%a, %b, %c, %d) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>, %arg3: tensor<2xi32>) {
  %0 = stablehlo.real_dynamic_slice %arg0, %arg1, %arg2, %arg3 : (tensor<i64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>, %arg3: tensor<2xi4>) {
  %0 = stablehlo.real_dynamic_slice %arg0, %arg1, %arg2, %arg3 : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi4>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>, %arg3: tensor<2xi32>) {
  %0 = stablehlo.real_dynamic_slice %arg0, %arg1, %arg2, %arg3 : (tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}
