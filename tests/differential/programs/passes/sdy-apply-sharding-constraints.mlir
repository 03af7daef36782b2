// which constraints apply
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@a, [{"x"}]> : tensor<8xf32>
  %2 = stablehlo.negate %0 : tensor<8xf32>
  %3 = sdy.sharding_constraint %2 <@a, [{"x", ?}]> : tensor<8xf32>
  %4 = stablehlo.negate %3 : tensor<8xf32>
  %5 = sdy.sharding_constraint %4 <@a, [{"x"}]> : tensor<8xf32>
  %6 = sdy.sharding_constraint %4 <@a, [{"y"}]> : tensor<8xf32>
  %7 = stablehlo.negate %6 : tensor<8xf32>
  %8 = sdy.sharding_constraint %7 <@a, [{"y"}]> : tensor<8xf32>
  %9 = sdy.sharding_constraint %7 <@a, [{"y"}]> : tensor<8xf32>
  %10 = stablehlo.negate %9 {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"x", ?}]>]>} : tensor<8xf32>
  %11 = sdy.sharding_constraint %10 <@a, [{"y"}]> : tensor<8xf32>
  %12:2 = stablehlo.custom_call @foo(%11) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %13 = sdy.sharding_constraint %12#1 <@a, [{"x"}]> : tensor<8xf32>
  %14 = stablehlo.negate %s : tensor<f32>
  %15 = sdy.sharding_constraint %14 <@a, []> : tensor<f32>
  %16 = sdy.sharding_constraint %a <@a, [{"x"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>} : tensor<8xf32>
  %17 = stablehlo.negate %13 : tensor<8xf32>
  %18 = sdy.sharding_constraint %17 <@a, [{"x"}], replicated={"y"}> : tensor<8xf32>
  %19 = stablehlo.negate %18 : tensor<8xf32>
  %20 = sdy.sharding_constraint %19 <@a, [{"x"}p1]> : tensor<8xf32>
  %21 = sdy.sharding_constraint %19 <@a, [{"x"}]> : tensor<8xf32>
  return %1, %5, %8, %16, %20 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// -----
// a chain that nothing else reads: later users read its end
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %x = stablehlo.negate %a : tensor<8xf32>
  %y = sdy.sharding_constraint %x <@a, [{"x"}]> : tensor<8xf32>
  %s = stablehlo.sine %x : tensor<8xf32>
  %z = sdy.sharding_constraint %y <@a, [{"y", ?}]> : tensor<8xf32>
  %c = stablehlo.cosine %x : tensor<8xf32>
  %d = stablehlo.add %z, %x : tensor<8xf32>
  %e = "stablehlo.case"(%i) ({
    %f = stablehlo.negate %x : tensor<8xf32>
    stablehlo.return %f : tensor<8xf32>
  }, {
    stablehlo.return %x : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %x, %s, %c, %d, %e : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// -----
// no chain: the first constraint has two uses
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %x = stablehlo.negate %a : tensor<8xf32>
  %y = sdy.sharding_constraint %x <@a, [{"x"}]> : tensor<8xf32>
  %z = sdy.sharding_constraint %y <@a, [{"y"}]> : tensor<8xf32>
  %c = stablehlo.add %x, %y : tensor<8xf32>
  return %z, %c : tensor<8xf32>, tensor<8xf32>
}
// -----
// no chain: another constraint on the value, or on the end; the value is sharded; three in a row
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @other_constraint(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %x = stablehlo.negate %a : tensor<8xf32>
  %y = sdy.sharding_constraint %x <@a, [{"x", ?}]> : tensor<8xf32>
  %z = sdy.sharding_constraint %y <@a, [{"y"}]> : tensor<8xf32>
  %w = sdy.sharding_constraint %x <@a, [{"y", ?}]> : tensor<8xf32>
  %c = stablehlo.negate %x : tensor<8xf32>
  return %z, %c, %w : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func @constrained_end(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %x = stablehlo.negate %a : tensor<8xf32>
  %y = sdy.sharding_constraint %x <@a, [{"x", ?}]> : tensor<8xf32>
  %z = sdy.sharding_constraint %y <@a, [{"y"}]> : tensor<8xf32>
  %w = sdy.sharding_constraint %z <@a, [{"y", ?}]> : tensor<8xf32>
  %v = sdy.sharding_constraint %z <@a, [{"x", ?}]> : tensor<8xf32>
  %c = stablehlo.negate %x : tensor<8xf32>
  return %v, %c, %w : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func @sharded(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{?}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %y = sdy.sharding_constraint %a <@a, [{"x", ?}]> : tensor<8xf32>
  %z = sdy.sharding_constraint %y <@a, [{"y"}]> : tensor<8xf32>
  %c = stablehlo.negate %a : tensor<8xf32>
  return %z, %c : tensor<8xf32>, tensor<8xf32>
}
func.func @three(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %y = sdy.sharding_constraint %a <@a, [{"x", ?}]> : tensor<8xf32>
  %z = sdy.sharding_constraint %y <@a, [{"y"}]> : tensor<8xf32>
  %w = sdy.sharding_constraint %z <@a, [{"x"}]> : tensor<8xf32>
  %c = stablehlo.add %a, %a : tensor<8xf32>
  return %a, %c : tensor<8xf32>, tensor<8xf32>
}
func.func @two_uses_by_one_constraint_user(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %y = sdy.sharding_constraint %a <@a, [{"x", ?}]> : tensor<8xf32>
  %z = sdy.sharding_constraint %y <@a, [{"y"}]> : tensor<8xf32>
  %m = sdy.manual_computation(%z) in_shardings=[<@a, [{"x"}]>] out_shardings=[<@a, [{"x"}]>] manual_axes={} (%p: tensor<8xf32>) {
    sdy.return %p : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %c = stablehlo.add %a, %a : tensor<8xf32>
  return %m, %c : tensor<8xf32>, tensor<8xf32>
}
// -----
// a chain whose end stands in a region
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %x = stablehlo.negate %a : tensor<8xf32>
  %y = sdy.sharding_constraint %x <@a, [{"x", ?}]> : tensor<8xf32>
  %e = "stablehlo.case"(%i) ({
    %f = stablehlo.negate %x : tensor<8xf32>
    %z = sdy.sharding_constraint %y <@a, [{"y", ?}]> : tensor<8xf32>
    %g = stablehlo.add %x, %x : tensor<8xf32>
    %h = stablehlo.add %g, %z : tensor<8xf32>
    stablehlo.return %x : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  %c = stablehlo.cosine %x : tensor<8xf32>
  return %c, %e : tensor<8xf32>, tensor<8xf32>
}
// -----
// edges: the uses read the constraint, the edge is not sharded
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.optimization_barrier %a : tensor<8xf32>
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  %u = stablehlo.negate %1 : tensor<8xf32>
  %2 = sdy.sharding_constraint %1 <@a, [{"x"}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %1 <@a, [{"x"}]> : tensor<8xf32>
  %4 = "stablehlo.case"(%i) ({
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %1, %4 : tensor<8xf32>, tensor<8xf32>
}
// -----
// loops: arguments of the regions stand for the edge of the result
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %0:3 = stablehlo.while(%p = %a, %r = %b, %q = %i) : tensor<8xf32>, tensor<8xf32>, tensor<i32>
  cond {
    %k = sdy.sharding_constraint %p <@a, [{"y"}]> : tensor<8xf32>
    %c = stablehlo.compare LT, %q, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.negate %p : tensor<8xf32>
    %m = stablehlo.negate %r : tensor<8xf32>
    %k = sdy.sharding_constraint %p <@a, [{"x"}]> : tensor<8xf32>
    %l = sdy.sharding_constraint %r <@a, [{"x"}]> : tensor<8xf32>
    stablehlo.return %p, %m, %q : tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
  %1 = sdy.data_flow_edge %0#0 : tensor<8xf32>
  %2 = sdy.data_flow_edge %0#1 sharding=<@a, [{?}]> : tensor<8xf32>
  %3 = stablehlo.add %1, %2 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
// -----
// loops without edges, block arguments of reducers
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>, %z: tensor<f32>) -> (tensor<8xf32>, tensor<f32>) {
  %0:2 = stablehlo.while(%p = %a, %q = %i) : tensor<8xf32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %q, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.negate %p : tensor<8xf32>
    %k = sdy.sharding_constraint %p <@a, [{"x"}]> : tensor<8xf32>
    stablehlo.return %n, %q : tensor<8xf32>, tensor<i32>
  }
  %1 = "stablehlo.reduce"(%0#0, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    %3 = sdy.sharding_constraint %x <@a, []> : tensor<f32>
    %4 = sdy.sharding_constraint %2 <@a, []> : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0#0, %1 : tensor<8xf32>, tensor<f32>
}
// -----
// manual computations ask for their operands too
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.negate %b : tensor<8xf32>
  %2 = stablehlo.negate %c : tensor<8xf32>
  %3 = sdy.sharding_constraint %2 <@a, [{"y"}]> : tensor<8xf32>
  %4 = sdy.manual_computation(%0, %1, %0, %2, %b) in_shardings=[<@a, [{"x"}]>, <@a, [{"x", ?}]>, <@a, [{"x"}]>, <@a, [{"x"}]>, <@a, [{"x"}]>] out_shardings=[<@a, [{"x"}]>] manual_axes={"x"} (%p: tensor<4xf32>, %q: tensor<4xf32>, %r: tensor<4xf32>, %s: tensor<4xf32>, %t: tensor<4xf32>) {
    %5 = sdy.sharding_constraint %p <@a, [{"y"}]> : tensor<4xf32>
    sdy.return %5 : tensor<4xf32>
  } : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = stablehlo.add %4, %0 : tensor<8xf32>
  return %5, %3, %b : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// -----
// with edges: one new constraint serves equal demands on one value
// pipeline: builtin.module(sdy-add-data-flow-edges,sdy-apply-sharding-constraints)
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<8xf32>, tensor<8xf32>
  %1 = stablehlo.negate %0#0 : tensor<8xf32>
  %2 = sdy.manual_computation(%0#0, %0#0) in_shardings=[<@a, [{"x"}]>, <@a, [{"x"}]>] out_shardings=[<@a, [{"x"}]>] manual_axes={"x"} (%p: tensor<4xf32>, %q: tensor<4xf32>) {
    %5 = sdy.sharding_constraint %p <@a, [{"y"}]> : tensor<4xf32>
    %6 = stablehlo.add %5, %p : tensor<4xf32>
    sdy.return %6 : tensor<4xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = sdy.manual_computation(%0#1, %0#1) in_shardings=[<@a, [{"x"}]>, <@a, [{"x", "y"}]>] out_shardings=[<@a, [{"x"}]>] manual_axes={"x"} (%p: tensor<4xf32>, %q: tensor<4xf32>) {
    sdy.return %p : tensor<4xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// -----
// unreduced axes show on the edge
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.optimization_barrier %a : tensor<8xf32>
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  %2 = sdy.sharding_constraint %1 <@a, [{"x"}], unreduced={"y"}> : tensor<8xf32>
  %3 = stablehlo.negate %1 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
// -----
// a manual computation without sharding on tokens, and one nested in another
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %t: !stablehlo.token) -> tensor<8xf32> {
  %u = stablehlo.after_all %t, %t : !stablehlo.token
  %0:2 = sdy.manual_computation(%a, %u) in_shardings=[<@a, [{"x"}]>, <@a, []>] out_shardings=[<@a, [{"x"}]>, <@a, []>] manual_axes={"x"} (%p: tensor<4xf32>, %v: !stablehlo.token) {
    %n = stablehlo.negate %p : tensor<4xf32>
    %1 = sdy.manual_computation(%n) in_shardings=[<@a, [{"y"}]>] out_shardings=[<@a, [{"y"}]>] manual_axes={"y"} (%q: tensor<2xf32>) {
      sdy.return %q : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1, %v : tensor<4xf32>, !stablehlo.token
  } : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  return %0#0 : tensor<8xf32>
}
// -----
// pipeline: builtin.module(sdy-add-data-flow-edges,sdy-apply-sharding-constraints,sdy-apply-sharding-constraints)
// a second run changes nothing
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.optimization_barrier %a : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@a, [{"x"}]> : tensor<8xf32>
  %2 = sdy.sharding_constraint %1 <@a, [{"y"}]> : tensor<8xf32>
  %3 = stablehlo.add %0, %2 : tensor<8xf32>
  %4 = sdy.sharding_constraint %3 <@a, [{"y"}]> : tensor<8xf32>
  return %4 : tensor<8xf32>
}
