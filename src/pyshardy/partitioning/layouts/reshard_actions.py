"""The actions of a reshard on local values: operations and collectives, with the elements that each device receives.

Shardy's steps (``resharding.collective_steps``) say what becomes of the whole tensor; these actions say what each
device does with its shard, whose shape may be padded. ``reshard_plan`` makes actions from steps, ``reshard`` emits
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import ClassVar

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


@dataclass(frozen=True)
class Action:
    """One step on local values; ``shape`` is the local shape after it."""

    shape: Shape

    def elements_received(self, before: Shape, mesh: Mesh) -> float:
        """How many elements each device receives, if the local shape was ``before``."""
        return 0.0


@dataclass(frozen=True)
class Resize(Action):
    """Slices off the end of dimensions, or pads it with zeros."""


@dataclass(frozen=True)
class Slice(Action):
    """Each device keeps its shard along ``axes`` of each dimension."""

    axes: Dims


@dataclass(frozen=True)
class Gather(Action):
    """Joins the shards along ``axes`` in dimension ``dim``: an all-gather."""

    dim: int
    axes: Axes

    def elements_received(self, before: Shape, mesh: Mesh) -> float:
        return received_about("all_gather", prod(before), prod(self.shape), shard_count(self.axes, mesh))


@dataclass(frozen=True)
class _InGroups(Action):
    """A ``collective`` among the devices along ``axes``, whose cost depends on the size of its operand."""

    axes: Axes
    collective: ClassVar[str]

    def elements_received(self, before: Shape, mesh: Mesh) -> float:
        return received_about(self.collective, prod(before), prod(self.shape), shard_count(self.axes, mesh))


@dataclass(frozen=True)
class Exchange(_InGroups):
    """Moves ``axes`` from dimension ``source`` to dimension ``target``: an all-to-all."""

    source: int
    target: int
    collective: ClassVar[str] = "all_to_all"


@dataclass(frozen=True)
class Permute(Action):
    """Each device receives its shard of ``target`` from a device that holds it in ``source``: a collective permute."""

    source: Layout
    target: Layout

    def elements_received(self, before: Shape, mesh: Mesh) -> float:
        return received_about("collective_permute", prod(before), prod(self.shape), 2) + permute_surcharge(mesh)


@dataclass(frozen=True)
class Reduce(_InGroups):
    """Reduces partial sums over ``axes``: an all-reduce."""

    reduction: str
    collective: ClassVar[str] = "all_reduce"


@dataclass(frozen=True)
class Scatter(_InGroups):
    """Reduces partial sums over ``axes``; each device keeps its shard of dimension ``dim``: a reduce-scatter."""

    reduction: str
    dim: int
    collective: ClassVar[str] = "reduce_scatter"


@dataclass(frozen=True)
class ReplicatedToUnreduced(Action):
    """The first device along ``axes`` keeps the value, the others replace it by neutral elements: the value becomes
    unreduced."""

    axes: Axes
    reduction: str


@dataclass(frozen=True)
class ShardedToUnreduced(Action):
    """Each device pads its shard along ``axes`` of dimension ``dim`` with neutral elements to the whole dimension: the
    value becomes unreduced over ``axes``."""

    dim: int
    axes: Axes
    reduction: str
