module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}p1, {"data"}p2]>}, %arg1: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, %arg2: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, %arg3: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}p1, {"data"}p2]>}, %arg4: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, %arg5: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, %arg6: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}p1, {"data"}p2]>}, %arg7: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, %arg8: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, %arg9: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}p1, {"data"}p2]>}, %arg10: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, %arg11: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, %arg12: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p0, {}]>}, %arg13: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p0, {}]>}) -> (tensor<256x64xf32> {jax.result_info = "result[0][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}p1, {"data"}p2]>}, tensor<64x256xf32> {jax.result_info = "result[0][0]['gate']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, tensor<64x256xf32> {jax.result_info = "result[0][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, tensor<256x64xf32> {jax.result_info = "result[0][1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}p1, {"data"}p2]>}, tensor<64x256xf32> {jax.result_info = "result[0][1]['gate']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, tensor<64x256xf32> {jax.result_info = "result[0][1]['up']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, tensor<256x64xf32> {jax.result_info = "result[1][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}p1, {"data"}p2]>}, tensor<64x256xf32> {jax.result_info = "result[1][0]['gate']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, tensor<64x256xf32> {jax.result_info = "result[1][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, tensor<256x64xf32> {jax.result_info = "result[1][1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}p1, {"data"}p2]>}, tensor<64x256xf32> {jax.result_info = "result[1][1]['gate']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, tensor<64x256xf32> {jax.result_info = "result[1][1]['up']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}p2, {"model"}p1]>}, tensor<f32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.dot_general %arg12, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %1 = stablehlo.tanh %0 : tensor<32x256xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x256xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<32x256xf32>
    %4 = stablehlo.dot_general %arg12, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %5 = stablehlo.multiply %1, %4 : tensor<32x256xf32>
    %6 = stablehlo.dot_general %5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<256x64xf32>) -> tensor<32x64xf32>
    %7 = stablehlo.dot_general %6, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %8 = stablehlo.tanh %7 : tensor<32x256xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x256xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<32x256xf32>
    %11 = stablehlo.dot_general %6, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %12 = stablehlo.multiply %8, %11 : tensor<32x256xf32>
    %13 = stablehlo.dot_general %12, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<256x64xf32>) -> tensor<32x64xf32>
    %14 = stablehlo.subtract %13, %arg13 : tensor<32x64xf32>
    %15 = stablehlo.multiply %14, %14 : tensor<32x64xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %17 = stablehlo.multiply %16, %14 : tensor<32x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %19 = stablehlo.divide %18, %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %20 = stablehlo.divide %cst_4, %cst_5 : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %22 = stablehlo.multiply %21, %17 : tensor<32x64xf32>
    %23 = stablehlo.dot_general %22, %12, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<64x256xf32>
    %24 = stablehlo.transpose %23, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %25 = stablehlo.dot_general %22, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<256x64xf32>) -> tensor<32x256xf32>
    %26 = stablehlo.multiply %8, %25 : tensor<32x256xf32>
    %27 = stablehlo.multiply %25, %11 : tensor<32x256xf32>
    %28 = stablehlo.dot_general %26, %6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<32x64xf32>) -> tensor<256x64xf32>
    %29 = stablehlo.transpose %28, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %30 = stablehlo.dot_general %26, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<64x256xf32>) -> tensor<32x64xf32>
    %31 = stablehlo.multiply %27, %10 : tensor<32x256xf32>
    %32 = stablehlo.multiply %31, %8 : tensor<32x256xf32>
    %33 = stablehlo.add %31, %32 : tensor<32x256xf32>
    %34 = stablehlo.dot_general %33, %6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<32x64xf32>) -> tensor<256x64xf32>
    %35 = stablehlo.transpose %34, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %36 = stablehlo.dot_general %33, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<64x256xf32>) -> tensor<32x64xf32>
    %37 = stablehlo.add %30, %36 : tensor<32x64xf32>
    %38 = stablehlo.dot_general %37, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<64x256xf32>
    %39 = stablehlo.transpose %38, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %40 = stablehlo.dot_general %37, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<256x64xf32>) -> tensor<32x256xf32>
    %41 = stablehlo.multiply %1, %40 : tensor<32x256xf32>
    %42 = stablehlo.multiply %40, %4 : tensor<32x256xf32>
    %43 = stablehlo.dot_general %41, %arg12, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<32x64xf32>) -> tensor<256x64xf32>
    %44 = stablehlo.transpose %43, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %45 = stablehlo.multiply %42, %3 : tensor<32x256xf32>
    %46 = stablehlo.multiply %45, %1 : tensor<32x256xf32>
    %47 = stablehlo.add %45, %46 : tensor<32x256xf32>
    %48 = stablehlo.dot_general %47, %arg12, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x256xf32>, tensor<32x64xf32>) -> tensor<256x64xf32>
    %49 = stablehlo.transpose %48, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %cst_6 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %51 = stablehlo.multiply %50, %arg6 : tensor<256x64xf32>
    %52 = stablehlo.add %51, %39 : tensor<256x64xf32>
    %cst_7 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %54 = stablehlo.multiply %53, %arg7 : tensor<64x256xf32>
    %55 = stablehlo.add %54, %49 : tensor<64x256xf32>
    %cst_8 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %57 = stablehlo.multiply %56, %arg8 : tensor<64x256xf32>
    %58 = stablehlo.add %57, %44 : tensor<64x256xf32>
    %cst_9 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %60 = stablehlo.multiply %59, %arg9 : tensor<256x64xf32>
    %61 = stablehlo.add %60, %24 : tensor<256x64xf32>
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %63 = stablehlo.multiply %62, %arg10 : tensor<64x256xf32>
    %64 = stablehlo.add %63, %35 : tensor<64x256xf32>
    %cst_11 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %66 = stablehlo.multiply %65, %arg11 : tensor<64x256xf32>
    %67 = stablehlo.add %66, %29 : tensor<64x256xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %69 = stablehlo.multiply %68, %52 : tensor<256x64xf32>
    %70 = stablehlo.subtract %arg0, %69 : tensor<256x64xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %72 = stablehlo.multiply %71, %55 : tensor<64x256xf32>
    %73 = stablehlo.subtract %arg1, %72 : tensor<64x256xf32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %75 = stablehlo.multiply %74, %58 : tensor<64x256xf32>
    %76 = stablehlo.subtract %arg2, %75 : tensor<64x256xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %78 = stablehlo.multiply %77, %61 : tensor<256x64xf32>
    %79 = stablehlo.subtract %arg3, %78 : tensor<256x64xf32>
    %cst_16 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %81 = stablehlo.multiply %80, %64 : tensor<64x256xf32>
    %82 = stablehlo.subtract %arg4, %81 : tensor<64x256xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %84 = stablehlo.multiply %83, %67 : tensor<64x256xf32>
    %85 = stablehlo.subtract %arg5, %84 : tensor<64x256xf32>
    return %70, %73, %76, %79, %82, %85, %52, %55, %58, %61, %64, %67, %19 : tensor<256x64xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<256x64xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<256x64xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<256x64xf32>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<f32>
  }
}
