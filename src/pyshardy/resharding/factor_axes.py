"""The axes of an operation's tensors by factor, and shardings made from axes of factors.

Based on propagation's projection. ``common_axes`` chooses one list of axes for each factor, ``minimal_version`` looks
for single conflicts, ``explicit_reshards`` reshards tensors to the choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

from pyshardy.dialects.sdy.placement import common_mesh_ref, rank_of, resolve_mesh
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import element_count
from pyshardy.propagation.projection import FactorSharding, TensorProjection, collect, project
from pyshardy.sharding.axes import AxisRef, difference
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding, fully_closed

AxesPerFactor = list[list[AxisRef]]
"""One list of axes for each factor of a rule, major to minor."""


class FactorTensor(NamedTuple):
    """An operand or result: its current sharding, its factors, and its number of elements (0 if a dimension is
    dynamic)."""

    sharding: TensorSharding | None
    projection: TensorProjection
    elements: int

    @property
    def factors(self) -> dict[int, FactorSharding]:
        return self.projection.factors


class TensorFactors:
    """An operation's operands and results, projected to the factors of ``rule`` on one mesh.

    ``shardings`` are their current ones; ``reference`` is how new shardings name the mesh.
    """

    __slots__ = ("mesh", "operand_count", "reference", "rule", "tensors", "types")

    def __init__(
        self,
        op: Operation,
        rule: OpShardingRule,
        shardings: Sequence[TensorSharding | None],
        reference: str | Mesh,
        mesh: Mesh,
    ) -> None:
        self.rule = rule
        self.reference = reference
        self.mesh = mesh
        self.operand_count = len(op.operands)
        self.types = [value.type for value in (*op.operands, *op.results)]
        self.tensors = [self._tensor(number, sharding) for number, sharding in enumerate(shardings)]

    def _tensor(self, number: int, sharding: TensorSharding | None) -> FactorTensor:
        type = self.types[number]
        known = sharding if sharding is not None else fully_closed(rank_of(type), self.reference)
        projection = project(self.rule.tensor_mappings[number], self.rule.factor_sizes, known, self.mesh)
        return FactorTensor(sharding, projection, element_count(type))

    @property
    def operands(self) -> Sequence[FactorTensor]:
        return self.tensors[: self.operand_count]

    @property
    def results(self) -> Sequence[FactorTensor]:
        return self.tensors[self.operand_count :]

    def size(self, axes: Sequence[AxisRef]) -> int:
        """The number of shards along ``axes``."""
        return prod(axis.size(self.mesh) for axis in axes)

    def assign(self, axes: AxesPerFactor) -> list[bool]:
        """Gives each factor its common axes in all tensors; returns for each tensor whether that changed it."""
        return [_assign(tensor, axes) for tensor in self.tensors]

    def sharding(self, number: int) -> TensorSharding:
        """The sharding of tensor ``number`` with the current axes of its factors."""
        return self._made(number, self.tensors[number].factors)

    def sharding_with(self, number: int, axes: Sequence[Sequence[AxisRef]]) -> TensorSharding:
        """The sharding that tensor ``number`` would have with these axes on the factors."""
        factors: dict[int, FactorSharding] = {}
        for factor, current in self.tensors[number].factors.items():
            factors[factor] = FactorSharding(current.minor_most, current.closed)
            factors[factor].axes = list(axes[factor])
        return self._made(number, factors)

    def differs(self, number: int, axes: Sequence[Sequence[AxisRef]]) -> bool:
        """Whether tensor ``number`` has other axes on some factor, or axes that fit no factor."""
        factors = self.tensors[number].factors.items()
        return any(one.overflow or list(one.axes) != list(axes[factor]) for factor, one in factors)

    def _made(self, number: int, factors: dict[int, FactorSharding]) -> TensorSharding:
        """The sharding of tensor ``number`` with these ``factors``."""
        tensor = self.tensors[number]
        mapping = self.rule.tensor_mappings[number]
        for dim in mapping:
            for factor in dim:
                factors.setdefault(factor, FactorSharding(minor_most=factor == dim[-1], closed=True))
        kind = tensor.sharding.reduction_op if tensor.sharding is not None else "sum"
        projection = TensorProjection(factors, tensor.sharding, self.rule.factor_sizes)
        made = collect(mapping, self.rule.factor_sizes, projection, self.reference, self.mesh, kind)
        if not made.replicated:
            return made
        # An axis that shards a dimension now is replicated no longer.
        sharding = [axis for dim in made.dims for axis in dim.axes]
        return made.replace(replicated=difference(made.replicated, sharding, self.mesh))


def _assign(tensor: FactorTensor, axes: AxesPerFactor) -> bool:
    changed = False
    for factor, current in tensor.factors.items():
        if current.axes != axes[factor] or current.overflow:
            current.axes, current.overflow = list(axes[factor]), []
            changed = True
    return changed


def mesh_for(shardings: Sequence[TensorSharding | None], meshes: Mapping[str, Mesh]) -> tuple[str | Mesh, Mesh] | None:
    """The mesh to use for an operation with these shardings (operands first), by reference and value: of meshes with
    the same axes the one on which most tensors are sharded. None if the axes differ, or for a single device."""
    common = common_mesh_ref(shardings, meshes, ignore_device_ids=True)
    if common is None:
        return None
    votes: Counter[str | Mesh] = Counter()
    winner = common
    for sharding in shardings:
        if sharding is not None and not sharding.is_fully_replicated:
            reference = sharding.mesh_or_ref
            votes[reference] += 1
            if votes[reference] > votes[winner]:
                winner = reference
    mesh = meshes[winner] if isinstance(winner, str) else winner
    return None if mesh.is_maximal else (winner, mesh)


def mesh_among(
    shardings: Sequence[TensorSharding | None], meshes: Mapping[str, Mesh]
) -> tuple[str | Mesh, Mesh] | None:
    """The mesh to use for an operation whose tensors are on several meshes: the one on which most of them are sharded.
    None if none is sharded."""
    votes: Counter[str | Mesh] = Counter()
    for sharding in shardings:
        if sharding is not None and not sharding.is_fully_replicated:
            votes[sharding.mesh_or_ref] += 1
    for reference, _ in votes.most_common():
        mesh = meshes.get(reference) if isinstance(reference, str) else reference
        if mesh is not None and not mesh.is_maximal:
            return reference, mesh
    return None


def on_mesh(mesh: Mesh, sharding: TensorSharding | None, meshes: Mapping[str, Mesh]) -> TensorSharding | None:
    """``sharding`` as seen from ``mesh``: None if it is on a mesh with other axes, so that the tensor has to be
    resharded."""
    known = resolve_mesh(sharding, meshes) if sharding is not None else None
    same = known is not None and (known.is_empty or known.equals(mesh, ignore_device_ids=True))
    return sharding if same else None
