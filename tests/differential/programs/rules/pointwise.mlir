// Operations on one element at a time, select and clamp, bit casts.
func.func @floats(%arg0: tensor<4x1x6xf32>, %arg1: tensor<4x1x6xf32>, %arg2: tensor<i1>, %arg3: tensor<f32>, %arg4: tensor<0x4xf32>) {
  %0 = stablehlo.abs %arg0 : tensor<4x1x6xf32>
  %1 = stablehlo.cbrt %arg0 : tensor<4x1x6xf32>
  %2 = stablehlo.ceil %arg0 : tensor<4x1x6xf32>
  %3 = stablehlo.cosine %arg0 : tensor<4x1x6xf32>
  %4 = stablehlo.exponential %arg0 : tensor<4x1x6xf32>
  %5 = stablehlo.exponential_minus_one %arg0 : tensor<4x1x6xf32>
  %6 = stablehlo.floor %arg0 : tensor<4x1x6xf32>
  %7 = stablehlo.log %arg0 : tensor<4x1x6xf32>
  %8 = stablehlo.log_plus_one %arg0 : tensor<4x1x6xf32>
  %9 = stablehlo.logistic %arg0 : tensor<4x1x6xf32>
  %10 = stablehlo.negate %arg0 : tensor<4x1x6xf32>
  %11 = stablehlo.round_nearest_afz %arg0 : tensor<4x1x6xf32>
  %12 = stablehlo.round_nearest_even %arg0 : tensor<4x1x6xf32>
  %13 = stablehlo.rsqrt %arg0 : tensor<4x1x6xf32>
  %14 = stablehlo.sign %arg0 : tensor<4x1x6xf32>
  %15 = stablehlo.sine %arg0 : tensor<4x1x6xf32>
  %16 = stablehlo.sqrt %arg0 : tensor<4x1x6xf32>
  %17 = stablehlo.tan %arg0 : tensor<4x1x6xf32>
  %18 = stablehlo.tanh %arg0 : tensor<4x1x6xf32>
  %19 = stablehlo.add %arg0, %arg1 : tensor<4x1x6xf32>
  %20 = stablehlo.atan2 %arg0, %arg1 : tensor<4x1x6xf32>
  %21 = stablehlo.divide %arg0, %arg1 : tensor<4x1x6xf32>
  %22 = stablehlo.maximum %arg0, %arg1 : tensor<4x1x6xf32>
  %23 = stablehlo.minimum %arg0, %arg1 : tensor<4x1x6xf32>
  %24 = stablehlo.multiply %arg0, %arg1 : tensor<4x1x6xf32>
  %25 = stablehlo.power %arg0, %arg1 : tensor<4x1x6xf32>
  %26 = stablehlo.remainder %arg0, %arg1 : tensor<4x1x6xf32>
  %27 = stablehlo.subtract %arg0, %arg1 : tensor<4x1x6xf32>
  %28 = stablehlo.compare GT, %arg0, %arg1 : (tensor<4x1x6xf32>, tensor<4x1x6xf32>) -> tensor<4x1x6xi1>
  %29 = stablehlo.convert %arg0 : (tensor<4x1x6xf32>) -> tensor<4x1x6xi32>
  %30 = stablehlo.complex %arg0, %arg1 : tensor<4x1x6xcomplex<f32>>
  %31 = stablehlo.real %30 : (tensor<4x1x6xcomplex<f32>>) -> tensor<4x1x6xf32>
  %32 = stablehlo.imag %30 : (tensor<4x1x6xcomplex<f32>>) -> tensor<4x1x6xf32>
  %33 = stablehlo.is_finite %arg0 : (tensor<4x1x6xf32>) -> tensor<4x1x6xi1>
  %34 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4x1x6xf32>
  %35 = stablehlo.select %28, %arg0, %arg1 : tensor<4x1x6xi1>, tensor<4x1x6xf32>
  %36 = stablehlo.select %arg2, %arg0, %arg1 : tensor<i1>, tensor<4x1x6xf32>
  %37 = stablehlo.clamp %arg3, %arg0, %arg3 : (tensor<f32>, tensor<4x1x6xf32>, tensor<f32>) -> tensor<4x1x6xf32>
  %38 = stablehlo.clamp %arg0, %arg1, %arg0 : tensor<4x1x6xf32>
  %39 = stablehlo.add %arg3, %arg3 : tensor<f32>
  %40 = stablehlo.bitcast_convert %arg0 : (tensor<4x1x6xf32>) -> tensor<4x1x6xi32>
  %41 = stablehlo.bitcast_convert %arg0 : (tensor<4x1x6xf32>) -> tensor<4x1x6x2xi16>
  %42 = stablehlo.bitcast_convert %41 : (tensor<4x1x6x2xi16>) -> tensor<4x1x6xf32>
  %43 = stablehlo.add %arg4, %arg4 : tensor<0x4xf32>
  return
}
func.func @integers(%arg0: tensor<8x3xi32>, %arg1: tensor<8x3xi32>) {
  %0 = stablehlo.and %arg0, %arg1 : tensor<8x3xi32>
  %1 = stablehlo.or %arg0, %arg1 : tensor<8x3xi32>
  %2 = stablehlo.xor %arg0, %arg1 : tensor<8x3xi32>
  %3 = stablehlo.shift_left %arg0, %arg1 : tensor<8x3xi32>
  %4 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<8x3xi32>
  %5 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<8x3xi32>
  %6 = stablehlo.not %arg0 : tensor<8x3xi32>
  %7 = stablehlo.popcnt %arg0 : tensor<8x3xi32>
  %8 = stablehlo.count_leading_zeros %arg0 : tensor<8x3xi32>
  return
}
sdy.mesh @mesh = <["x"=2]>
func.func @constraint(%arg0: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
func.func @more_factors_than_letters(%arg0: tensor<1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x3x5xf32>) {
  %0 = stablehlo.abs %arg0 : tensor<1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x1x2x3x5xf32>
  return
}
