func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0: "stablehlo.return"() : () -> () ^bb1: "stablehlo.return"() : () -> () }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({}) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32>  }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<2xf32> stablehlo.return %q : tensor<2xf32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>, %b: tensor<i64>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 9>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 0>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1, 0>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0, 0>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0, %r0 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> f32 stablehlo.return %q : f32 }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0: "stablehlo.return"() : () -> () ^bb1: "stablehlo.return"() : () -> () }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r:2 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 0>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> tensor<8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r:2 = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 0>}> ({ ^bb0(%x0: tensor<f64>, %x1: tensor<f64>, %x2: tensor<f64>, %x3: tensor<f64>): %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f64> stablehlo.return %q, %q : tensor<f64>, tensor<f64> }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r:3 = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 0>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({}) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f32>>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xcomplex<f32>>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xi1>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<i1>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xui8>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xui8>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32>  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<0xf32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<0xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: !stablehlo.token, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: f32, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<?xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<2xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<bf16>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<?xf32> stablehlo.return %q : tensor<?xf32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<2xf32> stablehlo.return %q : tensor<2xf32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<bf16> stablehlo.return %q : tensor<bf16> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f64>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q : tensor<i1> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<i32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r:2 = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 0>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (f32, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>, %arg1: tensor<f32>) {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
   reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
  }
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %i: tensor<8xf32>) {
  %0 = stablehlo.reduce(%a init: %i) across dimensions = [1] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
   reducer(%x: tensor<8xf32>, %y: tensor<8xf32>) {
    stablehlo.return %x : tensor<8xf32>
  }
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %i: tensor<7xf32>) {
  %0 = stablehlo.reduce(%a init: %i) across dimensions = [1] : (tensor<4x8xf32>, tensor<7xf32>) -> tensor<4xf32>
   reducer(%x: tensor<7xf32>, %y: tensor<7xf32>) {
    stablehlo.return %x : tensor<7xf32>
  }
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %i: tensor<8x4x1xf32>) {
  %0 = stablehlo.reduce(%a init: %i) across dimensions = [1] : (tensor<4x8xf32>, tensor<8x4x1xf32>) -> tensor<4xf32>
   reducer(%x: tensor<8x4x1xf32>, %y: tensor<8x4x1xf32>) {
    stablehlo.return %x : tensor<8x4x1xf32>
  }
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %i: tensor<8x4xf32>) {
  %0 = stablehlo.reduce(%a init: %i) across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<f32>
   reducer(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) {
    stablehlo.return %x : tensor<8x4xf32>
  }
  return
}
// -----
func.func @f(%a: tensor<4x8xcomplex<f64>>, %i: tensor<complex<f32>>) {
  %0 = stablehlo.reduce(%a init: %i) across dimensions = [0, 1] : (tensor<4x8xcomplex<f64>>, tensor<complex<f32>>) -> tensor<complex<f32>>
   reducer(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>) {
    stablehlo.return %x : tensor<complex<f32>>
  }
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %i: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %i) across dimensions = [1] : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<f32>) -> tensor<7xf32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    stablehlo.return %x : tensor<f32>
  }
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = true, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.sort"() <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r:2 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.sort"(%a, %b) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>) {
  %r:2 = "stablehlo.sort"(%a, %b) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi1>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>) {
  %r:3 = "stablehlo.sort"(%a, %b) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({}) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x0: f32, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q0 : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = "stablehlo.sort"(%a) <{dimension = 2 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = "stablehlo.sort"(%a) <{dimension = -3 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
