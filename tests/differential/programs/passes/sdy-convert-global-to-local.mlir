// types follow shardings; attributes stay; unsharded values stay whole
sdy.mesh @m = <["p"=2, "q"=2]>
func.func public @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>} , %y: tensor<8x6xf32>, %z: tensor<4xf32> {foo.bar = 1 : i64, sdy.sharding = #sdy.sharding<@m, [{"p", "q"}]>}) -> (tensor<8x6xf32> {foo.r, sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, tensor<8x6xf32>) {
  %0 = stablehlo.tanh %x {foo.a = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : tensor<8x6xf32>
  %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : tensor<8x6xf32>
  %2 = stablehlo.add %y, %y : tensor<8x6xf32>
  %3 = stablehlo.transpose %1, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"q"}, {"p"}]>]>} : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %4 = stablehlo.reshape %3 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"q"}, {}, {"p"}]>]>} : (tensor<6x8xf32>) -> tensor<6x1x8xf32>
  %5 = stablehlo.custom_call @foo(%4) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"q"}, {}, {"p"}]>]>} : (tensor<6x1x8xf32>) -> tensor<6x1x8xf32>
  return %1, %2 : tensor<8x6xf32>, tensor<8x6xf32>
}
// -----
// open dimensions, priorities, replicated and unreduced axes make no difference
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p", ?}p1, {?}], replicated={"q"}>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}], unreduced={"q"}>}) {
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p", ?}, {?}], unreduced={"q"}>]>} : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
// inlined meshes, several results, tuples of results and tokens
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}, %t: !stablehlo.token) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}, tensor<8xi32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}) {
  %0 = stablehlo.after_all %t : !stablehlo.token
  %i = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["a"=2]>, [{"a"}]>]>} : tensor<8xi32>
  %1:2 = "stablehlo.custom_call"(%x, %i) {call_target_name = "foo", sdy.sharding = #sdy.sharding_per_value<[<mesh<["a"=2]>, [{"a"}]>, <mesh<["a"=2]>, [{"a"}]>]>} : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  return %1#0, %1#1 : tensor<8xf32>, tensor<8xi32>
}
// -----
// constants: splat, replicated, sliced
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main() -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, tensor<4x4xi32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, tensor<4xi32>, tensor<4x4xi32> {sdy.sharding = #sdy.sharding<@m, [{}, {"q"}]>}, tensor<f32>) {
  %a = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} dense<2.0> : tensor<4x6xf32>
  %b = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} dense<[[0,1,2,3],[4,5,6,7],[8,9,10,11],[12,13,14,15]]> : tensor<4x4xi32>
  %c = sdy.constant {foo.x} dense<[0,1,2,3]> : tensor<4xi32>
  %d = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"q"}]>]>} dense<[[0,1,2,3],[4,5,6,7],[8,9,10,11],[12,13,14,15]]> : tensor<4x4xi32>
  %e = sdy.constant dense<1.0> : tensor<f32>
  return %a, %b, %c, %d, %e : tensor<4x6xf32>, tensor<4x4xi32>, tensor<4xi32>, tensor<4x4xi32>, tensor<f32>
}
// -----
// iotas along sharded and other dimensions
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main() -> (tensor<8x6xi32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, tensor<8x6xi64> {sdy.sharding = #sdy.sharding<@m, [{"q", "p"}, {}]>}, tensor<8xui8>) {
  %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : tensor<8x6xi32>
  %1 = stablehlo.iota dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : tensor<8x6xf32>
  %2 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"q", "p"}, {}]>]>} : tensor<8x6xi64>
  %3 = stablehlo.iota dim = 0 {foo.kept} : tensor<8xui8>
  %4 = stablehlo.iota dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : tensor<8x6xi64>
  return %0, %1, %2, %3 : tensor<8x6xi32>, tensor<8x6xf32>, tensor<8x6xi64>, tensor<8xui8>
}
// -----
// all-gather of one dimension
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<16x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"r", "p"}, {}]>}) -> (tensor<16x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"r"}, {}]>}) {
  %0 = sdy.all_gather [{"p"}, {}] %x out_sharding=<@m, [{"r"}, {}]> : tensor<16x5xf32>
  return %0 : tensor<16x5xf32>
}
// -----
// all-gather of a sub-axis
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<16x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"r"}, {}]>}) -> (tensor<16x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"r":(1)2}, {}]>}) {
  %0 = sdy.all_gather [{"r":(2)2}, {}] %x out_sharding=<@m, [{"r":(1)2}, {}]> : tensor<16x5xf32>
  return %0 : tensor<16x5xf32>
}
// -----
// all-gather of several dimensions 
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<12x5x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}, {"r"}]>}) -> (tensor<12x5x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}, {}]>}) {
  %0 = sdy.all_gather [{"q"}, {}, {"r"}] %x out_sharding=<@m, [{}, {}, {}]> : tensor<12x5x8xf32>
  return %0 : tensor<12x5x8xf32>
}
// -----
// all-gather of several dimensions per-dim-all-gather=true
// pipeline: builtin.module(sdy-convert-global-to-local{per-dim-all-gather=true})
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<12x5x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}, {"r"}]>}) -> (tensor<12x5x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}, {}]>}) {
  %0 = sdy.all_gather [{"q"}, {}, {"r"}] %x out_sharding=<@m, [{}, {}, {}]> : tensor<12x5x8xf32>
  return %0 : tensor<12x5x8xf32>
}
// -----
// all-gather on a mesh with device ids
sdy.mesh @m = <["p"=2, "q"=2], device_ids=[3, 1, 0, 2]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %0 = sdy.all_gather [{"p"}, {}] %x out_sharding=<@m, [{}, {}]> : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// all-reduce over axes in another order than the mesh has
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %0 = sdy.all_reduce {"p", "r"} %x out_sharding=<@m, [{}, {}]> : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// all-reduce of booleans and over a sub-axis
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<6xi1> {sdy.sharding = #sdy.sharding<@m, [{"q"}]>}) -> (tensor<6xi1> {sdy.sharding = #sdy.sharding<@m, [{"q"}]>}) {
  %0 = sdy.all_reduce {"r":(2)2} %x out_sharding=<@m, [{"q"}]> : tensor<6xi1>
  return %0 : tensor<6xi1>
}
// -----
// all-slice
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"p"}]>}) -> (tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"r", "q"}, {"p"}]>}) {
  %0 = sdy.all_slice [{"r", "q"}, {}] %x out_sharding=<@m, [{"r", "q"}, {"p"}]> : tensor<12x4xf32>
  return %0 : tensor<12x4xf32>
}
// -----
// all-slice on a mesh with device ids
sdy.mesh @m = <["p"=2, "q"=2], device_ids=[3, 1, 0, 2]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {"p"}]>}) {
  %0 = sdy.all_slice [{"q"}, {"p"}] %x out_sharding=<@m, [{"q"}, {"p"}]> : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// all-to-all
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@m, [{"p", "r"}, {}]>}) -> (tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"r"}]>}) {
  %0 = sdy.all_to_all [{"r"}: 0->1] %x out_sharding=<@m, [{"p"}, {"r"}]> : tensor<16x12xf32>
  return %0 : tensor<16x12xf32>
}
// -----
// all-to-all of several parameters
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<4x12x8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}, {}, {"q"}]>}) -> (tensor<4x12x8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"q"}, {"p"}, {}]>}) {
  %0 = sdy.all_to_all [{"p"}: 0->2, {"q"}: 3->1] %x out_sharding=<@m, [{}, {"q"}, {"p"}, {}]> : tensor<4x12x8x6xf32>
  return %0 : tensor<4x12x8x6xf32>
}
// -----
// permute between orders of axes
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"q", "p"}, {}]>}) -> (tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p", "q"}, {}]>}) {
  %0 = sdy.collective_permute %x out_sharding=<@m, [{"p", "q"}, {}]> : tensor<12x4xf32>
  return %0 : tensor<12x4xf32>
}
// -----
// permute between sub-axes
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"r":(1)2}, {}]>}) -> (tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"r":(2)2}, {}]>}) {
  %0 = sdy.collective_permute %x out_sharding=<@m, [{"r":(2)2}, {}]> : tensor<12x4xf32>
  return %0 : tensor<12x4xf32>
}
// -----
// permute between meshes
sdy.mesh @m = <["p"=2, "q"=2]>
sdy.mesh @n = <["p"=2, "q"=2], device_ids=[1, 0, 3, 2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@n, [{"q"}]>}) {
  %0 = sdy.collective_permute %x out_sharding=<@n, [{"q"}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// reduce-scatter of one dimension
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"p"}]>}) -> (tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"r"}, {"p"}]>}) {
  %0 = sdy.reduce_scatter [{"r"}, {}] %x out_sharding=<@m, [{"r"}, {"p"}]> : tensor<12x4xf32>
  return %0 : tensor<12x4xf32>
}
// -----
// reduce-scatter of several dimensions
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<12x6x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}, {"p"}]>}) -> (tensor<12x6x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"r"}, {"q"}, {"p"}]>}) {
  %0 = sdy.reduce_scatter [{"r"}, {"q"}, {}] %x out_sharding=<@m, [{"r"}, {"q"}, {"p"}]> : tensor<12x6x4xf32>
  return %0 : tensor<12x6x4xf32>
}
// -----
// reduce-scatter of several dimensions at once
// pipeline: builtin.module(sdy-convert-global-to-local{combine-multi-dimension-reduce-scatter=true})
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> (tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"r"}, {"q"}]>}) {
  %0 = sdy.reduce_scatter [{"r"}, {"q"}] %x out_sharding=<@m, [{"r"}, {"q"}]> : tensor<12x6xf32>
  return %0 : tensor<12x6xf32>
}
// -----
// replica groups as axes: reduce-scatter
// pipeline: builtin.module(sdy-convert-global-to-local{enable-rgv3=true combine-multi-dimension-reduce-scatter=true})
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> (tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"r"}, {"q"}]>}) {
  %0 = sdy.reduce_scatter [{"r"}, {"q"}] %x out_sharding=<@m, [{"r"}, {"q"}]> : tensor<12x6xf32>
  return %0 : tensor<12x6xf32>
}
// -----
// replica groups as axes, sub-axes too
// pipeline: builtin.module(sdy-convert-global-to-local{enable-rgv3=true})
sdy.mesh @m = <["p"=2, "q"=3, "r"=4]>
func.func @main(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"r"}, {}]>}) -> (tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %0 = sdy.all_gather [{"r":(2)2}, {}] %x out_sharding=<@m, [{"r":(1)2}, {}]> : tensor<16x6xf32>
  %1 = sdy.all_to_all [{"r":(1)2}: 0->1] %0 out_sharding=<@m, [{}, {"r":(1)2}]> : tensor<16x6xf32>
  %2 = sdy.all_reduce {"q"} %0 out_sharding=<@m, [{"r":(1)2}, {}]> : tensor<16x6xf32>
  %3 = sdy.all_gather [{"r":(1)2}, {}] %2 out_sharding=<@m, [{}, {}]> : tensor<16x6xf32>
  return %3 : tensor<16x6xf32>
}
// -----
// channels go on behind those in use
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) -> tensor<8x4xf32> {
  %0 = sdy.all_gather [{"p"}, {}] %x out_sharding=<@m, [{}, {"q"}]> : tensor<8x4xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 11, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"q"}]>]>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = sdy.all_gather [{}, {"q"}] %1 out_sharding=<@m, [{}, {}]> : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
// -----
// a manual computation is inlined
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p", "q"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{"p", "q"}, {}]>] out_shardings=[<@m, [{"p"}, {}]>] manual_axes={"p"} (%a: tensor<4x4xf32>) {
    %1 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"q"}, {}]>]>} : tensor<4x4xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%c: tensor<f32>, %d: tensor<f32>):
      %r = stablehlo.add %c, %d : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"q"}, {}]>]>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = sdy.all_gather [{"q"}, {}] %2 out_sharding=<@m, [{}, {}]> : tensor<4x4xf32>
    sdy.return %3 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %5 = stablehlo.tanh %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : tensor<8x4xf32>
  return %5 : tensor<8x4xf32>
}
// -----
// manual computations in each other, one without arguments
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, tensor<4xf32>) {
  %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{"p"}, {"q"}]>] out_shardings=[<@m, [{"p"}, {"q"}]>] manual_axes={"p"} (%a: tensor<4x4xf32>) {
    %1 = sdy.manual_computation(%a) in_shardings=[<@m, [{}, {"q"}]>] out_shardings=[<@m, [{}, {"q"}]>] manual_axes={"q"} (%b: tensor<4x2xf32>) {
      %2 = stablehlo.negate %b : tensor<4x2xf32>
      sdy.return %2 : tensor<4x2xf32>
    } : (tensor<4x4xf32>) -> tensor<4x4xf32>
    sdy.return %1 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = sdy.manual_computation() in_shardings=[] out_shardings=[<@m, [{}]>] manual_axes={} () {
    %c = stablehlo.constant dense<1.0> : tensor<4xf32>
    sdy.return %c : tensor<4xf32>
  } : () -> tensor<4xf32>
  return %0, %3 : tensor<8x4xf32>, tensor<4xf32>
}
// -----
// a named computation stays
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = sdy.named_computation<"foo">(%x) in_shardings=[<@m, [{"p"}, {}]>] out_shardings=[<@m, [{"p"}, {}]>] (%a: tensor<8x4xf32>) {
    %1 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : tensor<8x4xf32>
    sdy.return %1 : tensor<8x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// -----
// a case with local branches, a sort, a reduction, an optimization barrier
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %n: tensor<i32>) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}]>}) {
  %0 = "stablehlo.case"(%n) ({
    %1 = stablehlo.add %x, %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : tensor<4x4xf32>
    stablehlo.return %1 : tensor<4x4xf32>
  }, {
    stablehlo.return %x : tensor<4x4xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<i32>) -> tensor<4x4xf32>
  %2 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.maximum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}]>]>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} %2 : tensor<4x4xf32>
  return %4, %3 : tensor<4x4xf32>, tensor<4xf32>
}
// -----
// a sum over a sharded dimension
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}]>}, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}]>]>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = sdy.all_reduce {"q"} %0 out_sharding=<@m, [{"p"}]> : tensor<4xf32>
  %2 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
  %3 = sdy.all_reduce {"p", "q"} %2 out_sharding=<@m, []> : tensor<f32>
  return %1, %3 : tensor<4xf32>, tensor<f32>
}
// -----
// concatenate
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %y: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = stablehlo.concatenate %x, %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// concatenate refused
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %y: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) {
  %0 = stablehlo.concatenate %x, %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// concatenate refused
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %y: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = stablehlo.concatenate %x, %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// concatenate refused
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}]>}, %y: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = stablehlo.concatenate %x, %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// slice
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = stablehlo.slice %x [0:4, 1:6:2] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
// -----
// slice with a stride that divides
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = stablehlo.slice %x [0:8:2, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// slice of what is whole keeps its attributes
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %0 = stablehlo.slice %x [0:8:2, 0:6] {foo.a} : (tensor<8x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// slice refused: not whole
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = stablehlo.slice %x [0:2, 1:6:2] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x6xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// slice refused: other axes
sdy.mesh @m = <["p"=4, "q"=3]>
func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p":(1)2}, {}]>}) -> (tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"q"}]>}) {
  %0 = stablehlo.slice %x [0:4, 1:6:2] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"q"}]>]>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
// -----
// pad all alike, along an unsharded dimension
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %c: tensor<f32>) -> (tensor<4x13xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = stablehlo.pad %x, %c, low = [0, 1], high = [0, 1], interior = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x13xf32>
  return %0 : tensor<4x13xf32>
}
// -----
// pad between the shards
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %c: tensor<f32>) -> (tensor<8x7xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = stablehlo.pad %x, %c, low = [2, 0], high = [2, 1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<8x7xf32>
  return %0 : tensor<8x7xf32>
}
// -----
// pad interior
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %c: tensor<f32>) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = stablehlo.pad %x, %c, low = [0, 0], high = [1, 0], interior = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
// pad of two dimensions
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %c: tensor<f32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) {
  %0 = stablehlo.pad %x, %c, low = [2, 0], high = [2, 1], interior = [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
// dots whose contracted dimension is sharded
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %y: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}]>}, %b: tensor<4x8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}, {"q"}]>}, %c: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = stablehlo.dot %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.all_reduce {"q"} %0 out_sharding=<@m, [{"p"}, {}]> : tensor<8x8xf32>
  %2 = stablehlo.dot_general %b, %c, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, DEFAULT] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x8x6xf32>, tensor<4x6xf32>) -> tensor<4x8xf32>
  %3 = sdy.all_reduce {"q"} %2 out_sharding=<@m, [{"p"}, {}]> : tensor<4x8xf32>
  return %1, %3 : tensor<8x8xf32>, tensor<4x8xf32>
}
// -----
// a dot of a padded operand
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %y: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %z, low = [0, 0], high = [0, 1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<8x5xf32>, tensor<f32>) -> tensor<8x6xf32>
  %s = sdy.all_slice [{}, {"q"}] %p out_sharding=<@m, [{"p"}, {"q"}]> : tensor<8x6xf32>
  %0 = stablehlo.dot %s, %y {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.all_reduce {"q"} %0 out_sharding=<@m, [{"p"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
// -----
// convolutions: batch, output feature, grouped; contracted
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x8x8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}, {}, {}]>}, %k: tensor<3x3x1x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}, {}, {"q"}]>}, %x1: tensor<4x8x8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}, {}, {"q"}]>}, %k1: tensor<3x3x4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}, {"q"}, {}]>}, %x2: tensor<4x8x8x4xf32>) -> (tensor<4x6x6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}, {}, {"q"}]>}, tensor<4x6x6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}, {}, {}]>}) {
  %0 = stablehlo.convolution(%x1, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}, {}, {"q"}]>]>} : (tensor<4x8x8x4xf32>, tensor<3x3x1x8xf32>) -> tensor<4x6x6x8xf32>
  %1 = stablehlo.convolution(%x1, %k1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>], sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}, {}, {}]>]>} : (tensor<4x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<4x6x6x8xf32>
  %2 = sdy.all_reduce {"q"} %1 out_sharding=<@m, [{"p"}, {}, {}, {}]> : tensor<4x6x6x8xf32>
  return %0, %2 : tensor<4x6x6x8xf32>, tensor<4x6x6x8xf32>
}
// -----
// gather from a sharded dimension
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %i: tensor<5x1xi64>) -> (tensor<5x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"q"}]>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"q"}]>]>} : (tensor<8x6xf32>, tensor<5x1xi64>) -> tensor<5x6xf32>
  %1 = sdy.all_reduce {"p"} %0 out_sharding=<@m, [{}, {"q"}]> : tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
// -----
// gather from two sharded dimensions
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %i: tensor<5x2xi64>) -> (tensor<5xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = true}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<8x6xf32>, tensor<5x2xi64>) -> tensor<5xf32>
  %1 = sdy.all_reduce {"p", "q"} %0 out_sharding=<@m, [{}]> : tensor<5xf32>
  return %1 : tensor<5xf32>
}
// -----
// gather by an index tensor without a vector dimension
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %i: tensor<5xi64>) -> (tensor<5x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x6xf32>, tensor<5xi64>) -> tensor<5x6xf32>
  %1 = sdy.all_reduce {"p"} %0 out_sharding=<@m, [{}, {}]> : tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
// -----
// gather by a scalar
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %i: tensor<i64>) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 6>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<8x6xf32>, tensor<i64>) -> tensor<6xf32>
  %1 = sdy.all_reduce {"p"} %0 out_sharding=<@m, [{}]> : tensor<6xf32>
  return %1 : tensor<6xf32>
}
// -----
// gather where nothing indexes the sharded dimension
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %i: tensor<i64>) -> (tensor<1xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<8x6xf32>, tensor<i64>) -> tensor<1xf32>
  %1 = sdy.all_reduce {"p", "q"} %0 out_sharding=<@m, [{}]> : tensor<1xf32>
  return %1 : tensor<1xf32>
}
// -----
// gather of one entry of two
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %i: tensor<5x2xi64>) -> (tensor<5xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<8x6xf32>, tensor<5x2xi64>) -> tensor<5xf32>
  %1 = sdy.all_reduce {"p"} %0 out_sharding=<@m, [{}]> : tensor<5xf32>
  return %1 : tensor<5xf32>
}
// -----
// gather of whole slices
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"q"}]>}, %i: tensor<5x1xi64>) -> (tensor<5x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"q"}]>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"q"}]>]>} : (tensor<8x6xf32>, tensor<5x1xi64>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
// -----
// gather with batching dimensions
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}, {}]>}, %i: tensor<4x5x1xi64> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}, {}]>}) -> (tensor<4x5x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}, {}]>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 6>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}, {}]>]>} : (tensor<4x8x6xf32>, tensor<4x5x1xi64>) -> tensor<4x5x6xf32>
  return %0 : tensor<4x5x6xf32>
}
// -----
// gather from a replicated operand
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %i: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<8x6xf32>, tensor<4x1xi64>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// gather with a slice of size 1 that stays
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %i: tensor<5x1xi64>) -> (tensor<5x1x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}, {}]>}) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}, {}]>]>} : (tensor<8x6xf32>, tensor<5x1xi64>) -> tensor<5x1x6xf32>
  %1 = sdy.all_reduce {"p"} %0 out_sharding=<@m, [{}, {}, {}]> : tensor<5x1x6xf32>
  return %1 : tensor<5x1x6xf32>
}
// -----
// scatter into a sharded dimension
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %i: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %u: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<8x6xf32>, tensor<4x1xi64>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
// scatter of sharded updates
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %i: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %u: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x6xf32>, tensor<4x1xi64>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = sdy.all_reduce {"p"} %0 out_sharding=<@m, [{}, {}]> : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
// -----
// scatter of sharded updates, integers
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xi32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %i: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %u: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<8x6xi32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x6xi32>, tensor<4x1xi64>, tensor<4x6xi32>) -> tensor<8x6xi32>
  %1 = sdy.all_reduce {"p"} %0 out_sharding=<@m, [{}, {}]> : tensor<8x6xi32>
  return %1 : tensor<8x6xi32>
}
// -----
// scatter of sharded updates into a sharded dimension
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %i: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}]>}, %u: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<8x6xf32>, tensor<4x1xi64>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = sdy.all_reduce {"q"} %0 out_sharding=<@m, [{"p"}, {}]> : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
// -----
// scatter of windows along a sharded dimension
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"q"}]>}, %i: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %u: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"q"}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"q"}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"q"}]>]>} : (tensor<8x6xf32>, tensor<4x1xi64>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
// scatter by two entries
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %i: tensor<4x2xi64> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %u: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<8x6xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
// scatter with unknown combination
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %i: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %u: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x6xf32>, tensor<4x1xi64>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = sdy.all_reduce {"p"} %0 out_sharding=<@m, [{}, {}]> : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
// -----
// scatter refused
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %i: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %u: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<8x6xf32>, tensor<4x1xi64>, tensor<4xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
// scatter with 32-bit indices
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %i: tensor<4x1xi32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %u: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<8x6xf32>, tensor<4x1xi32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
// scatter booleans
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xi1> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %i: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %u: tensor<4x6xi1> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<8x6xi1> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %r = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x6xi1>, tensor<4x1xi64>, tensor<4x6xi1>) -> tensor<8x6xi1>
  %1 = sdy.all_reduce {"p"} %0 out_sharding=<@m, [{}, {}]> : tensor<8x6xi1>
  return %1 : tensor<8x6xi1>
}
// -----
// scatter replicated
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %i: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}, %u: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x6xf32>, tensor<4x1xi64>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
// windows that do not slide along the sharded dimension
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
// -----
// not a divisor
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = sdy.sharding_constraint %x <@m, [{}]> : tensor<5xf32>
  return %0 : tensor<5xf32>
}
// -----
// results must fit
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}]>}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// -----
// unknown operations keep all but their types
// allow-unregistered
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}]>}) {
  %0 = "foo.bar"(%x) {foo.x = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// calls of functions on unsharded results lose their attributes
sdy.mesh @m = <["p"=2, "q"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}]>}) -> tensor<f32> {
  %0 = func.call @f(%x) {foo.bar = 1 : i64} : (tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}]>}) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  return %c : tensor<f32>
}
