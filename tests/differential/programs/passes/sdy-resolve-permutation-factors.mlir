// a slice and a reversal along one dimension
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) -> (tensor<13x4xf32>, tensor<16x6xf32>) {
  %0 = stablehlo.slice %x [2:15, 1:5] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<16x6xf32>) -> tensor<13x4xf32>
  %1 = stablehlo.reverse %x, dims=[0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : tensor<16x6xf32>
  %2 = stablehlo.negate %1 : tensor<16x6xf32>
  return %0, %1 : tensor<13x4xf32>, tensor<16x6xf32>
}
// -----
// windows; open dimensions stay open
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p", ?}p1, {"q", ?}]>}) -> (tensor<15x3xf32>, tensor<16x6xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<16x6xf32>, tensor<f32>) -> tensor<15x3xf32>
  %1 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x6xf32>, tensor<f32>) -> tensor<16x3xf32>
  return %0, %x : tensor<15x3xf32>, tensor<16x6xf32>
}
// -----
// pads, also without sharding of the result
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %c: tensor<f32>) -> (tensor<20x6xf32>) {
  %0 = stablehlo.pad %x, %c, low=[2,0], high=[2,0], interior=[0,0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<16x6xf32>, tensor<f32>) -> tensor<20x6xf32>
  %1 = stablehlo.pad %x, %c, low=[0,1], high=[0,1], interior=[0,0] : (tensor<16x6xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %0 : tensor<20x6xf32>
}
// -----
// a convolution along its windows
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<4x8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"p"}, {"q"}]>}, %k: tensor<3x6x8xf32>{sdy.sharding = #sdy.sharding<@m, [{}, {"q"}, {}]>}) -> (tensor<4x6x8xf32>) {
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"p"}, {}]>]>} : (tensor<4x8x6xf32>, tensor<3x6x8xf32>) -> tensor<4x6x8xf32>
  return %2 : tensor<4x6x8xf32>
}
// -----
// reversals along two dimensions; names that are taken; meshes that are there
sdy.mesh @m = <["p"=4, "q"=2]>
sdy.mesh @m_reversed = <["p"=4, "q"=2], device_ids=[7,6,5,4,3,2,1,0]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) -> (tensor<16x6xf32>, tensor<16x6xf32>, tensor<16x6xf32>) {
  %1 = stablehlo.reverse %x, dims=[0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : tensor<16x6xf32>
  %2 = stablehlo.reverse %x, dims=[1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>, foo} : tensor<16x6xf32>
  %3 = stablehlo.reverse %x, dims=[0]  : tensor<16x6xf32>
  return %1, %2, %3 : tensor<16x6xf32>, tensor<16x6xf32>, tensor<16x6xf32>
}
// -----
// select and scatter
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %s: tensor<8x6xf32>{sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) -> (tensor<16x6xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<16x6xf32>, tensor<8x6xf32>, tensor<f32>) -> tensor<16x6xf32>
  return %0 : tensor<16x6xf32>
}
// -----
// a slice on a mesh with device ids
sdy.mesh @m = <["p"=4, "q"=2]>
sdy.mesh @n = <["p"=4, "q"=2], device_ids=[7,6,5,4,3,2,1,0]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@n, [{"p"}, {"q"}]>}) -> (tensor<13x6xf32>) {
  %0 = stablehlo.slice %x [2:15, 0:6] {sdy.sharding = #sdy.sharding_per_value<[<@n, [{"p"}, {"q"}]>]>} : (tensor<16x6xf32>) -> tensor<13x6xf32>
  return %0 : tensor<13x6xf32>
}
// -----
// a reversal on a mesh with device ids
sdy.mesh @m = <["p"=4, "q"=2]>
sdy.mesh @n = <["p"=4, "q"=2], device_ids=[7,6,5,4,3,2,1,0]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@n, [{"p"}, {"q"}]>}) -> (tensor<16x6xf32>) {
  %1 = stablehlo.reverse %x, dims=[0] {sdy.sharding = #sdy.sharding_per_value<[<@n, [{"p"}, {"q"}]>]>} : tensor<16x6xf32>
  return %1 : tensor<16x6xf32>
}
// -----
// a slice and a reversal along one dimension
// pipeline: builtin.module(sdy-resolve-permutation-factors{enable-halo-exchange=false})
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) -> (tensor<13x4xf32>, tensor<16x6xf32>) {
  %0 = stablehlo.slice %x [2:15, 1:5] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<16x6xf32>) -> tensor<13x4xf32>
  %1 = stablehlo.reverse %x, dims=[0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : tensor<16x6xf32>
  %2 = stablehlo.negate %1 : tensor<16x6xf32>
  return %0, %1 : tensor<13x4xf32>, tensor<16x6xf32>
}
// -----
// windows; open dimensions stay open
// pipeline: builtin.module(sdy-resolve-permutation-factors{enable-halo-exchange=false})
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p", ?}p1, {"q", ?}]>}) -> (tensor<15x3xf32>, tensor<16x6xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<16x6xf32>, tensor<f32>) -> tensor<15x3xf32>
  %1 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x6xf32>, tensor<f32>) -> tensor<16x3xf32>
  return %0, %x : tensor<15x3xf32>, tensor<16x6xf32>
}
// -----
// pads, also without sharding of the result
// pipeline: builtin.module(sdy-resolve-permutation-factors{enable-halo-exchange=false})
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %c: tensor<f32>) -> (tensor<20x6xf32>) {
  %0 = stablehlo.pad %x, %c, low=[2,0], high=[2,0], interior=[0,0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<16x6xf32>, tensor<f32>) -> tensor<20x6xf32>
  %1 = stablehlo.pad %x, %c, low=[0,1], high=[0,1], interior=[0,0] : (tensor<16x6xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %0 : tensor<20x6xf32>
}
// -----
// a convolution along its windows
// pipeline: builtin.module(sdy-resolve-permutation-factors{enable-halo-exchange=false})
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<4x8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"p"}, {"q"}]>}, %k: tensor<3x6x8xf32>{sdy.sharding = #sdy.sharding<@m, [{}, {"q"}, {}]>}) -> (tensor<4x6x8xf32>) {
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"p"}, {}]>]>} : (tensor<4x8x6xf32>, tensor<3x6x8xf32>) -> tensor<4x6x8xf32>
  return %2 : tensor<4x6x8xf32>
}
// -----
// reversals along two dimensions; names that are taken; meshes that are there
// pipeline: builtin.module(sdy-resolve-permutation-factors{enable-halo-exchange=false})
sdy.mesh @m = <["p"=4, "q"=2]>
sdy.mesh @m_reversed = <["p"=4, "q"=2], device_ids=[7,6,5,4,3,2,1,0]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) -> (tensor<16x6xf32>, tensor<16x6xf32>, tensor<16x6xf32>) {
  %1 = stablehlo.reverse %x, dims=[0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : tensor<16x6xf32>
  %2 = stablehlo.reverse %x, dims=[1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>, foo} : tensor<16x6xf32>
  %3 = stablehlo.reverse %x, dims=[0]  : tensor<16x6xf32>
  return %1, %2, %3 : tensor<16x6xf32>, tensor<16x6xf32>, tensor<16x6xf32>
}
// -----
// what nothing is to be done about: full and free slices, replicated reversals, sorts, reshapes
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<15x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %y: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"q"}]>}) -> tensor<13x4xf32> {
  %0 = stablehlo.slice %x [0:13, 1:5] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<15x6xf32>) -> tensor<13x4xf32>
  %1 = stablehlo.reverse %y, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"q"}]>]>} : tensor<8x6xf32>
  %2 = stablehlo.reshape %y {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}, {"q"}]>]>} : (tensor<8x6xf32>) -> tensor<2x4x6xf32>
  %3 = stablehlo.transpose %y, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"q"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %4 = sdy.reshard %3 <@m, [{}, {"q"}]> : tensor<6x8xf32>
  return %0 : tensor<13x4xf32>
}
// -----
// slices of rows and columns; regions; a maximal mesh
sdy.mesh @m = <["p"=4, "q"=2]>
sdy.mesh @one = <[], device_ids=[1]>
func.func @f(%x: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %n: tensor<i32>, %o: tensor<8xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> tensor<12x4xf32> {
  %0 = "stablehlo.case"(%n) ({
    %1 = stablehlo.slice %x [0:12, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<16x6xf32>) -> tensor<12x4xf32>
    stablehlo.return %1 : tensor<12x4xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : (tensor<i32>) -> tensor<12x4xf32>
  %2 = stablehlo.reverse %o, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : tensor<8xf32>
  return %0 : tensor<12x4xf32>
}
// -----
// windows over two tensors; a reversal that needs more padding than a shard has
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}, %y: tensor<1x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {"q"}]>}) -> (tensor<7x6xf32>, tensor<7x6xf32>, tensor<1x5xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = "stablehlo.reduce_window"(%x, %x, %z, %z) <{window_dimensions = array<i64: 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %r = stablehlo.add %a, %c : tensor<f32>
    %s = stablehlo.maximum %b, %d : tensor<f32>
    stablehlo.return %r, %s : tensor<f32>, tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>, <@m, [{"p"}, {"q"}]>]>} : (tensor<8x6xf32>, tensor<8x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<7x6xf32>, tensor<7x6xf32>)
  %1 = stablehlo.reverse %y, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {"q"}]>]>} : tensor<1x5xf32>
  return %0#0, %0#1, %1 : tensor<7x6xf32>, tensor<7x6xf32>, tensor<1x5xf32>
}
