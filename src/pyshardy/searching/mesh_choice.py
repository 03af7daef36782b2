"""Chooses the meshes that are worth a search, by trying a few known strategies on each.

There are 16 meshes of up to three axes for 64 devices, and a dozen known strategies on each. So they are tried in
stages: all of them on one axis; data parallelism and one other set on two axes, with storage for the best of these; and
the best so far on three axes, since these may be mapped to other links of a torus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from pyshardy.searching.known_strategies import known_strategies
from pyshardy.searching.objective import Rank
from pyshardy.searching.space import ALL, MOMENTS, AxisGroup, Space, Strategy
from pyshardy.sharding.mesh import Mesh

_MOST_OTHERS = 4
_WITH_STORAGE = 6
_STARTS = 3


class Ranked(NamedTuple):
    """The rank of a strategy that was tried."""

    rank: Rank
    strategy: Strategy


Attempt = Callable[[Mapping[Strategy, str]], Sequence[Ranked]]
"""Evaluates strategies, mapped to their names, and returns the best first; those beyond the budget are left out."""


def promising_meshes(space: Space, meshes: Sequence[Mesh], attempt: Attempt) -> list[Mesh]:
    """The few of ``meshes`` that are worth a search, the best first."""
    if len(meshes) == 1:
        return list(meshes)
    with_one, with_two, with_more = (
        [mesh for mesh in meshes if min(max(len(mesh.axes), 1), 3) == count] for count in (1, 2, 3)
    )
    found: list[Ranked] = []
    for mesh in with_one:
        found += attempt(known_strategies(space, mesh))
    found += attempt(dict(_each_alone(space, with_two)))
    beside = sorted(attempt(dict(_side_by_side(space, with_two))))
    found += beside
    found += attempt(dict(_stored([one.strategy for one in beside[:_WITH_STORAGE]])))
    found.sort()
    on_one = next((one.strategy for one in found if len(one.strategy.sets) == 1), None)
    on_two = next((one.strategy for one in found if len(one.strategy.sets) == 2), None)
    found += attempt({one: "" for mesh in with_more for one in _on_more_axes(space, mesh, (on_two, on_one))})
    places = {_listed(mesh): mesh for mesh in meshes}
    chosen = list(dict.fromkeys(places[one.strategy.mesh] for one in sorted(found)))[:_STARTS]
    if chosen and with_more and not any(len(mesh.axes) > 2 for mesh in chosen):
        # One mesh with three axes is searched in any case: it allows strategies that the trials do not cover.
        finer = [mesh for mesh in with_more if _refines(mesh, chosen[0])]
        chosen = [*chosen[: _STARTS - 1], *finer[:1]]
    return chosen or list(meshes[:1])


def _listed(mesh: Mesh) -> tuple[tuple[str, int], ...]:
    return tuple((axis.name, axis.size) for axis in mesh.axes)


def _names(mesh: Mesh) -> tuple[str, ...]:
    return tuple(axis.name for axis in mesh.axes)


def _batch_set(space: Space, size: int) -> tuple[int, ...]:
    return next((one for one in space.sets(size) if set(one) & set(space.batch)), ())


def _size(mesh: Mesh, axes: AxisGroup) -> int:
    return prod(mesh.sizes[axis] for axis in axes)


def _each_alone(space: Space, meshes: Sequence[Mesh]) -> Iterator[tuple[Strategy, str]]:
    """The batch and storage along both axes as one, since a torus maps two axes to other links than one."""
    for mesh in meshes:
        axes = _names(mesh)
        batch = _batch_set(space, _size(mesh, axes))
        if batch:
            yield Strategy(_listed(mesh), ((axes, batch),), ((axes, ALL),)), "FSDP"


def _side_by_side(space: Space, meshes: Sequence[Mesh]) -> Iterator[tuple[Strategy, str]]:
    """The batch along the first axis, and another set along the second."""
    for mesh in meshes:
        outer, inner = _names(mesh)[:1], _names(mesh)[1:]
        batch = _batch_set(space, _size(mesh, outer))
        others = [one for one in space.sets(_size(mesh, inner)) if one != _batch_set(space, _size(mesh, inner))]
        for other in others[:_MOST_OTHERS] if batch else ():
            name = f"data parallel, {space.set_name(other)} parallel"
            yield Strategy(_listed(mesh), ((outer, batch), (inner, other))), name


def _stored(strategies: Sequence[Strategy]) -> Iterator[tuple[Strategy, str]]:
    """``strategies`` with storage along the axis of the batch; their names are those of known ones."""
    for one in strategies:
        for what in (MOMENTS, ALL):
            yield one._replace(storage=((one.sets[0][0], what),)), ""


def _on_more_axes(space: Space, mesh: Mesh, known: Sequence[Strategy | None]) -> Iterator[Strategy]:
    """``known`` strategies of one and of two sets, on ``mesh``, with neighbouring axes used as one."""
    axes = _names(mesh)
    for strategy in known:
        cuts = [len(axes)] if strategy is not None and len(strategy.sets) == 1 else range(1, len(axes))
        for cut in cuts if strategy is not None else ():
            assert strategy is not None
            groups = [axes[:cut], axes[cut:]]
            sets = tuple((group, classes) for group, (_, classes) in zip(groups, strategy.sets, strict=False))
            if all(classes in space.sets(_size(mesh, group)) for group, classes in sets):
                storage = tuple((groups[0], what) for _, what in strategy.storage)
                yield Strategy(_listed(mesh), sets, storage)


def _refines(fine: Mesh, coarse: Mesh) -> bool:
    """Whether each axis of ``coarse`` is a product of neighbouring axes of ``fine``."""
    sizes = [axis.size for axis in coarse.axes]
    left = 1
    for axis in fine.axes:
        left *= axis.size
        if sizes and left == sizes[0]:
            sizes.pop(0)
            left = 1
    return not sizes and left == 1
