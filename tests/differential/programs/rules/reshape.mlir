// Reshapes: exact splits, realignments, coprime sizes, sizes of one, empty tensors.
func.func @from_8x6_to_48(%arg0: tensor<8x6xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<8x6xf32>) -> tensor<48xf32>
  return
}
func.func @from_48_to_8x6(%arg0: tensor<48xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<48xf32>) -> tensor<8x6xf32>
  return
}
func.func @from_2x3x4_to_6x4(%arg0: tensor<2x3x4xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  return
}
func.func @from_30_to_2x3x5(%arg0: tensor<30xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<30xf32>) -> tensor<2x3x5xf32>
  return
}
func.func @from_2x12_to_4x6(%arg0: tensor<2x12xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<2x12xf32>) -> tensor<4x6xf32>
  return
}
func.func @from_8x6_to_4x12(%arg0: tensor<8x6xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<8x6xf32>) -> tensor<4x12xf32>
  return
}
func.func @from_8x3x5_to_4x6x5(%arg0: tensor<8x3x5xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<8x3x5xf32>) -> tensor<4x6x5xf32>
  return
}
func.func @from_8x6_to_6x8(%arg0: tensor<8x6xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<8x6xf32>) -> tensor<6x8xf32>
  return
}
func.func @from_3x5_to_5x3(%arg0: tensor<3x5xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<3x5xf32>) -> tensor<5x3xf32>
  return
}
func.func @from_4x6_to_3x8(%arg0: tensor<4x6xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<4x6xf32>) -> tensor<3x8xf32>
  return
}
func.func @from_2x3x5_to_3x2x5(%arg0: tensor<2x3x5xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<2x3x5xf32>) -> tensor<3x2x5xf32>
  return
}
func.func @from_6x35_to_14x15(%arg0: tensor<6x35xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<6x35xf32>) -> tensor<14x15xf32>
  return
}
func.func @from_9x4x5_to_2x90(%arg0: tensor<9x4x5xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<9x4x5xf32>) -> tensor<2x90xf32>
  return
}
func.func @from_4x3x7_to_14x6(%arg0: tensor<4x3x7xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<4x3x7xf32>) -> tensor<14x6xf32>
  return
}
func.func @from_8x1x6_to_8x6(%arg0: tensor<8x1x6xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<8x1x6xf32>) -> tensor<8x6xf32>
  return
}
func.func @from_8x6_to_1x8x1x6(%arg0: tensor<8x6xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<8x6xf32>) -> tensor<1x8x1x6xf32>
  return
}
func.func @from_1x8_to_8x1(%arg0: tensor<1x8xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<1x8xf32>) -> tensor<8x1xf32>
  return
}
func.func @from_24_to_2x3x1x4(%arg0: tensor<24xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<24xf32>) -> tensor<2x3x1x4xf32>
  return
}
func.func @from_16x1x1_to_1x2x8(%arg0: tensor<16x1x1xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<16x1x1xf32>) -> tensor<1x2x8xf32>
  return
}
func.func @from_5x1x7_to_7x5(%arg0: tensor<5x1x7xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<5x1x7xf32>) -> tensor<7x5xf32>
  return
}
func.func @from_1_to_1(%arg0: tensor<1xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<1xf32>) -> tensor<1xf32>
  return
}
func.func @from_s_to_1x1(%arg0: tensor<f32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<f32>) -> tensor<1x1xf32>
  return
}
func.func @from_1x1_to_s(%arg0: tensor<1x1xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<1x1xf32>) -> tensor<f32>
  return
}
func.func @from_s_to_s(%arg0: tensor<f32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<f32>) -> tensor<f32>
  return
}
func.func @from_0x4_to_4x0(%arg0: tensor<0x4xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<0x4xf32>) -> tensor<4x0xf32>
  return
}
func.func @from_0_to_0x1(%arg0: tensor<0xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<0xf32>) -> tensor<0x1xf32>
  return
}
func.func @from_3x0x5_to_0(%arg0: tensor<3x0x5xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<3x0x5xf32>) -> tensor<0xf32>
  return
}
func.func @random_0(%arg0: tensor<24x8x12xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<24x8x12xf32>) -> tensor<16x144xf32>
  return
}
func.func @random_1(%arg0: tensor<9x24x10x10x8x0xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<9x24x10x10x8x0xf32>) -> tensor<0x6x16xf32>
  return
}
func.func @random_2(%arg0: tensor<12x24x6x2xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<12x24x6x2xf32>) -> tensor<9x6x1x4x16xf32>
  return
}
func.func @random_3(%arg0: tensor<10x9xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<10x9xf32>) -> tensor<6x3x5xf32>
  return
}
func.func @random_4(%arg0: tensor<16x1x24xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<16x1x24xf32>) -> tensor<32x6x2x1x1xf32>
  return
}
func.func @random_5(%arg0: tensor<9x6x12xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<9x6x12xf32>) -> tensor<1x6x2x2x27xf32>
  return
}
func.func @random_6(%arg0: tensor<f32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<f32>) -> tensor<1xf32>
  return
}
func.func @random_7(%arg0: tensor<7x3x10x9xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<7x3x10x9xf32>) -> tensor<14x1x9x1x15xf32>
  return
}
func.func @random_8(%arg0: tensor<10x8x24xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<10x8x24xf32>) -> tensor<4x4x24x5xf32>
  return
}
func.func @random_9(%arg0: tensor<2x2x6x4xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<2x2x6x4xf32>) -> tensor<32x1x3x1xf32>
  return
}
func.func @random_10(%arg0: tensor<f32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<f32>) -> tensor<1x1xf32>
  return
}
func.func @random_11(%arg0: tensor<8xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<8xf32>) -> tensor<2x4xf32>
  return
}
func.func @random_12(%arg0: tensor<3x3x9x6xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<3x3x9x6xf32>) -> tensor<3x3x2x9x3xf32>
  return
}
func.func @random_13(%arg0: tensor<24x9x3x8x24xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<24x9x3x8x24xf32>) -> tensor<128x2x3x18x3x3xf32>
  return
}
func.func @random_14(%arg0: tensor<3x10x4x3x1xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<3x10x4x3x1xf32>) -> tensor<1x12x6x5xf32>
  return
}
func.func @random_15(%arg0: tensor<1x5x16xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<1x5x16xf32>) -> tensor<10x2x4xf32>
  return
}
func.func @random_16(%arg0: tensor<2x24x24x6xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<2x24x24x6xf32>) -> tensor<32x12x9x1x2xf32>
  return
}
func.func @random_17(%arg0: tensor<16x2x1x5xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<16x2x1x5xf32>) -> tensor<10x8x2xf32>
  return
}
func.func @random_18(%arg0: tensor<f32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<f32>) -> tensor<1xf32>
  return
}
func.func @random_19(%arg0: tensor<8x3xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<8x3xf32>) -> tensor<12x2xf32>
  return
}
func.func @random_20(%arg0: tensor<f32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<f32>) -> tensor<1xf32>
  return
}
func.func @random_21(%arg0: tensor<3x4xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<2x3x1x1x2xf32>
  return
}
func.func @random_22(%arg0: tensor<f32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<f32>) -> tensor<f32>
  return
}
func.func @random_23(%arg0: tensor<6x2xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<6x2xf32>) -> tensor<3x2x2xf32>
  return
}
func.func @random_24(%arg0: tensor<24x12x4xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<24x12x4xf32>) -> tensor<48x24xf32>
  return
}
func.func @random_25(%arg0: tensor<16x1x4x3xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<16x1x4x3xf32>) -> tensor<2x8x3x2x2xf32>
  return
}
func.func @random_26(%arg0: tensor<3x12x16x6x10xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<3x12x16x6x10xf32>) -> tensor<6x4x32x5x9xf32>
  return
}
func.func @random_27(%arg0: tensor<12x1x3x12xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<12x1x3x12xf32>) -> tensor<8x6x9xf32>
  return
}
func.func @random_28(%arg0: tensor<24x24x10xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<24x24x10xf32>) -> tensor<15x24x2x2x4xf32>
  return
}
func.func @random_29(%arg0: tensor<f32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<f32>) -> tensor<f32>
  return
}
