// dots
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{"b"}]>}, %x1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"},{"a"}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.dot %x0, %x1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"},{}]>]>} : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// -----
// the result has the contracting axis
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@m, [{},{"a"}]>}, %x1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.dot %x0, %x1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"},{}]>]>} : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// -----
// a dot without shardings on the right
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@m, [{},{"a"}]>}, %x1: tensor<32x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.dot %x0, %x1 : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// -----
// a tie goes to the higher factor
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{}]>}, %x1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@m, [{},{"a"}]>}) -> tensor<16x16xf32> {
  %0 = stablehlo.dot %x0, %x1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{},{}]>]>} : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
// -----
// at equal weight a sum loses
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{}]>}, %x1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{}]>}) -> tensor<16x16xf32> {
  %0 = stablehlo.dot %x0, %x1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{},{}]>]>} : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
// -----
// batching dimensions
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<4x8x32xf32> {sdy.sharding = #sdy.sharding<@m, [{"c"},{},{"a"}]>}, %x1: tensor<4x32x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{},{"c"}]>}) -> tensor<4x8x16xf32> {
  %0 = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"c"},{},{"b"}]>]>} : (tensor<4x8x32xf32>, tensor<4x32x16xf32>) -> tensor<4x8x16xf32>
  return %0 : tensor<4x8x16xf32>
}
// -----
// elementwise
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{}]>}, %x1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a","b"},{}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %x0, %x1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"},{"b"}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
// one operand twice, open
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a",?},{?}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %x0, %x0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"},{?}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
// no sharding on the result
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a",?},{?}]>}, %x1: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %x0, %x1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
// prefixes
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a","b"},{}]>}, %x1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{"b"}]>}, %x2: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{}]>}) -> tensor<16x16xf32> {
  %0 = stablehlo.clamp %x0, %x1, %x2 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a","b"},{"c"}]>]>} : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
// -----
// sub-axes
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"c"},{}]>}, %x1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{},{"c":(2)2}]>}, %x2: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{},{"c":(2)2}]>}) -> tensor<16x16xf32> {
  %0 = stablehlo.clamp %x0, %x1, %x2 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{},{}]>]>} : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
// -----
// a reduction
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{"b"}]>}, %x1: tensor<f32>) -> tensor<8xf32> {
  %0 = stablehlo.reduce(%x0 init: %x1) applies stablehlo.maximum across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}]>]>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// a transpose
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{"b"}]>}) -> tensor<16x8xf32> {
  %0 = stablehlo.transpose %x0, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"},{"b"}]>]>} : (tensor<8x16xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
// -----
// a broadcast
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.broadcast_in_dim %x0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"},{"a"}]>]>} : (tensor<8xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// -----
// a slice
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.slice %x0 [0:8] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}]>]>} : (tensor<16xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// a reverse
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{}]>}) -> tensor<16x8xf32> {
  %0 = stablehlo.reverse %x0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{},{"b"}]>]>} : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
// -----
// a sort
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{"b"}]>}) -> tensor<16x8xf32> {
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"},{"b"}]>]>} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
// -----
// a sort without room for all axes
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<16x4x2xf32> {sdy.sharding = #sdy.sharding<@m, [{"a","c"},{"b"},{}]>}) -> tensor<16x4x2xf32> {
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a","c"},{"b"},{}]>]>} : (tensor<16x4x2xf32>) -> tensor<16x4x2xf32>
  return %0 : tensor<16x4x2xf32>
}
// -----
// a factorization
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<8x4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{},{"a"},{"b"}]>}) -> tensor<8x4x4xf32> {
  %0 = stablehlo.cholesky %x0, lower = true {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"c"},{},{}]>]>} : tensor<8x4x4xf32>
  return %0 : tensor<8x4x4xf32>
}
// -----
// a Fourier transform
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<4x8x16xcomplex<f32>> {sdy.sharding = #sdy.sharding<@m, [{},{"a"},{"b"}]>}) -> tensor<4x8x16xcomplex<f32>> {
  %0 = stablehlo.fft %x0, type = FFT, length = [16] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{},{"a"},{"b"}]>]>} : (tensor<4x8x16xcomplex<f32>>) -> tensor<4x8x16xcomplex<f32>>
  return %0 : tensor<4x8x16xcomplex<f32>>
}
// -----
// reshapes
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@m, [{"c"}]>}) -> tensor<2x8xf32> {
  %0 = stablehlo.reshape %x0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"},{"b"}]>]>} : (tensor<16xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
// -----
// a reshape that merges
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{"b"}]>}) -> tensor<32xf32> {
  %0 = stablehlo.reshape %x0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}]>]>} : (tensor<4x8xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
// -----
// a dynamic update
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{"b"}]>}, %x1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{"c"}]>}, %x2: tensor<i32>) -> tensor<16x8xf32> {
  %0 = stablehlo.dynamic_update_slice %x0, %x1, %x2, %x2 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"},{"b"}]>]>} : (tensor<16x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
// -----
// a selection by a scalar
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x0: tensor<i1> {sdy.sharding = #sdy.sharding<@m, []>}, %x1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"},{"b"}]>}, %x2: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = stablehlo.select %x0, %x1, %x2 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"},{}]>]>} : tensor<i1>, tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
// -----
// a reshape with axes that fit no factor
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=3, "c"=4]>
func.func @main(%x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "b"}]>}) -> tensor<3x2xf32> {
  %0 = stablehlo.reshape %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {}]>]>} : (tensor<6xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// -----
// a reshape with axes that fit no factor
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=3, "c"=4]>
func.func @main(%x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<3x2xf32> {
  %0 = stablehlo.reshape %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<6xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// -----
// a reshape with axes that fit no factor
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=3, "c"=4]>
func.func @main(%x: tensor<12xf32> {sdy.sharding = #sdy.sharding<@m, [{"c", "b"}]>}) -> tensor<6x2xf32> {
  %0 = stablehlo.reshape %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>]>} : (tensor<12xf32>) -> tensor<6x2xf32>
  return %0 : tensor<6x2xf32>
}
// -----
// a reshape with axes that fit no factor
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=3, "c"=4]>
func.func @main(%x: tensor<16x24xf32> {sdy.sharding = #sdy.sharding<@m, [{"c"}, {"a"}]>}) -> tensor<6x64xf32> {
  %0 = stablehlo.reshape %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<16x24xf32>) -> tensor<6x64xf32>
  return %0 : tensor<6x64xf32>
}
// -----
// a reshape with axes that fit no factor
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=3, "c"=4]>
func.func @main(%x: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "b"}, {}]>}) -> tensor<4x3x2xf32> {
  %0 = stablehlo.reshape %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"c"}, {}, {}]>]>} : (tensor<6x4xf32>) -> tensor<4x3x2xf32>
  return %0 : tensor<4x3x2xf32>
}
// -----
// the edges of regions
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %i: tensor<i32>, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"c", ?}, {}]>}) {
  %0:2 = stablehlo.while(%p = %x, %q = %i) : tensor<8x8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {}]>, <@m, []>]>}
  cond {
    %c = stablehlo.compare LT, %q, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %1 = stablehlo.negate %p {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : tensor<8x8xf32>
    stablehlo.return %1, %q : tensor<8x8xf32>, tensor<i32>
  }
  %2 = stablehlo.while(%p = %x) : tensor<8x8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %p : tensor<8x8xf32>
  }
  %3 = sdy.manual_computation(%y) in_shardings=[<@m, [{"a", "b"}, {}]>] out_shardings=[<@m, [{"a"}, {"b"}]>] manual_axes={"a"} (%p: tensor<4x8xf32>) {
    %4 = stablehlo.negate %p {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"c"}]>]>} : tensor<4x8xf32>
    sdy.return %4 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<8x8xf32>
  }, {
    stablehlo.return %y : tensor<8x8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a", ?}, {"b"}]>]>} : (tensor<i32>) -> tensor<8x8xf32>
  return %0#0, %2, %3, %5, %x : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// several meshes
// pipeline: builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
sdy.mesh @m = <["a"=2, "b"=2]>
sdy.mesh @n = <["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>
sdy.mesh @o = <["x"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@n, [{"a"}, {}]>}, %z: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@o, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.add %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@n, [{"a"}, {}]>]>} : tensor<8x8xf32>
  %1 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@n, [{"b"}, {}]>]>} : tensor<8x8xf32>
  %2 = stablehlo.add %x, %z {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {}]>]>} : tensor<8x8xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
