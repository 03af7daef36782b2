// tokens and dynamic shapes get no edge; shardings go to the edges and stay on the owners
sdy.mesh @a = <["x"=2, "y"=2]>
func.func public @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}, {}]>}, %t: !stablehlo.token, %d: tensor<?x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
  %1:3 = call @f(%0, %t, %d) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{?}, {"x"}]>, <@a, []>, <@a, [{?}, {}]>]>} : (tensor<8x8xf32>, !stablehlo.token, tensor<?x8xf32>) -> (tensor<8x8xf32>, !stablehlo.token, tensor<?x8xf32>)
  %2:3 = call @f(%1#0, %1#1, %1#2) : (tensor<8x8xf32>, !stablehlo.token, tensor<?x8xf32>) -> (tensor<8x8xf32>, !stablehlo.token, tensor<?x8xf32>)
  %3 = stablehlo.add %1#0, %2#0 : tensor<8x8xf32>
  return %3, %1#0 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x", ?}, {"y"}]>}, %t: !stablehlo.token, %d: tensor<?x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}, {}]>}, !stablehlo.token, tensor<?x8xf32>) {
  %0 = stablehlo.add %a, %a : tensor<8x8xf32>
  %1:2 = call @g(%0, %a) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %2 = stablehlo.add %1#1, %1#0 : tensor<8x8xf32>
  return %2, %t, %d : tensor<8x8xf32>, !stablehlo.token, tensor<?x8xf32>
}
func.func private @g(%a: tensor<8x8xf32>, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  return %b, %a : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @never(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
// -----
// calls inside regions, an unused argument, an unused result
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1:2 = func.call @f(%a, %i) : (tensor<8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<i32>)
    stablehlo.return %1#0 : tensor<8xf32>
  }, {
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>, %i: tensor<i32>) -> (tensor<8xf32>, tensor<i32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  return %a, %c : tensor<8xf32>, tensor<i32>
}
// -----
// the only function is the main one, whatever its name
func.func @other(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// twice is an error
// pipeline: builtin.module(sdy-add-func-data-flow-edges,sdy-add-func-data-flow-edges)
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// a cycle of calls does no harm
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.add %0, %a : tensor<8xf32>
  return %1 : tensor<8xf32>
}
// -----
// what the edges are for
// pipeline: builtin.module(sdy-add-func-data-flow-edges,sdy-pre-order-funcs,sdy-user-priority-propagate,sdy-propagate-to-func-results,func.func(sdy-sink-func-data-flow-edges))
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{}, {"y"}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = call @f(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = call @f(%b) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = call @f(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
