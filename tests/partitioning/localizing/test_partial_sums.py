"""Sums over devices that stay unreduced through linear operations, and are reduced in front of all others."""

from __future__ import annotations

import pytest

from pyshardy import Plan, parse, partition
from tests.partitioning.random_layouts import MESHES, Case, disagreements, tensor

_HEAD = """
func.func @main(%a: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>},
                %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                %c: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {}]>})
    -> (tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) {
  %t = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] TERMS
      : (tensor<6x8xf32>, tensor<8x6xf32>) -> tensor<6x6xf32>
"""
_TERMS = '{sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}], unreduced={"x"}>]>}'


def _plan(body: str) -> Plan:
    text = f"sdy.mesh @m = {MESHES['m']}\n{_HEAD}{body}}}".replace("TERMS", _TERMS)
    plan = partition(parse(text), propagated=True)
    assert plan.check().agrees
    return plan


def _kinds(plan: Plan) -> list[tuple[str, int]]:
    return [(one.kind, one.group_size) for one in plan.collectives]


def test_a_chain_of_linear_operations_is_reduced_once_at_its_end() -> None:
    plan = _plan("""
  %0 = stablehlo.add %t, %t TERMS : tensor<6x6xf32>
  %1 = stablehlo.negate %0 TERMS : tensor<6x6xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] TERMS : (tensor<6x6xf32>) -> tensor<6x6xf32>
  return %2 : tensor<6x6xf32>
""")
    assert _kinds(plan) == [("all_reduce", 4)]


def test_a_whole_operand_joins_the_sum_on_one_device() -> None:
    plan = _plan("""
  %k = stablehlo.constant dense<2.0> : tensor<6x6xf32>
  %0 = stablehlo.subtract %t, %k TERMS : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
""")
    assert _kinds(plan) == [("all_reduce", 4)]


def test_a_product_of_two_sums_reduces_one_of_them() -> None:
    plan = _plan("""
  %0 = stablehlo.multiply %t, %t TERMS : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
""")
    assert _kinds(plan) == [("all_reduce", 4), ("all_reduce", 4)]


def test_an_operation_that_is_not_linear_gets_the_sum() -> None:
    plan = _plan("""
  %0 = stablehlo.exponential %t TERMS : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
""")
    assert _kinds(plan)[0] == ("all_reduce", 4)


@pytest.mark.parametrize("size", [8, 10])
def test_shards_become_terms_without_any_exchange(size: int) -> None:
    type = f"tensor<{size}x3xf32>"
    plan = partition(
        parse(f"""
sdy.mesh @m = {MESHES["r"]}
func.func @main(%a: {type} {{sdy.sharding = #sdy.sharding<@m, [{{"x"}}, {{}}]>}})
    -> ({type} {{sdy.sharding = #sdy.sharding<@m, [{{}}, {{}}], unreduced={{"x"}}>}}) {{
  return %a : {type}
}}"""),
        propagated=True,
    )
    assert plan.collectives == ()
    assert plan.check().agrees


def linear_operations(case: Case) -> None:
    """Real terms, from a contraction; one operation that may keep them; a result that is reduced or not."""
    rng = case.rng
    case.mesh = rng.choice("mr")
    m, k, n = (rng.choice([2, 3, 5, 8]) for _ in range(3))
    type = tensor([m, n])
    inner = f'#sdy.sharding<@{case.mesh}, [{{}}, {{"x"}}]>', f'#sdy.sharding<@{case.mesh}, [{{"x"}}, {{}}]>'
    a = case.argument(tensor([m, k]), inner[0].removeprefix("#sdy.sharding"))
    b = case.argument(tensor([k, n]), inner[1].removeprefix("#sdy.sharding"))

    def terms(rank: int) -> str:
        dims = ["{}"] * rank
        if rank and rng.random() < 0.5:
            dims[rng.randrange(rank)] = '{"y"}'
        listed = ", ".join(dims)
        return f'{{sdy.sharding = #sdy.sharding_per_value<[<@{case.mesh}, [{listed}], unreduced={{"x"}}>]>}}'

    def product() -> str:
        shapes = f"({tensor([m, k])}, {tensor([k, n])}) -> {type}"
        return case.add(f"stablehlo.dot_general {a}, {b}, contracting_dims = [1] x [0] {terms(2)} : {shapes}")

    t = product()
    other = product() if rng.random() < 0.5 else case.argument(type)
    shapes = f"({type}) -> "
    zero = case.add("stablehlo.constant dense<0.0> : tensor<f32>")
    flat, turned, row = tensor([m * n]), tensor([n, m]), tensor([n])
    pred = case.argument(tensor([m, n], "i1"))
    choices = {
        "add": (type, f"stablehlo.add {t}, {other} {terms(2)} : {type}"),
        "subtract": (type, f"stablehlo.subtract {other}, {t} {terms(2)} : {type}"),
        "multiply": (type, f"stablehlo.multiply {other}, {t} {terms(2)} : {type}"),
        "select": (type, f"stablehlo.select {pred}, {t}, {other} {terms(2)} : {tensor([m, n], 'i1')}, {type}"),
        "negate": (type, f"stablehlo.negate {t} {terms(2)} : {type}"),
        "tanh": (type, f"stablehlo.tanh {t} {terms(2)} : {type}"),
        "reshape": (flat, f"stablehlo.reshape {t} {terms(1)} : {shapes}{flat}"),
        "transpose": (turned, f"stablehlo.transpose {t}, dims = [1, 0] {terms(2)} : {shapes}{turned}"),
        "reverse": (type, f"stablehlo.reverse {t}, dims = [0] {terms(2)} : {type}"),
        "slice": (tensor([m - 1, n]), f"stablehlo.slice {t} [1:{m}, 0:{n}] {terms(2)} : {shapes}{tensor([m - 1, n])}"),
        "concatenate": (
            tensor([2 * m, n]),
            f"stablehlo.concatenate {t}, {other}, dim = 0 {terms(2)} : ({type}, {type}) -> {tensor([2 * m, n])}",
        ),
        "convert": (tensor([m, n], "f64"), f"stablehlo.convert {t} {terms(2)} : {shapes}{tensor([m, n], 'f64')}"),
        "reduce": (
            row,
            f"stablehlo.reduce({t} init: {zero}) applies stablehlo.add across dimensions = [0] {terms(1)} : "
            f"({type}, tensor<f32>) -> {row}",
        ),
        "dot": (
            tensor([m, m]),
            f"stablehlo.dot_general {t}, {other}, contracting_dims = [1] x [1] {terms(2)} : "
            f"({type}, {type}) -> {tensor([m, m])}",
        ),
    }
    result, text = choices[rng.choice(list(choices))]
    case.results.append((case.add(text), result))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 60, 20))
def test_random_linear_operations_in_random_layouts(start: int) -> None:
    assert disagreements(linear_operations, range(start, start + 20)) == []
