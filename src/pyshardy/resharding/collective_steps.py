"""The steps of a reshard: one collective each, with the layout that it leaves, and what it costs.

Stands on ``axis_alignment``. The planners (``collective_sequence``, ``direct_sequence``) make lists of steps, and
``passes.exporting.reshard_to_collectives`` makes operations of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from pyshardy.ir.attributes import Attribute
from pyshardy.resharding.axis_alignment import Layout, shard_count
from pyshardy.sharding.axes import AxisRef, can_coexist, overlaps
from pyshardy.sharding.lists import AllToAllParam, AllToAllParamList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh


class Step(NamedTuple):
    """One collective: the operation's name, its property that names axes (None for a permute), the layout behind it,
    and whether that is on the mesh of the target."""

    name: str
    axes: tuple[str, Attribute] | None
    layout: Layout
    on_target_mesh: bool


def _frozen(dims: Iterable[Iterable[AxisRef]]) -> Layout:
    return tuple(map(tuple, dims))


def all_gather(axes: Sequence[Sequence[AxisRef]], dims: Sequence[Sequence[AxisRef]], on_target_mesh: bool) -> Step:
    """Takes ``axes`` off the minor end of each dimension."""
    return Step("sdy.all_gather", ("gathering_axes", ListOfAxisRefLists(axes)), _frozen(dims), on_target_mesh)


def all_slice(axes: Sequence[Sequence[AxisRef]], dims: Sequence[Sequence[AxisRef]], on_target_mesh: bool) -> Step:
    """Adds ``axes`` at the minor end of each dimension."""
    return Step("sdy.all_slice", ("slicing_axes", ListOfAxisRefLists(axes)), _frozen(dims), on_target_mesh)


def all_to_all(
    axes: Sequence[AxisRef], source: int, target: int, dims: Sequence[Sequence[AxisRef]], on_target_mesh: bool
) -> Step:
    """Moves ``axes`` from the minor end of dimension ``source`` to that of ``target``."""
    params = AllToAllParamList([AllToAllParam(axes, source, target)])
    return Step("sdy.all_to_all", ("params", params), _frozen(dims), on_target_mesh)


def collective_permute(dims: Sequence[Sequence[AxisRef]]) -> Step:
    """Exchanges the axes for others that split each dimension as often, and goes to the target's mesh."""
    return Step("sdy.collective_permute", None, _frozen(dims), True)


# --- what a sequence is worth -----------------------------------------------------------------------------------------


def is_sound(steps: Sequence[Step], source: Layout, mesh: Mesh) -> bool:
    """Whether each step of ``steps``, which begin at ``source``, leaves a layout that may exist, and each permute as
    many shards in every dimension as there were."""
    before = source
    for step in steps:
        axes = [axis for dim in step.layout for axis in dim]
        if any(overlaps(a, b) or not can_coexist(a, b) for a, b in combinations(axes, 2)):
            return False
        if step.axes is None and _shard_counts(before, mesh) != _shard_counts(step.layout, mesh):
            return False
        before = step.layout
    return True


def _shard_counts(layout: Layout, mesh: Mesh) -> list[int]:
    return [shard_count(axes, mesh) for axes in layout]


def elements_moved(steps: Sequence[Step], source: Layout, shape: Sequence[int], mesh: Mesh) -> float:
    """How many elements each device receives during ``steps``; ``shape`` is the whole tensor's, and shards are padded
    to equal size. A dynamic (negative) size counts as 1."""
    total = 0.0
    before = source
    for step in steps:
        cost = _COSTS.get(step.name)
        if cost is not None:
            total += cost(step, _local_elements(before, shape, mesh), _local_elements(step.layout, shape, mesh), mesh)
        before = step.layout
    return total


def _local_elements(layout: Layout, shape: Sequence[int], mesh: Mesh) -> int:
    elements = 1
    for size, axes in zip(shape, layout, strict=True):
        elements *= -(-max(size, 1) // shard_count(axes, mesh)) if size else 0
    return elements


def _gather_cost(step: Step, operand: int, result: int, mesh: Mesh) -> float:
    assert step.axes is not None and isinstance(step.axes[1], ListOfAxisRefLists)
    group = shard_count((axis for axes in step.axes[1] for axis in axes), mesh)
    return result * (group - 1) / group


def _all_to_all_cost(step: Step, operand: int, result: int, mesh: Mesh) -> float:
    assert step.axes is not None and isinstance(step.axes[1], AllToAllParamList)
    group = shard_count((axis for param in step.axes[1] for axis in param.axes), mesh)
    return operand * (group - 1) / group


def _permute_cost(step: Step, operand: int, result: int, mesh: Mesh) -> float:
    return operand


_COSTS: dict[str, Callable[[Step, int, int, Mesh], float]] = {
    "sdy.all_gather": _gather_cost,
    "sdy.all_to_all": _all_to_all_cost,
    "sdy.collective_permute": _permute_cost,
}
"""A slice is free."""
