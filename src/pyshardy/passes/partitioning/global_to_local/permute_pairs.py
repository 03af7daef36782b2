"""Who sends to whom in a collective-permute, so that shards along some axes become shards along others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod

from pyshardy.emitting.devices import dense_pairs, index_of_place, pairs_by_content, pieces
from pyshardy.emitting.layout import Axes
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh


@lru_cache(maxsize=256)
def permute_pairs(source_mesh: Mesh, source: Axes, target_mesh: Mesh, target: Axes) -> DenseElementsAttr:
    """Who sends to whom so that shards along ``source`` become shards along ``target``, by sender. Both meshes have the
    same axes."""
    cut = pieces(target_mesh, [*source, *target])
    if prod(piece.size(target_mesh) for piece in cut) != target_mesh.total_size:
        return dense_pairs(pairs_by_content(source_mesh, source, target_mesh, target))
    receivers = _by_index(target_mesh, _ordered(target, cut, target_mesh))
    senders = _by_index(source_mesh, _ordered(source, cut, source_mesh))
    return dense_pairs(sorted(zip(senders, receivers, strict=True)))


def _ordered(axes: Axes, cut: Sequence[AxisRef], mesh: Mesh) -> Axes:
    """The pieces of ``axes`` in order, then all others."""
    listed: dict[AxisRef, None] = {}
    for axis in axes:
        for piece in cut:
            if piece.name == axis.name and axis.pre <= piece.pre and piece.end(mesh) <= axis.end(mesh):
                listed[piece] = None
    return (*listed, *(piece for piece in cut if piece not in listed))


def _by_index(mesh: Mesh, axes: Axes) -> list[int]:
    """The devices by their shard index along ``axes``, which are all there are."""
    ids = mesh.device_ids or range(mesh.total_size)
    devices = [0] * mesh.total_size
    for place, device in enumerate(ids):
        devices[index_of_place(place, mesh, axes)] = device
    return devices
