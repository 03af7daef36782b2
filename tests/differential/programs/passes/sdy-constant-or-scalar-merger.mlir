// equal dictionaries merge whatever the operation
sdy.mesh @m = <["x"=2]>
func.func @main(%s: tensor<f32>, %t: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = sdy.constant dense<1.0> : tensor<4xf32>
  %c1 = sdy.constant dense<1.0> : tensor<4xf32>
  %c2 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} dense<1.0> : tensor<4xf32>
  %c3 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} dense<1.0> : tensor<4xf32>
  %c4 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}]>]>} dense<1.0> : tensor<4xf32>
  %d0 = stablehlo.constant dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>
  %d1 = stablehlo.constant {foo = 1 : i32} dense<1.0> : tensor<4xf32>
  %z = sdy.constant dense<0.0> : tensor<4xf32>
  %nz = sdy.constant dense<-0.0> : tensor<4xf32>
  return %c0, %c1, %c2, %c3, %c4, %d0, %d1, %z, %nz : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func @other() -> (tensor<4xf32>, tensor<4xf32>) {
  %d0 = stablehlo.constant dense<1.0> : tensor<4xf32>
  %c0 = sdy.constant dense<1.0> : tensor<4xf32>
  return %d0, %c0 : tensor<4xf32>, tensor<4xf32>
}
// -----
// broadcasts of the same scalar
sdy.mesh @m = <["x"=2]>
func.func @main(%s: tensor<f32>, %t: tensor<f32>, %v: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %z0 = sdy.constant dense<0.0> : tensor<f32>
  %z1 = sdy.constant dense<0.0> : tensor<f32>
  %y0 = stablehlo.broadcast_in_dim %z0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %y1 = stablehlo.broadcast_in_dim %z1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %b0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %b1 = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %b2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %b3 = stablehlo.broadcast_in_dim %s, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<f32>) -> tensor<4xf32>
  %w0 = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<4xf32>) -> tensor<4x4xf32>
  %w1 = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<4xf32>) -> tensor<4x4xf32>
  %b4 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %u = stablehlo.add %b4, %b4 : tensor<4xf32>
  return %y0, %y1, %b0, %b1, %b2, %b3, %w0, %w1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
// -----
// only within one region
func.func @main(%i: tensor<i32>, %s: tensor<f32>) -> tensor<4xf32> {
  %c0 = sdy.constant dense<1.0> : tensor<4xf32>
  %b0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = "stablehlo.case"(%i) ({
    %c1 = sdy.constant dense<1.0> : tensor<4xf32>
    %c2 = sdy.constant dense<1.0> : tensor<4xf32>
    %1 = stablehlo.add %c1, %c2 : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %c1 = sdy.constant dense<1.0> : tensor<4xf32>
    %b1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %b2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.add %b1, %b2 : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %c3 = sdy.constant dense<1.0> : tensor<4xf32>
  %1 = stablehlo.add %0, %c3 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
// -----
// integers, booleans, elements of several kinds; iota is left alone
func.func @main() -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi64>, tensor<2xi1>, tensor<2xi1>, tensor<4xi32>, tensor<4xi32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = sdy.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = sdy.constant dense<"0x01000000020000000300000004000000"> : tensor<4xi32>
  %2 = sdy.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %3 = sdy.constant dense<[true, true]> : tensor<2xi1>
  %4 = sdy.constant dense<true> : tensor<2xi1>
  %5 = stablehlo.iota dim = 0 : tensor<4xi32>
  %6 = stablehlo.iota dim = 0 : tensor<4xi32>
  %7 = sdy.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %8 = stablehlo.constant dense<[1.0e0, 0x40000000]> : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<4xi32>, tensor<4xi32>, tensor<4xi64>, tensor<2xi1>, tensor<2xi1>, tensor<4xi32>, tensor<4xi32>, tensor<2xf32>, tensor<2xf32>
}
