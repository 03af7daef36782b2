"""The collectives that turn one layout into another: a pure function of meshes, layouts and shape.

Strategy ``reference`` takes Shardy's sequence if it reaches the target, and completes it otherwise; ``verbatim`` does
not complete it if only axes of size 1 are missing; ``optimal`` takes the sequence that moves the fewest bytes.
``reshard_steps`` and the partitioner use the result.
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
    """The collectives that turn layout ``source`` into ``target``.

    Args:
      mesh: the mesh of ``source``.
      source: the axes of each dimension, from major to minor.
      target: the same after the last step.
      shape: of the whole tensor; dynamic sizes are ``DYNAMIC``.
      target_mesh: the mesh of ``target`` if that has its devices in another order; otherwise None.
      unreduced: axes over which the tensor is unreduced before, and reduced afterwards.
      kept: axes over which the tensor is unreduced before and afterwards: no step may split it along them.
      permute_surcharge: the cost of a permute for ``optimal``, in elements, besides the elements that it moves.
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
    """Whether ``steps`` end at ``target``; axes of size 1 of the mesh ``ignoring``, if given, do not matter."""
    reached = steps[-1].layout if steps else source
    if ignoring is None:
        return reached == target
    found, wanted = ([[axis for axis in axes if axis.size(ignoring) > 1] for axes in one] for one in (reached, target))
    return found == wanted


def _completed(
    steps: list[CollectiveStep], mesh: Mesh, source: Layout, target: Layout, shape: Sequence[int], changes_mesh: bool
) -> list[CollectiveStep]:
    """The cheapest sequence that follows ``steps`` up to some point and then goes directly to ``target``."""
    sequences = []
    for count in range(len(steps) + 1):
        start = steps[:count]
        if not is_sound(start, source, mesh):
            break
        layout = start[-1].layout if start else source
        moves_on = changes_mesh and not (start and start[-1].on_target_mesh)
        sequences.append([*start, *direct_sequence(mesh, layout, target, moves_on)])
    return min(sequences, key=lambda sequence: (elements_moved(sequence, source, shape, mesh), len(sequence)))
