module {
  func.func @operations(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<4x8xi1>, %arg5: tensor<i1>, %arg6: tensor<4x8xcomplex<f32>>, %arg7: !stablehlo.token, %arg8: tensor<2xi64>, %arg9: tensor<?x8xf32>, %arg10: tuple<tensor<4xf32>, tensor<i32>>, %arg11: tensor<4x8xi32>, %arg12: tensor<8xf32>, %arg13: tensor<2x8x8x3xf32>, %arg14: tensor<3x3x3x5xf32>, %arg15: tensor<2x2xi64>, %arg16: tensor<5x1xi32>, %arg17: tensor<5x8xf32>, %arg18: tensor<2x4xf32>, %arg19: tensor<4x4xf32>, %arg20: tensor<8x4xf32>, %arg21: tensor<?x8xf32, #stablehlo.bounds<4, ?>>) {
    %0 = stablehlo.abs %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %1 = stablehlo.abs %arg6 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %2 = stablehlo.add %arg0, %arg9 : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.add %arg21, %arg21 : tensor<?x8xf32, #stablehlo.bounds<4, ?>>
    %4 = stablehlo.add %arg0, %arg1 {x = 1 : i32} : tensor<4x8xf32>
    %5 = stablehlo.add %arg11, %arg11 : tensor<4x8xi32>
    %6 = stablehlo.after_all %arg7, %arg7 : !stablehlo.token
    %7 = stablehlo.after_all  {x} : !stablehlo.token
    %8 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> {x} : (tensor<4x8xf32>) -> tensor<8x8xf32>
    %9 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %154 = stablehlo.add %arg22, %arg23 : tensor<f32>
      stablehlo.return %154 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %10 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %11 = stablehlo.and %arg11, %arg11 : tensor<4x8xi32>
    %12 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%arg22: tensor<4x8xf32>):
      %154 = "stablehlo.all_gather"(%arg22) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
      stablehlo.return %154 : tensor<8x8xf32>
    }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<8x8xf32>>
    %13 = "stablehlo.async_done"(%12) : (!stablehlo.future<tensor<8x8xf32>>) -> tensor<8x8xf32>
    %14 = stablehlo.atan2 %arg0, %arg1 {x = 1 : i32} : tensor<4x8xf32>
    %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg12, %arg12, %arg12, %arg0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    %15 = "stablehlo.batch_norm_inference"(%arg0, %arg12, %arg12, %arg12, %arg12) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg12, %arg12) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    %16 = stablehlo.bitcast_convert %arg0 {x} : (tensor<4x8xf32>) -> tensor<4x8xi32>
    %17 = stablehlo.broadcast %arg2, sizes = [4, 8] {x} : (tensor<f32>) -> tensor<4x8xf32>
    %18 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %19 = "stablehlo.case"(%arg3) ({
      stablehlo.return %arg0 : tensor<4x8xf32>
    }, {
      stablehlo.return %arg1 : tensor<4x8xf32>
    }) {x} : (tensor<i32>) -> tensor<4x8xf32>
    %20 = stablehlo.cbrt %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %21 = stablehlo.ceil %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %22 = stablehlo.cholesky %arg19, lower = true {x} : tensor<4x4xf32>
    %23 = stablehlo.cholesky %arg19 : tensor<4x4xf32>
    %24 = stablehlo.clamp %arg2, %arg0, %arg2 {x} : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %25 = stablehlo.clamp %arg0, %arg0, %arg0 {x} : tensor<4x8xf32>
    %26 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %27 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %28 = stablehlo.compare EQ, %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %29 = stablehlo.compare EQ, %arg0, %arg1, NOTYPE : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %30 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %31 = stablehlo.complex %arg0, %arg1 : tensor<4x8xcomplex<f32>>
    %32 = stablehlo.complex %arg0, %arg9 : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<4x8xcomplex<f32>>
    %33 = stablehlo.composite "foo.bar" %arg0 {composite_attributes = {q = 1 : i64}, decomposition = @f2, version = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %34 = stablehlo.composite "foo.bar" %arg0 {decomposition = @f2} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %35 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %36 = stablehlo.concatenate %arg0, %arg1, dim = 1 {x} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<4xi32>
    %c_0 = stablehlo.constant {x} dense<0> : tensor<4xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<5xi32>
    %c_2 = stablehlo.constant {x} dense<1> : tensor<5xi32>
    %c_3 = stablehlo.constant dense_resource<k> : tensor<4xi32>
    %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
    %37 = stablehlo.convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %38 = stablehlo.convert %arg0 : tensor<4x8xf32>
    %39 = stablehlo.convolution(%arg13, %arg14) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<2x8x4x5xf32>
    %40 = stablehlo.convolution(%arg13, %arg14) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<2x8x8x5xf32>
    %41 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f]x[o, i]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
    %42 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f]x[o, i]->[b, f], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
    %43 = stablehlo.cosine %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %44 = stablehlo.count_leading_zeros %arg11 : tensor<4x8xi32>
    %45 = stablehlo.create_token {x} : !stablehlo.token
    %46 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %47 = stablehlo.custom_call @f(%arg0) {mhlo.backend_config = {a = 1 : ui64}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %48 = stablehlo.custom_call @foo(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %49 = stablehlo.custom_call @bar(%arg0) {backend_config = ""} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    stablehlo.custom_call @"fo o"() {has_side_effect = true} : () -> ()
    %50 = stablehlo.divide %arg0, %arg1 {x = 1 : i32} : tensor<4x8xf32>
    %51 = stablehlo.dot %arg0, %arg20, precision = [DEFAULT, HIGHEST] {x} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %52 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
    %53 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %54 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %55 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] {foo = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %56 = stablehlo.dynamic_broadcast_in_dim %arg2, %arg8, dims = [] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>} : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
    %57 = "stablehlo.dynamic_conv"(%arg13, %arg14, %arg15) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>}> : (tensor<2x8x8x3xf32>, tensor<3x3x3x5xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32>
    %58 = "stablehlo.dynamic_gather"(%arg0, %arg16, %arg8) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x8xf32>, tensor<5x1xi32>, tensor<2xi64>) -> tensor<5x?xf32>
    %59 = stablehlo.dynamic_iota %arg8, dim = 0 {x} : (tensor<2xi64>) -> tensor<?x?xf32>
    %60 = stablehlo.dynamic_pad %arg0, %arg2, %arg8, %arg8, %arg8 {x} : (tensor<4x8xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
    %61 = stablehlo.dynamic_pad %arg0, %arg2, %arg8, %arg8, %arg8 : (tensor<4x8xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
    %62 = stablehlo.dynamic_reshape %arg0, %arg8 : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %63 = stablehlo.dynamic_reshape %arg0, %arg8 {x} : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %64 = stablehlo.dynamic_slice %arg0, %arg3, %arg3, sizes = [1, 1] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>
    %65 = stablehlo.dynamic_update_slice %arg0, %arg0, %arg3, %arg3 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %66 = stablehlo.dynamic_update_slice %arg2, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %67 = stablehlo.einsum %arg0, %arg1, config = "ab,ab->a" : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %68 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4x8xf32>
    %69 = stablehlo.exponential %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %70 = stablehlo.exponential_minus_one %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %71 = stablehlo.fft %arg6, type = FFT, length = [8] {x} : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %72 = stablehlo.floor %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %73 = "stablehlo.gather"(%arg0, %arg16) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
    %74 = stablehlo.get_dimension_size %arg0, dim = 1 {x} : (tensor<4x8xf32>) -> tensor<i32>
    %75 = stablehlo.get_tuple_element %arg10[1] {x} : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
    %76 = stablehlo.get_tuple_element %arg10[1] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
    %77 = "stablehlo.if"(%arg5) ({
      stablehlo.return %arg0 : tensor<4x8xf32>
    }, {
      stablehlo.return %arg1 : tensor<4x8xf32>
    }) : (tensor<i1>) -> tensor<4x8xf32>
    %78 = stablehlo.imag %arg6 {x} : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %79:2 = "stablehlo.infeed"(%arg7) <{infeed_config = "cfg", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
    %80 = stablehlo.iota dim = 0 {x} : tensor<4xi32>
    %81 = stablehlo.is_finite %arg0 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %82 = stablehlo.log %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %83 = stablehlo.log_plus_one %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %84 = stablehlo.logistic %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %85 = "stablehlo.map"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %154 = stablehlo.add %arg22, %arg23 : tensor<f32>
      stablehlo.return %154 : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %86 = stablehlo.maximum %arg0, %arg1 {x = 1 : i32} : tensor<4x8xf32>
    %87 = stablehlo.minimum %arg0, %arg1 {x = 1 : i32} : tensor<4x8xf32>
    %88 = stablehlo.multiply %arg0, %arg1 {x = 1 : i32} : tensor<4x8xf32>
    %89 = stablehlo.multiply %arg11, %arg11 : tensor<4x8xi32>
    %90 = stablehlo.negate %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %91 = stablehlo.not %arg4 : tensor<4x8xi1>
    %92:2 = stablehlo.optimization_barrier {x} %arg0, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>
    stablehlo.optimization_barrier()
    stablehlo.optimization_barrier {x}()
    %93 = stablehlo.or %arg11, %arg11 : tensor<4x8xi32>
    %94 = "stablehlo.outfeed"(%arg0, %arg7) <{outfeed_config = ""}> : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %95 = stablehlo.pad %arg0, %arg2, low = [0, 0], high = [0, -1], interior = [0, 1] {x} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x14xf32>
    %96 = stablehlo.partition_id {x} : tensor<ui32>
    %97 = stablehlo.popcnt %arg11 : tensor<4x8xi32>
    %98 = stablehlo.power %arg0, %arg1 {x = 1 : i32} : tensor<4x8xf32>
    %99 = stablehlo.real %arg6 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %100 = stablehlo.real_dynamic_slice %arg0, %arg8, %arg8, %arg8 {x} : (tensor<4x8xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
    %101:2 = "stablehlo.recv"(%arg7) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
    %102:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg11 init: %arg3) across dimensions = [1] {x} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
     reducer(%arg22: tensor<f32>, %arg24: tensor<f32>) (%arg23: tensor<i32>, %arg25: tensor<i32>)  {
      %154 = stablehlo.add %arg22, %arg24 : tensor<f32>
      %155 = stablehlo.add %arg23, %arg25 : tensor<i32>
      stablehlo.return %154, %155 : tensor<f32>, tensor<i32>
    }
    %103 = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %104 = stablehlo.reduce(%arg0 init: %arg2) across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
     reducer(%arg22: tensor<f32>, %arg23: tensor<f32>)  {
      stablehlo.return %arg22 : tensor<f32>
    }
    %105 = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.add across dimensions = [0] {foo = 1 : i64} : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %106 = stablehlo.reduce(%arg0 init: %arg2) across dimensions = [0] {foo = 1 : i64} : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
     reducer(%arg22: tensor<f32>, %arg23: tensor<f32>)  {
      %154 = stablehlo.add %arg23, %arg22 {bar = 1 : i64} : tensor<f32>
      stablehlo.return %154 : tensor<f32>
    }
    %107 = stablehlo.reduce(%arg4 init: %arg5) applies stablehlo.and across dimensions = [0] : (tensor<4x8xi1>, tensor<i1>) -> tensor<8xi1>
    %108 = stablehlo.reduce_precision %arg0, format = e5m10 {x} : tensor<4x8xf32>
    %109 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4x8xf32>
    %110 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %154 = stablehlo.add %arg22, %arg23 : tensor<f32>
      stablehlo.return %154 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %111 = "stablehlo.reduce_window"(%arg0, %arg2) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %154 = stablehlo.maximum %arg22, %arg23 : tensor<f32>
      stablehlo.return %154 : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %112 = stablehlo.remainder %arg0, %arg1 {x = 1 : i32} : tensor<4x8xf32>
    %113 = stablehlo.replica_id : tensor<ui32>
    %114 = stablehlo.reshape %arg0 {x} : (tensor<4x8xf32>) -> tensor<32xf32>
    %115 = stablehlo.reverse %arg0, dims = [0, 1] {x} : tensor<4x8xf32>
    %116 = stablehlo.rng %arg2, %arg2, %arg8, distribution = UNIFORM {x} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
    %output_state, %output_4 = stablehlo.rng_bit_generator %arg8, algorithm = THREE_FRY {x} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)
    %117 = stablehlo.round_nearest_afz %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %118 = stablehlo.round_nearest_even %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %119 = stablehlo.rsqrt %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %120 = "stablehlo.scatter"(%arg0, %arg16, %arg17) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %154 = stablehlo.add %arg22, %arg23 : tensor<f32>
      stablehlo.return %154 : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<4x8xf32>
    %121 = stablehlo.select %arg4, %arg0, %arg1 : tensor<4x8xi1>, tensor<4x8xf32>
    %122 = stablehlo.select %arg4, %arg0, %arg9 : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<4x8xf32>
    %123 = "stablehlo.select_and_scatter"(%arg0, %arg18, %arg2) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %154 = stablehlo.compare GE, %arg22, %arg23 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %154 : tensor<i1>
    }, {
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %154 = stablehlo.add %arg22, %arg23 : tensor<f32>
      stablehlo.return %154 : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
    %124 = "stablehlo.send"(%arg0, %arg7) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %125 = stablehlo.set_dimension_size %arg0, %arg3, dim = 0 {x} : (tensor<4x8xf32>, tensor<i32>) -> tensor<?x8xf32>
    %126 = stablehlo.shift_left %arg11, %arg11 : tensor<4x8xi32>
    %127 = stablehlo.shift_right_arithmetic %arg11, %arg11 : tensor<4x8xi32>
    %128 = stablehlo.shift_right_logical %arg11, %arg11 : tensor<4x8xi32>
    %129 = stablehlo.sign %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %130 = stablehlo.sine %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %131 = stablehlo.slice %arg0 [0:4, 1:8:2] {x} : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %132 = stablehlo.slice %arg0 [0:4, 1:8:2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %133 = stablehlo.slice %arg2 [] {x} : (tensor<f32>) -> tensor<f32>
    %134:2 = "stablehlo.sort"(%arg0, %arg11) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>, %arg24: tensor<i32>, %arg25: tensor<i32>):
      %154 = stablehlo.compare LT, %arg22, %arg23, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %154 : tensor<i1>
    }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
    %135 = stablehlo.sqrt %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %136 = stablehlo.sqrt %arg0 {x} : tensor<4x8xf32>
    %137 = stablehlo.subtract %arg0, %arg1 {x = 1 : i32} : tensor<4x8xf32>
    %138 = stablehlo.tan %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %139 = stablehlo.tanh %arg0 {x = 1 : i32} : tensor<4x8xf32>
    %140 = "stablehlo.torch_index_select"(%arg0, %arg16) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x8xf32>, tensor<5x1xi32>) -> tensor<5x1x8xf32>
    %141 = stablehlo.transpose %arg0, dims = [1, 0] {x} : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %142 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %143 = "stablehlo.triangular_solve"(%arg19, %arg19) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %144 = stablehlo.tuple %arg0, %arg3 {x} : tuple<tensor<4x8xf32>, tensor<i32>>
    %145 = stablehlo.tuple %arg0, %arg1 {x} : tuple<tensor<4x8xf32>, tensor<4x8xf32>>
    %146 = stablehlo.tuple  : tuple<>
    %147 = stablehlo.unary_einsum %arg0, config = "ab->a" {y} : (tensor<4x8xf32>) -> tensor<4xf32>
    %148:2 = stablehlo.while(%iterArg = %arg0, %iterArg_5 = %arg3) : tensor<4x8xf32>, tensor<i32> attributes {foo = 1 : i64}
    cond {
      %c_6 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c_6 : tensor<i1>
    } do {
      stablehlo.return %iterArg, %iterArg_5 : tensor<4x8xf32>, tensor<i32>
    }
    %149:2 = stablehlo.while(%iterArg = %arg0, %iterArg_5 = %arg3) : tensor<4x8xf32>, tensor<i32>
    cond {
      %c_6 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c_6 : tensor<i1>
    } do {
      stablehlo.return %iterArg, %iterArg_5 : tensor<4x8xf32>, tensor<i32>
    }
    stablehlo.while()
    cond {
      %c_5 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c_5 : tensor<i1>
    } do {
      stablehlo.return 
    }
    stablehlo.while() attributes {x}
    cond {
      %c_5 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c_5 : tensor<i1>
    } do {
      stablehlo.return 
    }
    %150 = stablehlo.while(%iterArg = %arg0) : tensor<4x8xf32>
    cond {
      stablehlo.return %arg5 : tensor<i1>
    } do {
      stablehlo.return %iterArg : tensor<4x8xf32>
    }
    %151 = stablehlo.while(%iterArg = %arg0) : tensor<4x8xf32> attributes {x}
    cond {
      stablehlo.return %arg5 : tensor<i1>
    } do {
      stablehlo.return %iterArg : tensor<4x8xf32>
    }
    %152 = stablehlo.while(%iterArg = %arg0) : tensor<4x8xf32>
    cond {
      stablehlo.return %arg5 : tensor<i1>
    } do {
      %154 = stablehlo.while(%iterArg_5 = %iterArg) : tensor<4x8xf32>
      cond {
        stablehlo.return %arg5 : tensor<i1>
      } do {
        stablehlo.return %iterArg_5 : tensor<4x8xf32>
      }
      stablehlo.return %154 : tensor<4x8xf32>
    }
    %153 = stablehlo.xor %arg11, %arg11 : tensor<4x8xi32>
    return
  }
  func.func private @f2(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    return %arg0 : tensor<4x8xf32>
  }
}
