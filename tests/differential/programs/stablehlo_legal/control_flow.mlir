func.func @f(%a: !stablehlo.token, %b: !stablehlo.token) {
  %r = "stablehlo.after_all"(%a, %b) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r = "stablehlo.after_all"(%a) : (!stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: !stablehlo.future<tensor<4x8xf32>>) {
  %r = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: !stablehlo.future<tensor<4x8xf32>>) {
  %r = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: !stablehlo.future<tensor<4x8xf32>>) {
  %r = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<?x?xf32, #stablehlo.bounds<?, 8>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.async_start"(%a) ({ ^bb0(%x: tensor<4x8xf32>): %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> stablehlo.return %r : tensor<4x8xf32> }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i32>) -> tensor<?xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> tensor<?xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}
// -----
func.func @f(%a: tensor<i1>, %p: tensor<?xf32, #stablehlo.bounds<3>>, %q: tensor<?xf32>) {
  %0 = "stablehlo.if"(%a) ({
    stablehlo.return %p : tensor<?xf32, #stablehlo.bounds<3>>
  }, {
    stablehlo.return %q : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>, %t: !stablehlo.token) {
  %0 = "stablehlo.if"(%a) ({
    stablehlo.return %t : !stablehlo.token
  }, {
    stablehlo.return %t : !stablehlo.token
  }) : (tensor<i1>) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>) {
  %r:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: !stablehlo.token, %b: tensor<4x8xi32>) {
  %r:2 = "stablehlo.optimization_barrier"(%a, %b) : (!stablehlo.token, tensor<4x8xi32>) -> (!stablehlo.token, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<4x8xi32>) {
  %r:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<0xf32>, tensor<4x8xi32>) -> (tensor<0xf32>, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xi32>) {
  %r:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<?x?xf32>, tensor<4x8xi32>) -> (tensor<?x?xf32>, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x?xi32>) {
  %r:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<4x8xf32>, tensor<?x?xi32>) -> (tensor<4x8xf32>, tensor<?x?xi32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: !stablehlo.token) {
  %r:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<4x8xf32>, !stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.while(%i = %a) : tensor<4xf32>
    cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %x = stablehlo.add %i, %i : tensor<4xf32>
    stablehlo.return %x : tensor<4xf32>
  }
  return
}
