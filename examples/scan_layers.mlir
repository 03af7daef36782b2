module @jit_loss attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<6x256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg1: tensor<6x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}, %arg2: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<6x256x64xf32> {jax.result_info = "result[1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<6x64x256xf32> {jax.result_info = "result[1]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}]>}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x32x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x32x256xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x32x256xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x32x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:8 = stablehlo.while(%iterArg = %arg0, %iterArg_11 = %arg1, %iterArg_12 = %c, %iterArg_13 = %arg2, %iterArg_14 = %0, %iterArg_15 = %1, %iterArg_16 = %2, %iterArg_17 = %3) : tensor<6x256x64xf32>, tensor<6x64x256xf32>, tensor<i32>, tensor<32x64xf32>, tensor<6x32x64xf32>, tensor<6x32x256xf32>, tensor<6x32x256xf32>, tensor<6x32x256xf32>
    cond {
      %c_18 = stablehlo.constant dense<6> : tensor<i32>
      %16 = stablehlo.compare LT, %iterArg_12, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %16 : tensor<i1>
    } do {
      %16 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_12) : (tensor<6x256x64xf32>, tensor<i32>) -> tensor<256x64xf32>
      %17 = func.call @dynamic_index_in_dim_0(%iterArg_11, %iterArg_12) : (tensor<6x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %18:5 = func.call @closed_call(%iterArg_13, %16, %17) : (tensor<32x64xf32>, tensor<256x64xf32>, tensor<64x256xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>)
      %19 = func.call @dynamic_update_index_in_dim(%iterArg_14, %18#1, %iterArg_12) : (tensor<6x32x64xf32>, tensor<32x64xf32>, tensor<i32>) -> tensor<6x32x64xf32>
      %20 = func.call @dynamic_update_index_in_dim_1(%iterArg_15, %18#2, %iterArg_12) : (tensor<6x32x256xf32>, tensor<32x256xf32>, tensor<i32>) -> tensor<6x32x256xf32>
      %21 = func.call @dynamic_update_index_in_dim_1(%iterArg_16, %18#3, %iterArg_12) : (tensor<6x32x256xf32>, tensor<32x256xf32>, tensor<i32>) -> tensor<6x32x256xf32>
      %22 = func.call @dynamic_update_index_in_dim_2(%iterArg_17, %18#4, %iterArg_12) : (tensor<6x32x256xf32>, tensor<32x256xf32>, tensor<i32>) -> tensor<6x32x256xf32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %23 = stablehlo.add %iterArg_12, %c_18 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %23, %18#0, %19, %20, %21, %22 : tensor<6x256x64xf32>, tensor<6x64x256xf32>, tensor<i32>, tensor<32x64xf32>, tensor<6x32x64xf32>, tensor<6x32x256xf32>, tensor<6x32x256xf32>, tensor<6x32x256xf32>
    }
    %5 = stablehlo.multiply %4#3, %4#3 : tensor<32x64xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %7 = stablehlo.multiply %6, %4#3 : tensor<32x64xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %9 = stablehlo.divide %8, %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %10 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %12 = stablehlo.multiply %11, %7 : tensor<32x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x256x64xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x64x256xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %15:10 = stablehlo.while(%iterArg = %arg1, %iterArg_11 = %4#4, %iterArg_12 = %4#5, %iterArg_13 = %4#6, %iterArg_14 = %arg0, %iterArg_15 = %4#7, %iterArg_16 = %c_10, %iterArg_17 = %12, %iterArg_18 = %13, %iterArg_19 = %14) : tensor<6x64x256xf32>, tensor<6x32x64xf32>, tensor<6x32x256xf32>, tensor<6x32x256xf32>, tensor<6x256x64xf32>, tensor<6x32x256xf32>, tensor<i32>, tensor<32x64xf32>, tensor<6x256x64xf32>, tensor<6x64x256xf32>
    cond {
      %c_20 = stablehlo.constant dense<6> : tensor<i32>
      %16 = stablehlo.compare LT, %iterArg_16, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %16 : tensor<i1>
    } do {
      %c_20 = stablehlo.constant dense<6> : tensor<i32>
      %16 = stablehlo.subtract %c_20, %iterArg_16 : tensor<i32>
      %c_21 = stablehlo.constant dense<1> : tensor<i32>
      %17 = stablehlo.subtract %16, %c_21 : tensor<i32>
      %18 = func.call @dynamic_index_in_dim_0(%iterArg, %17) : (tensor<6x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %19 = func.call @dynamic_index_in_dim_3(%iterArg_11, %17) : (tensor<6x32x64xf32>, tensor<i32>) -> tensor<32x64xf32>
      %20 = func.call @dynamic_index_in_dim_4(%iterArg_12, %17) : (tensor<6x32x256xf32>, tensor<i32>) -> tensor<32x256xf32>
      %21 = func.call @dynamic_index_in_dim_4(%iterArg_13, %17) : (tensor<6x32x256xf32>, tensor<i32>) -> tensor<32x256xf32>
      %22 = func.call @dynamic_index_in_dim(%iterArg_14, %17) : (tensor<6x256x64xf32>, tensor<i32>) -> tensor<256x64xf32>
      %23 = func.call @dynamic_index_in_dim_5(%iterArg_15, %17) : (tensor<6x32x256xf32>, tensor<i32>) -> tensor<32x256xf32>
      %24:3 = func.call @closed_call_6(%iterArg_17, %18, %19, %20, %21, %22, %23) : (tensor<32x64xf32>, tensor<64x256xf32>, tensor<32x64xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<256x64xf32>, tensor<32x256xf32>) -> (tensor<32x64xf32>, tensor<256x64xf32>, tensor<64x256xf32>)
      %25 = func.call @dynamic_update_index_in_dim_7(%iterArg_18, %24#1, %17) : (tensor<6x256x64xf32>, tensor<256x64xf32>, tensor<i32>) -> tensor<6x256x64xf32>
      %26 = func.call @dynamic_update_index_in_dim_8(%iterArg_19, %24#2, %17) : (tensor<6x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<6x64x256xf32>
      %c_22 = stablehlo.constant dense<1> : tensor<i32>
      %27 = stablehlo.add %iterArg_16, %c_22 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %27, %24#0, %25, %26 : tensor<6x64x256xf32>, tensor<6x32x64xf32>, tensor<6x32x256xf32>, tensor<6x32x256xf32>, tensor<6x256x64xf32>, tensor<6x32x256xf32>, tensor<i32>, tensor<32x64xf32>, tensor<6x256x64xf32>, tensor<6x64x256xf32>
    }
    return %9, %15#8, %15#9 : tensor<f32>, tensor<6x256x64xf32>, tensor<6x64x256xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x256x64xf32>, %arg1: tensor<i32>) -> tensor<256x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 256, 64] : (tensor<6x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    return %1 : tensor<256x64xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x64x256xf32>, %arg1: tensor<i32>) -> tensor<64x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 256] : (tensor<6x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
    return %1 : tensor<64x256xf32>
  }
  func.func private @closed_call(%arg0: tensor<32x64xf32>, %arg1: tensor<256x64xf32>, %arg2: tensor<64x256xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %1 = stablehlo.tanh %0 : tensor<32x256xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x256xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<32x256xf32>
    %4 = sdy.sharding_constraint %1 <@mesh, [{"data"}, {"model"}]> : tensor<32x256xf32>
    %5 = stablehlo.dot_general %4, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<256x64xf32>) -> tensor<32x64xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<32x64xf32>
    return %6, %arg0, %1, %3, %4 : tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x256xf32>, tensor<32x256xf32>, tensor<32x256xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x32x64xf32>, %arg1: tensor<32x64xf32>, %arg2: tensor<i32>) -> tensor<6x32x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x64xf32>) -> tensor<1x32x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x32x64xf32>, tensor<1x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x32x64xf32>
    return %1 : tensor<6x32x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<6x32x256xf32>, %arg1: tensor<32x256xf32>, %arg2: tensor<i32>) -> tensor<6x32x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x256xf32>) -> tensor<1x32x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x32x256xf32>, tensor<1x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x32x256xf32>
    return %1 : tensor<6x32x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<6x32x256xf32>, %arg1: tensor<32x256xf32>, %arg2: tensor<i32>) -> tensor<6x32x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x256xf32>) -> tensor<1x32x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x32x256xf32>, tensor<1x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x32x256xf32>
    return %1 : tensor<6x32x256xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<6x32x64xf32>, %arg1: tensor<i32>) -> tensor<32x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 64] : (tensor<6x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
    return %1 : tensor<32x64xf32>
  }
  func.func private @dynamic_index_in_dim_4(%arg0: tensor<6x32x256xf32>, %arg1: tensor<i32>) -> tensor<32x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 256] : (tensor<6x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x256xf32>) -> tensor<32x256xf32>
    return %1 : tensor<32x256xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<6x32x256xf32>, %arg1: tensor<i32>) -> tensor<32x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 256] : (tensor<6x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x256xf32>) -> tensor<32x256xf32>
    return %1 : tensor<32x256xf32>
  }
  func.func private @closed_call_6(%arg0: tensor<32x64xf32>, %arg1: tensor<64x256xf32>, %arg2: tensor<32x64xf32>, %arg3: tensor<32x256xf32>, %arg4: tensor<32x256xf32>, %arg5: tensor<256x64xf32>, %arg6: tensor<32x256xf32>) -> (tensor<32x64xf32>, tensor<256x64xf32>, tensor<64x256xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<64x256xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %2 = stablehlo.dot_general %arg0, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<256x64xf32>) -> tensor<32x256xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"data"}, {"model"}]> : tensor<32x256xf32>
    %4 = stablehlo.multiply %3, %arg4 : tensor<32x256xf32>
    %5 = stablehlo.multiply %4, %arg3 : tensor<32x256xf32>
    %6 = stablehlo.add %4, %5 : tensor<32x256xf32>
    %7 = stablehlo.dot_general %6, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<32x64xf32>) -> tensor<256x64xf32>
    %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %9 = stablehlo.dot_general %6, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<64x256xf32>) -> tensor<32x64xf32>
    %10 = stablehlo.add %arg0, %9 : tensor<32x64xf32>
    return %10, %1, %8 : tensor<32x64xf32>, tensor<256x64xf32>, tensor<64x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_7(%arg0: tensor<6x256x64xf32>, %arg1: tensor<256x64xf32>, %arg2: tensor<i32>) -> tensor<6x256x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x64xf32>) -> tensor<1x256x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x256x64xf32>, tensor<1x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x256x64xf32>
    return %1 : tensor<6x256x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<6x64x256xf32>, %arg1: tensor<64x256xf32>, %arg2: tensor<i32>) -> tensor<6x64x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x64x256xf32>
    return %1 : tensor<6x64x256xf32>
  }
}
