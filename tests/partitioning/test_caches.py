"""Caches that are updated row by row, where devices share heads, batch or sequence: only what is new moves."""

from __future__ import annotations

import pytest

from pyshardy import Plan, parse, partition
from tests.partitioning.random_layouts import MESHES
from tests.partitioning.sharding_text import sharded, sharding

_REPLACED = """({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  })"""


def _plan(arguments: str, results: str, body: str, propagated: bool = True) -> Plan:
    text = f"sdy.mesh @m = {MESHES['m']}\nfunc.func @main({arguments}) -> ({results}) {{\n{body}\n}}"
    plan = partition(parse(text), propagated=propagated)
    assert plan.check().agrees
    return plan


def _at(*dims: str) -> str:
    return f"{{sdy.sharding = #sdy.sharding_per_value<[{sharding(*dims)}]>}}"


def _window_update(cache: str, update: str, begin: str, axes: tuple[str, str, str]) -> str:
    """One row of the sequence for each element of the batch, with all heads: what JAX makes of
    ``vmap(dynamic_update_slice)``, if ``begin`` are the indices of the heads."""
    rows, column = axes[0], "tensor<4x1xi32>"
    return f"""
  %row = stablehlo.reshape %p {_at(rows, "")} : (tensor<4xi32>) -> {column}
  %begin = stablehlo.constant {_at(rows, "")} dense<{begin}> : {column}
  %at = stablehlo.concatenate %row, %begin, dim = 1 {_at(rows, "")} : ({column}, {column}) -> tensor<4x2xi32>
  %0 = "stablehlo.scatter"(%c, %at, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2],
      index_vector_dim = 1>}}> {_REPLACED} {_at(*axes)} : ({cache}, tensor<4x2xi32>, {update}) -> {cache}
  return %0 : {cache}"""


def _with_windows(heads: int, begin: str) -> Plan:
    cache, update, axes = f"tensor<4x9x{heads}xf32>", f"tensor<4x1x{heads}xf32>", ("y", "", "x")
    return _plan(
        f"%c: {sharded(cache, *axes)}, %u: {sharded(update, *axes)}, %p: {sharded('tensor<4xi32>', 'y')}",
        sharded(cache, *axes),
        _window_update(cache, update, begin, axes),
    )


@pytest.mark.parametrize("heads", [8, 6])
def test_a_window_with_all_heads_is_written_where_the_heads_are(heads: int) -> None:
    assert _with_windows(heads, "0").collectives == ()


@pytest.mark.parametrize("begin", ["[[0], [1], [0], [-1]]", "2"])
def test_a_window_that_begins_elsewhere_is_written_as_on_one_device(begin: str) -> None:
    assert _with_windows(8, begin).collectives != ()


def test_a_window_that_is_clamped_to_all_heads_is_written_where_the_heads_are() -> None:
    cache, update, pair = "tensor<4x9x8xf32>", "tensor<4x1x8xf32>", "tensor<4x2xi32>"
    plan = _plan(
        f"%c: {sharded(cache, 'y', '', 'x')}, %u: {sharded(update, 'y', '', 'x')}, %p: {sharded(pair, 'y', '')}",
        sharded(cache, "y", "", "x"),
        f"""
  %room = stablehlo.constant dense<[8, 0]> : tensor<2xi32>
  %most = stablehlo.constant dense<2147483647> : tensor<2xi32>
  %1 = stablehlo.minimum %room, %most : tensor<2xi32>
  %high = stablehlo.broadcast_in_dim %1, dims = [1] {_at("y", "")} : (tensor<2xi32>) -> {pair}
  %low = stablehlo.constant {_at("y", "")} dense<0> : {pair}
  %at = stablehlo.clamp %low, %p, %high {_at("y", "")} : {pair}
  %0 = "stablehlo.scatter"(%c, %at, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2],
      index_vector_dim = 1>}}> {_REPLACED} {_at("y", "", "x")} : ({cache}, {pair}, {update}) -> {cache}
  return %0 : {cache}""",
    )
    assert plan.collectives == ()


def _counted(batch: int, count: str, axes: str) -> str:
    """Index vectors of which the first component is ``count``, the second the position, as ``jnp`` writes them."""
    vector, column, pair = f"tensor<{batch}xi32>", f"tensor<{batch}x1xi32>", f"tensor<{batch}x2xi32>"
    there = _at(axes)
    return f"""
  %count = {count} : {vector}
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] {there} : (tensor<i32>) -> {vector}
  %below = stablehlo.compare LT, %count, %zeros {there} : ({vector}, {vector}) -> tensor<{batch}xi1>
  %size = stablehlo.constant {there} dense<{batch}> : {vector}
  %behind = stablehlo.add %count, %size {there} : {vector}
  %number = stablehlo.select %below, %behind, %count {there} : tensor<{batch}xi1>, {vector}
  %first = stablehlo.broadcast_in_dim %number, dims = [0] {_at(axes, "")} : ({vector}) -> {column}
  %second = stablehlo.broadcast_in_dim %p, dims = [0] {_at(axes, "")} : ({vector}) -> {column}
  %at = stablehlo.concatenate %first, %second, dim = 1 {_at(axes, "")} : ({column}, {column}) -> {pair}"""


def _rows_set(batch: int, count: str, axes: tuple[str, str, str]) -> Plan:
    cache, update = f"tensor<{batch}x9x8xf32>", f"tensor<{batch}x8xf32>"
    return _plan(
        f"%c: {sharded(cache, *axes)}, %u: {sharded(update, axes[0], axes[2])}, "
        f"%p: {sharded(f'tensor<{batch}xi32>', axes[0])}",
        sharded(cache, *axes),
        f"""{_counted(batch, count, axes[0])}
  %0 = "stablehlo.scatter"(%c, %at, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> {_REPLACED}
      {{sdy.sharding = #sdy.sharding_per_value<[{sharding(*axes)}]>}}
      : ({cache}, tensor<{batch}x2xi32>, {update}) -> {cache}
  return %0 : {cache}""",
    )


@pytest.mark.parametrize("batch", [8, 7, 3])
def test_rows_that_are_counted_are_set_where_they_are(batch: int) -> None:
    assert _rows_set(batch, "stablehlo.iota dim = 0", ("x", "", "y")).collectives == ()
    assert _rows_set(batch, "stablehlo.iota dim = 0", ("x", "y", "")).collectives == ()


def test_rows_that_a_constant_counts_are_set_where_they_are() -> None:
    assert _rows_set(4, "stablehlo.constant dense<[0, 1, 2, 3]>", ("x", "", "y")).collectives == ()


def test_rows_in_another_order_are_not_taken_for_counted() -> None:
    assert _rows_set(4, "stablehlo.constant dense<[1, 0, 2, 3]>", ("x", "", "y")).collectives != ()
    assert _rows_set(4, "stablehlo.constant dense<[-4, 1, 2, 3]>", ("x", "", "y")).collectives != ()


@pytest.mark.parametrize("batch", [8, 7])
def test_rows_that_are_counted_are_read_where_they_are(batch: int) -> None:
    cache, rows = f"tensor<{batch}x9x8xf32>", f"tensor<{batch}x8xf32>"
    plan = _plan(
        f"%c: {sharded(cache, 'x', '', 'y')}, %p: {sharded(f'tensor<{batch}xi32>', 'x')}",
        sharded(rows, "x", "y"),
        f"""{_counted(batch, "stablehlo.iota dim = 0", "x")}
  %0 = "stablehlo.gather"(%c, %at) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 1, 8>}}> {{sdy.sharding = #sdy.sharding_per_value<[{sharding("x", "y")}]>}}
      : ({cache}, tensor<{batch}x2xi32>) -> {rows}
  return %0 : {rows}""",
    )
    assert plan.collectives == ()


def test_the_update_goes_to_a_cache_that_is_returned_and_not_the_cache_to_the_update() -> None:
    cache, update = "tensor<4x64x8xf32>", "tensor<4x1x8xf32>"
    plan = _plan(
        f"%c: {sharded(cache, 'y', '', '')}, %u: {sharded(update, 'y', '', 'x')}, %p: tensor<i32>, "
        f"%q: {sharded('tensor<4x8xf32>', 'y', 'x')}",
        f"{sharded(cache, 'y', '', '')}, {sharded('tensor<4x8x64xf32>', 'y', 'x', '')}",
        f"""
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %c, %u, %zero, %p, %zero
      {{sdy.sharding = #sdy.sharding_per_value<[{sharding("y", "", "x")}]>}}
      : ({cache}, {update}, tensor<i32>, tensor<i32>, tensor<i32>) -> {cache}
  %1 = stablehlo.dot_general %q, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [] x []
      {{sdy.sharding = #sdy.sharding_per_value<[{sharding("y", "x", "")}]>}}
      : (tensor<4x8xf32>, {cache}) -> tensor<4x8x64xf32>
  return %0, %1 : {cache}, tensor<4x8x64xf32>""",
    )
    assert [str(one.op.results[0].type) for one in plan.collectives] == ["tensor<2x1x8xf32>"]


def test_a_cache_that_is_carried_stays_where_it_is() -> None:
    """The sequence is sharded, what reads the cache is wanted by heads."""
    cache, update, scores = "tensor<4x64x8xf32>", "tensor<4x8xf32>", "tensor<4x8x64xf32>"
    kept = sharding("y", "x", "")
    plan = _plan(
        f"%c: {sharded(cache, 'y', 'x', '')}, %k: {sharded(update, 'y', 'x')}, %q: {sharded(update, 'y', 'x')}",
        f"{sharded(cache, 'y', 'x', '')}, {sharded(update, 'y', 'x')}",
        f"""
  %start = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %start, %d = %c, %s = %q) : tensor<i32>, {cache}, {update}
      attributes {{sdy.sharding = #sdy.sharding_per_value<[{sharding()}, {kept}, {sharding("y", "x")}]>}}
  cond {{
    %end = stablehlo.constant dense<5> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %u = stablehlo.reshape %k : ({update}) -> tensor<4x1x8xf32>
    %1 = stablehlo.dynamic_update_slice %d, %u, %zero, %i, %zero
        {{sdy.sharding = #sdy.sharding_per_value<[{sharding("y", "", "x")}]>}}
        : ({cache}, tensor<4x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> {cache}
    %2 = stablehlo.dot_general %s, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [] x []
        {{sdy.sharding = #sdy.sharding_per_value<[{sharding("y", "x", "")}]>}} : ({update}, {cache}) -> {scores}
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %none) applies stablehlo.add across dimensions = [2]
        {{sdy.sharding = #sdy.sharding_per_value<[{sharding("y", "x")}]>}} : ({scores}, tensor<f32>) -> {update}
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %1, %3 : tensor<i32>, {cache}, {update}
  }}
  return %0#1, %0#2 : {cache}, {update}""",
    )
    assert all(one.bytes < 2 * 64 * 8 * 4 / 4 for one in plan.collectives)
