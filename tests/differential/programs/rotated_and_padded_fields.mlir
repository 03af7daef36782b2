// pipeline: builtin.module()
// pipeline: builtin.module(sdy-propagation-pipeline)
// pipeline: builtin.module(sdy-import-pipeline)
// pipeline: builtin.module(sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}))
module @reactant_first_time_step attributes {mhlo.num_partitions = 4 : i64, mhlo.num_replicas = 1 : i64} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%arg0: tensor<20x24x80xf64> {enzymexla.memory_effects = [], sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {"x"}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<4x8x80xf64> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}, {"x", ?}]>}) -> (tensor<20x24x80xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {"x"}]>}, tensor<20x24x96xf64>) attributes {enzymexla.memory_effects = ["read", "write", "allocate", "free"]} {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<8> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = "enzymexla.rotate"(%arg0) <{amount = 2 : si32, dimension = 2 : si32}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}, {"x"}]>]>} : (tensor<20x24x80xf64>) -> tensor<20x24x80xf64>
    %1 = "enzymexla.wrap"(%0) <{dimension = 2 : i64, lhs = 8 : i64, rhs = 8 : i64}> : (tensor<20x24x80xf64>) -> tensor<20x24x96xf64>
    %2 = stablehlo.slice %1 [0:20, 0:24, 88:96] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}, {"x"}]>]>} : (tensor<20x24x96xf64>) -> tensor<20x24x8xf64>
    %3 = stablehlo.slice %1 [0:20, 0:24, 8:16] : (tensor<20x24x96xf64>) -> tensor<20x24x8xf64>
    %4 = stablehlo.slice %1 [0:20, 0:24, 8:88] : (tensor<20x24x96xf64>) -> tensor<20x24x80xf64>
    %5 = stablehlo.concatenate %2, %4, %3, dim = 2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}, {"x"}]>]>} : (tensor<20x24x8xf64>, tensor<20x24x80xf64>, tensor<20x24x8xf64>) -> tensor<20x24x96xf64>
    %6 = stablehlo.pad %4, %cst, low = [0, 0, 8], high = [0, 0, 8], interior = [0, 0, 0] : (tensor<20x24x80xf64>, tensor<f64>) -> tensor<20x24x96xf64>
    %7 = stablehlo.add %5, %6 : tensor<20x24x96xf64>
    %8 = stablehlo.dynamic_update_slice %arg0, %arg1, %c_0, %c_0, %c : (tensor<20x24x80xf64>, tensor<4x8x80xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<20x24x80xf64>
    %9:2 = stablehlo.while(%iterArg = %c, %iterArg_1 = %8) : tensor<i32>, tensor<20x24x80xf64> attributes {enzyme.disable_mincut, enzymexla.while_info = #enzymexla.foo<a,  b>}
    cond {
      %10 = stablehlo.compare LT, %iterArg, %c_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10 = stablehlo.reverse %iterArg_1, dims = [1] : tensor<20x24x80xf64>
      %11 = stablehlo.slice %10 [0:20, 0:23, 0:80] : (tensor<20x24x80xf64>) -> tensor<20x23x80xf64>
      %12 = stablehlo.pad %11, %cst, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<20x23x80xf64>, tensor<f64>) -> tensor<20x24x80xf64>
      %13 = stablehlo.multiply %12, %iterArg_1 {enzymexla.finite = #enzymexla<guaranteed GUARANTEED>} : tensor<20x24x80xf64>
      %14 = stablehlo.add %iterArg, %c_0 : tensor<i32>
      stablehlo.return %14, %13 : tensor<i32>, tensor<20x24x80xf64>
    }
    return %9#1, %7 : tensor<20x24x80xf64>, tensor<20x24x96xf64>
  }
}
