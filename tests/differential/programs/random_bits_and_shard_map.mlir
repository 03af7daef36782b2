// pipeline: builtin.module()
// pipeline: builtin.module(sdy-propagation-pipeline)
// pipeline: builtin.module(sdy-import-pipeline)
// pipeline: builtin.module(sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
#loc = loc("a.py":1:0)
module @jit_f attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]>
  sdy.mesh @mesh = <["data"=1, "model"=8]> {stablehlo.mesh = {axes = [{name = "data", size = 1 : i64}, {name = "model", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>} loc("x"), %arg1: tensor<2xui32>) -> (tensor<16x8xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<16xf32> {jax.result_info = "result[1]"}) {
    %0:2 = call @_threefry_split(%arg1) : (tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) loc(#loc)
    %1 = call @_uniform(%0#0) : (tensor<2xui32>) -> tensor<16x8xf32>
    %2 = sdy.manual_computation(%arg0, %1) in_shardings=[<@mesh, [{"data", "model"}, {}]>, <@mesh, [{"model"}, {}], replicated={"data"}>] out_shardings=[<@mesh, [{"data", "model"}, {}]>] manual_axes={"data", "model"} (%arg2: tensor<2x8xf32>, %arg3: tensor<2x8xf32>) {
      %7 = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "model">]>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<16x8xf32>
      %8 = stablehlo.slice %7 [0:2, 0:8] : (tensor<16x8xf32>) -> tensor<2x8xf32>
      %9 = stablehlo.add %8, %arg3 : tensor<2x8xf32>
      sdy.return %9 : tensor<2x8xf32>
    } : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %3 = stablehlo.optimization_barrier %2 : tensor<16x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %5 = chlo.erf %3 : tensor<16x8xf32> -> tensor<16x8xf32>
    %values, %indices = chlo.top_k(%5, k = 2) : tensor<16x8xf32> -> (tensor<16x2xf32>, tensor<16x2xi32>)
    %6 = stablehlo.custom_call @cu_threefry2x32_ffi(%5) {api_version = 4 : i32, backend_config = {foo = 1 : i64}, mhlo.backend_config = {}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    return %6, %4 : tensor<16x8xf32>, tensor<16xf32>
  }
  func.func private @_threefry_split(%arg0: tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) {
    return %arg0, %arg0 : tensor<2xui32>, tensor<2xui32>
  }
  func.func private @_uniform(%arg0: tensor<2xui32>) -> tensor<16x8xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<2xui32>) -> tensor<2xf32>
    %1 = stablehlo.slice %0 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<1xf32>) -> tensor<16x8xf32>
    return %2 : tensor<16x8xf32>
  }
}
