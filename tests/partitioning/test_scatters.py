"""Scatters into sharded inputs, and of sharded updates: right for any layout, and without gathering what is large."""

from __future__ import annotations

import pytest

from pyshardy import Plan, parse, partition
from tests.partitioning.random_layouts import MESHES, Case, disagreements, tensor
from tests.partitioning.sharding_text import sharding
from tests.partitioning.windows.random_windows import random_windows
from tests.sampling import sampled


def _accumulate(
    table: tuple[str, str], ids: str, result: tuple[str, str], *, body: str = "add", rows: int = 1000, count: int = 10
) -> Plan:
    """Updates of rows of a table, like the gradient of an embedding."""
    kept = {"set": "%y", "add": "%s"}.get(body, "%s")
    step = "" if body == "set" else f"%s = stablehlo.{body} %x, %y : tensor<f32>"
    text = f"""
sdy.mesh @m = {MESHES["m"]}
func.func @main(%table: tensor<{rows}x6xf32> {{sdy.sharding = #sdy.sharding{sharding(*table)}}},
                %ids: tensor<{count}xi32> {{sdy.sharding = #sdy.sharding{sharding(ids)}}},
                %rows: tensor<{count}x6xf32> {{sdy.sharding = #sdy.sharding{sharding(ids, table[1])}}})
    -> (tensor<{rows}x6xf32> {{sdy.sharding = #sdy.sharding{sharding(*result)}}}) {{
  %0 = "stablehlo.scatter"(%table, %ids, %rows) <{{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
                                                   scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    unique_indices = true}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    {step}
    stablehlo.return {kept} : tensor<f32>
  }}) {{sdy.sharding = #sdy.sharding_per_value<[{sharding(*result)}]>}}
      : (tensor<{rows}x6xf32>, tensor<{count}xi32>, tensor<{count}x6xf32>) -> tensor<{rows}x6xf32>
  return %0 : tensor<{rows}x6xf32>
}}"""
    return partition(parse(text), propagated=True)


def test_rows_of_a_sharded_table_are_written_where_they_are() -> None:
    for body in ("add", "set"):
        plan = _accumulate(("x", "y"), "", ("x", "y"), body=body, rows=1001)
        assert plan.collectives == ()
        assert plan.check().agrees


def test_few_sharded_updates_are_gathered_for_a_large_table() -> None:
    plan = _accumulate(("x", ""), "x", ("x", ""))
    assert {one.kind for one in plan.collectives} == {"all_gather"}
    assert plan.bytes_moved == (12 * 4 + 12 * 6 * 4) * 3 / 4
    assert plan.check().agrees


@pytest.mark.parametrize("body", ["add", "maximum", "multiply"])
def test_many_sharded_updates_are_collected_and_scattered_to_a_small_table(body: str) -> None:
    plan = _accumulate(("x", ""), "x", ("x", ""), body=body, rows=10, count=999)
    assert [one.kind for one in plan.collectives] == ["reduce_scatter"]
    assert plan.bytes_moved == 12 * 6 * 4 * 3 / 4
    assert plan.check().agrees


def test_updates_that_overwrite_meet_since_the_last_one_counts_but_each_column_on_its_own() -> None:
    plan = _accumulate(("", ""), "x", ("", ""), body="set", rows=10, count=999)
    assert [one.kind for one in plan.collectives] == ["all_gather", "all_to_all", "all_gather"]
    assert plan.bytes_moved < 1000 * 6 * 4 * 3 / 4
    assert plan.check().agrees


def test_uniqueness_is_claimed_only_where_padding_cannot_break_it() -> None:
    assert "unique_indices" in str(_accumulate(("", ""), "x", ("", ""), rows=4, count=1000).module)
    assert "unique_indices" not in str(_accumulate(("", ""), "x", ("", ""), rows=4, count=999).module)


_BODIES = {
    "f32": ("add", "add", "maximum", "minimum", "multiply", "subtract", "set"),
    "i32": ("add", "maximum", "minimum", "multiply", "and", "or", "xor", "set"),
    "i1": ("and", "or", "set"),
    "ui8": ("add", "maximum", "minimum", "or"),
    "bf16": ("add", "maximum"),
}


def scatters(case: Case) -> None:
    """Batching, inserted, whole and partial windows in any order, several inputs, index vectors in any dimension."""
    rng = case.rng
    w = random_windows(rng, 0.9, 0.15)
    operand, indices, update = w.operand, w.indices, w.combined
    element = rng.choice(list(_BODIES))
    body = rng.choice(_BODIES[element])
    count = rng.choice([1, 1, 2])
    kind = rng.choice(["i32", "i32", "i64", "ui32", "ui8", "i8"])
    inputs = []
    for _ in range(count):
        if body in ("add", "or") and rng.random() < 0.4:
            zero = "false" if element == "i1" else "0.0" if "f" in element else "0"
            inputs.append(case.add(f"stablehlo.constant dense<{zero}> : {tensor(operand, element)}"))
        else:
            inputs.append(case.argument(tensor(operand, element)))
    i = case.argument(tensor(indices, kind))
    if rng.random() < 0.6 and 0 not in indices:
        # Out of range below and above.
        c = case.add(
            f"stablehlo.constant dense<{rng.choice([2, 3, 200 if kind == 'ui8' else 100])}> : {tensor(indices, kind)}"
        )
        i = case.add(f"stablehlo.{rng.choice(['subtract', 'add'])} {i}, {c} : {tensor(indices, kind)}")
    updates = [case.argument(tensor(update, element)) for _ in range(count)]
    numbers = ", ".join(
        [
            f"update_window_dims = {w.window_dims}",
            f"inserted_window_dims = {w.dropped}",
            f"input_batching_dims = {w.operand_batching}",
            f"scatter_indices_batching_dims = {w.indices_batching}",
            f"scatter_dims_to_operand_dims = {w.mapped}",
            f"index_vector_dim = {w.vector_dim}",
        ]
    )
    scalar = f"tensor<{element}>"
    olds, news = ([f"%{name}{k}" for k in range(count)] for name in "ou")
    steps = [f"%r{k} = stablehlo.{body} %o{k}, %u{k} : {scalar}" for k in range(count)] if body != "set" else []
    returned = [f"%r{k}" for k in range(count)] if body != "set" else news
    types = [tensor(operand, element)] * count
    listed = [*types, tensor(indices, kind), *([tensor(update, element)] * count)]
    results = ", ".join(types)
    case.add_sharded(
        f'"stablehlo.scatter"({", ".join([*inputs, i, *updates])}) <{{scatter_dimension_numbers = '
        f"#stablehlo.scatter<{numbers}>}}> ({{\n  ^bb0({', '.join(f'{one}: {scalar}' for one in olds + news)}):\n    "
        + "\n    ".join([*steps, f"stablehlo.return {', '.join(returned)} : {', '.join([scalar] * count)}"])
        + f"\n  }}) ATTRS : ({', '.join(listed)}) -> {f'({results})' if count > 1 else results}",
        types,
        count,
    )


@pytest.mark.slow
@pytest.mark.parametrize("start", sampled(range(0, 40, 10), 2))
def test_random_scatters_in_random_layouts(start: int) -> None:
    assert disagreements(scatters, range(start, start + 10)) == []
