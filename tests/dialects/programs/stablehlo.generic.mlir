"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<i32>, tensor<4x8xi1>, tensor<i1>, tensor<4x8xcomplex<f32>>, !stablehlo.token, tensor<2xi64>, tensor<?x8xf32>, tuple<tensor<4xf32>, tensor<i32>>, tensor<4x8xi32>, tensor<8xf32>, tensor<2x8x8x3xf32>, tensor<3x3x3x5xf32>, tensor<2x2xi64>, tensor<5x1xi32>, tensor<5x8xf32>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>, tensor<?x8xf32, #stablehlo.bounds<4, ?>>) -> (), sym_name = "operations"}> ({
  ^bb0(%arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<4x8xi1>, %arg6: tensor<i1>, %arg7: tensor<4x8xcomplex<f32>>, %arg8: !stablehlo.token, %arg9: tensor<2xi64>, %arg10: tensor<?x8xf32>, %arg11: tuple<tensor<4xf32>, tensor<i32>>, %arg12: tensor<4x8xi32>, %arg13: tensor<8xf32>, %arg14: tensor<2x8x8x3xf32>, %arg15: tensor<3x3x3x5xf32>, %arg16: tensor<2x2xi64>, %arg17: tensor<5x1xi32>, %arg18: tensor<5x8xf32>, %arg19: tensor<2x4xf32>, %arg20: tensor<4x4xf32>, %arg21: tensor<8x4xf32>, %arg22: tensor<?x8xf32, #stablehlo.bounds<4, ?>>):
    %0 = "stablehlo.abs"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = "stablehlo.abs"(%arg7) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %2 = "stablehlo.add"(%arg1, %arg10) : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<4x8xf32>
    %3 = "stablehlo.add"(%arg22, %arg22) : (tensor<?x8xf32, #stablehlo.bounds<4, ?>>, tensor<?x8xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x8xf32, #stablehlo.bounds<4, ?>>
    %4 = "stablehlo.add"(%arg1, %arg2) {x = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %5 = "stablehlo.add"(%arg12, %arg12) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %6 = "stablehlo.after_all"(%arg8, %arg8) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
    %7 = "stablehlo.after_all"() {x} : () -> !stablehlo.token
    %8 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> {x} : (tensor<4x8xf32>) -> tensor<8x8xf32>
    %9 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg70: tensor<f32>, %arg71: tensor<f32>):
      %182 = "stablehlo.add"(%arg70, %arg71) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%182) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %10 = "stablehlo.all_to_all"(%arg1) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %11 = "stablehlo.and"(%arg12, %arg12) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %12 = "stablehlo.async_start"(%arg1) ({
    ^bb0(%arg69: tensor<4x8xf32>):
      %181 = "stablehlo.all_gather"(%arg69) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
      "stablehlo.return"(%181) : (tensor<8x8xf32>) -> ()
    }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<8x8xf32>>
    %13 = "stablehlo.async_done"(%12) : (!stablehlo.future<tensor<8x8xf32>>) -> tensor<8x8xf32>
    %14 = "stablehlo.atan2"(%arg1, %arg2) {x = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %15:3 = "stablehlo.batch_norm_grad"(%arg1, %arg13, %arg13, %arg13, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    %16 = "stablehlo.batch_norm_inference"(%arg1, %arg13, %arg13, %arg13, %arg13) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %17:3 = "stablehlo.batch_norm_training"(%arg1, %arg13, %arg13) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    %18 = "stablehlo.bitcast_convert"(%arg1) {x} : (tensor<4x8xf32>) -> tensor<4x8xi32>
    %19 = "stablehlo.broadcast"(%arg3) <{broadcast_sizes = array<i64: 4, 8>}> {x} : (tensor<f32>) -> tensor<4x8xf32>
    %20 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %21 = "stablehlo.case"(%arg4) ({
      "stablehlo.return"(%arg1) : (tensor<4x8xf32>) -> ()
    }, {
      "stablehlo.return"(%arg2) : (tensor<4x8xf32>) -> ()
    }) {x} : (tensor<i32>) -> tensor<4x8xf32>
    %22 = "stablehlo.cbrt"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %23 = "stablehlo.ceil"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %24 = "stablehlo.cholesky"(%arg20) <{lower = true}> {x} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %25 = "stablehlo.cholesky"(%arg20) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %26 = "stablehlo.clamp"(%arg3, %arg1, %arg3) {x} : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %27 = "stablehlo.clamp"(%arg1, %arg1, %arg1) {x} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %28 = "stablehlo.collective_broadcast"(%arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %29 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %30 = "stablehlo.compare"(%arg1, %arg2) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %31 = "stablehlo.compare"(%arg1, %arg2) <{compare_type = #stablehlo<comparison_type NOTYPE>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %32 = "stablehlo.compare"(%arg1, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %33 = "stablehlo.complex"(%arg1, %arg2) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
    %34 = "stablehlo.complex"(%arg1, %arg10) : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<4x8xcomplex<f32>>
    %35 = "stablehlo.composite"(%arg1) <{composite_attributes = {q = 1 : i64}, decomposition = @f2, name = "foo.bar", version = 1 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %36 = "stablehlo.composite"(%arg1) <{decomposition = @f2, name = "foo.bar"}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %37 = "stablehlo.concatenate"(%arg1, %arg2) <{dimension = 0 : i64}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %38 = "stablehlo.concatenate"(%arg1, %arg2) <{dimension = 1 : i64}> {x} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<4xi32>}> : () -> tensor<4xi32>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<4xi32>}> {x} : () -> tensor<4xi32>
    %41 = "stablehlo.constant"() <{value = dense<1> : tensor<5xi32>}> : () -> tensor<5xi32>
    %42 = "stablehlo.constant"() <{value = dense<1> : tensor<5xi32>}> {x} : () -> tensor<5xi32>
    %43 = "stablehlo.constant"() <{value = dense_resource<k> : tensor<4xi32>}> : () -> tensor<4xi32>
    %44 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32>
    %45 = "stablehlo.convert"(%arg1) : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %46 = "stablehlo.convert"(%arg1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %47 = "stablehlo.convolution"(%arg14, %arg15) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, window_strides = array<i64: 1, 2>}> : (tensor<2x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<2x8x4x5xf32>
    %48 = "stablehlo.convolution"(%arg14, %arg15) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<2x2xi64>}> : (tensor<2x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<2x8x8x5xf32>
    %49 = "stablehlo.convolution"(%arg1, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[o, i]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
    %50 = "stablehlo.convolution"(%arg1, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[o, i]->[b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64>, padding = dense<> : tensor<0x2xi64>, rhs_dilation = array<i64>, window_reversal = array<i1>, window_strides = array<i64>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
    %51 = "stablehlo.cosine"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %52 = "stablehlo.count_leading_zeros"(%arg12) : (tensor<4x8xi32>) -> tensor<4x8xi32>
    %53 = "stablehlo.create_token"() {x} : () -> !stablehlo.token
    %54 = "stablehlo.cross-replica-sum"(%arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %55 = "stablehlo.custom_call"(%arg1) <{call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> {mhlo.backend_config = {a = 1 : ui64}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %56 = "stablehlo.custom_call"(%arg1) <{call_target_name = "foo"}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %57 = "stablehlo.custom_call"(%arg1) <{backend_config = "", call_target_name = "bar"}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    "stablehlo.custom_call"() <{call_target_name = "fo o", has_side_effect = true}> : () -> ()
    %58 = "stablehlo.divide"(%arg1, %arg2) {x = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %59 = "stablehlo.dot"(%arg1, %arg21) <{precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]}> {x} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %60 = "stablehlo.dot_general"(%arg1, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
    %61 = "stablehlo.dot_general"(%arg1, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %62 = "stablehlo.dot_general"(%arg1, %arg2) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %63 = "stablehlo.dot_general"(%arg1, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> {foo = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %64 = "stablehlo.dynamic_broadcast_in_dim"(%arg3, %arg9) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>}> : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
    %65 = "stablehlo.dynamic_conv"(%arg14, %arg15, %arg16) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>}> : (tensor<2x8x8x3xf32>, tensor<3x3x3x5xf32>, tensor<2x2xi64>) -> tensor<?x?x?x?xf32>
    %66 = "stablehlo.dynamic_gather"(%arg1, %arg17, %arg9) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x8xf32>, tensor<5x1xi32>, tensor<2xi64>) -> tensor<5x?xf32>
    %67 = "stablehlo.dynamic_iota"(%arg9) <{iota_dimension = 0 : i64}> {x} : (tensor<2xi64>) -> tensor<?x?xf32>
    %68 = "stablehlo.dynamic_pad"(%arg1, %arg3, %arg9, %arg9, %arg9) {x} : (tensor<4x8xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
    %69 = "stablehlo.dynamic_pad"(%arg1, %arg3, %arg9, %arg9, %arg9) : (tensor<4x8xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
    %70 = "stablehlo.dynamic_reshape"(%arg1, %arg9) : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %71 = "stablehlo.dynamic_reshape"(%arg1, %arg9) {x} : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %72 = "stablehlo.dynamic_slice"(%arg1, %arg4, %arg4) <{slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>
    %73 = "stablehlo.dynamic_update_slice"(%arg1, %arg1, %arg4, %arg4) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %74 = "stablehlo.dynamic_update_slice"(%arg3, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %75 = "stablehlo.einsum"(%arg1, %arg2) <{einsum_config = "ab,ab->a"}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %76 = "stablehlo.exponential"(%arg1) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %77 = "stablehlo.exponential"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %78 = "stablehlo.exponential_minus_one"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %79 = "stablehlo.fft"(%arg7) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type FFT>}> {x} : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %80 = "stablehlo.floor"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %81 = "stablehlo.gather"(%arg1, %arg17) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
    %82 = "stablehlo.get_dimension_size"(%arg1) <{dimension = 1 : i64}> {x} : (tensor<4x8xf32>) -> tensor<i32>
    %83 = "stablehlo.get_tuple_element"(%arg11) <{index = 1 : i32}> {x} : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
    %84 = "stablehlo.get_tuple_element"(%arg11) <{index = 1 : i32}> : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
    %85 = "stablehlo.if"(%arg6) ({
      "stablehlo.return"(%arg1) : (tensor<4x8xf32>) -> ()
    }, {
      "stablehlo.return"(%arg2) : (tensor<4x8xf32>) -> ()
    }) : (tensor<i1>) -> tensor<4x8xf32>
    %86 = "stablehlo.imag"(%arg7) {x} : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %87:2 = "stablehlo.infeed"(%arg8) <{infeed_config = "cfg", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
    %88 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> {x} : () -> tensor<4xi32>
    %89 = "stablehlo.is_finite"(%arg1) : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %90 = "stablehlo.log"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %91 = "stablehlo.log_plus_one"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %92 = "stablehlo.logistic"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %93 = "stablehlo.map"(%arg1, %arg2) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg67: tensor<f32>, %arg68: tensor<f32>):
      %180 = "stablehlo.add"(%arg67, %arg68) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%180) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %94 = "stablehlo.maximum"(%arg1, %arg2) {x = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %95 = "stablehlo.minimum"(%arg1, %arg2) {x = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %96 = "stablehlo.multiply"(%arg1, %arg2) {x = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %97 = "stablehlo.multiply"(%arg12, %arg12) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %98 = "stablehlo.negate"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %99 = "stablehlo.not"(%arg5) : (tensor<4x8xi1>) -> tensor<4x8xi1>
    %100:2 = "stablehlo.optimization_barrier"(%arg1, %arg2) {x} : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    "stablehlo.optimization_barrier"() : () -> ()
    "stablehlo.optimization_barrier"() {x} : () -> ()
    %101 = "stablehlo.or"(%arg12, %arg12) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %102 = "stablehlo.outfeed"(%arg1, %arg8) <{outfeed_config = ""}> : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %103 = "stablehlo.pad"(%arg1, %arg3) <{edge_padding_high = array<i64: 0, -1>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 0, 1>}> {x} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x14xf32>
    %104 = "stablehlo.partition_id"() {x} : () -> tensor<ui32>
    %105 = "stablehlo.popcnt"(%arg12) : (tensor<4x8xi32>) -> tensor<4x8xi32>
    %106 = "stablehlo.power"(%arg1, %arg2) {x = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %107 = "stablehlo.real"(%arg7) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %108 = "stablehlo.real_dynamic_slice"(%arg1, %arg9, %arg9, %arg9) {x} : (tensor<4x8xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
    %109:2 = "stablehlo.recv"(%arg8) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
    %110:2 = "stablehlo.reduce"(%arg1, %arg12, %arg3, %arg4) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg63: tensor<f32>, %arg64: tensor<i32>, %arg65: tensor<f32>, %arg66: tensor<i32>):
      %178 = "stablehlo.add"(%arg63, %arg65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %179 = "stablehlo.add"(%arg64, %arg66) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%178, %179) : (tensor<f32>, tensor<i32>) -> ()
    }) {x} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
    %111 = "stablehlo.reduce"(%arg1, %arg3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
      %177 = "stablehlo.add"(%arg61, %arg62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%177) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %112 = "stablehlo.reduce"(%arg1, %arg3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg59: tensor<f32>, %arg60: tensor<f32>):
      "stablehlo.return"(%arg59) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %113 = "stablehlo.reduce"(%arg1, %arg3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg57: tensor<f32>, %arg58: tensor<f32>):
      %176 = "stablehlo.add"(%arg57, %arg58) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%176) : (tensor<f32>) -> ()
    }) {foo = 1 : i64} : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %114 = "stablehlo.reduce"(%arg1, %arg3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
      %175 = "stablehlo.add"(%arg56, %arg55) {bar = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%175) : (tensor<f32>) -> ()
    }) {foo = 1 : i64} : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %115 = "stablehlo.reduce"(%arg5, %arg6) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg53: tensor<i1>, %arg54: tensor<i1>):
      %174 = "stablehlo.and"(%arg53, %arg54) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%174) : (tensor<i1>) -> ()
    }) : (tensor<4x8xi1>, tensor<i1>) -> tensor<8xi1>
    %116 = "stablehlo.reduce_precision"(%arg1) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %117 = "stablehlo.reduce_precision"(%arg1) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %118 = "stablehlo.reduce_scatter"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
      %173 = "stablehlo.add"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%173) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %119 = "stablehlo.reduce_window"(%arg1, %arg3) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>):
      %172 = "stablehlo.maximum"(%arg49, %arg50) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%172) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %120 = "stablehlo.remainder"(%arg1, %arg2) {x = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %121 = "stablehlo.replica_id"() : () -> tensor<ui32>
    %122 = "stablehlo.reshape"(%arg1) {x} : (tensor<4x8xf32>) -> tensor<32xf32>
    %123 = "stablehlo.reverse"(%arg1) <{dimensions = array<i64: 0, 1>}> {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %124 = "stablehlo.rng"(%arg3, %arg3, %arg9) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> {x} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
    %125:2 = "stablehlo.rng_bit_generator"(%arg9) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> {x} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)
    %126 = "stablehlo.round_nearest_afz"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %127 = "stablehlo.round_nearest_even"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %128 = "stablehlo.rsqrt"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %129 = "stablehlo.scatter"(%arg1, %arg17, %arg18) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
      %171 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%171) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<4x8xf32>
    %130 = "stablehlo.select"(%arg5, %arg1, %arg2) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %131 = "stablehlo.select"(%arg5, %arg1, %arg10) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<4x8xf32>
    %132 = "stablehlo.select_and_scatter"(%arg1, %arg19, %arg3) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %170 = "stablehlo.compare"(%arg45, %arg46) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%170) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
      %169 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%169) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
    %133 = "stablehlo.send"(%arg1, %arg8) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %134 = "stablehlo.set_dimension_size"(%arg1, %arg4) <{dimension = 0 : i64}> {x} : (tensor<4x8xf32>, tensor<i32>) -> tensor<?x8xf32>
    %135 = "stablehlo.shift_left"(%arg12, %arg12) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %136 = "stablehlo.shift_right_arithmetic"(%arg12, %arg12) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %137 = "stablehlo.shift_right_logical"(%arg12, %arg12) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %138 = "stablehlo.sign"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %139 = "stablehlo.sine"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %140 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 4, 8>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}> {x} : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %141 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 4, 8>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %142 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64>, start_indices = array<i64>, strides = array<i64>}> {x} : (tensor<f32>) -> tensor<f32>
    %143:2 = "stablehlo.sort"(%arg1, %arg12) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>, %arg41: tensor<i32>, %arg42: tensor<i32>):
      %168 = "stablehlo.compare"(%arg39, %arg40) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%168) : (tensor<i1>) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
    %144 = "stablehlo.sqrt"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %145 = "stablehlo.sqrt"(%arg1) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %146 = "stablehlo.subtract"(%arg1, %arg2) {x = 1 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %147 = "stablehlo.tan"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %148 = "stablehlo.tanh"(%arg1) {x = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %149 = "stablehlo.torch_index_select"(%arg1, %arg17) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x8xf32>, tensor<5x1xi32>) -> tensor<5x1x8xf32>
    %150 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 1, 0>}> {x} : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %151 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %152 = "stablehlo.triangular_solve"(%arg20, %arg20) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %153 = "stablehlo.tuple"(%arg1, %arg4) {x} : (tensor<4x8xf32>, tensor<i32>) -> tuple<tensor<4x8xf32>, tensor<i32>>
    %154 = "stablehlo.tuple"(%arg1, %arg2) {x} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tuple<tensor<4x8xf32>, tensor<4x8xf32>>
    %155 = "stablehlo.tuple"() : () -> tuple<>
    %156 = "stablehlo.unary_einsum"(%arg1) <{einsum_config = "ab->a"}> {y} : (tensor<4x8xf32>) -> tensor<4xf32>
    %157:2 = "stablehlo.while"(%arg1, %arg4) ({
    ^bb0(%arg37: tensor<4x8xf32>, %arg38: tensor<i32>):
      %167 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      "stablehlo.return"(%167) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg35: tensor<4x8xf32>, %arg36: tensor<i32>):
      "stablehlo.return"(%arg35, %arg36) : (tensor<4x8xf32>, tensor<i32>) -> ()
    }) {foo = 1 : i64} : (tensor<4x8xf32>, tensor<i32>) -> (tensor<4x8xf32>, tensor<i32>)
    %158:2 = "stablehlo.while"(%arg1, %arg4) ({
    ^bb0(%arg33: tensor<4x8xf32>, %arg34: tensor<i32>):
      %166 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      "stablehlo.return"(%166) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg31: tensor<4x8xf32>, %arg32: tensor<i32>):
      "stablehlo.return"(%arg31, %arg32) : (tensor<4x8xf32>, tensor<i32>) -> ()
    }) : (tensor<4x8xf32>, tensor<i32>) -> (tensor<4x8xf32>, tensor<i32>)
    "stablehlo.while"() ({
      %165 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      "stablehlo.return"(%165) : (tensor<i1>) -> ()
    }, {
      "stablehlo.return"() : () -> ()
    }) : () -> ()
    "stablehlo.while"() ({
      %164 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      "stablehlo.return"(%164) : (tensor<i1>) -> ()
    }, {
      "stablehlo.return"() : () -> ()
    }) {x} : () -> ()
    %159 = "stablehlo.while"(%arg1) ({
    ^bb0(%arg30: tensor<4x8xf32>):
      "stablehlo.return"(%arg6) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg29: tensor<4x8xf32>):
      "stablehlo.return"(%arg29) : (tensor<4x8xf32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %160 = "stablehlo.while"(%arg1) ({
    ^bb0(%arg28: tensor<4x8xf32>):
      "stablehlo.return"(%arg6) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg27: tensor<4x8xf32>):
      "stablehlo.return"(%arg27) : (tensor<4x8xf32>) -> ()
    }) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %161 = "stablehlo.while"(%arg1) ({
    ^bb0(%arg26: tensor<4x8xf32>):
      "stablehlo.return"(%arg6) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg23: tensor<4x8xf32>):
      %163 = "stablehlo.while"(%arg23) ({
      ^bb0(%arg25: tensor<4x8xf32>):
        "stablehlo.return"(%arg6) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg24: tensor<4x8xf32>):
        "stablehlo.return"(%arg24) : (tensor<4x8xf32>) -> ()
      }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      "stablehlo.return"(%163) : (tensor<4x8xf32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %162 = "stablehlo.xor"(%arg12, %arg12) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x8xf32>) -> tensor<4x8xf32>, sym_name = "f2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x8xf32>):
    "func.return"(%arg0) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()
