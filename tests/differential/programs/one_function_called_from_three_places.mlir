// pipeline: builtin.module(sdy-flatten-call-graph)
// pipeline: builtin.module(sdy-flatten-call-graph,sdy-import-func-calls,sdy-user-priority-propagate,sdy-export-named-computations)
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = call @outer(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = call @outer(%arg1) {mhlo.note = "second"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = call @inner(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.add %0, %2 : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
func.func private @outer(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = call @inner(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func private @inner(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.cosine %arg0 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
