func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 0, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 2, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 3, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 9, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = true}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi32>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = ["x"]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, -1, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 0>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<f32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<f32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<f32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x1xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x1xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xi1>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xi1>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<1x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<1> : tensor<1x1xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 0, 0>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 0, 0>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<0x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<0x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 0, 0>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 0>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 0>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (f32, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>) {
  %r = "stablehlo.convolution"(%a) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%arg0: tensor<2x8x8x4xf32>, %arg1: tensor<3x3x2x6xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%arg0: tensor<2x8x8x4xf32>, %arg1: tensor<3x3x2x6xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [0, 0]], lhs_dilate = [0], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%arg0: tensor<2x8x8x4xf32>, %arg1: tensor<3x3x2x6xf32>) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 2 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 1, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 2, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 4 : i64}> : (tensor<4x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8x8x4xf32>, %b: tensor<3x3x4x8xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 4 : i64}> : (tensor<8x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8x8x4xf32>, %b: tensor<3x?x4x8xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<?x8x8x4xf32>, tensor<3x?x4x8xf32>) -> tensor<1x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<-4> : tensor<2x2xi64>}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<0> : tensor<2x3xi64>}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<0> : tensor<4xi64>}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 0, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 2, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 3, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 9, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = true}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, -1, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<f32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<f32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<f32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xi1>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xi1>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<0x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<0x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (f32, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
