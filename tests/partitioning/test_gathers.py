"""Gathers of sharded operands and indices: right for any layout, and without gathering the operand where that pays."""

from __future__ import annotations

import pytest

from pyshardy import Plan, parse, partition
from tests.partitioning.random_layouts import MESHES, Case, disagreements, tensor
from tests.partitioning.sharding_text import sharded, sharding
from tests.partitioning.windows.random_windows import random_windows


def _plan(arguments: str, result: str, body: str) -> Plan:
    text = f"sdy.mesh @m = {MESHES['m']}\nfunc.func @main({arguments}) -> {result} {{\n{body}\n}}"
    return partition(parse(text), propagated=True)


_LOOKUP = """
  %0 = "stablehlo.gather"(%table, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
                                          index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 6>}> {sdy.sharding = #sdy.sharding_per_value<[RESULT]>}
    : (tensor<1000x6xf32>, tensor<5xi32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>"""


def _lookup(table: tuple[str, str], ids: str, result: tuple[str, str]) -> Plan:
    arguments = f"%table: {sharded('tensor<1000x6xf32>', *table)}, %ids: {sharded('tensor<5xi32>', ids)}"
    body = _LOOKUP.replace("RESULT", sharding(*result))
    return _plan(arguments, f"({sharded('tensor<5x6xf32>', *result)})", body)


def test_rows_of_a_table_sharded_by_rows_are_added_up_not_gathered() -> None:
    plan = _lookup(("x", ""), "", ("", ""))
    assert [one.kind for one in plan.collectives] == ["all_reduce"]
    assert plan.bytes_moved == 2 * 5 * 6 * 4 * 3 / 4
    assert plan.check().agrees


def test_they_are_scattered_where_the_result_is_sharded_by_the_same_axis() -> None:
    plan = _lookup(("x", ""), "", ("x", ""))
    assert [one.kind for one in plan.collectives] == ["reduce_scatter"]
    assert plan.bytes_moved == 8 * 6 * 4 * 3 / 4
    assert plan.check().agrees


def test_sharded_ids_and_columns_ask_for_nothing() -> None:
    plan = _lookup(("", "y"), "x", ("x", "y"))
    assert plan.collectives == ()
    assert plan.check().agrees


def test_ids_and_rows_sharded_by_one_axis_exchange_ids_and_answers() -> None:
    plan = _lookup(("x", "y"), "x", ("x", "y"))
    assert [one.kind for one in plan.collectives] == ["all_gather", "reduce_scatter"]
    assert plan.bytes_moved <= 8 * 4 + 8 * 3 * 4
    assert plan.check().agrees


def test_a_partial_window_is_put_together_from_the_shards_that_it_touches() -> None:
    plan = _plan(
        f"%a: {sharded('tensor<1001xi32>', 'x')}, %i: tensor<3xi32>",
        "tensor<3x4xi32>",
        """
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 4>}> : (tensor<1001xi32>, tensor<3xi32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>""",
    )
    assert [one.kind for one in plan.collectives] == ["all_reduce"]
    assert plan.check().agrees


def test_order_of_the_indices_is_claimed_only_where_padding_cannot_break_it() -> None:
    def flags(size: int) -> bool:
        plan = _plan(
            f"%a: tensor<64xf32>, %i: {sharded(f'tensor<{size}xi32>', 'x')}",
            f"({sharded(f'tensor<{size}xf32>', 'x')})",
            f"""
  %0 = "stablehlo.gather"(%a, %i) <{{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    indices_are_sorted = true, slice_sizes = array<i64: 1>}}>
    : (tensor<64xf32>, tensor<{size}xi32>) -> tensor<{size}xf32>
  return %0 : tensor<{size}xf32>""",
        )
        return "indices_are_sorted" in str(plan.module)

    assert flags(8)
    assert not flags(7)


def gathers(case: Case) -> None:
    """Batching, collapsed, whole and partial windows in any order, index vectors in any dimension."""
    rng = case.rng
    w = random_windows(rng, 0.85, 0.2)
    operand, indices, result = w.operand, w.indices, w.combined
    element = rng.choice(["f32", "f32", "i32", "i1", "bf16", "complex<f32>", "ui8"])
    kind = rng.choice(["i32", "i32", "i64", "ui32", "ui8", "i8"])
    a = case.argument(tensor(operand, element))
    i = case.argument(tensor(indices, kind))
    if rng.random() < 0.6 and 0 not in indices:
        # Out of range below and above.
        shift = rng.choice([3, 200 if kind == "ui8" else 100])
        c = case.add(f"stablehlo.constant dense<{shift}> : {tensor(indices, kind)}")
        i = case.add(f"stablehlo.{rng.choice(['subtract', 'add'])} {i}, {c} : {tensor(indices, kind)}")
    numbers = ", ".join(
        [
            f"offset_dims = {w.window_dims}",
            f"collapsed_slice_dims = {w.dropped}",
            f"operand_batching_dims = {w.operand_batching}",
            f"start_indices_batching_dims = {w.indices_batching}",
            f"start_index_map = {w.mapped}",
            f"index_vector_dim = {w.vector_dim}",
        ]
    )
    case.add_sharded(
        f'"stablehlo.gather"({a}, {i}) <{{dimension_numbers = #stablehlo.gather<{numbers}>, '
        f"slice_sizes = array<i64: {', '.join(map(str, w.sizes))}>}}> ATTRS : "
        f"({tensor(operand, element)}, {tensor(indices, kind)}) -> {tensor(result, element)}",
        [tensor(result, element)],
    )


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 40, 10))
def test_random_gathers_in_random_layouts(start: int) -> None:
    assert disagreements(gathers, range(start, start + 10)) == []
