"""Which collectives make one layout of another: a pure function of meshes, layouts and shape.

By the strategy ``reference`` it takes Shardy's sequence where that is right, and otherwise finishes the job, by
``verbatim`` unless only axes of size 1 are missing; by ``optimal`` it takes what moves the fewest bytes.
``reshard_steps`` asks it for the layout part of a reshard.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.resharding.collective_sequence import collective_sequence
from pyshardy.resharding.collective_steps import CollectiveStep, all_reduce, elements_moved, is_sound
from pyshardy.resharding.direct_sequence import direct_sequence
from pyshardy.sharding.axes import AxisRef, sort_and_merge
from pyshardy.sharding.mesh import Mesh


def collective_plan(
    mesh: Mesh,
    source: Layout,
    target: Layout,
    shape: Sequence[int],
    target_mesh: Mesh | None = None,
    *,
    unreduced: Sequence[AxisRef] = (),
    kept: Sequence[AxisRef] = (),
    permute_surcharge: int = 0,
    strategy: str = "reference",
) -> tuple[CollectiveStep, ...]:
    """The collectives that lead from ``source`` to ``target``.

    Args:
      mesh: the mesh of ``source``.
      source: the axes of each dimension, from major to minor.
      target: the same behind the last step.
      shape: of the whole tensor; dynamic sizes are ``DYNAMIC``.
      target_mesh: the mesh of ``target`` if that has its devices in another order; otherwise None.
      unreduced: axes over which the tensor is a sum at first, and is none in the end.
      kept: axes over which the tensor is a sum at first and in the end: no step may split it along them.
      permute_surcharge: what a permute costs ``optimal`` besides the elements that it moves, in elements.
      strategy: one of ``RESHARD_STRATEGIES``.
    """
    changes_mesh = target_mesh is not None
    steps = collective_sequence(mesh, source, target, shape, changes_mesh)
    ignoring = mesh if strategy == "verbatim" else None
    if not (_reaches(steps, source, target, ignoring) and is_sound(steps, source, mesh)):
        steps = _completed(steps, mesh, source, target, shape, changes_mesh)
    if unreduced:
        steps.insert(0, all_reduce(sort_and_merge(unreduced, mesh), source, not changes_mesh))
    if strategy == "optimal":
        from pyshardy.resharding.optimal_sequence import optimal_sequence

        steps = optimal_sequence(steps, mesh, source, target, shape, unreduced, target_mesh, kept, permute_surcharge)
    return tuple(steps)


def _reaches(steps: Sequence[CollectiveStep], source: Layout, target: Layout, ignoring: Mesh | None = None) -> bool:
    """Whether ``steps`` end at ``target``; apart from axes of size 1 of the mesh ``ignoring``, if given."""
    reached = steps[-1].layout if steps else source
    if ignoring is None:
        return reached == target
    found, wanted = ([[axis for axis in axes if axis.size(ignoring) > 1] for axes in one] for one in (reached, target))
    return found == wanted


def _completed(
    steps: list[CollectiveStep], mesh: Mesh, source: Layout, target: Layout, shape: Sequence[int], changes_mesh: bool
) -> list[CollectiveStep]:
    """The cheapest of the ways that follow ``steps`` to some point and go straight to ``target`` from there."""
    ways = []
    for count in range(len(steps) + 1):
        start = steps[:count]
        if not is_sound(start, source, mesh):
            break
        layout = start[-1].layout if start else source
        moves_on = changes_mesh and not (start and start[-1].on_target_mesh)
        ways.append([*start, *direct_sequence(mesh, layout, target, moves_on)])
    return min(ways, key=lambda way: (elements_moved(way, source, shape, mesh), len(way)))
