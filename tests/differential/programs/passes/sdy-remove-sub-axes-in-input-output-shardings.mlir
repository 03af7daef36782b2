// only @main, only open dimensions
sdy.mesh @m = <["x"=4, "y"=2, "z"=2]>
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2, ?}, {}]>}) { return }
func.func @main(
    %0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", "x":(1)2, "z", ?}p1, {"x":(2)2, ?}p2]>},
    %1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2, "z"}]>},
    %2: tensor<?x8xf32> {foo.bar = 1 : i32, sdy.sharding = #sdy.sharding<@m, [{"x":(1)2, "y", ?}, {"z", ?}], replicated={"x":(2)2}>},
    %3: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["q"=8]>, [{"q":(2)2, ?}], unreduced={"q":(1)2}>}, tensor<8xf32>) {
  %4 = stablehlo.negate %3 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x":(1)2, ?}]>]>} : tensor<8xf32>
  return %4, %3 : tensor<8xf32>, tensor<8xf32>
}
// -----
// the only function counts as main
sdy.mesh @m = <["x"=4]>
func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2, ?}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(2)2, ?}]>}) { return %a : tensor<8xf32> }
// -----
// no main
func.func @f() { return }
func.func @g() { return }
// -----
// no function
sdy.mesh @m = <["x"=4]>
