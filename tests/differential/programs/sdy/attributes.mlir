// Attributes standing alone, right and wrong.
// What stands before the first separator stands before each part.

#d = #sdy<dimension_sharding{"b"}>
#s = #sdy.sharding<@m, [{"b"}]>
#ms = @m
#msh = #sdy.mesh<["z"=3]>

// -----
module attributes {my.attr = #sdy.mesh<["a"=2, "b"=4]>} {}
// -----
module attributes {my.attr = #sdy<mesh<["a"=2, "b"=4]>>} {}
// -----
module attributes {my.attr = #sdy<mesh_axis "a" = 2>} {}
// -----
module attributes {my.attr = #sdy<mesh_axis"a"=2>} {}
// -----
module attributes {my.attr = #sdy.mesh_axis<"a"=2>} {}
// -----
module attributes {my.attr = #sdy<sub_axis_info(1)2>} {}
// -----
module attributes {my.attr = #sdy<sub_axis_info (0x1) -2>} {}
// -----
module attributes {my.attr = #sdy<axis_ref"a">} {}
// -----
module attributes {my.attr = #sdy<axis_ref"a":(1)2>} {}
// -----
module attributes {my.attr = #sdy<axis_ref "a" : (1) 2>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a", ?}p1>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{} p0>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{,?}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a",}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"?}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{?, "a"}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a", ?, "b"}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a", ? "b"}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"}pfoo>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"}p>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"}q1>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"}p01>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"}p00>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"}p1.5>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"}p-1>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"}p99999999999999999999>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"}p9223372036854775807>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a"}p9223372036854775808>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a":(1)}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a":2}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{a}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding["a"]>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a" "b"}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a":("x")2}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a":(1 2}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{#sdy<axis_ref"a">}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a":#sdy<sub_axis_info(1)2>}>} {}
// -----
module attributes {my.attr = #sdy<dimension_sharding{"a":#sdy<axis_ref"a">}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}]>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}, {"b", ?}p1], replicated={"c"}, unreduced={"d"}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}, {"b", ?}p1], unreduced={"c"}, replicated={"d"}>} {}
// -----
module attributes {my.attr = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>} {}
// -----
module attributes {my.attr = #sdy.sharding<mesh<[], device_ids=[3]>, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<@"we ird", []>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m::@n, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<"m", []>} {}
// -----
module attributes {my.attr = #sdy.sharding<m, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<mesh, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<mesh <"a">, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<mesh<["a"=0]>, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<mesh<["a"="b"]>, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, {}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], replicated={}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], replicated={"b",}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], replicated={"b":(1)}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], replicated{"b"}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], replicated="b">} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], replicated={"b"}, replicated={"c"}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], foo={"b"}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], >} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], "x">} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}] replicated={"b"}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], replicated={"b"} unreduced={"c"}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a":(1)2, "b":()3}]>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, ["a"]>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"},]>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}p01]>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [#sdy<dimension_sharding{"a"}>, #d]>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [#x]>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [#sdy<axis_ref"a">]>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], replicated={#sdy<axis_ref"a">, "b"}>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a"}], replicated={#sdy<mesh_axis"a"=1>, "b"}>} {}
// -----
module attributes {my.attr = #sdy.sharding<#ms, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<#msh, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<mesh #msh, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<mesh #ms, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<mesh #sdy.mesh<["a"=2]>, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<mesh<[#sdy<mesh_axis"a"=2>]>, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<1, []>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"a\0A"}, {"\\"}, {"\22"}, {""}]>} {}
// -----
module attributes {my.attr = #sdy.sharding<@m, [{"é"}]>} {}
// -----
module attributes {my.attr = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, []>]>} {}
// -----
module attributes {my.attr = #sdy.sharding_per_value<[]>} {}
// -----
module attributes {my.attr = #sdy.sharding_per_value<>} {}
// -----
module attributes {my.attr = #sdy.sharding_per_value<[<@mesh, [{"a"}]>,]>} {}
// -----
module attributes {my.attr = #sdy.sharding_per_value<[<@mesh, [{a}]>]>} {}
// -----
module attributes {my.attr = #sdy.sharding_per_value<[#sdy.sharding<@m, [{"a"}]>, #s]>} {}
// -----
module attributes {my.attr = #sdy.sharding_per_value<[#ms]>} {}
// -----
module attributes {my.attr = #sdy.sharding_per_value<<@mesh, [{"a"}]>>} {}
// -----
module attributes {my.attr = #sdy<manual_axes{"a", "b"}>} {}
// -----
module attributes {my.attr = #sdy<manual_axes{}>} {}
// -----
module attributes {my.attr = #sdy<manual_axes{"a",}>} {}
// -----
module attributes {my.attr = #sdy<manual_axes{a}>} {}
// -----
module attributes {my.attr = #sdy<manual_axes{"a":(1)2}>} {}
// -----
module attributes {my.attr = #sdy<manual_axes["a"]>} {}
// -----
module attributes {my.attr = #sdy<axis_ref_list{"a", "b":(1)2}>} {}
// -----
module attributes {my.attr = #sdy<axis_ref_list{}>} {}
// -----
module attributes {my.attr = #sdy<axis_ref_list{a}>} {}
// -----
module attributes {my.attr = #sdy<axis_ref_list{"a"}p1>} {}
// -----
module attributes {my.attr = #sdy<axis_ref_list{#sdy<axis_ref"a">}>} {}
// -----
module attributes {my.attr = #sdy<axis_ref_list{"a":(1)x}>} {}
// -----
module attributes {my.attr = #sdy<list_of_axis_ref_lists[{"a"}, {}]>} {}
// -----
module attributes {my.attr = #sdy<list_of_axis_ref_lists[]>} {}
// -----
module attributes {my.attr = #sdy<list_of_axis_ref_lists[{"a"},]>} {}
// -----
module attributes {my.attr = #sdy<list_of_axis_ref_lists[{a}]>} {}
// -----
module attributes {my.attr = #sdy<list_of_axis_ref_lists["a"]>} {}
// -----
module attributes {my.attr = #sdy<list_of_axis_ref_lists[#sdy<axis_ref_list{"a"}>]>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param{"a", "b"}: 0->1>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param{"a", "b"} : 0 -> 1>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param{}: 0->1>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param{a}: 0->1>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param{"a"}: x->1>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param{"a"}: 0->x>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param{"a"} 0->1>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param{"a"}: 0,1>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param{"a"}: -1->7>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param{#sdy<axis_ref"a">}: -1->7>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param_list[{"a"}: 0->1, {"b"}: 2->3]>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param_list[]>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param_list[{a}: 0->1]>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param_list[{"a"}: 0->1,]>} {}
// -----
module attributes {my.attr = #sdy<all_to_all_param_list[#sdy<all_to_all_param{"a"}: 0->1>]>} {}
// -----
module attributes {my.attr = #sdy<edge_value_ref operand-0>} {}
// -----
module attributes {my.attr = #sdy<edge_value_ref result-1>} {}
// -----
module attributes {my.attr = #sdy<edge_value_ref foo-1>} {}
// -----
module attributes {my.attr = #sdy<edge_value_ref "a"-1>} {}
// -----
module attributes {my.attr = #sdy<edge_value_ref result 1>} {}
// -----
module attributes {my.attr = #sdy<edge_value_ref result-x>} {}
// -----
module attributes {my.attr = #sdy<axis_to_propagation_details{"a" = operand-0 -> [result-0]}>} {}
// -----
module attributes {my.attr = #sdy<axis_to_propagation_details{"a" = operand-0 -> []}>} {}
// -----
module attributes {my.attr = #sdy<axis_to_propagation_details{"a" = foo-0 -> [result-0]}>} {}
// -----
module attributes {my.attr = #sdy<axis_to_propagation_details{"a" = operand-0 -> [foo-0]}>} {}
// -----
module attributes {my.attr = #sdy<axis_to_propagation_details{a = operand-0 -> [result-0]}>} {}
// -----
module attributes {my.attr = #sdy<axis_to_propagation_details{"a" = operand-x -> [result-0]}>} {}
// -----
module attributes {my.attr = #sdy<propagation_one_step{step-0 = [{"a" = operand-0 -> [result-0]}]}>} {}
// -----
module attributes {my.attr = #sdy<propagation_one_step{step-0 = []}>} {}
// -----
module attributes {my.attr = #sdy<propagation_one_step{stp-0 = []}>} {}
// -----
module attributes {my.attr = #sdy<propagation_one_step{step-x = []}>} {}
// -----
module attributes {my.attr = #sdy<propagation_one_step{step 0 = []}>} {}
// -----
module attributes {my.attr = #sdy<propagation_one_step{step-0 = [{a = operand-0 -> [result-0]}]}>} {}
// -----
module attributes {my.attr = #sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [result-0, operand-1]}, {"b":(1)2 = result-0 -> [operand-0]}]}, {step-3 = [{"a" = operand-0 -> [result-0]}]}]>} {}
// -----
module attributes {my.attr = #sdy.propagation_edges<[]>} {}
// -----
module attributes {my.attr = #sdy.propagation_edges<[{step-0 = [{a = operand-0 -> [result-0]}]}]>} {}
// -----
module attributes {my.attr = #sdy.propagation_edges<[{step--1 = [{"a" = operand-0 -> [result-0]}]}]>} {}
// -----
module attributes {my.attr = #sdy.propagation_edges<[{step-1 = [{"a" = operand-0 -> [result-0]}]}, {step-1 = [{"a" = operand-0 -> [result-0]}]}]>} {}
// -----
module attributes {my.attr = #sdy.propagation_edges<[{step-1 = [{"a" = operand-0 -> [operand-0]}]}]>} {}
// -----
module attributes {my.attr = #sdy.propagation_edges<[{step-1 = [{"a":(1)2 = operand-0 -> [result-0, result-0]}]}]>} {}
// -----
module attributes {my.attr = #sdy.mesh<[]>} {}
// -----
module attributes {my.attr = #sdy.mesh<[], device_ids=[3]>} {}
// -----
module attributes {my.attr = #sdy.mesh<[], device_ids=[]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2], device_ids=[]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2], device_ids=[0, 1]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2], device_ids=[1, 0]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=1], device_ids=[0]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2], device_ids=[0, 2]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2], device_ids=[0, -2]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2], device_ids=[0]>} {}
// -----
module attributes {my.attr = #sdy.mesh<[], device_ids=[0, 1]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2, "a"=3]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2, "b"=0]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=-1]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=99999999999999999999]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2,]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"]>} {}
// -----
module attributes {my.attr = #sdy.mesh<[a=2]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=x]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2], foo=[1]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2], device_ids=[x]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2], device_ids=[1,]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2] device_ids=[1]>} {}
// -----
module attributes {my.attr = #sdy.mesh<["a"=2>} {}
// -----
module attributes {my.attr = #sdy.mesh["a"=2]} {}
// -----
module attributes {my.attr = #sdy.mesh} {}
// -----
module attributes {my.attr = #sdy.foo} {}
// -----
module attributes {my.attr = #sdy.foo<1>} {}
// -----
module attributes {my.attr = #sdy<foo>} {}
// -----
module attributes {my.attr = #sdy<"a">} {}
// -----
module attributes {my.attr = #sdy.op_sharding_rule<([i, j])->([ij]) {i=2, j=4}>} {}
// -----
module attributes {my.attr = #sdy.op_sharding_rule<([i, j])->([ij]) {i=2, j=4} reduction={k}>} {}
// -----
module attributes {my.attr = #sdy<tensor_mapping[i, j, kl]>} {}
// -----
module attributes {my.attr = #sdy<tensor_mapping[]>} {}
// -----
module attributes {my.attr = #sdy<tensor_mapping[i, a]>} {}
// -----
module attributes {my.attr = #sdy<tensor_mapping[i, ]>} {}
// -----
module attributes {my.attr = #sdy.dim_mapping ij} {}
// -----
module attributes {my.attr = #sdy<dim_mapping ij>} {}
// -----
module attributes {my.attr = #sdy<dim_mapping>} {}
// -----
module attributes {a.a = #x   } {}
// -----
module attributes {a.a = !x   } {}
// -----
func.func private @f(!x )
// -----
module attributes {a.a = [#x, 1]} {}
// -----
#a = #b
module attributes {a.a = [#a, 1]} {}
// -----
module attributes {a.a = #sdy.sharding<@m, [{"a"}
// -----
module attributes {a.a = #sdy.sharding<@m, [{"a}
// -----
module attributes {a.a = #sdy.sharding<@m, [{] 
// -----
module attributes {a.a = #sdy.sharding<@m, [] foo>} {}
// -----
module attributes {a.a = #sdy.sharding<@m, []>  : i32} {}
// -----
module attributes {a.a = #sdy.sharding<@m, []>  : x} {}
// -----
module attributes {a.a = #sdy.sharding} {}
// -----
module attributes {a.a = #sdy.sharding<<@m, []>>} {}
// -----
module attributes {a.a = #sdy<sharding<@m, []>foo>} {}
// -----
module attributes {a.a = #sdy.} {}
// -----
module attributes {a.a = #sdy<>} {}
// -----
module attributes {a.a = #sdy <sharding<@m, []>>} {}
// -----
module attributes {a.a = #sdy<sharding <@m, []> >} {}
// -----
module attributes {a.a = #sdy.sharding <@m, []>} {}
