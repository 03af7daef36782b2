// pipeline: builtin.module()
// pipeline: builtin.module(sdy-propagation-pipeline)
// pipeline: builtin.module(sdy-import-pipeline)
// pipeline: builtin.module(sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
module @while_sdy attributes {enzymexla.x = #enzymexla.triangular<"a", [1,2],  {b = 3}>} {
  sdy.mesh @mesh = <["x"=4, "y"=1]>
  func.func @main(%arg0: tensor<64x64xf64> {enzyme.type = #enzyme.ta<{[-1]:Float@double}>, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<64x64xf64> {
    %c0 = stablehlo.constant {enzyme.guaranteed} dense<0> : tensor<i64>
    %c1 = stablehlo.constant dense<1> : tensor<i64>
    %c10 = stablehlo.constant dense<10> : tensor<i64>
    %0:3 = stablehlo.while(%iterArg = %c0, %iterArg_0 = %arg0, %iterArg_1 = %arg0) : tensor<i64>, tensor<64x64xf64>, tensor<64x64xf64> attributes {enzymexla.disable_raising, sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{?}, {?}]>]>}
     cond {
      %1 = stablehlo.compare LT, %iterArg, %c10 : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = "enzymexla.linalg.lu"(%iterArg_0) {foo = dense_resource<blob1> : tensor<2xf64>} : (tensor<64x64xf64>) -> tensor<64x64xf64>
      %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<64x64xf64>) -> tensor<64x64xf64>
      %3 = stablehlo.add %iterArg, %c1 : tensor<i64>
      stablehlo.return %3, %2, %iterArg_0 : tensor<i64>, tensor<64x64xf64>, tensor<64x64xf64>
    }
    return %0#2 : tensor<64x64xf64>
  }
}
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x0800000001000000000000000200000000000000"
    }
  }
#-}
