// Reductions, batch normalisation, random bits.
func.func @one(%arg0: tensor<8x6x4xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<8x6x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return
}
func.func @two(%arg0: tensor<8x6x4xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [2, 0] : (tensor<8x6x4xf32>, tensor<f32>) -> tensor<6xf32>
  return
}
func.func @all(%arg0: tensor<8x6x4xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x4xf32>, tensor<f32>) -> tensor<f32>
  return
}
func.func @none(%arg0: tensor<8x6x4xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [] : (tensor<8x6x4xf32>, tensor<f32>) -> tensor<8x6x4xf32>
  return
}
func.func @pair(%arg0: tensor<8x6x4xf32>, %arg1: tensor<8x6x4xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>) {
  %0:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [1] : (tensor<8x6x4xf32>, tensor<8x6x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
   reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<f32>, %arg7: tensor<f32>)  {
    %1 = stablehlo.add %arg4, %arg6 : tensor<f32>
    %2 = stablehlo.add %arg5, %arg7 : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }
  return
}
func.func @batch_norm(%arg0: tensor<4x8x6x3xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<8xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x8x6x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x6x3xf32>
  return
}
func.func @random_bits(%arg0: tensor<2xui64>) {
  %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x4xui32>)
  return
}
