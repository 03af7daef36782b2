// Slices, pads, updates, concatenations.
func.func @slice_0(%arg0: tensor<8x6x2xf32>) {
  %0 = stablehlo.slice %arg0 [0:8:2, 2:3, 0:2] : (tensor<8x6x2xf32>) -> tensor<4x1x2xf32>
  return
}
func.func @slice_1(%arg0: tensor<f32>) {
  %0 = stablehlo.slice %arg0 [] : (tensor<f32>) -> tensor<f32>
  return
}
func.func @slice_2(%arg0: tensor<8x6x6xf32>) {
  %0 = stablehlo.slice %arg0 [3:8, 2:4, 3:6:2] : (tensor<8x6x6xf32>) -> tensor<5x2x2xf32>
  return
}
func.func @slice_3(%arg0: tensor<2xf32>) {
  %0 = stablehlo.slice %arg0 [0:2] : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func @slice_4(%arg0: tensor<4xf32>) {
  %0 = stablehlo.slice %arg0 [0:4] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func @slice_5(%arg0: tensor<f32>) {
  %0 = stablehlo.slice %arg0 [] : (tensor<f32>) -> tensor<f32>
  return
}
func.func @pad_0(%arg0: tensor<f32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}
func.func @pad_1(%arg0: tensor<12x1xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [-1, 1], high = [0, 1], interior = [1, 1] : (tensor<12x1xf32>, tensor<f32>) -> tensor<22x3xf32>
  return
}
func.func @pad_2(%arg0: tensor<4xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [0], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
func.func @pad_3(%arg0: tensor<16x4x16xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [1, 1, 0], high = [2, 0, 0], interior = [0, 0, 1] : (tensor<16x4x16xf32>, tensor<f32>) -> tensor<19x5x31xf32>
  return
}
func.func @pad_4(%arg0: tensor<1x2x3xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [0, 1, -1], high = [2, 0, 0], interior = [0, 0, 1] : (tensor<1x2x3xf32>, tensor<f32>) -> tensor<3x3x4xf32>
  return
}
func.func @pad_5(%arg0: tensor<3x1x4xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [-1, 0, 1], high = [1, 0, 0], interior = [0, 1, 0] : (tensor<3x1x4xf32>, tensor<f32>) -> tensor<3x1x5xf32>
  return
}
func.func @dynamic_slice_0(%arg0: tensor<f32>) {
  %0 = "stablehlo.dynamic_slice"(%arg0) <{slice_sizes = array<i64>}> : (tensor<f32>) -> tensor<f32>
  return
}
func.func @dynamic_slice_1(%arg0: tensor<12x12xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [12, 12] : (tensor<12x12xf32>, tensor<i32>, tensor<i32>) -> tensor<12x12xf32>
  return
}
func.func @dynamic_slice_2(%arg0: tensor<1x16x16xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, %arg3, sizes = [1, 15, 2] : (tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x15x2xf32>
  return
}
func.func @dynamic_slice_3(%arg0: tensor<6x16xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [6, 16] : (tensor<6x16xf32>, tensor<i32>, tensor<i32>) -> tensor<6x16xf32>
  return
}
func.func @dynamic_slice_4(%arg0: tensor<f32>) {
  %0 = "stablehlo.dynamic_slice"(%arg0) <{slice_sizes = array<i64>}> : (tensor<f32>) -> tensor<f32>
  return
}
func.func @dynamic_slice_5(%arg0: tensor<6x1x1xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, %arg3, sizes = [6, 1, 1] : (tensor<6x1x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x1x1xf32>
  return
}
func.func @pad_keeping_size(%arg0: tensor<8x6x4xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [1, 0, 0], high = [-1, 0, 0], interior = [0, 0, 1] : (tensor<8x6x4xf32>, tensor<f32>) -> tensor<8x6x7xf32>
  return
}
func.func @scalar(%arg0: tensor<f32>) {
  %0 = "stablehlo.dynamic_slice"(%arg0) <{slice_sizes = array<i64>}> : (tensor<f32>) -> tensor<f32>
  return
}
func.func @scalar_update(%arg0: tensor<f32>, %arg1: tensor<f32>) {
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}
func.func @partial_update(%arg0: tensor<8x6x4xf32>, %arg1: tensor<2x6x1xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<8x6x4xf32>, tensor<2x6x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x6x4xf32>
  return
}
func.func @full_update(%arg0: tensor<8x6x4xf32>, %arg1: tensor<8x6x4xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<8x6x4xf32>, tensor<8x6x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x6x4xf32>
  return
}
func.func @constant_places(%arg0: tensor<8x6xf32>, %arg1: tensor<2x6xf32>, %arg2: tensor<i32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = sdy.constant dense<0> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %arg0, %arg1, %c, %0 : (tensor<8x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  %2 = stablehlo.dynamic_update_slice %arg0, %arg1, %c, %arg2 : (tensor<8x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  %3 = stablehlo.add %c, %0 : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %arg0, %arg1, %c, %3 : (tensor<8x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  return
}
func.func @concatenations(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>) {
  %0 = stablehlo.slice %arg0 [0:4, 0:3] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.slice %arg0 [0:4, 3:6] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.slice %arg1 [0:4, 3:6] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %3 = stablehlo.slice %0 [0:4, 0:2] : (tensor<4x3xf32>) -> tensor<4x2xf32>
  %4 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
  %5 = stablehlo.concatenate %0, %2, dim = 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %6 = stablehlo.concatenate %0, %arg0, %1, dim = 1 : (tensor<4x3xf32>, tensor<4x6xf32>, tensor<4x3xf32>) -> tensor<4x12xf32>
  %7 = stablehlo.concatenate %0, %arg1, %1, dim = 1 : (tensor<4x3xf32>, tensor<4x6xf32>, tensor<4x3xf32>) -> tensor<4x12xf32>
  %8 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
  %9 = stablehlo.concatenate %arg0, dim = 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %10 = stablehlo.concatenate %1, dim = 1 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %11 = stablehlo.concatenate %arg0, %3, dim = 1 : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %12 = stablehlo.concatenate %0, %3, dim = 1 : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x5xf32>
  return
}
func.func @three_rows(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>) {
  %0 = stablehlo.concatenate %arg0, %arg1, %arg2, dim = 0 : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<12x6xf32>
  return
}
