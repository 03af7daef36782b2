"""The actions of a reshard on local values: operations and collectives, with the elements that each device receives.

Shardy's steps (``resharding.collective_steps``) say what becomes of the whole tensor; these actions say what each
device does with its shard, whose shape may be padded. ``reshard_plan`` makes actions from steps, ``reshard`` emits
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from pyshardy.emitting.layout import Axes, Dims, Layout, Shape
from pyshardy.resharding.byte_model import received_about
from pyshardy.sharding.axes import shard_count
from pyshardy.sharding.mesh import Mesh

_LARGE = 1024
"""On meshes with more devices than this, the size of the program text counts as a cost, too."""

_TEXT_OF_A_PAIR = 16
"""The cost of naming one device of a permute, in elements moved."""


def is_large_mesh(mesh: Mesh | None) -> bool:
    """Whether ``mesh`` has so many devices that the size of the program text counts as a cost, too."""
    return mesh is not None and mesh.total_size > _LARGE


def permute_surcharge(mesh: Mesh) -> int:
    """The cost of a permute besides the elements that it moves: unlike other collectives it names every device."""
    return _TEXT_OF_A_PAIR * mesh.total_size if is_large_mesh(mesh) else 0


class Resize(NamedTuple):
    """Slices off the end of dimensions, or pads it with zeros."""

    shape: Shape


class TakeShard(NamedTuple):
    """Each device keeps its shard along ``axes`` of each dimension."""

    shape: Shape
    axes: Dims


class AllGather(NamedTuple):
    """Joins the shards along ``axes`` in dimension ``dim``: an all-gather."""

    shape: Shape
    dim: int
    axes: Axes


class AllToAll(NamedTuple):
    """Moves ``axes`` from dimension ``source`` to dimension ``target``: an all-to-all."""

    shape: Shape
    axes: Axes
    source: int
    target: int


class CollectivePermute(NamedTuple):
    """Each device receives its shard of ``target`` from a device that holds it in ``source``: a collective permute."""

    shape: Shape
    source: Layout
    target: Layout


class AllReduce(NamedTuple):
    """Reduces partial sums over ``axes``: an all-reduce."""

    shape: Shape
    axes: Axes
    reduction: str


class ReduceScatter(NamedTuple):
    """Reduces partial sums over ``axes``; each device keeps its shard of dimension ``dim``: a reduce-scatter."""

    shape: Shape
    axes: Axes
    reduction: str
    dim: int


class ReplicatedToUnreduced(NamedTuple):
    """The first device along ``axes`` keeps the value, the others replace it by neutral elements: the value becomes
    unreduced."""

    shape: Shape
    axes: Axes
    reduction: str


class ShardedToUnreduced(NamedTuple):
    """Each device pads its shard along ``axes`` of dimension ``dim`` with neutral elements to the whole dimension: the
    value becomes unreduced over ``axes``."""

    shape: Shape
    dim: int
    axes: Axes
    reduction: str


AlongAxes: TypeAlias = AllGather | AllToAll | AllReduce | ReduceScatter
"""A collective among the devices along its ``axes``."""

ReshardAction: TypeAlias = (
    Resize | TakeShard | AlongAxes | CollectivePermute | ReplicatedToUnreduced | ShardedToUnreduced
)
"""One step on local values; ``shape`` is the local shape after it."""

COLLECTIVE_OF: Mapping[type[AlongAxes], str] = MappingProxyType(
    {AllGather: "all_gather", AllToAll: "all_to_all", AllReduce: "all_reduce", ReduceScatter: "reduce_scatter"}
)
"""The kind of each."""


def elements_received(action: ReshardAction, before: Shape, mesh: Mesh) -> float:
    """How many elements each device receives in ``action``, a number of elements of the tensor, if the local shape was
    ``before``. For a permute with its surcharge (``permute_surcharge``)."""
    if isinstance(action, CollectivePermute):
        return received_about("collective_permute", prod(before), prod(action.shape), 2) + permute_surcharge(mesh)
    if not isinstance(action, AlongAxes):
        return 0.0
    return received_about(COLLECTIVE_OF[type(action)], prod(before), prod(action.shape), shard_count(action.axes, mesh))
