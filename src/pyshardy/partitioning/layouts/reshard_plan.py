"""From one layout of a tensor to another: which local operations and collectives, and how many bytes they move.

A pure, memoised function of layouts and shape. ``resharding.collective_plan`` says in which order axes come and go;
this file sees to sums over axes, to other meshes, and to dimensions that do not divide: while a tensor moves, its
dimensions have a common padded size, so that every step is even. ``reshard`` emits the actions, ``strategy_search``
weighs their cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import lcm, prod

from pyshardy.emitting.layout import Axes, Dims, Layout, Shape, local_shape, replicated
from pyshardy.ir.types import TensorType, Type, element_width
from pyshardy.partitioning.layouts.mesh_relation import refined_for, relabelled
from pyshardy.partitioning.layouts.reshard_actions import (
    Action,
    Become,
    Embed,
    Exchange,
    Gather,
    Permute,
    Reduce,
    Resize,
    Scatter,
    Slice,
    is_large,
    permute_surcharge,
)
from pyshardy.resharding.axis_alignment import behind, common_prefix, take_off
from pyshardy.resharding.collective_plan import collective_plan
from pyshardy.resharding.collective_steps import CollectiveStep, elements_moved
from pyshardy.resharding.direct_sequence import direct_sequence
from pyshardy.resharding.options import COMPLETE_STRATEGIES
from pyshardy.sharding.axes import AxisRef, contains, difference, overlaps, shard_count
from pyshardy.sharding.lists import AllToAllParamList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh


@dataclass(frozen=True)
class ReshardPlan:
    """The actions, each with the mesh that its axes belong to, and what they cost: the elements that each device
    receives, and on large meshes something for each permute."""

    actions: tuple[tuple[Mesh, Action], ...]
    elements: float


def _has_empty_shards(shape: Shape, layout: Layout) -> bool:
    return any(count > size for size, count in zip(shape, layout.counts, strict=True))


_MOST_KEPT = 1 << 16
_NO_PERMUTES = 1 << 60
"""More elements than there are: a permute costs more than anything else."""
_plans: dict[tuple[Layout, Layout, Shape], ReshardPlan] = {}
_ways: dict[tuple[Layout, Layout, Shape], tuple[ReshardPlan, ...]] = {}


def reshard_plan(source: Layout, target: Layout, shape: Shape) -> ReshardPlan:
    """What to do with a tensor of global ``shape`` in layout ``source`` to have it in ``target``."""
    question = source, target, shape
    plan = _plans.get(question)
    if plan is None:
        if len(_plans) >= _MOST_KEPT:
            _plans.clear()
        plan = _plans[question] = _found_plan(source, target, shape)
    return plan


def _found_plan(source: Layout, target: Layout, shape: Shape) -> ReshardPlan:
    # The way with the fewest bytes may need more padding than Shardy's: then that one is the better one.
    strategies: tuple[str, ...] = COMPLETE_STRATEGIES
    if any(is_large(one.mesh) and _has_empty_shards(shape, one) for one in (source, target)):
        # There is next to nothing to move, and much to search.
        strategies = ("reference",)
    found = []
    for strategy in strategies:
        plan = _walked(source, target, shape, strategy, None)
        if _is_least([action for _, action in plan.actions]):
            return plan
        found.append(plan)
    return min(found, key=lambda plan: (plan.elements, len(plan.actions)))


def reshard_ways(source: Layout, target: Layout, shape: Shape) -> tuple[ReshardPlan, ...]:
    """Ways to do that: first that of ``reshard_plan``, which moves the fewest elements, then others, as Shardy goes and
    without permutes. There are none where that is hardly ever the slower one: a collective alone, gathers."""
    question = source, target, shape
    ways = _ways.get(question)
    if ways is None:
        if len(_ways) >= _MOST_KEPT:
            _ways.clear()
        ways = _ways[question] = _found_ways(source, target, shape)
    return ways


def _found_ways(source: Layout, target: Layout, shape: Shape) -> tuple[ReshardPlan, ...]:
    fewest = reshard_plan(source, target, shape)
    if _is_least([action for _, action in fewest.actions]):
        return (fewest,)
    found = {fewest.actions: fewest}
    for surcharge in (None, _NO_PERMUTES):
        for strategy in COMPLETE_STRATEGIES:
            way = _walked(source, target, shape, strategy, surcharge)
            found.setdefault(way.actions, way)
    return tuple(found.values())


@lru_cache(maxsize=1 << 10)
def _walked(source: Layout, target: Layout, shape: Shape, strategy: str, surcharge: int | None) -> ReshardPlan:
    """The way by ``strategy``, with that ``surcharge`` for each permute."""
    walk = _Walk(source, shape, strategy, surcharge)
    walk.go(target)
    return ReshardPlan(tuple(walk.actions), walk.elements)


def _is_least(actions: Sequence[Action]) -> bool:
    """Whether nothing is better than ``actions``: one that moves nothing, or such as bring each device what it does not
    have yet, without filling up dimensions, and in as few actions as there are dimensions to join."""
    if len(actions) == 1 and isinstance(actions[0], Become | Embed | Exchange | Resize | Slice):
        return True
    return all(isinstance(one, Gather) for one in actions)


def bytes_moved(type: Type, source: Layout, target: Layout) -> float:
    """The bytes that each device receives when a tensor of ``type`` goes from ``source`` to ``target``."""
    if source is target or not isinstance(type, TensorType):
        return 0.0
    return reshard_plan(source, target, type.shape).elements * element_width(type.element) / 8


def bytes_moved_if_known(type: Type, source: Layout, target: Layout) -> float:
    """The same where there is a plan already; else ``least_bytes_moved``. A first look that is seldom wrong."""
    if source is target or not isinstance(type, TensorType):
        return 0.0
    plan = _plans.get((source, target, type.shape))
    return least_bytes_moved(type, source, target) if plan is None else plan.elements * element_width(type.element) / 8


def least_bytes_moved(type: Type, source: Layout, target: Layout) -> float:
    """No more than what each device receives when a tensor of ``type`` goes from ``source`` to ``target``, without a
    plan."""
    mesh = source.mesh
    if not isinstance(type, TensorType) or source is target or target.unreduced:
        return 0.0
    if target.mesh is not None and target.mesh is not mesh:
        return 0.0
    share = prod(local_shape(type.shape, target)) * element_width(type.element) / 8
    if source.unreduced:
        # Some term comes from elsewhere.
        return share
    kept = 1
    for now, then in zip(source.dims, target.dims, strict=True):
        common = min(len(now), len(then))
        if now[:common] != then[:common]:
            # Some device has nothing of what it needs, unless one axis is a part of the other.
            return share if all(axis.is_full for axis in (*now, *then)) else 0.0
        kept *= shard_count(now[common:], mesh)
    return share * (kept - 1) / kept


@dataclass
class _Walk:
    """A tensor on its way, and what has been done to it."""

    layout: Layout
    shape: Shape
    strategy: str
    surcharge: int | None = None
    """What a permute costs besides the elements that it moves, if not ``permute_surcharge``."""
    actions: list[tuple[Mesh, Action]] = field(default_factory=list)
    elements: float = 0.0

    def __post_init__(self) -> None:
        self.local = local_shape(self.shape, self.layout)

    def go(self, target: Layout) -> None:
        source = self.layout
        if source is target:
            return
        if source.mesh is not None and target.mesh is not None and source.mesh is not target.mesh:
            self._to_other_mesh(target)
            return
        mesh = source.mesh or target.mesh
        assert mesh is not None
        same_terms = source.reduction == target.reduction or not source.unreduced or not target.unreduced
        kept = target.unreduced if same_terms else ()
        leaving = tuple(difference(source.unreduced, kept, mesh))
        if leaving:
            self._reduce(leaving, target, mesh)
        arriving = self._embed(tuple(difference(target.unreduced, self.layout.unreduced, mesh)), target, mesh)
        between = target
        if arriving:
            between = Layout(mesh, target.dims, self.layout.unreduced, self.layout.reduction)
        self._move(between.dims, mesh)
        if arriving:
            self._do(mesh, Become(self.local, arriving, target.reduction), target)

    # --- sums ---------------------------------------------------------------------------------------------------------

    def _reduce(self, leaving: Axes, target: Layout, mesh: Mesh) -> None:
        """Combines over the axes ``leaving``: where they shard a dimension of the target, each device gets its part."""
        for dim, wanted in enumerate(target.dims):
            leaving = self._scatter_along(dim, wanted, leaving, mesh)
        # An axis that belongs somewhere else is still worth scattering by if it can be moved there afterwards.
        for axis in list(leaving):
            if any(contains(other, axis) for axes in target.dims for other in axes):
                place = self._place_for(axis, mesh)
                if place is not None:
                    self._scatter(place, (axis,), mesh)
                    leaving = tuple(difference(leaving, (axis,), mesh))
        if leaving:
            rest = tuple(difference(self.layout.unreduced, leaving, mesh))
            after = Layout(mesh, self.layout.dims, rest, self.layout.reduction)
            self._do(mesh, Reduce(self.local, leaving, self.layout.reduction), after)

    def _embed(self, arriving: Axes, target: Layout, mesh: Mesh) -> Axes:
        """Shards along axes that become those of terms: each device has its own shard, and nothing in the place of the
        others. Returns the axes of ``arriving`` that are still to come."""
        for dim, wanted in enumerate(target.dims):
            now = self.layout.dims[dim]
            leaving = now[len(wanted) :]
            if not leaving or now[: len(wanted)] != wanted or any(axis not in arriving for axis in leaving):
                continue
            before = shard_count(wanted, mesh)
            if before > 1 and -(-self.shape[dim] // before) != self.local[dim] * shard_count(leaving, mesh):
                continue
            arriving = tuple(axis for axis in arriving if axis not in leaving)
            dims = [wanted if index == dim else axes for index, axes in enumerate(self.layout.dims)]
            whole = _with(self.local, dim, self.local[dim] * shard_count(leaving, mesh))
            after = Layout(mesh, dims, [*self.layout.unreduced, *leaving], target.reduction)
            self._do(mesh, Embed(whole, dim, leaving, target.reduction), after)
            self._resize(mesh, local_shape(self.shape, after))
        return arriving

    def _scatter_along(self, dim: int, wanted: Axes, leaving: Axes, mesh: Mesh) -> Axes:
        """Slices and scatters dimension ``dim`` towards ``wanted`` as far as that is the next axis to arrive."""
        now = self.layout.dims[dim]
        prefix = tuple(common_prefix(now, wanted))
        if prefix != now:
            return leaving
        for axis in behind(wanted, prefix, mesh):
            if any(contains(term, axis) for term in leaving):
                if not self._fits(dim, (axis,), mesh):
                    return leaving
                self._scatter(dim, (axis,), mesh)
                leaving = tuple(difference(leaving, (axis,), mesh))
            elif (
                any(overlaps(axis, other) for other in self.layout.axes())
                or not leaving
                or not self._fits(dim, (axis,), mesh)
            ):
                return leaving
            else:
                self._slice(dim, (axis,), mesh)
        return leaving

    def _place_for(self, axis: AxisRef, mesh: Mesh) -> int | None:
        """A dimension that divides by ``axis`` too."""
        for dim, size in enumerate(self.shape):
            if size % (self.layout.counts[dim] * axis.size(mesh)) == 0:
                return dim
        return None

    def _fits(self, dim: int, axes: Axes, mesh: Mesh) -> bool:
        """Whether the shards of ``dim`` can be split further where they are."""
        count = self.layout.counts[dim]
        further = count * shard_count(axes, mesh)
        size = self.shape[dim]
        return count == 1 or -(-size // count) * count == -(-size // further) * further

    def _scatter(self, dim: int, axes: Axes, mesh: Mesh) -> None:
        split, dims = self._split(dim, axes, mesh)
        rest = tuple(difference(self.layout.unreduced, axes, mesh))
        self._do(
            mesh, Scatter(split, axes, self.layout.reduction, dim), Layout(mesh, dims, rest, self.layout.reduction)
        )

    def _slice(self, dim: int, axes: Axes, mesh: Mesh) -> None:
        split, dims = self._split(dim, axes, mesh)
        sliced = tuple(axes if index == dim else () for index in range(len(dims)))
        after = Layout(mesh, dims, self.layout.unreduced, self.layout.reduction)
        self._do(mesh, Slice(split, sliced), after)

    def _split(self, dim: int, axes: Axes, mesh: Mesh) -> tuple[Shape, list[Axes]]:
        """The local shape and the dimensions when ``dim``, filled up so that it divides, is split by ``axes`` too."""
        count = shard_count(axes, mesh)
        after = -(-self.shape[dim] // (self.layout.counts[dim] * count))
        self._resize(mesh, _with(self.local, dim, after * count))
        dims = [(*old, *axes) if index == dim else old for index, old in enumerate(self.layout.dims)]
        return _with(self.local, dim, after), dims

    # --- dimensions ---------------------------------------------------------------------------------------------------

    def _move(self, target: Dims, mesh: Mesh) -> None:
        if self.layout.dims == target:
            return
        steps = self._steps_to(target, mesh)
        sizes = self._even_sizes(steps, mesh)
        uneven = {dim for dim, size in enumerate(sizes) if size is None}
        if uneven:
            self._move_through_whole(uneven, target, mesh)
            return
        even = [size for size in sizes if size is not None]
        counts = self.layout.counts
        self._resize(mesh, tuple(size // count for size, count in zip(even, counts, strict=True)))
        for step in steps:
            self._step(step, even, mesh)
        final = Layout(mesh, target, self.layout.unreduced, self.layout.reduction)
        self._resize(mesh, local_shape(self.shape, final))
        self.layout = final

    def _steps_to(self, target: Dims, mesh: Mesh) -> Sequence[CollectiveStep]:
        source, surcharge = self.layout.dims, permute_surcharge(mesh) if self.surcharge is None else self.surcharge
        kept = self.layout.unreduced
        steps = collective_plan(
            mesh, source, target, self.shape, kept=kept, permute_surcharge=surcharge, strategy=self.strategy
        )
        permutes = sum(step.name == "sdy.collective_permute" for step in steps)
        if not permutes or not surcharge:
            return steps
        direct = direct_sequence(mesh, source, target, changes_mesh=False)
        cost = elements_moved(steps, source, self.shape, mesh) + permutes * surcharge
        return direct if elements_moved(direct, source, self.shape, mesh) < cost else steps

    def _move_through_whole(self, uneven: set[int], target: Dims, mesh: Mesh) -> None:
        """The shards of the dimensions ``uneven`` begin elsewhere afterwards: each device has them whole in between."""
        self._gather(tuple(axes if dim in uneven else () for dim, axes in enumerate(self.layout.dims)), mesh)
        self._resize(mesh, local_shape(self.shape, self.layout))
        self._move(tuple(() if dim in uneven else axes for dim, axes in enumerate(target)), mesh)
        final = self.layout.with_dims(target) if self.layout.mesh is mesh else Layout(mesh, target)
        shape = local_shape(self.shape, final)
        sliced = tuple(axes if dim in uneven else () for dim, axes in enumerate(target))
        grown = [size * shard_count(axes, mesh) for size, axes in zip(shape, sliced, strict=True)]
        self._resize(mesh, tuple(grown))
        if any(sliced):
            self._do(mesh, Slice(shape, sliced), final)

    def _even_sizes(self, steps: Sequence[CollectiveStep], mesh: Mesh) -> list[int | None]:
        """For each dimension a padded global size that every layout on the way divides; None if the shards of source or
        target would begin elsewhere."""
        sizes: list[int | None] = []
        for dim, size in enumerate(self.shape):
            counts = [self.layout.counts[dim], *(shard_count(step.layout[dim], mesh) for step in steps)]
            even = -(-size // lcm(*counts)) * lcm(*counts)
            ends = (counts[0], counts[-1])
            aligned = all(count == 1 or -(-size // count) * count == even for count in ends)
            sizes.append(even if aligned else None)
        return sizes

    def _step(self, step: CollectiveStep, even: Sequence[int], mesh: Mesh) -> None:
        after = Layout(mesh, step.layout, self.layout.unreduced, self.layout.reduction)
        shape = tuple(size // count for size, count in zip(even, after.counts, strict=True))
        lists = step.axes[1] if step.axes is not None else None
        if isinstance(lists, AllToAllParamList):
            for number, param in enumerate(lists.params):
                last = number == len(lists.params) - 1
                dims = [list(axes) for axes in self.layout.dims]
                take_off(dims[param.source], param.axes)
                dims[param.target] += param.axes
                layout = after if last else Layout(mesh, dims, self.layout.unreduced, self.layout.reduction)
                here = tuple(size // count for size, count in zip(even, layout.counts, strict=True))
                self._do(mesh, Exchange(here, param.axes, param.source, param.target), layout)
        elif isinstance(lists, ListOfAxisRefLists) and step.name == "sdy.all_slice":
            self._do(mesh, Slice(shape, lists.lists), after)
        elif isinstance(lists, ListOfAxisRefLists):
            self._gather(lists.lists, mesh)
            self.layout = after
        else:
            self._do(mesh, Permute(shape, self.layout, after), after)

    def _gather(self, lists: Dims, mesh: Mesh) -> None:
        # The last dimension first: what is joined stays in long runs for as long as possible.
        for dim in reversed(range(len(lists))):
            if lists[dim]:
                shape = _with(self.local, dim, self.local[dim] * shard_count(lists[dim], mesh))
                dims = [list(axes) for axes in self.layout.dims]
                take_off(dims[dim], lists[dim])
                layout = Layout(mesh, dims, self.layout.unreduced, self.layout.reduction)
                self._do(mesh, Gather(shape, dim, lists[dim]), layout)

    # --- meshes -------------------------------------------------------------------------------------------------------

    def _to_other_mesh(self, target: Layout) -> None:
        """To a mesh with other axes or another order of devices: as within one mesh if the cuts of both fit into each
        other, by a permute if every dimension is split as often there, else through the whole tensor."""
        source_mesh, target_mesh = self.layout.mesh, target.mesh
        assert source_mesh is not None and target_mesh is not None
        common = refined_for(self.layout, target)
        if common is not None:
            source, reached = relabelled(self.layout, common), relabelled(target, common)
            if source is not None and reached is not None:
                self.layout = source
                self.go(reached)
                self.layout = target
                return
        if self.layout.unreduced:
            self.go(Layout(source_mesh, self.layout.dims))
        if self.layout.mesh is None or source_mesh.total_size != target_mesh.total_size:
            self.go(replicated(len(self.shape)))
        elif self.layout.counts == target.counts:
            reached = Layout(target_mesh, target.dims)
            self._do(source_mesh, Permute(self.local, self.layout, reached), reached)
        else:
            self.go(replicated(len(self.shape)))
        self.go(target)

    # --- what is done -------------------------------------------------------------------------------------------------

    def _resize(self, mesh: Mesh, shape: Shape) -> None:
        if shape != self.local:
            self._do(mesh, Resize(shape), self.layout)

    def _do(self, mesh: Mesh, action: Action, layout: Layout) -> None:
        self.elements += action.elements_received(self.local, mesh)
        self.actions.append((mesh, action))
        self.local = action.shape
        self.layout = layout


def _with(shape: Iterable[int], dim: int, size: int) -> Shape:
    return tuple(size if index == dim else old for index, old in enumerate(shape))
