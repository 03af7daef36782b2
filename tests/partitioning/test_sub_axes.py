"""Programs whose shardings use sub-axes that no one splitting of their axis expresses, as thirds and halves of six."""

from __future__ import annotations

import random
from itertools import product

import pytest

from pyshardy import parse, partition
from pyshardy.sharding.axes import AxisRef, excludes
from tests.sampling import sampled

SIZES = (6, 12)


def sub_axes(size: int) -> list[str]:
    """The proper sub-axes of ``"p"`` if it has ``size`` devices."""
    pairs = ((pre, count) for pre in range(1, size) for count in range(2, size))
    return [f'"p":({pre}){count}' for pre, count in pairs if size % (pre * count) == 0]


def program(size: int, operand: str, result: str, body: str, arguments: str, type: str) -> str:
    dims = ", ".join(["{}"] * (type.count("x") - 1) + ["{" + result + "}"])
    return f"""
sdy.mesh @mesh = <["p"={size}]>
func.func @main(%x: tensor<24x48xi32> {{sdy.sharding = #sdy.sharding<@mesh, [{{{operand}}}, {{}}]>}}{arguments})
    -> (tensor<{type}> {{sdy.sharding = #sdy.sharding<@mesh, [{dims}]>}}) {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  {body}
  return %1 : tensor<{type}>
}}"""


BODIES = {
    "reduce": (
        "%1 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0]"
        " : (tensor<24x48xi32>, tensor<i32>) -> tensor<48xi32>",
        "",
        "48xi32",
    ),
    "gather": (
        '%1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],'
        " collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 48>}>"
        " : (tensor<24x48xi32>, tensor<8x1xi32>) -> tensor<8x48xi32>",
        ", %i: tensor<8x1xi32>",
        "8x48xi32",
    ),
    "dynamic_slice": (
        "%1 = stablehlo.dynamic_slice %x, %i, %c, sizes = [1, 48]"
        " : (tensor<24x48xi32>, tensor<i32>, tensor<i32>) -> tensor<1x48xi32>",
        ", %i: tensor<i32>",
        "1x48xi32",
    ),
}


@pytest.mark.parametrize("operation", BODIES)
def test_sums_over_one_sub_axis_become_shards_along_another(operation: str) -> None:
    """Partial sums over thirds cannot be scattered, nor sliced, along halves: first they have to be added up."""
    body, arguments, type = BODIES[operation]
    pairs = list(product(sub_axes(6), repeat=2))
    assert sum(excludes(*map(axis_of, pair)) for pair in pairs) == 12
    for operand, result in pairs:
        plan = partition(parse(program(6, operand, result, body, arguments, type)))
        assert plan.check().agrees, (operand, result)


def axis_of(text: str) -> AxisRef:
    name, _, part = text.partition(":")
    pre, _, count = part[1:].partition(")")
    return AxisRef(name.strip('"'), int(pre), int(count))


@pytest.mark.parametrize("seed", sampled(range(20), 2))
def test_random_sub_axes_of_a_product(seed: int) -> None:
    """Each of the tensors is sharded along any sub-axes that exclude none of its own."""
    rng = random.Random(seed)
    size = rng.choice(SIZES)

    def sharding(rank: int = 2) -> str:
        dims: list[list[str]] = [[] for _ in range(rank)]
        taken: list[AxisRef] = []
        for _ in range(rng.randint(0, 3)):
            text = rng.choice(sub_axes(size))
            axis, dim = axis_of(text), dims[rng.randrange(rank)]
            continues = bool(dim) and axis_of(dim[-1]).next_pre == axis.pre
            if not continues and not any(excludes(axis, other) for other in taken):
                taken.append(axis)
                dim.append(text)
        return "<@mesh, [" + ", ".join("{" + ", ".join(one) + "}" for one in dims) + "]>"

    module = parse(f"""
sdy.mesh @mesh = <["p"={size}]>
func.func @main(%x: tensor<72x72xi32> {{sdy.sharding = #sdy.sharding{sharding()}}},
    %w: tensor<72x36xi32> {{sdy.sharding = #sdy.sharding{sharding()}}})
    -> (tensor<72x36xi32> {{sdy.sharding = #sdy.sharding{sharding()}}}) {{
  %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      {{sdy.sharding = #sdy.sharding_per_value<[{sharding()}]>}}
      : (tensor<72x72xi32>, tensor<72x36xi32>) -> tensor<72x36xi32>
  %2 = sdy.sharding_constraint %1 {sharding()} : tensor<72x36xi32>
  return %2 : tensor<72x36xi32>
}}""")
    assert partition(module).check().agrees
    assert partition(module, emit="collectives").check().agrees


def test_axes_that_continue_each_other_are_one_where_reshards_are_made() -> None:
    """The search for the fewest bytes puts axes beside each other."""
    plan = partition(
        parse("""
sdy.mesh @mesh = <["p"=18]>
func.func @main(%x: tensor<72x72xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"p":(1)2}, {}]>},
    %w: tensor<72x36xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"p":(3)3}]>})
    -> (tensor<72x36xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"p":(1)2}]>}) {
  %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"p":(2)9}, {}]>]>}
      : (tensor<72x72xi32>, tensor<72x36xi32>) -> tensor<72x36xi32>
  %2 = stablehlo.add %1, %1 : tensor<72x36xi32>
  return %2 : tensor<72x36xi32>
}"""),
        emit="collectives",
    )
    assert plan.check().agrees
