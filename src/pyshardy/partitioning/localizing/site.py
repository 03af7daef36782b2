"""What a localizer is given: one global operation with its operands, and methods to reshard, choose and emit.

``registry`` explains localizers; the run makes a ``Site`` for each operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.emitting.builder import Properties
from pyshardy.emitting.layout import Layout, local_type, replicated
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir import rewriting
from pyshardy.ir.adapting import adapted_properties
from pyshardy.ir.attributes import EMPTY_DICTIONARY, DictionaryAttr
from pyshardy.ir.captured_values import captured_values
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Region, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.localizing.run import PartitionRun
from pyshardy.partitioning.localizing.scalar_bodies import CallsItself, inline_calls
from pyshardy.partitioning.localizing.tensor_updates import other_layouts_needed
from pyshardy.partitioning.strategies.cost_weights import BYTES_PER_MULTIPLICATION
from pyshardy.partitioning.strategies.strategy_problem import ExchangeCost, Strategy
from pyshardy.sharding.rule import SHARDING_RULE, OpShardingRule


class Site:
    """``op`` is the global operation, ``operands`` are its operands, ``requested`` the layouts requested for its
    results; ``builder`` and ``collectives`` emit."""

    __slots__ = ("builder", "collectives", "op", "operands", "requested", "resharder", "run")

    def __init__(
        self, run: PartitionRun, op: Operation, operands: list[Sharded], requested: Sequence[Layout | None]
    ) -> None:
        self.run = run
        self.builder = run.builder
        self.collectives = run.collectives
        self.resharder = run.resharder
        self.op = op
        self.operands = operands
        self.requested = requested

    # --- layouts ------------------------------------------------------------------------------------------------------

    def reshard(self, sharded: Sharded, layout: Layout) -> Sharded:
        """``sharded`` in ``layout``."""
        return self.resharder.reshard(sharded, layout)

    def replicate(self, sharded: Sharded) -> Sharded:
        """``sharded`` replicated on every device."""
        return self.resharder.replicate(sharded)

    def reduced(self, sharded: Sharded) -> Sharded:
        """``sharded`` with its partial sums reduced."""
        return self.reshard(sharded, sharded.layout.reduced())

    def mask(self, sharded: Sharded, fill: DenseElementsAttr | Value, dims: list[int] | None = None) -> Sharded:
        """``sharded`` with its padding in ``dims`` (or all) overwritten by the scalar ``fill``."""
        return self.resharder.mask(sharded, fill, dims)

    def requested_or(self, index: int, other: Layout) -> Layout:
        """The layout requested for result ``index``, ``other`` if there is none."""
        layout = self.requested[index]
        return other if layout is None else layout

    def result(self, index: int, value: Value, layout: Layout) -> Sharded:
        """Result ``index`` of the operation, as ``value`` in ``layout``."""
        return Sharded(value, self.op.results[index].type, layout)

    def other_layouts_needed(self, index: int) -> tuple[Layout, ...]:
        """The layouts besides the requested one in which result ``index`` of a tensor update is needed."""
        return other_layouts_needed(self.op.results[index], self.run.env, self.run.requested)

    def origin(self, value: Value) -> Value:
        """The value that the global ``value`` is a copy of: for an argument of an inlined function the operand of the
        call, for a result of the call the value that the function returns."""
        origins = self.run.origins
        while value in origins:
            value = origins[value]
        return value

    # --- strategies ---------------------------------------------------------------------------------------------------

    def rule(self) -> OpShardingRule | None:
        """The registered sharding rule of the operation. A rule that the operation carries guides propagation only, and
        may be wrong."""
        return self.run.rules.registered_rule(self.op)

    def declared_rule(self) -> OpShardingRule | None:
        """The rule that the operation carries, or that a user has registered: all that is known of an operation that
        pyshardy has no rule for."""
        carried = self.op.attributes.entries.get(SHARDING_RULE)
        return carried if isinstance(carried, OpShardingRule) else self.run.rules.outside_rule(self.op)

    def strategy(
        self,
        rule: OpShardingRule,
        *,
        replicated: Iterable[int] = (),
        reduction: str | None = None,
        work: float = BYTES_PER_MULTIPLICATION,
        moving: ExchangeCost | None = None,
        also: Sequence[tuple[Layout, ...]] = (),
    ) -> Strategy | None:
        """How to share the work along the factors of ``rule``, except those in ``replicated``. ``reduction`` allows
        reduction factors, and says how partial results combine; ``work`` is the cost of computing one element, in bytes
        moved; ``moving`` allows factors along which the localizer exchanges elements itself; ``also`` has further
        layouts in which each result is needed. None if the rule does not fit."""
        return self.run.strategies.choose(
            rule, self.operands, self.op, self.requested, frozenset(replicated), reduction, work, moving, also
        )

    # --- emitting -----------------------------------------------------------------------------------------------------

    def emit(
        self,
        operands: Sequence[Sharded],
        layouts: Sequence[Layout],
        properties: DictionaryAttr | Properties | None = None,
    ) -> list[Sharded]:
        """The operation on the local values of ``operands``, with results in ``layouts`` and copies of its regions;
        ``properties`` replaces its properties."""
        op = self.op
        types = [local_type(result.type, layout) for result, layout in zip(op.results, layouts, strict=True)]
        if properties is None and op.definition is not None and op.definition.adapts is not None:
            shapes = [tuple(getattr(one.value.type, "shape", ())) for one in operands]
            properties = self.adapted(shapes, [tuple(getattr(one, "shape", ())) for one in types])
        regions = self.regions() if op.regions else ()
        made = self.builder.create(
            op.name,
            [operand.value for operand in operands],
            types,
            op.properties if properties is None else properties,
            self.attributes() if op.attributes.entries else EMPTY_DICTIONARY,
            regions,
        )
        return [
            Sharded(local, result.type, layout)
            for local, result, layout in zip(made.results, op.results, layouts, strict=True)
        ]

    def adapted(self, operands: Sequence[tuple[int, ...]], results: Sequence[tuple[int, ...]]) -> DictionaryAttr:
        """The properties of the operation for operands and results of these shapes, if its row says how to adapt
        them."""
        return adapted_properties(self.op, operands, results)

    def attributes(self) -> DictionaryAttr:
        """The attributes of the operation without those of Shardy."""
        entries = {name: value for name, value in self.op.attributes.entries.items() if not name.startswith("sdy.")}
        return DictionaryAttr(entries) if entries else EMPTY_DICTIONARY

    def regions(self) -> tuple[Region, ...]:
        """Copies of the operation's regions, whose bodies work on scalars, without calls. Values that they use from
        outside are replicated.

        Raises:
            PyshardyError: a function that is called there calls itself.
        """
        op = self.op
        mapping: dict[Value, Value] = {}
        for value in captured_values(op):
            mapping[value] = self.replicate(self.run.env[value]).value
        copies = []
        for region in op.regions:
            copy = rewriting.copied_region(region, mapping)
            try:
                inline_calls(copy, self.run.functions)
            except CallsItself as error:
                raise self.run.recursion_error(str(error)) from None
            _drop_shardings(copy)
            copies.append(copy)
        return tuple(copies)

    def fall_back(self) -> list[Sharded]:
        """Every device computes the whole operation: always right, never cheap."""
        operands = [self.replicate(operand) for operand in self.operands]
        return self.emit(operands, [replicated_layout(result.type) for result in self.op.results])


def _drop_shardings(region: Region) -> None:
    """Removes the shardings of the scalars in ``region``."""
    for block in region.blocks:
        for op in block:
            if op.name in _PLACEMENTS:
                rewriting.replace_op(op, op.operands)
                continue
            if SHARDING in op.attributes:
                rewriting.set_attributes(op, op.attributes.without(SHARDING))
            for nested in op.regions:
                _drop_shardings(nested)


_PLACEMENTS = frozenset({"sdy.propagation_barrier", "sdy.reshard", "sdy.sharding_constraint"})


def replicated_layout(type: Type) -> Layout:
    """The replicated layout of a value of ``type``."""
    return replicated(len(getattr(type, "shape", ())))
