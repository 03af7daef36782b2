// owners with and without a sharding on their edge
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %i: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %o:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>, <@m, [{"y"}]>]>} %a, %b : tensor<8xf32>, tensor<8xf32>
  %oe = sdy.data_flow_edge %o#0 sharding=<@m, [{"x"}p1], replicated={"y"}> : tensor<8xf32>
  %mc:2 = sdy.manual_computation(%oe, %o#1) in_shardings=[<@m, [{"x", ?}]>, <@m, [{"x", "y", ?}]>] out_shardings=[<@m, [{"x", ?}]>, <@m, [{"x", ?}]>] manual_axes={"x"} (%p: tensor<4xf32>, %q: tensor<4xf32>) {
    %pe = sdy.data_flow_edge %p sharding=<@m, [{"y"}]> : tensor<4xf32>
    %qe = sdy.data_flow_edge %q : tensor<4xf32>
    %r = stablehlo.add %pe, %qe : tensor<4xf32>
    sdy.return %r, %qe : tensor<4xf32>, tensor<4xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %me = sdy.data_flow_edge %mc#0 sharding=<@m, [{"x", "y"}]> : tensor<8xf32>
  %me1 = sdy.data_flow_edge %mc#1 sharding=<@m, [{"x"}p2], replicated={"y"}> : tensor<8xf32>
  %w:2 = stablehlo.while(%p = %me, %q = %i) : tensor<8xf32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %q, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n:2 = stablehlo.optimization_barrier %p, %q : tensor<8xf32>, tensor<i32>
    %ne = sdy.data_flow_edge %n#1 : tensor<i32>
    %nf = sdy.data_flow_edge %n#0 sharding=<@m, [{"y", ?}]> : tensor<8xf32>
    stablehlo.return %nf, %ne : tensor<8xf32>, tensor<i32>
  }
  %we = sdy.data_flow_edge %w#0 sharding=<@m, [{"x", ?}]> : tensor<8xf32>
  %wf = sdy.data_flow_edge %w#1 : tensor<i32>
  %n:2 = sdy.named_computation<"n">(%we, %me1) (%p: tensor<8xf32>, %q: tensor<8xf32>) {
    %pe = sdy.data_flow_edge %p sharding=<@m, [{"y"}]> : tensor<8xf32>
    %qe = sdy.data_flow_edge %q : tensor<8xf32>
    sdy.return %pe, %qe : tensor<8xf32>, tensor<8xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %c = "stablehlo.case"(%i) ({
    stablehlo.return %n#0 : tensor<8xf32>
  }, {
    stablehlo.return %n#1 : tensor<8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>]>} : (tensor<i32>) -> tensor<8xf32>
  %ce = sdy.data_flow_edge %c : tensor<8xf32>
  return %ce, %we, %me1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// -----
// debug attributes
// pipeline: builtin.module(func.func(sdy-sink-data-flow-edges{sink-debug-sharding-origins=true sink-debug-propagation-edge-sharding=true}))
sdy.mesh @m = <["x"=2, "y"=2, "z"=2]>
func.func @main(%a: tensor<8x8xf32>, %i: tensor<i32>) -> tensor<8x8xf32> {
  %o:2 = stablehlo.optimization_barrier %a, %i : tensor<8x8xf32>, tensor<i32>
  %oe = sdy.data_flow_edge %o#0 sharding=<@m, [{"x", ?}, {"z", ?}]> {sdy.sharding_origins = {x = "input: 0", z = "constraint_0"}, sdy.propagation_edges = #sdy.propagation_edges<[{step-4 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8x8xf32>
  %of = sdy.data_flow_edge %o#1 : tensor<i32>
  %mc = sdy.manual_computation(%oe) in_shardings=[<@m, [{"x", ?}, {?}]>] out_shardings=[<@m, [{"x", ?}, {?}]>] manual_axes={"x"} (%p: tensor<4x8xf32>) {
    %pe = sdy.data_flow_edge %p sharding=<@m, [{"y"}, {?}]> {sdy.sharding_origins = {x = "self"}} : tensor<4x8xf32>
    sdy.return %pe : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %mc : tensor<8x8xf32>
}
// -----
// pipeline: builtin.module(func.func(sdy-sink-data-flow-edges{sink-debug-sharding-origins=true}))
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %o = stablehlo.optimization_barrier %a : tensor<8xf32>
  return %o : tensor<8xf32>
}
// -----
// pipeline: builtin.module(func.func(sdy-sink-data-flow-edges{sink-debug-propagation-edge-sharding=true}))
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %o = stablehlo.optimization_barrier %a : tensor<8xf32>
  return %o : tensor<8xf32>
}
// -----
// an edge on a function's argument only goes
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.data_flow_edge %a sharding=<@m, [{"x"}]> : tensor<8xf32>
  %1 = stablehlo.add %0, %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
