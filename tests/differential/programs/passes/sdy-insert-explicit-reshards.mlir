// dots: the one that is improved, and all reasons why others are not
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%l: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}, %r: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}, %big: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}, %r2: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %l2: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}, {"a"}]>}) -> (tensor<4x16xf32>, tensor<64x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
  %0 = stablehlo.dot %l, %r {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.dot %big, %r {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %2 = stablehlo.dot_general %l, %r2, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>]>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %3 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {"b"}]>]>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %4 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"c"}]>]>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %5 = stablehlo.dot_general %l2, %r, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {"a"}]>]>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %6 = stablehlo.dot_general %l2, %r2, contracting_dims = [1] x [0] {foo.bar = 1 : i32, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>]>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %7 = stablehlo.dot %l, %r : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %8 = stablehlo.dot %l, %r {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a", ?}]>]>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4x16xf32>, tensor<64x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>
}
// -----
// dots with batching dimensions, several contracting ones, both operands from one value, dynamic sizes
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%l: tensor<4x4x32xf32> {sdy.sharding = #sdy.sharding<@m, [{"c"}, {}, {"a"}]>}, %r: tensor<4x32x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"c"}, {"a"}, {"b"}]>}, %x: tensor<4x16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}, {"b"}]>}, %y: tensor<16x16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}, {"c"}]>}, %d: tensor<?x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}) -> (tensor<4x4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
  %0 = stablehlo.dot_general %l, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"c"}, {}, {"a"}]>]>} : (tensor<4x4x32xf32>, tensor<4x32x16xf32>) -> tensor<4x4x16xf32>
  %1 = stablehlo.dot_general %x, %y, contracting_dims = [1, 2] x [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a", "b"}]>]>} : (tensor<4x16x16xf32>, tensor<16x16x16xf32>) -> tensor<4x16xf32>
  %2 = stablehlo.dot_general %x, %y, contracting_dims = [1, 2] x [0, 1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"b", "a"}]>]>} : (tensor<4x16x16xf32>, tensor<16x16x16xf32>) -> tensor<4x16xf32>
  return %0, %1, %2 : tensor<4x4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>
}
// -----
// a dot behind propagation barriers, with a rule of its own, with several meshes
sdy.mesh @m = <["a"=2, "b"=2]>
sdy.mesh @n = <["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>
sdy.mesh @o = <["x"=4]>
func.func @main(%l: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}, %r: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}, %rn: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@n, [{"a"}, {"b"}]>}, %ro: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@o, [{"x"}, {}]>}) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
  %b = sdy.propagation_barrier %r allowed_direction=NONE : tensor<32x16xf32>
  %0 = stablehlo.dot %l, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.dot %l, %r {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=4, j=16, k=32} reduction={k}, custom>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %2 = stablehlo.dot %l, %rn {sdy.sharding = #sdy.sharding_per_value<[<@n, [{}, {"a"}]>]>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %3 = stablehlo.dot %l, %ro {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  return %0, %1, %2, %3 : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>
}
// -----
// a dot in a manual computation; one whose factor overflows
sdy.mesh @m = <["a"=2, "b"=2, "c"=3]>
func.func @main(%l: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}, %r: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> tensor<4x32xf32> {
  %0 = sdy.manual_computation(%l, %r) in_shardings=[<@m, [{}, {"b", "a"}]>, <@m, [{"b", "a"}, {}]>] out_shardings=[<@m, [{}, {"a"}], replicated={"b"}>] manual_axes={"b"} (%p: tensor<4x16xf32>, %q: tensor<16x32xf32>) {
    %1 = stablehlo.dot %p, %q {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
    sdy.return %1 : tensor<4x32xf32>
  } : (tensor<4x32xf32>, tensor<32x32xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}
// -----
// concatenations: alike, along the sharded dimension, with open and missing shardings
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"b"}]>}, %z: tensor<8x8xf32>, %u: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {?}]>}, %v: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"c"}, {}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x24xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.concatenate %x, %x, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {"b"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.concatenate %y, %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {"b"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.concatenate %u, %v, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.concatenate %z, %v, dim = 1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %4 = stablehlo.concatenate %z, %x, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"c", ?}, {?}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %5 = stablehlo.concatenate %w, %x, %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {"a"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x24xf32>
  %6 = stablehlo.concatenate %x, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {"a"}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x24xf32>, tensor<8x8xf32>
}
// -----
// concatenations of slices, of values behind barriers, on several meshes
sdy.mesh @m = <["a"=2, "b"=2]>
sdy.mesh @n = <["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>
sdy.mesh @o = <["x"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@n, [{"a"}, {}]>}, %z: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@o, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x24xf32>) {
  %s0 = stablehlo.slice %x [0:8, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<8x8xf32>) -> tensor<8x4xf32>
  %s1 = stablehlo.slice %x [0:8, 4:8] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<8x8xf32>) -> tensor<8x4xf32>
  %0 = stablehlo.concatenate %s1, %s0, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"b"}]>]>} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %b = sdy.propagation_barrier %x allowed_direction=NONE : tensor<8x8xf32>
  %1 = stablehlo.concatenate %b, %b, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {"b"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.concatenate %x, %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.concatenate %x, %z, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %4 = stablehlo.concatenate %y, %y, %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x24xf32>
  return %0, %1, %2, %3, %4 : tensor<8x8xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x24xf32>
}
// -----
// concatenations of what is still unreduced
sdy.mesh @m = <["a"=2, "b"=2]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}], unreduced={"b"}>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}], unreduced={"b"}>}) {
  %0 = stablehlo.concatenate %x, %x, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.concatenate %y, %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.concatenate %x, %x, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}], unreduced={"b"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  return %0, %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
// -----
// calls of functions with and without argument shardings
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
sdy.mesh @max = <[], device_ids=[0]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}, %y: tensor<8x8xf32>, %i: tensor<i32>, %z: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@max, []>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0:2 = call @f(%x, %x) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {}]>, <@m, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %1 = call @g(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = call @g(%y) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3:2 = call @f(%y, %1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %4 = "stablehlo.case"(%i) ({
    %5:2 = func.call @f(%0#0, %y) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
    stablehlo.return %5#0 : tensor<8x8xf32>
  }) : (tensor<i32>) -> tensor<8x8xf32>
  %6 = call @g(%z) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %7:2 = call @f(%z, %z) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %9 = call @h(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0#1, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @f(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}, {}]>}, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) { return %x, %y : tensor<8x8xf32>, tensor<8x8xf32> }
func.func private @g(%x: tensor<8x8xf32>) -> tensor<8x8xf32> { return %x : tensor<8x8xf32> }
func.func private @h(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@max, []>}) -> tensor<8x8xf32> { return %x : tensor<8x8xf32> }
// -----
// what the minimal version leaves alone
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %i: tensor<i32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}, {}]>}, tensor<8x8xf32>) {
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : tensor<8x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"c"}, {}]>]>} %1 : tensor<8x8xf32>
  %3:2 = stablehlo.while(%p = %2, %q = %i) : tensor<8x8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {}]>, <@m, []>]>}
  cond {
    %c = stablehlo.compare LT, %q, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %4 = stablehlo.negate %p {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : tensor<8x8xf32>
    stablehlo.return %4, %q : tensor<8x8xf32>, tensor<i32>
  }
  return %3#0, %0 : tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// unreduced axes of plain operations
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"a", "b"}>}, %l: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a", "b"}]>}, %r: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "b"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}], unreduced={"a"}>]>} : tensor<8x8xf32>
  %1 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"c"}, {}]>]>} : tensor<8x8xf32>
  %2 = stablehlo.add %x, %x : tensor<8x8xf32>
  %3 = stablehlo.dot %l, %r {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}], unreduced={"a"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = stablehlo.custom_call @foo(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = sdy.all_reduce {"a"} %x out_sharding=<@m, [{}, {}], unreduced={"b"}> : tensor<8x8xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// unreduced axes of sub-axes, of several results
sdy.mesh @m = <["a"=8, "b"=2, "c"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"a", "b"}>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"a":(2)2}>}, %z: tensor<f32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}], unreduced={"a":(2)2}>]>} : tensor<8x8xf32>
  %1 = stablehlo.add %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"c"}], unreduced={"a":(2)4}>]>} : tensor<8x8xf32>
  %2:2 = stablehlo.reduce(%x init: %z), (%y init: %z) across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}], unreduced={"b"}>, <@m, [{}], unreduced={"b"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
   reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<f32>, %s: tensor<f32>) {
    %3 = stablehlo.add %p, %q : tensor<f32>
    %4 = stablehlo.add %r, %s : tensor<f32>
    stablehlo.return %3, %4 : tensor<f32>, tensor<f32>
  }
  return %0, %1, %2#0, %2#1 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
}
// -----
// reshards that introduce unreduced axes
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"a", "b"}>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %z: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "b"}, {}]>}, %u: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"b", "a"}, {}]>}, %v: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"c"}, {"a"}]>}, %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"c", "a"}, {}]>}, %o: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.reshard %x <@m, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  %1 = sdy.reshard %y <@m, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  %2 = sdy.reshard %z <@m, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  %3 = sdy.reshard %z <@m, [{"a"}, {}], unreduced={"b", "c"}> : tensor<8x8xf32>
  %4 = sdy.reshard %u <@m, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  %5 = sdy.reshard %v <@m, [{"c":(1)2}, {"a"}], unreduced={"c":(2)2}> : tensor<8x8xf32>
  %6 = sdy.reshard %w <@m, [{"c"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  %7 = sdy.reshard %o <@m, [{"c"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  %8 = sdy.reshard %v <@m, [{}, {}], unreduced={"a", "c"}> {foo.bar = 1 : i32} : tensor<8x8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// what is returned becomes unreduced, or no longer is
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "b"}, {}]>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}], unreduced={"b"}>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}], unreduced={"b"}>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}, tensor<8x8xf32>, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}, {?}], replicated={"c"}, unreduced={"b"}>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}], unreduced={"b", "c"}>}) {
  return %x, %y, %y, %x, %y : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// unreduced axes on the edges of regions
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}], unreduced={"b"}>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "b"}, {}]>}, %i: tensor<i32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0:2 = stablehlo.while(%p = %x, %q = %i) : tensor<8x8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {}]>, <@m, []>]>}
  cond {
    %c = stablehlo.compare LT, %q, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %4 = stablehlo.add %p, %y {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}], unreduced={"c"}>]>} : tensor<8x8xf32>
    stablehlo.return %4, %q : tensor<8x8xf32>, tensor<i32>
  }
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<8x8xf32>
  }, {
    %5 = stablehlo.negate %y {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a", "b"}, {}]>]>} : tensor<8x8xf32>
    stablehlo.return %5 : tensor<8x8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}], unreduced={"b"}>]>} : (tensor<i32>) -> tensor<8x8xf32>
  %2:2 = sdy.manual_computation(%y, %x) in_shardings=[<@m, [{"a"}, {}], unreduced={"b"}>, <@m, [{"a"}, {}]>] out_shardings=[<@m, [{"a"}, {"c"}], unreduced={"b"}>, <@m, [{"a"}, {}]>] manual_axes={"a"} (%p: tensor<4x8xf32>, %q: tensor<4x8xf32>) {
    %6 = stablehlo.negate %q {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"b"}], unreduced={"c"}>]>} : tensor<4x8xf32>
    sdy.return %q, %6 : tensor<4x8xf32>, tensor<4x8xf32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %7 = sdy.named_computation<"n">(%x) in_shardings=[<@m, [{}, {}]>] out_shardings=[<@m, [{}, {}], unreduced={"c"}>] (%p: tensor<8x8xf32>) {
    sdy.return %p : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %8 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}], unreduced={"b"}>]>} %y : tensor<8x8xf32>
  return %0#0, %1, %8 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// unreduced axes through calls
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}], unreduced={"b"}>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "b"}, {}]>}, %z: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}], unreduced={"b", "c"}>}) -> tensor<8x8xf32> {
  %0 = call @f(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = call @f(%y) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = call @f(%z) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = call @g(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func private @f(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}, {}], unreduced={"b"}>}) -> tensor<8x8xf32> { return %x : tensor<8x8xf32> }
func.func private @g(%x: tensor<8x8xf32>) -> tensor<8x8xf32> { return %x : tensor<8x8xf32> }
// -----
// a maximal and an empty mesh
sdy.mesh @m = <["a"=2, "b"=2]>
sdy.mesh @max = <[], device_ids=[0]>
sdy.mesh @empty = <[]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@max, []>}, %z: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@empty, [{}, {}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.concatenate %x, %y, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.concatenate %z, %x, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}
// -----
// a function that returns nothing
sdy.mesh @m = <["a"=2, "b"=2]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) { return }
