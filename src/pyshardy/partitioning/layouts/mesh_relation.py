"""Translates a layout from the axes of one mesh to those of another mesh over the same devices.

Two meshes over the same devices in the same order may split them differently: an axis "x" of size 8 of one may be axis
"a" of size 2 and axis "b" of size 4 of the other. An axis covers an interval of strides, so a layout can be translated
where the intervals of both meshes fit. Where they do not, both layouts are translated to a mesh that is split wherever
one of the two is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from pyshardy.emitting.layout import Axes, Layout
from pyshardy.resharding.shard_places import stride_of
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh


@lru_cache(maxsize=1 << 12)
def translated(layout: Layout, mesh: Mesh) -> Layout | None:
    """``layout`` in axes of ``mesh``, so that every device holds the same shard; None if no axes of ``mesh`` express
    it."""
    if layout.mesh is None or layout.mesh is mesh:
        return layout
    if layout.mesh.total_size != mesh.total_size or layout.mesh.device_ids != mesh.device_ids:
        return None
    dims = [_translated(axes, layout.mesh, mesh) for axes in layout.dims]
    unreduced = _translated(layout.unreduced, layout.mesh, mesh)
    if unreduced is None:
        return None
    known = [axes for axes in dims if axes is not None]
    return Layout(mesh, known, unreduced, layout.reduction) if len(known) == len(dims) else None


def _translated(axes: Axes, source: Mesh, target: Mesh) -> Axes | None:
    found: list[AxisRef] = []
    for axis in axes:
        low = stride_of(axis, source)
        parts = _parts(low, low * axis.size(source), target)
        if parts is None:
            return None
        found += parts
    return tuple(found)


def _parts(low: int, high: int, mesh: Mesh) -> list[AxisRef] | None:
    """The axes and sub-axes of ``mesh`` that cover the strides from ``low`` to ``high``, major to minor; None if there
    are none."""
    parts: list[AxisRef] = []
    count = 1
    for one in mesh.axes:
        begin = stride_of(AxisRef(one.name), mesh)
        end = begin * one.size
        first, stop = max(low, begin), min(high, end)
        if first >= stop:
            continue
        if end % stop or stop % first or first % begin:
            return None
        whole = first == begin and stop == end
        parts.append(AxisRef(one.name) if whole else AxisRef(one.name, end // stop, stop // first))
        count *= stop // first
    return parts if count * low == high else None


@lru_cache(maxsize=256)
def common_refinement(a: Mesh, b: Mesh, axes: tuple[tuple[Mesh, AxisRef], ...] = ()) -> Mesh | None:
    """A mesh that is split wherever ``a``, ``b`` or one of ``axes`` is; None if the sizes do not divide each other."""
    if a.total_size != b.total_size or a.device_ids != b.device_ids:
        return None
    cuts = {1, a.total_size}
    for mesh in (a, b):
        cuts.update(stride_of(AxisRef(one.name), mesh) for one in mesh.axes)
    for mesh, axis in axes:
        low = stride_of(axis, mesh)
        cuts |= {low, low * axis.size(mesh)}
    places = sorted(cuts, reverse=True)
    if any(high % low for high, low in pairwise(places)):
        return None
    return Mesh([(f"stride {low}", high // low) for high, low in pairwise(places)], a.device_ids)


def refinement_for(source: Layout, target: Layout) -> Mesh | None:
    """A mesh whose axes express both layouts, which are on different meshes; None if there is none."""
    if source.mesh is None or target.mesh is None:
        return None
    return common_refinement(source.mesh, target.mesh, (*_with_mesh(source), *_with_mesh(target)))


def _with_mesh(layout: Layout) -> Iterable[tuple[Mesh, AxisRef]]:
    assert layout.mesh is not None
    for axis in layout.axes():
        yield layout.mesh, axis
