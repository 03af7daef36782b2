sdy.mesh @m = <["a"=2, "b"=2, "c"=2]>
sdy.mesh @n = <["a"=2, "b"=2, "c"=2], device_ids=[1, 0, 2, 3, 4, 5, 6, 7]>
func.func @chain_over_meshes_and_barriers(%x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %x <@m, [{}, {}]> : tensor<16x16xf32>
  %1 = sdy.reshard %0 <@n, [{"c"}, {}]> {foo = 1 : i32} : tensor<16x16xf32>
  %2 = sdy.reshard %1 <@n, [{?}, {}]> : tensor<16x16xf32>
  %3 = sdy.reshard %2 <@n, [{"a", ?}, {?}p1]> : tensor<16x16xf32>
  %4 = sdy.propagation_barrier %3 allowed_direction=FORWARD : tensor<16x16xf32>
  %5 = sdy.reshard %4 <@n, [{"a", ?}, {}]> : tensor<16x16xf32>
  return %5 : tensor<16x16xf32>
}
// -----
sdy.mesh @m = <["a"=2, "b"=2, "c"=2]>
func.func @dynamic_sizes(%x: tensor<16x?xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> tensor<16x?xf32> {
  %0 = sdy.reshard %x <@m, [{}, {"a", "b"}]> : tensor<16x?xf32>
  %1 = sdy.reshard %0 <@m, [{"a", "b", "c"}, {}]> : tensor<16x?xf32>
  return %1 : tensor<16x?xf32>
}
// -----
sdy.mesh @m = <["a"=2, "b"=3]>
func.func @no_powers_of_two(%x: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}) -> tensor<12x12xf32> {
  %0 = sdy.reshard %x <@m, [{"b"}, {"a"}]> : tensor<12x12xf32>
  return %0 : tensor<12x12xf32>
}
// -----
// pipeline: builtin.module(func.func(sdy-reshard-to-collectives{keep-redundant-reshards=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=2]>
func.func @redundant_ones_stay(%x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}], unreduced={"b"}>}, %y: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.reshard %x <@m, [{"a"}, {}]> : tensor<16x16xf32>
  %1 = sdy.reshard %x <@m, [{"a", ?}, {?}], replicated={"c"}, unreduced={"b"}> : tensor<16x16xf32>
  %2 = sdy.reshard %x <@m, [{"c"}, {}], unreduced={"b"}> : tensor<16x16xf32>
  %3 = sdy.reshard %y <@m, [{}, {}]> : tensor<16x16xf32>
  return %0, %1, %2, %3 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
sdy.mesh @m = <["a"=2, "b"=2]>
func.func @redundant_ones_go(%x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %y: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.reshard %x <@m, [{"a"}, {}], replicated={"b"}> : tensor<16x16xf32>
  %1 = sdy.reshard %x <@m, [{"a", ?}, {?}]> : tensor<16x16xf32>
  %2 = sdy.reshard %y <@m, [{}, {}]> : tensor<16x16xf32>
  return %0, %1, %2 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
sdy.mesh @m = <["a"=2, "b"=2]>
sdy.mesh @other = <["x"=4]>
sdy.mesh @first = <[], device_ids=[0]>
func.func @other_axes_and_single_devices(%x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %y: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@first, []>}, %z: tensor<f32> {sdy.sharding = #sdy.sharding<@m, []>}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>) {
  %0 = sdy.reshard %x <@other, [{"x"}, {}]> : tensor<16x16xf32>
  %1 = sdy.reshard %x <@other, [{}, {}]> : tensor<16x16xf32>
  %2 = sdy.reshard %y <@m, [{"a"}, {}]> : tensor<16x16xf32>
  %3 = sdy.reshard %y <@first, []> : tensor<16x16xf32>
  %4 = sdy.reshard %z <@first, []> : tensor<f32>
  return %0, %1, %2, %3, %4 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>
}
// -----
func.func @inlined_meshes(%x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2, "b"=2]>, [{"a"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.reshard %x <mesh<["a"=2, "b"=2]>, [{"b"}, {"a"}]> : tensor<16x16xf32>
  %1 = sdy.reshard %0 <mesh<["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>, [{}, {"a"}]> : tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}
// -----
// pipeline: builtin.module(func.func(sdy-reshard-to-collectives),canonicalize{enable-patterns=sdy-collective})
sdy.mesh @m = <["a"=2, "b"=2, "c"=2, "d"=4]>
func.func @neighbours_join(%x: tensor<16x16x16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}, {}, {}]>}, %y: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"a"}>}) -> (tensor<16x16x16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.reshard %x <@m, [{}, {}, {"a"}, {"b"}]> : tensor<16x16x16x16xf32>
  %1 = sdy.all_reduce {"a"} %y out_sharding=<@m, [{}, {}]> : tensor<16x16xf32>
  %2 = sdy.reshard %1 <@m, [{"a", "d":(1)2}, {"d":(2)2}]> : tensor<16x16xf32>
  return %0, %2 : tensor<16x16x16x16xf32>, tensor<16x16xf32>
}
// -----
sdy.mesh @m = <["a"=2, "b"=2]>
func.func @in_regions(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{"a"}, {}]>] out_shardings=[<@m, [{"a"}, {"b"}]>] manual_axes={"a"} (%arg: tensor<4x8xf32>) {
    %1 = sdy.reshard %arg <@m, [{}, {"b"}]> : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = sdy.reshard %0 <@m, [{"b"}, {"a"}]> : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
