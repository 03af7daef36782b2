"""What a way moves is known from a program with fewer layers as if it had been gone."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from pyshardy import parse, partition, run_passes
from pyshardy.ir.shortcuts import without_shortcuts
from pyshardy.module import Module
from pyshardy.partitioning.fewer_layers import FewerLayers
from pyshardy.partitioning.inner_layers import InnerLayers
from pyshardy.partitioning.localizing import registry
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.strategies.strategy import Strategies
from pyshardy.partitioning.way import Way
from pyshardy.propagation.repetition import Repetition
from tests.use_order import uses_by_number

AXES = ("x", "y")


def perceptrons(layers: int, seed: int = 0, *, odd: int | None = None) -> str:
    """A training step of so many layers, which read their weights forward, backward, and where they are updated; the
    shardings are random, the same in each layer. Layer ``odd`` has a sharding of its own."""
    random = Random(seed)

    def sharding(rank: int) -> str:
        axes = list(AXES)
        random.shuffle(axes)
        dims = [f'{{"{axes.pop()}"}}' if axes and random.random() < 0.5 else "{}" for _ in range(rank)]
        return f"{{sdy.sharding = #sdy.sharding<@mesh, [{', '.join(dims)}]>}}"

    rows, up, down = "tensor<64x32xf32>", "tensor<32x96xf32>", "tensor<96x32xf32>"
    wide = "tensor<64x96xf32>"
    shardings = {"up": sharding(2), "down": sharding(2), "x": sharding(2), "odd": sharding(2)}
    arguments = [f"%x: {rows} {shardings['x']}", f"%rate: {up}"]
    forward, backward, updates, returned, results = ["  %y0 = stablehlo.tanh %x : " + rows], [], [], [], []
    for n in range(layers):
        arguments.append(f"%u{n}: {up} {shardings['odd' if n == odd else 'up']}")
        arguments.append(f"%d{n}: {down} {shardings['down']}")
        forward += [
            f"  %h{n} = stablehlo.dot_general %y{n}, %u{n}, contracting_dims = [1] x [0] : ({rows}, {up}) -> {wide}",
            f"  %t{n} = stablehlo.tanh %h{n} : {wide}",
            f"  %o{n} = stablehlo.dot_general %t{n}, %d{n}, contracting_dims = [1] x [0] : ({wide}, {down}) -> {rows}",
            f"  %y{n + 1} = stablehlo.add %y{n}, %o{n} : {rows}",
        ]
        m = layers - 1 - n
        backward += [
            f"  %a{m} = stablehlo.dot_general %g{m + 1}, %d{m}, contracting_dims = [1] x [1]"
            f" : ({rows}, {down}) -> {wide}",
            f"  %b{m} = stablehlo.multiply %a{m}, %t{m} : {wide}",
            f"  %c{m} = stablehlo.dot_general %y{m}, %b{m}, contracting_dims = [0] x [0] : ({rows}, {wide}) -> {up}",
            f"  %e{m} = stablehlo.dot_general %b{m}, %u{m}, contracting_dims = [1] x [1] : ({wide}, {up}) -> {rows}",
            f"  %g{m} = stablehlo.add %g{m + 1}, %e{m} : {rows}",
        ]
        updates += [
            f"  %p{n} = stablehlo.multiply %c{n}, %rate : {up}",
            f"  %q{n} = stablehlo.subtract %u{n}, %p{n} : {up}",
        ]
        returned.append(f"%q{n}")
        results.append(f"{up} {shardings['odd' if n == odd else 'up']}")
    body = [*forward, f"  %g{layers} = stablehlo.negate %y{layers} : {rows}", *backward, *updates]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=4]>',
            f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{",
            *body,
            f"  return {', '.join(returned)} : {', '.join([up] * layers)}",
            "}",
        ]
    )


@cache
def propagated(layers: int, seed: int, odd: int | None = None) -> Module:
    return run_passes(parse(perceptrons(layers, seed, odd=odd)), "sdy-propagation-pipeline")


def by_fewer_layers(module: Module, strategies: Strategies, *, free: bool) -> float | None:
    fewer = FewerLayers(Program(module.op), InnerLayers(module.op))
    return fewer.bytes_of_way(module.context, RunOptions(strategies=strategies, free_results=free))


def by_all_layers(module: Module, strategies: Strategies, *, free: bool) -> float:
    partitioner = Partitioner(Program(module.op), module.context, RunOptions(strategies=strategies, free_results=free))
    partitioner.run()
    return Way(partitioner).bytes


def test_layers_are_found_in_all_their_series() -> None:
    module = propagated(20, 0)
    found = Repetition(next(op for op in module.op.body if op.symbol_name == "main"))
    assert [one.period for one in found.series] == [4, 5, 2]
    assert [one.direction for one in found.series] == [1, -1, 1]
    assert found.end - found.first > 15


@pytest.mark.parametrize("seed", range(12))
def test_a_way_moves_what_fewer_layers_say(seed: int) -> None:
    module = propagated(60, seed)
    for wide, free in ((True, False), (False, False), (True, True)):
        found = by_fewer_layers(module, Strategies(wide=wide), free=free)
        assert found in (None, by_all_layers(module, Strategies(wide=wide), free=free))


def test_most_ways_need_not_be_gone() -> None:
    found = [by_fewer_layers(propagated(60, seed), Strategies(), free=True) for seed in range(24)]
    assert sum(one is not None for one in found) > 18


@pytest.mark.parametrize("seed", range(6))
def test_models_are_partitioned_the_same(seed: int) -> None:
    def outcome() -> tuple[object, ...]:
        plan = partition(parse(perceptrons(60, seed)))
        return str(plan.module), uses_by_number(plan.local.op), plan.bytes_moved, plan.memory.peak

    short = outcome()
    with without_shortcuts():
        assert outcome() == short


def test_a_layer_that_is_sharded_otherwise_stays() -> None:
    alike, other = (InnerLayers(propagated(80, 3, odd).op) for odd in (None, 25))
    assert alike.first < 25 < alike.end
    assert not other.first <= 25 < other.end


def test_nothing_is_left_out_where_others_say_what_becomes_of_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    module = propagated(60, 0)
    assert InnerLayers(module.op).first
    registry.localizer("stablehlo.tanh")
    monkeypatch.setitem(registry._localizers, "stablehlo.tanh", lambda site: site.fall_back())
    assert not InnerLayers(module.op).first


def turned(layers: int) -> str:
    """Layers that are alike, and turn what they get: what is reversed is sharded in every other one."""
    square, sharded = "tensor<32x32xf32>", '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    body = [
        line
        for n in range(layers)
        for line in (
            f"  %t{n} = stablehlo.transpose %y{n}, dims = [1, 0] : ({square}) -> {square}",
            f"  %y{n + 1} = stablehlo.reverse %t{n}, dims = [0] : {square}",
        )
    ]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=4]>',
            f"func.func @main(%y0: {square} {sharded}) -> ({square} {sharded}) {{",
            *body,
            f"  return %y{layers} : {square}",
            "}",
        ]
    )


def test_layers_must_have_become_the_same_on_either_side_of_the_gap() -> None:
    module = parse(turned(120))
    assert InnerLayers(module.op).first
    found = by_fewer_layers(module, Strategies(), free=True)
    assert found in (None, by_all_layers(module, Strategies(), free=True))
