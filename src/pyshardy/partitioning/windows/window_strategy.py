"""Chooses how an operation whose results look at windows of their operand shares its dimensions.

For each dimension: its axes in the operand and in the result. With equal ones neighbours exchange what they need; an
operand that is whole along the dimension is cut by each device; what is weighed is the bytes of all that together with
those of the reshards before and after, so that gathering wins where an exchange would move more. Memoised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from operator import attrgetter
from typing import NamedTuple

from pyshardy.emitting.devices import shard_pairs
from pyshardy.emitting.layout import Axes, Layout, Shape, Sharded, local_shape
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import OperandTensor, are_too_many, cheapest, delivered
from pyshardy.partitioning.strategies.factor_layouts import has_conflict
from pyshardy.partitioning.strategies.prices import MOST_ROUNDS
from pyshardy.partitioning.windows.routing import Reach, whole_senders
from pyshardy.partitioning.windows.window_exchange import WindowRoute, window, window_route
from pyshardy.rules.builder import result_shape


class WindowStrategy(NamedTuple):
    """The layout that the operand must have, that in which the result comes out, for each dimension whose windows must
    be made how that is done (in ``order``), and the elements that each device receives, reshards included."""

    source: Layout
    target: Layout
    routes: tuple[WindowRoute | None, ...]
    order: tuple[int, ...]
    elements: float


def chosen_strategy(
    site: Site, reaches: Sequence[Reach], *, filled: bool, wanted: Layout | None = None, operand: Sharded | None = None
) -> WindowStrategy:
    """The cheapest way to have the windows of ``operand`` (operand 0, if not given) that result 0 looks at; ``filled``:
    what lies outside the operand matters."""
    given = OperandTensor.of(site.operands[0] if operand is None else operand)
    wanted = site.wanted[0] if wanted is None else wanted
    return _cheapest_strategy(given, result_shape(site.op), wanted, tuple(reaches), filled)


@lru_cache(maxsize=1 << 14)
def _cheapest_strategy(
    given: OperandTensor, results: Shape, wanted: Layout | None, reaches: tuple[Reach, ...], filled: bool
) -> WindowStrategy:
    plain = tuple(
        reach.is_identity and size == count for reach, size, count in zip(reaches, given.shape, results, strict=True)
    )
    weighed = (
        _weighed(given, results, wanted, reaches, plain, filled, source, target)
        for source, target in _candidates(given.layout, wanted, plain)
    )
    return cheapest(weighed, results, attrgetter("target"))


def _candidates(layout: Layout, wanted: Layout | None, plain: Sequence[bool]) -> Iterator[tuple[Layout, Layout]]:
    """Pairs of layouts of operand and result."""
    mesh = wanted.mesh if wanted is not None and wanted.mesh is not None else layout.mesh
    here = layout.dims if layout.mesh is mesh else ((),) * layout.rank
    there = wanted.dims if wanted is not None and wanted.mesh is mesh else here
    choices: list[list[tuple[Axes, Axes]]] = []
    for now, then, passes in zip(here, there, plain, strict=True):
        found: dict[tuple[Axes, Axes], None] = {(now, now): None, (then, then): None}
        if not passes:
            found |= {((), then): None, ((), now): None}
        found[(), ()] = None
        choices.append(list(found))
    if are_too_many(choices):
        choices = [[one[0], one[-1]] for one in choices]
    for pairs in product(*choices):
        sources, targets = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        if not has_conflict(sources) and not has_conflict(targets):
            yield Layout(mesh, sources), Layout(mesh, targets)


def _weighed(
    given: OperandTensor,
    results: Shape,
    wanted: Layout | None,
    reaches: tuple[Reach, ...],
    plain: tuple[bool, ...],
    filled: bool,
    source: Layout,
    target: Layout,
) -> WindowStrategy | None:
    elements = given.brought(source)
    routes: list[WindowRoute | None] = []
    for dim, reach in enumerate(reaches):
        count = target.counts[dim]
        if plain[dim] or count == 1:
            routes.append(None)
            continue
        route = window_route(given.shape[dim], results[dim], count, source.counts[dim] > 1, reach, filled)
        if route.route.rounds > MOST_ROUNDS:
            return None
        routes.append(route)
    local = list(local_shape(given.shape, source))
    order = sorted(
        (dim for dim, route in enumerate(routes) if route is not None),
        key=lambda dim: _growth(routes[dim], local[dim]),
    )
    together = _permuted_together(routes)
    if together:
        elements += prod(local)
    for dim in order:
        made = routes[dim]
        assert made is not None
        if dim in together:
            continue
        elements += made.route.elements * prod(size for other, size in enumerate(local) if other != dim)
        local[dim] = made.length
    elements += delivered(results, target, wanted)
    return WindowStrategy(source, target, tuple(routes), tuple(order), elements)


def _permuted_together(routes: Sequence[WindowRoute | None]) -> list[int]:
    """Dimensions along which whole shards change places, if there are several: one permute does them all."""
    dims = [
        dim
        for dim, made in enumerate(routes)
        if made is not None
        and made.route.rounds
        and made.length == made.route.length
        and not any(made.phases)
        and whole_senders(made.route) is not None
    ]
    return dims if len(dims) > 1 else []


def _growth(route: WindowRoute | None, size: int) -> float:
    assert route is not None
    return route.length / max(1, size)


def windows_made(
    site: Site,
    operand: Sharded,
    strategy: WindowStrategy,
    reaches: Sequence[Reach],
    fill: Value | None = None,
    known: DenseElementsAttr | None = None,
) -> Value:
    """The local value of ``operand`` with its windows; ``fill`` (the scalar, of which ``known`` are the elements if it
    is a constant) where there is nothing."""
    sharded = site.reshard(operand, strategy.source)
    masked = [dim for dim in strategy.order if (route := strategy.routes[dim]) is not None and route.masked]
    if masked and fill is not None:
        sharded = site.mask(sharded, fill if known is None else known, masked)
    together = _permuted_together(strategy.routes)
    if together:
        sharded = Sharded(_permuted(site, sharded.value, strategy, together), sharded.type, sharded.layout)
    for dim in strategy.order:
        if dim in together:
            continue
        route = strategy.routes[dim]
        assert route is not None
        value = window(site, sharded, dim, strategy.target, route, reaches[dim].dilation, fill)
        sharded = Sharded(value, sharded.type, sharded.layout)
    return sharded.value


def _permuted(site: Site, value: Value, strategy: WindowStrategy, dims: Sequence[int]) -> Value:
    """``value`` with its shards in other places along ``dims``, by one permute."""
    layout = strategy.target
    assert layout.mesh is not None
    senders = [0]
    for dim in dims:
        made = strategy.routes[dim]
        own = whole_senders(made.route) if made is not None else None
        assert own is not None
        senders = [sender * len(own) + other for sender in senders for other in own]
    axes = tuple(axis for dim in dims for axis in layout.dims[dim])
    pairs = shard_pairs(layout.mesh, axes, tuple((sender, target) for target, sender in enumerate(senders)))
    return site.collectives.collective_permute(value, pairs, axes)
