// pipeline: builtin.module()
// pipeline: builtin.module(sdy-propagation-pipeline)
// pipeline: builtin.module(sdy-import-pipeline)
// pipeline: builtin.module(sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
module {
  sdy.mesh @mesh = <["x"=1, "y"=1]>
  sdy.mesh @mesh_0 = <["model"=1, "batch"=2]>
  func.func @main(%arg0: tensor<2x64x3072xbf16> {sdy.sharding = #sdy.sharding<@mesh_0, [{"batch"}, {}, {"model"}]>}) -> (tensor<2x64x3072xbf16> {sdy.sharding = #sdy.sharding<@mesh_0, [{"batch", ?}, {?}, {?}]>}) {
    %0 = stablehlo.composite "tenstorrent.gelu_tanh" %arg0 {composite_attributes = {approximate = "tanh"}, decomposition = @tenstorrent.gelu_tanh.impl, version = 1 : i32} : (tensor<2x64x3072xbf16>) -> tensor<2x64x3072xbf16>
    %1 = stablehlo.custom_call @tt.mark_argument(%0) {api_version = 0 : i32, mhlo.frontend_attributes = {ttcore.argument_type = "input", ttir.name = "args_0"}} : (tensor<2x64x3072xbf16>) -> tensor<2x64x3072xbf16>
    %2 = stablehlo.custom_call @tt.sharding_constraint(%1) {api_version = 0 : i32, mhlo.frontend_attributes = {foo = "a"}} : (tensor<2x64x3072xbf16>) -> tensor<2x64x3072xbf16>
    return %2 : tensor<2x64x3072xbf16>
  }
  func.func private @tenstorrent.gelu_tanh.impl(%arg0: tensor<2x64x3072xbf16>) -> tensor<2x64x3072xbf16> {
    %0 = stablehlo.tanh %arg0 : tensor<2x64x3072xbf16>
    return %0 : tensor<2x64x3072xbf16>
  }
}
