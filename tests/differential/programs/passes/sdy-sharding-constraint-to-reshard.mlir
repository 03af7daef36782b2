// shardings, attributes and uses move over verbatim
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@m, [{"x", ?}p1, {?}], replicated={"y"}> {foo.bar = 2 : i32, sdy.sharding_origin_name = "constraint_0"} : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %a <@m, [{?}, {}], unreduced={"y"}> : tensor<8x8xf32>
  %2 = sdy.manual_computation(%0) in_shardings=[<@m, [{"x"}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"} (%p: tensor<4x8xf32>) {
    %3 = sdy.sharding_constraint %p <@m, [{"y"}, {}]> : tensor<4x8xf32>
    %4 = stablehlo.add %3, %3 : tensor<4x8xf32>
    sdy.return %4 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = sdy.reshard %2 <@m, [{}, {}]> : tensor<8x8xf32>
  return %5, %0 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @g(tensor<8xf32>) -> tensor<8xf32>
