// loops, branches, barriers, computations; tokens and dynamic shapes get no edge
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%a: tensor<8x8xf32>, %i: tensor<i32>, %t: !stablehlo.token, %d: tensor<?x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0:4 = stablehlo.while(%p = %a, %q = %i, %u = %t, %v = %d) : tensor<8x8xf32>, tensor<i32>, !stablehlo.token, tensor<?x8xf32>
    attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {?}]>, <@mesh, []>, <@mesh, []>, <@mesh, [{}, {"x"}]>]>}
  cond {
    %c = stablehlo.compare LT, %q, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.negate %p : tensor<8x8xf32>
    stablehlo.return %n, %q, %u, %v : tensor<8x8xf32>, tensor<i32>, !stablehlo.token, tensor<?x8xf32>
  }
  %1 = sdy.manual_computation(%0#0) in_shardings=[<@mesh, [{"x", "y", ?}, {"z"}]>] out_shardings=[<@mesh, [{"x", "y"}, {?}]>] manual_axes={"x"} (%m: tensor<4x8xf32>) {
    %3 = stablehlo.optimization_barrier %m : tensor<4x8xf32>
    sdy.return %3 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2:2 = "stablehlo.case"(%i) ({
    %5 = stablehlo.add %1, %1 : tensor<8x8xf32>
    stablehlo.return %5, %i : tensor<8x8xf32>, tensor<i32>
  }, {
    stablehlo.return %1, %i : tensor<8x8xf32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<8x8xf32>, tensor<i32>)
  %3:2 = sdy.named_computation<"n">(%2#0, %t) in_shardings=[<@mesh, [{"x"}p1, {?}], replicated={"z"}>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, []>] (%p: tensor<8x8xf32>, %u: !stablehlo.token) {
    %n = stablehlo.negate %p : tensor<8x8xf32>
    sdy.return %n, %u : tensor<8x8xf32>, !stablehlo.token
  } : (tensor<8x8xf32>, !stablehlo.token) -> (tensor<8x8xf32>, !stablehlo.token)
  %4 = sdy.named_computation<"n">(%3#0) (%p: tensor<8x8xf32>) {
    sdy.return %p : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %4, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// several results, several uses, unused ones
func.func @main(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>) {
  %0:3 = stablehlo.optimization_barrier %a, %b, %a : tensor<8xf32>, tensor<4xf32>, tensor<8xf32>
  %1 = stablehlo.add %0#0, %0#0 : tensor<8xf32>
  %2 = stablehlo.add %0#0, %1 : tensor<8xf32>
  return %2, %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>
}
// -----
// manual axes leave dimensions, replicated and unreduced axes
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", "y", ?}p1, {?}], replicated={"z"}>] out_shardings=[<@mesh, [{"x", "y"}, {}], replicated={"z"}>] manual_axes={"x", "z"} (%m: tensor<4x8xf32>) {
    %1 = stablehlo.negate %m : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
// edges are not added twice
// pipeline: builtin.module(sdy-add-data-flow-edges,sdy-add-data-flow-edges)
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.optimization_barrier %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// no operation without edges of its own gets any
func.func @main(%a: tensor<8xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %a : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }, {
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// order of uses: the users of an edge come in the order of the program
// pipeline: builtin.module(sdy-add-data-flow-edges,sdy-basic-propagate)
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<8x8xf32>, tensor<8x8xf32>
  %1 = stablehlo.negate %0#0 : tensor<8x8xf32>
  %2 = stablehlo.add %0#0, %0#1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}, {?}]>]>} : tensor<8x8xf32>
  %3 = stablehlo.subtract %0#1, %0#0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {"x", ?}]>]>} : tensor<8x8xf32>
  return %1, %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
