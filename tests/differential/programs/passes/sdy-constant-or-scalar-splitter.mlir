// every use gets a copy, groups are copied along
func.func @main(%a: tensor<8x8xf32>, %s: tensor<f32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %c = stablehlo.constant {foo = 1 : i32} dense<1.0> : tensor<8x8xf32>
  %n = stablehlo.negate %c : tensor<8x8xf32>
  sdy.sharding_group %n group_id=3 : tensor<8x8xf32>
  sdy.sharding_group %n group_id=5 : tensor<8x8xf32>
  sdy.sharding_group %c group_id=4 : tensor<8x8xf32>
  sdy.sharding_group %c group_id=7 : tensor<8x8xf32>
  %m = stablehlo.add %n, %c : tensor<8x8xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %d1 = stablehlo.add %a, %m : tensor<8x8xf32>
  %d2 = stablehlo.add %m, %d1 : tensor<8x8xf32>
  %d4 = stablehlo.add %sb, %sb : tensor<8x8xf32>
  return %d2, %d4, %c : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// returned twice, used in a region, dead, used only by groups
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %k = stablehlo.constant dense<2.0> : tensor<8xf32>
  %dead = stablehlo.constant dense<3.0> : tensor<8xf32>
  %dead_sum = stablehlo.add %dead, %k : tensor<8xf32>
  %grouped = stablehlo.iota dim = 0 : tensor<8xf32>
  sdy.sharding_group %grouped group_id=1 : tensor<8xf32>
  %dead_broadcast = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8xf32>
  sdy.sharding_group %dead_broadcast group_id=1 : tensor<8xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8xf32>
  sdy.sharding_group %b group_id=2 : tensor<8xf32>
  sdy.sharding_group %b group_id=3 : tensor<8xf32>
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.add %k, %b : tensor<8xf32>
    %2 = stablehlo.constant dense<4.0> : tensor<8xf32>
    %3 = stablehlo.add %a, %2 : tensor<8xf32>
    %4 = stablehlo.add %3, %2 : tensor<8xf32>
    stablehlo.return %4 : tensor<8xf32>
  }, {
    stablehlo.return %k : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %k, %k, %0, %b : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// -----
// scalars are shared, broadcasts of them are not
func.func @main(%a: tensor<8xf32>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8x8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.negate %z : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.add %a, %0 : tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  %t = stablehlo.add %s, %y : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %4 = stablehlo.negate %3 : tensor<8xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %6 = stablehlo.reshape %3 : (tensor<8xf32>) -> tensor<2x4xf32>
  return %2, %4, %t, %5 : tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8x8xf32>
}
// -----
// what keeps constants constant
func.func @main(%a: tensor<4xf32>, %p: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2xf64>, tensor<4xf32>) {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4xf32>
  %0 = stablehlo.compare LT, %c, %i : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.select %0, %c, %i : tensor<4xi1>, tensor<4xf32>
  %2 = stablehlo.select %p, %c, %i : tensor<4xi1>, tensor<4xf32>
  %3 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<2x2xf32>
  %4 = stablehlo.slice %1 [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
  %5 = stablehlo.clamp %c, %i, %1 : tensor<4xf32>
  %6 = stablehlo.bitcast_convert %c : (tensor<4xf32>) -> tensor<4xi32>
  %7 = stablehlo.reverse %c, dims = [0] : tensor<4xf32>
  %8 = stablehlo.optimization_barrier %c : tensor<4xf32>
  %9 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<4xf32>) -> tensor<4x4xf32>
  %10 = stablehlo.transpose %9, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %11 = stablehlo.reshape %c : (tensor<4xf32>) -> tensor<2x2xf32>
  %12 = stablehlo.bitcast_convert %11 : (tensor<2x2xf32>) -> tensor<2xf64>
  %13 = stablehlo.add %1, %5 : tensor<4xf32>
  %14 = stablehlo.add %13, %a : tensor<4xf32>
  %15 = stablehlo.subtract %13, %a : tensor<4xf32>
  %16 = stablehlo.custom_call @foo(%13) : (tensor<4xf32>) -> tensor<4xf32>
  return %14, %2, %3, %4, %5, %6, %7, %8, %10, %12, %16 : tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2xf64>, tensor<4xf32>
}
// -----
// sdy operations between constants
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} dense<1.0> : tensor<4xf32>
  %0 = sdy.reshard %c <@m, [{"x"}]> : tensor<4xf32>
  %1 = sdy.propagation_barrier %c allowed_direction=FORWARD : tensor<4xf32>
  %2 = sdy.sharding_constraint %c <@m, [{"x"}]> : tensor<4xf32>
  %3 = stablehlo.add %0, %1 : tensor<4xf32>
  %4 = stablehlo.add %3, %a : tensor<4xf32>
  %5 = stablehlo.add %3, %4 : tensor<4xf32>
  return %5, %1, %2, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
// calls of functions that keep constants constant, and of others
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = call @konst() : () -> tensor<8xf32>
  %1 = call @pres(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @pres(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @nonc(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = stablehlo.add %1, %a : tensor<8xf32>
  %5 = stablehlo.add %1, %2 : tensor<8xf32>
  return %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func private @konst() -> tensor<8xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<8xf32>
  %1 = stablehlo.add %0, %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @pres(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @konst() : () -> tensor<8xf32>
  %1 = stablehlo.add %x, %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @nonc(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.dot %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
// -----
// declarations count as constant
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @ext() : () -> tensor<8xf32>
  %1 = stablehlo.add %0, %a : tensor<8xf32>
  %2 = call @ext2(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}
func.func private @ext() -> tensor<8xf32>
func.func private @ext2(tensor<8xf32>) -> tensor<8xf32>
// -----
// several results; scalars among them; calls without results or with tokens
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>) {
  %0:3 = call @konst() : () -> (tensor<8xf32>, tensor<f32>, tensor<8xf32>)
  sdy.sharding_group %0#0 group_id=1 : tensor<8xf32>
  sdy.sharding_group %0#2 group_id=2 : tensor<8xf32>
  %1 = stablehlo.add %0#0, %0#2 : tensor<8xf32>
  %2 = stablehlo.add %1, %a : tensor<8xf32>
  %3 = stablehlo.add %a, %0#2 : tensor<8xf32>
  call @nothing() : () -> ()
  return %2, %3, %0#1, %0#0 : tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>
}
func.func private @konst() -> (tensor<8xf32>, tensor<f32>, tensor<8xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<8xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0, %1, %0 : tensor<8xf32>, tensor<f32>, tensor<8xf32>
}
func.func private @nothing() {
  return
}
// -----
// named computations are judged by their names
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = sdy.named_computation<"keeps">(%c) (%b: tensor<8xf32>) {
    %d = stablehlo.constant dense<2.0> : tensor<8xf32>
    %e = stablehlo.add %b, %d : tensor<8xf32>
    %f = stablehlo.add %e, %d : tensor<8xf32>
    sdy.return %f : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.named_computation<"n">(%c) (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %2 = sdy.named_computation<"n">(%c) (%b: tensor<8xf32>) {
    %d = stablehlo.reverse %b, dims = [0] : tensor<8xf32>
    %e = sdy.named_computation<"outer">(%d) (%g: tensor<8xf32>) {
      sdy.return %g : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %e : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %3 = sdy.named_computation<"outer">(%c) (%b: tensor<8xf32>) {
    %e = sdy.named_computation<"inner">(%b) (%g: tensor<8xf32>) {
      %d = stablehlo.reverse %g, dims = [0] : tensor<8xf32>
      sdy.return %d : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %e : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %4 = stablehlo.add %0, %a : tensor<8xf32>
  %5 = stablehlo.add %0, %4 : tensor<8xf32>
  return %5, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// -----
// a loop that reads constants from outside
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%p = %a, %r = %c, %q = %one) : tensor<8xf32>, tensor<8xf32>, tensor<i32>
  cond {
    %t = stablehlo.compare LT, %q, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %n = stablehlo.add %p, %c : tensor<8xf32>
    %m = stablehlo.add %q, %one : tensor<i32>
    %l = stablehlo.iota dim = 0 : tensor<8xf32>
    %k = stablehlo.add %l, %c : tensor<8xf32>
    stablehlo.return %n, %k, %m : tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
  %1 = stablehlo.add %0#0, %c : tensor<8xf32>
  return %1 : tensor<8xf32>
}
// -----
// reducers
func.func @main(%a: tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.constant dense<1.0> : tensor<8x4xf32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
// -----
// pipeline: builtin.module(sdy-constant-or-scalar-splitter,sdy-constant-or-scalar-splitter)
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = call @konst() : () -> tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  %3 = stablehlo.add %2, %a : tensor<8xf32>
  %4 = stablehlo.add %2, %3 : tensor<8xf32>
  return %4, %0 : tensor<8xf32>, tensor<8xf32>
}
func.func private @konst() -> tensor<8xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// pipeline: builtin.module(sdy-constant-or-scalar-splitter,func.func(sdy-constant-or-scalar-merger))
// there and back
func.func @main(%a: tensor<8xf32>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %3 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %4 = stablehlo.add %0, %a : tensor<8xf32>
  %5 = stablehlo.add %2, %4 : tensor<8xf32>
  %6 = stablehlo.add %3, %5 : tensor<8xf32>
  %7 = stablehlo.add %3, %6 : tensor<8xf32>
  %8 = stablehlo.add %2, %7 : tensor<8xf32>
  return %8, %0 : tensor<8xf32>, tensor<8xf32>
}
