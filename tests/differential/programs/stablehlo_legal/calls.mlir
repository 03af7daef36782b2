func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition = @dec}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition = @dec, composite_attributes = {a = 1 : i32}, version = 1 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo", api_version = 4 : i32, backend_config = {a = 1 : i32}}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> : (!stablehlo.token) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> : (tensor<0xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<4, 8>>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo", api_version = 4 : i32, backend_config = {a = 1 : i32}}> : (tensor<?x?xf32, #stablehlo.bounds<4, 8>>) -> tensor<4x?xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo", api_version = 4 : i32, backend_config = {a = 1 : i32}}> : (tensor<?x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tuple<tensor<f32>>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> : (tuple<tensor<f32>>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%t: !stablehlo.token) {
  %0 = stablehlo.custom_call @x(%t) {operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<> : tensor<0xindex>]} : (!stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tuple<tensor<i32>, !stablehlo.token>>) {
  %0 = stablehlo.custom_call @x(%a) {called_computations = [@nowhere]} : (tuple<tensor<4xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tuple<>
  return
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tensor<i32>>) {
  %r = "stablehlo.get_tuple_element"(%a) <{index = 1 : i32}> : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<0xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.outfeed"(%a, %b) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: !stablehlo.token) {
  %r = "stablehlo.outfeed"(%a, %b) <{outfeed_config = ""}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.outfeed"(%a, %b) <{outfeed_config = ""}> : (tensor<0xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<?xf32, #stablehlo.bounds<4>>, %b: !stablehlo.token) {
  %r = "stablehlo.outfeed"(%a, %b) <{outfeed_config = ""}> : (tensor<?xf32, #stablehlo.bounds<4>>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<0xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<0xf64>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<0xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<?xf32, #stablehlo.bounds<4>>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?xf32, #stablehlo.bounds<4>>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<i32>) {
  %r = "stablehlo.tuple"(%a, %b) : (tensor<4xf32>, tensor<i32>) -> tuple<tensor<4xf32>, tensor<i32>>
  return
}
