"""Sharding groups: values that must end with one sharding.

``sdy.sharding_group`` puts a value into a group. Before propagation the members of a group get the sharding that they
agree on; during propagation a new sharding of one member is copied to the others.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import operation_of
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.propagation.handovers import Handover, handover_observers
from pyshardy.sharding.tensor import TensorSharding, fully_open

_CONFLICT = (
    "The initial operand shardings on the sharding groups of groupID: {} do not match. Inserting an open sharding "
    "constraint to all constrained values. This can be caused when shardings from different values are grouped "
    "(e.g. from jax.shard_alike) but have separate inconsistent sharding constraints on them."
)


class ShardingGroups:
    """The groups of the operations ``grouping`` (with the group's number, in program order). Their members are in that
    order, and get a common sharding.

    Raises:
        PassFailure: a value is in two groups.
    """

    __slots__ = ("_group_of", "_members")

    def __init__(self, grouping: Iterable[tuple[int, Operation]], context: Context) -> None:
        self._members: dict[int, list[Value]] = {}
        self._group_of: dict[Value, int] = {}
        for number, op in grouping:
            self._join(number, op, context)
        for number in sorted(self._members):
            self._synchronise(number, context)

    def others(self, value: Value) -> list[Value]:
        """The other members of the group of ``value``, in order; none if it is in no group."""
        number = self._group_of.get(value)
        return [] if number is None else [one for one in self._members[number] if one is not value]

    @property
    def empty(self) -> bool:
        """Whether there are no groups."""
        return not self._members

    def _join(self, number: int, op: Operation, context: Context) -> None:
        value = op.operands[0]
        if self._group_of.setdefault(value, number) != number:
            emit_at(context, "error", op, "Value can only map to one sharding group id after import.")
            raise PassFailure
        self._members.setdefault(number, []).append(value)

    def _synchronise(self, number: int, context: Context) -> None:
        members = self._members[number]
        if len(members) == 1:
            return
        common: TensorSharding | None = None
        for value in members:
            sharding = placement.sharding_of(value)
            if sharding is None or not any(dim.axes or dim.is_closed for dim in sharding.dims):
                continue
            if common is not None and sharding is not common:
                self._separate(number, common, context)
                return
            common = sharding
        if common is not None:
            first = next(value for value in members if placement.sharding_of(value) is common)
            observers = handover_observers(context)
            for value in members:
                if observers and placement.sharding_of(value) is not common:
                    # A value that a loop carries has its sharding at the data-flow edge.
                    there, source = (placement.shardable_value(one) or one for one in (value, first))
                    for observer in observers:
                        observer.handed_over(Handover("sdy-user-priority-propagate", there, common, source))
                placement.set_sharding(value, common)

    def _separate(self, number: int, reference: TensorSharding, context: Context) -> None:
        """Inserts an open constraint after each member, which replaces it in the group."""
        members = self._members[number]
        emit_at(context, "warning", operation_of(members[0]), _CONFLICT.format(number))
        for index, value in enumerate(members):
            sharding = fully_open(placement.rank_of(value.type), reference.mesh_or_ref)
            constraint = rewriting.create(
                "sdy.sharding_constraint",
                [value],
                [value.type],
                DictionaryAttr({"sharding": sharding}),
                location=operation_of(value).location,
            )
            rewriting.insert_after_definition(value, constraint)
            rewriting.replace_all_uses_except(value, constraint.result, constraint)
            del self._group_of[value]
            members[index] = constraint.result
            self._group_of[constraint.result] = number
