// copies sharded alike become one
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f_1(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @f_0(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @f_2(%2) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @g(%3) {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %5 = call @f_3(%4) : (tensor<8xf32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @f_0(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "f"} {
  return %a : tensor<8xf32>
}
func.func private @f_1(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "f", other = 1 : i32} {
  return %a : tensor<8xf32>
}
func.func private @f_2(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "f", sdy.func_manual_axes = #sdy<manual_axes{"x"}>} {
  return %a : tensor<8xf32>
}
func.func private @f_3(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "f"} {
  return %a : tensor<8xf32>
}
func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f_3(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// fully: the most frequent shardings win
// pipeline: builtin.module(sdy-unflatten-call-graph{dedup-functions-fully=true})
sdy.mesh @a = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f_1(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @f_0(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @f_2(%2) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @g(%3) : (tensor<8xf32>) -> tensor<8xf32>
  %5 = call @f_3(%4) : (tensor<8xf32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @f_0(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "f"} {
  return %a : tensor<8xf32>
}
func.func private @f_1(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "f"} {
  return %a : tensor<8xf32>
}
func.func private @f_2(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"y"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "f", sdy.func_manual_axes = #sdy<manual_axes{"x"}>} {
  return %a : tensor<8xf32>
}
func.func private @f_3(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}) -> tensor<8xf32> attributes {sdy.original_func_name = "f"} {
  return %a : tensor<8xf32>
}
func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f_3(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// result shardings count; a missing one is open; declarations; inlined meshes
sdy.mesh @a = <["x"=2, "y"=2]>
sdy.mesh @max = <[], device_ids=[0]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "top"} {
  %0:2 = call @f(%a) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %1:2 = call @f_0(%0#0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %2:2 = call @f_1(%1#0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %3:2 = call @f_2(%2#0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %4:2 = call @f_3(%3#0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %5:2 = call @f_4(%4#0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %6 = call @d(%5#0) : (tensor<8xf32>) -> tensor<8xf32>
  %7 = call @d_0(%6) : (tensor<8xf32>) -> tensor<8xf32>
  return %7 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}, tensor<8xf32>) {
  return %a, %a : tensor<8xf32>, tensor<8xf32>
}
func.func private @f_0(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{?}]>}) attributes {sdy.original_func_name = "f"} {
  return %a, %a : tensor<8xf32>, tensor<8xf32>
}
func.func private @f_1(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{}]>}) attributes {sdy.original_func_name = "f"} {
  return %a, %a : tensor<8xf32>, tensor<8xf32>
}
func.func private @f_2(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@max, []>}, tensor<8xf32>) attributes {sdy.original_func_name = "f"} {
  return %a, %a : tensor<8xf32>, tensor<8xf32>
}
func.func private @f_3(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {sdy.original_func_name = "f"} {
  return %a, %a : tensor<8xf32>, tensor<8xf32>
}
func.func private @f_4(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "y"=2]>, [{"x"}]>}, tensor<8xf32>) attributes {sdy.original_func_name = "f"} {
  return %a, %a : tensor<8xf32>, tensor<8xf32>
}
func.func private @d(tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "ext"}
func.func private @d_0(tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "ext"}
// -----
// twice
// pipeline: builtin.module(sdy-flatten-call-graph,sdy-unflatten-call-graph,sdy-unflatten-call-graph)
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
