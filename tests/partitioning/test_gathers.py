"""Gathers of sharded operands and indices: right for any layout, and without gathering the operand where that pays."""

from __future__ import annotations

import pytest

from pyshardy import parse, partition
from pyshardy.partitioning.plan import Plan
from tests.partitioning.random_layouts import MESHES, Case, disagreements, tensor


def _plan(arguments: str, result: str, body: str) -> Plan:
    text = f"sdy.mesh @m = {MESHES['m']}\nfunc.func @main({arguments}) -> {result} {{\n{body}\n}}"
    return partition(parse(text), propagated=True)


def _sharding(*dims: str) -> str:
    listed = ", ".join("{" + ", ".join(f'"{axis}"' for axis in dim.split(",") if axis) + "}" for dim in dims)
    return f"<@m, [{listed}]>"


def _sharded(type: str, *dims: str) -> str:
    return f"{type} {{sdy.sharding = #sdy.sharding{_sharding(*dims)}}}"


_LOOKUP = """
  %0 = "stablehlo.gather"(%table, %ids) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
                                          index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 6>}> {sdy.sharding = #sdy.sharding_per_value<[RESULT]>}
    : (tensor<1000x6xf32>, tensor<5xi32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>"""


def _lookup(table: tuple[str, str], ids: str, result: tuple[str, str]) -> Plan:
    arguments = f"%table: {_sharded('tensor<1000x6xf32>', *table)}, %ids: {_sharded('tensor<5xi32>', ids)}"
    body = _LOOKUP.replace("RESULT", _sharding(*result))
    return _plan(arguments, f"({_sharded('tensor<5x6xf32>', *result)})", body)


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
        f"%a: {_sharded('tensor<1001xi32>', 'x')}, %i: tensor<3xi32>",
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
            f"%a: tensor<64xf32>, %i: {_sharded(f'tensor<{size}xi32>', 'x')}",
            f"({_sharded(f'tensor<{size}xf32>', 'x')})",
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
    rank = rng.randint(1, 4)
    operand = [rng.choice([1, 2, 3, 4, 5, 6, 8, 9]) for _ in range(rank)]
    batch = [rng.choice([1, 2, 3, 4, 5, 8]) for _ in range(rng.randint(0, 2))]
    kinds = [rng.choice(["collapsed", "collapsed", "whole", "whole", "part", "one", "batching"]) for _ in operand]
    free = list(range(len(batch)))
    batching: list[tuple[int, int]] = []
    for dim, kind in enumerate(kinds):
        if kind == "batching":
            if not free:
                kinds[dim] = "collapsed"
                continue
            batch_dim = free.pop(rng.randrange(len(free)))
            batch[batch_dim] = operand[dim]
            batching.append((dim, batch_dim))
    sizes = [
        size if kind == "whole" else rng.randint(1, size) if kind == "part" else 1
        for size, kind in zip(operand, kinds, strict=True)
    ]
    mapped = [
        dim
        for dim, kind in enumerate(kinds)
        if kind != "batching" and rng.random() < (0.2 if kind == "whole" else 0.85)
    ]
    rng.shuffle(mapped)
    vector_dim = rng.randint(0, len(batch))
    indices = [*batch[:vector_dim], len(mapped), *batch[vector_dim:]]
    if len(mapped) == 1 and rng.random() < 0.4:
        vector_dim, indices = len(batch), list(batch)
    offsets = [size for size, kind in zip(sizes, kinds, strict=True) if kind not in ("collapsed", "batching")]
    total = len(batch) + len(offsets)
    offset_dims = sorted(rng.sample(range(total), len(offsets)))
    sources, windows = iter(batch), iter(offsets)
    result = [next(windows) if dim in offset_dims else next(sources) for dim in range(total)]
    element = rng.choice(["f32", "f32", "i32", "i1", "bf16", "complex<f32>", "ui8"])
    kind = rng.choice(["i32", "i32", "i64", "ui32", "ui8", "i8"])
    a = case.argument(tensor(operand, element))
    i = case.argument(tensor(indices, kind))
    if rng.random() < 0.6 and 0 not in indices:
        # Out of range below and above.
        shift = rng.choice([3, 200 if kind == "ui8" else 100])
        c = case.add(f"stablehlo.constant dense<{shift}> : {tensor(indices, kind)}")
        i = case.add(f"stablehlo.{rng.choice(['subtract', 'add'])} {i}, {c} : {tensor(indices, kind)}")
    own = indices if vector_dim == len(indices) else indices[:vector_dim] + indices[vector_dim + 1 :]
    assert own == batch
    pairs = sorted(batching)
    numbers = ", ".join(
        [
            f"offset_dims = {offset_dims}",
            f"collapsed_slice_dims = {[dim for dim, one in enumerate(kinds) if one == 'collapsed']}",
            f"operand_batching_dims = {[dim for dim, _ in pairs]}",
            f"start_indices_batching_dims = {[dim + (dim >= vector_dim) for _, dim in pairs]}",
            f"start_index_map = {mapped}",
            f"index_vector_dim = {vector_dim}",
        ]
    )
    case.add_sharded(
        f'"stablehlo.gather"({a}, {i}) <{{dimension_numbers = #stablehlo.gather<{numbers}>, '
        f"slice_sizes = array<i64: {', '.join(map(str, sizes))}>}}> ATTRS : "
        f"({tensor(operand, element)}, {tensor(indices, kind)}) -> {tensor(result, element)}",
        [tensor(result, element)],
    )


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_random_gathers_in_random_layouts(start: int) -> None:
    assert disagreements(gathers, range(start, start + 10)) == []
