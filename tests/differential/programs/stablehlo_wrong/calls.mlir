func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition = @nope}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition = @dec, composite_attributes = {a = 1 : i32}, version = true}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f() {
  %r = "stablehlo.composite"() <{name = "a.b", decomposition = @dec}> : () -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.composite"(%a) <{name = "a.b", decomposition = @dec}> : (tensor<4x8xf32>) -> ()
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition = @dec}> : (tensor<f32>) -> tensor<f32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition = @dec}> : (tensor<4x8xf32>) -> tensor<f32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b"}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition = @dec}> : (f32) -> f32
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition = @dec}> : (tensor<4x8xf32>) -> f32
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "x", decomposition = @dec}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition = @dec, composite_attributes, version = 1 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name, decomposition = @dec}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.composite"(%a) <{name = "a.b", decomposition = @dec, composite_attributes = {a = 1 : i32}, version}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  %0 = stablehlo.composite "a.b" %arg0 {decomposition = @nope} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %0 = stablehlo.composite "a.b"  {decomposition = @dec} : () -> tensor<4x8xf32>
  return
}
func.func private @dec(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %arg0 : tensor<4x8xf32>
}
// -----
func.func @f(%arg0: tensor<4x8xf32>) {
  stablehlo.composite "a.b" %arg0 {decomposition = @dec} : (tensor<4x8xf32>) -> ()
  return
}
func.func private @dec(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %arg0 : tensor<4x8xf32>
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = [], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: !stablehlo.token, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (!stablehlo.token, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<4x8xf32>, tensor<f32>) -> !stablehlo.token
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tuple<tensor<f32>>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tuple<tensor<f32>>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = ["x"]}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = ["x"], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = ["x"], operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo", api_version = 4 : i32, backend_config}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 2, operand_tuple_indices = []>]}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<f32>) {
  %r = "stablehlo.custom_call"(%a, %b) <{call_target_name = "foo", has_side_effect = true, api_version = 2 : i32, backend_config = "x", called_computations = [@dec], operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<4x8xi1>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%a: tensor<4x8xf32>) -> tensor<4x8xf32> { return %a : tensor<4x8xf32> }
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.custom_call"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo", backend_config = {a = 1 : i32}}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.custom_call"(%a) <{call_target_name = "foo", api_version, backend_config = {a = 1 : i32}}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.custom_call @foo(%arg0, %arg1) {api_version = 2 : i32, backend_config = "x", called_computations = [@dec], has_side_effect = true, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %arg0 : tensor<4x8xf32>
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.custom_call @foo(%arg0, %arg1) {api_version = 2 : i32, backend_config = "x", called_computations = [@dec], has_side_effect = true, operand_layouts = [], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %arg0 : tensor<4x8xf32>
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.custom_call @foo(%arg0, %arg1) {api_version = 2 : i32, backend_config = "x", called_computations = [@dec], has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = []} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
func.func private @dec(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %arg0 : tensor<4x8xf32>
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tensor<8xf32>>) {
  %0 = stablehlo.custom_call @x(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [5]>]} : (tuple<tensor<4xf32>, tensor<8xf32>>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tensor<8xf32>>) {
  %0 = stablehlo.custom_call @x(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [1]>]} : (tuple<tensor<4xf32>, tensor<8xf32>>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.custom_call @x(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [1]>]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.custom_call @x(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.custom_call @x(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<f32>>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.custom_call @x(%a) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<f32>>
  return
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tensor<i32>>) {
  %r = "stablehlo.get_tuple_element"(%a) <{index = true}> : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tensor<i32>>) {
  %r = "stablehlo.get_tuple_element"(%a) <{index = 1 : i32}> : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i1>
  return
}
// -----
func.func @f(%a: tuple<tensor<f32>>) {
  %r = "stablehlo.get_tuple_element"(%a) <{index = 1 : i32}> : (tuple<tensor<f32>>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tensor<i32>>) {
  %r = "stablehlo.get_tuple_element"(%a) : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.get_tuple_element"(%a) <{index = 1 : i32}> : (f32) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tensor<i32>>) {
  %r = "stablehlo.get_tuple_element"(%a) <{index = 1 : i32}> : (tuple<tensor<4xf32>, tensor<i32>>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.get_tuple_element"() <{index = 1 : i32}> : () -> tensor<i32>
  return
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tensor<i32>>) {
  "stablehlo.get_tuple_element"(%a) <{index = 1 : i32}> : (tuple<tensor<4xf32>, tensor<i32>>) -> ()
  return
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tensor<i32>>) {
  %r = "stablehlo.get_tuple_element"(%a) <{index = 1 : i32}> ({ stablehlo.return }) : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tuple<tensor<4xf32>, tensor<i32>>) {
  %r = "stablehlo.get_tuple_element"(%a) <{index}> : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
  return
}
// -----
func.func @f(%arg0: tuple<tensor<4xf32>, tensor<i32>>) {
  %0 = stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i1>
  return
}
// -----
func.func @f(%arg0: tuple<tensor<f32>>) {
  %0 = stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<f32>>) -> tensor<i32>
  return
}
// -----
func.func @f(%arg0: f32) {
  %0 = stablehlo.get_tuple_element %arg0[1] : (f32) -> tensor<i32>
  return
}
// -----
func.func @f(%a: tuple<tensor<?xf32>>) {
  %0 = stablehlo.get_tuple_element %a[1] : (tuple<tensor<?xf32>>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout = ["x"]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [#stablehlo<precision DEFAULT>]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: f32) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [[0]]}> : (f32) -> (tensor<4xf32>, f32)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, f32)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %r:2 = "stablehlo.infeed"() <{infeed_config = "", layout = [[0]]}> : () -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [[0]]}> ({ stablehlo.return }) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config, layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%a) <{infeed_config = "", layout = [["x"]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  "stablehlo.infeed"(%a) <{infeed_config = ""}> : (!stablehlo.token) -> ()
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %r = "stablehlo.outfeed"(%a) <{outfeed_config = ""}> : (tensor<4xf32>) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.outfeed"(%a, %b) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> f32
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  "stablehlo.outfeed"(%a, %b) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> ()
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.outfeed"(%a, %b) <{outfeed_config = ""}> ({ stablehlo.return }) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.outfeed"(%a, %b) <{outfeed_config}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<0> : tensor<2x2xi32>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: f32) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (f32) -> (tensor<4xf32>, f32)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, f32)
  return
}
// -----
func.func @f() {
  %r:2 = "stablehlo.recv"() <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : () -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> ({ stablehlo.return }) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %r:2 = "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  "stablehlo.recv"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> ()
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<0> : tensor<2x2xi32>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %r = "stablehlo.send"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4xf32>) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> f32
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> ()
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> ({ stablehlo.return }) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: !stablehlo.token) {
  %r = "stablehlo.send"(%a, %b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
// -----
func.func @f(%a: tensor<i32>) {
  %r = "stablehlo.tuple"(%a) : (tensor<i32>) -> tuple<tensor<4xf32>, tensor<i32>>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<i32>) {
  %r = "stablehlo.tuple"(%a, %b) : (f32, tensor<i32>) -> tuple<tensor<4xf32>, tensor<i32>>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<i32>) {
  %r = "stablehlo.tuple"(%a, %b) : (tensor<4xf32>, tensor<i32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<i32>) {
  "stablehlo.tuple"(%a, %b) : (tensor<4xf32>, tensor<i32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<i32>) {
  %r = "stablehlo.tuple"(%a, %b) ({ stablehlo.return }) : (tensor<4xf32>, tensor<i32>) -> tuple<tensor<4xf32>, tensor<i32>>
  return
}
// -----
func.func @f(%arg0: f32, %arg1: tensor<i32>) {
  %0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<4xf32>, tensor<i32>>
  return
}
