func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.after_all"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: !stablehlo.token, %b: !stablehlo.token) {
  %r = "stablehlo.after_all"(%a, %b) : (!stablehlo.token, !stablehlo.token) -> f32
  return
}
// -----
func.func @f(%a: !stablehlo.token, %b: !stablehlo.token) {
  "stablehlo.after_all"(%a, %b) : (!stablehlo.token, !stablehlo.token) -> ()
  return
}
// -----
func.func @f(%a: !stablehlo.token, %b: !stablehlo.token) {
  %r = "stablehlo.after_all"(%a, %b) ({ stablehlo.return }) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%arg0: f32, %arg1: f32) {
  %0 = stablehlo.after_all %arg0, %arg1 : f32
  return
}
// -----
func.func @f(%arg0: !stablehlo.token, %arg1: !stablehlo.token) {
  %0 = stablehlo.after_all %arg0, %arg1 : (!stablehlo.token, !stablehlo.token) -> f32
  return
}
// -----
func.func @f(%a: !stablehlo.future<tensor<f32>>) {
  %r = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<f32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.async_done"(%a) : (f32) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: !stablehlo.future<tensor<4x8xf32>>) {
  %r = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4x8xf32>>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.async_done"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: !stablehlo.future<tensor<4x8xf32>>) {
  "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4x8xf32>>) -> ()
  return
}
// -----
func.func @f(%a: !stablehlo.future<tensor<4x8xf32>>) {
  %r = "stablehlo.async_done"(%a) ({ stablehlo.return }) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.async_start"(%a) ({ ^bb0: "stablehlo.return"() : () -> () ^bb1: "stablehlo.return"() : () -> () }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.async_start"(%a) ({ ^bb0(%x: tensor<4x8xf32>): %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> stablehlo.return %r : tensor<4x8xf32> }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<f32>>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.async_start"() ({ ^bb0(%x: tensor<4x8xf32>): %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> stablehlo.return %r : tensor<4x8xf32> }) : () -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.async_start"(%a) ({ ^bb0(%x: tensor<4x8xf32>): %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> stablehlo.return %r : tensor<4x8xf32> }) : (tensor<f32>) -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.async_start"(%a) ({}) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.async_start"(%a) ({ ^bb0(): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<4x8xf32> stablehlo.return %q0 : tensor<4x8xf32> }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.async_start"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.async_start"(%a) ({ ^bb0(%x: tensor<4x8xf32>): %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> stablehlo.return }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.async_start"(%a) ({ ^bb0(%x: tensor<4x8xf32>): %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>  }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.async_start"(%a) ({ ^bb0(%x: tensor<4x8xf32>): %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> stablehlo.return %r : tensor<4x8xf32> }) : (f32) -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.async_start"(%a) ({ ^bb0(%x: tensor<4x8xf32>): %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> stablehlo.return %r : tensor<4x8xf32> }) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.async_start"(%a) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.async_start"(%a) ({ ^bb0(%x: tensor<4x8xf32>): %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> stablehlo.return %r : tensor<4x8xf32> }) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %r = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %r : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<3xf32>>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { ^bb0: "stablehlo.return"() : () -> () ^bb1: "stablehlo.return"() : () -> () }) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r:2 = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, {}) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32>  }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ stablehlo.return }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { stablehlo.return }) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q : tensor<i1> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z, %z : tensor<4xf32>, tensor<4xf32> }) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z, %z : tensor<4xf32>, tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<1xi32>) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<1xi32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.case"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (f32) -> tensor<4xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.case"() ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : () -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %0 = "stablehlo.case"(%a) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %0 = "stablehlo.case"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { ^bb0: "stablehlo.return"() : () -> () ^bb1: "stablehlo.return"() : () -> () }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> ()
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r:2 = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, {}) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32>  }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ stablehlo.return }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { stablehlo.return }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q : tensor<i1> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z, %z : tensor<4xf32>, tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z, %z : tensor<4xf32>, tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<1xi1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<1xi1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }, { %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (f32) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>) {
  %r = "stablehlo.if"(%a) ({ %z = stablehlo.constant dense<0.0> : tensor<4xf32> stablehlo.return %z : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r:2 = "stablehlo.optimization_barrier"(%a) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<4x8xf32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: f32, %b: tensor<4x8xi32>) {
  %r:2 = "stablehlo.optimization_barrier"(%a, %b) : (f32, tensor<4x8xi32>) -> (f32, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>) {
  %r:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (f32, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>) {
  %r:2 = "stablehlo.optimization_barrier"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0:2 = stablehlo.optimization_barrier %arg0 : tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: f32, %arg1: tensor<4x8xi32>) {
  %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : f32, tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>):  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0: "stablehlo.return"() : () -> () ^bb1: "stablehlo.return"() : () -> () }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> tensor<i1>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r:2 = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({}, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x0: tensor<i32>): %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i32> stablehlo.return %q : tensor<i32> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>  }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { stablehlo.return }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x0: f32): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i32> stablehlo.return %q0 : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x0: tensor<i32>, %x1: tensor<i32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i32> stablehlo.return %q0 : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>): %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> f32 stablehlo.return %q : f32 }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x, %x : tensor<i32>, tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.while"() ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : () -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ stablehlo.return }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x0: f32): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q0 : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x0: tensor<i32>, %x1: tensor<i32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q0 : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tensor<i32>, %b: tensor<i32>) {
  %r = "stablehlo.while"(%a, %b) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): %p = stablehlo.compare LT, %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.while"(%a) ({ ^bb0(%x: tensor<i32>): stablehlo.return %x : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
func.func @f(%arg0: tensor<i32>) {
  %0 = stablehlo.while(%iterArg = %arg0) : tensor<i32>
  cond {
    %1 = stablehlo.compare LT, %iterArg, %iterArg : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
  ^bb0(%iterArg: tensor<i32>):
  }
  return
}
// -----
func.func @f(%arg0: tensor<i32>) {
  %0:2 = stablehlo.while(%iterArg = %arg0) : tensor<i32>
  cond {
    %1 = stablehlo.compare LT, %iterArg, %iterArg : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    stablehlo.return %iterArg : tensor<i32>
  }
  return
}
// -----
func.func @f(%arg0: tensor<i32>) {
  %0 = stablehlo.while(%iterArg = %arg0) : tensor<i32>
  cond {
    %1 = stablehlo.custom_call @x() : () -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  } do {
    stablehlo.return %iterArg : tensor<i32>
  }
  return
}
// -----
func.func @f(%x: f32) {
  "stablehlo.return"(%x) : (f32) -> ()
}
// -----
func.func @f(%x: tuple<tensor<4xf32>>) {
  stablehlo.return %x : tuple<tensor<4xf32>>
}
// -----
func.func @f(%x: tensor<4xf32>) {
  stablehlo.return %x : tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  %0 = "stablehlo.return"(%x) : (tensor<4xf32>) -> tensor<4xf32>
}
// -----
func.func @f(%x: tensor<4xf32>) {
  "stablehlo.return"(%x) ({
    stablehlo.return
  }) : (tensor<4xf32>) -> ()
}
