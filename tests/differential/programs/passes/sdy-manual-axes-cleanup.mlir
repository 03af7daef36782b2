// sorting, sub-axes, an empty mesh
sdy.mesh @a = <["x"=2, "y"=2, "z"=4]>
sdy.mesh @e = <[]>
func.func @main(%a: tensor<8x8xf32>, %b: tensor<f32>) -> (tensor<32x8xf32>, tensor<f32>) {
  %0:2 = sdy.manual_computation(%a, %b) in_shardings=[<@e, [{}, {?}]>, <@e, []>] out_shardings=[<@a, [{"x"}, {?}], replicated={"y"}>, <@e, []>] manual_axes={"z", "x"} (%m: tensor<8x8xf32>, %n: tensor<f32>) {
    %1 = stablehlo.concatenate %m, %m, dim = 0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    sdy.return %1, %n : tensor<16x8xf32>, tensor<f32>
  } : (tensor<8x8xf32>, tensor<f32>) -> (tensor<32x8xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<32x8xf32>, tensor<f32>
}
// -----
// tokens stay; equal meshes with other names
sdy.mesh @a = <["x"=2, "y"=2]>
sdy.mesh @b = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32>, %t: !stablehlo.token) -> (tensor<8x8xf32>, !stablehlo.token) {
  %0:2 = sdy.manual_computation(%a, %t) in_shardings=[<@b, [{"x"}, {?}]>, <@b, []>] out_shardings=[<@a, [{?}, {"x"}], unreduced={"y"}>, <@a, []>] manual_axes={"y", "x"} (%m: tensor<4x8xf32>, %n: !stablehlo.token) {
    %1 = stablehlo.transpose %m, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    sdy.return %1, %n : tensor<8x4xf32>, !stablehlo.token
  } : (tensor<8x8xf32>, !stablehlo.token) -> (tensor<8x8xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<8x8xf32>, !stablehlo.token
}
// -----
// all used: nothing changes; nested computations; an inlined mesh
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@a, [{"x", "y"}, {}]>] out_shardings=[<@a, [{"x"}, {}]>] manual_axes={"x"} (%m: tensor<4x8xf32>) {
    %1 = sdy.manual_computation(%m) in_shardings=[<mesh<["x"=2, "y"=2]>, [{"y"}, {?}]>] out_shardings=[<@a, [{}, {?}]>] manual_axes={"y"} (%n: tensor<2x8xf32>) {
      %2 = stablehlo.concatenate %n, %n, dim = 0 : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
      sdy.return %2 : tensor<4x8xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
// no shardings, manual axes, something in the body: an error
sdy.mesh @a = <["x"=2]>
func.func @main() {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
    %c = stablehlo.constant dense<1> : tensor<i32>
    sdy.return
  } : () -> ()
  return
}
// -----
// no shardings and an empty body, or no manual axes
sdy.mesh @a = <["x"=2]>
func.func @main() {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x", "foo"} () {
    sdy.return
  } : () -> ()
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    %c = stablehlo.constant dense<1> : tensor<i32>
    sdy.return
  } : () -> ()
  return
}
// -----
// replicated axes merge with their neighbours
sdy.mesh @a = <["x"=8, "y"=2]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@a, [{"y"}, {?}]>] out_shardings=[<@a, [{}, {"y"}]>] manual_axes={"y", "x"} (%m: tensor<4x8xf32>) {
    %1 = stablehlo.transpose %m, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    sdy.return %1 : tensor<8x4xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
// a dynamic shape
sdy.mesh @a = <["x"=8, "y"=2]>
func.func @main(%a: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@a, [{?}, {"y"}]>] out_shardings=[<@a, [{}, {"y"}]>] manual_axes={"y", "x"} (%m: tensor<?x4xf32>) {
    sdy.return %m : tensor<?x4xf32>
  } : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
