// dimensions, priorities, replicated and unreduced axes, sub-axes
sdy.mesh @a = <["x"=2, "y"=1, "z"=1, "w"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x", "y"}, {"z", ?}p2]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}p1, {?}p3]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"w":(2)2}, {"z"}p1], replicated={"y"}>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{}, {}], unreduced={"y", "w"}>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@a, [{"y", "x"}, {}], replicated={"z"}>] out_shardings=[<@a, [{"x", "y", "z"}, {"w", ?}]>] manual_axes={"x", "y", "z"} (%m: tensor<4x8xf32>) {
    sdy.return %m : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@a, [{"z", "w"}p4, {"y"}]> : tensor<8x8xf32>
  %2 = stablehlo.add %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["q"=1, "r"=2]>, [{"q"}, {"r"}]>]>} : tensor<8x8xf32>
  %3 = sdy.named_computation<"n">(%2) in_shardings=[<@a, [{"x"}, {"y"}]>] out_shardings=[<@a, [{"y", ?}, {}]>] (%m: tensor<8x8xf32>) {
    sdy.return %m : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3, %b : tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// an inlined mesh alone does not start it
sdy.mesh @a = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["q"=1, "r"=2]>, [{"q"}, {"r"}]>}) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}
// -----
// what the import pipeline makes of manual axes
// pipeline: builtin.module(sdy-remove-size-one-axes,sdy-manual-axes-cleanup)
sdy.mesh @a = <["x"=2, "y"=1, "z"=1]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@a, [{"y", "x"}, {}], replicated={"z"}>] out_shardings=[<@a, [{"x", "y", "z"}, {}]>] manual_axes={"z", "x", "y"} (%m: tensor<4x8xf32>) {
    sdy.return %m : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
