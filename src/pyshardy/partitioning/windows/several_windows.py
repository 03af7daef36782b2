"""Windows of several operands that are computed in one layout: the input of a convolution, the operand and source of a
select-and-scatter.

The caller chooses the layout. This file finds the cost of getting the windows of one operand in that layout, and emits
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import prod
from operator import itemgetter

from pyshardy.emitting.layout import Layout, local_shape
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import OperandTensor
from pyshardy.partitioning.strategies.cost_weights import MOST_ROUNDS
from pyshardy.partitioning.windows.window_exchange import WindowRoute, window

RouteOf = Callable[[int, int, bool], WindowRoute]
"""(dimension, number of shards, whether the operand is sharded like the windows) → the route to the windows."""


def cheapest_windows(
    operand: OperandTensor, layout: Layout, dims: Iterable[int], route_of: RouteOf
) -> tuple[float, tuple[int, ...]]:
    """The elements that each device receives to get windows of ``operand`` along ``dims`` in ``layout``, and the
    dimensions along which the operand should be replicated before, because it is now. Infinity, if that takes too many
    rounds."""
    shared = [dim for dim in dims if layout.counts[dim] > 1]
    present = tuple(dim for dim in shared if operand.layout.counts[dim] == 1)
    choices = []
    for whole in dict.fromkeys(((), present)):
        total = operand.reshard_elements(layout.without(whole))
        local = list(local_shape(operand.shape, layout.without(whole)))
        for dim in shared:
            made = route_of(dim, layout.counts[dim], dim not in whole)
            if made.route.rounds > MOST_ROUNDS:
                total = float("inf")
            total += made.route.elements * prod(size for other, size in enumerate(local) if other != dim)
            local[dim] = made.length
        choices.append((total, whole))
    return min(choices, key=itemgetter(0))


def windows_along(
    site: Site,
    operand: Sharded,
    layout: Layout,
    dilations: Mapping[int, int],
    route_of: RouteOf,
    fill: DenseElementsAttr | Value,
    masked: Iterable[int] = (),
) -> Sharded:
    """``operand`` with windows along the dimensions of ``dilations`` that ``layout`` shards; ``fill`` outside of the
    operand, and in the padding of the dimensions ``masked``."""
    shared = [dim for dim in dilations if layout.counts[dim] > 1]
    _, whole = cheapest_windows(OperandTensor.of(operand), layout, shared, route_of)
    routes = {dim: route_of(dim, layout.counts[dim], dim not in whole) for dim in shared}
    overwritten = [*masked, *(dim for dim in shared if routes[dim].masked)]
    sharded = site.mask(site.reshard(operand, layout.without(whole)), fill, overwritten)
    filling = fill if isinstance(fill, Value) else site.builder.splat_of(fill)
    for dim in shared:
        value = window(site, sharded, dim, layout, routes[dim], dilations[dim], filling)
        sharded = Sharded(value, sharded.type, sharded.layout)
    return sharded
