"""The steps of a reshard on local values: local operations and collectives, and how many elements each one moves.

Shardy's collectives (``resharding.collective_steps``) say what becomes of the whole tensor; here stands what a device
does with its shard, whose shape may be padded. ``reshard_plan`` turns the one into the other and puts them together,
``reshard`` emits them.
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
"""Devices of a mesh from which on the size of the program counts, too."""

_TEXT_OF_A_PAIR = 16


def is_large(mesh: Mesh | None) -> bool:
    """Whether ``mesh`` has so many devices that the size of the program counts, too."""
    return mesh is not None and mesh.total_size > _LARGE


def permute_surcharge(mesh: Mesh) -> int:
    """What a permute costs besides the elements that it moves: it names every device, and no other collective does."""
    return _TEXT_OF_A_PAIR * mesh.total_size if is_large(mesh) else 0


@dataclass(frozen=True)
class Action:
    """One step on local values; ``shape`` is the local shape behind it."""

    shape: Shape

    def elements_received(self, before: Shape, mesh: Mesh) -> float:
        """How many elements each device receives, if the local shape was ``before``."""
        return 0.0


@dataclass(frozen=True)
class Resize(Action):
    """Cuts off, or fills up with zeros, at the end of dimensions."""


@dataclass(frozen=True)
class Slice(Action):
    """Each device keeps its shard along ``axes`` of each dimension."""

    axes: Dims


@dataclass(frozen=True)
class Gather(Action):
    """Joins the shards along ``axes`` in dimension ``dim``."""

    dim: int
    axes: Axes

    def elements_received(self, before: Shape, mesh: Mesh) -> float:
        return received_about("all_gather", prod(self.shape), shard_count(self.axes, mesh))


@dataclass(frozen=True)
class _InGroups(Action):
    """A ``collective`` among the devices along ``axes``, whose bytes its operand tells."""

    axes: Axes
    collective: ClassVar[str]

    def elements_received(self, before: Shape, mesh: Mesh) -> float:
        return received_about(self.collective, prod(before), shard_count(self.axes, mesh))


@dataclass(frozen=True)
class Exchange(_InGroups):
    """Moves ``axes`` from dimension ``source`` to dimension ``target``: an all-to-all."""

    source: int
    target: int
    collective: ClassVar[str] = "all_to_all"


@dataclass(frozen=True)
class Permute(Action):
    """Each device gets the shard that ``target`` gives it from one that has it in ``source``."""

    source: Layout
    target: Layout

    def elements_received(self, before: Shape, mesh: Mesh) -> float:
        return received_about("collective_permute", prod(before), 2) + permute_surcharge(mesh)


@dataclass(frozen=True)
class Reduce(_InGroups):
    """Combines over ``axes``: an all-reduce."""

    reduction: str
    collective: ClassVar[str] = "all_reduce"


@dataclass(frozen=True)
class Scatter(_InGroups):
    """Combines over ``axes``, each device keeps its shard of dimension ``dim``: a reduce-scatter."""

    reduction: str
    dim: int
    collective: ClassVar[str] = "reduce_scatter"


@dataclass(frozen=True)
class Become(Action):
    """All devices but the first along ``axes`` forget their value: it becomes a term of a sum."""

    axes: Axes
    reduction: str


@dataclass(frozen=True)
class Embed(Action):
    """Each device's shard along ``axes`` of dimension ``dim`` stands in its place in the whole, among neutral elements:
    a term of the whole."""

    dim: int
    axes: Axes
    reduction: str
