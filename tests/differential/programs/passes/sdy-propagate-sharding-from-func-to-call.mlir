// only calls without shardings; missing ones open; only-maximal ones not at all; declarations
sdy.mesh @a = <["x"=2, "y"=2]>
sdy.mesh @max = <[], device_ids=[1]>
func.func @main(%a: tensor<8x8xf32>, %t: !stablehlo.token) -> tensor<8x8xf32> {
  %0:2 = call @f(%a, %t) : (tensor<8x8xf32>, !stablehlo.token) -> (tensor<8x8xf32>, !stablehlo.token)
  %1:2 = call @f(%0#0, %t) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{?}, {?}]>, <@a, []>]>} : (tensor<8x8xf32>, !stablehlo.token) -> (tensor<8x8xf32>, !stablehlo.token)
  %2 = call @g(%1#0) {k = 1 : i32} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3:2 = call @h(%2) : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %4 = call @ext(%3#0) {mhlo.frontend_attributes = {a = "b"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  call @none() : () -> ()
  return %4 : tensor<8x8xf32>
}
func.func private @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{}, {}]>}, %t: !stablehlo.token) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x", ?}, {"y"}]>}, !stablehlo.token) {
  return %a, %t : tensor<8x8xf32>, !stablehlo.token
}
func.func private @g(%a: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@max, []>}) {
  return %a : tensor<8x8xf32>
}
func.func private @h(%a: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@max, []>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}, {?}]>}) {
  return %a, %a : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @ext(tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}, {}]>})
func.func private @none() {
  return
}
