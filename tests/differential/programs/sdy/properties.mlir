// Properties of a wrong kind, missing ones, operands and results of a wrong type.
// What stands before the first separator stands before each part.

sdy.mesh @mesh = <["a"=2, "b"=4, "c"=8]>

// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharding_constraint"(%a) <{sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharding_constraint"(%a) <{sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharding_constraint"(%a) {} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<*xf32>) -> (tensor<*xf32>)
  return
}
// -----
func.func @f(%a: tensor<?xf32>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<?xf32>) -> (tensor<?xf32>)
  return
}
// -----
func.func @f(%a: i32) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (i32) -> (i32)
  return
}
// -----
func.func @f(%a: vector<8xf32>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (vector<8xf32>) -> (vector<8xf32>)
  return
}
// -----
func.func @f(%a: memref<8xf32>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (memref<8xf32>) -> (memref<8xf32>)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (!stablehlo.token) -> (!stablehlo.token)
  return
}
// -----
func.func @f(%a: tuple<tensor<8xf32>>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tuple<tensor<8xf32>>) -> (tuple<tensor<8xf32>>)
  return
}
// -----
func.func @f(%a: f32) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (f32) -> (f32)
  return
}
// -----
func.func @f(%a: index) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (index) -> (index)
  return
}
// -----
func.func @f(%a: tensor<8xcomplex<f32>>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xcomplex<f32>>) -> (tensor<8xcomplex<f32>>)
  return
}
// -----
func.func @f(%a: none) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (none) -> (none)
  return
}
// -----
func.func @f(%a: tensor<8xui8>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xui8>) -> (tensor<8xui8>)
  return
}
// -----
func.func @f(%a: tensor<8xindex>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xindex>) -> (tensor<8xindex>)
  return
}
// -----
func.func @f(%a: tensor<8xi3>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xi3>) -> (tensor<8xi3>)
  return
}
// -----
func.func @f(%a: tensor<8xf64, "x">) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xf64, "x">) -> (tensor<8xf64, "x">)
  return
}
// -----
func.func @f(%a: tensor<8xvector<2xf32>>) {
  %0 = "sdy.sharding_constraint"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xvector<2xf32>>) -> (tensor<8xvector<2xf32>>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a) <{sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a) {sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a) <{sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a) {} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.sharding_group"(%a) <{group_id = "x"}> : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.sharding_group"(%a) {group_id = "x"} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.sharding_group"(%a) <{group_id = []}> : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.sharding_group"(%a) {} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (tensor<*xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<?xf32>) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (tensor<?xf32>) -> ()
  return
}
// -----
func.func @f(%a: i32) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (i32) -> ()
  return
}
// -----
func.func @f(%a: vector<8xf32>) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (vector<8xf32>) -> ()
  return
}
// -----
func.func @f(%a: memref<8xf32>) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (memref<8xf32>) -> ()
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (!stablehlo.token) -> ()
  return
}
// -----
func.func @f(%a: tuple<tensor<8xf32>>) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (tuple<tensor<8xf32>>) -> ()
  return
}
// -----
func.func @f(%a: f32) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (f32) -> ()
  return
}
// -----
func.func @f(%a: index) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (index) -> ()
  return
}
// -----
func.func @f(%a: tensor<8xcomplex<f32>>) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (tensor<8xcomplex<f32>>) -> ()
  return
}
// -----
func.func @f(%a: none) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (none) -> ()
  return
}
// -----
func.func @f(%a: tensor<8xui8>) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (tensor<8xui8>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8xindex>) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (tensor<8xindex>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8xi3>) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (tensor<8xi3>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8xf64, "x">) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (tensor<8xf64, "x">) -> ()
  return
}
// -----
func.func @f(%a: tensor<8xvector<2xf32>>) {
  "sdy.sharding_group"(%a) {group_id = 1:i64} : (tensor<8xvector<2xf32>>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.data_flow_edge"(%a) <{sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.data_flow_edge"(%a) <{sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.data_flow_edge"(%a) {} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<*xf32>) -> (tensor<*xf32>)
  return
}
// -----
func.func @f(%a: tensor<?xf32>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<?xf32>) -> (tensor<?xf32>)
  return
}
// -----
func.func @f(%a: i32) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (i32) -> (i32)
  return
}
// -----
func.func @f(%a: vector<8xf32>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (vector<8xf32>) -> (vector<8xf32>)
  return
}
// -----
func.func @f(%a: memref<8xf32>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (memref<8xf32>) -> (memref<8xf32>)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (!stablehlo.token) -> (!stablehlo.token)
  return
}
// -----
func.func @f(%a: tuple<tensor<8xf32>>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tuple<tensor<8xf32>>) -> (tuple<tensor<8xf32>>)
  return
}
// -----
func.func @f(%a: f32) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (f32) -> (f32)
  return
}
// -----
func.func @f(%a: index) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (index) -> (index)
  return
}
// -----
func.func @f(%a: tensor<8xcomplex<f32>>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xcomplex<f32>>) -> (tensor<8xcomplex<f32>>)
  return
}
// -----
func.func @f(%a: none) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (none) -> (none)
  return
}
// -----
func.func @f(%a: tensor<8xui8>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xui8>) -> (tensor<8xui8>)
  return
}
// -----
func.func @f(%a: tensor<8xindex>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xindex>) -> (tensor<8xindex>)
  return
}
// -----
func.func @f(%a: tensor<8xi3>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xi3>) -> (tensor<8xi3>)
  return
}
// -----
func.func @f(%a: tensor<8xf64, "x">) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xf64, "x">) -> (tensor<8xf64, "x">)
  return
}
// -----
func.func @f(%a: tensor<8xvector<2xf32>>) {
  %0 = "sdy.data_flow_edge"(%a) {sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xvector<2xf32>>) -> (tensor<8xvector<2xf32>>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.propagation_barrier"(%a) <{allowed_direction = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.propagation_barrier"(%a) {allowed_direction = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.propagation_barrier"(%a) <{allowed_direction = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.propagation_barrier"(%a) {} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_gather"(%a) <{gathering_axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_gather"(%a) <{gathering_axes = [], out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_gather"(%a) {out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_gather"(%a) <{gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_gather"(%a) <{gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<*xf32>) -> (tensor<*xf32>)
  return
}
// -----
func.func @f(%a: tensor<?xf32>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<?xf32>) -> (tensor<?xf32>)
  return
}
// -----
func.func @f(%a: i32) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (i32) -> (i32)
  return
}
// -----
func.func @f(%a: vector<8xf32>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (vector<8xf32>) -> (vector<8xf32>)
  return
}
// -----
func.func @f(%a: memref<8xf32>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (memref<8xf32>) -> (memref<8xf32>)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (!stablehlo.token) -> (!stablehlo.token)
  return
}
// -----
func.func @f(%a: tuple<tensor<8xf32>>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tuple<tensor<8xf32>>) -> (tuple<tensor<8xf32>>)
  return
}
// -----
func.func @f(%a: f32) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (f32) -> (f32)
  return
}
// -----
func.func @f(%a: index) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (index) -> (index)
  return
}
// -----
func.func @f(%a: tensor<8xcomplex<f32>>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xcomplex<f32>>) -> (tensor<8xcomplex<f32>>)
  return
}
// -----
func.func @f(%a: none) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (none) -> (none)
  return
}
// -----
func.func @f(%a: tensor<8xui8>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xui8>) -> (tensor<8xui8>)
  return
}
// -----
func.func @f(%a: tensor<8xindex>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xindex>) -> (tensor<8xindex>)
  return
}
// -----
func.func @f(%a: tensor<8xi3>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xi3>) -> (tensor<8xi3>)
  return
}
// -----
func.func @f(%a: tensor<8xf64, "x">) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xf64, "x">) -> (tensor<8xf64, "x">)
  return
}
// -----
func.func @f(%a: tensor<8xvector<2xf32>>) {
  %0 = "sdy.all_gather"(%a) {gathering_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xvector<2xf32>>) -> (tensor<8xvector<2xf32>>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_slice"(%a) <{slicing_axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_slice"(%a) <{slicing_axes = [], out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_slice"(%a) {out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_slice"(%a) <{slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_slice"(%a) <{slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<*xf32>) -> (tensor<*xf32>)
  return
}
// -----
func.func @f(%a: tensor<?xf32>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<?xf32>) -> (tensor<?xf32>)
  return
}
// -----
func.func @f(%a: i32) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (i32) -> (i32)
  return
}
// -----
func.func @f(%a: vector<8xf32>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (vector<8xf32>) -> (vector<8xf32>)
  return
}
// -----
func.func @f(%a: memref<8xf32>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (memref<8xf32>) -> (memref<8xf32>)
  return
}
// -----
func.func @f(%a: !stablehlo.token) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (!stablehlo.token) -> (!stablehlo.token)
  return
}
// -----
func.func @f(%a: tuple<tensor<8xf32>>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tuple<tensor<8xf32>>) -> (tuple<tensor<8xf32>>)
  return
}
// -----
func.func @f(%a: f32) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (f32) -> (f32)
  return
}
// -----
func.func @f(%a: index) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (index) -> (index)
  return
}
// -----
func.func @f(%a: tensor<8xcomplex<f32>>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xcomplex<f32>>) -> (tensor<8xcomplex<f32>>)
  return
}
// -----
func.func @f(%a: none) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (none) -> (none)
  return
}
// -----
func.func @f(%a: tensor<8xui8>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xui8>) -> (tensor<8xui8>)
  return
}
// -----
func.func @f(%a: tensor<8xindex>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xindex>) -> (tensor<8xindex>)
  return
}
// -----
func.func @f(%a: tensor<8xi3>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xi3>) -> (tensor<8xi3>)
  return
}
// -----
func.func @f(%a: tensor<8xf64, "x">) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xf64, "x">) -> (tensor<8xf64, "x">)
  return
}
// -----
func.func @f(%a: tensor<8xvector<2xf32>>) {
  %0 = "sdy.all_slice"(%a) {slicing_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8xvector<2xf32>>) -> (tensor<8xvector<2xf32>>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_to_all"(%a) <{params = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_to_all"(%a) {params = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_to_all"(%a) <{params = [], out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_to_all"(%a) {out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_to_all"(%a) <{params = #sdy<all_to_all_param_list[{"a"}: 0->1]>, out_sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_to_all"(%a) {params = #sdy<all_to_all_param_list[{"a"}: 0->1]>, out_sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_to_all"(%a) <{params = #sdy<all_to_all_param_list[{"a"}: 0->1]>, out_sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_to_all"(%a) {params = #sdy<all_to_all_param_list[{"a"}: 0->1]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.collective_permute"(%a) <{out_sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.collective_permute"(%a) {out_sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.collective_permute"(%a) <{out_sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.collective_permute"(%a) {} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_reduce"(%a) <{reduction_axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_reduce"(%a) {reduction_axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_reduce"(%a) <{reduction_axes = [], out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_reduce"(%a) {out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_reduce"(%a) <{reduction_axes = #sdy<axis_ref_list{}>, out_sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_reduce"(%a) {reduction_axes = #sdy<axis_ref_list{}>, out_sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_reduce"(%a) <{reduction_axes = #sdy<axis_ref_list{}>, out_sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_reduce"(%a) {reduction_axes = #sdy<axis_ref_list{}>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reduce_scatter"(%a) <{reduce_scatter_axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reduce_scatter"(%a) {reduce_scatter_axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reduce_scatter"(%a) <{reduce_scatter_axes = [], out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reduce_scatter"(%a) {out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reduce_scatter"(%a) <{reduce_scatter_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reduce_scatter"(%a) {reduce_scatter_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reduce_scatter"(%a) <{reduce_scatter_axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reduce_scatter"(%a) {reduce_scatter_axes = #sdy<list_of_axis_ref_lists[{},{}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharded_to_unreduced"(%a) <{axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharded_to_unreduced"(%a) {axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharded_to_unreduced"(%a) <{axes = [], out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharded_to_unreduced"(%a) {out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharded_to_unreduced"(%a) <{axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharded_to_unreduced"(%a) {axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharded_to_unreduced"(%a) <{axes = #sdy<list_of_axis_ref_lists[{},{}]>, out_sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.sharded_to_unreduced"(%a) {axes = #sdy<list_of_axis_ref_lists[{},{}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.replicated_to_unreduced"(%a) <{axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.replicated_to_unreduced"(%a) {axes = "x", out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.replicated_to_unreduced"(%a) <{axes = [], out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.replicated_to_unreduced"(%a) {out_sharding = #sdy.sharding<@mesh, [{}, {}]>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.replicated_to_unreduced"(%a) <{axes = #sdy<axis_ref_list{}>, out_sharding = "x"}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.replicated_to_unreduced"(%a) {axes = #sdy<axis_ref_list{}>, out_sharding = "x"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.replicated_to_unreduced"(%a) <{axes = #sdy<axis_ref_list{}>, out_sharding = []}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.replicated_to_unreduced"(%a) {axes = #sdy<axis_ref_list{}>} : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
  return
}
// -----
"sdy.mesh"() <{mesh = 1, sym_name = "m"}> : () -> ()
// -----
"sdy.mesh"() {mesh = 1, sym_name = "m"} : () -> ()
// -----
"sdy.mesh"() <{mesh = #sdy.mesh<[]>, sym_name = 1}> : () -> ()
// -----
"sdy.mesh"() {mesh = #sdy.mesh<[]>, sym_name = 1} : () -> ()
// -----
"sdy.mesh"() <{sym_name = "m"}> : () -> ()
// -----
"sdy.mesh"() {sym_name = "m"} : () -> ()
// -----
"sdy.mesh"() <{mesh = #sdy.mesh<[]>}> : () -> ()
// -----
"sdy.mesh"() {mesh = #sdy.mesh<[]>} : () -> ()
// -----
"sdy.mesh"() <{mesh = #sdy.mesh<[]>, sym_name = "m", foo = 1}> : () -> ()
// -----
"sdy.mesh"() {mesh = #sdy.mesh<[]>, sym_name = "m", foo = 1} : () -> ()
// -----
"sdy.mesh"() <{mesh = #sdy.mesh<[]>, sym_name = ""}> : () -> ()
// -----
"sdy.mesh"() {mesh = #sdy.mesh<[]>, sym_name = ""} : () -> ()
// -----
func.func @f() {
  "sdy.manual_computation"() <{in_shardings = 1, out_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.manual_computation"() ({ "sdy.return"() : () -> () }) {in_shardings = 1, out_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>} : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.manual_computation"() <{out_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, out_shardings = 1, manual_axes = #sdy<manual_axes{}>}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.manual_computation"() ({ "sdy.return"() : () -> () }) {in_shardings = #sdy.sharding_per_value<[]>, out_shardings = 1, manual_axes = #sdy<manual_axes{}>} : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, out_shardings = #sdy.sharding_per_value<[]>, manual_axes = 1}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.manual_computation"() ({ "sdy.return"() : () -> () }) {in_shardings = #sdy.sharding_per_value<[]>, out_shardings = #sdy.sharding_per_value<[]>, manual_axes = 1} : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, out_shardings = #sdy.sharding_per_value<[]>}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.named_computation"() <{in_shardings = 1, out_shardings = #sdy.sharding_per_value<[]>, name = "n"}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.named_computation"() ({ "sdy.return"() : () -> () }) {in_shardings = 1, out_shardings = #sdy.sharding_per_value<[]>, name = "n"} : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.named_computation"() <{out_shardings = #sdy.sharding_per_value<[]>, name = "n"}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.named_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, out_shardings = 1, name = "n"}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.named_computation"() ({ "sdy.return"() : () -> () }) {in_shardings = #sdy.sharding_per_value<[]>, out_shardings = 1, name = "n"} : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.named_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, name = "n"}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.named_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, out_shardings = #sdy.sharding_per_value<[]>, name = 1}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.named_computation"() ({ "sdy.return"() : () -> () }) {in_shardings = #sdy.sharding_per_value<[]>, out_shardings = #sdy.sharding_per_value<[]>, name = 1} : () -> ()
  return
}
// -----
func.func @f() {
  "sdy.named_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, out_shardings = #sdy.sharding_per_value<[]>}> ({ "sdy.return"() : () -> () }) : () -> ()
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> tensor<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : tensor<8xf32>} : () -> tensor<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = 1}> : () -> tensor<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = 1} : () -> tensor<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = "x"}> : () -> tensor<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = "x"} : () -> tensor<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1> : tensor<8xi8>}> : () -> tensor<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1> : tensor<8xi8>} : () -> tensor<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : vector<8xf32>}> : () -> tensor<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : vector<8xf32>} : () -> tensor<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> tensor<?xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : tensor<8xf32>} : () -> tensor<?xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = 1}> : () -> tensor<?xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = 1} : () -> tensor<?xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = "x"}> : () -> tensor<?xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = "x"} : () -> tensor<?xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1> : tensor<8xi8>}> : () -> tensor<?xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1> : tensor<8xi8>} : () -> tensor<?xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : vector<8xf32>}> : () -> tensor<?xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : vector<8xf32>} : () -> tensor<?xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> tensor<*xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : tensor<8xf32>} : () -> tensor<*xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = 1}> : () -> tensor<*xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = 1} : () -> tensor<*xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = "x"}> : () -> tensor<*xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = "x"} : () -> tensor<*xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1> : tensor<8xi8>}> : () -> tensor<*xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1> : tensor<8xi8>} : () -> tensor<*xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : vector<8xf32>}> : () -> tensor<*xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : vector<8xf32>} : () -> tensor<*xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> f32
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : tensor<8xf32>} : () -> f32
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = 1}> : () -> f32
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = 1} : () -> f32
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = "x"}> : () -> f32
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = "x"} : () -> f32
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1> : tensor<8xi8>}> : () -> f32
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1> : tensor<8xi8>} : () -> f32
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : vector<8xf32>}> : () -> f32
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : vector<8xf32>} : () -> f32
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : tensor<8xf32>} : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = 1}> : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = 1} : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = "x"}> : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = "x"} : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1> : tensor<8xi8>}> : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1> : tensor<8xi8>} : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : vector<8xf32>}> : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : vector<8xf32>} : () -> !stablehlo.token
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> vector<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : tensor<8xf32>} : () -> vector<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = 1}> : () -> vector<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = 1} : () -> vector<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = "x"}> : () -> vector<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = "x"} : () -> vector<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1> : tensor<8xi8>}> : () -> vector<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1> : tensor<8xi8>} : () -> vector<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() <{value = dense<1.0> : vector<8xf32>}> : () -> vector<8xf32>
  return
}
// -----
func.func @f() {
  %0 = "sdy.constant"() {value = dense<1.0> : vector<8xf32>} : () -> vector<8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> {sharding = #sdy.sharding<@mesh, [{"a"}, {}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=3 {group_id = 4} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=3 {group_id = 4 : i32} : tensor<8x8xf32>
  return
}
// -----
sdy.mesh @mesh = <["a"=2, "b"=4, "c"=8]> {mesh = #sdy.mesh<["a"=3]>}
// -----
sdy.mesh @mesh = <["a"=2, "b"=4, "c"=8]> {mesh = 1}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] {permutation = array<i64: 0, 1>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=FORWARD {allowed_direction = 2: i32} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = stablehlo.iota dim = 0 {iota_dimension = 1 : i64} : tensor<8x8xf32>
  return
}
