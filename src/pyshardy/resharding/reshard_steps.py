"""The collectives that turn one sharding into another: layouts, meshes, and unreduced axes.

A pure function on interned values. ``collective_plan`` plans the change of layout. The pass that turns reshards into
collectives takes the steps from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pyshardy.ir.attribute import Attribute
from pyshardy.resharding.axis_alignment import Layout, rest_after
from pyshardy.resharding.byte_model import local_elements, received
from pyshardy.resharding.collective_plan import collective_plan
from pyshardy.resharding.collective_steps import group_size
from pyshardy.resharding.shard_places import placed_alike
from pyshardy.sharding.axes import AxisRef, difference, sort_and_merge
from pyshardy.sharding.lists import AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding


class ReshardStep(NamedTuple):
    """One collective of the ``sdy`` dialect: its name, its property that names axes (None for a permute), the sharding
    of its result, and its reduction, if it has one."""

    name: str
    axes: tuple[str, Attribute] | None
    out_sharding: TensorSharding
    reduction_op: str = "sum"

    @property
    def kind(self) -> str:
        """The kind of collective, without its dialect."""
        return self.name.removeprefix("sdy.")


def reshard_steps(
    source: TensorSharding,
    target: TensorSharding,
    mesh: Mesh,
    shape: Sequence[int],
    *,
    target_mesh: Mesh | None = None,
    strategy: str = "optimal",
) -> tuple[ReshardStep, ...]:
    """The collectives that turn ``source`` into ``target``; replicated axes and open dimensions do not matter.

    Args:
      source: the sharding of the tensor, on ``mesh``.
      target: the sharding that it is to have.
      mesh: the mesh of ``source``, and of ``target`` unless there is a ``target_mesh``.
      shape: of the whole tensor; dynamic sizes are ``DYNAMIC``.
      target_mesh: the mesh of ``target`` if that has its devices in another order.
      strategy: ``optimal`` moves the fewest bytes by the byte model and is never more expensive than ``reference``,
        which does as Shardy does.
    """
    if target_mesh is mesh:
        target_mesh = None
    kept = _kept(source, target, mesh, on_one_mesh=target_mesh is None)
    if kept and target_mesh is not None:
        # Partial sums must move between devices together with the shards, which the search does not ensure.
        strategy = "reference"
    reduced = difference(source.unreduced, kept, mesh)
    added = difference(target.unreduced, kept, mesh)
    taken = [_taken(old.axes, new.axes, added, mesh) for old, new in zip(source.dims, target.dims, strict=True)]
    between = tuple(
        old.axes if axes else new.axes for old, new, axes in zip(source.dims, target.dims, taken, strict=True)
    )
    plan = collective_plan(
        mesh, layout_of(source), between, shape, target_mesh, unreduced=reduced, kept=kept, strategy=strategy
    )
    # If both shardings name one mesh in different ways, the value keeps the name of the source.
    references = (source.mesh_or_ref, target.mesh_or_ref if target_mesh is not None else source.mesh_or_ref)
    steps: list[ReshardStep] = []
    for step in plan:
        unreduced = kept if not step.unreduced else sort_and_merge([*kept, *step.unreduced], mesh)
        kind = source.reduction_op if step.unreduced else target.reduction_op
        dims = map(DimSharding, step.layout)
        made = TensorSharding(references[step.on_target_mesh], dims, (), unreduced, kind)
        steps.append(ReshardStep(step.name, step.axes, made, source.reduction_op))
    if added:
        steps += _introduced(target, between, references[1], kept, added, taken, mesh)
    return tuple(steps)


def bytes_of_steps(
    steps: Sequence[ReshardStep],
    source: TensorSharding,
    mesh: Mesh,
    shape: Sequence[int],
    element_bytes: float,
    *,
    target_mesh: Mesh | None = None,
) -> list[float]:
    """The bytes that each device receives in each of ``steps``, which start from ``source``, by the byte model.

    A permute to ``target_mesh`` that leaves every shard on its device moves nothing.
    """
    found: list[float] = []
    now, before = source, local_elements(layout_of(source), shape, mesh)
    for step in steps:
        after = local_elements(layout_of(step.out_sharding), shape, mesh)
        elements = received(step.kind, before, after, group_size(step.axes, mesh))
        if target_mesh is not None and step.out_sharding.mesh_or_ref != now.mesh_or_ref and not now.unreduced:
            layouts = layout_of(now), layout_of(step.out_sharding)
            elements *= not placed_alike(layouts[0], mesh, layouts[1], target_mesh)
        found.append(float(elements) * element_bytes)
        now, before = step.out_sharding, after
    return found


def layout_of(sharding: TensorSharding) -> Layout:
    """The axes of each dimension."""
    return tuple(dim.axes for dim in sharding.dims)


# --- unreduced axes ---------------------------------------------------------------------------------------------------


def _kept(source: TensorSharding, target: TensorSharding, mesh: Mesh, *, on_one_mesh: bool) -> list[AxisRef]:
    """The axes over which the value stays unreduced."""
    if not source.unreduced or source.reduction_op != target.reduction_op:
        return []
    if source.unreduced == target.unreduced:
        return list(target.unreduced)
    if not on_one_mesh:
        return []
    return difference(source.unreduced, difference(source.unreduced, target.unreduced, mesh), mesh)


def _taken(old: Sequence[AxisRef], new: Sequence[AxisRef], added: Sequence[AxisRef], mesh: Mesh) -> list[AxisRef]:
    """The axes of ``old`` after ``new``, if all of them become unreduced axes; none otherwise."""
    rest = rest_after(old, new, mesh) if added else []
    return [] if difference(rest, added, mesh) else rest


def _introduced(
    target: TensorSharding,
    now: Layout,
    reference: str | Mesh,
    kept: Sequence[AxisRef],
    added: Sequence[AxisRef],
    taken: Sequence[Sequence[AxisRef]],
    mesh: Mesh,
) -> list[ReshardStep]:
    """The steps that make a value with layout ``now`` unreduced over ``added``; it loses the axes ``taken`` of its
    dimensions."""
    steps: list[ReshardStep] = []
    from_shards = [axis for axes in taken for axis in axes]
    from_replicas = difference(added, from_shards, mesh)
    kind = target.reduction_op
    if from_replicas:
        unreduced = sort_and_merge([*kept, *from_replicas], mesh)
        made = TensorSharding(reference, map(DimSharding, now), (), unreduced, kind)
        steps.append(ReshardStep("sdy.replicated_to_unreduced", ("axes", AxisRefList(from_replicas)), made))
    if from_shards:
        made = TensorSharding(reference, [DimSharding(dim.axes) for dim in target.dims], (), target.unreduced, kind)
        steps.append(ReshardStep("sdy.sharded_to_unreduced", ("axes", ListOfAxisRefLists(taken)), made))
    return steps
