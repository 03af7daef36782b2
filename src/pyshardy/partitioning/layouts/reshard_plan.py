"""The plan of a reshard: which local operations and collectives it takes, and how many bytes they move.

A pure, memoised function of two layouts and a shape. ``resharding.collective_plan`` plans the order in which axes leave
and enter dimensions; this file adds partial sums, other meshes, and dimensions that do not divide: a dimension is
padded once to a size that every layout on the route divides, so that all steps are even. ``reshard`` emits the actions,
``strategy_search`` compares their cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import lcm, prod
from typing import NamedTuple

from pyshardy.emitting.layout import Axes, Dims, Layout, Shape, local_shape, replicated
from pyshardy.ir.types import TensorType, Type, element_width
from pyshardy.partitioning.layouts.mesh_relation import refinement_for, translated
from pyshardy.partitioning.layouts.reshard_actions import (
    AllGather,
    AllReduce,
    AllToAll,
    CollectivePermute,
    ReduceScatter,
    ReplicatedToUnreduced,
    ReshardAction,
    Resize,
    ShardedToUnreduced,
    TakeShard,
    elements_received,
    is_large_mesh,
    permute_surcharge,
)
from pyshardy.resharding.axis_alignment import axes_after_prefix, common_prefix, remove_minor
from pyshardy.resharding.collective_plan import collective_plan
from pyshardy.resharding.collective_steps import CollectiveStep, elements_moved
from pyshardy.resharding.direct_sequence import direct_sequence
from pyshardy.resharding.options import COMPLETE_STRATEGIES
from pyshardy.sharding.axes import AxisRef, can_coexist, difference, excludes, is_factor, shard_count
from pyshardy.sharding.lists import AllToAllParamList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh


class ReshardPlan(NamedTuple):
    """How one tensor is resharded, and what that costs."""

    actions: tuple[tuple[Mesh, ReshardAction], ...]
    """The actions in their order, each with the mesh of its axes."""
    elements: float
    """The elements that each device receives in all of them, plus a surcharge for each permute on large meshes. Times
    the bytes of an element this is the cost in bytes."""


def _has_empty_shards(shape: Shape, layout: Layout) -> bool:
    return any(count > size for size, count in zip(shape, layout.counts, strict=True))


_MOST_KEPT = 1 << 16
_NO_PERMUTES = 1 << 60
"""A surcharge that makes every route without permutes cheaper than one with a permute."""
_plans: dict[tuple[Layout, Layout, Shape], ReshardPlan] = {}


def reshard_plan(source: Layout, target: Layout, shape: Shape) -> ReshardPlan:
    """The plan that reshards a tensor of global ``shape`` from layout ``source`` to ``target`` with the fewest elements
    moved."""
    key = source, target, shape
    plan = _plans.get(key)
    if plan is None:
        if len(_plans) >= _MOST_KEPT:
            _plans.clear()
        plan = _plans[key] = _new_plan(source, target, shape)
    return plan


def _new_plan(source: Layout, target: Layout, shape: Shape) -> ReshardPlan:
    """The plan that moves the fewest elements, of those that the strategies lead to."""
    # The route that moves the fewest bytes of a divisible tensor may need more padding than Shardy's route.
    strategies: tuple[str, ...] = COMPLETE_STRATEGIES
    if any(is_large_mesh(one.mesh) and _has_empty_shards(shape, one) for one in (source, target)):
        # Tensors with empty shards are small, and the search on a large mesh is long.
        strategies = ("reference",)
    found = []
    for strategy in strategies:
        plan = _built(source, target, shape, strategy, None)
        if _is_certainly_best([action for _, action in plan.actions]):
            return plan
        found.append(plan)
    return min(found, key=lambda plan: (plan.elements, len(plan.actions)))


@lru_cache(maxsize=_MOST_KEPT)
def reshard_routes(source: Layout, target: Layout, shape: Shape) -> tuple[ReshardPlan, ...]:
    """The plans from which a route is chosen by time: first that of ``reshard_plan``, then Shardy's route and routes
    without permutes. Only the first, if it is certainly the best one."""
    fewest = reshard_plan(source, target, shape)
    if _is_certainly_best([action for _, action in fewest.actions]):
        return (fewest,)
    found = {fewest.actions: fewest}
    for surcharge in (None, _NO_PERMUTES):
        for strategy in COMPLETE_STRATEGIES:
            route = _built(source, target, shape, strategy, surcharge)
            found.setdefault(route.actions, route)
    return tuple(found.values())


@lru_cache(maxsize=1 << 10)
def _built(source: Layout, target: Layout, shape: Shape, strategy: str, surcharge: int | None) -> ReshardPlan:
    """The plan by ``strategy``, with that ``surcharge`` for each permute."""
    builder = _PlanBuilder(source, shape, strategy, surcharge)
    builder.reshard_to(target)
    return ReshardPlan(tuple(builder.actions), builder.elements)


def _is_certainly_best(actions: Sequence[ReshardAction]) -> bool:
    """Whether no other actions move less or are fewer: a single one that is local or an all-to-all, or gathers alone,
    which bring each device only elements that it does not hold."""
    if len(actions) == 1 and isinstance(
        actions[0], ReplicatedToUnreduced | ShardedToUnreduced | AllToAll | Resize | TakeShard
    ):
        return True
    return all(isinstance(one, AllGather) for one in actions)


def bytes_moved(type: Type, source: Layout, target: Layout) -> float:
    """The bytes that each device receives when a tensor of ``type`` is resharded from ``source`` to ``target``. On
    large meshes those of a permute include a surcharge (``reshard_plan``)."""
    if source is target or not isinstance(type, TensorType):
        return 0.0
    return reshard_plan(source, target, type.shape).elements * element_width(type.element) / 8


def bytes_moved_if_known(type: Type, source: Layout, target: Layout) -> float:
    """``bytes_moved`` if the plan is memoised already, otherwise the lower bound ``least_bytes_moved``. A first
    estimate."""
    if source is target or not isinstance(type, TensorType):
        return 0.0
    plan = _plans.get((source, target, type.shape))
    return least_bytes_moved(type, source, target) if plan is None else plan.elements * element_width(type.element) / 8


def least_bytes_moved(type: Type, source: Layout, target: Layout) -> float:
    """A lower bound of ``bytes_moved``, without a plan."""
    mesh = source.mesh
    if not isinstance(type, TensorType) or source is target or target.unreduced:
        return 0.0
    if target.mesh is not None and target.mesh is not mesh:
        return 0.0
    share = prod(local_shape(type.shape, target)) * element_width(type.element) / 8
    if source.unreduced:
        # Another device holds a partial sum of the device's target shard.
        return share
    kept = 1
    for now, then in zip(source.dims, target.dims, strict=True):
        common = min(len(now), len(then))
        if now[:common] != then[:common]:
            # Some device holds nothing of its target shard. This is not certain if sub-axes overlap.
            return share if all(axis.is_full for axis in (*now, *then)) else 0.0
        kept *= shard_count(now[common:], mesh)
    return share * (kept - 1) / kept


@dataclass
class _PlanBuilder:
    """Plans one reshard: ``layout`` and ``local`` are the layout and local shape after the ``actions`` so far."""

    layout: Layout
    shape: Shape
    strategy: str
    surcharge: int | None = None
    """The cost of a permute besides the elements that it moves, if it is not ``permute_surcharge``."""
    actions: list[tuple[Mesh, ReshardAction]] = field(default_factory=list)
    elements: float = 0.0

    def __post_init__(self) -> None:
        self.local = local_shape(self.shape, self.layout)

    def reshard_to(self, target: Layout) -> None:
        """Appends the actions that lead to ``target``: first reduces the unreduced axes that it does not have, then
        changes the axes of dimensions, then introduces the unreduced axes that are missing."""
        source = self.layout
        if source is target:
            return
        if source.mesh is not None and target.mesh is not None and source.mesh is not target.mesh:
            self._change_mesh(target)
            return
        mesh = source.mesh or target.mesh
        assert mesh is not None
        same_reduction = source.reduction == target.reduction or not source.unreduced or not target.unreduced
        is_splittable = not any(not can_coexist(one, other) for one in source.unreduced for other in target.unreduced)
        kept = target.unreduced if same_reduction and is_splittable else ()
        reduced = tuple(difference(source.unreduced, kept, mesh))
        if reduced:
            self._reduce(reduced, target, mesh)
        introduced = self._sharded_to_unreduced(
            tuple(difference(target.unreduced, self.layout.unreduced, mesh)), target, mesh
        )
        between = target
        if introduced:
            between = Layout(mesh, target.dims, self.layout.unreduced, self.layout.reduction)
        self._change_dims(between.dims, mesh)
        if introduced:
            self._append(mesh, ReplicatedToUnreduced(self.local, introduced, target.reduction), target)

    # --- partial sums -------------------------------------------------------------------------------------------------

    def _reduce(self, reduced: Axes, target: Layout, mesh: Mesh) -> None:
        """Reduces over the axes ``reduced``: by reduce-scatters where they shard a dimension of the target, otherwise
        by an all-reduce."""
        for dim, wanted in enumerate(target.dims):
            reduced = self._scatter_along(dim, wanted, reduced, mesh)
        # If the axis shards the target elsewhere, scatter along any dimension, and move the axis afterwards: that
        # moves less than an all-reduce.
        for axis in list(reduced):
            if any(is_factor(axis, other) for axes in target.dims for other in axes):
                place = self._divisible_dim(axis, mesh)
                if place is not None:
                    self._scatter(place, (axis,), mesh)
                    reduced = tuple(difference(reduced, (axis,), mesh))
        if reduced:
            rest = tuple(difference(self.layout.unreduced, reduced, mesh))
            after = Layout(mesh, self.layout.dims, rest, self.layout.reduction)
            self._append(mesh, AllReduce(self.local, reduced, self.layout.reduction), after)

    def _sharded_to_unreduced(self, introduced: Axes, target: Layout, mesh: Mesh) -> Axes:
        """Turns axes that shard a dimension now, and are unreduced in the target, into unreduced axes without
        communication. Returns the axes of ``introduced`` that are left."""
        for dim, wanted in enumerate(target.dims):
            now = self.layout.dims[dim]
            taken = now[len(wanted) :]
            if not taken or now[: len(wanted)] != wanted or any(axis not in introduced for axis in taken):
                continue
            before = shard_count(wanted, mesh)
            if before > 1 and -(-self.shape[dim] // before) != self.local[dim] * shard_count(taken, mesh):
                continue
            introduced = tuple(axis for axis in introduced if axis not in taken)
            dims = [wanted if index == dim else axes for index, axes in enumerate(self.layout.dims)]
            whole = _with(self.local, dim, self.local[dim] * shard_count(taken, mesh))
            after = Layout(mesh, dims, [*self.layout.unreduced, *taken], target.reduction)
            self._append(mesh, ShardedToUnreduced(whole, dim, taken, target.reduction), after)
            self._resize(mesh, local_shape(self.shape, after))
        return introduced

    def _scatter_along(self, dim: int, wanted: Axes, reduced: Axes, mesh: Mesh) -> Axes:
        """Slices and scatters dimension ``dim`` by the axes that it has in the target, ``wanted``, from the first that
        is missing, as far as that needs no other step. Returns the axes of ``reduced`` that are left."""
        now = self.layout.dims[dim]
        prefix = tuple(common_prefix(now, wanted))
        if prefix != now:
            return reduced
        for axis in axes_after_prefix(wanted, prefix, mesh):
            if any(is_factor(axis, other) for other in reduced):
                if not self._splits_evenly(dim, (axis,), mesh):
                    return reduced
                self._scatter(dim, (axis,), mesh)
                reduced = tuple(difference(reduced, (axis,), mesh))
            elif (
                any(excludes(axis, other) for other in self.layout.axes())
                or not reduced
                or not self._splits_evenly(dim, (axis,), mesh)
            ):
                return reduced
            else:
                self._slice(dim, (axis,), mesh)
        return reduced

    def _divisible_dim(self, axis: AxisRef, mesh: Mesh) -> int | None:
        """A dimension that can be sharded by ``axis`` as well and still divides; None if there is none."""
        for dim, size in enumerate(self.shape):
            if size % (self.layout.counts[dim] * axis.size(mesh)) == 0:
                return dim
        return None

    def _splits_evenly(self, dim: int, axes: Axes, mesh: Mesh) -> bool:
        """Whether each shard of ``dim`` consists of whole shards when the dimension is sharded by ``axes`` as well."""
        count = self.layout.counts[dim]
        further = count * shard_count(axes, mesh)
        size = self.shape[dim]
        return count == 1 or -(-size // count) * count == -(-size // further) * further

    def _scatter(self, dim: int, axes: Axes, mesh: Mesh) -> None:
        split, dims = self._split(dim, axes, mesh)
        rest = tuple(difference(self.layout.unreduced, axes, mesh))
        self._append(
            mesh,
            ReduceScatter(split, axes, self.layout.reduction, dim),
            Layout(mesh, dims, rest, self.layout.reduction),
        )

    def _slice(self, dim: int, axes: Axes, mesh: Mesh) -> None:
        split, dims = self._split(dim, axes, mesh)
        sliced = tuple(axes if index == dim else () for index in range(len(dims)))
        after = Layout(mesh, dims, self.layout.unreduced, self.layout.reduction)
        self._append(mesh, TakeShard(split, sliced), after)

    def _split(self, dim: int, axes: Axes, mesh: Mesh) -> tuple[Shape, list[Axes]]:
        """The local shape and the axes of the dimensions when ``dim`` is sharded by ``axes`` as well; pads it so that
        it divides."""
        count = shard_count(axes, mesh)
        after = -(-self.shape[dim] // (self.layout.counts[dim] * count))
        self._resize(mesh, _with(self.local, dim, after * count))
        dims = [(*old, *axes) if index == dim else old for index, old in enumerate(self.layout.dims)]
        return _with(self.local, dim, after), dims

    # --- dimensions ---------------------------------------------------------------------------------------------------

    def _change_dims(self, target: Dims, mesh: Mesh) -> None:
        """Appends the actions that give the dimensions the axes ``target``."""
        if self.layout.dims == target:
            return
        steps = self._steps_to(target, mesh)
        sizes = self._even_sizes(steps, mesh)
        uneven = {dim for dim, size in enumerate(sizes) if size is None}
        if uneven:
            self._change_dims_by_gather(uneven, target, mesh)
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
        """The steps to the axes ``target``: those of the strategy, or gathers and slices if permutes with their
        surcharge cost more."""
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

    def _change_dims_by_gather(self, uneven: set[int], target: Dims, mesh: Mesh) -> None:
        """Reshards the dimensions ``uneven``, whose shards begin at other elements afterwards, by gathering and slicing
        them."""
        self._gather(tuple(axes if dim in uneven else () for dim, axes in enumerate(self.layout.dims)), mesh)
        self._resize(mesh, local_shape(self.shape, self.layout))
        self._change_dims(tuple(() if dim in uneven else axes for dim, axes in enumerate(target)), mesh)
        final = self.layout.with_dims(target) if self.layout.mesh is mesh else Layout(mesh, target)
        shape = local_shape(self.shape, final)
        sliced = tuple(axes if dim in uneven else () for dim, axes in enumerate(target))
        grown = [size * shard_count(axes, mesh) for size, axes in zip(shape, sliced, strict=True)]
        self._resize(mesh, tuple(grown))
        if any(sliced):
            self._append(mesh, TakeShard(shape, sliced), final)

    def _even_sizes(self, steps: Sequence[CollectiveStep], mesh: Mesh) -> list[int | None]:
        """For each dimension the padded global size that every layout on the route divides; None if padding to that
        size would move the beginnings of the shards of source or target."""
        sizes: list[int | None] = []
        for dim, size in enumerate(self.shape):
            counts = [self.layout.counts[dim], *(shard_count(step.layout[dim], mesh) for step in steps)]
            even = -(-size // lcm(*counts)) * lcm(*counts)
            ends = (counts[0], counts[-1])
            aligned = all(count == 1 or -(-size // count) * count == even for count in ends)
            sizes.append(even if aligned else None)
        return sizes

    def _step(self, step: CollectiveStep, even: Sequence[int], mesh: Mesh) -> None:
        """Appends the actions of one step; ``even`` are the padded global sizes."""
        after = Layout(mesh, step.layout, self.layout.unreduced, self.layout.reduction)
        shape = tuple(size // count for size, count in zip(even, after.counts, strict=True))
        lists = step.axes[1] if step.axes is not None else None
        if isinstance(lists, AllToAllParamList):
            for number, param in enumerate(lists.params):
                last = number == len(lists.params) - 1
                dims = [list(axes) for axes in self.layout.dims]
                remove_minor(dims[param.source], param.axes)
                dims[param.target] += param.axes
                layout = after if last else Layout(mesh, dims, self.layout.unreduced, self.layout.reduction)
                here = tuple(size // count for size, count in zip(even, layout.counts, strict=True))
                self._append(mesh, AllToAll(here, param.axes, param.source, param.target), layout)
        elif isinstance(lists, ListOfAxisRefLists) and step.name == "sdy.all_slice":
            self._append(mesh, TakeShard(shape, lists.lists), after)
        elif isinstance(lists, ListOfAxisRefLists):
            self._gather(lists.lists, mesh)
            self.layout = after
        else:
            self._append(mesh, CollectivePermute(shape, self.layout, after), after)

    def _gather(self, lists: Dims, mesh: Mesh) -> None:
        # The last dimension first: gathers along earlier dimensions join longer contiguous runs of memory.
        for dim in reversed(range(len(lists))):
            if lists[dim]:
                shape = _with(self.local, dim, self.local[dim] * shard_count(lists[dim], mesh))
                dims = [list(axes) for axes in self.layout.dims]
                remove_minor(dims[dim], lists[dim])
                layout = Layout(mesh, dims, self.layout.unreduced, self.layout.reduction)
                self._append(mesh, AllGather(shape, dim, lists[dim]), layout)

    # --- meshes -------------------------------------------------------------------------------------------------------

    def _change_mesh(self, target: Layout) -> None:
        """Reshards to a mesh with other axes or another order of devices: within a common refinement, if there is one;
        by one permute, if every dimension has as many shards on both; otherwise through the replicated tensor."""
        source_mesh, target_mesh = self.layout.mesh, target.mesh
        assert source_mesh is not None and target_mesh is not None
        common = refinement_for(self.layout, target)
        if common is not None:
            source, reached = translated(self.layout, common), translated(target, common)
            if source is not None and reached is not None:
                self.layout = source
                self.reshard_to(reached)
                self.layout = target
                return
        if self.layout.unreduced:
            self.reshard_to(Layout(source_mesh, self.layout.dims))
        if self.layout.mesh is None or source_mesh.total_size != target_mesh.total_size:
            self.reshard_to(replicated(len(self.shape)))
        elif self.layout.counts == target.counts:
            reached = Layout(target_mesh, target.dims)
            self._append(source_mesh, CollectivePermute(self.local, self.layout, reached), reached)
        else:
            self.reshard_to(replicated(len(self.shape)))
        self.reshard_to(target)

    # --- actions ------------------------------------------------------------------------------------------------------

    def _resize(self, mesh: Mesh, shape: Shape) -> None:
        if shape != self.local:
            self._append(mesh, Resize(shape), self.layout)

    def _append(self, mesh: Mesh, action: ReshardAction, layout: Layout) -> None:
        self.elements += elements_received(action, self.local, mesh)
        self.actions.append((mesh, action))
        self.local = action.shape
        self.layout = layout


def _with(shape: Iterable[int], dim: int, size: int) -> Shape:
    return tuple(size if index == dim else old for index, old in enumerate(shape))
