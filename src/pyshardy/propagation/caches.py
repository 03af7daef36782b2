"""Caches for several propagations of copies of one program: rules, specs, and steps on its meshes.

A search propagates the same operations many times, each time from other shardings. The rule of an operation depends on
its signature, a step on its spec, the shardings around it, and the meshes. Caches are keyed by all of these, so a
cached result equals a computed one. Rules that look around (``rules.registry``) are not cached.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.ir import shortcuts
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Signature
from pyshardy.propagation.directions import Directions
from pyshardy.propagation.transfer_function import ActionSpec, StepCache
from pyshardy.rules.registry import KnownRules
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule


class PropagationCache:
    """The tables that runs on the same meshes with the same options share."""

    __slots__ = ("by_rule", "by_signature", "identities", "rules", "steps")

    def __init__(self) -> None:
        self.rules: KnownRules = {}
        self.by_rule: dict[tuple[str, OpShardingRule], ActionSpec] = {}
        self.by_signature: dict[Signature, ActionSpec | None] = {}
        self.identities: dict[tuple[int, tuple[int, ...], Directions | None], ActionSpec] = {}
        self.steps: dict[tuple[object, ...], StepCache] = {}


class PropagationCaches:
    """A cache for each choice of meshes and options; stored in ``Context.propagation_caches``."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], PropagationCache] = {}

    def on(self, meshes: Mapping[str, Mesh], *, conservative: bool, chlo_rules: bool) -> PropagationCache:
        """The cache of runs on ``meshes``."""
        key = tuple(sorted(meshes.items(), key=lambda one: one[0])), conservative, chlo_rules
        return self._known.setdefault(key, PropagationCache())


def cache_of(context: Context, meshes: Mapping[str, Mesh], *, conservative: bool) -> PropagationCache:
    """The cache that a run in ``context`` shares with others, or one of its own."""
    shared = context.propagation_caches
    if isinstance(shared, PropagationCaches) and shortcuts.enabled():
        return shared.on(meshes, conservative=conservative, chlo_rules=context.chlo_rules)
    return PropagationCache()
