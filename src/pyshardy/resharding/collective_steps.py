"""The steps of a reshard: one collective each, with the layout after it and its cost.

Steps describe the whole tensor in axes of its mesh. What devices do with their shards (padding, slices, masks) is in
``partitioning.layouts.reshard_actions``. ``collective_sequence``, ``direct_sequence`` and ``optimal_sequence`` make
lists of steps; ``passes.exporting.reshard_to_collectives`` makes operations of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from pyshardy.ir.attribute import Attribute
from pyshardy.resharding.axis_alignment import Layout
from pyshardy.resharding.byte_model import local_elements, received
from pyshardy.resharding.shard_places import placed_alike
from pyshardy.sharding.axes import AxisRef, excludes, shard_count
from pyshardy.sharding.lists import AllToAllParam, AllToAllParamList, AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh


class CollectiveStep(NamedTuple):
    """One collective: the name of the operation, its property that names axes (None for a permute), the layout after
    it, whether that is on the mesh of the target, and the axes over which the tensor is still unreduced."""

    name: str
    axes: tuple[str, Attribute] | None
    layout: Layout
    on_target_mesh: bool
    unreduced: tuple[AxisRef, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of collective, without its dialect."""
        return self.name.removeprefix("sdy.")


def _frozen(dims: Iterable[Iterable[AxisRef]]) -> Layout:
    return tuple(map(tuple, dims))


def all_gather(
    axes: Sequence[Sequence[AxisRef]], dims: Sequence[Sequence[AxisRef]], on_target_mesh: bool
) -> CollectiveStep:
    """Removes ``axes`` from the minor end of each dimension."""
    return CollectiveStep("sdy.all_gather", ("gathering_axes", ListOfAxisRefLists(axes)), _frozen(dims), on_target_mesh)


def all_slice(
    axes: Sequence[Sequence[AxisRef]], dims: Sequence[Sequence[AxisRef]], on_target_mesh: bool
) -> CollectiveStep:
    """Adds ``axes`` at the minor end of each dimension."""
    return CollectiveStep("sdy.all_slice", ("slicing_axes", ListOfAxisRefLists(axes)), _frozen(dims), on_target_mesh)


def all_to_all(
    moves: Iterable[tuple[Sequence[AxisRef], int, int]], dims: Sequence[Sequence[AxisRef]], on_target_mesh: bool
) -> CollectiveStep:
    """Moves axes from the minor end of a source dimension to that of a target dimension. Several moves have no
    dimension in common."""
    params = AllToAllParamList([AllToAllParam(axes, source, target) for axes, source, target in moves])
    return CollectiveStep("sdy.all_to_all", ("params", params), _frozen(dims), on_target_mesh)


def all_reduce(axes: Sequence[AxisRef], dims: Sequence[Sequence[AxisRef]], on_target_mesh: bool) -> CollectiveStep:
    """Reduces over ``axes``."""
    return CollectiveStep("sdy.all_reduce", ("reduction_axes", AxisRefList(axes)), _frozen(dims), on_target_mesh)


def reduce_scatter(
    axes: Sequence[Sequence[AxisRef]], dims: Sequence[Sequence[AxisRef]], on_target_mesh: bool
) -> CollectiveStep:
    """Reduces over ``axes`` and adds them at the minor end of each dimension."""
    return CollectiveStep(
        "sdy.reduce_scatter", ("reduce_scatter_axes", ListOfAxisRefLists(axes)), _frozen(dims), on_target_mesh
    )


def collective_permute(dims: Sequence[Sequence[AxisRef]]) -> CollectiveStep:
    """Replaces the axes by others that split each dimension into as many shards, and changes to the target's mesh."""
    return CollectiveStep("sdy.collective_permute", None, _frozen(dims), True)


# --- properties of a sequence -----------------------------------------------------------------------------------------


def is_sound(steps: Sequence[CollectiveStep], source: Layout, mesh: Mesh) -> bool:
    """Whether each of ``steps``, which start from ``source``, leaves a valid layout, and each permute leaves the number
    of shards of every dimension unchanged."""
    before = source
    for step in steps:
        axes = [axis for dim in step.layout for axis in dim]
        if any(excludes(a, b) for a, b in combinations(axes, 2)):
            return False
        if step.axes is None and _shard_counts(before, mesh) != _shard_counts(step.layout, mesh):
            return False
        before = step.layout
    return True


def _shard_counts(layout: Layout, mesh: Mesh) -> list[int]:
    return [shard_count(axes, mesh) for axes in layout]


def elements_moved(
    steps: Sequence[CollectiveStep], source: Layout, shape: Sequence[int], mesh: Mesh, target_mesh: Mesh | None = None
) -> Fraction:
    """How many elements each device receives during ``steps`` by the byte model; ``shape`` is that of the whole tensor.

    A permute to ``target_mesh`` that leaves every shard on its device moves nothing.
    """
    total = Fraction(0)
    layout, before = source, local_elements(source, shape, mesh)
    on_target_mesh = False
    for step in steps:
        after = local_elements(step.layout, shape, mesh)
        arrives = step.on_target_mesh and not on_target_mesh
        if not (target_mesh is not None and arrives and placed_alike(layout, mesh, step.layout, target_mesh)):
            total += received(step.kind, before, after, group_size(step.axes, mesh))
        layout, before, on_target_mesh = step.layout, after, step.on_target_mesh
    return total


def group_size(axes: tuple[str, Attribute] | None, mesh: Mesh) -> int:
    """The number of devices in a group of a step with these ``axes``; 1 for a permute."""
    return shard_count(_named_axes(axes[1]), mesh) if axes is not None else 1


def _named_axes(value: Attribute) -> Iterator[AxisRef]:
    if isinstance(value, AllToAllParamList):
        return (axis for param in value for axis in param.axes)
    if isinstance(value, ListOfAxisRefLists):
        return (axis for axes in value for axis in axes)
    assert isinstance(value, AxisRefList)
    return iter(value)


def fused(steps: Iterable[CollectiveStep]) -> list[CollectiveStep]:
    """``steps`` with neighbouring all-to-alls on different dimensions merged into one, as the canonicalizer does."""
    joined: list[CollectiveStep] = []
    for step in steps:
        both = _one_all_to_all(joined[-1], step) if joined else None
        if both is None:
            joined.append(step)
        else:
            joined[-1] = both
    return joined


def _one_all_to_all(first: CollectiveStep, second: CollectiveStep) -> CollectiveStep | None:
    if first.axes is None or second.axes is None:
        return None
    one, other = first.axes[1], second.axes[1]
    if not (isinstance(one, AllToAllParamList) and isinstance(other, AllToAllParamList)):
        return None
    params = (*one, *other)
    dims = [dim for param in params for dim in (param.source, param.target)]
    if len(set(dims)) < len(dims):
        return None
    both = AllToAllParamList(sorted(params, key=lambda param: param.source))
    return second._replace(axes=("params", both))
