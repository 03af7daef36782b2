// sliced, added, gathered
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %1 = sdy.all_slice [{"p"}, {}] %x out_sharding=<@m, [{"p"}, {}]> : tensor<10x6xf32>
  %2 = stablehlo.add %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>, foo = 1 : i64} : tensor<10x6xf32>
  %3 = sdy.all_gather [{"p"}, {}] %2 out_sharding=<@m, [{}, {}]> : tensor<10x6xf32>
  return %3 : tensor<10x6xf32>
}
// -----
// operations that grow with their operands
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @ops(%x: tensor<10x6xf32>, %i: tensor<3x1xi64>) -> tensor<10x6xf32> {
  %1 = sdy.all_slice [{"p"}, {}] %x out_sharding=<@m, [{"p"}, {}]> : tensor<10x6xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}]>]>} : (tensor<10x6xf32>, tensor<f32>) -> tensor<10xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<10xf32>) -> tensor<10x6xf32>
  %t = stablehlo.transpose %3, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"p"}]>]>} : (tensor<10x6xf32>) -> tensor<6x10xf32>
  %r = stablehlo.reshape %t {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}, {"p"}]>]>} : (tensor<6x10xf32>) -> tensor<2x3x10xf32>
  %io = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : tensor<10x6xf32>
  %a = stablehlo.add %io, %3 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : tensor<10x6xf32>
  %s = stablehlo.slice %a [0:10, 0:3] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>, foo} : (tensor<10x6xf32>) -> tensor<10x3xf32>
  %c = stablehlo.concatenate %s, %s, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<10x3xf32>, tensor<10x3xf32>) -> tensor<10x6xf32>
  %srt = "stablehlo.sort"(%c) ({
   ^bb0(%aa: tensor<f32>, %bb: tensor<f32>):
    %lt = stablehlo.compare LT, %aa, %bb : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) {dimension = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<10x6xf32>) -> tensor<10x6xf32>
  %cc = stablehlo.custom_call @foo(%srt) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<10x6xf32>) -> tensor<10x6xf32>
  %9 = sdy.all_gather [{"p"}, {}] %cc out_sharding=<@m, [{}, {}]> : tensor<10x6xf32>
  return %9 : tensor<10x6xf32>
}
// -----
// a sum over the zeros behind the last row
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @ops(%x: tensor<10x6xf32>, %i: tensor<3x1xi64>) -> tensor<10x6xf32> {
  %1 = sdy.all_slice [{"p"}, {}] %x out_sharding=<@m, [{"p"}, {}]> : tensor<10x6xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<10x6xf32>, tensor<f32>) -> tensor<6xf32>
  %4 = sdy.all_reduce {"p"} %2 out_sharding=<@m, [{}]> : tensor<6xf32>
  %3 = stablehlo.broadcast_in_dim %4, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<6xf32>) -> tensor<10x6xf32>
  %9 = sdy.all_gather [{"p"}, {}] %3 out_sharding=<@m, [{}, {}]> : tensor<10x6xf32>
  return %9 : tensor<10x6xf32>
}
// -----
// an argument must divide
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @arg(%x: tensor<10x6xf32>{sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}, %i: tensor<3x1xi64>) -> tensor<10x6xf32> {
  return %x : tensor<10x6xf32>
}
// -----
// a result must divide
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @arg(%x: tensor<10x6xf32>) -> (tensor<10x6xf32>{sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) {
  return %x : tensor<10x6xf32>
}
// -----
// a pad of other dimensions
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @pad(%x: tensor<10x6xf32>, %c: tensor<f32>) -> tensor<10x8xf32> {
  %1 = sdy.all_slice [{"p"}, {}] %x out_sharding=<@m, [{"p"}, {}]> : tensor<10x6xf32>
  %2 = stablehlo.pad %1, %c, low=[0,1], high=[0,1], interior=[0,0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<10x6xf32>, tensor<f32>) -> tensor<10x8xf32>
  %9 = sdy.all_gather [{"p"}, {}] %2 out_sharding=<@m, [{}, {}]> : tensor<10x8xf32>
  return %9 : tensor<10x8xf32>
}
// -----
// a slice that moves nothing
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @sl(%x: tensor<10x6xf32>, %c: tensor<f32>) -> tensor<9x6xf32> {
  %1 = sdy.all_slice [{"p"}, {}] %x out_sharding=<@m, [{"p"}, {}]> : tensor<10x6xf32>
  %2 = stablehlo.slice %1[0:9,0:6] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>, foo} : (tensor<10x6xf32>) -> tensor<9x6xf32>
  %9 = sdy.all_gather [{"p"}, {}] %2 out_sharding=<@m, [{}, {}]> : tensor<9x6xf32>
  return %9 : tensor<9x6xf32>
}
// -----
// a convolution over batches
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @cv(%x: tensor<3x8x5xf32>, %k: tensor<3x5x8xf32>) -> tensor<3x6x8xf32> {
  %1 = sdy.all_slice [{"p"}, {}, {}] %x out_sharding=<@m, [{"p"}, {}, {}]> : tensor<3x8x5xf32>
  %2 = stablehlo.convolution(%1, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}, {}]>]>} : (tensor<3x8x5xf32>, tensor<3x5x8xf32>) -> tensor<3x6x8xf32>
  %9 = sdy.all_gather [{"p"}, {}, {}] %2 out_sharding=<@m, [{}, {}, {}]> : tensor<3x6x8xf32>
  return %9 : tensor<3x6x8xf32>
}
// -----
// nothing to do
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> tensor<12x6xf32> {
  %0 = stablehlo.slice %x [0:12, 0:6] {foo.bar, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<12x6xf32>) -> tensor<12x6xf32>
  %1 = sdy.all_gather [{"p"}, {}] %0 out_sharding=<@m, [{}, {}]> : tensor<12x6xf32>
  return %1 : tensor<12x6xf32>
}
// -----
// a dot whose operands have zeros behind
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<8x6xf32>, %y: tensor<6x7xf32>) -> tensor<8x7xf32> {
  %0 = sdy.all_slice [{}, {"p"}] %x out_sharding=<@m, [{}, {"p"}]> : tensor<8x6xf32>
  %1 = sdy.all_slice [{"p"}, {}] %y out_sharding=<@m, [{"p"}, {}]> : tensor<6x7xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x6xf32>, tensor<6x7xf32>) -> tensor<8x7xf32>
  %3 = sdy.all_reduce {"p"} %2 out_sharding=<@m, [{}, {}]> : tensor<8x7xf32>
  return %3 : tensor<8x7xf32>
}
// -----
// a dot over rows and columns that do not divide, batches too
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<3x5x6xf32>, %y: tensor<3x6x7xf32>) -> tensor<3x5x7xf32> {
  %0 = sdy.all_slice [{"q"}, {"p"}, {}] %x out_sharding=<@m, [{"q"}, {"p"}, {}]> : tensor<3x5x6xf32>
  %1 = sdy.all_slice [{"q"}, {}, {}] %y out_sharding=<@m, [{"q"}, {}, {}]> : tensor<3x6x7xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"q"}, {"p"}, {}]>]>} : (tensor<3x5x6xf32>, tensor<3x6x7xf32>) -> tensor<3x5x7xf32>
  %3 = sdy.all_gather [{"q"}, {"p"}, {}] %2 out_sharding=<@m, [{}, {}, {}]> : tensor<3x5x7xf32>
  return %3 : tensor<3x5x7xf32>
}
// -----
// operands without sharding, results inferred
sdy.mesh @m = <["p"=4, "q"=2]>
func.func @f(%x: tensor<10x6xf32>) -> tensor<6xf32> {
  %0 = sdy.all_slice [{"p"}, {}] %x out_sharding=<@m, [{"p"}, {}]> : tensor<10x6xf32>
  %c = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.select %c, %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : tensor<i1>, tensor<10x6xf32>
  %2 = stablehlo.compare LT, %1, %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<10x6xf32>, tensor<10x6xf32>) -> tensor<10x6xi1>
  %3 = stablehlo.convert %2 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"p"}, {}]>]>} : (tensor<10x6xi1>) -> tensor<10x6xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = sdy.all_gather [{"p"}, {}] %3 out_sharding=<@m, [{}, {}]> : tensor<10x6xf32>
  %5 = stablehlo.reduce(%4 init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<10x6xf32>, tensor<f32>) -> tensor<6xf32>
  return %5 : tensor<6xf32>
}
