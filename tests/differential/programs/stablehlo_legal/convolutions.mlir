func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?x?x?xf32>, %b: tensor<3x3x4x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<?x?x?x?xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<?x?x?x6xf32, #stablehlo.bounds<?, 6, ?, ?>>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<2x8x8x4xf32>, tensor<?x?x?x6xf32, #stablehlo.bounds<?, 6, ?, ?>>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?x?x4xf32>, %b: tensor<3x3x2x6xf32>) {
  %r = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : (tensor<?x?x?x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?x?x?xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<?x?x?x?xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<0x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<2x?x?x6xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?x?x?xf32, #stablehlo.bounds<?, ?, 8, ?>>, %b: tensor<3x?x?x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<?x?x?x?xf32, #stablehlo.bounds<?, ?, 8, ?>>, tensor<3x?x?x6xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32, #stablehlo.bounds<?, ?, ?, 6>>
  return
}
// -----
func.func @f(%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>, %c: tensor<2x2xi64>) {
  %r = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<3x?x?x0xf32>
  return
}
