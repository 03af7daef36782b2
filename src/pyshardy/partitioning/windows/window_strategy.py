"""Chooses how an operation is sharded whose results read windows of the operand.

The choice gives each dimension its axes in the operand and in the result. With the same axes, shards exchange the
elements that windows overlap; an operand that is replicated along the dimension is sliced by each device. The cost is
the bytes of the exchange and of the reshards before and after it, so that a gather is chosen where an exchange moves
more. Memoised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from operator import attrgetter
from typing import NamedTuple

from pyshardy.emitting.devices import shard_pairs
from pyshardy.emitting.layout import Axes, Layout, Shape, local_shape
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import OperandTensor, cheapest, exceeds_limit, result_reshard_elements
from pyshardy.partitioning.strategies.cost_weights import MOST_ROUNDS
from pyshardy.partitioning.strategies.factor_layouts import has_conflict
from pyshardy.partitioning.windows.routing import WindowAccess, whole_senders
from pyshardy.partitioning.windows.window_exchange import WindowRoute, window, window_route
from pyshardy.rules.builder import result_shape


class WindowStrategy(NamedTuple):
    """The layout to which the operand is resharded, the layout in which the result comes out, the route for each
    dimension that needs windows, the ``order`` in which these are made, and the elements that each device receives,
    reshards included."""

    source: Layout
    target: Layout
    routes: tuple[WindowRoute | None, ...]
    order: tuple[int, ...]
    elements: float


def chosen_strategy(
    site: Site,
    accesses: Sequence[WindowAccess],
    *,
    filled: bool,
    requested: Layout | None = None,
    operand: Sharded | None = None,
) -> WindowStrategy:
    """The cheapest strategy for the windows of ``operand`` (operand 0, if not given) that result 0 reads. ``filled``
    says that positions outside of the operand are read. ``requested`` replaces the layout that is
    requested at ``site``."""
    operand_tensor = OperandTensor.of(site.operands[0] if operand is None else operand)
    requested = site.requested[0] if requested is None else requested
    return _cheapest_strategy(operand_tensor, result_shape(site.op), requested, tuple(accesses), filled)


@lru_cache(maxsize=1 << 14)
def _cheapest_strategy(
    operand_tensor: OperandTensor,
    results: Shape,
    requested: Layout | None,
    accesses: tuple[WindowAccess, ...],
    filled: bool,
) -> WindowStrategy:
    is_identity = tuple(
        access.is_identity and size == count
        for access, size, count in zip(accesses, operand_tensor.shape, results, strict=True)
    )
    strategies = (
        _strategy_for(operand_tensor, results, requested, accesses, is_identity, filled, source, target)
        for source, target in _candidates(operand_tensor.layout, requested, is_identity)
    )
    return cheapest(strategies, results, attrgetter("target"))


def _candidates(
    layout: Layout, requested: Layout | None, is_identity: Sequence[bool]
) -> Iterator[tuple[Layout, Layout]]:
    """Pairs of layouts of operand and result."""
    mesh = requested.mesh if requested is not None and requested.mesh is not None else layout.mesh
    here = layout.dims if layout.mesh is mesh else ((),) * layout.rank
    there = requested.dims if requested is not None and requested.mesh is mesh else here
    choices: list[list[tuple[Axes, Axes]]] = []
    for now, then, passes in zip(here, there, is_identity, strict=True):
        found: dict[tuple[Axes, Axes], None] = {(now, now): None, (then, then): None}
        if not passes:
            found |= {((), then): None, ((), now): None}
        found[(), ()] = None
        choices.append(list(found))
    if exceeds_limit(choices):
        choices = [[one[0], one[-1]] for one in choices]
    for pairs in product(*choices):
        sources, targets = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        if not has_conflict(sources) and not has_conflict(targets):
            yield Layout(mesh, sources), Layout(mesh, targets)


def _strategy_for(
    operand_tensor: OperandTensor,
    results: Shape,
    requested: Layout | None,
    accesses: tuple[WindowAccess, ...],
    is_identity: tuple[bool, ...],
    filled: bool,
    source: Layout,
    target: Layout,
) -> WindowStrategy | None:
    """The strategy with operand and result in the layouts ``source`` and ``target``; None if it takes too many
    rounds."""
    elements = operand_tensor.reshard_elements(source)
    routes: list[WindowRoute | None] = []
    for dim, access in enumerate(accesses):
        count = target.counts[dim]
        if is_identity[dim] or count == 1:
            routes.append(None)
            continue
        route = window_route(operand_tensor.shape[dim], results[dim], count, source.counts[dim] > 1, access, filled)
        if route.route.rounds > MOST_ROUNDS:
            return None
        routes.append(route)
    local = list(local_shape(operand_tensor.shape, source))
    order = sorted(
        (dim for dim, route in enumerate(routes) if route is not None),
        key=lambda dim: _growth(routes[dim], local[dim]),
    )
    permuted = _permuted_together(routes)
    if permuted:
        elements += prod(local)
    for dim in order:
        planned = routes[dim]
        assert planned is not None
        if dim in permuted:
            continue
        elements += planned.route.elements * prod(size for other, size in enumerate(local) if other != dim)
        local[dim] = planned.length
    elements += result_reshard_elements(results, target, requested)
    return WindowStrategy(source, target, tuple(routes), tuple(order), elements)


def _permuted_together(routes: Sequence[WindowRoute | None]) -> list[int]:
    """The dimensions along which devices exchange whole shards, if there are several: one permute does it for all."""
    dims = [
        dim
        for dim, route in enumerate(routes)
        if route is not None
        and route.route.rounds
        and route.length == route.route.length
        and not any(route.phases)
        and whole_senders(route.route) is not None
    ]
    return dims if len(dims) > 1 else []


def _growth(route: WindowRoute | None, size: int) -> float:
    assert route is not None
    return route.length / max(1, size)


def emit_windows(
    site: Site,
    operand: Sharded,
    strategy: WindowStrategy,
    accesses: Sequence[WindowAccess],
    fill: Value | None = None,
    known: DenseElementsAttr | None = None,
) -> Value:
    """The local value of ``operand`` with its windows; positions without element have the scalar ``fill``, whose
    elements are ``known`` if it is a constant."""
    sharded = site.reshard(operand, strategy.source)
    masked = [dim for dim in strategy.order if (route := strategy.routes[dim]) is not None and route.masked]
    if masked and fill is not None:
        sharded = site.mask(sharded, fill if known is None else known, masked)
    permuted = _permuted_together(strategy.routes)
    if permuted:
        sharded = Sharded(_permuted(site, sharded.value, strategy, permuted), sharded.type, sharded.layout)
    for dim in strategy.order:
        if dim in permuted:
            continue
        route = strategy.routes[dim]
        assert route is not None
        value = window(site, sharded, dim, strategy.target, route, accesses[dim].dilation, fill)
        sharded = Sharded(value, sharded.type, sharded.layout)
    return sharded.value


def _permuted(site: Site, value: Value, strategy: WindowStrategy, dims: Sequence[int]) -> Value:
    """``value`` with its shards exchanged along ``dims`` by one permute."""
    layout = strategy.target
    assert layout.mesh is not None
    senders = [0]
    for dim in dims:
        route = strategy.routes[dim]
        own = whole_senders(route.route) if route is not None else None
        assert own is not None
        senders = [sender * len(own) + other for sender in senders for other in own]
    axes = tuple(axis for dim in dims for axis in layout.dims[dim])
    pairs = shard_pairs(layout.mesh, axes, tuple((sender, target) for target, sender in enumerate(senders)))
    return site.collectives.collective_permute(value, pairs, axes)
