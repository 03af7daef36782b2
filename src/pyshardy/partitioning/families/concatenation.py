"""Localizes ``concatenate``, also along a sharded dimension: elements are sent directly to the shard that they belong
to.

The pool of a shard is the concatenation of its shards of all operands, and one route serves them all, so that one
permute can carry elements of several operands. Replicated operands need no communication.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import prod
from operator import attrgetter
from typing import NamedTuple

from pyshardy.emitting.known_sizes import has_fixed_elements
from pyshardy.emitting.layout import Layout, Shape, local_shape
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import Value
from pyshardy.partitioning.localizing.recipes import with_recipe_if_replicated
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import (
    OperandTensor,
    cheapest,
    first_mesh,
    layouts_like,
    result_reshard_elements,
)
from pyshardy.partitioning.strategies.cost_weights import MOST_ROUNDS
from pyshardy.partitioning.windows.routing import Route, Transfer, plan_route
from pyshardy.partitioning.windows.window_exchange import emit_route
from pyshardy.rules.builder import result_shape
from pyshardy.rules.properties import integer, integers


class _Range(NamedTuple):
    """``size`` elements from ``begin`` of tensor number ``tensor``: those of one operand."""

    tensor: int
    begin: int
    size: int


class _Plan(NamedTuple):
    """The layouts of the operands and of the result, the route of elements along the concatenated dimension (None if it
    is not sharded), and the elements that each device receives."""

    operands: tuple[Layout, ...]
    result: Layout
    route: Route | None
    elements: float


@localizes("stablehlo.concatenate")
@with_recipe_if_replicated
def _concatenate(site: Site) -> list[Sharded]:
    dim = integer(site.op, "dimension", 0)
    operands, result = site.operands, result_shape(site.op)
    if len(operands) == 1 or not has_fixed_elements(result):
        return site.fall_back() if len(operands) != 1 else [operands[0]]
    tensors, ranges = _tensors(site, dim)
    present = [operand for operand in operands if operand.shape[dim]]
    plan = _plan(
        tuple(OperandTensor.of(one) for one in present),
        tuple(OperandTensor.of(one) for one in tensors),
        tuple(ranges),
        result,
        site.requested[0],
        dim,
    )
    if plan.route is None:
        values = [site.reshard(one, plan.result).value for one in present]
        return [site.result(0, site.builder.concatenate(values, dim), plan.result)]
    values = [site.reshard(one, layout).value for one, layout in zip(tensors, plan.operands, strict=True)]
    value = site.builder.concatenate(values, dim)
    mesh, axes = plan.result.mesh, plan.result.dims[dim]
    assert mesh is not None
    value = emit_route(site.builder, site.collectives, value, dim, mesh, axes, plan.route, None)
    return [site.result(0, value, plan.result)]


def _tensors(site: Site, dim: int) -> tuple[list[Sharded], list[_Range]]:
    """The tensors that the elements come from. A slice that only this operation reads is replaced by the tensor that it
    slices, so that this tensor is needed only once for several slices."""
    tensors: list[Sharded] = []
    number: dict[Value, int] = {}
    ranges: list[_Range] = []
    for value, operand in zip(site.op.operands, site.operands, strict=True):
        size = operand.shape[dim]
        if not size:
            continue
        begin, source = _cut_along(value, dim)
        if source is not None and all(user is site.op for user, _ in value.uses):
            value, operand = source, site.run.env[source]
        else:
            begin = 0
        if value not in number:
            number[value] = len(tensors)
            tensors.append(operand)
        ranges.append(_Range(number[value], begin, size))
    return tensors, ranges


def _cut_along(value: Value, dim: int) -> tuple[int, Value | None]:
    """The start of a slice with stride 1 along ``dim`` alone, and the tensor that it slices; None if ``value`` is no
    such slice."""
    producer = value.defining_op
    if producer is None or producer.name != "stablehlo.slice" or any(s != 1 for s in integers(producer, "strides")):
        return 0, None
    source = producer.operands[0]
    shapes = [getattr(one.type, "shape", ()) for one in (source, value)]
    if any(a != b for index, (a, b) in enumerate(zip(*shapes, strict=True)) if index != dim):
        return 0, None
    return integers(producer, "start_indices")[dim], source


@lru_cache(maxsize=1 << 12)
def _plan(
    operands: tuple[OperandTensor, ...],
    tensors: tuple[OperandTensor, ...],
    ranges: tuple[_Range, ...],
    result: Shape,
    requested: Layout | None,
    dim: int,
) -> _Plan:
    """The plan with the fewest elements received, then with the least work for each device. If the result is not
    sharded along the dimension, it uses the ``operands`` as they are, otherwise the ``tensors`` that they are slices
    of."""
    layouts = [] if requested is None else [requested]
    layouts += [operand.layout for operand in operands if not operand.free]

    def plans(target: Layout) -> Iterator[_Plan | None]:
        whole = target.counts[dim] == 1
        for forms in [(False,) * len(operands)] if whole else _forms(tensors, target, dim):
            yield _plan_for(operands if whole else tensors, ranges, forms, result, target, requested, dim)

    targets = layouts_like(dict.fromkeys(layouts), len(result), first_mesh(layouts))
    return cheapest(chain.from_iterable(map(plans, targets)), result, attrgetter("result"))


def _forms(operands: Sequence[OperandTensor], target: Layout, dim: int) -> list[tuple[bool, ...]]:
    """Which operands are sharded along ``dim``: those that are now, those with the axes of ``target``, all, or none."""
    now = tuple(operand.layout.counts[dim] > 1 and not operand.free for operand in operands)
    same = tuple(operand.layout.dims[dim] == target.dims[dim] and not operand.free for operand in operands)
    return list(dict.fromkeys([now, same, (True,) * len(operands), (False,) * len(operands)]))


def _plan_for(
    operands: Sequence[OperandTensor],
    ranges: tuple[_Range, ...],
    sharded: Sequence[bool],
    result: Shape,
    target: Layout,
    requested: Layout | None,
    dim: int,
) -> _Plan | None:
    """The plan with the result in layout ``target`` and the operands ``sharded`` that way along ``dim`` or not; None if
    it takes too many rounds."""
    whole = target.without([dim])
    layouts = tuple(target if one else whole for one in sharded)
    elements = sum(operand.reshard_elements(layout) for operand, layout in zip(operands, layouts, strict=True))
    route = None
    if target.counts[dim] > 1:
        sizes = tuple(operand.shape[dim] for operand in operands)
        route = _route(sizes, ranges, tuple(sharded), target.counts[dim])
        if route.rounds > MOST_ROUNDS:
            return None
        elements += route.elements * prod(
            size for index, size in enumerate(local_shape(result, target)) if index != dim
        )
    return _Plan(layouts, target, route, elements + result_reshard_elements(result, target, requested))


@lru_cache(maxsize=1 << 12)
def _route(sizes: tuple[int, ...], ranges: tuple[_Range, ...], sharded: tuple[bool, ...], count: int) -> Route:
    """The route of elements from the tensors of these ``sizes``, of which some are ``sharded``, to ``count`` shards of
    the concatenated ``ranges``."""
    locals = [-(-size // count) if split else size for size, split in zip(sizes, sharded, strict=True)]
    pools = [sum(locals[:index]) for index in range(len(locals))]
    share = -(-sum(one.size for one in ranges) // count)
    transfers: list[Transfer] = []
    at = 0
    for one in ranges:
        position, end = one.begin, one.begin + one.size
        local = locals[one.tensor]
        while position < end:
            target, place = divmod(at, share)
            source, offset = divmod(position, local) if sharded[one.tensor] else (target, position)
            run = min(end - position, share - place, local - offset)
            transfers.append(Transfer(source, pools[one.tensor] + offset, target, place, run))
            position += run
            at += run
    return plan_route(count, sum(locals), share, transfers, ((0, 0),) * count)
