// callees first, one counter for all names, inner copies before outer ones
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @foo(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @bar(%0) {mhlo.frontend_attributes = {k = "v"}} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @foo(%1) {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @leaf(%2) : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
func.func private @foo(%a: tensor<8xf32> {jax.x = 1 : i32}) -> (tensor<8xf32> {jax.y}) attributes {no_inline, foo.z = 3 : i32} {
  %0 = call @bar(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @bar(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @leaf(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @leaf(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func public @leaf(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @unused(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @leaf(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// names that are taken are skipped, meshes included
sdy.mesh @f_1 = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @f(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @f(%2) : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @f_0(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// an original name that is there is kept; calls in regions are found in place
func.func @main(%a: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.case"(%i) ({
    %2 = func.call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }, {
    %2 = func.call @g(%0) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  %2 = call @g(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "orig"} {
  %0 = call @g(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// declarations are copied too
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @ext(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @ext(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @ext(tensor<8xf32>) -> tensor<8xf32>
// -----
// one call of itself is one call
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @self(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @self(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// a second call of a function that calls itself
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @self(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @self(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @self(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// mutual recursion in which each function is called once
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @a(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @b(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @b(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @a(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// pipeline: builtin.module(sdy-flatten-call-graph,sdy-flatten-call-graph)
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
