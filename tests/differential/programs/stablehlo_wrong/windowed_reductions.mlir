func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0, %r0 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> f32 stablehlo.return %q : f32 }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi32>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0: "stablehlo.return"() : () -> () ^bb1: "stablehlo.return"() : () -> () }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r:2 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> (tensor<2x7xf32>, tensor<2x7xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b, %c, %d) <{window_dimensions = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> tensor<3x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r:2 = "stablehlo.reduce_window"(%a, %b, %c, %d) <{window_dimensions = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<f64>, %x1: tensor<f64>, %x2: tensor<f64>, %x3: tensor<f64>): %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f64> stablehlo.return %q, %q : tensor<f64>, tensor<f64> }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<3x7xf32>, tensor<3x7xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r:3 = "stablehlo.reduce_window"(%a, %b, %c, %d) <{window_dimensions = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({}) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xcomplex<f32>>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xi1>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i1>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<i1>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xui8>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xui8>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32>  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<0xf32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: !stablehlo.token, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: f32, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<?xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<2xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<bf16>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<?xf32> stablehlo.return %q : tensor<?xf32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<2xf32> stablehlo.return %q : tensor<2xf32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<bf16> stablehlo.return %q : tensor<bf16> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f64>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q : tensor<i1> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<i32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r:2 = "stablehlo.reduce_window"(%a, %b, %c, %d) <{window_dimensions = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<3x7xf32>, tensor<3x7xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 0>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<1x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<1> : tensor<1x1xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 0, 0>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 0, 0>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 0, 0>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 0, 0>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 0>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (f32, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x7xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0, %r0 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> f32 stablehlo.return %q : f32 }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { stablehlo.return }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi32>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({}, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xcomplex<f32>>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xcomplex<f32>>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i64>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<i64>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<i1>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<i1>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xui8>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xui8>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32>  }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<0xf32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<0xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: !stablehlo.token, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: f32, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<?xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<2xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<bf16>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<?xf32> stablehlo.return %q : tensor<?xf32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<2xf32> stablehlo.return %q : tensor<2xf32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<bf16> stablehlo.return %q : tensor<bf16> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f64>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q : tensor<i1> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %x1: tensor<i32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<1x2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>  }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<f64>, %x1: tensor<f64>): %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f64> stablehlo.return %q : tensor<f64> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ stablehlo.return }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<1> : tensor<1x1xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2xi64>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xcomplex<f32>>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x0: !stablehlo.token, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q0 : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x0: f32, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q0 : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<?xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q0 : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<2xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q0 : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<i32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q0 : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<i64>, tensor<2x4xf32>, tensor<f32>) -> tensor<i64>
  return
}
// -----
func.func @f(%a: tensor<4x8xui8>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xui8>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 0, 0>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (f32, tensor<2x4xf32>, tensor<f32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<2x4xf32>, %b: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<2x4xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }, { ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
