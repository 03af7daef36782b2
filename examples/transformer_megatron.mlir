module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg2: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg3: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg4: tensor<8x32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg5: tensor<256x3x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, %arg6: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg7: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg8: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg9: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg10: tensor<8x32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg11: tensor<256x3x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, %arg12: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg13: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg14: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg15: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg16: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg17: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg18: tensor<8x32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg19: tensor<256x3x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, %arg20: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg21: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg22: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg23: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg24: tensor<8x32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg25: tensor<256x3x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, %arg26: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg27: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg28: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg29: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg30: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg31: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg32: tensor<8x32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg33: tensor<256x3x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, %arg34: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg35: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg36: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg37: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg38: tensor<8x32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg39: tensor<256x3x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, %arg40: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg41: tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg42: tensor<16x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg43: tensor<16x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<1024x256xf32> {jax.result_info = "result[0]['embed']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<1024x256xf32> {jax.result_info = "result[0]['layers'][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<256xf32> {jax.result_info = "result[0]['layers'][0]['ln1']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<256xf32> {jax.result_info = "result[0]['layers'][0]['ln2']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8x32x256xf32> {jax.result_info = "result[0]['layers'][0]['out']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<256x3x8x32xf32> {jax.result_info = "result[0]['layers'][0]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, tensor<256x1024xf32> {jax.result_info = "result[0]['layers'][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<1024x256xf32> {jax.result_info = "result[0]['layers'][1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<256xf32> {jax.result_info = "result[0]['layers'][1]['ln1']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<256xf32> {jax.result_info = "result[0]['layers'][1]['ln2']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8x32x256xf32> {jax.result_info = "result[0]['layers'][1]['out']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<256x3x8x32xf32> {jax.result_info = "result[0]['layers'][1]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, tensor<256x1024xf32> {jax.result_info = "result[0]['layers'][1]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<256xf32> {jax.result_info = "result[0]['ln']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<1024x256xf32> {jax.result_info = "result[1]['embed']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<1024x256xf32> {jax.result_info = "result[1]['layers'][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<256xf32> {jax.result_info = "result[1]['layers'][0]['ln1']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<256xf32> {jax.result_info = "result[1]['layers'][0]['ln2']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8x32x256xf32> {jax.result_info = "result[1]['layers'][0]['out']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<256x3x8x32xf32> {jax.result_info = "result[1]['layers'][0]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, tensor<256x1024xf32> {jax.result_info = "result[1]['layers'][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<1024x256xf32> {jax.result_info = "result[1]['layers'][1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<256xf32> {jax.result_info = "result[1]['layers'][1]['ln1']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<256xf32> {jax.result_info = "result[1]['layers'][1]['ln2']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8x32x256xf32> {jax.result_info = "result[1]['layers'][1]['out']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<256x3x8x32xf32> {jax.result_info = "result[1]['layers'][1]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, tensor<256x1024xf32> {jax.result_info = "result[1]['layers'][1]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<256xf32> {jax.result_info = "result[1]['ln']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<1024x256xf32> {jax.result_info = "result[2]['embed']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<1024x256xf32> {jax.result_info = "result[2]['layers'][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<256xf32> {jax.result_info = "result[2]['layers'][0]['ln1']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<256xf32> {jax.result_info = "result[2]['layers'][0]['ln2']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8x32x256xf32> {jax.result_info = "result[2]['layers'][0]['out']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<256x3x8x32xf32> {jax.result_info = "result[2]['layers'][0]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, tensor<256x1024xf32> {jax.result_info = "result[2]['layers'][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<1024x256xf32> {jax.result_info = "result[2]['layers'][1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<256xf32> {jax.result_info = "result[2]['layers'][1]['ln1']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<256xf32> {jax.result_info = "result[2]['layers'][1]['ln2']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8x32x256xf32> {jax.result_info = "result[2]['layers'][1]['out']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<256x3x8x32xf32> {jax.result_info = "result[2]['layers'][1]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, tensor<256x1024xf32> {jax.result_info = "result[2]['layers'][1]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<256xf32> {jax.result_info = "result[2]['ln']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<f32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x64xi32>
    %1 = stablehlo.compare LT, %arg42, %0, SIGNED : (tensor<16x64xi32>, tensor<16x64xi32>) -> tensor<16x64xi1>
    %c_0 = stablehlo.constant dense<1024> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x64xi32>
    %3 = stablehlo.add %arg42, %2 : tensor<16x64xi32>
    %4 = stablehlo.select %1, %3, %arg42 : tensor<16x64xi1>, tensor<16x64xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x64xi32>) -> tensor<16x64x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256>}> : (tensor<1024x256xf32>, tensor<16x64x1xi32>) -> tensor<16x64x256xf32>
    %7 = sdy.sharding_constraint %6 <@mesh, [{"data"}, {}, {}]> : tensor<16x64x256xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_1 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<16x64x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<16x64x256xf32>
    %14 = stablehlo.multiply %13, %13 : tensor<16x64x256xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_3 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %18 = stablehlo.divide %16, %17 : tensor<16x64x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %20 = stablehlo.add %18, %19 : tensor<16x64x1xf32>
    %21 = stablehlo.rsqrt %20 : tensor<16x64x1xf32>
    %22 = stablehlo.divide %21, %20 : tensor<16x64x1xf32>
    %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<16x64x1xf32>
    %25 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %26 = stablehlo.multiply %13, %25 : tensor<16x64x256xf32>
    %27 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<16x64x256xf32>
    %29 = stablehlo.multiply %26, %28 : tensor<16x64x256xf32>
    %30 = stablehlo.dot_general %arg5, %29, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<256x3x8x32xf32>, tensor<16x64x256xf32>) -> tensor<3x8x32x16x64xf32>
    %31 = stablehlo.transpose %30, dims = [3, 0, 4, 1, 2] : (tensor<3x8x32x16x64xf32>) -> tensor<16x3x64x8x32xf32>
    %32 = stablehlo.transpose %31, dims = [1, 0, 2, 3, 4] : (tensor<16x3x64x8x32xf32>) -> tensor<3x16x64x8x32xf32>
    %33 = stablehlo.slice %32 [0:1, 0:16, 0:64, 0:8, 0:32] : (tensor<3x16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %34 = stablehlo.reshape %33 : (tensor<1x16x64x8x32xf32>) -> tensor<16x64x8x32xf32>
    %35 = stablehlo.slice %32 [1:2, 0:16, 0:64, 0:8, 0:32] : (tensor<3x16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %36 = stablehlo.reshape %35 : (tensor<1x16x64x8x32xf32>) -> tensor<16x64x8x32xf32>
    %37 = stablehlo.slice %32 [2:3, 0:16, 0:64, 0:8, 0:32] : (tensor<3x16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %38 = stablehlo.reshape %37 : (tensor<1x16x64x8x32xf32>) -> tensor<16x64x8x32xf32>
    %39 = stablehlo.dot_general %34, %36, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x64x8x32xf32>, tensor<16x64x8x32xf32>) -> tensor<16x8x64x64xf32>
    %cst_6 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %40 = stablehlo.sqrt %cst_6 : tensor<f32>
    %41 = stablehlo.convert %40 : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<16x8x64x64xf32>
    %43 = stablehlo.divide %39, %42 : tensor<16x8x64x64xf32>
    %c_7 = stablehlo.constant dense<true> : tensor<i1>
    %44 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i1>) -> tensor<64x64xi1>
    %45 = call @tril(%44) : (tensor<64x64xi1>) -> tensor<64x64xi1>
    %cst_8 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %46:2 = call @_where(%45, %43, %cst_8) : (tensor<64x64xi1>, tensor<16x8x64x64xf32>, tensor<f32>) -> (tensor<16x8x64x64xf32>, tensor<16x8x64x64xi1>)
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %47 = stablehlo.reduce(%46#0 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<16x8x64x64xf32>, tensor<f32>) -> tensor<16x8x64xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x8x64xf32>
    %49 = stablehlo.maximum %48, %47 : tensor<16x8x64xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2] : (tensor<16x8x64xf32>) -> tensor<16x8x64x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<16x8x64x1xf32>) -> tensor<16x8x64x64xf32>
    %52 = stablehlo.subtract %46#0, %51 : tensor<16x8x64x64xf32>
    %53 = stablehlo.exponential %52 : tensor<16x8x64x64xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<16x8x64x64xf32>, tensor<f32>) -> tensor<16x8x64xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<16x8x64xf32>) -> tensor<16x8x64x1xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<16x8x64x1xf32>) -> tensor<16x8x64x64xf32>
    %57 = stablehlo.divide %53, %56 : tensor<16x8x64x64xf32>
    %58 = stablehlo.multiply %55, %55 : tensor<16x8x64x1xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16x8x64x1xf32>
    %60 = stablehlo.divide %59, %58 : tensor<16x8x64x1xf32>
    %61 = stablehlo.dot_general %38, %57, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x64x8x32xf32>, tensor<16x8x64x64xf32>) -> tensor<16x8x32x64xf32>
    %62 = stablehlo.transpose %61, dims = [0, 3, 1, 2] : (tensor<16x8x32x64xf32>) -> tensor<16x64x8x32xf32>
    %63 = stablehlo.dot_general %62, %arg4, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x8x32xf32>, tensor<8x32x256xf32>) -> tensor<16x64x256xf32>
    %64 = stablehlo.add %7, %63 : tensor<16x64x256xf32>
    %65 = sdy.sharding_constraint %64 <@mesh, [{"data"}, {}, {}]> : tensor<16x64x256xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_14 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %69 = stablehlo.divide %67, %68 : tensor<16x64x1xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %71 = stablehlo.subtract %65, %70 : tensor<16x64x256xf32>
    %72 = stablehlo.multiply %71, %71 : tensor<16x64x256xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.reduce(%72 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_16 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %76 = stablehlo.divide %74, %75 : tensor<16x64x1xf32>
    %cst_17 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %78 = stablehlo.add %76, %77 : tensor<16x64x1xf32>
    %79 = stablehlo.rsqrt %78 : tensor<16x64x1xf32>
    %80 = stablehlo.divide %79, %78 : tensor<16x64x1xf32>
    %cst_18 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %82 = stablehlo.multiply %81, %80 : tensor<16x64x1xf32>
    %83 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %84 = stablehlo.multiply %71, %83 : tensor<16x64x256xf32>
    %85 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<16x64x256xf32>
    %87 = stablehlo.multiply %84, %86 : tensor<16x64x256xf32>
    %88 = stablehlo.dot_general %87, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<256x1024xf32>) -> tensor<16x64x1024xf32>
    %89 = stablehlo.multiply %88, %88 : tensor<16x64x1024xf32>
    %90 = stablehlo.multiply %89, %88 : tensor<16x64x1024xf32>
    %91 = stablehlo.multiply %88, %88 : tensor<16x64x1024xf32>
    %cst_19 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %93 = stablehlo.multiply %92, %91 : tensor<16x64x1024xf32>
    %cst_20 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %95 = stablehlo.multiply %94, %90 : tensor<16x64x1024xf32>
    %96 = stablehlo.add %88, %95 : tensor<16x64x1024xf32>
    %cst_21 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %98 = stablehlo.multiply %97, %96 : tensor<16x64x1024xf32>
    %99 = stablehlo.tanh %98 : tensor<16x64x1024xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %101 = stablehlo.subtract %100, %99 : tensor<16x64x1024xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %103 = stablehlo.add %102, %99 : tensor<16x64x1024xf32>
    %cst_24 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<16x64x1024xf32>
    %106 = stablehlo.multiply %88, %105 : tensor<16x64x1024xf32>
    %107 = stablehlo.dot_general %106, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x1024xf32>, tensor<1024x256xf32>) -> tensor<16x64x256xf32>
    %108 = stablehlo.add %65, %107 : tensor<16x64x256xf32>
    %109 = sdy.sharding_constraint %108 <@mesh, [{"data"}, {}, {}]> : tensor<16x64x256xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%109 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_26 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %113 = stablehlo.divide %111, %112 : tensor<16x64x1xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %115 = stablehlo.subtract %109, %114 : tensor<16x64x256xf32>
    %116 = stablehlo.multiply %115, %115 : tensor<16x64x256xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.reduce(%116 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_28 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %120 = stablehlo.divide %118, %119 : tensor<16x64x1xf32>
    %cst_29 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %122 = stablehlo.add %120, %121 : tensor<16x64x1xf32>
    %123 = stablehlo.rsqrt %122 : tensor<16x64x1xf32>
    %124 = stablehlo.divide %123, %122 : tensor<16x64x1xf32>
    %cst_30 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %126 = stablehlo.multiply %125, %124 : tensor<16x64x1xf32>
    %127 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %128 = stablehlo.multiply %115, %127 : tensor<16x64x256xf32>
    %129 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<16x64x256xf32>
    %131 = stablehlo.multiply %128, %130 : tensor<16x64x256xf32>
    %132 = stablehlo.dot_general %arg11, %131, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<256x3x8x32xf32>, tensor<16x64x256xf32>) -> tensor<3x8x32x16x64xf32>
    %133 = stablehlo.transpose %132, dims = [3, 0, 4, 1, 2] : (tensor<3x8x32x16x64xf32>) -> tensor<16x3x64x8x32xf32>
    %134 = stablehlo.transpose %133, dims = [1, 0, 2, 3, 4] : (tensor<16x3x64x8x32xf32>) -> tensor<3x16x64x8x32xf32>
    %135 = stablehlo.slice %134 [0:1, 0:16, 0:64, 0:8, 0:32] : (tensor<3x16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %136 = stablehlo.reshape %135 : (tensor<1x16x64x8x32xf32>) -> tensor<16x64x8x32xf32>
    %137 = stablehlo.slice %134 [1:2, 0:16, 0:64, 0:8, 0:32] : (tensor<3x16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %138 = stablehlo.reshape %137 : (tensor<1x16x64x8x32xf32>) -> tensor<16x64x8x32xf32>
    %139 = stablehlo.slice %134 [2:3, 0:16, 0:64, 0:8, 0:32] : (tensor<3x16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %140 = stablehlo.reshape %139 : (tensor<1x16x64x8x32xf32>) -> tensor<16x64x8x32xf32>
    %141 = stablehlo.dot_general %136, %138, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x64x8x32xf32>, tensor<16x64x8x32xf32>) -> tensor<16x8x64x64xf32>
    %cst_31 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %142 = stablehlo.sqrt %cst_31 : tensor<f32>
    %143 = stablehlo.convert %142 : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [] : (tensor<f32>) -> tensor<16x8x64x64xf32>
    %145 = stablehlo.divide %141, %144 : tensor<16x8x64x64xf32>
    %c_32 = stablehlo.constant dense<true> : tensor<i1>
    %146 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i1>) -> tensor<64x64xi1>
    %147 = call @tril(%146) : (tensor<64x64xi1>) -> tensor<64x64xi1>
    %cst_33 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %148:2 = call @_where(%147, %145, %cst_33) : (tensor<64x64xi1>, tensor<16x8x64x64xf32>, tensor<f32>) -> (tensor<16x8x64x64xf32>, tensor<16x8x64x64xi1>)
    %cst_34 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %149 = stablehlo.reduce(%148#0 init: %cst_34) applies stablehlo.maximum across dimensions = [3] : (tensor<16x8x64x64xf32>, tensor<f32>) -> tensor<16x8x64xf32>
    %cst_35 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<16x8x64xf32>
    %151 = stablehlo.maximum %150, %149 : tensor<16x8x64xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2] : (tensor<16x8x64xf32>) -> tensor<16x8x64x1xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2, 3] : (tensor<16x8x64x1xf32>) -> tensor<16x8x64x64xf32>
    %154 = stablehlo.subtract %148#0, %153 : tensor<16x8x64x64xf32>
    %155 = stablehlo.exponential %154 : tensor<16x8x64x64xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %156 = stablehlo.reduce(%155 init: %cst_36) applies stablehlo.add across dimensions = [3] : (tensor<16x8x64x64xf32>, tensor<f32>) -> tensor<16x8x64xf32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [0, 1, 2] : (tensor<16x8x64xf32>) -> tensor<16x8x64x1xf32>
    %158 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2, 3] : (tensor<16x8x64x1xf32>) -> tensor<16x8x64x64xf32>
    %159 = stablehlo.divide %155, %158 : tensor<16x8x64x64xf32>
    %160 = stablehlo.multiply %157, %157 : tensor<16x8x64x1xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<16x8x64x1xf32>
    %162 = stablehlo.divide %161, %160 : tensor<16x8x64x1xf32>
    %163 = stablehlo.dot_general %140, %159, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x64x8x32xf32>, tensor<16x8x64x64xf32>) -> tensor<16x8x32x64xf32>
    %164 = stablehlo.transpose %163, dims = [0, 3, 1, 2] : (tensor<16x8x32x64xf32>) -> tensor<16x64x8x32xf32>
    %165 = stablehlo.dot_general %164, %arg10, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x8x32xf32>, tensor<8x32x256xf32>) -> tensor<16x64x256xf32>
    %166 = stablehlo.add %109, %165 : tensor<16x64x256xf32>
    %167 = sdy.sharding_constraint %166 <@mesh, [{"data"}, {}, {}]> : tensor<16x64x256xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.reduce(%167 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %169 = stablehlo.broadcast_in_dim %168, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_39 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %171 = stablehlo.divide %169, %170 : tensor<16x64x1xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %173 = stablehlo.subtract %167, %172 : tensor<16x64x256xf32>
    %174 = stablehlo.multiply %173, %173 : tensor<16x64x256xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %175 = stablehlo.reduce(%174 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_41 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %178 = stablehlo.divide %176, %177 : tensor<16x64x1xf32>
    %cst_42 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %180 = stablehlo.add %178, %179 : tensor<16x64x1xf32>
    %181 = stablehlo.rsqrt %180 : tensor<16x64x1xf32>
    %182 = stablehlo.divide %181, %180 : tensor<16x64x1xf32>
    %cst_43 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %184 = stablehlo.multiply %183, %182 : tensor<16x64x1xf32>
    %185 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %186 = stablehlo.multiply %173, %185 : tensor<16x64x256xf32>
    %187 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %188 = stablehlo.broadcast_in_dim %187, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<16x64x256xf32>
    %189 = stablehlo.multiply %186, %188 : tensor<16x64x256xf32>
    %190 = stablehlo.dot_general %189, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<256x1024xf32>) -> tensor<16x64x1024xf32>
    %191 = stablehlo.multiply %190, %190 : tensor<16x64x1024xf32>
    %192 = stablehlo.multiply %191, %190 : tensor<16x64x1024xf32>
    %193 = stablehlo.multiply %190, %190 : tensor<16x64x1024xf32>
    %cst_44 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %195 = stablehlo.multiply %194, %193 : tensor<16x64x1024xf32>
    %cst_45 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %197 = stablehlo.multiply %196, %192 : tensor<16x64x1024xf32>
    %198 = stablehlo.add %190, %197 : tensor<16x64x1024xf32>
    %cst_46 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %200 = stablehlo.multiply %199, %198 : tensor<16x64x1024xf32>
    %201 = stablehlo.tanh %200 : tensor<16x64x1024xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %203 = stablehlo.subtract %202, %201 : tensor<16x64x1024xf32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %205 = stablehlo.add %204, %201 : tensor<16x64x1024xf32>
    %cst_49 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %207 = stablehlo.multiply %206, %205 : tensor<16x64x1024xf32>
    %208 = stablehlo.multiply %190, %207 : tensor<16x64x1024xf32>
    %209 = stablehlo.dot_general %208, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x1024xf32>, tensor<1024x256xf32>) -> tensor<16x64x256xf32>
    %210 = stablehlo.add %167, %209 : tensor<16x64x256xf32>
    %211 = sdy.sharding_constraint %210 <@mesh, [{"data"}, {}, {}]> : tensor<16x64x256xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %212 = stablehlo.reduce(%211 init: %cst_50) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_51 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %215 = stablehlo.divide %213, %214 : tensor<16x64x1xf32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %217 = stablehlo.subtract %211, %216 : tensor<16x64x256xf32>
    %218 = stablehlo.multiply %217, %217 : tensor<16x64x256xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %219 = stablehlo.reduce(%218 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_53 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %222 = stablehlo.divide %220, %221 : tensor<16x64x1xf32>
    %cst_54 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %224 = stablehlo.add %222, %223 : tensor<16x64x1xf32>
    %225 = stablehlo.rsqrt %224 : tensor<16x64x1xf32>
    %226 = stablehlo.divide %225, %224 : tensor<16x64x1xf32>
    %cst_55 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %228 = stablehlo.multiply %227, %226 : tensor<16x64x1xf32>
    %229 = stablehlo.broadcast_in_dim %225, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %230 = stablehlo.multiply %217, %229 : tensor<16x64x256xf32>
    %231 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %232 = stablehlo.broadcast_in_dim %231, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<16x64x256xf32>
    %233 = stablehlo.multiply %230, %232 : tensor<16x64x256xf32>
    %234 = stablehlo.dot_general %233, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<1024x256xf32>) -> tensor<16x64x1024xf32>
    %235:3 = call @log_softmax(%234) : (tensor<16x64x1024xf32>) -> (tensor<16x64x1024xf32>, tensor<16x64x1024xf32>, tensor<16x64x1xf32>)
    %236 = stablehlo.broadcast_in_dim %arg43, dims = [0, 1] : (tensor<16x64xi32>) -> tensor<16x64x1xi32>
    %237:2 = call @take_along_axis(%235#0, %236) : (tensor<16x64x1024xf32>, tensor<16x64x1xi32>) -> (tensor<16x64x1xf32>, tensor<16x64x1x1xi32>)
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %238 = stablehlo.reduce(%237#0 init: %cst_56) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_57 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %239 = stablehlo.divide %238, %cst_57 : tensor<f32>
    %240 = stablehlo.negate %239 : tensor<f32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %241 = stablehlo.negate %cst_58 : tensor<f32>
    %cst_59 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %242 = stablehlo.divide %241, %cst_59 : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %244 = call @take_along_axis_0(%237#1, %243) : (tensor<16x64x1x1xi32>, tensor<16x64x1xf32>) -> tensor<16x64x1024xf32>
    %245 = call @log_softmax_1(%235#1, %235#2, %244) : (tensor<16x64x1024xf32>, tensor<16x64x1xf32>, tensor<16x64x1024xf32>) -> tensor<16x64x1024xf32>
    %246 = stablehlo.dot_general %245, %233, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x1024xf32>, tensor<16x64x256xf32>) -> tensor<1024x256xf32>
    %247 = stablehlo.dot_general %245, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x1024xf32>, tensor<1024x256xf32>) -> tensor<16x64x256xf32>
    %248 = stablehlo.multiply %230, %247 : tensor<16x64x256xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %249 = stablehlo.reduce(%248 init: %cst_60) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<256xf32>
    %250 = stablehlo.reshape %249 : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %251 = stablehlo.broadcast_in_dim %231, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<16x64x256xf32>
    %252 = stablehlo.multiply %247, %251 : tensor<16x64x256xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.reduce(%250 init: %cst_61) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %254 = stablehlo.multiply %217, %252 : tensor<16x64x256xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %255 = stablehlo.reduce(%254 init: %cst_62) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %256 = stablehlo.reshape %255 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %257 = stablehlo.broadcast_in_dim %225, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %258 = stablehlo.multiply %252, %257 : tensor<16x64x256xf32>
    %259 = stablehlo.multiply %256, %228 : tensor<16x64x1xf32>
    %cst_63 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %261 = stablehlo.divide %259, %260 : tensor<16x64x1xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %262 = stablehlo.reduce(%261 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x256xf32>
    %264 = stablehlo.multiply %217, %263 : tensor<16x64x256xf32>
    %265 = stablehlo.add %258, %264 : tensor<16x64x256xf32>
    %266 = stablehlo.multiply %263, %217 : tensor<16x64x256xf32>
    %267 = stablehlo.add %265, %266 : tensor<16x64x256xf32>
    %268 = stablehlo.negate %267 : tensor<16x64x256xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %269 = stablehlo.reduce(%268 init: %cst_65) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %270 = stablehlo.reshape %269 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %cst_66 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %272 = stablehlo.divide %270, %271 : tensor<16x64x1xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %273 = stablehlo.reduce(%272 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %274 = stablehlo.broadcast_in_dim %273, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x256xf32>
    %275 = stablehlo.add %267, %274 : tensor<16x64x256xf32>
    %276 = sdy.sharding_constraint %275 <@mesh, [{"data"}, {}, {}]> : tensor<16x64x256xf32>
    %277 = stablehlo.dot_general %276, %208, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<16x64x1024xf32>) -> tensor<256x1024xf32>
    %278 = stablehlo.transpose %277, dims = [1, 0] : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %279 = stablehlo.dot_general %276, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<1024x256xf32>) -> tensor<16x64x1024xf32>
    %280 = stablehlo.multiply %190, %279 : tensor<16x64x1024xf32>
    %281 = stablehlo.multiply %279, %207 : tensor<16x64x1024xf32>
    %cst_68 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %282 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %283 = stablehlo.multiply %282, %280 : tensor<16x64x1024xf32>
    %284 = stablehlo.multiply %283, %203 : tensor<16x64x1024xf32>
    %285 = stablehlo.multiply %284, %201 : tensor<16x64x1024xf32>
    %286 = stablehlo.add %284, %285 : tensor<16x64x1024xf32>
    %cst_69 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %288 = stablehlo.multiply %287, %286 : tensor<16x64x1024xf32>
    %289 = stablehlo.add %281, %288 : tensor<16x64x1024xf32>
    %cst_70 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %291 = stablehlo.multiply %290, %288 : tensor<16x64x1024xf32>
    %292 = stablehlo.multiply %291, %195 : tensor<16x64x1024xf32>
    %293 = stablehlo.add %289, %292 : tensor<16x64x1024xf32>
    %294 = stablehlo.dot_general %293, %189, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x1024xf32>, tensor<16x64x256xf32>) -> tensor<1024x256xf32>
    %295 = stablehlo.transpose %294, dims = [1, 0] : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %296 = stablehlo.dot_general %293, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x1024xf32>, tensor<256x1024xf32>) -> tensor<16x64x256xf32>
    %297 = stablehlo.multiply %186, %296 : tensor<16x64x256xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %298 = stablehlo.reduce(%297 init: %cst_71) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<256xf32>
    %299 = stablehlo.reshape %298 : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %300 = stablehlo.broadcast_in_dim %187, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<16x64x256xf32>
    %301 = stablehlo.multiply %296, %300 : tensor<16x64x256xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %302 = stablehlo.reduce(%299 init: %cst_72) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %303 = stablehlo.multiply %173, %301 : tensor<16x64x256xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %304 = stablehlo.reduce(%303 init: %cst_73) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %305 = stablehlo.reshape %304 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %306 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %307 = stablehlo.multiply %301, %306 : tensor<16x64x256xf32>
    %308 = stablehlo.multiply %305, %184 : tensor<16x64x1xf32>
    %cst_74 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %310 = stablehlo.divide %308, %309 : tensor<16x64x1xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %311 = stablehlo.reduce(%310 init: %cst_75) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x256xf32>
    %313 = stablehlo.multiply %173, %312 : tensor<16x64x256xf32>
    %314 = stablehlo.add %307, %313 : tensor<16x64x256xf32>
    %315 = stablehlo.multiply %312, %173 : tensor<16x64x256xf32>
    %316 = stablehlo.add %314, %315 : tensor<16x64x256xf32>
    %317 = stablehlo.negate %316 : tensor<16x64x256xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %318 = stablehlo.reduce(%317 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %319 = stablehlo.reshape %318 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %320 = stablehlo.add %276, %316 : tensor<16x64x256xf32>
    %cst_77 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %322 = stablehlo.divide %319, %321 : tensor<16x64x1xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %323 = stablehlo.reduce(%322 init: %cst_78) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %324 = stablehlo.broadcast_in_dim %323, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x256xf32>
    %325 = stablehlo.add %320, %324 : tensor<16x64x256xf32>
    %326 = sdy.sharding_constraint %325 <@mesh, [{"data"}, {}, {}]> : tensor<16x64x256xf32>
    %327 = stablehlo.dot_general %326, %164, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<16x64x8x32xf32>) -> tensor<256x8x32xf32>
    %328 = stablehlo.transpose %327, dims = [1, 2, 0] : (tensor<256x8x32xf32>) -> tensor<8x32x256xf32>
    %329 = stablehlo.dot_general %326, %arg10, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<8x32x256xf32>) -> tensor<16x64x8x32xf32>
    %330 = stablehlo.transpose %329, dims = [0, 2, 3, 1] : (tensor<16x64x8x32xf32>) -> tensor<16x8x32x64xf32>
    %331 = stablehlo.dot_general %330, %140, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x8x32x64xf32>, tensor<16x64x8x32xf32>) -> tensor<16x8x64x64xf32>
    %332 = stablehlo.dot_general %330, %159, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x8x32x64xf32>, tensor<16x8x64x64xf32>) -> tensor<16x8x32x64xf32>
    %333 = stablehlo.transpose %332, dims = [0, 3, 1, 2] : (tensor<16x8x32x64xf32>) -> tensor<16x64x8x32xf32>
    %334 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2, 3] : (tensor<16x8x64x1xf32>) -> tensor<16x8x64x64xf32>
    %335 = stablehlo.multiply %331, %334 : tensor<16x8x64x64xf32>
    %336 = stablehlo.multiply %335, %155 : tensor<16x8x64x64xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %337 = stablehlo.reduce(%336 init: %cst_79) applies stablehlo.add across dimensions = [3] : (tensor<16x8x64x64xf32>, tensor<f32>) -> tensor<16x8x64xf32>
    %338 = stablehlo.reshape %337 : (tensor<16x8x64xf32>) -> tensor<16x8x64x1xf32>
    %339 = stablehlo.negate %338 : tensor<16x8x64x1xf32>
    %340 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2, 3] : (tensor<16x8x64x1xf32>) -> tensor<16x8x64x64xf32>
    %341 = stablehlo.divide %331, %340 : tensor<16x8x64x64xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %342 = stablehlo.reduce(%339 init: %cst_80) applies stablehlo.add across dimensions = [3] : (tensor<16x8x64x1xf32>, tensor<f32>) -> tensor<16x8x64xf32>
    %343 = stablehlo.broadcast_in_dim %342, dims = [0, 1, 2] : (tensor<16x8x64xf32>) -> tensor<16x8x64x64xf32>
    %344 = stablehlo.add %341, %343 : tensor<16x8x64x64xf32>
    %345 = stablehlo.multiply %344, %155 : tensor<16x8x64x64xf32>
    %346 = call @_where_2(%148#1, %345) : (tensor<16x8x64x64xi1>, tensor<16x8x64x64xf32>) -> tensor<16x8x64x64xf32>
    %347 = stablehlo.broadcast_in_dim %143, dims = [] : (tensor<f32>) -> tensor<16x8x64x64xf32>
    %348 = stablehlo.divide %346, %347 : tensor<16x8x64x64xf32>
    %349 = stablehlo.dot_general %348, %136, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x64x64xf32>, tensor<16x64x8x32xf32>) -> tensor<16x8x64x32xf32>
    %350 = stablehlo.transpose %349, dims = [0, 2, 1, 3] : (tensor<16x8x64x32xf32>) -> tensor<16x64x8x32xf32>
    %351 = stablehlo.dot_general %348, %138, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x64x64xf32>, tensor<16x64x8x32xf32>) -> tensor<16x8x64x32xf32>
    %352 = stablehlo.transpose %351, dims = [0, 2, 1, 3] : (tensor<16x8x64x32xf32>) -> tensor<16x64x8x32xf32>
    %353 = stablehlo.broadcast_in_dim %333, dims = [1, 2, 3, 4] : (tensor<16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %354 = stablehlo.pad %353, %cst_81, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x16x64x8x32xf32>, tensor<f32>) -> tensor<3x16x64x8x32xf32>
    %355 = stablehlo.broadcast_in_dim %350, dims = [1, 2, 3, 4] : (tensor<16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %356 = stablehlo.pad %355, %cst_82, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x16x64x8x32xf32>, tensor<f32>) -> tensor<3x16x64x8x32xf32>
    %357 = stablehlo.add %354, %356 : tensor<3x16x64x8x32xf32>
    %358 = stablehlo.broadcast_in_dim %352, dims = [1, 2, 3, 4] : (tensor<16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %359 = stablehlo.pad %358, %cst_83, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x16x64x8x32xf32>, tensor<f32>) -> tensor<3x16x64x8x32xf32>
    %360 = stablehlo.add %357, %359 : tensor<3x16x64x8x32xf32>
    %361 = stablehlo.transpose %360, dims = [1, 0, 2, 3, 4] : (tensor<3x16x64x8x32xf32>) -> tensor<16x3x64x8x32xf32>
    %362 = stablehlo.transpose %361, dims = [1, 3, 4, 0, 2] : (tensor<16x3x64x8x32xf32>) -> tensor<3x8x32x16x64xf32>
    %363 = stablehlo.dot_general %362, %arg11, contracting_dims = [0, 1, 2] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<3x8x32x16x64xf32>, tensor<256x3x8x32xf32>) -> tensor<16x64x256xf32>
    %364 = stablehlo.dot_general %362, %131, contracting_dims = [3, 4] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<3x8x32x16x64xf32>, tensor<16x64x256xf32>) -> tensor<3x8x32x256xf32>
    %365 = stablehlo.transpose %364, dims = [3, 0, 1, 2] : (tensor<3x8x32x256xf32>) -> tensor<256x3x8x32xf32>
    %366 = stablehlo.multiply %128, %363 : tensor<16x64x256xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %367 = stablehlo.reduce(%366 init: %cst_84) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<256xf32>
    %368 = stablehlo.reshape %367 : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %369 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<16x64x256xf32>
    %370 = stablehlo.multiply %363, %369 : tensor<16x64x256xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %371 = stablehlo.reduce(%368 init: %cst_85) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %372 = stablehlo.multiply %115, %370 : tensor<16x64x256xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %373 = stablehlo.reduce(%372 init: %cst_86) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %374 = stablehlo.reshape %373 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %375 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %376 = stablehlo.multiply %370, %375 : tensor<16x64x256xf32>
    %377 = stablehlo.multiply %374, %126 : tensor<16x64x1xf32>
    %cst_87 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %378 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %379 = stablehlo.divide %377, %378 : tensor<16x64x1xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %380 = stablehlo.reduce(%379 init: %cst_88) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %381 = stablehlo.broadcast_in_dim %380, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x256xf32>
    %382 = stablehlo.multiply %115, %381 : tensor<16x64x256xf32>
    %383 = stablehlo.add %376, %382 : tensor<16x64x256xf32>
    %384 = stablehlo.multiply %381, %115 : tensor<16x64x256xf32>
    %385 = stablehlo.add %383, %384 : tensor<16x64x256xf32>
    %386 = stablehlo.negate %385 : tensor<16x64x256xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %387 = stablehlo.reduce(%386 init: %cst_89) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %388 = stablehlo.reshape %387 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %389 = stablehlo.add %326, %385 : tensor<16x64x256xf32>
    %cst_90 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %390 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %391 = stablehlo.divide %388, %390 : tensor<16x64x1xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %392 = stablehlo.reduce(%391 init: %cst_91) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %393 = stablehlo.broadcast_in_dim %392, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x256xf32>
    %394 = stablehlo.add %389, %393 : tensor<16x64x256xf32>
    %395 = sdy.sharding_constraint %394 <@mesh, [{"data"}, {}, {}]> : tensor<16x64x256xf32>
    %396 = stablehlo.dot_general %395, %106, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<16x64x1024xf32>) -> tensor<256x1024xf32>
    %397 = stablehlo.transpose %396, dims = [1, 0] : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %398 = stablehlo.dot_general %395, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<1024x256xf32>) -> tensor<16x64x1024xf32>
    %399 = stablehlo.multiply %88, %398 : tensor<16x64x1024xf32>
    %400 = stablehlo.multiply %398, %105 : tensor<16x64x1024xf32>
    %cst_92 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %401 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %402 = stablehlo.multiply %401, %399 : tensor<16x64x1024xf32>
    %403 = stablehlo.multiply %402, %101 : tensor<16x64x1024xf32>
    %404 = stablehlo.multiply %403, %99 : tensor<16x64x1024xf32>
    %405 = stablehlo.add %403, %404 : tensor<16x64x1024xf32>
    %cst_93 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %406 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %407 = stablehlo.multiply %406, %405 : tensor<16x64x1024xf32>
    %408 = stablehlo.add %400, %407 : tensor<16x64x1024xf32>
    %cst_94 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %409 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %410 = stablehlo.multiply %409, %407 : tensor<16x64x1024xf32>
    %411 = stablehlo.multiply %410, %93 : tensor<16x64x1024xf32>
    %412 = stablehlo.add %408, %411 : tensor<16x64x1024xf32>
    %413 = stablehlo.dot_general %412, %87, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x1024xf32>, tensor<16x64x256xf32>) -> tensor<1024x256xf32>
    %414 = stablehlo.transpose %413, dims = [1, 0] : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %415 = stablehlo.dot_general %412, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x1024xf32>, tensor<256x1024xf32>) -> tensor<16x64x256xf32>
    %416 = stablehlo.multiply %84, %415 : tensor<16x64x256xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %417 = stablehlo.reduce(%416 init: %cst_95) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<256xf32>
    %418 = stablehlo.reshape %417 : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %419 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<16x64x256xf32>
    %420 = stablehlo.multiply %415, %419 : tensor<16x64x256xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %421 = stablehlo.reduce(%418 init: %cst_96) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %422 = stablehlo.multiply %71, %420 : tensor<16x64x256xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %423 = stablehlo.reduce(%422 init: %cst_97) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %424 = stablehlo.reshape %423 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %425 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %426 = stablehlo.multiply %420, %425 : tensor<16x64x256xf32>
    %427 = stablehlo.multiply %424, %82 : tensor<16x64x1xf32>
    %cst_98 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %429 = stablehlo.divide %427, %428 : tensor<16x64x1xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %430 = stablehlo.reduce(%429 init: %cst_99) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %431 = stablehlo.broadcast_in_dim %430, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x256xf32>
    %432 = stablehlo.multiply %71, %431 : tensor<16x64x256xf32>
    %433 = stablehlo.add %426, %432 : tensor<16x64x256xf32>
    %434 = stablehlo.multiply %431, %71 : tensor<16x64x256xf32>
    %435 = stablehlo.add %433, %434 : tensor<16x64x256xf32>
    %436 = stablehlo.negate %435 : tensor<16x64x256xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %437 = stablehlo.reduce(%436 init: %cst_100) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %438 = stablehlo.reshape %437 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %439 = stablehlo.add %395, %435 : tensor<16x64x256xf32>
    %cst_101 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %440 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %441 = stablehlo.divide %438, %440 : tensor<16x64x1xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %442 = stablehlo.reduce(%441 init: %cst_102) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %443 = stablehlo.broadcast_in_dim %442, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x256xf32>
    %444 = stablehlo.add %439, %443 : tensor<16x64x256xf32>
    %445 = sdy.sharding_constraint %444 <@mesh, [{"data"}, {}, {}]> : tensor<16x64x256xf32>
    %446 = stablehlo.dot_general %445, %62, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<16x64x8x32xf32>) -> tensor<256x8x32xf32>
    %447 = stablehlo.transpose %446, dims = [1, 2, 0] : (tensor<256x8x32xf32>) -> tensor<8x32x256xf32>
    %448 = stablehlo.dot_general %445, %arg4, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x64x256xf32>, tensor<8x32x256xf32>) -> tensor<16x64x8x32xf32>
    %449 = stablehlo.transpose %448, dims = [0, 2, 3, 1] : (tensor<16x64x8x32xf32>) -> tensor<16x8x32x64xf32>
    %450 = stablehlo.dot_general %449, %38, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x8x32x64xf32>, tensor<16x64x8x32xf32>) -> tensor<16x8x64x64xf32>
    %451 = stablehlo.dot_general %449, %57, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x8x32x64xf32>, tensor<16x8x64x64xf32>) -> tensor<16x8x32x64xf32>
    %452 = stablehlo.transpose %451, dims = [0, 3, 1, 2] : (tensor<16x8x32x64xf32>) -> tensor<16x64x8x32xf32>
    %453 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<16x8x64x1xf32>) -> tensor<16x8x64x64xf32>
    %454 = stablehlo.multiply %450, %453 : tensor<16x8x64x64xf32>
    %455 = stablehlo.multiply %454, %53 : tensor<16x8x64x64xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %456 = stablehlo.reduce(%455 init: %cst_103) applies stablehlo.add across dimensions = [3] : (tensor<16x8x64x64xf32>, tensor<f32>) -> tensor<16x8x64xf32>
    %457 = stablehlo.reshape %456 : (tensor<16x8x64xf32>) -> tensor<16x8x64x1xf32>
    %458 = stablehlo.negate %457 : tensor<16x8x64x1xf32>
    %459 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<16x8x64x1xf32>) -> tensor<16x8x64x64xf32>
    %460 = stablehlo.divide %450, %459 : tensor<16x8x64x64xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %461 = stablehlo.reduce(%458 init: %cst_104) applies stablehlo.add across dimensions = [3] : (tensor<16x8x64x1xf32>, tensor<f32>) -> tensor<16x8x64xf32>
    %462 = stablehlo.broadcast_in_dim %461, dims = [0, 1, 2] : (tensor<16x8x64xf32>) -> tensor<16x8x64x64xf32>
    %463 = stablehlo.add %460, %462 : tensor<16x8x64x64xf32>
    %464 = stablehlo.multiply %463, %53 : tensor<16x8x64x64xf32>
    %465 = call @_where_2(%46#1, %464) : (tensor<16x8x64x64xi1>, tensor<16x8x64x64xf32>) -> tensor<16x8x64x64xf32>
    %466 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<16x8x64x64xf32>
    %467 = stablehlo.divide %465, %466 : tensor<16x8x64x64xf32>
    %468 = stablehlo.dot_general %467, %34, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x64x64xf32>, tensor<16x64x8x32xf32>) -> tensor<16x8x64x32xf32>
    %469 = stablehlo.transpose %468, dims = [0, 2, 1, 3] : (tensor<16x8x64x32xf32>) -> tensor<16x64x8x32xf32>
    %470 = stablehlo.dot_general %467, %36, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x64x64xf32>, tensor<16x64x8x32xf32>) -> tensor<16x8x64x32xf32>
    %471 = stablehlo.transpose %470, dims = [0, 2, 1, 3] : (tensor<16x8x64x32xf32>) -> tensor<16x64x8x32xf32>
    %472 = stablehlo.broadcast_in_dim %452, dims = [1, 2, 3, 4] : (tensor<16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %473 = stablehlo.pad %472, %cst_105, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x16x64x8x32xf32>, tensor<f32>) -> tensor<3x16x64x8x32xf32>
    %474 = stablehlo.broadcast_in_dim %469, dims = [1, 2, 3, 4] : (tensor<16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %475 = stablehlo.pad %474, %cst_106, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x16x64x8x32xf32>, tensor<f32>) -> tensor<3x16x64x8x32xf32>
    %476 = stablehlo.add %473, %475 : tensor<3x16x64x8x32xf32>
    %477 = stablehlo.broadcast_in_dim %471, dims = [1, 2, 3, 4] : (tensor<16x64x8x32xf32>) -> tensor<1x16x64x8x32xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %478 = stablehlo.pad %477, %cst_107, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x16x64x8x32xf32>, tensor<f32>) -> tensor<3x16x64x8x32xf32>
    %479 = stablehlo.add %476, %478 : tensor<3x16x64x8x32xf32>
    %480 = stablehlo.transpose %479, dims = [1, 0, 2, 3, 4] : (tensor<3x16x64x8x32xf32>) -> tensor<16x3x64x8x32xf32>
    %481 = stablehlo.transpose %480, dims = [1, 3, 4, 0, 2] : (tensor<16x3x64x8x32xf32>) -> tensor<3x8x32x16x64xf32>
    %482 = stablehlo.dot_general %481, %arg5, contracting_dims = [0, 1, 2] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<3x8x32x16x64xf32>, tensor<256x3x8x32xf32>) -> tensor<16x64x256xf32>
    %483 = stablehlo.dot_general %481, %29, contracting_dims = [3, 4] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<3x8x32x16x64xf32>, tensor<16x64x256xf32>) -> tensor<3x8x32x256xf32>
    %484 = stablehlo.transpose %483, dims = [3, 0, 1, 2] : (tensor<3x8x32x256xf32>) -> tensor<256x3x8x32xf32>
    %485 = stablehlo.multiply %26, %482 : tensor<16x64x256xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %486 = stablehlo.reduce(%485 init: %cst_108) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<256xf32>
    %487 = stablehlo.reshape %486 : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %488 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<16x64x256xf32>
    %489 = stablehlo.multiply %482, %488 : tensor<16x64x256xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %490 = stablehlo.reduce(%487 init: %cst_109) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %491 = stablehlo.multiply %13, %489 : tensor<16x64x256xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %492 = stablehlo.reduce(%491 init: %cst_110) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %493 = stablehlo.reshape %492 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %494 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
    %495 = stablehlo.multiply %489, %494 : tensor<16x64x256xf32>
    %496 = stablehlo.multiply %493, %24 : tensor<16x64x1xf32>
    %cst_111 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %497 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %498 = stablehlo.divide %496, %497 : tensor<16x64x1xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %499 = stablehlo.reduce(%498 init: %cst_112) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %500 = stablehlo.broadcast_in_dim %499, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x256xf32>
    %501 = stablehlo.multiply %13, %500 : tensor<16x64x256xf32>
    %502 = stablehlo.add %495, %501 : tensor<16x64x256xf32>
    %503 = stablehlo.multiply %500, %13 : tensor<16x64x256xf32>
    %504 = stablehlo.add %502, %503 : tensor<16x64x256xf32>
    %505 = stablehlo.negate %504 : tensor<16x64x256xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %506 = stablehlo.reduce(%505 init: %cst_113) applies stablehlo.add across dimensions = [2] : (tensor<16x64x256xf32>, tensor<f32>) -> tensor<16x64xf32>
    %507 = stablehlo.reshape %506 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %508 = stablehlo.add %445, %504 : tensor<16x64x256xf32>
    %cst_114 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %509 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %510 = stablehlo.divide %507, %509 : tensor<16x64x1xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %511 = stablehlo.reduce(%510 init: %cst_115) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %512 = stablehlo.broadcast_in_dim %511, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x256xf32>
    %513 = stablehlo.add %508, %512 : tensor<16x64x256xf32>
    %514 = sdy.sharding_constraint %513 <@mesh, [{"data"}, {}, {}]> : tensor<16x64x256xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %515 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %516 = "stablehlo.scatter"(%515, %5, %514) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %770 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %770 : tensor<f32>
    }) : (tensor<1024x256xf32>, tensor<16x64x1xi32>, tensor<16x64x256xf32>) -> tensor<1024x256xf32>
    %517 = stablehlo.add %246, %516 : tensor<1024x256xf32>
    %cst_117 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %518 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %519 = stablehlo.multiply %518, %arg14 : tensor<1024x256xf32>
    %cst_118 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %520 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %521 = stablehlo.multiply %520, %517 : tensor<1024x256xf32>
    %522 = stablehlo.add %519, %521 : tensor<1024x256xf32>
    %cst_119 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %523 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %524 = stablehlo.multiply %523, %arg28 : tensor<1024x256xf32>
    %cst_120 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %525 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %526 = stablehlo.multiply %525, %517 : tensor<1024x256xf32>
    %527 = stablehlo.multiply %526, %517 : tensor<1024x256xf32>
    %528 = stablehlo.add %524, %527 : tensor<1024x256xf32>
    %cst_121 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %529 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %530 = stablehlo.multiply %529, %522 : tensor<1024x256xf32>
    %531 = stablehlo.sqrt %528 : tensor<1024x256xf32>
    %cst_122 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %532 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %533 = stablehlo.add %531, %532 : tensor<1024x256xf32>
    %534 = stablehlo.divide %530, %533 : tensor<1024x256xf32>
    %535 = stablehlo.subtract %arg0, %534 : tensor<1024x256xf32>
    %cst_123 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %536 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %537 = stablehlo.multiply %536, %arg15 : tensor<1024x256xf32>
    %cst_124 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %538 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %539 = stablehlo.multiply %538, %397 : tensor<1024x256xf32>
    %540 = stablehlo.add %537, %539 : tensor<1024x256xf32>
    %cst_125 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %541 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %542 = stablehlo.multiply %541, %arg29 : tensor<1024x256xf32>
    %cst_126 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %543 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %544 = stablehlo.multiply %543, %397 : tensor<1024x256xf32>
    %545 = stablehlo.multiply %544, %397 : tensor<1024x256xf32>
    %546 = stablehlo.add %542, %545 : tensor<1024x256xf32>
    %cst_127 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %547 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %548 = stablehlo.multiply %547, %540 : tensor<1024x256xf32>
    %549 = stablehlo.sqrt %546 : tensor<1024x256xf32>
    %cst_128 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %550 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %551 = stablehlo.add %549, %550 : tensor<1024x256xf32>
    %552 = stablehlo.divide %548, %551 : tensor<1024x256xf32>
    %553 = stablehlo.subtract %arg1, %552 : tensor<1024x256xf32>
    %cst_129 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %554 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %555 = stablehlo.multiply %554, %arg16 : tensor<256xf32>
    %cst_130 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %556 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %557 = stablehlo.multiply %556, %490 : tensor<256xf32>
    %558 = stablehlo.add %555, %557 : tensor<256xf32>
    %cst_131 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %559 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %560 = stablehlo.multiply %559, %arg30 : tensor<256xf32>
    %cst_132 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %561 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %562 = stablehlo.multiply %561, %490 : tensor<256xf32>
    %563 = stablehlo.multiply %562, %490 : tensor<256xf32>
    %564 = stablehlo.add %560, %563 : tensor<256xf32>
    %cst_133 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %565 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %566 = stablehlo.multiply %565, %558 : tensor<256xf32>
    %567 = stablehlo.sqrt %564 : tensor<256xf32>
    %cst_134 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %568 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %569 = stablehlo.add %567, %568 : tensor<256xf32>
    %570 = stablehlo.divide %566, %569 : tensor<256xf32>
    %571 = stablehlo.subtract %arg2, %570 : tensor<256xf32>
    %cst_135 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %572 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %573 = stablehlo.multiply %572, %arg17 : tensor<256xf32>
    %cst_136 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %574 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %575 = stablehlo.multiply %574, %421 : tensor<256xf32>
    %576 = stablehlo.add %573, %575 : tensor<256xf32>
    %cst_137 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %577 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %578 = stablehlo.multiply %577, %arg31 : tensor<256xf32>
    %cst_138 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %579 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %580 = stablehlo.multiply %579, %421 : tensor<256xf32>
    %581 = stablehlo.multiply %580, %421 : tensor<256xf32>
    %582 = stablehlo.add %578, %581 : tensor<256xf32>
    %cst_139 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %583 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %584 = stablehlo.multiply %583, %576 : tensor<256xf32>
    %585 = stablehlo.sqrt %582 : tensor<256xf32>
    %cst_140 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %586 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %587 = stablehlo.add %585, %586 : tensor<256xf32>
    %588 = stablehlo.divide %584, %587 : tensor<256xf32>
    %589 = stablehlo.subtract %arg3, %588 : tensor<256xf32>
    %cst_141 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %590 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %591 = stablehlo.multiply %590, %arg18 : tensor<8x32x256xf32>
    %cst_142 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %592 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %593 = stablehlo.multiply %592, %447 : tensor<8x32x256xf32>
    %594 = stablehlo.add %591, %593 : tensor<8x32x256xf32>
    %cst_143 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %595 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %596 = stablehlo.multiply %595, %arg32 : tensor<8x32x256xf32>
    %cst_144 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %597 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %598 = stablehlo.multiply %597, %447 : tensor<8x32x256xf32>
    %599 = stablehlo.multiply %598, %447 : tensor<8x32x256xf32>
    %600 = stablehlo.add %596, %599 : tensor<8x32x256xf32>
    %cst_145 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %601 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %602 = stablehlo.multiply %601, %594 : tensor<8x32x256xf32>
    %603 = stablehlo.sqrt %600 : tensor<8x32x256xf32>
    %cst_146 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %604 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %605 = stablehlo.add %603, %604 : tensor<8x32x256xf32>
    %606 = stablehlo.divide %602, %605 : tensor<8x32x256xf32>
    %607 = stablehlo.subtract %arg4, %606 : tensor<8x32x256xf32>
    %cst_147 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %608 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %609 = stablehlo.multiply %608, %arg19 : tensor<256x3x8x32xf32>
    %cst_148 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %610 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %611 = stablehlo.multiply %610, %484 : tensor<256x3x8x32xf32>
    %612 = stablehlo.add %609, %611 : tensor<256x3x8x32xf32>
    %cst_149 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %613 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %614 = stablehlo.multiply %613, %arg33 : tensor<256x3x8x32xf32>
    %cst_150 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %615 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %616 = stablehlo.multiply %615, %484 : tensor<256x3x8x32xf32>
    %617 = stablehlo.multiply %616, %484 : tensor<256x3x8x32xf32>
    %618 = stablehlo.add %614, %617 : tensor<256x3x8x32xf32>
    %cst_151 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %619 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %620 = stablehlo.multiply %619, %612 : tensor<256x3x8x32xf32>
    %621 = stablehlo.sqrt %618 : tensor<256x3x8x32xf32>
    %cst_152 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %622 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %623 = stablehlo.add %621, %622 : tensor<256x3x8x32xf32>
    %624 = stablehlo.divide %620, %623 : tensor<256x3x8x32xf32>
    %625 = stablehlo.subtract %arg5, %624 : tensor<256x3x8x32xf32>
    %cst_153 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %626 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %627 = stablehlo.multiply %626, %arg20 : tensor<256x1024xf32>
    %cst_154 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %628 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %629 = stablehlo.multiply %628, %414 : tensor<256x1024xf32>
    %630 = stablehlo.add %627, %629 : tensor<256x1024xf32>
    %cst_155 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %631 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %632 = stablehlo.multiply %631, %arg34 : tensor<256x1024xf32>
    %cst_156 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %634 = stablehlo.multiply %633, %414 : tensor<256x1024xf32>
    %635 = stablehlo.multiply %634, %414 : tensor<256x1024xf32>
    %636 = stablehlo.add %632, %635 : tensor<256x1024xf32>
    %cst_157 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %637 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %638 = stablehlo.multiply %637, %630 : tensor<256x1024xf32>
    %639 = stablehlo.sqrt %636 : tensor<256x1024xf32>
    %cst_158 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %640 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %641 = stablehlo.add %639, %640 : tensor<256x1024xf32>
    %642 = stablehlo.divide %638, %641 : tensor<256x1024xf32>
    %643 = stablehlo.subtract %arg6, %642 : tensor<256x1024xf32>
    %cst_159 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %644 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %645 = stablehlo.multiply %644, %arg21 : tensor<1024x256xf32>
    %cst_160 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %646 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %647 = stablehlo.multiply %646, %278 : tensor<1024x256xf32>
    %648 = stablehlo.add %645, %647 : tensor<1024x256xf32>
    %cst_161 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %649 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %650 = stablehlo.multiply %649, %arg35 : tensor<1024x256xf32>
    %cst_162 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %651 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %652 = stablehlo.multiply %651, %278 : tensor<1024x256xf32>
    %653 = stablehlo.multiply %652, %278 : tensor<1024x256xf32>
    %654 = stablehlo.add %650, %653 : tensor<1024x256xf32>
    %cst_163 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %655 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %656 = stablehlo.multiply %655, %648 : tensor<1024x256xf32>
    %657 = stablehlo.sqrt %654 : tensor<1024x256xf32>
    %cst_164 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %658 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %659 = stablehlo.add %657, %658 : tensor<1024x256xf32>
    %660 = stablehlo.divide %656, %659 : tensor<1024x256xf32>
    %661 = stablehlo.subtract %arg7, %660 : tensor<1024x256xf32>
    %cst_165 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %662 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %663 = stablehlo.multiply %662, %arg22 : tensor<256xf32>
    %cst_166 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %664 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %665 = stablehlo.multiply %664, %371 : tensor<256xf32>
    %666 = stablehlo.add %663, %665 : tensor<256xf32>
    %cst_167 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %667 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %668 = stablehlo.multiply %667, %arg36 : tensor<256xf32>
    %cst_168 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %669 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %670 = stablehlo.multiply %669, %371 : tensor<256xf32>
    %671 = stablehlo.multiply %670, %371 : tensor<256xf32>
    %672 = stablehlo.add %668, %671 : tensor<256xf32>
    %cst_169 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %673 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %674 = stablehlo.multiply %673, %666 : tensor<256xf32>
    %675 = stablehlo.sqrt %672 : tensor<256xf32>
    %cst_170 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %676 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %677 = stablehlo.add %675, %676 : tensor<256xf32>
    %678 = stablehlo.divide %674, %677 : tensor<256xf32>
    %679 = stablehlo.subtract %arg8, %678 : tensor<256xf32>
    %cst_171 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %680 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %681 = stablehlo.multiply %680, %arg23 : tensor<256xf32>
    %cst_172 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %682 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %683 = stablehlo.multiply %682, %302 : tensor<256xf32>
    %684 = stablehlo.add %681, %683 : tensor<256xf32>
    %cst_173 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %685 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %686 = stablehlo.multiply %685, %arg37 : tensor<256xf32>
    %cst_174 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %687 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %688 = stablehlo.multiply %687, %302 : tensor<256xf32>
    %689 = stablehlo.multiply %688, %302 : tensor<256xf32>
    %690 = stablehlo.add %686, %689 : tensor<256xf32>
    %cst_175 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %691 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %692 = stablehlo.multiply %691, %684 : tensor<256xf32>
    %693 = stablehlo.sqrt %690 : tensor<256xf32>
    %cst_176 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %694 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %695 = stablehlo.add %693, %694 : tensor<256xf32>
    %696 = stablehlo.divide %692, %695 : tensor<256xf32>
    %697 = stablehlo.subtract %arg9, %696 : tensor<256xf32>
    %cst_177 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %698 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %699 = stablehlo.multiply %698, %arg24 : tensor<8x32x256xf32>
    %cst_178 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %700 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %701 = stablehlo.multiply %700, %328 : tensor<8x32x256xf32>
    %702 = stablehlo.add %699, %701 : tensor<8x32x256xf32>
    %cst_179 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %703 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %704 = stablehlo.multiply %703, %arg38 : tensor<8x32x256xf32>
    %cst_180 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %705 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %706 = stablehlo.multiply %705, %328 : tensor<8x32x256xf32>
    %707 = stablehlo.multiply %706, %328 : tensor<8x32x256xf32>
    %708 = stablehlo.add %704, %707 : tensor<8x32x256xf32>
    %cst_181 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %709 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %710 = stablehlo.multiply %709, %702 : tensor<8x32x256xf32>
    %711 = stablehlo.sqrt %708 : tensor<8x32x256xf32>
    %cst_182 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %712 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<8x32x256xf32>
    %713 = stablehlo.add %711, %712 : tensor<8x32x256xf32>
    %714 = stablehlo.divide %710, %713 : tensor<8x32x256xf32>
    %715 = stablehlo.subtract %arg10, %714 : tensor<8x32x256xf32>
    %cst_183 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %716 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %717 = stablehlo.multiply %716, %arg25 : tensor<256x3x8x32xf32>
    %cst_184 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %718 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %719 = stablehlo.multiply %718, %365 : tensor<256x3x8x32xf32>
    %720 = stablehlo.add %717, %719 : tensor<256x3x8x32xf32>
    %cst_185 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %721 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %722 = stablehlo.multiply %721, %arg39 : tensor<256x3x8x32xf32>
    %cst_186 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %723 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %724 = stablehlo.multiply %723, %365 : tensor<256x3x8x32xf32>
    %725 = stablehlo.multiply %724, %365 : tensor<256x3x8x32xf32>
    %726 = stablehlo.add %722, %725 : tensor<256x3x8x32xf32>
    %cst_187 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %727 = stablehlo.broadcast_in_dim %cst_187, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %728 = stablehlo.multiply %727, %720 : tensor<256x3x8x32xf32>
    %729 = stablehlo.sqrt %726 : tensor<256x3x8x32xf32>
    %cst_188 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %730 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<256x3x8x32xf32>
    %731 = stablehlo.add %729, %730 : tensor<256x3x8x32xf32>
    %732 = stablehlo.divide %728, %731 : tensor<256x3x8x32xf32>
    %733 = stablehlo.subtract %arg11, %732 : tensor<256x3x8x32xf32>
    %cst_189 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %734 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %735 = stablehlo.multiply %734, %arg26 : tensor<256x1024xf32>
    %cst_190 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %736 = stablehlo.broadcast_in_dim %cst_190, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %737 = stablehlo.multiply %736, %295 : tensor<256x1024xf32>
    %738 = stablehlo.add %735, %737 : tensor<256x1024xf32>
    %cst_191 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %739 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %740 = stablehlo.multiply %739, %arg40 : tensor<256x1024xf32>
    %cst_192 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %741 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %742 = stablehlo.multiply %741, %295 : tensor<256x1024xf32>
    %743 = stablehlo.multiply %742, %295 : tensor<256x1024xf32>
    %744 = stablehlo.add %740, %743 : tensor<256x1024xf32>
    %cst_193 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %745 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %746 = stablehlo.multiply %745, %738 : tensor<256x1024xf32>
    %747 = stablehlo.sqrt %744 : tensor<256x1024xf32>
    %cst_194 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %748 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %749 = stablehlo.add %747, %748 : tensor<256x1024xf32>
    %750 = stablehlo.divide %746, %749 : tensor<256x1024xf32>
    %751 = stablehlo.subtract %arg12, %750 : tensor<256x1024xf32>
    %cst_195 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %752 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %753 = stablehlo.multiply %752, %arg27 : tensor<256xf32>
    %cst_196 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %754 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %755 = stablehlo.multiply %754, %253 : tensor<256xf32>
    %756 = stablehlo.add %753, %755 : tensor<256xf32>
    %cst_197 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %757 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %758 = stablehlo.multiply %757, %arg41 : tensor<256xf32>
    %cst_198 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %759 = stablehlo.broadcast_in_dim %cst_198, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %760 = stablehlo.multiply %759, %253 : tensor<256xf32>
    %761 = stablehlo.multiply %760, %253 : tensor<256xf32>
    %762 = stablehlo.add %758, %761 : tensor<256xf32>
    %cst_199 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %763 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %764 = stablehlo.multiply %763, %756 : tensor<256xf32>
    %765 = stablehlo.sqrt %762 : tensor<256xf32>
    %cst_200 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %766 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %767 = stablehlo.add %765, %766 : tensor<256xf32>
    %768 = stablehlo.divide %764, %767 : tensor<256xf32>
    %769 = stablehlo.subtract %arg13, %768 : tensor<256xf32>
    return %535, %553, %571, %589, %607, %625, %643, %661, %679, %697, %715, %733, %751, %769, %522, %540, %558, %576, %594, %612, %630, %648, %666, %684, %702, %720, %738, %756, %528, %546, %564, %582, %600, %618, %636, %654, %672, %690, %708, %726, %744, %762, %240 : tensor<1024x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<8x32x256xf32>, tensor<256x3x8x32xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<8x32x256xf32>, tensor<256x3x8x32xf32>, tensor<256x1024xf32>, tensor<256xf32>, tensor<1024x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<8x32x256xf32>, tensor<256x3x8x32xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<8x32x256xf32>, tensor<256x3x8x32xf32>, tensor<256x1024xf32>, tensor<256xf32>, tensor<1024x256xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<8x32x256xf32>, tensor<256x3x8x32xf32>, tensor<256x1024xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<8x32x256xf32>, tensor<256x3x8x32xf32>, tensor<256x1024xf32>, tensor<256xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<64x64xi1>) -> tensor<64x64xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<64x64xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
    %2 = stablehlo.add %0, %1 : tensor<64x64xi32>
    %3 = stablehlo.iota dim = 1 : tensor<64x64xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<64x64xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<64x64xi1>, tensor<64x64xi1>
    return %6 : tensor<64x64xi1>
  }
  func.func private @_where(%arg0: tensor<64x64xi1>, %arg1: tensor<16x8x64x64xf32>, %arg2: tensor<f32>) -> (tensor<16x8x64x64xf32>, tensor<16x8x64x64xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<64x64xi1>) -> tensor<16x8x64x64xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x8x64x64xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<16x8x64x64xi1>, tensor<16x8x64x64xf32>
    return %3, %1 : tensor<16x8x64x64xf32>, tensor<16x8x64x64xi1>
  }
  func.func private @log_softmax(%arg0: tensor<16x64x1024xf32>) -> (tensor<16x64x1024xf32>, tensor<16x64x1024xf32>, tensor<16x64x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<16x64x1024xf32>, tensor<f32>) -> tensor<16x64xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<16x64xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x1024xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<16x64x1024xf32>
    %6 = stablehlo.exponential %5 : tensor<16x64x1024xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1024xf32>, tensor<f32>) -> tensor<16x64xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %9 = stablehlo.log %8 : tensor<16x64x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<16x64x1xf32>) -> tensor<16x64x1024xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<16x64x1024xf32>
    return %11, %6, %8 : tensor<16x64x1024xf32>, tensor<16x64x1024xf32>, tensor<16x64x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<16x64x1024xf32>, %arg1: tensor<16x64x1xi32>) -> (tensor<16x64x1xf32>, tensor<16x64x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x64x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<16x64x1xi32>, tensor<16x64x1xi32>) -> tensor<16x64x1xi1>
    %c_0 = stablehlo.constant dense<1024> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x64x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<16x64x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<16x64x1xi1>, tensor<16x64x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<16x64x1xi32>) -> tensor<16x64x1x1xi32>
    %c_1 = stablehlo.constant dense<1023> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16x64x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<16x64x1x1xi32>, tensor<16x64x1x1xi32>) -> tensor<16x64x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<16x64x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<16x64x1x1xi32>, tensor<16x64x1x1xi32>) -> tensor<16x64x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<16x64x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<16x64x1x1xi1>, tensor<i1>) -> tensor<16x64x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<16x64x1024xf32>, tensor<16x64x1x1xi32>) -> tensor<16x64x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x64x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<16x64x1xi1>, tensor<16x64x1xf32>
    return %15, %5 : tensor<16x64x1xf32>, tensor<16x64x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<16x64x1x1xi32>, %arg1: tensor<16x64x1xf32>) -> tensor<16x64x1024xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x64x1024xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<16x64x1024xf32>, tensor<16x64x1x1xi32>, tensor<16x64x1xf32>) -> tensor<16x64x1024xf32>
    return %1 : tensor<16x64x1024xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<16x64x1024xf32>, %arg1: tensor<16x64x1xf32>, %arg2: tensor<16x64x1024xf32>) -> tensor<16x64x1024xf32> {
    %0 = stablehlo.negate %arg2 : tensor<16x64x1024xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1024xf32>, tensor<f32>) -> tensor<16x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<16x64xf32>) -> tensor<16x64x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<16x64x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<16x64x1xf32>, tensor<f32>) -> tensor<16x64xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x64xf32>) -> tensor<16x64x1024xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<16x64x1024xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<16x64x1024xf32>
    return %7 : tensor<16x64x1024xf32>
  }
  func.func private @_where_2(%arg0: tensor<16x8x64x64xi1>, %arg1: tensor<16x8x64x64xf32>) -> tensor<16x8x64x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x8x64x64xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<16x8x64x64xi1>, tensor<16x8x64x64xf32>
    return %1 : tensor<16x8x64x64xf32>
  }
}
