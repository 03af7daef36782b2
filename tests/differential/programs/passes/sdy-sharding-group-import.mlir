// groups that share a value become one
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<8xf32>) {
  sdy.sharding_group %a group_id=5 : tensor<8xf32>
  sdy.sharding_group %c group_id=6 : tensor<8xf32>
  sdy.sharding_group %b group_id=9 : tensor<8xf32>
  sdy.sharding_group %d group_id=1 : tensor<8xf32>
  sdy.sharding_group %b group_id=5 : tensor<8xf32>
  return
}
// -----
// a second run numbers anew
// pipeline: builtin.module(sdy-sharding-group-import,sdy-sharding-group-import)
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<8xf32>) {
  sdy.sharding_group %a group_id=5 : tensor<8xf32>
  sdy.sharding_group %c group_id=6 : tensor<8xf32>
  sdy.sharding_group %b group_id=9 : tensor<8xf32>
  sdy.sharding_group %d group_id=1 : tensor<8xf32>
  sdy.sharding_group %b group_id=5 : tensor<8xf32>
  return
}
// -----
// chains of merges, duplicates, several functions
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<8xf32>) {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  sdy.sharding_group %a group_id=-5 : tensor<8xf32>
  sdy.sharding_group %a group_id=-5 : tensor<8xf32>
  sdy.sharding_group %0 group_id=1 : tensor<8xf32>
  sdy.sharding_group %b group_id=2 : tensor<8xf32>
  sdy.sharding_group %b group_id=3 : tensor<8xf32>
  sdy.sharding_group %c group_id=4 : tensor<8xf32>
  sdy.sharding_group %c group_id=2 : tensor<8xf32>
  sdy.sharding_group %d group_id=3 : tensor<8xf32>
  sdy.sharding_group %d group_id=1 : tensor<8xf32>
  sdy.sharding_group %c group_id=4 : tensor<8xf32>
  sdy.sharding_group %d group_id=7 : tensor<8xf32>
  return
}
func.func private @f(%a: tensor<8xi32>, %b: tensor<8xf32>) {
  sdy.sharding_group %a group_id=7 : tensor<8xi32>
  sdy.sharding_group %b group_id=8 : tensor<8xf32>
  return
}
// -----
// no groups
func.func @main() {
  return
}
// -----
// unlike shapes
func.func @main(%a: tensor<8xf32>, %b: tensor<4xf32>) {
  sdy.sharding_group %a group_id=3 : tensor<8xf32>
  sdy.sharding_group %b group_id=3 : tensor<4xf32>
  return
}
// -----
// shapes differ after the merge only: no error
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  sdy.sharding_group %a group_id=3 : tensor<8xf32>
  sdy.sharding_group %b group_id=3 : tensor<8xf32>
  sdy.sharding_group %b group_id=4 : tensor<8xf32>
  return
}
// -----
// a group inside and outside a manual computation
sdy.mesh @a = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %a group_id=3 : tensor<8xf32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@a, [{}], replicated={"x"}>] out_shardings=[<@a, [{}], replicated={"x"}>] manual_axes={"x"} (%m: tensor<8xf32>) {
    sdy.sharding_group %m group_id=3 : tensor<8xf32>
    sdy.return %m : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// both wrong: the boundary is told
sdy.mesh @a = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %a group_id=-3 : tensor<8xf32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@a, [{"x"}]>] out_shardings=[<@a, [{"x"}]>] manual_axes={"x"} (%m: tensor<4xf32>) {
    sdy.sharding_group %m group_id=-3 : tensor<4xf32>
    sdy.return %m : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// the same computation, but deeper
sdy.mesh @a = <["x"=2]>
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a, %i) in_shardings=[<@a, [{"x"}]>, <@a, [], replicated={"x"}>] out_shardings=[<@a, [{"x"}]>] manual_axes={"x"} (%m: tensor<4xf32>, %j: tensor<i32>) {
    sdy.sharding_group %m group_id=9 : tensor<4xf32>
    %1 = "stablehlo.case"(%j) ({
      %2 = stablehlo.negate %m : tensor<4xf32>
      sdy.sharding_group %2 group_id=9 : tensor<4xf32>
      stablehlo.return %2 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
