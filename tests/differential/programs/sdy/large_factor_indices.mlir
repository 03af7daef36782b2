// A number that 63 bits do not hold is complained about and left out, and the verifier has its say.
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([z_9223372036854775807])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([z_9223372036854775807]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8} reduction={z_9223372036854775807}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {z_9223372036854775807=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([z_9223372036854775808])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([z_9223372036854775808]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8} reduction={z_9223372036854775808}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {z_9223372036854775808=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([z_99999999999999999999])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([z_99999999999999999999]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8} reduction={z_99999999999999999999}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {z_99999999999999999999=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([z_9223372036854775791])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([z_9223372036854775791]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8} reduction={z_9223372036854775791}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {z_9223372036854775791=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([z_9223372036854775790])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([z_9223372036854775790]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8} reduction={z_9223372036854775790}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {z_9223372036854775790=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([z_1, z_99999999999999999999])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8} need_replication={z_99999999999999999999, z_99999999999999999999}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([z_9223372036854775808])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([z_9223372036854775808])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([z_9223372036854775808])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
