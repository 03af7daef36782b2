// pipeline: builtin.module()
// pipeline: builtin.module(sdy-propagation-pipeline)
// pipeline: builtin.module(sdy-import-pipeline)
// pipeline: builtin.module(sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
#l1 = #ttcore.memory_space<l1>
#map = affine_map<(d0, d1) -> (d0, d1)>
module @SyncTensorsGraph attributes {mhlo.cross_program_prefetches = [], mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22_axis_0\22=1, \22_axis_1\22=8]>}"}, mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false, ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x8>]>, ttcore.system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64"}], [{arch = <wormhole_b0>, grid = 8x8}],   [0], [1 : i32], [ 0x0x0x0]>} {
  sdy.mesh @mesh = <["_axis_0"=1, "_axis_1"=8]>
  func.func @main(%arg0: tensor<1x32x128xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}, {}, {"_axis_1"}]>, ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "args_0", ttcore.shard_status = #ttcore.shard_status<unsharded>}, %arg1: tensor<128x256xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_1"}, {}]>, ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<16x256xbf16>>}) -> (tensor<1x32x256xbf16> {jax.result_info = "result", ttcore.shard_status = #ttcore.shard_status<presharded>}) {
    %0 = stablehlo.reshape %arg0 : (tensor<1x32x128xbf16>) -> tensor<32x128xbf16>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xbf16>, tensor<128x256xbf16>) -> tensor<32x256xbf16>
    %2 = stablehlo.reshape %1 : (tensor<32x256xbf16>) -> tensor<1x32x256xbf16>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"_axis_0"}, {?}, {?}]> : tensor<1x32x256xbf16>
    return %3 : tensor<1x32x256xbf16>
  }
}
