"""Operations that look as if they needed whole tensors, and what they really move."""

from __future__ import annotations

from pyshardy import Plan, parse, partition
from tests.partitioning.random_layouts import MESHES
from tests.partitioning.sharding_text import sharded


def _plan(arguments: str, results: str, body: str) -> Plan:
    text = f"sdy.mesh @m = {MESHES['m']}\nfunc.func @main({arguments}) -> ({results}) {{\n{body}\n}}"
    plan = partition(parse(text), propagated=True)
    assert plan.check().agrees
    return plan


_TENSOR, _VECTOR = "tensor<10x7x5xf32>", "tensor<5xf32>"


def test_batch_normalisation_of_a_sharded_batch_combines_vectors() -> None:
    plan = _plan(
        f"%a: {sharded(_TENSOR, 'x', 'y', '')}, %s: {_VECTOR}, %o: {_VECTOR}",
        f"{sharded(_TENSOR, 'x', 'y', '')}, {_VECTOR}, {_VECTOR}",
        f"""
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %o) <{{epsilon = 0.1 : f32, feature_index = 2 : i64}}>
      : ({_TENSOR}, {_VECTOR}, {_VECTOR}) -> ({_TENSOR}, {_VECTOR}, {_VECTOR})
  return %0#0, %0#1, %0#2 : {_TENSOR}, {_VECTOR}, {_VECTOR}""",
    )
    assert [one.kind for one in plan.collectives] == ["all_reduce", "all_reduce"]
    assert plan.bytes_moved == 2 * 2 * 5 * 4 * 7 / 8


def test_batch_normalisation_of_sharded_features_moves_nothing() -> None:
    vector = sharded(_VECTOR, "x")
    plan = _plan(
        f"%a: {sharded(_TENSOR, '', '', 'x')}, %s: {vector}, %o: {vector}",
        f"{sharded(_TENSOR, '', '', 'x')}, {vector}, {vector}",
        f"""
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %o) <{{epsilon = 0.1 : f32, feature_index = 2 : i64}}>
      : ({_TENSOR}, {_VECTOR}, {_VECTOR}) -> ({_TENSOR}, {_VECTOR}, {_VECTOR})
  return %0#0, %0#1, %0#2 : {_TENSOR}, {_VECTOR}, {_VECTOR}""",
    )
    assert plan.collectives == ()
    assert "batch_norm_training" in str(plan.module)


def test_a_gather_with_constant_sizes_is_served_as_one_with_fixed_sizes() -> None:
    plan = _plan(
        f"%a: {sharded('tensor<999x6xf32>', 'x', '')}, %i: tensor<4xi32>",
        "tensor<4x6xf32>",
        """
  %sizes = stablehlo.constant dense<[1, 6]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}>
      : (tensor<999x6xf32>, tensor<4xi32>, tensor<2xi32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>""",
    )
    assert [one.kind for one in plan.collectives] == ["all_reduce"]
    assert plan.bytes_moved == 2 * 4 * 6 * 4 * 3 / 4


def test_an_einsum_over_a_sharded_index_leaves_terms() -> None:
    plan = _plan(
        f"%a: {sharded('tensor<4x99xf32>', '', 'x')}, %b: {sharded('tensor<99x4xf32>', 'x', '')}",
        "tensor<4x4xf32>",
        """
  %0 = stablehlo.einsum %a, %b, config = "ij,jk->ik" : (tensor<4x99xf32>, tensor<99x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>""",
    )
    assert [one.kind for one in plan.collectives] == ["all_reduce"]


def test_columns_of_the_experts_stay_where_they_are() -> None:
    plan = _plan(
        f"%a: tensor<9x4xf32>, %b: {sharded('tensor<2x4x10xf32>', '', '', 'x')}",
        sharded("tensor<9x10xf32>", "", "x"),
        """
  %sizes = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
  %0 = "chlo.ragged_dot"(%a, %b, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [],
      rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<9x4xf32>, tensor<2x4x10xf32>, tensor<2xi32>) -> tensor<9x10xf32>
  return %0 : tensor<9x10xf32>""",
    )
    assert plan.collectives == ()


def test_a_dimension_that_is_spread_stays_whole_and_the_others_stay_sharded() -> None:
    plan = _plan(
        f"%a: {sharded('tensor<10x1xf32>', 'x', '')}, %b: {sharded('tensor<6xf32>', 'y')}",
        sharded("tensor<10x6xf32>", "x", "y"),
        """
  %0 = chlo.broadcast_add %a, %b : (tensor<10x1xf32>, tensor<6xf32>) -> tensor<10x6xf32>
  return %0 : tensor<10x6xf32>""",
    )
    assert plan.collectives == ()


def test_a_tuple_that_is_taken_apart_again_moves_nothing() -> None:
    type = "tensor<10xf32>"
    plan = _plan(
        f"%a: {sharded(type, 'x')}, %b: {sharded(type, 'y')}",
        sharded(type, "y"),
        f"""
  %0 = stablehlo.tuple %a, %b : tuple<{type}, {type}>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<{type}, {type}>) -> {type}
  return %1 : {type}""",
    )
    assert plan.collectives == ()
    assert "tuple" not in str(plan.module)


def test_what_a_function_pads_and_its_caller_cuts_off_again_is_moved_once() -> None:
    x, larger = "tensor<32x8xf32>", "tensor<40x8xf32>"
    plan = _plan(
        f"%a: {sharded(x, 'x', '')}",
        sharded(x, "x", ""),
        f"""
  %0 = call @pad(%a) : ({x}) -> {larger}
  %1 = stablehlo.slice %0 [2:34, 0:8] : ({larger}) -> {x}
  return %1 : {x}
}}
func.func private @pad(%a: {x}) -> {larger} {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [3, 0], high = [5, 0], interior = [0, 0] : ({x}, tensor<f32>) -> {larger}
  return %0 : {larger}""",
    )
    assert [one.kind for one in plan.collectives] == ["collective_permute"]
    assert plan.bytes_moved == 8 * 4


def test_what_is_returned_whole_is_computed_with_that_in_mind() -> None:
    plan = _plan(
        f"%rows: {sharded('tensor<128x32xf32>', 'x,y', '')}, %ids: {sharded('tensor<128xi32>', 'x,y')}",
        "tensor<16x32xf32>",
        """
  %zero = stablehlo.constant dense<0.0> : tensor<16x32xf32>
  %0 = "stablehlo.scatter"(%zero, %ids, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16x32xf32>, tensor<128xi32>, tensor<128x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>""",
    )
    assert [one.kind for one in plan.collectives] == ["all_reduce"]


def test_a_function_that_is_called_once_sees_its_arguments_in_every_form_that_they_have() -> None:
    type = "tensor<8x6xf32>"
    plan = _plan(
        f"%a: {type}",
        sharded(type, "x", "y"),
        f"""
  %0 = call @turned(%a) {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"x"}}, {{"y"}}]>]>}} : ({type}) -> {type}
  return %0 : {type}
}}
func.func private @turned(%b: {sharded(type, "x", "y")}) -> ({sharded(type, "x", "y")}) {{
  %1 = stablehlo.reverse %b, dims = [0] {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"x"}}, {{"y"}}]>]>}} : {type}
  return %1 : {type}""",
    )
    assert plan.collectives == ()
    assert "call" not in str(plan.module)


def test_a_contraction_may_be_shared_along_a_dimension_that_nobody_shards() -> None:
    x, w = "tensor<64x8x32xf32>", "tensor<32x32xf32>"
    plan = _plan(
        f"%a: {sharded(x, '', '', 'x')}, %w: {sharded(w, 'x', '')}",
        sharded(x, "", "", "x"),
        f"""
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [2] x [0]
      {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{}}, {{}}, {{"x"}}]>]>}} : ({x}, {w}) -> {x}
  return %0 : {x}""",
    )
    assert sorted(one.kind for one in plan.collectives) == ["all_gather", "all_to_all", "all_to_all"]
    assert plan.bytes_moved == 2 * (64 * 8 * 32 // 4) * 4 * 3 / 4 + 32 * 32 * 4 * 3 / 4


def test_a_sum_that_nobody_shards_is_combined_once_for_all_its_users() -> None:
    x, square = "tensor<64x32xf32>", "tensor<32x32xf32>"
    plan = _plan(
        f"%a: {sharded(x, 'x', '')}",
        square,
        f"""
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : ({x}, {x}) -> {square}
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : ({square}, {square}) -> {square}
  %2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0] : ({square}, {square}) -> {square}
  %3 = stablehlo.dot_general %2, %0, contracting_dims = [1] x [0] : ({square}, {square}) -> {square}
  return %3 : {square}""",
    )
    assert [one.kind for one in plan.collectives] == ["all_reduce"]
