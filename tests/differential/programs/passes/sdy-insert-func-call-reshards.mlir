// as the function's results are sharded
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0:2 = call @f(%a, %b) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"y"}]>, <@a, [{"x", ?}]>]>} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %1:2 = call @f(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %2 = call @g(%0#0) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"y", ?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @g(%0#0) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = stablehlo.add %0#0, %0#0 : tensor<8xf32>
  %5 = stablehlo.add %3, %4 : tensor<8xf32>
  return %1#0, %2, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}, tensor<8xf32>) {
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}
func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// what counts as equivalent
sdy.mesh @a = <["x"=2, "y"=2]>
sdy.mesh @b = <["x"=2, "y"=2]>
sdy.mesh @max = <[], device_ids=[1]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%a) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"y"}], replicated={"x"}>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) {sdy.sharding = #sdy.sharding_per_value<[<@b, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @g(%1) {sdy.sharding = #sdy.sharding_per_value<[<@b, [{?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @g(%2) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"y"}], unreduced={"x"}>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @u(%3) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %5 = call @u(%4) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"y"}p3], unreduced={"x"}>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %6 = call @max(%5) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %7 = call @max(%6) {sdy.sharding = #sdy.sharding_per_value<[<@max, []>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %8 = call @max(%7) : (tensor<8xf32>) -> tensor<8xf32>
  %9 = call @i(%8) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %10 = call @i(%9) {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x", ?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %11 = call @ext(%10) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %11 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y", ?}]>}) {
  return %a : tensor<8xf32>
}
func.func private @g(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{}], unreduced={"y"}>}) {
  return %a : tensor<8xf32>
}
func.func private @u(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}], unreduced={"x"}>}) {
  return %a : tensor<8xf32>
}
func.func private @max(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@max, []>}) {
  return %a : tensor<8xf32>
}
func.func private @i(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>}) {
  return %a : tensor<8xf32>
}
func.func private @ext(tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>})
// -----
// a second run; calls in regions and in the functions called; no results
// pipeline: builtin.module(sdy-insert-func-call-reshards,sdy-insert-func-call-reshards)
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1:2 = func.call @f(%a) : (tensor<8xf32>) -> (tensor<8xf32>, !stablehlo.token)
    func.call @none() : () -> ()
    stablehlo.return %1#0 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y", ?}]>}, !stablehlo.token) {
  %0 = call @g(%a) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %t = stablehlo.create_token : !stablehlo.token
  return %0, %t : tensor<8xf32>, !stablehlo.token
}
func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @none() {
  return
}
