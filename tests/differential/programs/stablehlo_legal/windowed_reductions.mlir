func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r:2 = "stablehlo.reduce_window"(%a, %b, %c, %d) <{window_dimensions = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<3x7xf32>, tensor<3x7xf32>)
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<?x?xf32, #stablehlo.bounds<3, ?>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r:2 = "stablehlo.reduce_window"(%a, %b, %c, %d) <{window_dimensions = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<?x?xf32>, tensor<3x7xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<?x?xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32, #stablehlo.bounds<?, 8>>, %b: tensor<?x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x?xf32, #stablehlo.bounds<?, 8>>, tensor<?x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<?x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>, %b: tensor<?x?xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<0x8xf32>, tensor<?x?xf32>, tensor<f32>) -> tensor<0x8xf32>
  return
}
