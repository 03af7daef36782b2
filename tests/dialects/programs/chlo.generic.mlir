"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi1>, tensor<4x8xcomplex<f32>>, tensor<2xi64>, tensor<4x8xi32>, tensor<2x8x4xf32>) -> (), sym_name = "operations"}> ({
  ^bb0(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xi1>, %arg3: tensor<4x8xcomplex<f32>>, %arg4: tensor<2xi64>, %arg5: tensor<4x8xi32>, %arg6: tensor<2x8x4xf32>):
    %0 = "chlo._asin_acos_kernel"(%arg3) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %1 = "chlo.acos"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = "chlo.acosh"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = "chlo.asin"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %4 = "chlo.asinh"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %5 = "chlo.atan"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = "chlo.atanh"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %7 = "chlo.bessel_i1e"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %8 = "chlo.broadcast_add"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %9 = "chlo.broadcast_add"(%arg0, %arg1) <{broadcast_dimensions = array<i64: 0, 1>}> {x} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %10 = "chlo.broadcast_and"(%arg5, %arg5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %11 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %12 = "chlo.broadcast_compare"(%arg0, %arg1) <{compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LT>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %13 = "chlo.broadcast_complex"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
    %14 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %15 = "chlo.broadcast_maximum"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %16 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %17 = "chlo.broadcast_multiply"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %18 = "chlo.broadcast_next_after"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %19 = "chlo.broadcast_or"(%arg5, %arg5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %20 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %21 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %22 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %23 = "chlo.broadcast_select"(%arg2, %arg0, %arg1) {x} : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %24 = "chlo.broadcast_shift_left"(%arg5, %arg5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %25 = "chlo.broadcast_shift_right_arithmetic"(%arg5, %arg5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %26 = "chlo.broadcast_shift_right_logical"(%arg5, %arg5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %27 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %28 = "chlo.broadcast_xor"(%arg5, %arg5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %29 = "chlo.broadcast_zeta"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %30 = "chlo.conj"(%arg3) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %31 = "chlo.conj"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %32 = "chlo.constant"() <{value = dense<1> : tensor<4xi32>}> {x} : () -> tensor<4xi32>
    %33 = "chlo.constant"() <{value = dense<1.000000e+00> : tensor<4xf32>}> : () -> tensor<4xf32>
    %34 = "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %35 = "chlo.cosh"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %36 = "chlo.digamma"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %37 = "chlo.erf"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %38 = "chlo.erf_inv"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %39 = "chlo.erfc"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %40 = "chlo.is_inf"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %41 = "chlo.is_neg_inf"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %42 = "chlo.is_pos_inf"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %43 = "chlo.lgamma"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %44 = "chlo.mulhi"(%arg5, %arg5) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %45 = "chlo.next_after"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %46 = "chlo.next_after"(%arg0, %arg1) {x} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %47 = "chlo.polygamma"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %48 = "chlo.ragged_dot"(%arg0, %arg6, %arg4) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGH>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<2x8x4xf32>, tensor<2xi64>) -> tensor<4x4xf32>
    %49:2 = "chlo.scan"(%arg0, %arg4) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg14: tensor<8xf32>, %arg15: tensor<2xi64>):
      "stablehlo.return"(%arg14, %arg15) : (tensor<8xf32>, tensor<2xi64>) -> ()
    }) : (tensor<4x8xf32>, tensor<2xi64>) -> (tensor<4x8xf32>, tensor<2xi64>)
    %50:2 = "chlo.scan"(%arg0, %arg4) <{dimension = 0 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg12: tensor<8xf32>, %arg13: tensor<2xi64>):
      "stablehlo.return"(%arg12, %arg13) : (tensor<8xf32>, tensor<2xi64>) -> ()
    }) {foo} : (tensor<4x8xf32>, tensor<2xi64>) -> (tensor<4x8xf32>, tensor<2xi64>)
    %51:3 = "chlo.scan"(%arg0, %arg1, %arg4) <{dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg9: tensor<8xf32>, %arg10: tensor<8xf32>, %arg11: tensor<2xi64>):
      "stablehlo.return"(%arg9, %arg10, %arg11) : (tensor<8xf32>, tensor<8xf32>, tensor<2xi64>) -> ()
    }) {foo} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<2xi64>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<2xi64>)
    %52 = "chlo.scan"(%arg0, %arg4) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg7: tensor<8xf32>, %arg8: tensor<2xi64>):
      "stablehlo.return"(%arg8) : (tensor<2xi64>) -> ()
    }) : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<2xi64>
    %53 = "chlo.sinh"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %54 = "chlo.square"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %55 = "chlo.tan"(%arg0) {x} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %56:2 = "chlo.top_k"(%arg0) <{k = 2 : i64}> {x} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %57 = "chlo.zeta"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
