// Operations without a rule, known and unknown; those in their regions have one.
sdy.mesh @mesh = <["x"=2]>
func.func private @callee(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
func.func @no_rules(%arg0: tensor<8xf32>, %arg1: tensor<i32>, %arg2: !stablehlo.token, %arg3: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @callee(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<8xf32>
  %1 = sdy.constant dense<0.000000e+00> : tensor<8xf32>
  %2 = stablehlo.iota dim = 0 : tensor<8xf32>
  %3 = sdy.reshard %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  %4 = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8xf32>
  %5 = sdy.data_flow_edge %arg3 : tensor<8xf32>
  sdy.sharding_group %arg0 group_id=0 : tensor<8xf32>
  %6:2 = stablehlo.optimization_barrier %arg0, %0 : tensor<8xf32>, tensor<8xf32>
  %7 = stablehlo.after_all %arg2, %arg2 : !stablehlo.token
  %8 = stablehlo.partition_id : tensor<ui32>
  %9 = stablehlo.custom_call @LayoutConstraint(%arg2) : (!stablehlo.token) -> !stablehlo.token
  %10 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg4: tensor<4xf32>) {
    %14 = stablehlo.abs %arg4 : tensor<4xf32>
    sdy.return %14 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %11 = sdy.named_computation<"name">(%arg0) (%arg4: tensor<8xf32>) {
    %14 = stablehlo.negate %arg4 : tensor<8xf32>
    sdy.return %14 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %12:2 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %arg0) : tensor<i32>, tensor<8xf32>
  cond {
    %14 = stablehlo.compare LT, %iterArg, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %14 : tensor<i1>
  } do {
    %14 = stablehlo.add %iterArg_0, %iterArg_0 : tensor<8xf32>
    stablehlo.return %iterArg, %14 : tensor<i32>, tensor<8xf32>
  }
  %13 = "stablehlo.case"(%arg1) ({
    %14 = stablehlo.sine %arg0 : tensor<8xf32>
    stablehlo.return %14 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @unknown(%arg0: tensor<8xf32>, %arg1: tensor<8xi32>) {
  %0 = stablehlo.broadcast %arg0, sizes = [2] : (tensor<8xf32>) -> tensor<2x8xf32>
  %1 = chlo.erf %arg0 : tensor<8xf32> -> tensor<8xf32>
  %2 = "stablehlo.map"(%arg0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%arg2: tensor<f32>):
    %4 = stablehlo.sine %arg2 : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.replica_id : tensor<ui32>
  return
}
