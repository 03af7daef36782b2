"""Layers that are written as those before them are what they would have become one by one."""

from __future__ import annotations

from typing import Any

import pytest

from pyshardy.partitioning import layer_records
from pyshardy.partitioning.written_layers import LayeredPartitioner
from pyshardy.versions import is_compiled
from tests.partitioning.fuzz_layers import Count, by_all_layers, differ, outcome
from tests.partitioning.test_fewer_layers import perceptrons, turned
from tests.propagation.layered_programs import LayeredProgram

ROWS, WIDE = "tensor<64x32xf32>", "tensor<64x64xf32>"


def layers(count: int, body: str, *, given: str = '{"x"}, {"y"}', extra: str = "") -> str:
    """So many layers of ``body``, which makes ``%y{next}`` of ``%y{n}`` and ``%w{n}``."""
    weights = [f'%w{n}: {ROWS} {{sdy.sharding = #sdy.sharding<@mesh, [{{"y"}}, {{}}]>}}' for n in range(count)]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=4]>',
            f"func.func @main(%y0: {ROWS} {{sdy.sharding = #sdy.sharding<@mesh, [{given}]>}}, {', '.join(weights)})",
            f"    -> {ROWS} {{",
            *[body.format(n=n, next=n + 1) for n in range(count)],
            f"  return %y{count} : {ROWS}",
            "}",
            extra,
        ]
    )


ROLLED = f"""
  %a{{n}} = stablehlo.slice %y{{n}} [63:64, 0:32] : ({ROWS}) -> tensor<1x32xf32>
  %b{{n}} = stablehlo.slice %y{{n}} [0:63, 0:32] : ({ROWS}) -> tensor<63x32xf32>
  %c{{n}} = stablehlo.concatenate %a{{n}}, %b{{n}}, dim = 0 : (tensor<1x32xf32>, tensor<63x32xf32>) -> {ROWS}
  %y{{next}} = stablehlo.add %c{{n}}, %w{{n}} : {ROWS}"""
"""A stretch in each layer."""

CALLED = f"""
  %a{{n}} = func.call @half(%y{{n}}) : ({ROWS}) -> {ROWS}
  %y{{next}} = stablehlo.add %a{{n}}, %w{{n}} : {ROWS}"""
HALF = f"""
func.func private @half(%a: {ROWS}) -> {ROWS} {{
  %0 = stablehlo.constant dense<0.5> : {ROWS}
  %1 = stablehlo.multiply %a, %0 : {ROWS}
  return %1 : {ROWS}
}}"""

SUMMED = f"""
  %z{{n}} = stablehlo.constant dense<0.0> : tensor<f32>
  %a{{n}} = stablehlo.dot_general %y{{n}}, %w{{n}}, contracting_dims = [1] x [1] : ({ROWS}, {ROWS}) -> {WIDE}
  %b{{n}} = stablehlo.reduce(%a{{n}} init: %z{{n}}) applies stablehlo.add across dimensions = [0]
      : ({WIDE}, tensor<f32>) -> tensor<64xf32>
  %c{{n}} = stablehlo.broadcast_in_dim %b{{n}}, dims = [0] : (tensor<64xf32>) -> {ROWS}
  %d{{n}} = stablehlo.transpose %y{{n}}, dims = [1, 0] : ({ROWS}) -> tensor<32x64xf32>
  %e{{n}} = stablehlo.transpose %y{{n}}, dims = [1, 0] : ({ROWS}) -> tensor<32x64xf32>
  %f{{n}} = stablehlo.add %d{{n}}, %e{{n}} : tensor<32x64xf32>
  %g{{n}} = stablehlo.transpose %f{{n}}, dims = [1, 0] : (tensor<32x64xf32>) -> {ROWS}
  %y{{next}} = stablehlo.add %c{{n}}, %g{{n}} : {ROWS}"""
"""Sums over devices, bodies, and operations that others share."""

PADDED = f"""
  %z{{n}} = stablehlo.constant dense<0.0> : tensor<f32>
  %a{{n}} = stablehlo.slice %y{{n}} [0:61, 0:32] : ({ROWS}) -> tensor<61x32xf32>
  %b{{n}} = stablehlo.reduce(%a{{n}} init: %z{{n}}) applies stablehlo.add across dimensions = [0]
      : (tensor<61x32xf32>, tensor<f32>) -> tensor<32xf32>
  %c{{n}} = stablehlo.broadcast_in_dim %b{{n}}, dims = [1] : (tensor<32xf32>) -> {ROWS}
  %y{{next}} = stablehlo.add %c{{n}}, %w{{n}} : {ROWS}"""
"""What has padding on some devices is masked."""

MODELS = {
    "rolled": layers(80, ROLLED),
    "rolled along the other axis": layers(80, ROLLED, given='{}, {"x"}'),
    "called": layers(80, CALLED, extra=HALF),
    "summed": layers(80, SUMMED),
    "padded": layers(80, PADDED),
    "turned": turned(160),
}


@pytest.mark.parametrize("model", MODELS)
def test_models_are_written_the_same(model: str) -> None:
    assert not differ(MODELS[model])


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
@pytest.mark.parametrize("model", ["rolled", "called", "summed"])
def test_most_operations_of_many_layers_are_written(model: str) -> None:
    with Count() as count, by_all_layers():
        outcome(MODELS[model])
    assert count.found["written"] > 0.6 * count.found["all"] > 0


@pytest.mark.parametrize("seed", range(10))
def test_random_layers_are_written_the_same(seed: int) -> None:
    assert not differ(str(LayeredProgram(seed, 30 + seed % 15)))


@pytest.mark.parametrize("seed", range(6))
def test_perceptrons_are_written_the_same(seed: int) -> None:
    assert not differ(perceptrons(40, seed, odd=17 if seed % 2 else None))


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
def test_what_two_layers_became_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    written = outcome(MODELS["summed"])
    monkeypatch.setattr(layer_records.Record, "key", lambda self: object())
    with Count() as count, by_all_layers():
        assert outcome(MODELS["summed"]) == written
    assert count.found["all"] and not count.found["written"]


@pytest.mark.skipif(is_compiled(), reason="methods of compiled classes cannot be replaced")
def test_progress_counts_operations_that_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    begin = LayeredPartitioner.__init__

    def watched(self: LayeredPartitioner, *given: Any) -> None:
        *others, options, stretches = given
        begin(self, *others, options._replace(progress=told.append), stretches)  # type: ignore[call-arg]

    monkeypatch.setattr(LayeredPartitioner, "__init__", watched)
    with by_all_layers():
        outcome(MODELS["summed"])
    assert told == [*range(1, len(told) + 1)]
