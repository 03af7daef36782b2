"""The moves of a search, from one strategy to similar ones, and the compositions that a search begins with.

Compositions give each group of axes a set of dimension classes, and parameters their storage. From the best of them a
search continues with single changes: it adds or removes a class on an axis, gives one family another sharding, or
constrains a tensor inside that an expensive collective goes through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from pyshardy.searching.layouts import LATER, InnerSharding, Spec, divides
from pyshardy.searching.scoring import HotCollective
from pyshardy.searching.space import ALL, MOMENTS, WITH_SMALL, AxisGroup, Layouts, Space, Strategy, axis_groups
from pyshardy.sharding.mesh import Mesh

ClassSet = tuple[int, ...]

_MOST_HOT = 8
_MOST_FAMILIES = 10
_MOST_ANCHORS = 2


def storages(groups: Sequence[AxisGroup]) -> Iterator[tuple[tuple[AxisGroup, str], ...]]:
    """The choices of storage along some of ``groups``, no storage first."""
    yield ()
    every = tuple(axis for group in groups for axis in group)
    for what in (MOMENTS, ALL):
        for group in dict.fromkeys((*groups, every)):
            yield ((group, what),)


def with_classes(space: Space, strategy: Strategy) -> Iterator[Strategy]:
    """Strategies with one class less or more on an axis, with another set, or with axes merged or split."""
    for place, (axes, classes) in enumerate(strategy.sets):
        size = prod(strategy.sizes[axis] for axis in axes)
        changed: list[ClassSet] = [tuple(other for other in classes if other != one) for one in classes]
        for one in space.candidates:
            if one not in classes and space.classes.size(one) >= size:
                free = tuple(sorted([*(other for other in classes if not space.are_in_conflict(one, other)), one]))
                changed.append(free)
                changed.append(tuple(sorted([*classes, one])))
        changed += [one for one in space.sets(size) if one != classes]
        for other in dict.fromkeys(changed):
            if other != classes:
                sets = [*strategy.sets]
                sets[place] = (axes, other)
                yield strategy._replace(sets=tuple(sets))


def with_storage(strategy: Strategy) -> Iterator[Strategy]:
    """Strategies with parameters stored along other axes or none, and with small parameters stored like the others or
    not."""
    if strategy.storage:
        yield with_small(strategy)
    mesh = Mesh(dict(strategy.mesh))
    groups = dict.fromkeys(group for groups in axis_groups(mesh) for group in groups)
    for found in storages(list(groups)):
        if found != strategy.storage:
            yield strategy._replace(storage=found)
    if len(strategy.storage) == 1:
        (first, _what), *_ = strategy.storage
        for group in groups:
            if not set(group) & set(first):
                for other in (MOMENTS, ALL):
                    yield strategy._replace(storage=(*strategy.storage, (group, other)))


def with_small(strategy: Strategy) -> Strategy:
    """``strategy`` with the choice inverted whether small parameters are stored as the others are."""
    return strategy._replace(storage=tuple((group, WITH_SMALL[what]) for group, what in strategy.storage))


def with_families(space: Space, strategy: Strategy) -> Iterator[Strategy]:
    """Strategies with another sharding of one parameter, of its moments or its weight alone, or of another family; the
    largest first."""
    layouts = space.layouts(strategy)
    done: set[int] = set()
    for parameter in space.parameters[:_MOST_FAMILIES]:
        members = (parameter.weight, *parameter.moments)
        done.update(members)
        family = space.listed[parameter.weight]
        for spec in space.single_specs(family, layouts.specs[parameter.weight], strategy):
            yield _with_exceptions(strategy, [(member, spec) for member in members])
        if parameter.moments:
            first = space.listed[parameter.moments[0]]
            for spec in space.single_specs(first, layouts.specs[first.number], strategy):
                yield _with_exceptions(strategy, [(member, spec) for member in parameter.moments])
            for spec in space.single_specs(family, layouts.specs[parameter.weight], strategy):
                yield _with_exceptions(strategy, [(parameter.weight, spec)])
    others = [family for family in space.listed if family.number not in done and family.shape]
    others.sort(key=lambda one: (-one.bytes, one.number))
    for family in others[:_MOST_FAMILIES]:
        for spec in space.single_specs(family, layouts.specs[family.number], strategy):
            yield _with_exceptions(strategy, [(family.number, spec)])


def _with_exceptions(strategy: Strategy, changes: Sequence[tuple[int, Spec]]) -> Strategy:
    found = dict(strategy.exceptions)
    found.update(changes)
    return strategy._replace(exceptions=tuple(sorted(found.items())))


def with_inner(space: Space, strategy: Strategy, hot: Sequence[HotCollective]) -> Iterator[Strategy]:
    """Strategies that constrain a tensor of an expensive collective: one of its axes on another dimension, or on
    none."""
    short = space.short
    operations = short.module.op.operations()
    sizes = strategy.sizes
    for one in hot[:_MOST_HOT]:
        result = operations[one.number].results[one.result]
        shape = result.type.shape  # type: ignore[attr-defined]
        group = short.groups[one.number]
        layout = tuple(tuple(axis.removeprefix(LATER) for axis in axes) for axes in one.layout)
        for axes in dict.fromkeys((one.axes, *((axis,) for axis in one.axes))):
            if not set(axes) <= set(sizes):
                continue
            without = [tuple(axis for axis in each if axis not in axes) for each in layout]
            for place, size in enumerate(shape):
                added = (*without[place], *axes)
                if size % prod(sizes[axis] for axis in added) == 0 and size > 1:
                    spec = tuple(added if number == place else each for number, each in enumerate(without))
                    yield _with_inner(strategy, InnerSharding(group, one.result, spec))
            if tuple(without) != layout:
                yield _with_inner(strategy, InnerSharding(group, one.result, tuple(without)))
            else:
                yield _with_inner(strategy, InnerSharding(group, one.result, layout))
    for known in strategy.inner:
        yield strategy._replace(inner=tuple(other for other in strategy.inner if other != known))


def with_regions(space: Space, strategy: Strategy) -> Iterator[Strategy]:
    """Strategies that shard another class along the axes of one in a part of the program, by constraining the largest
    products that have both classes. Propagation spreads that to the operations around them: attention may shard heads
    where everything else shards the batch."""
    short = space.short
    for axes, classes in strategy.sets:
        size = prod(strategy.sizes[axis] for axis in axes)
        for other in space.candidates:
            if other in classes or space.classes.size(other) % size:
                continue
            for number in _products_with(space, classes, other)[:_MOST_ANCHORS]:
                spec = _spec_inside(space, strategy, number, axes, other)
                if spec is not None:
                    yield _with_inner(strategy, InnerSharding(short.groups[number], 0, spec))


def _products_with(space: Space, classes: Sequence[int], other: int) -> list[int]:
    """The numbers of the products whose result has ``other`` and one of ``classes``, one for each group, the largest
    first."""
    found: dict[object, tuple[int, int]] = {}
    for number, op in space.short.products:
        has = space.classes.of(op.results[0])
        if other in has and set(classes) & set(has):
            elements = prod(op.results[0].type.shape) * space.short.times[number]  # type: ignore[attr-defined]
            group = space.short.groups[number]
            found[group] = max(found.get(group, (0, 0)), (elements, -number))
    return [-number for _, number in sorted(found.values(), reverse=True)]


def _spec_inside(space: Space, strategy: Strategy, number: int, axes: AxisGroup, other: int) -> Spec | None:
    """The sharding of the result of operation ``number`` by the sets, but with ``axes`` along ``other``; None if that
    does not divide."""
    value = space.short.module.op.operations()[number].results[0]
    shape, has = value.type.shape, space.classes.of(value)  # type: ignore[attr-defined]
    dims: list[tuple[str, ...]] = [()] * len(shape)
    for group, classes in strategy.sets:
        wanted = (other,) if group == axes else classes
        for place, one in enumerate(has):
            if one in wanted and divides(shape[place], (*dims[place], *group), strategy.sizes):
                dims[place] = (*dims[place], *group)
                break
        else:
            if group == axes:
                return None
    return tuple(dims)


def _with_inner(strategy: Strategy, one: InnerSharding) -> Strategy:
    kept = [other for other in strategy.inner if (other.group, other.result) != (one.group, one.result)]
    return strategy._replace(inner=(*kept, one))


def renamed(layouts: Layouts, names: dict[str, str]) -> Layouts:
    """``layouts`` with renamed axes."""

    def spec_of(spec: Spec) -> Spec:
        return tuple(
            tuple((LATER if axis.startswith(LATER) else "") + names[axis.removeprefix(LATER)] for axis in axes)
            for axes in spec
        )

    return Layouts(
        tuple((names[name], size) for name, size in layouts.mesh),
        tuple(map(spec_of, layouts.specs)),
        tuple(one._replace(spec=spec_of(one.spec)) for one in layouts.inner),
    )
