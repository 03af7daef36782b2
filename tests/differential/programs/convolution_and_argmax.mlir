// pipeline: builtin.module()
// pipeline: builtin.module(sdy-propagation-pipeline)
// pipeline: builtin.module(sdy-import-pipeline)
// pipeline: builtin.module(sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
module @SyncTensorsGraph.9 attributes {mhlo.is_dynamic = false, ttcore.foo = #ttcore<bar [1,  2]>} {
  sdy.mesh @mesh = <["_axis_0"=1, "_axis_1"=2]>
  func.func @main(%arg0: tensor<32x32xf32> {mhlo.layout_mode = "default", sdy.sharding = #sdy.sharding<@mesh, [{"_axis_1"}, {"_axis_0"}]>}, %arg1: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}, {"_axis_1"}]>}, %arg2: tensor<8x1x64x64xbf16>, %arg3: tensor<1x1x3x3xbf16>) -> (tensor<32x32xf32>, tensor<8x1x31x31xbf16>, tensor<32xi64>) {
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %0 = stablehlo.add %arg0, %arg1 : tensor<32x32xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"_axis_0", "_axis_1"}, {}]> : tensor<32x32xf32>
    %2 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x1x64x64xbf16>, tensor<1x1x3x3xbf16>) -> tensor<8x1x62x62xbf16>
    %3 = "stablehlo.reduce_window"(%2, %cst) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %m = stablehlo.maximum %a, %b : tensor<bf16>
      stablehlo.return %m : tensor<bf16>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_1", ?}, {?}, {?}, {?}]>]>} : (tensor<8x1x62x62xbf16>, tensor<bf16>) -> tensor<8x1x31x31xbf16>
    %4 = stablehlo.iota dim = 0 : tensor<32xi64>
    %5 = stablehlo.iota dim = 1 : tensor<32x32xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %f = stablehlo.constant dense<0.0> : tensor<f32>
    %6:2 = stablehlo.reduce(%1 init: %f), (%5 init: %c) across dimensions = [1] : (tensor<32x32xf32>, tensor<32x32xi64>, tensor<f32>, tensor<i64>) -> (tensor<32xf32>, tensor<32xi64>)
     reducer(%x: tensor<f32>, %y: tensor<f32>) (%xi: tensor<i64>, %yi: tensor<i64>)  {
      %7 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %x, %y : tensor<i1>, tensor<f32>
      %9 = stablehlo.select %7, %xi, %yi : tensor<i1>, tensor<i64>
      stablehlo.return %8, %9 : tensor<f32>, tensor<i64>
    }
    %10 = stablehlo.custom_call @tt.fill_cache(%1) {api_version = 0 : i32, mhlo.frontend_attributes = {batch_offset = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=32, j=32}, custom>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %11 = sdy.reshard %10 <@mesh, [{}, {"_axis_1", "_axis_0"}]> : tensor<32x32xf32>
    return %11, %3, %6#1 : tensor<32x32xf32>, tensor<8x1x31x31xbf16>, tensor<32xi64>
  }
}
