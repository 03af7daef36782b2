"""Localizes ``reshape``, also where dimensions are split or merged at positions that are no boundaries of shards.

The dimensions of both shapes form groups with the same number of elements (``[6, 4] → [3, 8]``). If the shards of a
group are contiguous ranges of its elements in both shapes, each device needs one range of elements, and receives those
that it lacks from the devices that have them. Reshapes that need no communication are localized by their sharding rule;
the cheaper of both forms is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import gcd, prod
from typing import NamedTuple

from pyshardy.emitting.known_sizes import has_fixed_elements
from pyshardy.emitting.layout import Axes, Layout, Shape, local_shape
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.types import element_width
from pyshardy.partitioning.localizing.recipes import with_recipe_if_replicated
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.rule_based import localize_by_rule, reshape_strategy
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.candidates import OperandTensor, exceeds_limit, result_reshard_elements
from pyshardy.partitioning.strategies.cost_weights import MOST_ROUNDS
from pyshardy.partitioning.strategies.factor_layouts import distribute_axes, has_conflict
from pyshardy.partitioning.windows.routing import Route, Transfer, plan_route
from pyshardy.partitioning.windows.window_exchange import emit_route
from pyshardy.rules.builder import result_shape
from pyshardy.sharding.axes import shard_count
from pyshardy.sharding.mesh import Mesh


class _Group(NamedTuple):
    """Neighbouring dimensions of the operand and of the result that hold the same elements."""

    source: tuple[int, ...]
    target: tuple[int, ...]


class _Move(NamedTuple):
    """How the elements of a group travel between shards along ``axes``, in units of ``unit`` elements."""

    axes: Axes
    unit: int
    route: Route


_Choice = tuple[tuple[Axes, ...], tuple[Axes, ...]]
"""The axes of the dimensions of a group, in operand and result."""


class _Plan(NamedTuple):
    """The layouts of operand and result, a move for each group that needs one, and the elements that each device
    receives."""

    source: Layout
    target: Layout
    groups: tuple[_Group, ...]
    moves: tuple[_Move | None, ...]
    elements: float


@localizes("stablehlo.reshape")
@with_recipe_if_replicated
def _reshape(site: Site) -> list[Sharded]:
    operand, result = site.operands[0], result_shape(site.op)
    if not has_fixed_elements(operand.shape, result):
        return site.fall_back()
    by_rule = reshape_strategy(site)
    if by_rule is not None and by_rule.bytes == 0:
        return localize_by_rule(site)
    plan = _plan(OperandTensor.of(operand), result, site.requested[0])
    if plan is None or (by_rule is not None and by_rule.bytes <= plan.elements * element_width(operand.element) / 8):
        return localize_by_rule(site)
    return [_reshaped(site, plan)]


def _reshaped(site: Site, plan: _Plan) -> Sharded:
    """Emits ``plan``: reshapes each group to one dimension, moves its elements between shards, and reshapes to the
    result."""
    builder, result = site.builder, result_shape(site.op)
    source = site.reshard(site.operands[0], plan.source)
    local = source.local_shape
    shape: list[int] = []
    dims: list[int] = []
    for group, move in zip(plan.groups, plan.moves, strict=True):
        dims.append(len(shape))
        size = prod(local[dim] for dim in group.source)
        shape += [size] if move is None else [size // move.unit, move.unit]
    value = builder.reshape(source.value, shape)
    for dim, move in zip(dims, plan.moves, strict=True):
        if move is not None:
            mesh = plan.target.mesh
            assert mesh is not None
            value = emit_route(builder, site.collectives, value, dim, mesh, move.axes, move.route, None)
    return site.result(0, builder.reshape(value, local_shape(result, plan.target)), plan.target)


# --- plans ------------------------------------------------------------------------------------------------------------


def _groups(source: Shape, target: Shape) -> tuple[_Group, ...]:
    """The smallest groups. Dimensions of size 1 belong to the group before them."""
    groups: list[_Group] = []
    i = j = 0
    while i < len(source) or j < len(target):
        first_i, first_j = i, j
        a = b = 1
        if i < len(source):
            a, i = source[i], i + 1
        if j < len(target):
            b, j = target[j], j + 1
        while a != b:
            if a < b:
                a, i = a * source[i], i + 1
            else:
                b, j = b * target[j], j + 1
        while i < len(source) and source[i] == 1:
            i += 1
        while j < len(target) and target[j] == 1:
            j += 1
        groups.append(_Group(tuple(range(first_i, i)), tuple(range(first_j, j))))
    return tuple(groups)


@lru_cache(maxsize=1 << 12)
def _plan(operand: OperandTensor, result: Shape, requested: Layout | None) -> _Plan | None:
    """The plan that moves the fewest elements; of several the one with the least work for each device."""
    shape, layout = operand.shape, operand.layout
    groups = _groups(shape, result)
    mesh = requested.mesh if requested is not None and requested.mesh is not None else layout.mesh
    here = layout.dims if layout.mesh is mesh else ((),) * layout.rank
    there = requested.dims if requested is not None and requested.mesh is mesh else ((),) * len(result)
    choices = [list(dict.fromkeys(_choices(group, shape, result, here, there, mesh))) for group in groups]
    if mesh is None or exceeds_limit(choices):
        return None
    plans = (
        _plan_for(groups, operand, result, requested, Layout(mesh, sources), Layout(mesh, targets))
        for sources, targets in _axes_of_dims(groups, len(shape), len(result), product(*choices))
    )
    known = (plan for plan in plans if plan is not None)
    return min(known, key=lambda plan: (plan.elements, prod(local_shape(result, plan.target))), default=None)


def _axes_of_dims(
    groups: tuple[_Group, ...], rank: int, new_rank: int, chosen: Iterable[Sequence[_Choice]]
) -> Iterator[tuple[list[Axes], list[Axes]]]:
    """The axes of the dimensions of operand and result, for each combination of choices without conflict."""
    for choices in chosen:
        sources: list[Axes] = [()] * rank
        targets: list[Axes] = [()] * new_rank
        for group, (before, after) in zip(groups, choices, strict=True):
            for dim, axes in zip(group.source, before, strict=True):
                sources[dim] = axes
            for dim, axes in zip(group.target, after, strict=True):
                targets[dim] = axes
        if not has_conflict(sources) and not has_conflict(targets):
            yield sources, targets


def _choices(
    group: _Group,
    shape: Shape,
    result: Shape,
    here: Sequence[Axes],
    there: Sequence[Axes],
    mesh: Mesh | None,
) -> Iterator[_Choice]:
    """Axes of the dimensions of a group, in operand and result, with which shards are contiguous ranges of elements in
    both."""
    sizes, new_sizes = [shape[dim] for dim in group.source], [result[dim] for dim in group.target]
    now, then = tuple(here[dim] for dim in group.source), tuple(there[dim] for dim in group.target)
    nowhere: tuple[Axes, ...] = ((),) * len(sizes)
    forms: list[tuple[tuple[Axes, ...], tuple[Axes, ...], Sequence[int]]] = [
        (now, then, sizes),
        (then, now, new_sizes),
    ]
    for number, (own, other, own_sizes) in enumerate(forms):
        axes = tuple(axis for one in own for axis in one)
        if mesh is None or not axes:
            continue
        own_choices = [own] if _is_run(own_sizes, own, mesh) else list(_choices_for(own_sizes, axes, mesh))
        other_choices = list(_choices_for(new_sizes if number == 0 else sizes, axes, mesh))
        if tuple(axis for one in other for axis in one) == axes and _is_run(
            new_sizes if number == 0 else sizes, other, mesh
        ):
            other_choices.insert(0, other)
        for a, b in product(own_choices, other_choices):
            yield (a, b) if number == 0 else (b, a)
        for one in own_choices if number == 1 else other_choices:
            yield nowhere, one
    yield nowhere, ((),) * len(new_sizes)


def _is_run(sizes: Sequence[int], dims: Sequence[Axes], mesh: Mesh) -> bool:
    """Whether shards are contiguous ranges of elements: all dimensions before a sharded one are sharded down to single
    elements."""
    whole = True
    for size, axes in zip(sizes, dims, strict=True):
        count = shard_count(axes, mesh)
        if size == 1 and count == 1:
            continue
        if count > 1 and not whole:
            return False
        whole = count == size
    return True


def _choices_for(sizes: Sequence[int], axes: Axes, mesh: Mesh) -> Iterator[tuple[Axes, ...]]:
    """Ways to distribute ``axes`` over dimensions so that shards are contiguous ranges: over several dimensions, if all
    sizes divide, or all axes on the first dimension."""
    dims, left = distribute_axes(axes, sizes, mesh)
    if not left:
        yield tuple(dims)
    first = next((dim for dim, size in enumerate(sizes) if size > 1), None)
    if first is not None:
        yield tuple(axes if dim == first else () for dim in range(len(sizes)))


class _Runs(NamedTuple):
    """The contiguous range of elements that each shard of a group holds: its start, its size, and the largest possible
    size."""

    begins: tuple[int, ...]
    sizes: tuple[int, ...]
    room: int


def _runs(sizes: Sequence[int], dims: Sequence[Axes], mesh: Mesh) -> _Runs:
    counts = [shard_count(axes, mesh) for axes in dims]
    local = [-(-size // count) for size, count in zip(sizes, counts, strict=True)]
    begins, lengths = [0], [prod(sizes)]
    inner = prod(sizes)
    for size, count, part in zip(sizes, counts, local, strict=True):
        inner //= size
        if count > 1:
            begins = [begin + shard * part * inner for begin in begins for shard in range(count)]
            held = [max(0, min(part, size - shard * part)) * inner for shard in range(count)]
            lengths = held * (len(begins) // count)
    return _Runs(tuple(begins), tuple(lengths), prod(local))


@lru_cache(maxsize=1 << 12)
def _move(
    sizes: tuple[int, ...],
    before: tuple[Axes, ...],
    new_sizes: tuple[int, ...],
    after: tuple[Axes, ...],
    mesh: Mesh,
) -> _Move:
    """The move of the elements of a group of dimensions of ``sizes`` with axes ``before`` to dimensions of
    ``new_sizes`` with axes ``after``."""
    axes = tuple(axis for one in after for axis in one)
    new = _runs(new_sizes, after, mesh)
    count = len(new.begins)
    present = not any(before)
    old = _Runs((0,), (prod(sizes),), prod(sizes)) if present else _runs(sizes, before, mesh)
    unit = gcd(old.room, new.room, *old.begins, *old.sizes, *new.begins, *new.sizes)
    transfers = []
    source = 0
    for target, (begin, size) in enumerate(zip(new.begins, new.sizes, strict=True)):
        at, end = begin, begin + size
        while at < end:
            if not present:
                while not old.sizes[source] or at >= old.begins[source] + old.sizes[source]:
                    source += 1
            number = 0 if present else source
            offset = at - old.begins[number]
            run = min(end - at, old.sizes[number] - offset)
            owner = target if present else source
            transfers.append(Transfer(owner, offset // unit, target, (at - begin) // unit, run // unit))
            at += run
    route = plan_route(count, old.room // unit, new.room // unit, transfers, ((0, 0),) * count)
    return _Move(axes, unit, route)


def _plan_for(
    groups: tuple[_Group, ...],
    operand: OperandTensor,
    result: Shape,
    requested: Layout | None,
    source: Layout,
    target: Layout,
) -> _Plan | None:
    """The plan with operand and result in these layouts; None if it takes too many rounds."""
    shape, elements = operand.shape, operand.reshard_elements(source)
    rest = [prod(local_shape(shape, source)[dim] for dim in group.source) for group in groups]
    moves: list[_Move | None] = []
    for number, group in enumerate(groups):
        before, after = tuple(source.dims[dim] for dim in group.source), tuple(target.dims[dim] for dim in group.target)
        if not any(after):
            moves.append(None)
            continue
        assert target.mesh is not None
        sizes, new_sizes = tuple(shape[dim] for dim in group.source), tuple(result[dim] for dim in group.target)
        move = _move(sizes, before, new_sizes, after, target.mesh)
        if move.route.rounds > MOST_ROUNDS:
            return None
        moves.append(move)
        others = prod(size for other, size in enumerate(rest) if other != number)
        elements += move.route.elements * move.unit * others
        rest[number] = move.route.length * move.unit
    return _Plan(source, target, groups, tuple(moves), elements + result_reshard_elements(result, target, requested))
