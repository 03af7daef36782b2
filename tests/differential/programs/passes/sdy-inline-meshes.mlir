// everywhere, keeping all else; meshes nobody uses go too
sdy.mesh @a = <["x"=2, "y"=1]>
sdy.mesh @perm = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
sdy.mesh @max = <[], device_ids=[7]>
sdy.mesh @unused = <["z"=4]> {stablehlo.mesh = {axes = []}}
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}p1, {?}], replicated={"y"}>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@max, []>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@perm, [{}, {}], unreduced={"x"}>}, tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@perm, [{"y", ?}, {"x"}]>]>} : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@a, [{"x"}, {"y"}]> : tensor<8x8xf32>
  %2 = sdy.reshard %1 <mesh<["q"=2]>, [{"q"}, {}]> : tensor<8x8xf32>
  %3 = sdy.manual_computation(%2) in_shardings=[<@a, [{"x", "y"}, {}]>] out_shardings=[<@a, [{"x"}, {}], replicated={"y"}>] manual_axes={"x", "y"} (%m: tensor<4x8xf32>) {
    %4 = stablehlo.negate %m : tensor<4x8xf32>
    sdy.return %4 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = sdy.named_computation<"n">(%3) in_shardings=[<@perm, [{"x"}, {}]>] out_shardings=[<@perm, [{"y"}, {}]>] (%m: tensor<8x8xf32>) {
    sdy.return %m : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %6:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"x"}, {}]>, <@perm, [{?}, {?}]>]>} %5, %0 : tensor<8x8xf32>, tensor<8x8xf32>
  "stablehlo.custom_call"(%0) <{call_target_name = "sink", has_side_effect = true}> {sdy.sharding = #sdy.sharding_per_value<[<@max, []>]>} : (tensor<8x8xf32>) -> ()
  %7 = sdy.all_gather [{"x"}, {}] %1 out_sharding=<@a, [{}, {"y"}]> : tensor<8x8xf32>
  return %6#0, %7 : tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// nothing to do
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}
// -----
// there and back
// pipeline: builtin.module(sdy-inline-meshes,sdy-lift-inlined-meshes)
sdy.mesh @a = <["x"=2, "y"=1]>
sdy.mesh @b = <["x"=2, "y"=1]>
sdy.mesh @c = <["x"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@c, [{"x"}p1, {?}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@b, [{}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}, {}]>}) {
  return %a : tensor<8x8xf32>
}
