"""Localizes ``concatenate``, along the sharded dimension too: elements go straight to the shard that they end up in.

The pool of a shard is what it has of all operands, one behind the other, and one route serves them all, so that a
permute carries elements of different operands at a time. An operand that is whole on every device takes part without
communication. Registers with ``registry``; ``window_exchange`` stands left of this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

from pyshardy.partitioning.free_results import free_from_whole
from pyshardy.partitioning.layout import Layout, Sharded, local_shape
from pyshardy.partitioning.registry import localizes
from pyshardy.partitioning.reshard_plan import Shape, reshard_plan
from pyshardy.partitioning.routing import Route, Segment, plan_route
from pyshardy.partitioning.site import Site
from pyshardy.partitioning.slicing import has_fixed_elements, result_shape
from pyshardy.partitioning.window_exchange import emit_route
from pyshardy.partitioning.window_strategy import may_share
from pyshardy.rules.properties import integer

_MOST_CANDIDATES = 500
_MOST_ROUNDS = 16
_WORK = 1e-3


class _Operand(NamedTuple):
    shape: Shape
    layout: Layout
    free: bool


class _Plan(NamedTuple):
    """The layouts of the operands and of the result, and how elements go from shard to shard of the dimension."""

    operands: tuple[Layout, ...]
    result: Layout
    route: Route | None
    elements: float


@localizes("stablehlo.concatenate")
@free_from_whole
def _concatenate(site: Site) -> list[Sharded]:
    dim = integer(site.op, "dimension", 0)
    operands, result = site.operands, result_shape(site)
    if len(operands) == 1 or not has_fixed_elements(result):
        return site.fall_back() if len(operands) != 1 else [operands[0]]
    present = [operand for operand in operands if operand.shape[dim]]
    plan = _plan(
        tuple(_Operand(one.shape, one.layout, one.recipe is not None) for one in present), result, site.wanted[0], dim
    )
    values = [site.reshard(one, layout).value for one, layout in zip(present, plan.operands, strict=True)]
    value = site.builder.concatenate(values, dim)
    if plan.route is not None:
        mesh, axes = plan.result.mesh, plan.result.dims[dim]
        assert mesh is not None
        value = emit_route(site.builder, site.collectives, value, dim, mesh, axes, plan.route, None)
    return [site.result(0, value, plan.result)]


@lru_cache(maxsize=1 << 12)
def _plan(operands: tuple[_Operand, ...], result: Shape, wanted: Layout | None, dim: int) -> _Plan:
    """The cheapest plan by elements received, then by the work of each device."""
    best: _Plan | None = None
    least = float("inf")
    for target in _targets(operands, wanted):
        for forms in _forms(operands, target, dim):
            found = _weighed(operands, forms, result, target, wanted, dim)
            if found is None:
                continue
            cost = found.elements + _WORK * prod(local_shape(result, target))
            if cost < least:
                best, least = found, cost
    assert best is not None
    return best


def _targets(operands: Sequence[_Operand], wanted: Layout | None) -> Iterator[Layout]:
    """Layouts in which the result may come out: each dimension as in an operand, as it is wanted, or whole."""
    layouts = [] if wanted is None else [wanted]
    layouts += [operand.layout for operand in operands if not operand.free]
    mesh = next((layout.mesh for layout in layouts if layout.mesh is not None), None)
    layouts = [layout for layout in dict.fromkeys(layouts) if layout.mesh is mesh]
    rank = len(operands[0].shape)
    choices = [list(dict.fromkeys([*(layout.dims[index] for layout in layouts), ()])) for index in range(rank)]
    if prod(map(len, choices)) > _MOST_CANDIDATES:
        yield from {Layout(mesh, layout.dims): None for layout in layouts}
        yield Layout(None, ((),) * rank)
        return
    for dims in product(*choices):
        if may_share(dims, mesh):
            yield Layout(mesh, dims)


def _forms(operands: Sequence[_Operand], target: Layout, dim: int) -> list[tuple[bool, ...]]:
    """Which operands are sharded along ``dim``: those that are now, all, or none."""
    if target.counts[dim] == 1:
        return [(False,) * len(operands)]
    now = tuple(operand.layout.counts[dim] > 1 and not operand.free for operand in operands)
    same = tuple(operand.layout.dims[dim] == target.dims[dim] and not operand.free for operand in operands)
    return list(dict.fromkeys([now, same, (True,) * len(operands), (False,) * len(operands)]))


def _weighed(
    operands: Sequence[_Operand],
    sharded: Sequence[bool],
    result: Shape,
    target: Layout,
    wanted: Layout | None,
    dim: int,
) -> _Plan | None:
    whole = target.without([dim])
    layouts = tuple(target if one else whole for one in sharded)
    elements = 0.0
    for operand, layout in zip(operands, layouts, strict=True):
        if not operand.free:
            elements += reshard_plan(operand.layout, layout, operand.shape).elements
    route = None
    if target.counts[dim] > 1:
        sizes = tuple(operand.shape[dim] for operand in operands)
        route = _route(sizes, tuple(sharded), target.counts[dim])
        if route.rounds > _MOST_ROUNDS:
            return None
        elements += route.elements * prod(
            size for index, size in enumerate(local_shape(result, target)) if index != dim
        )
    if wanted is not None:
        elements += reshard_plan(target, wanted, result).elements
    return _Plan(layouts, target, route, elements)


@lru_cache(maxsize=1 << 12)
def _route(sizes: tuple[int, ...], sharded: tuple[bool, ...], count: int) -> Route:
    share = -(-sum(sizes) // count)
    segments: list[Segment] = []
    begin = pool = 0
    for size, split in zip(sizes, sharded, strict=True):
        local = -(-size // count) if split else size
        at = begin
        while at < begin + size:
            target = at // share
            source, offset = divmod(at - begin, local) if split else (target, at - begin)
            run = min(begin + size - at, (target + 1) * share - at, local - offset)
            segments.append(Segment(source, pool + offset, target, at - target * share, run))
            at += run
        begin += size
        pool += local
    return plan_route(count, pool, share, segments, ((0, 0),) * count)
