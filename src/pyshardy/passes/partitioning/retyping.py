"""Gives the values of a program new types in place, one operation after the other: the walk, and what its rules use.

``Retyping`` notes the old types and the shardings of all values first. A rule is a function registered for the name of
an operation: it gets a ``RetypingSite``, and rewrites the operation or gives up (``legalization``). There are two such
walks: ``padding.walk`` pads types so that they divide, ``global_to_local.conversion`` makes them local.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pyshardy.dialects.sdy.placement import meshes, resolve_mesh, sharding_of
from pyshardy.emitting.layout import Dims
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.types import TensorType, Type
from pyshardy.passes.partitioning.emitter import Emitter, next_channel
from pyshardy.passes.partitioning.legalization import NotConvertible, refuse, report
from pyshardy.passes.partitioning.shard_sizes import shard_counts
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

Walk = TypeVar("Walk", bound="Retyping")
Site = TypeVar("Site", bound="RetypingSite[Any]")
Rule = TypeVar("Rule", bound=Callable[..., None])

Retyped = Callable[[Type, TensorSharding | None, Mesh | None], Type]
"""(type, sharding, mesh) → the new type."""


def registering(rules: dict[str, Rule]) -> Callable[..., Callable[[Rule], Rule]]:
    """A decorator that enters a function into ``rules`` under the given names."""

    def register_for(*names: str) -> Callable[[Rule], Rule]:
        def register(rule: Rule) -> Rule:
            rules.update(dict.fromkeys(names, rule))
            return rule

        return register

    return register_for


class Retyping:
    """The walk over ``root``, a function or a module; ``retyped`` gives the new type of each value."""

    def __init__(self, root: Operation, context: Context, retyped: Retyped, *, by_replica: bool = False) -> None:
        self.context = context
        self.operations = root.operations()
        self.module = [root, *root.ancestors()][-1]
        self.meshes = meshes(self.module)
        self.shardings: dict[Value, TensorSharding] = {}
        self.types_before: dict[Value, Type] = {}
        """The old types of values. Rules note those of values that they create."""
        self.builder = Emitter(next_channel(self.operations), by_replica=by_replica)
        self._retyped = retyped
        for op in self.operations:
            self._note(op)

    def _note(self, op: Operation) -> None:
        for value in (*op.results, *op.block_arguments()):
            self.types_before[value] = value.type
            sharding = sharding_of(value)
            if sharding is not None:
                self.shardings[value] = sharding

    def mesh_of(self, sharding: TensorSharding | None) -> Mesh | None:
        """The mesh of ``sharding``; None without sharding."""
        return resolve_mesh(sharding, self.meshes) if sharding is not None else None

    def retyped(self, type: Type, sharding: TensorSharding | None) -> Type:
        """The new type of a value of ``type`` with ``sharding``."""
        return self._retyped(type, sharding, self.mesh_of(sharding))

    def target(self, value: Value) -> Type:
        """The new type of ``value`` by its own sharding."""
        return self.retyped(self.types_before[value], self.shardings.get(value))

    def counts(self, sharding: TensorSharding | None, rank: int) -> tuple[int, ...]:
        """The number of shards of each of ``rank`` dimensions."""
        return shard_counts(sharding, self.mesh_of(sharding), rank)

    def attempt(self, rule: Callable[[Site], None], site: Site) -> None:
        """Applies ``rule`` to the operation of ``site``.

        Raises:
            PassFailure: the rule gave up; errors with the old types of operands and results have been emitted.
        """
        op = site.op
        try:
            rule(site)
        except NotConvertible as failure:
            for value in (*op.operands, *op.results):
                value.type = self.types_before.get(value, value.type)
            report(self.context, op, failure)
            raise PassFailure from None


class RetypingSite(Generic[Walk]):
    """One operation that is being rewritten on a ``walk``. ``emit`` inserts before it."""

    __slots__ = ("builder", "op", "walk")

    def __init__(self, walk: Walk, op: Operation) -> None:
        self.walk = walk
        self.op = op
        self.builder = walk.builder
        self.builder.at(op)

    def type_before(self, value: Value) -> TensorType:
        """The old type of ``value``."""
        found = self.walk.types_before[value]
        assert isinstance(found, TensorType)
        return found

    def target(self, index: int = 0) -> TensorType:
        """The new type of result ``index`` by its own sharding."""
        found = self.walk.target(self.op.results[index])
        assert isinstance(found, TensorType)
        return found

    def refuse_unreduced_results(self) -> None:
        """Gives up if a result has an unreduced sharding. For operations that every device computes whole: they make no
        partial results.

        Raises:
            NotConvertible: a result has an unreduced sharding.
        """
        if any(sharding is not None and sharding.unreduced for sharding in map(self.sharding, self.op.results)):
            refuse("results are unreduced, but every device computes the whole operation; reshard them afterwards")

    def sharding(self, value: Value) -> TensorSharding | None:
        """The sharding that ``value`` had before the walk, or was created with."""
        return self.walk.shardings.get(value)

    @property
    def out_sharding(self) -> TensorSharding:
        """The sharding of the only result of a collective."""
        return self.walk.shardings[self.op.result]

    def mesh(self, value: Value) -> Mesh | None:
        """The mesh of the sharding of ``value``."""
        return self.walk.mesh_of(self.sharding(value))

    def axes(self, value: Value) -> Dims:
        """The axes of each dimension of ``value``."""
        sharding = self.sharding(value)
        if sharding is None or not sharding.dims:
            return ((),) * self._rank(value)
        return tuple(dim.axes for dim in sharding.dims)

    def counts(self, value: Value) -> tuple[int, ...]:
        """The number of shards of each dimension of ``value``."""
        return self.walk.counts(self.sharding(value), self._rank(value))

    def _rank(self, value: Value) -> int:
        type = self.walk.types_before[value]
        return type.rank if isinstance(type, TensorType) else 0
