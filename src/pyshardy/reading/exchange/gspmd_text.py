"""The text of a sharding of Shardy in GSPMD's syntax: ``{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}``.

``reading.gspmd`` reads what this file writes. GSPMD knows no open dimensions and no priorities: those are not written.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import prod

from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

_MOST_LISTED = 65536


def gspmd_text_of(sharding: TensorSharding, mesh: Mesh) -> str | None:
    """``sharding``, which is on ``mesh``, in GSPMD's syntax; None if it cannot be expressed: a tensor whose terms are
    not to be added, sub-axes that do not fit together, or more devices in an order of their own than a text should
    list."""
    if mesh.is_maximal:
        return f"{{maximal device={mesh.device_ids[0]}}}"
    if sharding.unreduced and sharding.reduction_op != "sum":
        return None
    if all(axis.size(mesh) == 1 for dim in sharding.dims for axis in dim.axes) and not sharding.unreduced:
        return "{replicated}"
    pieces = _pieces(sharding, mesh)
    if pieces is None:
        return None
    number = {piece: index for index, piece in enumerate(pieces)}
    sizes = [high // low for _, low, high in pieces]
    groups = [[index for axis in dim.axes for index in _covered(axis, mesh, number)] for dim in sharding.dims]
    unreduced = [index for axis in sharding.unreduced for index in _covered(axis, mesh, number)]
    taken = {index for group in (*groups, unreduced) for index in group}
    rest = [index for index in range(len(sizes)) if index not in taken]
    tiles = [prod(sizes[index] for index in group) for group in groups]
    subgroups = []
    for name, group in (("unreduced", unreduced), ("replicated", rest)):
        count = prod(sizes[index] for index in group)
        if count > 1:
            tiles.append(count)
            subgroups.append(name)
    order = [index for group in (*groups, unreduced, rest) for index in group]
    devices = _devices(sizes, order, mesh)
    if devices is None:
        return None
    ending = ""
    if subgroups == ["replicated"]:
        ending = " last_tile_dim_replicate"
    elif subgroups:
        ending = f" last_tile_dims={{{', '.join(subgroups)}}}"
    return f"{{devices=[{_listed(tiles)}]{devices}{ending}}}"


_Piece = tuple[str, int, int]
"""A part of an axis: the name of the axis, the product of the sizes of its parts before this one, and that product with
the size of this part."""


def _pieces(sharding: TensorSharding, mesh: Mesh) -> list[_Piece] | None:
    """The axes of the mesh, cut wherever a sub-axis of the sharding begins or ends."""
    cuts: dict[str, set[int]] = {axis.name: {1, axis.size} for axis in mesh.axes}
    for part in sharding.axes():
        cuts[part.name] |= {part.pre, part.end(mesh)}
    found: list[_Piece] = []
    for axis in mesh.axes:
        ordered = sorted(cuts[axis.name])
        for low, high in pairwise(ordered):
            if high % low:
                return None
            found.append((axis.name, low, high))
    return found


def _covered(axis: AxisRef, mesh: Mesh, number: dict[_Piece, int]) -> list[int]:
    low, high = axis.pre, axis.end(mesh)
    return [index for (name, start, end), index in number.items() if name == axis.name and low <= start and end <= high]


def _devices(sizes: list[int], order: list[int], mesh: Mesh) -> str | None:
    """The devices in the order of the tiles: as an iota if the mesh has them in order, else as a list."""
    if mesh.device_ids:
        if len(mesh.device_ids) > _MOST_LISTED:
            return None
        strides = [prod(sizes[index + 1 :]) for index in range(len(sizes))]
        places = [0]
        for index in order:
            places = [place + step * strides[index] for place in places for step in range(sizes[index])]
        return _listed(mesh.device_ids[place] for place in places)
    merged: list[list[int]] = []
    for index in order:
        if sizes[index] == 1:
            continue
        if (
            merged
            and all(sizes[between] == 1 for between in range(merged[-1][-1] + 1, index))
            and index > merged[-1][-1]
        ):
            merged[-1].append(index)
        else:
            merged.append([index])
    numbered = sorted(range(len(merged)), key=lambda group: merged[group][0])
    reshape = [prod(sizes[index] for index in merged[group]) for group in numbered] or [1]
    permutation = [numbered.index(group) for group in range(len(merged))]
    transposed = f"T({_listed(permutation)})" if permutation != sorted(permutation) else ""
    return f"<=[{_listed(reshape)}]{transposed}"


def _listed(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))
