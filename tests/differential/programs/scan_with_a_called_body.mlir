// pipeline: builtin.module()
// pipeline: builtin.module(sdy-propagation-pipeline)
// pipeline: builtin.module(sdy-import-pipeline)
// pipeline: builtin.module(sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
module @jit_g {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func public @main(%arg0: tensor<4x8x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}, {}]>}, %arg1: tensor<16x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}) -> tensor<8x16xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c4 = stablehlo.constant dense<4> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %cst = stablehlo.constant dense<0.0> : tensor<8x16xbf16>
    %0:2 = stablehlo.while(%i = %c, %h = %cst) : tensor<i32>, tensor<8x16xbf16>
    cond {
      %2 = stablehlo.compare LT, %i, %c4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.dynamic_slice %arg0, %i, %c, %c, sizes = [1, 8, 16] : (tensor<4x8x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xbf16>
      %3 = stablehlo.reshape %2 : (tensor<1x8x16xbf16>) -> tensor<8x16xbf16>
      %4 = func.call @body(%3, %h, %arg1) : (tensor<8x16xbf16>, tensor<8x16xbf16>, tensor<16x16xbf16>) -> tensor<8x16xbf16>
      %5 = stablehlo.add %i, %c1 : tensor<i32>
      stablehlo.return %5, %4 : tensor<i32>, tensor<8x16xbf16>
    }
    %1 = "stablehlo.case"(%c) ({
      %2 = stablehlo.negate %0#1 : tensor<8x16xbf16>
      stablehlo.return %2 : tensor<8x16xbf16>
    }, {
      stablehlo.return %0#1 : tensor<8x16xbf16>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {?}]>]>} : (tensor<i32>) -> tensor<8x16xbf16>
    return %1 : tensor<8x16xbf16>
  }
  func.func private @body(%arg0: tensor<8x16xbf16>, %arg1: tensor<8x16xbf16>, %arg2: tensor<16x16xbf16>) -> tensor<8x16xbf16> {
    %0 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xbf16>, tensor<16x16xbf16>) -> tensor<8x16xbf16>
    %1 = stablehlo.add %0, %arg0 : tensor<8x16xbf16>
    %2 = sdy.sharding_constraint %1 <@mesh, [{"a", ?}, {"b", ?}]> : tensor<8x16xbf16>
    return %2 : tensor<8x16xbf16>
  }
}
