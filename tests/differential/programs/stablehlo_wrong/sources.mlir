func.func @f() {
  %r = "stablehlo.constant"() <{value = dense<0> : tensor<2xi64>}> : () -> tensor<2xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.constant"() : () -> tensor<2xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> f32
  return
}
// -----
func.func @f() {
  "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> ()
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.constant"(%a) <{value = dense<1.0> : tensor<2xf32>}> : (tensor<f32>) -> tensor<2xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> ({ stablehlo.return }) : () -> tensor<2xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.constant"() <{value}> : () -> tensor<2xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.create_token"() : () -> f32
  return
}
// -----
func.func @f() {
  "stablehlo.create_token"() : () -> ()
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.create_token"(%a) : (tensor<f32>) -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %r = "stablehlo.create_token"() ({ stablehlo.return }) : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = stablehlo.create_token : f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.partition_id"() : () -> tensor<1xui32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.partition_id"() : () -> f32
  return
}
// -----
func.func @f() {
  "stablehlo.partition_id"() : () -> ()
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.partition_id"(%a) : (tensor<f32>) -> tensor<ui32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.partition_id"() ({ stablehlo.return }) : () -> tensor<ui32>
  return
}
// -----
func.func @f() {
  %0 = stablehlo.partition_id : tensor<1xui32>
  return
}
// -----
func.func @f() {
  %0 = stablehlo.partition_id : f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.replica_id"() : () -> tensor<1xui32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.replica_id"() : () -> f32
  return
}
// -----
func.func @f() {
  "stablehlo.replica_id"() : () -> ()
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.replica_id"(%a) : (tensor<f32>) -> tensor<ui32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.replica_id"() ({ stablehlo.return }) : () -> tensor<ui32>
  return
}
// -----
func.func @f() {
  %0 = stablehlo.replica_id : tensor<1xui32>
  return
}
// -----
func.func @f() {
  %0 = stablehlo.replica_id : f32
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<i64>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: f32) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, f32) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> f32
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>) {
  %r = "stablehlo.rng"(%a, %b) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> ()
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> ({ stablehlo.return }) : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>) {
  %0 = stablehlo.rng %arg0, %arg1, %arg2, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<i64>
  return
}
// -----
func.func @f(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>) {
  %0 = stablehlo.rng %arg0, %arg1, %arg2, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<f32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: f32) {
  %0 = stablehlo.rng %arg0, %arg1, %arg2, distribution = NORMAL : (tensor<f32>, tensor<f32>, f32) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%i: tensor<i32>, %s: tensor<2xi64>) {
  %0 = stablehlo.rng %i, %i, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%i: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %i, %i, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<2xui64>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%a: f32) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (f32) -> (f32, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%a: tensor<2xui64>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, f32)
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<f32>) -> (tensor<2xui64>, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%a: tensor<2xui64>) {
  %r = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> tensor<2xui64>
  return
}
// -----
func.func @f() {
  %r:2 = "stablehlo.rng_bit_generator"() <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : () -> (tensor<2xui64>, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%a: tensor<2xui64>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> ({ stablehlo.return }) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%a: tensor<2xui64>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%arg0: f32) {
  %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY : (f32) -> (f32, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%arg0: tensor<2xui64>) {
  %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, f32)
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY : (tensor<f32>) -> (tensor<2xui64>, tensor<4x8xui32>)
  return
}
