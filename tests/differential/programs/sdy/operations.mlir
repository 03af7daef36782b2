// The syntax of operations, right and wrong.
// What stands before the first separator stands before each part.

sdy.mesh @mesh = <["a"=2, "b"=4, "c"=8]>
sdy.mesh @mx = <[], device_ids=[3]>

// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a #sdy.sharding<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a #sdy.sharding<@mesh, [{}, {}]> {foo} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a #sdy.sharding<@mesh, [{}, {}]> : i32 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a #sdy.mesh<[]> {foo} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}]> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}]> : 
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"a":(1)}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}p01]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}], foo> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}], replicated={a}> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <mesh<["a"=0]>, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <mesh<["a"=2]>, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <mesh<["a"=2], device_ids=[1, 1]>, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint <@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %b <@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a, %a <@mesh, [{}, {}]> : tensor<8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0:2 = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}]> {sharding = 1} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a <@mesh, [{}, {?}]> {foo = 1 : i32} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.reshard %a : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=3 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=-3 {foo} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=0x10 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=9223372036854775807 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=9223372036854775808 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=99999999999999999999 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=x : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=1.0 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id= : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id 3 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a id=3 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id="3" : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=true : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.sharding_group %a group_id=3 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=FORWARD : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=BACKWARD {foo} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction="NONE" : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=FOO : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction="FOO" : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=1 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=1 : i32 : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=: tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a FORWARD : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_gather [{"a"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice [{"a"}, {}] %a out_sharding=<@mesh, [{"a"}, {}]> {foo} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice {"a"} %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice [{"a"}, {] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice [{"a"}, x] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice [{"a"}, {x}] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice [{"a"}, {}] %a <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice [{"a"}, {}] out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_slice #sdy<list_of_axis_ref_lists[{"a"}, {}]> %a out_sharding=#sdy.sharding<@mesh, [{"a"}, {}]> {foo} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_to_all [{"a"}: 0->1] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_to_all [] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_to_all {"a"} 0->1 %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_to_all [{"a"} 0->1] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_to_all [{}: 0->1] %a out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_reduce {"a"} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_reduce {} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_reduce [{}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_reduce {a} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_reduce foo {a} %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.all_reduce {"a"} %a out_sharding=<@mesh, [{}, {}]> : i32
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a {foo} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a sharding=<@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a sharding=#sdy.sharding<@mesh, [{"a"}, {?}]> {foo} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a sharding <@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a shard=<@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a : i32
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.data_flow_edge %a : vector<8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.func_data_flow_edge %a : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.func_data_flow_edge %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.func_data_flow_edge %a sharding=<@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=3 : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=3 : i32
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=3 : vector<8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=3 : memref<8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.sharding_group %a group_id=3 : x
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.foo %a : i32
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.sharding_group"(%a) <{group_id = 3 : i64}> : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.sharding_group"(%a) {group_id = 3 : i64} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.sharding_group"(%a) : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.sharding_group"(%a) {group_id = 3 : i32} : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.sharding_group"(%a) <{group_id = 3 : i32}> : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.sharding_group"(%a) <{group_id = "x"}> : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a) <{sharding = 1 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a) {sharding = 1 : i32} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a) <{sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}> : (tensor<8x8xf32>) -> tensor<8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a) <{sharding = #sdy.sharding<@mesh, [{"a"}, {}]>, foo = 1}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"(%a, %a) <{sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.reshard"(%a) <{sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}> : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.reshard"() <{sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}> : () -> (tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_gather"(%a) <{gathering_axes = #sdy<list_of_axis_ref_lists[{"a"}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.all_gather"(%a) <{gathering_axes = #sdy<axis_ref_list{"a"}>, out_sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.propagation_barrier"(%a) <{allowed_direction = 7 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.propagation_barrier"(%a) <{allowed_direction = 1 : i64}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.propagation_barrier"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.propagation_barrier"(%a) <{allowed_direction = 3 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.constant dense<1.0> : tensor<8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.constant {foo} dense<1> : tensor<8xi32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.constant () <{value = dense<1> : tensor<8xi32>}> {foo} : () -> tensor<8xi32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.constant() {value = dense<1> : tensor<8xi32>, foo} : () -> tensor<8xi32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.constant() <{value = dense<1> : tensor<8xi32>}> : () -> tensor<4xi32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.constant 1 : i32
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.constant #sdy.mesh<[]>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.constant "x"
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.constant
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.constant"() <{value = dense<1> : tensor<8xi32>}> : () -> tensor<?xi32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = "sdy.constant"() <{value = 1 : i32}> : () -> tensor<8xi32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.return
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.return
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } {foo} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) out_shardings=[<@mesh, [{"a"}, {}]>] in_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation %a in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={a} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a" (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes=#sdy<manual_axes{"a"}> (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=#sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]> out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=<[<@mesh, [{"a"}, {}]>]> out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[#sdy.sharding<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>,] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{a}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings [<@mesh, [{a}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} { } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) { } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 stablehlo.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
 sdy.return %a : tensor<8x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32> {foo = 1}) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x : tensor<4x8xf32>, %x: tensor<4x8xf32>) {
 sdy.return %x : tensor<4x8xf32>
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (tensor<4x8xf32>) {
 sdy.return
} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  }
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a, %a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.manual_computation (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.manual_computation () in_shardings=[] out_shardings=[] manual_axes={} () {
 sdy.return
 } : () -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.manual_computation () in_shardings=[] out_shardings=[] manual_axes={"zz"} () {
 ^bb0: sdy.return
 } : () -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  sdy.manual_computation () in_shardings=[] out_shardings=[] manual_axes={"zz"} () {
 sdy.return
 ^bb1: sdy.return
 } : () -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.manual_computation"() ({}) : () -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, out_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>}> ({}) : () -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, out_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>}> ({
}) : () -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, out_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>}> ({ "sdy.return"() : () -> () }, { "sdy.return"() : () -> ()}) : () -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, out_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>}> : () -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> (%a) (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> (%a) in_shardings=[<@mesh, [{"a"}, {}]>] (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> (%a) out_shardings=[<@mesh, [{"a"}, {}]>] (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> (%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } {bar} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> (%a) out_shardings=[<@mesh, [{"a"}, {}]>] in_shardings=[<@mesh, [{"a"}, {}]>] (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"fo\22o"> (%a) (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <foo> (%a) (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation "foo" (%a) (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo" (%a) (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> %a (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> (%a) (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> (%a) (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> (%a) in_shardings=[<@mesh>] (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> (%a) in_shardings=#sdy.sharding_per_value<[]> (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo"> (%a) () { sdy.return %a : tensor<8x8xf32> } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <"foo" : i32> (%a) (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<8x8xf32>) {
  %0 = sdy.named_computation <#sdy.mesh<[]>> (%a) (%x: tensor<8x8xf32>) {
    sdy.return %x : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
