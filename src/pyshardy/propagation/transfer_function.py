"""One propagation step: from the shardings around an operation to better ones, as a pure function.

It depends only on immutable values, so it is memoised: for the fortieth identical layer a step is a look-up. The
properties of an operation that a step depends on are in its ``ActionSpec``.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.propagation.directions import ALL_AT_ONCE, Directions, DirectionsByPriority
from pyshardy.propagation.factor_strategies import STRATEGIES, Projection
from pyshardy.propagation.projection import collect, project
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding

Shardings = tuple[TensorSharding | None, ...]
Updates = tuple[tuple[int, TensorSharding], ...]
"""(tensor number, new sharding) for each tensor that changes: operands first, then results."""


StepCache = dict[Shardings, Updates]

_STRATEGY_NAMES = tuple(STRATEGIES)


class ActionSpec:
    """The properties that actions of operations with one signature share: the rule, the directions for each op
    priority, whether the operands must have a single use at priority 0 (``needs_single_use``), how the strategies treat
    it, and whether the slots of all results are the results themselves (``plain``, see ``placement.is_plain``).
    ``priorities`` are those at which some direction is allowed, as bits."""

    __slots__ = (
        "cache",
        "conservative",
        "directions",
        "elementwise",
        "needs_single_use",
        "plain",
        "priorities",
        "rule",
    )

    def __init__(
        self,
        rule: OpShardingRule,
        directions: DirectionsByPriority,
        *,
        needs_single_use: bool = False,
        elementwise: bool = False,
        conservative: bool = False,
        plain: bool = False,
    ) -> None:
        self.rule = rule
        self.directions = directions
        self.needs_single_use = needs_single_use
        self.elementwise = elementwise
        self.conservative = conservative
        self.plain = plain
        self.priorities = sum(1 << priority for priority, one in enumerate(directions) if one is not None)
        self.cache: list[StepCache | None] = [None] * _SLOTS
        """The memoised steps at each ``cache_key``, created at the first use."""


_SLOTS = (ALL_AT_ONCE + 1) * len(STRATEGIES)


def cache_key(strategy: str, priority: int) -> int:
    """The index of a strategy at a priority in ``ActionSpec.cache``."""
    return _STRATEGY_NAMES.index(strategy) * (ALL_AT_ONCE + 1) + priority


class TransferFunction:
    """Computes steps over the meshes of one module; ``caches`` are those of the run, or of several."""

    __slots__ = ("_caches", "meshes")

    def __init__(self, meshes: Mapping[str, Mesh], caches: dict[tuple[object, ...], StepCache] | None = None) -> None:
        self.meshes = meshes
        self._caches: dict[tuple[object, ...], StepCache] = {} if caches is None else caches

    def cache(self, spec: ActionSpec, directions: Directions, strategy: str) -> StepCache:
        """The memoised steps for ``spec``: shardings → updates."""
        key = (spec.rule, directions, strategy, spec.elementwise, spec.conservative)
        return self._caches.setdefault(key, {})

    def step(self, spec: ActionSpec, shardings: Shardings, directions: Directions, strategy: str) -> Updates:
        """The tensors of one operation that get a new sharding, from those they have (None for none)."""
        cache = self.cache(spec, directions, strategy)
        known = cache.get(shardings)
        if known is None:
            known = cache[shardings] = self._step(spec, shardings, directions, strategy)
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
        self, spec: ActionSpec, shardings: Shardings, directions: Directions, strategy: str
    ) -> tuple[Projection, Projection]:
        """The projections before and after a step that changed something."""
        common = self._mesh_of_step(shardings)
        assert common is not None
        before, after = (self.projection(spec, shardings, common[1]) for _ in range(2))
        STRATEGIES[strategy](after, directions)
        return before, after

    @staticmethod
    def projection(spec: ActionSpec, shardings: Shardings, mesh: Mesh) -> Projection:
        """The projection of the tensors of an operation with these shardings, all on ``mesh``."""
        rule = spec.rule
        sizes = rule.factor_sizes
        mappings = rule.operand_mappings + rule.result_mappings
        tensors = [
            project(mapping, sizes, sharding, mesh) for mapping, sharding in zip(mappings, shardings, strict=True)
        ]
        count = len(rule.operand_mappings)
        return Projection(tensors[:count], tensors[count:], sizes, mesh, spec.elementwise, spec.conservative)

    def _mesh_of_step(self, shardings: Shardings) -> tuple[str | Mesh, Mesh] | None:
        common = self.common_mesh(shardings)
        return None if common is None or common[1].is_maximal else common

    def _step(self, spec: ActionSpec, shardings: Shardings, directions: Directions, strategy: str) -> Updates:
        common = self._mesh_of_step(shardings)
        if common is None:
            return ()
        reference, mesh = common
        projection, rule = self.projection(spec, shardings, mesh), spec.rule
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
