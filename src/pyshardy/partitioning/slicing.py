"""Localizes ``slice``, ``pad`` and ``reverse``: neighbours exchange the few elements that move between shards.

Along a sharded dimension each device gets the stretch of the operand that its results come from, then does locally what
the operation does. Registers with ``registry``; ``window_strategy`` stands left of this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.partitioning.builder import tensor_type
from pyshardy.partitioning.layout import Sharded
from pyshardy.partitioning.registry import localizes
from pyshardy.partitioning.routing import Reach
from pyshardy.partitioning.site import Site
from pyshardy.partitioning.window_strategy import WindowStrategy, window_strategy, windows_made
from pyshardy.rules.properties import integers


def result_shape(site: Site, index: int = 0) -> tuple[int, ...]:
    """The global shape of a result."""
    return tuple(getattr(site.op.results[index].type, "shape", ()))


def has_fixed_elements(*shapes: Sequence[int]) -> bool:
    """Whether all sizes are known and none is zero."""
    return all(size > 0 for shape in shapes for size in shape)


def chosen_strategy(site: Site, reaches: Sequence[Reach], *, filled: bool) -> WindowStrategy:
    """The cheapest way to have the windows of operand 0 that result 0 looks at."""
    operand = site.operands[0]
    return window_strategy(
        operand.shape,
        operand.layout,
        operand.recipe is not None,
        result_shape(site),
        site.wanted[0],
        tuple(reaches),
        filled,
    )


@localizes("stablehlo.slice")
def _slice(site: Site) -> list[Sharded]:
    starts, strides = integers(site.op, "start_indices"), integers(site.op, "strides")
    if not has_fixed_elements(site.operands[0].shape, result_shape(site)):
        return site.fall_back()
    return sliced(site, [Reach(start, stride) for start, stride in zip(starts, strides, strict=True)])


def sliced(site: Site, reaches: Sequence[Reach]) -> list[Sharded]:
    """Operand 0 cut as ``reaches`` says, as result 0."""
    strategy = chosen_strategy(site, reaches, filled=False)
    value = windows_made(site, site.operands[0], strategy, reaches)
    result = result_shape(site)
    starts, limits, strides = [], [], []
    for dim, (reach, size) in enumerate(zip(reaches, tensor_type(value).shape, strict=True)):
        here = strategy.target.counts[dim] == 1
        starts.append(reach.first if here else 0)
        limits.append(reach.first + (result[dim] - 1) * reach.step + 1 if here else size)
        strides.append(reach.step)
    return [site.result(0, site.builder.slice(value, starts, limits, strides), strategy.target)]


@localizes("stablehlo.pad")
def _pad(site: Site) -> list[Sharded]:
    operand, fill = site.operands
    low, high, interior = (
        list(integers(site.op, name)) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    if not has_fixed_elements(operand.shape, result_shape(site)):
        return site.fall_back()
    reaches = [
        Reach() if not (below or above or between) else Reach(-below, 1, 1, between + 1)
        for below, above, between in zip(low, high, interior, strict=True)
    ]
    strategy = chosen_strategy(site, reaches, filled=True)
    filling = site.replicate(fill).value
    value = windows_made(site, operand, strategy, reaches, filling)
    for dim, route in enumerate(strategy.routes):
        if route is not None:
            low[dim] = high[dim] = interior[dim] = 0
    return [site.result(0, site.builder.pad(value, filling, low, high, interior), strategy.target)]


@localizes("stablehlo.reverse")
def _reverse(site: Site) -> list[Sharded]:
    operand = site.operands[0]
    dims = integers(site.op, "dimensions")
    if not has_fixed_elements(operand.shape):
        return site.fall_back()
    reaches = [Reach(size - 1, -1) if dim in dims else Reach() for dim, size in enumerate(operand.shape)]
    strategy = chosen_strategy(site, reaches, filled=False)
    value = windows_made(site, operand, strategy, reaches)
    return site.emit([Sharded(value, operand.type, strategy.target)], [strategy.target])
