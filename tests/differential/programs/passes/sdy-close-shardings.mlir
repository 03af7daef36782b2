// every place of a sharding
sdy.mesh @m = <["x"=2, "y"=4, "z"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}], replicated={"y"}>}, %b: tensor<8x8xf32>, %i: tensor<i32>)
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"x", "y":(1)2, ?}p1], replicated={"z"}, unreduced={"y":(2)2}>}) {
  %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}p3, {"y"}]>]>} : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{?}, {"z", ?}], replicated={"x"}> : tensor<8x8xf32>
  %2 = sdy.reshard %1 <@m, [{?}, {"z", ?}], replicated={"x"}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}]>]>} : tensor<8x8xf32>
  %3:2 = stablehlo.custom_call @foo(%2) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}]>, <@m, [], replicated={"x"}>]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<f32>)
  %4 = sdy.all_gather [{}, {"y"}] %0 out_sharding=<@m, [{"x", ?}, {?}]> : tensor<8x8xf32>
  %5:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {"x"}]>, <@m, [{"x", ?}, {?}]>]>} %a, %b : tensor<8x8xf32>, tensor<8x8xf32>
  %6 = sdy.data_flow_edge %5#0 sharding=<@m, [{"x", ?}, {?}]> : tensor<8x8xf32>
  %7 = sdy.named_computation<"n">(%6) in_shardings=[<@m, [{?}, {"x", ?}]>] out_shardings=[<@m, [{?}, {?}]>] (%p: tensor<8x8xf32>) {
    %q = sdy.data_flow_edge %p sharding=<@m, [{"z", ?}, {?}]> : tensor<8x8xf32>
    %r = stablehlo.negate %q {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}]>]>} : tensor<8x8xf32>
    sdy.return %r : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %8 = sdy.manual_computation(%7) in_shardings=[<@m, [{"x", ?}p1, {?}], replicated={"z"}>] out_shardings=[<@m, [{"x", "y", ?}, {?}]>] manual_axes={"x"} (%p: tensor<4x8xf32>) {
    %r = stablehlo.negate %p {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}]>]>} : tensor<4x8xf32>
    sdy.return %r : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %9 = "stablehlo.case"(%i) ({
    %10 = stablehlo.negate %8 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}]>]>} : tensor<8x8xf32>
    stablehlo.return %10 : tensor<8x8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}]>]>, other = #sdy.sharding<@m, [{?}, {?}]>} : (tensor<i32>) -> tensor<8x8xf32>
  %10 = call @f(%9) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {"x", ?}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %10 : tensor<8x8xf32>
}
func.func private @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["q"=2]>, [{"q", ?}, {?}]>}) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}
// -----
// a priority on a dimension that is left empty is refused afterwards
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}p2]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// a declaration
sdy.mesh @m = <["x"=2]>
func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}]>})
// -----
// maximal shardings and operations without results
sdy.mesh @max = <[], device_ids=[1]>
func.func @main(%a: tensor<8xf32>, %t: !stablehlo.token) -> tensor<8xf32> {
  stablehlo.custom_call @foo(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@max, []>]>} : (tensor<8xf32>) -> ()
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@max, []>]>, stuff = [#sdy.sharding<@max, []>]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
