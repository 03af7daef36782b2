// pipeline: builtin.module()
// pipeline: builtin.module(sdy-propagation-pipeline)
// pipeline: builtin.module(sdy-import-pipeline)
// pipeline: builtin.module(sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
module @coll attributes {mhlo.cross_program_prefetches = [], mhlo.dynamic_parameter_bindings = [], mhlo.is_dynamic = false, mhlo.xla_entry_computation_parameter_layouts = [dense<[1, 0]> : tensor<2xindex>], mhlo.xla_entry_computation_result_layout = dense<[1, 0]> : tensor<2xindex>} {
  sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]>
  sdy.mesh @mesh = <["a"=2, "b"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>
  func.func @main(%arg0: tensor<16x32xf32> {mhlo.frontend_attributes = {k = "v"}, mhlo.parameter_replication = [true], mhlo.sharding = "{devices=[2,4]<=[8]}", sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<ui32>) -> (tensor<16x32xf32> {mhlo.memory_kind = "pinned_host"}, tensor<16x32xf32>) {
    %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> {mhlo.frontend_attributes = {_xla_send_recv_validation = "{{0,3}}"}} : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %1 = "stablehlo.collective_broadcast"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[2, 1, 0, 3]]> : tensor<1x4xi64>}> : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %2 = "stablehlo.all_to_all"(%1) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<16x32xf32>) -> tensor<8x64xf32>
    %3:2 = "stablehlo.all_reduce"(%2, %2) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %13 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) {mhlo.sharding = "{{replicated}, {replicated}}"} : (tensor<8x64xf32>, tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>)
    %4 = stablehlo.partition_id : tensor<ui32>
    %5 = stablehlo.replica_id : tensor<ui32>
    %6 = stablehlo.add %4, %5 {mhlo.original_value = "{x}"} : tensor<ui32>
    %7 = stablehlo.convert %6 : (tensor<ui32>) -> tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %9 = stablehlo.add %8, %3#0 : tensor<8x64xf32>
    %10 = stablehlo.reshape %9 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>} : (tensor<8x64xf32>) -> tensor<16x32xf32>
    %11:2 = stablehlo.custom_call @xla_python_cpu_callback(%10) {api_version = 2 : i32, backend_config = "123", has_side_effect = true, mhlo.sharding = "{maximal device=3}", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_3, []>, <@maximal_mesh_3, []>]>} : (tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>)
    %12 = stablehlo.custom_call @annotate_device_placement(%11#1) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<16x32xf32>) -> tensor<16x32xf32>
    return %12, %11#0 : tensor<16x32xf32>, tensor<16x32xf32>
  }
}
