"""Collectives on devices that exist only here: every device holds a block of a tensor of distinct numbers, and each
collective does to the blocks what its definition says.

It shares with the planner the names of things and nothing else: no axis algebra, only coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain, product
from math import prod
from typing import NamedTuple

from pyshardy.ir.attribute import Attribute
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.lists import AllToAllParamList, AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh

Layout = tuple[tuple[AxisRef, ...], ...]
Block = dict[tuple[int, ...], int]
Data = dict[int, Block]
"""The block of each device, by device id."""


class State(NamedTuple):
    """A tensor on a mesh: what its sharding says, and what the devices hold."""

    mesh: Mesh
    layout: Layout
    unreduced: tuple[AxisRef, ...]
    data: Data


class Collective(NamedTuple):
    """An operation's name, its property that names axes, and the sharding that it declares for its result."""

    name: str
    axes: Attribute | None
    mesh: Mesh
    layout: Layout
    unreduced: tuple[AxisRef, ...] = ()


# --- coordinates ------------------------------------------------------------------------------------------------------


def _sizes(mesh: Mesh) -> list[int]:
    return [axis.size for axis in mesh.axes]


@cache
def _coordinates(mesh: Mesh) -> dict[int, dict[str, int]]:
    """Per device id, where it stands along each axis."""
    ids = mesh.device_ids or range(prod(_sizes(mesh)))
    names = [axis.name for axis in mesh.axes]
    places = product(*(range(size) for size in _sizes(mesh)))
    return {one: dict(zip(names, place, strict=True)) for one, place in zip(ids, places, strict=True)}


@cache
def _size(mesh: Mesh, axis: AxisRef) -> int:
    return axis.sub_size if axis.sub_size is not None else next(one.size for one in mesh.axes if one.name == axis.name)


@cache
def _minor(mesh: Mesh, axis: AxisRef) -> int:
    """How many steps along the full axis one step along ``axis`` is."""
    full = next(one.size for one in mesh.axes if one.name == axis.name)
    return full // (axis.pre * _size(mesh, axis))


def _count(mesh: Mesh, axes: Iterable[AxisRef]) -> int:
    return prod(_size(mesh, axis) for axis in axes)


@cache
def _index(mesh: Mesh, device: int, axes: tuple[AxisRef, ...]) -> int:
    """The place of ``device`` along ``axes``, the first of which is the major one."""
    index = 0
    for axis in axes:
        digit = _coordinates(mesh)[device][axis.name] // _minor(mesh, axis) % _size(mesh, axis)
        index = index * _size(mesh, axis) + digit
    return index


def _group(mesh: Mesh, device: int, axes: tuple[AxisRef, ...]) -> tuple[int, ...]:
    """The devices that differ from ``device`` along ``axes`` alone, in the order of ``axes``."""
    return _groups(mesh, axes)[device]


@cache
def _groups(mesh: Mesh, axes: tuple[AxisRef, ...]) -> dict[int, tuple[int, ...]]:

    def elsewhere(one: int) -> tuple[int, ...]:
        left = dict(_coordinates(mesh)[one])
        for axis in axes:
            left[axis.name] -= _index(mesh, one, (axis,)) * _minor(mesh, axis)
        return tuple(left.values())

    members: dict[tuple[int, ...], list[int]] = {}
    for device in _coordinates(mesh):
        members.setdefault(elsewhere(device), []).append(device)
    ordered = [tuple(sorted(group, key=lambda one: _index(mesh, one, axes))) for group in members.values()]
    return {device: group for group in ordered for device in group}


# --- blocks -----------------------------------------------------------------------------------------------------------


def laid_out(mesh: Mesh, layout: Layout, unreduced: tuple[AxisRef, ...], shape: Sequence[int]) -> State:
    """The tensor of the numbers 0, 1, 2, … as the sharding says; over ``unreduced`` axes it is a sum of unlike parts.

    Each size of ``shape`` must be a multiple of the number of shards.
    """
    numbers = dict(zip(product(*map(range, shape)), range(prod(shape)), strict=True))
    local = [size // _count(mesh, axes) for size, axes in zip(shape, layout, strict=True)]
    data: Data = {}
    for device in _coordinates(mesh):
        starts = [_index(mesh, device, axes) * size for axes, size in zip(layout, local, strict=True)]
        data[device] = {place: numbers[_moved(place, starts)] for place in product(*map(range, local))}
    if unreduced:
        data = {device: _part(mesh, device, unreduced, block) for device, block in data.items()}
    return State(mesh, layout, unreduced, data)


def _part(mesh: Mesh, device: int, unreduced: tuple[AxisRef, ...], block: Block) -> Block:
    parts = _count(mesh, unreduced)
    index = _index(mesh, device, unreduced)
    # Part 0 is what the others leave of the number.
    return {
        place: number * (1 - sum(range(1, parts))) if index == 0 else number * index for place, number in block.items()
    }


def _moved(place: Sequence[int], by: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(place, by, strict=True))


def _extent(block: Block) -> list[int]:
    return [last + 1 for last in max(block)]


def _cut(block: Block, starts: Sequence[int], sizes: Sequence[int]) -> Block:
    return {place: block[_moved(place, starts)] for place in product(*map(range, sizes))}


def is_laid_out(state: State, mesh: Mesh, layout: Layout, unreduced: tuple[AxisRef, ...], shape: Sequence[int]) -> bool:
    """Whether every device holds what the sharding says; of unreduced parts only the sum counts."""
    if state.mesh is not mesh or state.layout != layout or state.unreduced != unreduced:
        return False
    wanted = laid_out(mesh, layout, (), shape).data
    return all(_total(state, device, unreduced) == wanted[device] for device in wanted)


def _total(state: State, device: int, axes: tuple[AxisRef, ...]) -> Block:
    blocks = [state.data[one] for one in _group(state.mesh, device, axes)]
    return {place: sum(block[place] for block in blocks) for place in blocks[0]}


# --- collectives ------------------------------------------------------------------------------------------------------


def _lists(step: Collective) -> tuple[tuple[AxisRef, ...], ...]:
    assert isinstance(step.axes, ListOfAxisRefLists)
    return step.axes.lists


def _flat(step: Collective) -> tuple[AxisRef, ...]:
    return step.axes.axes if isinstance(step.axes, AxisRefList) else tuple(chain.from_iterable(_lists(step)))


def _all_gather(state: State, step: Collective) -> Data:
    """Each device puts the blocks of its group side by side."""
    gathered: Data = {}
    for device in state.data:
        gathered[device] = {}
        for member in _group(state.mesh, device, _flat(step)):
            block = state.data[member]
            starts = _starts(state.mesh, member, _lists(step), _extent(block))
            gathered[device].update({_moved(place, starts): number for place, number in block.items()})
    return gathered


def _starts(mesh: Mesh, device: int, lists: Sequence[tuple[AxisRef, ...]], sizes: Sequence[int]) -> list[int]:
    return [_index(mesh, device, axes) * size for axes, size in zip(lists, sizes, strict=True)]


def _all_slice(state: State, step: Collective) -> Data:
    """Each device keeps the piece of its block that is its own."""
    sliced: Data = {}
    for device, block in state.data.items():
        sizes = [size // _count(state.mesh, axes) for size, axes in zip(_extent(block), _lists(step), strict=True)]
        sliced[device] = _cut(block, _starts(state.mesh, device, _lists(step), sizes), sizes)
    return sliced


def _all_to_all(state: State, step: Collective) -> Data:
    """Member i of a group gets piece i, along the target dimension, of every member's block, and puts them side by side
    along the source dimension."""
    assert isinstance(step.axes, AllToAllParamList)
    data = state.data
    for axes, source, target in ((param.axes, param.source, param.target) for param in step.axes):
        exchanged: Data = {}
        for device in data:
            exchanged[device] = {}
            for number, member in enumerate(_group(state.mesh, device, axes)):
                sizes = _extent(data[member])
                there = number * sizes[source]
                sizes[target] //= _count(state.mesh, axes)
                starts = [0] * len(sizes)
                starts[target] = _index(state.mesh, device, axes) * sizes[target]
                for place, value in _cut(data[member], starts, sizes).items():
                    moved = list(place)
                    moved[source] += there
                    exchanged[device][tuple(moved)] = value
        data = exchanged
    return data


def _collective_permute(state: State, step: Collective) -> Data:
    """Each device gets the whole block of a device that held its shard (and its part of a sum)."""
    owners: dict[tuple[int, ...], int] = {}
    for device in state.data:
        owners.setdefault(_shard(state.mesh, device, state.layout, state.unreduced), device)
    return {
        device: state.data[owners[_shard(step.mesh, device, step.layout, step.unreduced)]]
        for device in _coordinates(step.mesh)
    }


def _shard(mesh: Mesh, device: int, layout: Layout, unreduced: tuple[AxisRef, ...]) -> tuple[int, ...]:
    return tuple(_index(mesh, device, axes) for axes in (*layout, unreduced))


def _all_reduce(state: State, step: Collective) -> Data:
    return {device: _total(state, device, _flat(step)) for device in state.data}


def _reduce_scatter(state: State, step: Collective) -> Data:
    return _all_slice(state._replace(data=_all_reduce(state, step)), step)


def _replicated_to_unreduced(state: State, step: Collective) -> Data:
    """The first member of a group keeps its block, the others hold zeros."""
    axes = _flat(step)
    return {
        device: block if _index(state.mesh, device, axes) == 0 else dict.fromkeys(block, 0)
        for device, block in state.data.items()
    }


def _sharded_to_unreduced(state: State, step: Collective) -> Data:
    """Each device puts its block where a gather would, between zeros."""
    padded: Data = {}
    for device, block in state.data.items():
        sizes = [size * _count(state.mesh, axes) for size, axes in zip(_extent(block), _lists(step), strict=True)]
        starts = _starts(state.mesh, device, _lists(step), _extent(block))
        padded[device] = dict.fromkeys(product(*map(range, sizes)), 0)
        padded[device].update({_moved(place, starts): number for place, number in block.items()})
    return padded


_COLLECTIVES: dict[str, Callable[[State, Collective], Data]] = {
    "sdy.all_gather": _all_gather,
    "sdy.all_reduce": _all_reduce,
    "sdy.all_slice": _all_slice,
    "sdy.all_to_all": _all_to_all,
    "sdy.collective_permute": _collective_permute,
    "sdy.reduce_scatter": _reduce_scatter,
    "sdy.replicated_to_unreduced": _replicated_to_unreduced,
    "sdy.sharded_to_unreduced": _sharded_to_unreduced,
}


def applied(state: State, step: Collective) -> State:
    """What the devices hold after ``step``; its sharding is the one that it declares."""
    return State(step.mesh, step.layout, step.unreduced, _COLLECTIVES[step.name](state, step))


def shape_for(layouts: Iterable[Layout], mesh: Mesh, least: Sequence[int]) -> list[int]:
    """The smallest tensor, not below ``least``, that every one of ``layouts`` divides evenly."""
    counts = list(zip(*[[_count(mesh, axes) for axes in layout] for layout in layouts], strict=True))
    return [_multiple(per_dim, size) for per_dim, size in zip(counts, least, strict=True)]


def _multiple(counts: Sequence[int], least: int) -> int:
    return next(size for size in range(least, 1 << 62) if all(size % count == 0 for count in counts))
