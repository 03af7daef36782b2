// Convolutions: window and window size, groups, layouts.
func.func @two_spatial(%arg0: tensor<2x16x12x4xf32>, %arg1: tensor<3x5x4x8xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x12x4xf32>, tensor<3x5x4x8xf32>) -> tensor<2x14x8x8xf32>
  return
}
func.func @large_window(%arg0: tensor<2x16x12x4xf32>, %arg1: tensor<14x5x4x8xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x12x4xf32>, tensor<14x5x4x8xf32>) -> tensor<2x3x8x8xf32>
  return
}
func.func @equal(%arg0: tensor<2x15x4xf32>, %arg1: tensor<8x4x8xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x15x4xf32>, tensor<8x4x8xf32>) -> tensor<2x8x8xf32>
  return
}
func.func @both_factors(%arg0: tensor<2x17x4xf32>, %arg1: tensor<3x4x8xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x17x4xf32>, tensor<3x4x8xf32>) -> tensor<2x8x8xf32>
  return
}
func.func @whole_window(%arg0: tensor<2x16x4xf32>, %arg1: tensor<16x4x8xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x4xf32>, tensor<16x4x8xf32>) -> tensor<2x1x8xf32>
  return
}
func.func @one_feature(%arg0: tensor<2x16x4xf32>, %arg1: tensor<1x4x1xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x4xf32>, tensor<1x4x1xf32>) -> tensor<2x16x1xf32>
  return
}
func.func @clipped(%arg0: tensor<2x6x4xf32>, %arg1: tensor<3x4x8xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x4xf32>, tensor<3x4x8xf32>) -> tensor<2x10x8xf32>
  return
}
func.func @spatial_size_one(%arg0: tensor<2x1x4xf32>, %arg1: tensor<3x4x8xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x1x4xf32>, tensor<3x4x8xf32>) -> tensor<2x5x8xf32>
  return
}
func.func @feature_groups(%arg0: tensor<2x16x12xf32>, %arg1: tensor<3x3x20xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x16x12xf32>, tensor<3x3x20xf32>) -> tensor<2x14x20xf32>
  return
}
func.func @depthwise(%arg0: tensor<2x16x12xf32>, %arg1: tensor<3x1x12xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 12 : i64} : (tensor<2x16x12xf32>, tensor<3x1x12xf32>) -> tensor<2x14x12xf32>
  return
}
func.func @batch_groups(%arg0: tensor<8x16x12xf32>, %arg1: tensor<3x12x20xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<8x16x12xf32>, tensor<3x12x20xf32>) -> tensor<2x14x20xf32>
  return
}
func.func @batch_groups_only(%arg0: tensor<4x16x12xf32>, %arg1: tensor<3x12x4xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x16x12xf32>, tensor<3x12x4xf32>) -> tensor<1x14x4xf32>
  return
}
func.func @mixed_layout(%arg0: tensor<4x2x16x12xf32>, %arg1: tensor<8x4x3x5xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[0, f, b, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x2x16x12xf32>, tensor<8x4x3x5xf32>) -> tensor<14x8x2x8xf32>
  return
}
func.func @no_spatial(%arg0: tensor<2x4xf32>, %arg1: tensor<4x8xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}
func.func @random_0(%arg0: tensor<17x13x4x1xf32>, %arg1: tensor<2x6x1x2xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [0, 1, f, b]x[i, o, 0, 1]->[1, b, f, 0], window = {stride = [2, 2], pad = [[4, 0], [1, 4]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<17x13x4x1xf32>, tensor<2x6x1x2xf32>) -> tensor<9x1x6x11xf32>
  return
}
func.func @random_1(%arg0: tensor<18x12x4x12x3xf32>, %arg1: tensor<7x5x4x1x2xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [2, 0, f, 1, b]x[1, o, i, 0, 2]->[b, 1, f, 0, 2], window = {stride = [3, 3, 1], pad = [[2, 2], [2, 0], [3, 2]], lhs_dilate = [2, 2, 2], rhs_dilate = [1, 2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<18x12x4x12x3xf32>, tensor<7x5x4x1x2xf32>) -> tensor<3x5x5x9x39xf32>
  return
}
func.func @random_2(%arg0: tensor<14x2x9xf32>, %arg1: tensor<15x3x4xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [0, b, f]x[o, i, 0]->[f, 0, b], window = {stride = [2], pad = [[1, 4]], lhs_dilate = [2], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<14x2x9xf32>, tensor<15x3x4xf32>) -> tensor<15x15x2xf32>
  return
}
func.func @random_3(%arg0: tensor<3x12x20x6x20xf32>, %arg1: tensor<3x12x4x3x5xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, b, 0, 1, 2]x[i, o, 0, 1, 2]->[0, f, b, 2, 1], window = {stride = [1, 3, 1], pad = [[0, 4], [2, 4], [3, 4]], lhs_dilate = [2, 2, 1], rhs_dilate = [2, 1, 1]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<3x12x20x6x20xf32>, tensor<3x12x4x3x5xf32>) -> tensor<37x12x3x23x5xf32>
  return
}
func.func @random_4(%arg0: tensor<2x3xf32>, %arg1: tensor<2x1xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, b]x[o, i]->[f, b], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}
func.func @random_5(%arg0: tensor<2x2x2x5xf32>, %arg1: tensor<1x3x1x6xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, 1, b, 0]x[1, 0, i, o]->[0, f, 1, b], window = {stride = [1, 2], pad = [[4, 0], [0, 3]], lhs_dilate = [1, 1], rhs_dilate = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x2x2x5xf32>, tensor<1x3x1x6xf32>) -> tensor<5x6x3x2xf32>
  return
}
func.func @random_6(%arg0: tensor<17x13x10x3x6xf32>, %arg1: tensor<7x7x6x3x3xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [1, 0, 2, f, b]x[1, 2, o, i, 0]->[1, 0, f, b, 2], window = {stride = [3, 2, 3], pad = [[3, 2], [4, 2], [1, 0]], lhs_dilate = [1, 2, 1], rhs_dilate = [1, 2, 1]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<17x13x10x3x6xf32>, tensor<7x7x6x3x3xf32>) -> tensor<14x6x6x3x2xf32>
  return
}
func.func @random_7(%arg0: tensor<1x1x16x5x2xf32>, %arg1: tensor<7x2x3x2x1xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 2, 1, f]x[2, 1, 0, i, o]->[b, f, 2, 1, 0], window = {stride = [1, 1, 3], pad = [[3, 0], [3, 1], [0, 3]], lhs_dilate = [2, 2, 1], rhs_dilate = [1, 1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x16x5x2xf32>, tensor<7x2x3x2x1xf32>) -> tensor<1x1x5x12x2xf32>
  return
}
func.func @random_8(%arg0: tensor<2x17x8x19x15xf32>, %arg1: tensor<5x5x20x5x2xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, 2, b, 0, 1]x[1, 0, o, 2, i]->[2, 0, f, 1, b], window = {stride = [3, 1, 3], pad = [[1, 0], [1, 1], [2, 2]], lhs_dilate = [2, 1, 2], rhs_dilate = [2, 1, 2]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<2x17x8x19x15xf32>, tensor<5x5x20x5x2xf32>) -> tensor<10x10x20x13x2xf32>
  return
}
func.func @random_9(%arg0: tensor<1x2xf32>, %arg1: tensor<1x3xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, b]x[i, o]->[f, b], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2xf32>, tensor<1x3xf32>) -> tensor<3x2xf32>
  return
}
func.func @random_10(%arg0: tensor<8x1x15xf32>, %arg1: tensor<2x12x1xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, b, 0]x[i, o, 0]->[f, b, 0], window = {stride = [3], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<8x1x15xf32>, tensor<2x12x1xf32>) -> tensor<12x1x7xf32>
  return
}
func.func @random_11(%arg0: tensor<3x6x2xf32>, %arg1: tensor<5x2x6xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [0, b, f]x[0, i, o]->[0, f, b], window = {stride = [2], pad = [[0, 4]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<3x6x2xf32>, tensor<5x2x6xf32>) -> tensor<2x6x3xf32>
  return
}
