// pipeline: builtin.module(sdy-basic-propagate)
// pipeline: builtin.module(sdy-user-priority-propagate)
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %flag = stablehlo.constant dense<true> : tensor<i1>
  %shared = stablehlo.constant dense<2.0> : tensor<8xf32>
  %dead = "stablehlo.if"(%flag) ({
    stablehlo.return %shared : tensor<8xf32>
  }, {
    %0 = stablehlo.add %shared, %shared : tensor<8xf32>
    stablehlo.return %0 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %arg0 : tensor<8xf32>
}
