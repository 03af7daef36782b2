"""Programs of many things that are alike, with shortcuts and without; and shortcuts that fail."""

from __future__ import annotations

from functools import cache

import pytest

from pyshardy import parse, partition
from pyshardy.ir.pipeline_run import PassCrash
from pyshardy.ir.shortcuts import without_shortcuts
from pyshardy.partitioning import few_layers
from pyshardy.partitioning.fewer_layers import FewerLayers
from pyshardy.partitioning.seam import Seam
from pyshardy.partitioning.written_layers import LayeredPartitioner
from pyshardy.propagation import alike_layers
from pyshardy.propagation.gap import Gap
from pyshardy.propagation.watched_propagation import WatchedPropagation
from tests.partitioning.fuzz_layers import Count, outcome, small_programs_too, wrong_of
from tests.propagation.alike_programs import KINDS, AlikeProgram
from tests.propagation.layered_programs import LayeredProgram


def updates(count: int) -> str:
    """A step of gradient descent on so many parameters of one shape."""
    type = 'tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}'
    arguments = ", ".join(f"%p{n}: {type}, %g{n}: {type}" for n in range(count))
    lines = [
        f"""%b{n} = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
        %m{n} = stablehlo.multiply %b{n}, %g{n} : tensor<16x8xf32>
        %r{n} = stablehlo.subtract %p{n}, %m{n} : tensor<16x8xf32>"""
        for n in range(count)
    ]
    returned = ", ".join(f"%r{n}" for n in range(count))
    return f"""sdy.mesh @m = <["x"=4]>
      func.func @main({arguments}) -> ({", ".join(["tensor<16x8xf32>"] * count)}) {{
        %c = stablehlo.constant dense<0.1> : tensor<f32>
        {" ".join(lines)}
        return {returned} : {", ".join(["tensor<16x8xf32>"] * count)}
      }}"""


def test_layers_that_are_not_connected_are_partitioned_by_few() -> None:
    text = updates(200)
    with Count() as count:
        short = outcome(text)
    with without_shortcuts():
        assert outcome(text) == short
    assert count.found["by few"] == 1


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", KINDS)
def test_shortcuts_are_not_seen_in_programs_of_alike_things(kind: str, seed: int) -> None:
    with small_programs_too():
        assert wrong_of(AlikeProgram(seed + 100, 14, kind)) is None


@cache
def _layers() -> tuple[str, str]:
    """A program of layers, and its partition without shortcuts."""
    text = str(LayeredProgram(0, 40))
    with without_shortcuts():
        return text, str(partition(parse(text)).module)


def _fails(*_: object, **__: object) -> None:
    raise AssertionError("nobody foresaw this")


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (Seam, "_compare_uses"),
        (few_layers, "shortened"),
        (FewerLayers, "bytes_of_way"),
        (LayeredPartitioner, "_emit_layer"),
        (alike_layers, "distance_read"),
        (Gap, "rewiring"),
        (WatchedPropagation, "are_layers_alike"),
    ],
)
def test_a_shortcut_that_fails_declines(owner: object, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, expected = _layers()
    try:
        monkeypatch.setattr(owner, name, _fails)
    except TypeError:
        pytest.skip("functions of compiled modules cannot be replaced")
    with pytest.raises((AssertionError, PassCrash)):
        partition(parse(text))
    monkeypatch.delenv("PYSHARDY_SHORTCUTS")
    assert str(partition(parse(text)).module) == expected


def test_forms_of_values_that_are_made_anew_are_written_with_what_they_are_made_of() -> None:
    with small_programs_too():
        assert wrong_of(AlikeProgram(146, 24)) is None


def test_layers_that_give_forms_to_what_they_do_not_read_are_not_written() -> None:
    with small_programs_too():
        assert wrong_of(AlikeProgram(631, 36)) is None
