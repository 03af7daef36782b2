// from shardings to the minimal partitioner
// pipeline: builtin.module(sdy-export-pipeline)
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>}, %w: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y", ?}]>}, %n: tensor<i32>) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"y":(1)2, ?}, {?}]>}) {
  sdy.sharding_group %a group_id=7 : tensor<8x16xf32>
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {"y"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=6, k=16} reduction={k}>} : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %c = stablehlo.constant dense<1.0> : tensor<8x6xf32>
  %d = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}, {"y", ?}]>]>} dense<1.0> : tensor<8x6xf32>
  %e = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}, {"y", ?}]>]>} dense<1.0> : tensor<8x6xf32>
  %1 = stablehlo.add %0, %c : tensor<8x6xf32>
  %2 = sdy.sharding_constraint %1 <@m, [{}, {?}]> {sdy.sharding_origin_name = "constraint_0"} : tensor<8x6xf32>
  %3 = stablehlo.optimization_barrier %2 : tensor<8x6xf32>
  %4 = sdy.data_flow_edge %3 sharding=<@m, [{?}, {"y", ?}]> : tensor<8x6xf32>
  %5 = stablehlo.add %4, %d : tensor<8x6xf32>
  %6 = stablehlo.add %5, %e : tensor<8x6xf32>
  %dead = sdy.reshard %6 <@m, [{}, {}]> : tensor<8x6xf32>
  return %6 : tensor<8x6xf32>
}
// -----
// the same, to be propagated again
// pipeline: builtin.module(sdy-export-pipeline{avoid-export-for-partitioning=true keep-sharding-rules=1 avoid-reshards-on-calls})
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>}) -> tensor<8x16xf32> {
  sdy.sharding_group %a group_id=7 : tensor<8x16xf32>
  %c = stablehlo.constant dense<1.0> : tensor<8x16xf32>
  %1 = stablehlo.add %a, %c {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=16}>} : tensor<8x16xf32>
  %2 = sdy.sharding_constraint %1 <@m, [{}, {?}]> : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
// -----
// debug information is sunk and removed
// pipeline: builtin.module(sdy-export-pipeline{dump-sharding-origins dump-propagation-edges update-non-divisible-input-output-shardings=false})
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}]>, sdy.sharding_origins = {y = "self"}}) -> tensor<6xf32> {
  %0 = stablehlo.optimization_barrier %a : tensor<6xf32>
  %1 = sdy.data_flow_edge %0 sharding=<@m, [{"y", ?}]> {sdy.sharding_origins = {y = "input: 0"}} : tensor<6xf32>
  return %1 : tensor<6xf32>
}
// -----
// reshards become collectives
// pipeline: builtin.module(sdy-export-pipeline{enable-insert-explicit-collectives=true remove-all-gather-reduce-scatter-for-cmv1=true})
sdy.mesh @m = <["a"=2, "b"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}) {
  %0 = stablehlo.dot %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {"b"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{"b"}, {"a"}]> : tensor<8x8xf32>
  %2 = stablehlo.dot %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {"a"}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
// -----
// without a main function
// pipeline: builtin.module(sdy-export-pipeline{update-non-divisible-input-output-shardings=false})
func.func @f(%a: tensor<6xf32>) -> tensor<6xf32> { return %a : tensor<6xf32> }
func.func @g(%a: tensor<6xf32>) -> tensor<6xf32> { return %a : tensor<6xf32> }
