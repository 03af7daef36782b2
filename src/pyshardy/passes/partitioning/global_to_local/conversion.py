"""Converts global types to those of one device: the walk over the program, and what a rule uses to rewrite an
operation.

Every operation is rewritten once, in the order of the text, after its operands have become local. An operation without
a rule keeps everything but its types. Manual computations are inlined at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import EMPTY_DICTIONARY
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.passes.partitioning.legalization import NotConvertible
from pyshardy.passes.partitioning.retyping import Retyping, RetypingSite, registering
from pyshardy.passes.partitioning.shard_sizes import local_type


@dataclass(frozen=True)
class Choices:
    """Options: one all-gather for each dimension; one reduce-scatter for several dimensions; replica groups as mesh
    axes, in the spelling of the newer reference (``new_spelling``); whether devices are replicas."""

    per_dim_all_gather: bool = False
    combine_reduce_scatter: bool = False
    axes_as_groups: bool = False
    new_spelling: bool = False
    devices_are_replicas: bool = False


Rule = Callable[["ConversionSite"], None]
_RULES: dict[str, Rule] = {}
converts = registering(_RULES)
"""Registers a rule for the operations of the names given."""
_DIALECT_RULES: dict[str, Rule] = {}
converts_dialect = registering(_DIALECT_RULES)
"""Registers the rule of all operations of the dialects given that have no rule of their own."""

WHOLE = "whole"
"""In ``Conversion.partial``: each device has computed the whole value, so that nothing needs to be reduced."""

_ILLEGAL = frozenset(
    f"sdy.{name}" for name in ("sharding_constraint", "propagation_barrier", "data_flow_edge", "sharding_group")
)
_DIALECTS = ("stablehlo", "func", "sdy", "chlo", "check", "interpreter")
"""The dialects whose operations the pass converts. Unregistered operations are kept, and so are those that run the
program's functions on devices and check the results."""


class Conversion(Retyping):
    """The conversion of one module."""

    def __init__(self, module: Operation, choices: Choices, context: Context) -> None:
        super().__init__(module, context, local_type, by_replica=choices.devices_are_replicas)
        self.choices = choices
        self.partial: dict[Value, str] = {}
        """Values of which each device has a partial result → the reduction that combines these."""

    def run(self) -> None:
        """Converts the module.

        Raises:
            PassFailure: an operation cannot be converted; errors have been emitted.
        """
        computations = []
        for op in self.operations:
            if op.name in ("builtin.module", "sdy.mesh"):
                continue
            self.attempt(_rule(op), ConversionSite(self, op))
            if op.name == "sdy.manual_computation":
                computations.append(op)
        for op in reversed(computations):
            self.attempt(_inline, ConversionSite(self, op))

    def inherit(self, old: Value, new: Value) -> None:
        """``new`` replaces ``old``: it gets its type, sharding and reduction."""
        self.types_before[new] = self.types_before[old]
        if old in self.partial:
            self.partial[new] = self.partial[old]
        sharding = self.shardings.get(old)
        if sharding is None:
            self.shardings.pop(new, None)
        else:
            self.shardings[new] = sharding


class ConversionSite(RetypingSite[Conversion]):
    """One operation that is being converted."""

    __slots__ = ()

    @property
    def choices(self) -> Choices:
        return self.walk.choices

    def is_replicated(self, value: Value) -> bool:
        """Whether no dimension of ``value`` has axes."""
        return not any(self.axes(value))

    def replace(self, *values: Value) -> None:
        """Replaces the results by ``values``, and erases the operation."""
        for old, new in zip(self.op.results, values, strict=True):
            self.walk.inherit(old, new)
        rewriting.replace_op(self.op, values)

    def rebuild(
        self, operands: Sequence[Value], properties: Mapping[str, Attribute], *, keep_attributes: bool = True
    ) -> Operation:
        """The operation with other operands and properties and local results; its regions move to the new one. The
        caller has to replace the old one."""
        op = self.op
        types = [self.walk.target(result) for result in op.results]
        entries = {**op.properties.entries, **properties}
        attributes = op.attributes if keep_attributes else EMPTY_DICTIONARY
        regions = op.regions
        op.regions = ()
        return self.builder.create(op.name, operands, types, entries, attributes, regions)

    def warn(self, message: str) -> None:
        """Warns at the operation."""
        emit_at(self.walk.context, "warning", self.op, message)


def _rule(op: Operation) -> Rule:
    dialect = op.name.partition(".")[0]
    if op.name in _ILLEGAL or (op.definition is not None and dialect not in _DIALECTS):
        return _give_up
    return _RULES.get(op.name) or _DIALECT_RULES.get(dialect, keep)


def _give_up(site: ConversionSite) -> None:
    raise NotConvertible


def keep(site: ConversionSite) -> None:
    """The rule of operations without one: results become local, everything else stays."""
    op = site.op
    for result in op.results:
        rewriting.set_type(result, site.walk.target(result))
    rewriting.make_anew(op)


def _inline(site: ConversionSite) -> None:
    """Replaces a manual computation by its body, which is local already."""
    op = site.op
    body = op.body
    returned = body.terminator
    for name, inside, outside in (
        ("in_shardings", body.arguments, op.operands),
        ("out_shardings", op.results, returned.operands),
    ):
        for index, (a, b) in enumerate(zip(inside, outside, strict=True)):
            if a.type is not b.type:
                raise NotConvertible(
                    f"entry {index} of {name} gives each device {a.type}, but the value there is {b.type}; "
                    "insert a reshard"
                )
    for argument, operand in zip(body.arguments, op.operands, strict=True):
        rewriting.replace_all_uses(argument, operand)
    values = list(returned.operands)
    rewriting.erase(returned)
    for one in body:
        rewriting.move_before(one, op)
    rewriting.replace_op(op, values)
