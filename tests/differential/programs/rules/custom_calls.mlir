// Custom calls by target.
func.func @pointwise_and_opaque(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.custom_call @annotate_device_placement(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.custom_call @Cholesky(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.custom_call @CompactWyHelper(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.custom_call @InspectSharding(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.custom_call @InvertDiagBlocksLowerTriangular(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = stablehlo.custom_call @InvertDiagBlocksUpperTriangular(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = stablehlo.custom_call @LayoutConstraint(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = stablehlo.custom_call @mhlo.erf(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = stablehlo.custom_call @MoveToDevice(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %9 = stablehlo.custom_call @MoveToHost(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %10 = stablehlo.custom_call @X64SplitHigh(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %11 = stablehlo.custom_call @X64SplitLow(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %12 = stablehlo.custom_call @xla.megascale.provide_metadata(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %13 = stablehlo.custom_call @sdy_testonly(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %14 = stablehlo.custom_call @tpu_custom_call(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %15 = stablehlo.custom_call @xla_python_cpu_callback(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %16 = stablehlo.custom_call @xla_python_gpu_callback(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %17 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %18 = stablehlo.custom_call @xla_ffi_python_gpu_callback(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %19 = stablehlo.custom_call @Sharding(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %20:2 = stablehlo.custom_call @_SPMDInternalOp_MultiPad(%arg0) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  %21:2 = stablehlo.custom_call @_SPMDInternalOp_RotateRight(%arg0) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  %22:2 = stablehlo.custom_call @_SPMDInternalOp_MultiRotate(%arg0) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  %23:2 = stablehlo.custom_call @_SPMDInternalOp_MultiSlice(%arg0) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  %24:2 = stablehlo.custom_call @_SPMDInternalOp_Wrap(%arg0) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
func.func @topk(%arg0: tensor<16x64xf32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%arg0) : (tensor<16x64xf32>) -> (tensor<16x4xf32>, tensor<16x4xi32>)
  return
}
func.func @topk_all(%arg0: tensor<16x4xf32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%arg0) : (tensor<16x4xf32>) -> (tensor<16x4xf32>, tensor<16x4xi32>)
  return
}
func.func @approximate_topk(%arg0: tensor<16x64xf32>, %arg1: tensor<16x64xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) {
  %0:2 = stablehlo.custom_call @ApproxTopK(%arg0, %arg1, %arg2, %arg3) : (tensor<16x64xf32>, tensor<16x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<16x4xf32>, tensor<16x4xi32>)
  return
}
func.func @partial_reduce(%arg0: tensor<16x64x2xf32>, %arg1: tensor<16x64x2xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) {
  %0:2 = stablehlo.custom_call @PartialReduce(%arg0, %arg1, %arg2, %arg3) : (tensor<16x64x2xf32>, tensor<16x64x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<16x4x2xf32>, tensor<16x4x2xi32>)
  return
}
func.func @other_size(%arg0: tensor<4xf32>) {
  %0 = stablehlo.custom_call @LayoutConstraint(%arg0) : (tensor<4xf32>) -> tensor<8xf32>
  return
}
func.func @lower_rank(%arg0: tensor<4xf32>) {
  %0 = stablehlo.custom_call @LayoutConstraint(%arg0) : (tensor<4xf32>) -> tensor<8x2xf32>
  return
}
func.func @combined_state(%arg0: tensor<2xui32>) {
  %0 = stablehlo.custom_call @X64Combine(%arg0, %arg0) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  %1 = stablehlo.custom_call @X64Combine(%arg0, %arg0) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}
