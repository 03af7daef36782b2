// names, duplicates, the place of new meshes
sdy.mesh @a = <["x"=2]>
func.func @mesh(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4]>, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "y"=2]>, [{"x"}]>}) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=8]>, [{"x"}]>]>} : tensor<8xf32>
  "stablehlo.custom_call"(%0) <{call_target_name = "sink", has_side_effect = true}> {sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[5]>, []>]>} : (tensor<8xf32>) -> ()
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<mesh<[]>, [{?}]>]>} : tensor<8xf32>
  %2 = sdy.sharding_constraint %1 <@d2, [{"x"}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %2 <mesh<["x"=4], device_ids=[3, 2, 1, 0]>, [{"x"}]> : tensor<8xf32>
  %4 = sdy.sharding_constraint %3 <mesh<["x"=2]>, [{"x"}]> : tensor<8xf32>
  %5 = sdy.sharding_constraint %4 <mesh<["x"=16]>, [{"x"}]> : tensor<8xf32>
  %6 = sdy.sharding_constraint %5 <mesh<["x"=4], device_ids=[0, 1, 2, 3]>, [{"x"}]> : tensor<8xf32>
  return %6 : tensor<8xf32>
}
func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
sdy.mesh @d1 = <["x"=16]>
sdy.mesh @d2 = <["x"=2]>
sdy.mesh @d3 = <["x"=16]> {stablehlo.mesh = "gone"}
func.func private @h(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@d3, [{"x"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// no mesh operation yet: at the start
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4]>, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["y"=4]>, [{"y"}]>}) {
  return %a : tensor<8xf32>
}
// -----
// every place where a sharding stands, in order
func.func @main(%a: tensor<8x8xf32>, %i: tensor<i32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["r"=2]>, [{}, {}]>}) {
  %1 = sdy.manual_computation(%a) in_shardings=[<mesh<["a"=2]>, [{"a"}, {}]>] out_shardings=[<mesh<["a"=2]>, [{"a"}, {}]>] manual_axes={"a"} (%m: tensor<4x8xf32>) {
    %2 = sdy.named_computation<"n">(%m) in_shardings=[<mesh<["c"=2]>, [{"c"}, {}]>] out_shardings=[<mesh<["d"=2]>, [{"d"}, {}]>] (%n: tensor<4x8xf32>) {
      %3 = stablehlo.negate %n {sdy.sharding = #sdy.sharding_per_value<[<mesh<["e"=2]>, [{"e"}, {}]>]>} : tensor<4x8xf32>
      sdy.return %3 : tensor<4x8xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %2 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %4:2 = stablehlo.while(%p = %i, %q = %1) : tensor<i32>, tensor<8x8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<mesh<["f"=2]>, []>, <mesh<["g"=2]>, [{"g"}, {}]>]>}
  cond {
    %5 = stablehlo.compare LT, %p, %p {sdy.sharding = #sdy.sharding_per_value<[<mesh<["h"=2]>, []>]>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  } do {
    stablehlo.return %p, %q : tensor<i32>, tensor<8x8xf32>
  }
  %6 = sdy.all_slice [{}, {"i"}] %4#1 out_sharding=<mesh<["i"=2]>, [{}, {"i"}]> : tensor<8x8xf32>
  %7:2 = stablehlo.custom_call @foo(%6) {sdy.sharding = #sdy.sharding_per_value<[<mesh<["j"=2]>, []>, <mesh<["k"=2]>, [{"k"}, {}]>]>} : (tensor<8x8xf32>) -> (tensor<i32>, tensor<8x8xf32>)
  %8 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<mesh<["l"=2]>, [{"l"}, {}]>]>} %7#1 : tensor<8x8xf32>
  %9 = sdy.reshard %8 <mesh<["m"=2]>, [{"m"}, {}]> : tensor<8x8xf32>
  return %9 : tensor<8x8xf32>
}
func.func private @late(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["r"=2]>, [{}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["s"=2]>, [{}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["t"=2]>, [{}]>}) {
  return %a : tensor<8xf32>
}
// -----
// what is there already stays; maximal and empty meshes
sdy.mesh @one = <["x"=2], device_ids=[1, 0]> {stablehlo.mesh = "as it is", k = 1 : i32}
sdy.mesh @max = <[], device_ids=[3]>
sdy.mesh @maximal_mesh_4 = <["x"=2]>
sdy.mesh @empty = <[]>
sdy.mesh private @hidden = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[3]>, []>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[4]>, []>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[]>, [{}]>}) {
  return %a : tensor<8xf32>
}
// -----
// replica groups
sdy.mesh @a = <["x"=2, "y"=2]>
sdy.mesh @b = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @b, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<8xf32>) -> tensor<16xf32>
  %1 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "y">]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %9 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%a) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %9 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 2>], device_ids=dense<[3, 2, 1, 0]> : tensor<4xi64>>, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<8xf32>) -> tensor<16xf32>
  %4 = "stablehlo.all_to_all"(%2) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  %5 = "stablehlo.collective_broadcast"(%4) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @b, axes = [#stablehlo.axis_ref<name = "y">]>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %3, %2, %1, %5 : tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>
}
// -----
// a second run merges what replica groups made
// pipeline: builtin.module(sdy-lift-inlined-meshes,sdy-lift-inlined-meshes)
sdy.mesh @a = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<16xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<8xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
// -----
// a nested module
sdy.mesh @a = <["x"=2]>
sdy.mesh @b = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
module @inner {
  sdy.mesh @c = <["x"=2]>
  sdy.mesh @d = <["x"=2]>
}
