// reduce_window and select_and_scatter.
func.func @windows(%arg0: tensor<8x6x4xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 1, 3, 2>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<f32>) -> tensor<8x4x2xf32>
  return
}
func.func @stride_and_padding(%arg0: tensor<8x6x4xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{padding = dense<[[0, 0], [0, 0], [1, 0]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 1>, window_strides = array<i64: 2, 1, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<f32>) -> tensor<4x6x5xf32>
  return
}
func.func @base_dilation(%arg0: tensor<8x6x4xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 2, 1, 1>, window_dimensions = array<i64: 1, 1, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<f32>) -> tensor<15x6x4xf32>
  return
}
func.func @two_inputs(%arg0: tensor<8x6x4xf32>, %arg1: tensor<8x6x4xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>) {
  %0:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) <{window_dimensions = array<i64: 1, 6, 1>}> ({
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>):
    %1 = stablehlo.add %arg4, %arg6 : tensor<f32>
    %2 = stablehlo.add %arg5, %arg7 : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<8x6x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<8x1x4xf32>, tensor<8x1x4xf32>)
  return
}
func.func @scatter_strided(%arg0: tensor<8x6x4xf32>, %arg1: tensor<8x3x4xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 1, 2, 1>, window_strides = array<i64: 1, 2, 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<8x3x4xf32>, tensor<f32>) -> tensor<8x6x4xf32>
  return
}
func.func @scatter_padded(%arg0: tensor<8x6x4xf32>, %arg1: tensor<8x6x4xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[1, 1], [0, 0], [2, 0]]> : tensor<3x2xi64>, window_dimensions = array<i64: 3, 1, 3>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<8x6x4xf32>, tensor<f32>) -> tensor<8x6x4xf32>
  return
}
func.func @scatter_plain(%arg0: tensor<8x6x4xf32>, %arg1: tensor<8x6x4xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 1, 1, 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<8x6x4xf32>, tensor<f32>) -> tensor<8x6x4xf32>
  return
}
func.func @uniform_padding(%arg0: tensor<8x6xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{padding = dense<1> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<10x8xf32>
  return
}
func.func @random_0(%arg0: tensor<6xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dimensions = array<i64: 1>, window_strides = array<i64: 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
func.func @random_1(%arg0: tensor<4x5x4xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 3, 1, 1>, window_strides = array<i64: 2, 1, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x5x4xf32>, tensor<f32>) -> tensor<1x5x2xf32>
  return
}
func.func @random_2(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 3, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}
func.func @random_3(%arg0: tensor<4x5xf32>, %arg1: tensor<4x5xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>) {
  %0:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) <{padding = dense<[[1, 0], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>):
    %1 = stablehlo.add %arg4, %arg6 : tensor<f32>
    %2 = stablehlo.add %arg5, %arg7 : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) : (tensor<4x5xf32>, tensor<4x5xf32>, tensor<f32>, tensor<f32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return
}
func.func @random_4(%arg0: tensor<6x6x8xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{padding = dense<[[1, 1], [0, 0], [1, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 2, 2>, window_dimensions = array<i64: 2, 1, 1>, window_strides = array<i64: 1, 2, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6x6x8xf32>, tensor<f32>) -> tensor<7x3x9xf32>
  return
}
func.func @random_5(%arg0: tensor<6x4x8xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 2, 1>, padding = dense<[[0, 0], [0, 0], [1, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 3, 3, 3>, window_strides = array<i64: 1, 1, 1>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6x4x8xf32>, tensor<f32>) -> tensor<4x5x7xf32>
  return
}
func.func @random_6(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>) {
  %0:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>):
    %1 = stablehlo.add %arg4, %arg6 : tensor<f32>
    %2 = stablehlo.add %arg5, %arg7 : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) : (tensor<5xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
func.func @random_7(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}
func.func @random_scatter_0(%arg0: tensor<8x4xf32>, %arg1: tensor<9x5xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[1, 0], [1, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<9x5xf32>, tensor<f32>) -> tensor<8x4xf32>
  return
}
func.func @random_scatter_1(%arg0: tensor<8x8x4x6xf32>, %arg1: tensor<6x6x3x6xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 3, 3, 2, 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x8x4x6xf32>, tensor<6x6x3x6xf32>, tensor<f32>) -> tensor<8x8x4x6xf32>
  return
}
func.func @random_scatter_2(%arg0: tensor<8x4x5x8xf32>, %arg1: tensor<8x3x5x6xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 1, 2, 1, 3>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x4x5x8xf32>, tensor<8x3x5x6xf32>, tensor<f32>) -> tensor<8x4x5x8xf32>
  return
}
func.func @random_scatter_3(%arg0: tensor<5x6xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[1, 0], [1, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x6xf32>, tensor<3x4xf32>, tensor<f32>) -> tensor<5x6xf32>
  return
}
func.func @random_scatter_4(%arg0: tensor<8xf32>, %arg1: tensor<6xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8xf32>, tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
  return
}
func.func @random_scatter_5(%arg0: tensor<4x4xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}
func.func @random_scatter_6(%arg0: tensor<8x5xf32>, %arg1: tensor<6x5xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 3, 1>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x5xf32>, tensor<6x5xf32>, tensor<f32>) -> tensor<8x5xf32>
  return
}
func.func @random_scatter_7(%arg0: tensor<5xf32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5xf32>, tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return
}
