// allow-unregistered
// six names go; names of origins and a function's own attributes stay
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32> {jax.x = 1 : i32, sdy.block_arg_sharding_origins = [], sdy.sharding_origins = {x = "self"}}) -> (tensor<8xf32> {sdy.sharding_origins = {x = "output: 0"}}) attributes {sdy.sharding_origin_name = "h", sdy.sharding_origins = {x = "a"}} {
  %0 = sdy.sharding_constraint %a <@m, [{"x"}]> {sdy.sharding_origin_name = "constraint_0", sdy.sharding_origins = {x = "self"}} : tensor<8xf32>
  %1 = stablehlo.optimization_barrier {sdy.block_arg_propagation_edges = [], sdy.block_arg_sharding_origins = [], sdy.result_propagation_edges = [], sdy.result_sharding_origins = [{x = "a"}], foo.bar} %0 : tensor<8xf32>
  %2 = "foo.op"(%1) ({
    %3 = stablehlo.negate %1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<8xf32>
    "foo.yield"(%3) : (tensor<8xf32>) -> ()
  }) {sdy.sharding_origins = {x = "a"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
// -----
// after propagation with debug options
// pipeline: builtin.module(sdy-add-data-flow-edges,sdy-user-priority-propagate,func.func(sdy-sink-data-flow-edges),sdy-remove-propagation-debug-info)
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}]>}) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
