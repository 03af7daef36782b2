"""Windows of several operands that share their work in one layout: a convolution's input, an operand and its source.

The layout is chosen by whoever has the operands; what it takes to bring one of them to its windows in that layout is
weighed and done here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import prod
from operator import itemgetter

from pyshardy.emitting.layout import Layout, Sharded, local_shape
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import OperandTensor
from pyshardy.partitioning.strategies.prices import MOST_ROUNDS
from pyshardy.partitioning.windows.window_exchange import WindowRoute, window

RouteOf = Callable[[int, int, bool], WindowRoute]
"""(dimension, shards, whether the operand is sharded as the windows are) → how it becomes windows."""


def least_brought(
    given: OperandTensor, layout: Layout, dims: Iterable[int], route_of: RouteOf
) -> tuple[float, tuple[int, ...]]:
    """The elements that each device receives when what is ``given`` comes to its windows along ``dims``, shared as
    ``layout`` says; and the dimensions in which it should be whole before they are made, since it is now. Infinity
    where that takes too many rounds."""
    shared = [dim for dim in dims if layout.counts[dim] > 1]
    present = tuple(dim for dim in shared if given.layout.counts[dim] == 1)
    ways = []
    for whole in dict.fromkeys(((), present)):
        total = given.brought(layout.without(whole))
        local = list(local_shape(given.shape, layout.without(whole)))
        for dim in shared:
            made = route_of(dim, layout.counts[dim], dim not in whole)
            if made.route.rounds > MOST_ROUNDS:
                total = float("inf")
            total += made.route.elements * prod(size for other, size in enumerate(local) if other != dim)
            local[dim] = made.length
        ways.append((total, whole))
    return min(ways, key=itemgetter(0))


def windows_along(
    site: Site,
    operand: Sharded,
    layout: Layout,
    dilations: Mapping[int, int],
    route_of: RouteOf,
    fill: DenseElementsAttr | Value,
    masked: Iterable[int] = (),
) -> Sharded:
    """``operand`` with windows along the dimensions of ``dilations`` that ``layout`` shares, ``fill`` where there is
    nothing, also in the padding of the dimensions ``masked``."""
    shared = [dim for dim in dilations if layout.counts[dim] > 1]
    _, whole = least_brought(OperandTensor.of(operand), layout, shared, route_of)
    routes = {dim: route_of(dim, layout.counts[dim], dim not in whole) for dim in shared}
    overwritten = [*masked, *(dim for dim in shared if routes[dim].masked)]
    sharded = site.mask(site.reshard(operand, layout.without(whole)), fill, overwritten)
    filling = fill if isinstance(fill, Value) else site.builder.splat_of(fill)
    for dim in shared:
        value = window(site, sharded, dim, layout, routes[dim], dilations[dim], filling)
        sharded = Sharded(value, sharded.type, sharded.layout)
    return sharded
