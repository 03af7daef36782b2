// pipeline: builtin.module(sdy-add-data-flow-edges,sdy-basic-propagate)
sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2, "d"=2]>
func.func @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a", "c"}]>}, %arg1: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}]>}) -> (tensor<16xf32>, tensor<16xf32>) {
  %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{?}]>, <@mesh, [{?}]>] out_shardings=[<@mesh, [{?}], replicated={"a", "d"}>, <@mesh, [{?}], replicated={"a", "d"}>] manual_axes={"a", "d"} (%arg2: tensor<16xf32>, %arg3: tensor<16xf32>) {
    %1 = stablehlo.tanh %arg2 : tensor<16xf32>
    %2 = stablehlo.tanh %arg3 : tensor<16xf32>
    sdy.return %1, %2 : tensor<16xf32>, tensor<16xf32>
  } : (tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
}
