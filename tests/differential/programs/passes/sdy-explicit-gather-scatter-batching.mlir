// a concatenation of as many parts as there are components
func.func @main(%a: tensor<4x16xf32>, %j: tensor<4x1xi32>) -> tensor<4xf32> {
  %i = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %c = stablehlo.concatenate %i, %j, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %g = "stablehlo.gather"(%a, %c) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = true, note = "kept"} : (tensor<4x16xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}
// -----
// three components, the counting one in the middle: a new concatenation, two slices
func.func @main(%a: tensor<4x4x4xf32>, %p: tensor<4x3xi1>, %j: tensor<4x3xi32>, %k: tensor<4x1xi32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<4x3xi32>
  %s = stablehlo.select %p, %i, %j : tensor<4x3xi1>, tensor<4x3xi32>
  %g = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [1, 0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 1>} : (tensor<4x4x4xf32>, tensor<4x3xi32>) -> tensor<4xf32>
  %i2 = stablehlo.iota dim = 0 : tensor<4xi32>
  %r = stablehlo.reshape %i2 : (tensor<4xi32>) -> tensor<4x1xi32>
  %c = stablehlo.concatenate %k, %r, %k, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x3xi32>
  %h = "stablehlo.gather"(%a, %c) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [1, 0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 1>} : (tensor<4x4x4xf32>, tensor<4x3xi32>) -> tensor<4xf32>
  return %g, %h : tensor<4xf32>, tensor<4xf32>
}
// -----
// scatter, two inputs, the indices used elsewhere
func.func @main(%a: tensor<4x16xf32>, %b: tensor<4x16xi32>, %j: tensor<4x1xi32>, %u: tensor<4xf32>, %v: tensor<4xi32>) -> (tensor<4x16xf32>, tensor<4x16xi32>, tensor<4x2xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %lo = stablehlo.constant dense<0> : tensor<i32>
  %hi = stablehlo.constant dense<3> : tensor<i32>
  %cl = stablehlo.clamp %lo, %i, %hi : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %bc = stablehlo.broadcast_in_dim %cl, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %c = stablehlo.concatenate %j, %bc, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %s:2 = "stablehlo.scatter"(%a, %b, %c, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>, %z: tensor<f32>, %w: tensor<i32>):
    %d = stablehlo.constant dense<7.0> : tensor<f32>
    %0 = stablehlo.add %x, %z : tensor<f32>
    stablehlo.return %0, %w : tensor<f32>, tensor<i32>
  }) : (tensor<4x16xf32>, tensor<4x16xi32>, tensor<4x2xi32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<4x16xf32>, tensor<4x16xi32>)
  return %s#0, %s#1, %c : tensor<4x16xf32>, tensor<4x16xi32>, tensor<4x2xi32>
}
// -----
// near misses: another dimension of the iota, one component, not collapsed, a batching dimension, other sizes, rank 0
func.func @main(%a: tensor<4x16xf32>, %j: tensor<4x1xi32>, %e: tensor<16x16xf32>) -> (tensor<4xf32>, tensor<4x16xf32>, tensor<4x1xf32>, tensor<4xf32>, tensor<4xf32>) {
  %i = stablehlo.iota dim = 1 : tensor<4x1xi32>
  %c = stablehlo.concatenate %i, %j, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %0 = "stablehlo.gather"(%a, %c) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<4x16xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  %i0 = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %1 = "stablehlo.gather"(%a, %i0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>} : (tensor<4x16xf32>, tensor<4x1xi32>) -> tensor<4x16xf32>
  %c1 = stablehlo.concatenate %i0, %j, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %2 = "stablehlo.gather"(%a, %c1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<4x16xf32>, tensor<4x2xi32>) -> tensor<4x1xf32>
  %3 = "stablehlo.gather"(%e, %c1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<16x16xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  %4 = "stablehlo.gather"(%a, %j) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<4x16xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4x16xf32>, tensor<4x1xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
// a concatenation along another dimension, or with fewer parts than components
func.func @main(%a: tensor<4x4x4xf32>, %j: tensor<2x3xi32>, %k: tensor<4x2xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<2x3xi32>
  %c = stablehlo.concatenate %i, %j, dim = 0 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<4x3xi32>
  %0 = "stablehlo.gather"(%a, %c) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [0, 1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 1>} : (tensor<4x4x4xf32>, tensor<4x3xi32>) -> tensor<4xf32>
  %i2 = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %c2 = stablehlo.concatenate %k, %i2, dim = 1 : (tensor<4x2xi32>, tensor<4x1xi32>) -> tensor<4x3xi32>
  %1 = "stablehlo.gather"(%a, %c2) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [1, 0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 1>} : (tensor<4x4x4xf32>, tensor<4x3xi32>) -> tensor<4xf32>
  %2 = "stablehlo.gather"(%a, %c2) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [1, 2, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 1>} : (tensor<4x4x4xf32>, tensor<4x3xi32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
// the index vectors along dimension 0: the result is not legal
func.func @main(%a: tensor<2x16xf32>, %j: tensor<1x4xi32>) -> tensor<4xf32> {
  %i = stablehlo.iota dim = 0 : tensor<1x4xi32>
  %c = stablehlo.concatenate %i, %j, dim = 0 : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<2x4xi32>
  %g = "stablehlo.gather"(%a, %c) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1]>, slice_sizes = array<i64: 1, 1>} : (tensor<2x16xf32>, tensor<2x4xi32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}
// -----
// without gathers: dead operations go, constants are gathered
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  %1 = stablehlo.constant {a = 1 : i32} dense<1.0> : tensor<4xf32>
  %2 = stablehlo.add %a, %1 : tensor<4xf32>
  %3 = stablehlo.constant {b = 1 : i32} dense<1.0> : tensor<4xf32>
  %4 = stablehlo.add %2, %3 : tensor<4xf32>
  %5 = stablehlo.constant dense<2.0> : tensor<4xf32>
  %6 = stablehlo.add %4, %5 : tensor<4xf32>
  return %6 : tensor<4xf32>
}
func.func private @ext(tensor<4xf32>)
// -----
// chosen where the false side is no iota; an iota behind both
func.func @main(%a: tensor<4x4xf32>, %p: tensor<4x2xi1>, %j: tensor<4x2xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<4x2xi32>
  %w = stablehlo.iota dim = 1 : tensor<4x2xi32>
  %s = stablehlo.select %p, %j, %i : tensor<4x2xi1>, tensor<4x2xi32>
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<4x4xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  %t = stablehlo.select %p, %i, %w : tensor<4x2xi1>, tensor<4x2xi32>
  %1 = "stablehlo.gather"(%a, %t) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<4x4xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  %n = stablehlo.negate %i : tensor<4x2xi32>
  %2 = "stablehlo.gather"(%a, %n) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<4x4xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
// dynamic sizes
func.func @main(%a: tensor<?x16xf32>, %n: tensor<2xi32>, %j: tensor<?x2xi32>, %p: tensor<?x2xi1>) -> tensor<?xf32> {
  %i = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi32>) -> tensor<?x2xi32>
  %s = stablehlo.select %p, %i, %j : tensor<?x2xi1>, tensor<?x2xi32>
  %g = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<?x16xf32>, tensor<?x2xi32>) -> tensor<?xf32>
  return %g : tensor<?xf32>
}
