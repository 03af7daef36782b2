// Transposes, reverses, broadcasts, sorts.
func.func @transpose(%arg0: tensor<8x6x4xf32>) {
  %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<8x6x4xf32>) -> tensor<4x8x6xf32>
  return
}
func.func @reverse(%arg0: tensor<8x6x4xf32>) {
  %0 = stablehlo.reverse %arg0, dims = [2, 0] : tensor<8x6x4xf32>
  return
}
func.func @reverse_nothing(%arg0: tensor<8x6x4xf32>) {
  %0 = stablehlo.reverse %arg0, dims = [] : tensor<8x6x4xf32>
  return
}
func.func @broadcast_0(%arg0: tensor<4x6xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<4x6xf32>) -> tensor<4x3x6xf32>
  return
}
func.func @broadcast_1(%arg0: tensor<1x6xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
  return
}
func.func @broadcast_2(%arg0: tensor<f32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  return
}
func.func @broadcast_3(%arg0: tensor<1x1xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x6xf32>
  return
}
func.func @broadcast_4(%arg0: tensor<1x1xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<1x1xf32>) -> tensor<5x1x6xf32>
  return
}
func.func @broadcast_5(%arg0: tensor<6x4xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<6x4xf32>) -> tensor<4x5x6xf32>
  return
}
func.func @broadcast_6(%arg0: tensor<1x6xf32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<1x6xf32>) -> tensor<1x1x6xf32>
  return
}
func.func @sort_0(%arg0: tensor<8x6x4xf32>) {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
  return
}
func.func @sort_1(%arg0: tensor<8xf32>) {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}
func.func @sort_2(%arg0: tensor<1x8x1xf32>) {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
  return
}
func.func @sort_3(%arg0: tensor<1x8x1xf32>) {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
  return
}
func.func @sort_4(%arg0: tensor<8x6x4xf32>, %arg1: tensor<8x6x4xf32>) {
  %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = -1 : i64}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
    %1 = stablehlo.compare LT, %arg2, %arg3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x6x4xf32>, tensor<8x6x4xf32>) -> (tensor<8x6x4xf32>, tensor<8x6x4xf32>)
  return
}
func.func @sort_5(%arg0: tensor<8x8xf32>) {
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
func.func @sort_6(%arg0: tensor<8x1xf32>, %arg1: tensor<8x1xf32>) {
  %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
    %1 = stablehlo.compare LT, %arg2, %arg3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x1xf32>, tensor<8x1xf32>) -> (tensor<8x1xf32>, tensor<8x1xf32>)
  return
}
