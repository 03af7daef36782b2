func.func @f() {
  %r = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.create_token"() : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %r = "stablehlo.partition_id"() : () -> tensor<ui32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.replica_id"() : () -> tensor<ui32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<0x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32, #stablehlo.bounds<4, 11>>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  %r = "stablehlo.rng"(%a, %b, %c) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<8x0xf32>
  return
}
// -----
func.func @f(%a: tensor<2xui64>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<0xf32>) -> (tensor<0xf32>, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%a: tensor<?xui64>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<?xui64>) -> (tensor<2xui64>, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%a: tensor<2xui64>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<?xui64, #stablehlo.bounds<2>>, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%a: tensor<2xui64>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<?xui64>, tensor<4x8xui32>)
  return
}
// -----
func.func @f(%a: tensor<2xui64>) {
  %r:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x0xbf16>)
  return
}
