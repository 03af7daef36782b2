// pipeline: builtin.module()
// pipeline: builtin.module(sdy-propagation-pipeline)
// pipeline: builtin.module(sdy-import-pipeline)
// pipeline: builtin.module(sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
module @ccl {
  sdy.mesh @mesh = <["x"=1, "batch"=8]>
  func.func public @main(%arg0: tensor<8192x784xf32>, %arg1: tensor<784x2048xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %arg2: tensor<2048xf32>) -> tensor<8192x2048xf32> {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"x", "batch"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"x", "batch"}, {}]>] manual_axes={"x", "batch"} (%arg3: tensor<1024x784xf32>, %arg4: tensor<784x2048xf32>, %arg5: tensor<2048xf32>) {
      %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0] : (tensor<1024x784xf32>, tensor<784x2048xf32>) -> tensor<1024x2048xf32>
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %6 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
      %3 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<2048xf32>) -> tensor<1024x2048xf32>
      %4 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0]]> : tensor<1x1xi64>, use_global_device_ids}> : (tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
      %5 = stablehlo.add %2, %4 : tensor<1024x2048xf32>
      sdy.return %5 : tensor<1024x2048xf32>
    } : (tensor<8192x784xf32>, tensor<784x2048xf32>, tensor<2048xf32>) -> tensor<8192x2048xf32>
    return %0 : tensor<8192x2048xf32>
  }
}
