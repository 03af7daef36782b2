"""Sorting and picking the largest: shards move to another dimension meanwhile, or send only their candidates."""

from __future__ import annotations

import pytest

from pyshardy import Plan, parse, partition
from tests.partitioning.random_layouts import MESHES, Case, disagreements, random_shape, tensor


def _plan(body: str) -> Plan:
    return partition(parse(f"sdy.mesh @m = {MESHES['m']}\n{body}"), propagated=True)


_SORT = """
func.func @main(%a: tensor<64x SIZE x f32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>})
    -> (tensor<64x SIZE x f32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = DIM : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %1 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} : (tensor<64x SIZE x f32>) -> tensor<64x SIZE x f32>
  return %0 : tensor<64x SIZE x f32>
}"""


def _sort(dim: int, size: int) -> Plan:
    return _plan(_SORT.replace(" SIZE x ", f"{size}x").replace("DIM", str(dim)))


def test_sorting_along_another_dimension_moves_nothing() -> None:
    plan = _sort(1, 10)
    assert plan.collectives == ()
    assert plan.check().agrees


@pytest.mark.parametrize(("size", "padded"), [(8, 8), (10, 12)])
def test_the_sorted_dimension_trades_its_shards_with_another(size: int, padded: int) -> None:
    plan = _sort(0, size)
    assert [one.kind for one in plan.collectives] == ["all_to_all", "all_to_all"]
    assert plan.bytes_moved == 2 * 16 * padded * 4 * 3 / 4
    assert plan.check().agrees


def sorts(case: Case) -> None:
    """One to three tensors, any dimension, padding that would show."""
    rng = case.rng
    shape = random_shape(rng, 3)
    element = rng.choice(["f32", "i32", "bf16", "ui8"])
    count = rng.choice([1, 1, 2, 3])
    operands = [case.argument(tensor(shape, element)) for _ in range(count)]
    scalar = f"tensor<{element}>"
    arguments = ", ".join(f"%p{k}: {scalar}, %q{k}: {scalar}" for k in range(count))
    types = [tensor(shape, element)] * count
    listed = ", ".join(types)
    case.add_sharded(
        f'"stablehlo.sort"({", ".join(operands)}) <{{dimension = {rng.randint(-len(shape), len(shape) - 1)} : i64, '
        f"is_stable = true}}> ({{\n  ^bb0({arguments}):\n"
        f"    %c = stablehlo.compare {rng.choice(['LT', 'GT'])}, %p0, %q0 : ({scalar}, {scalar}) -> tensor<i1>\n"
        f"    stablehlo.return %c : tensor<i1>\n  }}) ATTRS : ({listed}) -> {f'({listed})' if count > 1 else listed}",
        types,
        count,
    )


@pytest.mark.parametrize("start", range(0, 20, 10))
def test_random_sorts_in_random_layouts(start: int) -> None:
    assert disagreements(sorts, range(start, start + 10)) == []


def test_the_largest_of_a_sharded_dimension_are_found_among_the_candidates_of_its_shards() -> None:
    plan = _plan("""
func.func @main(%a: tensor<6x999xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>})
    -> (tensor<6x5xf32>, tensor<6x5xi32>) {
  %0, %1 = chlo.top_k(%a, k = 5) : tensor<6x999xf32> -> (tensor<6x5xf32>, tensor<6x5xi32>)
  return %0, %1 : tensor<6x5xf32>, tensor<6x5xi32>
}""")
    assert [one.kind for one in plan.collectives] == ["all_gather", "all_gather"]
    assert plan.bytes_moved == 6 * 5 * 4 * (4 + 4) * 3 / 4
    assert plan.check().agrees


def test_the_largest_none_need_no_candidates() -> None:
    plan = _plan("""
func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<0xf32>, tensor<0xi32>) {
  %0:2 = chlo.top_k(%a, k = 0) : tensor<6xf32> -> (tensor<0xf32>, tensor<0xi32>)
  return %0#0, %0#1 : tensor<0xf32>, tensor<0xi32>
}""")
    assert plan.check().agrees


def top_ks(case: Case) -> None:
    """Few different values, so that many are equal, of floats and integers."""
    rng = case.rng
    shape = random_shape(rng, 3, [1, 3, 5, 8, 17, 30])
    count = rng.randint(1, min(shape[-1], 6))
    element = rng.choice(["f32", "i32", "ui8", "bf16"])
    type, found = tensor(shape, element), tensor([*shape[:-1], count], element)
    places = tensor([*shape[:-1], count], "i32")
    source = case.argument(tensor(shape, "i32"))
    divisor = case.add(f"stablehlo.constant dense<{rng.choice([1, 30])}> : {tensor(shape, 'i32')}")
    whole = case.add(f"stablehlo.divide {source}, {divisor} : {tensor(shape, 'i32')}")
    values = case.add(f"stablehlo.convert {whole} : ({tensor(shape, 'i32')}) -> {type}")
    if rng.random() < 0.5 or case.mesh == "t":
        name = f"%v{len(case.body)}"
        case.body.append(f"{name}:2 = chlo.top_k({values}, k = {count}) : {type} -> ({found}, {places})")
        case.results += [(f"{name}#0", found), (f"{name}#1", places)]
    else:
        case.add_sharded(
            f'"chlo.top_k"({values}) <{{k = {count} : i64}}> ATTRS : ({type}) -> ({found}, {places})',
            [found, places],
            2,
        )


@pytest.mark.parametrize("start", range(0, 20, 10))
def test_random_top_ks_in_random_layouts(start: int) -> None:
    assert disagreements(top_ks, range(start, start + 10)) == []
