"""Which collectives make one layout of another: a pure function of mesh, layouts and shape.

It takes Shardy's sequence where that is right, and otherwise finishes the job. ``passes.exporting`` turns the plan
into operations.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.resharding.collective_sequence import collective_sequence
from pyshardy.resharding.collective_steps import Step, elements_moved, is_sound
from pyshardy.resharding.direct_sequence import direct_sequence
from pyshardy.sharding.mesh import Mesh


def collective_plan(
    mesh: Mesh, source: Layout, target: Layout, shape: Sequence[int], changes_mesh: bool = False
) -> tuple[Step, ...]:
    """The collectives that lead from ``source`` to ``target``.

    Args:
      mesh: the mesh of both, or, if ``changes_mesh``, one of two that differ in the order of their devices alone.
      source: the axes of each dimension, from major to minor.
      target: the same behind the last step.
      shape: of the whole tensor; dynamic sizes are ``DYNAMIC``.
      changes_mesh: whether the data must go to another order of devices.
    """
    steps = collective_sequence(mesh, source, target, shape, changes_mesh)
    if _reaches(steps, source, target) and is_sound(steps, source, mesh):
        return tuple(steps)
    return tuple(_completed(steps, mesh, source, target, shape, changes_mesh))


def _reaches(steps: Sequence[Step], source: Layout, target: Layout) -> bool:
    return (steps[-1].layout if steps else source) == target


def _completed(
    steps: list[Step], mesh: Mesh, source: Layout, target: Layout, shape: Sequence[int], changes_mesh: bool
) -> list[Step]:
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
