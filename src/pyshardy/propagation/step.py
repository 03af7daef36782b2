"""One propagation step: from the shardings around an operation to better ones, as a pure function.

It depends on immutable values alone, so it is memoised: the fortieth identical layer costs a look-up. Left of this file
are the factor strategies; ``fixed_point`` applies steps to a program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pyshardy.propagation.directions import Directions
from pyshardy.propagation.factor_strategies import STRATEGIES, Projection
from pyshardy.propagation.projection import collect, project
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding

if TYPE_CHECKING:
    from pyshardy.propagation.actions import Traits

Shardings = tuple[TensorSharding | None, ...]
Updates = tuple[tuple[int, TensorSharding], ...]
"""(tensor number, new sharding) for each tensor that changes: operands first, then results."""


class Stepper:
    """Steps over the meshes of one module; its memory belongs to one run."""

    __slots__ = ("_memo", "meshes")

    def __init__(self, meshes: Mapping[str, Mesh]) -> None:
        self.meshes = meshes
        self._memo: dict[tuple[object, ...], Updates] = {}

    def step(self, traits: Traits, shardings: Shardings, directions: Directions, strategy: str) -> Updates:
        """The tensors of one operation that get a new sharding, given those they have (None for none)."""
        key = (traits.rule, shardings, directions, strategy, traits.elementwise, traits.conservative)
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._step(*key)
        return known

    def common_mesh(self, shardings: Shardings) -> tuple[str | Mesh, Mesh] | None:
        """The mesh that all shardings are on, as first named and by value; None if there is none or they differ. An
        empty mesh agrees with all."""
        reference: str | Mesh | None = None
        mesh: Mesh | None = None
        for sharding in shardings:
            if sharding is None:
                continue
            own = self.mesh_of(sharding)
            if own is None:
                return None
            if mesh is None or mesh.is_empty:
                reference, mesh = sharding.mesh_or_ref, own
            elif own is not mesh and not own.is_empty:
                return None
        return (reference, mesh) if reference is not None and mesh is not None else None

    def mesh_of(self, sharding: TensorSharding) -> Mesh | None:
        """The mesh of a sharding; None if its symbol is unknown."""
        reference = sharding.mesh_or_ref
        return self.meshes.get(reference) if isinstance(reference, str) else reference

    def retrace(
        self, traits: Traits, shardings: Shardings, directions: Directions, strategy: str
    ) -> tuple[Projection, Projection]:
        """What a step that changed something started from and ended with, factor by factor."""
        common = self._mesh_of_step(shardings)
        assert common is not None
        before, after = (
            _projection(traits.rule, shardings, common[1], traits.elementwise, traits.conservative) for _ in range(2)
        )
        STRATEGIES[strategy](after, directions)
        return before, after

    def _mesh_of_step(self, shardings: Shardings) -> tuple[str | Mesh, Mesh] | None:
        common = self.common_mesh(shardings)
        return None if common is None or common[1].is_maximal else common

    def _step(
        self,
        rule: OpShardingRule,
        shardings: Shardings,
        directions: Directions,
        strategy: str,
        elementwise: bool,
        conservative: bool,
    ) -> Updates:
        common = self._mesh_of_step(shardings)
        if common is None:
            return ()
        reference, mesh = common
        projection = _projection(rule, shardings, mesh, elementwise, conservative)
        mappings, tensors = rule.operand_mappings + rule.result_mappings, projection.tensors
        updates = []
        for index, updated in enumerate(STRATEGIES[strategy](projection, directions)):
            if not updated:
                continue
            old = shardings[index]
            kind = old.reduction_op if old is not None else "sum"
            new = collect(mappings[index], rule.factor_sizes, tensors[index], reference, mesh, kind)
            if new is not old and (old is not None or new.has_axes):
                updates.append((index, new))
        return tuple(updates)


def _projection(
    rule: OpShardingRule, shardings: Shardings, mesh: Mesh, elementwise: bool, conservative: bool
) -> Projection:
    sizes = rule.factor_sizes
    mappings = rule.operand_mappings + rule.result_mappings
    tensors = [project(mapping, sizes, sharding, mesh) for mapping, sharding in zip(mappings, shardings, strict=True)]
    count = len(rule.operand_mappings)
    return Projection(tensors[:count], tensors[count:], sizes, mesh, elementwise, conservative)
