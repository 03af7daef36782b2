// the edge's sharding wins; without one, what is there becomes open
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0:2 = call @f(%a) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{?}, {"x"}]>, <@a, [{"x"}p1, {"y", ?}]>]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %1 = sdy.func_data_flow_edge %0#0 {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"y", ?}, {"x"}]>]>} : tensor<8x8xf32>
  %2 = sdy.func_data_flow_edge %0#1 : tensor<8x8xf32>
  %3:2 = call @f(%1) : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %4 = sdy.func_data_flow_edge %3#1 {sdy.sharding = #sdy.sharding_per_value<[<@a, [{}, {"x"}]>]>} : tensor<8x8xf32>
  %5:2 = call @f(%2) : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %6 = sdy.func_data_flow_edge %5#1 : tensor<8x8xf32>
  %7 = stablehlo.add %4, %6 : tensor<8x8xf32>
  return %7, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x", ?}p2, {}], replicated={"y"}>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.func_data_flow_edge %a : tensor<8x8xf32>
  return %0, %0 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @g(%a: tensor<8x8xf32> {jax.k = 1 : i32}, %b: tensor<8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.func_data_flow_edge %a {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"y"}, {?}]>]>} : tensor<8x8xf32>
  %1 = sdy.func_data_flow_edge %b : tensor<8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
// in regions, unreduced axes, inlined meshes
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{?}], unreduced={"x"}>}, %i: tensor<i32>) -> tensor<8xf32> {
  %e = sdy.func_data_flow_edge %a : tensor<8xf32>
  %0 = "stablehlo.case"(%i) ({
    %1 = func.call @f(%e, %i) : (tensor<8xf32>, tensor<i32>) -> tensor<8xf32>
    %2 = sdy.func_data_flow_edge %1 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>} : tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @f(tensor<8xf32>, tensor<i32>) -> tensor<8xf32>
