// Shardings, rules, computations, edges and collectives, legal and illegal.
// What stands before the first separator stands before each part.

sdy.mesh @mesh = <["a"=2, "b"=4, "c"=8]>
sdy.mesh @mx = <[], device_ids=[3]>
sdy.mesh @em = <[]>
sdy.mesh @perm = <["a"=2, "b"=4, "c"=8], device_ids=[63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @same = <["a"=2, "b"=4, "c"=8]>
sdy.mesh @other = <["x"=2, "b"=4]>

// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@nope, [{}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"zz"}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"a"}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "a"}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2, "b":(2)2}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2}, {"b":(2)2}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(2)2, "b":(1)2}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(2)2, "c":(1)2}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(0)2}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)1}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(2)1}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(-1)2}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(2)4}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)3}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)4}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(1)4}, {"c":(2)2}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(1)4}, {"c":(2)4}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(2)4}, {"c":(1)4}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2}, {"b"}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"b":(1)2}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}p1, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}p1, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}p0]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p0, {?}p7]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"b"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"c", "b"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"b", "c"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"a"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"b", "b"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"zz"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"zz", "b"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"b", "zz"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"b":(1)2, "b":(2)2}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"b":(2)2, "b":(1)2}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"c":(4)2, "c":(1)2}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"c":(1)2, "c":(4)2}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"c", "b"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b", "c"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"a"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"b"}, unreduced={"b"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"c":(1)2}, unreduced={"c":(2)2}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"c":(1)4}, unreduced={"c":(2)2}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"c"}, unreduced={"c":(2)2}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, []>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mx, []>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mx, [{}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mx, [], replicated={"a"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@em, [{}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@em, [{"a"}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@em, []>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["q"=2]>, [{"q"}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["q"=2]>, [{"a"}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[1]>, []>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[1]>, [{}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<[]>, [{}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"zz"}p1]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"zz"}, {}p1]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}p1, {"zz"}]>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(2)4}, {}], replicated={"zz"}>}) { return }
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@"we ird", [{}, {}]>}) { return }
// -----
func.func @f(%a: !stablehlo.token {sdy.sharding = #sdy.sharding<@mesh, []>}) { return }
// -----
func.func @f(%a: !stablehlo.token {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) { return }
// -----
func.func @f(%a: !stablehlo.token {sdy.sharding = #sdy.sharding<@mesh, [], replicated={"a"}>}) { return }
// -----
func.func @f(%a: i32 {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) { return }
// -----
func.func @f(%a: i32 {sdy.sharding = #sdy.sharding<@mesh, []>}) { return }
// -----
func.func @f(%a: tuple<tensor<8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) { return }
// -----
func.func @f(%a: tuple<tensor<8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) { return }
// -----
func.func @f(%a: tuple<tensor<8xf32>, tensor<8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) { return }
// -----
func.func @f(%a: tuple<> {sdy.sharding = #sdy.sharding<@mesh, []>}) { return }
// -----
func.func @f(%a: tensor<*xf32> {sdy.sharding = #sdy.sharding<@mesh, []>}) { return }
// -----
func.func @f(%a: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) { return }
// -----
func.func @f(%a: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], replicated={"a"}>}) { return }
// -----
func.func @f(%a: tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) { return }
// -----
func.func @f(%a: vector<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) { return }
// -----
func.func @f(%a: memref<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) { return }
// -----
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mx, []>}) { return }
// -----
func.func @f(%a: !stablehlo.token {sdy.sharding = #sdy.sharding<@mx, []>}) { return }
// -----
func.func @f(%a: !stablehlo.token {sdy.sharding = #sdy.sharding<@mx, [{}]>}) { return }
// -----
func.func @f(%a: tuple<!stablehlo.token> {sdy.sharding = #sdy.sharding<@mesh, []>}) { return }
// -----
func.func @f(%a: tensor<0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) { return }
// -----
func.func @f(%a: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) { return }
// -----
func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"zz"}]>})
// -----
func.func private @f(tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"zz"}]>})
// -----
func.func private @f(tensor<8xf32> {sdy.sharding = 1 : i32})
// -----
func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>})
// -----
func.func private @f() -> (tensor<8xf32>, tensor<8xf32> {sdy.sharding = 1})
// -----
func.func private @f() -> (tensor<8xf32>, tensor<8xf32> {sdy.foo = 1, sdy.sharding_rule = 2, sdy.propagation_edges = 3})
// -----
func.func private @f(tensor<8xf32> {sdy.foo = 1, sdy.sharding_rule = 2, sdy.propagation_edges = 3})
// -----
func.func private @f() attributes {sdy.sharding = 1}
// -----
func.func private @f() attributes {sdy.sharding = #sdy.sharding_per_value<[]>}
// -----
func.func private @f() attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>}
// -----
func.func private @f() attributes {sdy.sharding_rule = 1}
// -----
func.func private @f() attributes {sdy.foo = 1, sdy.bar}
// -----
func.func private @f() attributes {sdy.propagation_edges = 1}
// -----
func.func private @f() attributes {sdy.result_propagation_edges = 1}
// -----
func.func private @f() attributes {sdy.result_propagation_edges = [1]}
// -----
func.func private @f() attributes {sdy.result_propagation_edges = []}
// -----
func.func private @f() attributes {sdy.block_arg_propagation_edges = [#sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-0]}]}]>]}
// -----
func.func private @f() attributes {sdy.block_arg_propagation_edges = {}}
// -----
module attributes {sdy.sharding = 1} {}
// -----
module attributes {sdy.sharding = #sdy.sharding_per_value<[]>} {}
// -----
module attributes {sdy.sharding = #sdy.sharding_per_value<[<@m, []>]>} {sdy.mesh @m = <[]>}
// -----
module { sdy.mesh @mesh = <["a"=2]> 
 module { func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) { return } } }
// -----
module { func.func private @mesh() 
 func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) { return } }
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"zz"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = 1 : i32} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@nope, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mx, []>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>, <@mesh, [{"b"}, {}]>]>} %a, %a : tensor<8x8xf32>, tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} %a, %a : tensor<8x8xf32>, tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>, <@mesh, [{"b"}]>]>} %a, %a : tensor<8x8xf32>, tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mx, []>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mx, [{}]>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@nope, []>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@nope, [{"a"}]>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mx, []>, <@mx, []>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  stablehlo.custom_call @g(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], replicated={"a"}>]>} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=8, j=8}>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=8, k=8}>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=8}>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8, k=8}>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, i])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8} reduction={j}>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=8, k=8} reduction={j}>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=8, k=8} reduction={j} need_replication={j}>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"zz"}, {}]>]>, sdy.sharding_rule = 1} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = 1, sdy.sharding_rule = 1} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-0]}]}]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"zz" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = operand-1 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-1]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-0, result-1]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = result-0 -> [operand-0]}]}, {step-1 = [{"b":(1)2 = result-0 -> [operand-3]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"zz" = operand-5 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}, {}]>}) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@same, [{"a"}, {}]>}) {
  %0 = stablehlo.negate %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@nope, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@nope, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"zz"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"zz"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mx, []> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mx, []> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?xf32>) {
  %0 = sdy.data_flow_edge %a : tensor<?xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = sdy.data_flow_edge %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a : tensor<8x8xf32>
 %1 = stablehlo.negate %a : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a : tensor<8x8xf32>
 %1 = sdy.data_flow_edge %0 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{}, {}]> : tensor<8x8xf32>
 %1 = sdy.data_flow_edge %0 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a sharding=<@mesh, [{"zz"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a sharding=<@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.func_data_flow_edge %a : tensor<8x8xf32>
 %1 = stablehlo.negate %a : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.func_data_flow_edge %a : tensor<8x8xf32>
 %1 = stablehlo.negate %0 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
 %1 = sdy.func_data_flow_edge %0 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?xf32>) {
  %0 = sdy.func_data_flow_edge %a : tensor<?xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) (%x: tensor<8x8xf32>) {
 %2 = sdy.func_data_flow_edge %x : tensor<8x8xf32>
 sdy.return %2 : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
 %1 = sdy.data_flow_edge %0 : tensor<8x8xf32>
  return
}
// -----
func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> { return %a : tensor<8xf32> }
func.func @f(%a: tensor<8xf32>) { %0 = call @g(%a) : (tensor<8xf32>) -> tensor<8xf32> 
 %1 = sdy.func_data_flow_edge %0 : tensor<8xf32> 
 return }
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) () {
 %9 = sdy.constant dense<1.0> : tensor<8x8xf32>
 sdy.return %9 : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) (%x: tensor<4xf32>) {
 sdy.return %x : tensor<4xf32>
} : (tensor<8x8xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) (%x: tensor<8x8xf32>, %y: tensor<4xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) in_shardings=[<@mesh, [{"zz"}, {}]>] (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) out_shardings=[<@mesh, [{"zz"}, {}]>] (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) in_shardings=[] (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) in_shardings=[<@mx, []>] out_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>] (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0:2 = sdy.named_computation<"f">(%a, %a) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}]>] (%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) {
 sdy.return %x, %y : tensor<8x8xf32>, tensor<8x8xf32>
} : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0:2 = sdy.named_computation<"f">(%a, %a) (%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0:2 = sdy.named_computation<"f">(%a, %a) (%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) {
 sdy.return %x, %y, %y : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
} : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"zz"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a", "zz"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"b"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"b"} (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"b", "a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a", "a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[] out_shardings=[] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"zz"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"b", "a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a", "b"}, {}]>] out_shardings=[<@mesh, [{"a", "b"}, {"c", ?}p1]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"b", "a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x4xf32>) {
 sdy.return %x : tensor<4x4xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xi32>) {
 sdy.return %x : tensor<4x8xi32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<7x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<3x8xf32>) {
 sdy.return %x : tensor<3x8xf32>
} : (tensor<7x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {"b":(1)2}]>] out_shardings=[<@mesh, [{"a"}, {"b":(1)2}]>] manual_axes={"a", "b"} (%x: tensor<4x4xf32>) {
 sdy.return %x : tensor<4x4xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@other, [{}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@same, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@perm, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@other, [{}, {}]>] manual_axes={} (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@em, [{}, {}]>] out_shardings=[<@other, [{}, {}]>] manual_axes={"x"} (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@em, [{}, {}]>] out_shardings=[<@em, [{}, {}]>] manual_axes={"x"} (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a, %a) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x, %x : tensor<4x8xf32>, tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<?x8xf32>) {
 sdy.return %x : tensor<?x8xf32>
} : (tensor<?x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [], replicated={"a"}>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: !stablehlo.token) {
 sdy.return %x : !stablehlo.token
} : (!stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, []>] out_shardings=[<@mesh, []>] manual_axes={"a"} (%x: !stablehlo.token) {
 sdy.return %x : !stablehlo.token
} : (!stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<mesh<["a"=2]>, [{"a"}, {}]>] out_shardings=[<mesh<["a"=2]>, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<mesh<["a"=2]>, [{"a"}, {}]>] out_shardings=[<mesh<["a"=4]>, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 %5 = sdy.reshard %x <@mesh, [{"a"}, {}]> : tensor<4x8xf32>
 sdy.return %5 : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 %5 = sdy.reshard %x <@mesh, [{"b"}, {}], replicated={"a":(1)2}> : tensor<4x8xf32>
 sdy.return %5 : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 %5 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}, {}], unreduced={"a"}>]>} : tensor<4x8xf32>
 sdy.return %5 : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 %5 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"b"}, {}]>] out_shardings=[<@mesh, [{"b"}, {}]>] manual_axes={"b"} (%y: tensor<1x8xf32>) {
 sdy.return %y : tensor<1x8xf32> 
 } : (tensor<4x8xf32>) -> tensor<4x8xf32>
 sdy.return %5 : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 %5 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"b"}, {}]>] out_shardings=[<@mesh, [{"b"}, {}]>] manual_axes={"a"} (%y: tensor<1x8xf32>) {
 sdy.return %y : tensor<1x8xf32> 
 } : (tensor<4x8xf32>) -> tensor<4x8xf32>
 sdy.return %5 : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 %5 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"b"}, {}]>] out_shardings=[<@mesh, [{"b"}, {}]>] manual_axes={"b", "a"} (%y: tensor<1x8xf32>) {
 sdy.return %y : tensor<1x8xf32> 
 } : (tensor<4x8xf32>) -> tensor<4x8xf32>
 sdy.return %5 : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 %5 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"b"} (%y: tensor<1x8xf32>) {
 sdy.return %y : tensor<1x8xf32> 
 } : (tensor<4x8xf32>) -> tensor<4x8xf32>
 sdy.return %5 : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 %5 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"b", "a"}, {}]>] out_shardings=[<@mesh, [{"b", "a"}, {}]>] manual_axes={"b"} (%y: tensor<1x8xf32>) {
 sdy.return %y : tensor<1x8xf32> 
 } : (tensor<4x8xf32>) -> tensor<4x8xf32>
 sdy.return %5 : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{"zz"}, {}]> : tensor<8x8xf32>
 %1 = stablehlo.negate %a {sdy.sharding = 1} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8xf32>) { %0 = sdy.reshard %a <@mesh, [{"zz"}]> : tensor<8xf32> 
 return }
func.func @g(%a: tensor<8xf32>) { %0 = sdy.reshard %a <@mesh, [{"yy"}]> : tensor<8xf32> 
 return }
// -----
func.func @f(%a: tensor<8xf32>) { %0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8xf32> 
 return }
func.func @g(%a: tensor<8xf32>) { %0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8xf32> 
 return }
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) in_shardings=[<@mesh, [{"zz"}, {}]>] (%x: tensor<8x8xf32>) {
 %5 = sdy.propagation_barrier %x allowed_direction=BOTH : tensor<8x8xf32>
 sdy.return %5 : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
 %7 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) in_shardings=[<@mesh, [{"zz"}, {}]>] (%x: tensor<8x8xf32>) {
 %5 = sdy.reshard %x <@mesh, [{"yy"}, {}]> : tensor<8x8xf32>
 sdy.return %5 : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
 %7 = sdy.reshard %a <@mesh, [{"xx"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation<"f">(%a) (%x: tensor<8x8xf32>) {
 sdy.return %x : tensor<8x8xf32>
 sdy.return %x : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{}, {}]> {sharding = #sdy.sharding<@mesh, [{"a"}, {}]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{}, {}]> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"zz"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_gather [{"a"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"a"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"a"}, {}] %a out_sharding=<@mesh, [{?}p1, {?}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"a"}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"zz"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"a"}, {"a"}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"b"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c"}, {}]>}) {
  %0 = sdy.all_gather [{"c":(2)4}, {}] %a out_sharding=<@mesh, [{"a", "c":(1)2}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c"}, {}]>}) {
  %0 = sdy.all_gather [{"c":(2)2}, {}] %a out_sharding=<@mesh, [{"a", "c":(1)2}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  %0 = sdy.all_gather [{"a", "b"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  %0 = sdy.all_gather [{"b", "a"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  %0 = sdy.all_gather [{"b"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {"c"}]>}) {
  %0 = sdy.all_gather [{}, {}] %a out_sharding=<@mesh, [{"a", "b"}, {"c":(1)4}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"a"}, {}] %a out_sharding=<@same, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"a"}, {}] %a out_sharding=<@perm, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"a"}, {}] %a out_sharding=<@other, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"a"}, {}] %a out_sharding=<@mesh, [{}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_gather [{"a"}, {}] %a out_sharding=<@mesh, [{"zz"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mx, []>}) {
  %0 = sdy.all_gather [] %a out_sharding=<@mx, []> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mx, []>}) {
  %0 = sdy.all_gather [{}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice [{"b"}, {}] %a out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_slice [{"b"}, {}] %a out_sharding=<@mesh, [{"a", "b"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c":(1)2}, {}]>}) {
  %0 = sdy.all_slice [{"c":(2)4}, {"b"}] %a out_sharding=<@mesh, [{"c"}, {"b"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_slice [{"b"}, {}] %a out_sharding=<@mesh, [{"b", "a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_slice [{"a"}, {}] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice [{"b":(1)2}, {"b":(2)2}] %a out_sharding=<@mesh, [{"b":(1)2}, {"b":(2)2}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice [{"b":(1)2, "b":(2)2}, {}] %a out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice [{"b"}] %a out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reduce_scatter [{"b"}, {}] %a out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.reduce_scatter [{"b"}, {}] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.reduce_scatter [{}, {}] %a out_sharding=<@other, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_reduce {"b"} %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_reduce {"b"} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.all_reduce {"c", "b"} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.all_reduce {"zz"} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.all_reduce {"b", "b"} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.all_reduce {"b":(1)2, "b":(2)2} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_reduce {"a"} %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"a"}>}) {
  %0 = sdy.all_reduce {"a"} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.all_reduce {"b"} %a out_sharding=<@mesh, [{}, {}], unreduced={"b"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"b"}>}) {
  %0 = sdy.all_reduce {"b"} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"b"}>}) {
  %0 = sdy.all_reduce {} %a out_sharding=<@mesh, [{}, {}], unreduced={"c"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_reduce {"b"} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_reduce {"b"} %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [{"a"}: 0->1] %a out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [{"a"}: -1->1] %a out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [{"a"}: 0->2] %a out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [{"a"}: 2->5] %a out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [{"a"}: 0->0] %a out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [{"a"}: 0->1, {"b"}: 0->1] %a out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [{"zz"}: 0->1] %a out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [{"b"}: 0->1] %a out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [{"a"}: 0->1] %a out_sharding=<@mesh, [{"b"}, {"a"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.all_to_all [{"a"}: 0->1] %a out_sharding=<@mesh, [{}, {"b"}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {"b"}]>}) {
  %0 = sdy.all_to_all [{"c":(2)4}: 0->1] %a out_sharding=<@mesh, [{"c":(1)2}, {"b", "c":(2)4}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<@mesh, [{"b":(1)2}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<@other, [{"x"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<@same, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<@perm, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<@perm, [{"b"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.collective_permute %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mx, []>}) {
  %0 = sdy.collective_permute %a out_sharding=<@mesh, []> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<mesh<["a"=2, "b"=4, "c"=8]>, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.sharded_to_unreduced [{"a"}, {}] %a out_sharding=<@mesh, [{}, {}], unreduced={"a"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.sharded_to_unreduced [{"a"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) {
  %0 = sdy.sharded_to_unreduced [{"a"}, {}] %a out_sharding=<@mesh, [{}, {}], unreduced={"a", "b"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.sharded_to_unreduced [{"b"}, {}] %a out_sharding=<@mesh, [{}, {}], unreduced={"a"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(2)2}, {}], unreduced={"b":(1)2}>}) {
  %0 = sdy.sharded_to_unreduced [{"b":(2)2}, {}] %a out_sharding=<@mesh, [{}, {}], unreduced={"b"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.sharded_to_unreduced [{}, {}] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharded_to_unreduced [{"a"}, {}] %a out_sharding=<@mesh, [{}, {}], unreduced={"a"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.replicated_to_unreduced {"b"} %a out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.replicated_to_unreduced {"b"} %a out_sharding=<@mesh, [{"a", ?}, {}], unreduced={"b"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.replicated_to_unreduced {} %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.replicated_to_unreduced {"c", "b"} %a out_sharding=<@mesh, [{"a"}, {}], unreduced={"b", "c"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.replicated_to_unreduced {"a"} %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) {
  %0 = sdy.replicated_to_unreduced {"b"} %a out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.replicated_to_unreduced {"b"} %a out_sharding=<@mesh, [{"a"}, {}], unreduced={"c"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"b"}>}) {
  %0 = sdy.replicated_to_unreduced {"b"} %a out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"b"}>}) {
  %0 = sdy.replicated_to_unreduced {"zz"} %a out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  return
}
