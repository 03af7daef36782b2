"""The simplest sequence from one layout to another: gather the axes that differ, then slice.

It may move more than necessary, but reaches every layout. ``collective_plan`` falls back on it.
"""

from __future__ import annotations

from pyshardy.resharding.axis_alignment import Layout, axes_after_prefix, common_prefix
from pyshardy.resharding.collective_steps import CollectiveStep, all_gather, all_slice, collective_permute
from pyshardy.sharding.mesh import Mesh


def direct_sequence(mesh: Mesh, source: Layout, target: Layout, changes_mesh: bool) -> list[CollectiveStep]:
    """At most one gather, one slice and, if ``changes_mesh``, a permute between meshes that differ in the order of
    devices."""
    kept = [common_prefix(old, new) for old, new in zip(source, target, strict=True)]
    gathered = [axes_after_prefix(old, prefix, mesh) for old, prefix in zip(source, kept, strict=True)]
    sliced = [axes_after_prefix(new, prefix, mesh) for new, prefix in zip(target, kept, strict=True)]
    steps: list[CollectiveStep] = []
    if any(gathered):
        steps.append(all_gather(gathered, kept, not changes_mesh))
    if any(sliced):
        steps.append(all_slice(sliced, target, not changes_mesh))
    if changes_mesh:
        steps.append(collective_permute(target))
    return steps
