// names, shardings from edges, attributes, nesting
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = sdy.named_computation<"foo">(%a, %a) in_shardings=[<@a, [{"x"}]>, <@a, [{?}]>] (%b: tensor<8xf32>, %c: tensor<8xf32>) {
    %e = sdy.data_flow_edge %b sharding=<@a, [{"y"}]> : tensor<8xf32>
    %f = sdy.data_flow_edge %c : tensor<8xf32>
    %i = sdy.named_computation<"inner">(%e) out_shardings=[<@a, [{"x"}]>] (%q: tensor<8xf32>) {
      %n = stablehlo.negate %q : tensor<8xf32>
      sdy.return {lost.attribute} %n : tensor<8xf32>
    } {k = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %f, %i : tensor<8xf32>, tensor<8xf32>
  } {execution_thread = "host", mhlo.frontend_attributes = {a = "b"}, sdy.sharding = #sdy.sharding_per_value<[<@a, [{?}]>, <@a, [{?}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %1 = sdy.data_flow_edge %0#1 sharding=<@a, [{"y"}]> : tensor<8xf32>
  return %0#0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @foo(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// no edge has a sharding: the lists stay
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.named_computation<"n">(%a) in_shardings=[<@a, [{"x"}]>] out_shardings=[<@a, [{"y"}]>] (%b: tensor<8xf32>) {
    %e = sdy.data_flow_edge %b : tensor<8xf32>
    %f = stablehlo.add %e, %e : tensor<8xf32>
    sdy.return %f : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  %2 = sdy.named_computation<"n">(%1) (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %3 = sdy.named_computation<"n">() () {
    %c = stablehlo.constant dense<0.0> : tensor<8xf32>
    sdy.return %c : tensor<8xf32>
  } : () -> tensor<8xf32>
  %4 = stablehlo.add %2, %3 : tensor<8xf32>
  return %4 : tensor<8xf32>
}
// -----
// in a region, in several functions, unused; tokens
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>, %t: !stablehlo.token) -> tensor<8xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1:2 = sdy.named_computation<"n">(%a, %t) (%b: tensor<8xf32>, %u: !stablehlo.token) {
      %e = sdy.data_flow_edge %b sharding=<@a, [{"y", ?}], replicated={"x"}> : tensor<8xf32>
      sdy.return %e, %u : tensor<8xf32>, !stablehlo.token
    } : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
    %2 = sdy.data_flow_edge %1#0 sharding=<@a, [{"y", ?}]> : tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  %2 = sdy.named_computation<"unused">(%1) (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @other(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.named_computation<"n">(%a) (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// back and forth
// pipeline: builtin.module(sdy-flatten-call-graph,sdy-import-func-calls,sdy-export-named-computations)
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func public @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x", ?}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>}) attributes {no_inline} {
  %0 = call @g(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
