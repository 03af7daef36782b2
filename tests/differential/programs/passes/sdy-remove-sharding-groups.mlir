// groups go, in regions too
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  %0 = stablehlo.negate %a : tensor<8xf32>
  sdy.sharding_group %0 group_id=0 {foo.bar = 1 : i32} : tensor<8xf32>
  %1 = "stablehlo.case"(%i) ({
    sdy.sharding_group %0 group_id=1 : tensor<8xf32>
    stablehlo.return %0 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) {
  sdy.sharding_group %a group_id=1 : tensor<8xf32>
  return
}
