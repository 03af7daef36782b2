// as the values returned; those without a sharding lose it; main keeps its own
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>}) {
  %0:4 = call @f(%a) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %0#0 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> (tensor<8xf32> {jax.k = 1 : i32}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>, jax.j = 1 : i32}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>}, tensor<8xf32>) {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<8xf32>
  %2 = sdy.data_flow_edge %1 sharding=<@a, [{"y", ?}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %2 <@a, [{?}]> : tensor<8xf32>
  return %a, %0, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func private @g(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>}) {
  return %a : tensor<8xf32>
}
func.func private @nothing() {
  return
}
// -----
// the only function is main, whatever its name
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @other(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>}) {
  return %a : tensor<8xf32>
}
