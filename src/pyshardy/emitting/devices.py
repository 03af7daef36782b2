"""Which devices communicate: replica groups along axes, and the pairs of a permute.

The coordinates of a device are the digits of its position in the mesh; the shard index along a list of axes is made of
its coordinates along them, the first axis most significant. Groups are ordered by the other axes, and a device's
position in its group is its shard index. No function costs more than the text that it produces: the compact form of
replica groups names axes, the dense form lists all devices once for each list of axes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from pyshardy.dialects.stablehlo import attributes as stablehlo
from pyshardy.emitting.layout import Axes
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, SymbolRefAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.limits import LimitExceeded, limit
from pyshardy.ir.types import I64, TensorType
from pyshardy.resharding.shard_places import stride_of
from pyshardy.sharding.axes import AxisRef, can_coexist
from pyshardy.sharding.mesh import Mesh


def shard_index(device: int, mesh: Mesh, axes: Iterable[AxisRef]) -> int:
    """The index of the shard that ``device`` holds of a dimension sharded along ``axes``."""
    place = mesh.device_ids.index(device) if mesh.device_ids else device
    return index_of_place(place, mesh, axes)


def index_of_place(place: int, mesh: Mesh, axes: Iterable[AxisRef]) -> int:
    """The shard index of the device at position ``place`` of the mesh."""
    index = 0
    for axis in axes:
        index = index * axis.size(mesh) + place // stride_of(axis, mesh) % axis.size(mesh)
    return index


def pieces(mesh: Mesh, axes: Iterable[AxisRef]) -> list[AxisRef]:
    """The axes of ``mesh`` in order, split where a sub-axis of ``axes`` begins or ends."""
    cuts: dict[str, set[int]] = {axis.name: {1, axis.size} for axis in mesh.axes}
    for axis in axes:
        cuts[axis.name] |= {axis.pre, axis.end(mesh)}
    cut: list[AxisRef] = []
    for whole in mesh.axes:
        places = sorted(cuts[whole.name])
        if len(places) <= 2:
            cut.append(AxisRef(whole.name))
        else:
            cut += [AxisRef(whole.name, a, b // a) for a, b in pairwise(places)]
    return cut


def _places(mesh: Mesh, axes: Sequence[AxisRef]) -> list[int]:
    """The positions in the mesh of all coordinates along ``axes``, where all others are 0; the last axis varies
    fastest."""
    places = [0]
    for axis in axes:
        stride = stride_of(axis, mesh)
        places = [place + stride * coordinate for place in places for coordinate in range(axis.size(mesh))]
    return places


def _split(mesh: Mesh, axes: Sequence[AxisRef], cut: Sequence[AxisRef]) -> tuple[list[AxisRef], list[AxisRef]]:
    """The pieces of the mesh that are not in ``axes``, and those that are, in order of ``axes``; ``cut`` are all
    pieces."""
    inside: list[AxisRef] = []
    for axis in axes:
        inside += [
            piece
            for piece in cut
            if piece.name == axis.name and axis.pre <= piece.pre and piece.end(mesh) <= axis.end(mesh)
        ]
    return [piece for piece in cut if piece not in inside], inside


def check_listed_devices(mesh: Mesh) -> None:
    """Raises LimitExceeded if ``mesh`` has more devices than are listed one by one."""
    if mesh.total_size > limit("listed-devices"):
        raise LimitExceeded(
            f"groups of the {mesh.total_size:,} devices would be listed one by one; replica groups that name mesh axes "
            "stay short (--replica-groups mesh-axes)",
            "listed-devices",
        )


@lru_cache(maxsize=256)
def replica_groups(mesh: Mesh, axes: Axes) -> list[list[int]]:
    """The groups of devices that differ only along ``axes``.

    Raises:
        LimitExceeded: the mesh has more devices than are listed.
    """
    check_listed_devices(mesh)
    others, inside = _split(mesh, axes, pieces(mesh, axes))
    members = _places(mesh, inside)
    ids = mesh.device_ids or range(mesh.total_size)
    return [[ids[first + member] for member in members] for first in _places(mesh, others)]


def first_group(mesh: Mesh, axes: Axes) -> list[int]:
    """The first group of devices that differ only along ``axes``."""
    _, inside = _split(mesh, axes, pieces(mesh, axes))
    ids = mesh.device_ids or range(mesh.total_size)
    return [ids[member] for member in _places(mesh, inside)]


@lru_cache(maxsize=256)
def dense_replica_groups(mesh: Mesh, axes: Axes) -> DenseElementsAttr:
    """``replica_groups`` as ``dense<…> : tensor<GxSxi64>``."""
    groups = replica_groups(mesh, axes)
    type = TensorType((len(groups), len(groups[0])), I64)
    return DenseElementsAttr.of(type, [device for group in groups for device in group])


def compact_replica_groups(mesh_name: str, axes: Axes) -> Attribute:
    """``#stablehlo.replica_group_mesh_axes<…>``, which names the axes instead of the devices."""
    refs = []
    for axis in axes:
        part = None if axis.sub_size is None else stablehlo.SubAxisInfo(axis.pre, axis.sub_size)
        refs.append(stablehlo.AxisRef(axis.name, part))
    return stablehlo.ReplicaGroupMeshAxes(SymbolRefAttr(mesh_name), ArrayAttr(refs))


def _by_shard_index(mesh: Mesh, axes: Sequence[AxisRef], cut: Sequence[AxisRef]) -> list[int]:
    """The device ids sorted by shard index along ``axes``, then by the other pieces of ``cut``."""
    others, inside = _split(mesh, axes, cut)
    places = _places(mesh, inside + others)
    return [mesh.device_ids[place] for place in places] if mesh.device_ids else places


@lru_cache(maxsize=256)
def source_target_pairs(source_mesh: Mesh, source: Axes, target_mesh: Mesh, target: Axes) -> list[tuple[int, int]]:
    """The pairs of a permute that turns shards along ``source`` into shards along ``target``, which are as many: each
    device receives its target shard from a device that holds it. Sorted by sender; a device may send to itself."""
    both = [*source, *target]
    if source_mesh.axes != target_mesh.axes or not all(can_coexist(a, b) for a, b in combinations(both, 2)):
        return _pairs_by_content(source_mesh, source, target_mesh, target)
    cut = pieces(source_mesh, both)
    senders, receivers = _by_shard_index(source_mesh, source, cut), _by_shard_index(target_mesh, target, cut)
    return sorted(zip(senders, receivers, strict=True))


def _pairs_by_content(
    source_mesh: Mesh, source: Sequence[AxisRef], target_mesh: Mesh, target: Sequence[AxisRef]
) -> list[tuple[int, int]]:
    """``source_target_pairs`` for axes that cannot be split into common pieces (as the major two and the minor two
    devices of six). A device keeps its shard if it needs it, otherwise sends it to the first device that needs it."""
    devices = range(source_mesh.total_size)
    has = [shard_index(device, source_mesh, source) for device in devices]
    needs = [shard_index(device, target_mesh, target) for device in devices]
    pairs = [(device, device) for device in devices if has[device] == needs[device]]
    waiting: dict[int, list[int]] = {}
    for device in devices:
        if has[device] != needs[device]:
            waiting.setdefault(needs[device], []).append(device)
    pairs += [(device, waiting[has[device]].pop(0)) for device in devices if has[device] != needs[device]]
    return sorted(pairs)


@lru_cache(maxsize=256)
def shard_pairs(mesh: Mesh, axes: Axes, pairs: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """``pairs_along`` sorted by the sender.

    Raises:
        LimitExceeded: the mesh has more devices than are listed.
    """
    check_listed_devices(mesh)
    return sorted(pairs_along(mesh, axes, pairs))


def pairs_along(mesh: Mesh, axes: Axes, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs of a permute that, among the devices that differ only along ``axes``, sends shards to shards as in
    ``pairs``. Sorted by the position of the sender in the mesh."""
    others, inside = _split(mesh, axes, pieces(mesh, axes))
    members = _places(mesh, inside)
    ids = mesh.device_ids or range(mesh.total_size)
    moves = [(members[a], members[b]) for a, b in pairs]
    places = sorted((first + a, first + b) for first in _places(mesh, others) for a, b in moves)
    return [(ids[a], ids[b]) for a, b in places]


def dense_pairs(pairs: Sequence[tuple[int, int]]) -> DenseElementsAttr:
    """``dense<[[0, 1], …]> : tensor<Nx2xi64>``."""
    return DenseElementsAttr.of(TensorType((len(pairs), 2), I64), [device for pair in pairs for device in pair])
