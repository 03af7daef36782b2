"""Where the sharding of each kind of value is found, and what writing one makes of the program."""

from __future__ import annotations

import pyshardy
from pyshardy.dialects.sdy import dataflow, placement
from pyshardy.ir.operation import Operation, Value
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding, fully_open

PROGRAM = """
sdy.mesh @mesh = <["a"=2, "b"=4, "c"=8]>
sdy.mesh @same = <["a"=2, "b"=4, "c"=8]>
sdy.mesh @permuted = <["a"=2], device_ids=[1, 0]>
sdy.mesh @straight = <["a"=2]>
sdy.mesh @empty = <[]>
sdy.mesh @maximal = <[], device_ids=[3]>
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>}, %b: tensor<8x8xf32>,
    %t: tensor<i32>) -> (tensor<8x8xf32>, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {}]>}) {
BODY
  return %a, %b : tensor<8x8xf32>, tensor<8x8xf32>
}
"""

WHILE = """  %w:2 = stablehlo.while(%i = %a, %j = %t) : tensor<8x8xf32>, tensor<i32>
    cond {
      %p = stablehlo.compare EQ, %j, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %n = stablehlo.negate %i : tensor<8x8xf32>
      stablehlo.return %n, %j : tensor<8x8xf32>, tensor<i32>
    }
"""
EDGE = """  %e = sdy.data_flow_edge %w#0 sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
"""
MANUAL = """  %m = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a", "b"}, {}], replicated={"c"}>]
      out_shardings=[<@mesh, [{"a", "b"}, {}]>] manual_axes={"a"} (%x: tensor<4x8xf32>) {
    sdy.return %x : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
"""
NAMED = """  %n = sdy.named_computation<"foo">(%a) (%x: tensor<8x8xf32>) {
    %y = stablehlo.negate %x : tensor<8x8xf32>
    sdy.return %y : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
"""


def module_with(body: str) -> Operation:
    return pyshardy.parse(PROGRAM.replace("BODY\n", body)).op


def named(root: Operation, name: str) -> Operation:
    return next(op for op in root.walk() if op.name == name)


def function_of(body: str) -> Operation:
    return named(module_with(body), "func.func")


def text_of(value: Value) -> str | None:
    sharding = placement.sharding_of(value)
    return sharding.body_text if sharding is not None else None


def sharded(*axes: str) -> TensorSharding:
    """The first dimension on ``axes``, the second open."""
    return TensorSharding("mesh", [DimSharding(axes, is_closed=False), DimSharding((), is_closed=False)])


def test_an_argument_of_a_function_has_its_attribute() -> None:
    first, second, _ = function_of("").body.arguments
    assert text_of(first) == '<@mesh, [{"a"}, {?}]>'
    assert text_of(second) is None
    placement.set_sharding(second, sharded("b"))
    assert text_of(second) == '<@mesh, [{"b", ?}, {?}]>'


def test_a_function_result_has_a_sharding_apart_from_the_value_returned() -> None:
    func = function_of("")
    assert placement.function_result_sharding(func, 0) is None
    placement.set_function_result_sharding(func, 0, sharded("a"))
    assert placement.function_result_sharding(func, 0) is sharded("a")
    placement.set_function_result_sharding(func, 0, None)
    assert placement.function_result_sharding(func, 0) is None


def test_signatures_are_completed_with_open_shardings_on_the_first_mesh() -> None:
    module = module_with("")
    func, meshes = named(module, "func.func"), placement.meshes(module)
    found = placement.function_argument_shardings(func, meshes)
    assert found is not None
    assert [one.body_text for one in found] == ['<@mesh, [{"a"}, {?}]>', "<@mesh, [{?}, {?}]>", "<@mesh, []>"]
    placement.set_held_sharding(func.body.arguments[0], TensorSharding("maximal", []))
    assert placement.function_argument_shardings(func, meshes) is None


def test_the_first_sharding_of_several_results_opens_the_others() -> None:
    module = module_with("  %o:2 = stablehlo.optimization_barrier %a, %t : tensor<8x8xf32>, tensor<i32>\n")
    barrier = named(module, "stablehlo.optimization_barrier")
    placement.set_sharding(barrier.results[0], sharded("b"))
    assert [text_of(result) for result in barrier.results] == ['<@mesh, [{"b", ?}, {?}]>', "<@mesh, []>"]


def test_operations_of_the_dialect_keep_their_sharding_in_a_property() -> None:
    module = module_with("  %r = sdy.reshard %a <@mesh, [{}, {}]> : tensor<8x8xf32>\n")
    reshard = named(module, "sdy.reshard")
    assert text_of(reshard.result) == "<@mesh, [{}, {}]>"
    placement.set_sharding(reshard.result, sharded("c"))
    assert reshard.properties.get("sharding") is sharded("c")
    assert not reshard.attributes


def test_arguments_of_a_loop_have_the_sharding_of_its_results() -> None:
    loop = named(module_with(WHILE), "stablehlo.while")
    argument = loop.regions[1].blocks[0].arguments[0]
    placement.set_sharding(argument, sharded("a"))
    assert text_of(loop.results[0]) == text_of(argument) == '<@mesh, [{"a", ?}, {?}]>'


def test_an_edge_holds_the_sharding_of_all_its_targets() -> None:
    module = module_with(WHILE + EDGE)
    loop, edge = named(module, "stablehlo.while"), named(module, "sdy.data_flow_edge")
    targets = [loop.results[0], *(region.blocks[0].arguments[0] for region in loop.regions)]
    assert all(dataflow.edge_of(target) is edge for target in targets)
    assert dataflow.edge_of(loop.results[1]) is None
    placement.set_sharding(targets[2], sharded("c"))
    assert {text_of(target) for target in targets} == {'<@mesh, [{"c", ?}, {?}]>'}
    assert edge.properties.get("sharding") is sharded("c")
    assert not loop.attributes


def test_an_edge_of_a_loop_has_the_operand_and_the_returned_value_as_sources() -> None:
    module = module_with(WHILE + EDGE)
    loop, edge = named(module, "stablehlo.while"), named(module, "sdy.data_flow_edge")
    body = loop.regions[1].blocks[0].terminator
    assert dataflow.edge_sources(loop.results[0]) == [loop.operands[0], body.operands[0]]
    assert dataflow.edge_of_use(loop, 0) is edge
    assert dataflow.edge_of_use(body, 0) is edge
    assert dataflow.edge_of_use(loop, 1) is None


def test_a_predicate_counts_as_source_number_zero() -> None:
    module = module_with(WHILE + EDGE)
    loop, edge = named(module, "stablehlo.while"), named(module, "sdy.data_flow_edge")
    assert dataflow.edge_of_use(loop.regions[0].blocks[0].terminator, 0) is edge


def test_inside_a_manual_computation_the_manual_axes_are_not_seen() -> None:
    manual = named(module_with(MANUAL), "sdy.manual_computation")
    argument = manual.body.arguments[0]
    assert text_of(argument) == '<@mesh, [{"b"}, {}], replicated={"c"}>'
    assert text_of(manual.result) == '<@mesh, [{"a", "b"}, {}]>'
    placement.set_sharding(argument, TensorSharding("mesh", [DimSharding(["b"], False), DimSharding(["c"], True, 1)]))
    (stored,) = manual.properties.get("in_shardings").shardings  # type: ignore[union-attr]
    assert stored.body_text == '<@mesh, [{"a", "b", ?}, {"c"}p1], replicated={"c"}>'


def test_edges_of_a_manual_computation_translate_between_inside_and_outside() -> None:
    edge = """  %e = sdy.data_flow_edge %m sharding=<@mesh, [{"a", "b"}, {}]> : tensor<8x8xf32>
"""
    inner = "%y = sdy.data_flow_edge %x : tensor<4x8xf32>\n    sdy.return %y"
    module = module_with(MANUAL.replace("sdy.return %x", inner) + edge)
    inside, outside = (op for op in module.walk() if op.name == "sdy.data_flow_edge")
    local, whole = sharded("c"), sharded("a", "c")
    assert dataflow.from_edge(outside, whole) is local
    assert dataflow.to_edge(outside, local) is whole
    assert dataflow.to_edge(inside, whole) is local
    with_replicated = TensorSharding(whole.mesh_or_ref, whole.dims, [AxisRef("c")])
    assert dataflow.from_edge(inside, local) is with_replicated
    manual = named(module, "sdy.manual_computation")
    assert dataflow.edge_sources(outside.operands[0]) == [inside.result]
    assert dataflow.edge_sources(inside.operands[0]) == [manual.operands[0]]


def test_an_operand_of_a_computation_does_not_find_the_edge_inside() -> None:
    module = module_with(NAMED.replace("%y = stablehlo.negate %x", "%y = sdy.data_flow_edge %x"))
    named_computation, edge = named(module, "sdy.named_computation"), named(module, "sdy.data_flow_edge")
    assert dataflow.edge_of(named_computation.body.arguments[0]) is edge
    assert dataflow.edge_of_use(named_computation, 0) is None


def test_the_first_argument_sharding_of_a_named_computation_makes_the_list() -> None:
    computation = named(module_with(NAMED), "sdy.named_computation")
    argument = computation.body.arguments[0]
    assert placement.sharding_of(argument) is None
    placement.set_sharding(argument, sharded("a"))
    assert placement.owner_shardings(computation, "block_arg") == (sharded("a"),)
    assert placement.owner_shardings(computation, "result") == ()


def test_arguments_of_other_regions_are_never_sharded() -> None:
    body = """  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
"""
    reduce = named(module_with(body), "stablehlo.reduce")
    argument = reduce.body.arguments[0]
    placement.set_sharding(argument, fully_open(0, "mesh"))
    assert placement.sharding_of(argument) is None


def test_barriers_are_looked_through_on_request() -> None:
    module = module_with("  %p = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8x8xf32>\n")
    barrier = named(module, "sdy.propagation_barrier")
    assert placement.sharding_of(barrier.result) is None
    found = placement.sharding_before_barriers(barrier.result)
    assert found is not None and found.body_text == '<@mesh, [{"a"}, {?}]>'


def test_the_common_mesh_is_the_first_that_is_not_empty() -> None:
    meshes = placement.meshes(module_with(""))
    assert meshes["permuted"] is Mesh({"a": 2}, [1, 0])

    def common(*names: str, ignore_device_ids: bool = False) -> str | Mesh | None:
        shardings = [fully_open(1, name) for name in names]
        return placement.common_mesh_ref([None, *shardings], meshes, ignore_device_ids=ignore_device_ids)

    assert common() is None
    assert common("empty", "same", "mesh") == "same"
    assert common("mesh", "empty", "permuted") is None
    assert common("permuted", "straight") is None
    assert common("permuted", "straight", ignore_device_ids=True) == "straight"
    assert common("maximal", "mesh") is None
    assert placement.first_non_maximal_mesh_ref([fully_open(0, "maximal"), fully_open(0, "mesh")], meshes) == "mesh"
