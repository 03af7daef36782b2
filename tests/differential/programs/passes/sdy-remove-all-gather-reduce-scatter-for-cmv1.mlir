// gathers of both operands
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.all_gather [{}, {"x"}] %a out_sharding=<@m, [{"y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{"x"}, {}] %b out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>
  %2 = stablehlo.dot %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
// -----
// a gather with another user stays, so does one used twice
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.all_gather [{}, {"x"}] %a out_sharding=<@m, [{"y"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_gather [{"x"}, {}] %b out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>
  %2 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.dot %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2, %3, %0 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// the scatter behind a dot
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %2 = stablehlo.dot %a, %b {foo.bar = 1 : i32, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = sdy.reduce_scatter [{}, {"x"}] %2 out_sharding=<@m, [{"y"}, {"x"}]> : tensor<8x8xf32>
  %4 = stablehlo.dot %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}, {}], unreduced={"x"}>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = sdy.reduce_scatter [{}, {"x"}] %4 out_sharding=<@m, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return %3, %5 : tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// a gather before and a scatter behind; two gathers in a row
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.all_gather [{"y"}, {}] %a out_sharding=<@m, [{}, {"x"}]> : tensor<8x8xf32>
  %2 = stablehlo.dot %0, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = sdy.reduce_scatter [{}, {"x"}] %2 out_sharding=<@m, [{}, {"x"}]> : tensor<8x8xf32>
  %4 = sdy.all_gather [{"y"}, {}] %a out_sharding=<@m, [{}, {"x"}]> : tensor<8x8xf32>
  %5 = sdy.all_gather [{}, {"x"}] %4 out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>
  %6 = stablehlo.dot %5, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3, %6 : tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// a dot without a sharding; dots in regions and in a row
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %i: tensor<i32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = "stablehlo.case"(%i) ({
    %1 = sdy.all_gather [{}, {"x"}] %a out_sharding=<@m, [{"y"}, {}]> : tensor<8x8xf32>
    %2 = stablehlo.dot %1, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    stablehlo.return %2 : tensor<8x8xf32>
  }) : (tensor<i32>) -> tensor<8x8xf32>
  %3 = stablehlo.dot %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = sdy.reduce_scatter [{}, {"x"}] %3 out_sharding=<@m, [{}, {"x"}]> : tensor<8x8xf32>
  %5 = sdy.all_gather [{}, {"x"}] %4 out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>
  %6 = stablehlo.dot %5, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %6 : tensor<8x8xf32>, tensor<8x8xf32>
}
