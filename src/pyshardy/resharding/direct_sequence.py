"""From one layout to another by the plainest way: gather what is in the way, then slice.

It moves more than it must, but it reaches every layout; ``collective_plan`` falls back on it.
"""

from __future__ import annotations

from pyshardy.resharding.axis_alignment import Layout, behind, common_prefix
from pyshardy.resharding.collective_steps import CollectiveStep, all_gather, all_slice, collective_permute
from pyshardy.sharding.mesh import Mesh


def direct_sequence(mesh: Mesh, source: Layout, target: Layout, changes_mesh: bool) -> list[CollectiveStep]:
    """At most one gather, one slice and, if ``changes_mesh``, a permute between meshes that differ in the order of
    their devices."""
    kept = [common_prefix(old, new) for old, new in zip(source, target, strict=True)]
    gathered = [behind(old, prefix, mesh) for old, prefix in zip(source, kept, strict=True)]
    sliced = [behind(new, prefix, mesh) for new, prefix in zip(target, kept, strict=True)]
    steps: list[CollectiveStep] = []
    if any(gathered):
        steps.append(all_gather(gathered, kept, not changes_mesh))
    if any(sliced):
        steps.append(all_slice(sliced, target, not changes_mesh))
    if changes_mesh:
        steps.append(collective_permute(target))
    return steps
