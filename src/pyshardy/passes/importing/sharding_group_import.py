"""The pass ``sdy-sharding-group-import``: merges sharding groups that share a value, and numbers them from 0.

It also checks that all values of a group can be sharded alike: one shape, one manual computation around. The import
pipeline runs it after ``apply_sharding_constraints``; propagation reads the groups.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.ir import rewriting
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, PassFailure, register_pass
from pyshardy.ir.types import I64, TensorType
from pyshardy.ir.verifying.operation_diagnostics import emit_at


def import_sharding_groups(module: Operation, context: Context) -> None:
    """Merges, numbers and checks the groups of ``module``; afterwards a value is in one group, once.

    Raises:
        PassFailure: the values of a group differ in shape or in the manual computation around them.
    """
    members_of: dict[Value, list[Operation]] = {}
    first_of: dict[int, Operation] = {}
    for op in module.walk():
        if op.name == "sdy.sharding_group":
            _check_like_first(op, first_of.setdefault(group_id(op), op), context)
            members_of.setdefault(op.operands[0], []).append(op)
    numbers = _new_numbers([group_id(member) for member in members] for members in members_of.values())
    for first, *others in members_of.values():
        number = IntegerAttr(numbers[group_id(first)], I64)
        rewriting.set_properties(first, first.properties.with_("group_id", number))
        for other in others:
            rewriting.erase(other)


def group_id(member: Operation) -> int:
    """The number of the group that an ``sdy.sharding_group`` puts its operand into."""
    found = member.properties.get("group_id")
    assert isinstance(found, IntegerAttr)
    return found.value


def _check_like_first(member: Operation, first: Operation, context: Context) -> None:
    complaint = None
    if _computation_around(member) is not _computation_around(first):
        complaint = "cannot cross ManualComputationOp boundaries"
    elif _shape(member) != _shape(first):
        complaint = "must have the same shape"
    if complaint is not None:
        message = f"ShardingGroupOps values {complaint} for groupId: {group_id(member)}"
        emit_at(context, "error", member, message)
        raise PassFailure


def _computation_around(op: Operation) -> Operation | None:
    return next((one for one in op.ancestors() if one.name == "sdy.manual_computation"), None)


def _shape(member: Operation) -> tuple[int, ...]:
    found = member.operands[0].type
    assert isinstance(found, TensorType)
    return found.shape


def _new_numbers(ids_of_values: Iterable[list[int]]) -> dict[int, int]:
    """The new number of each id, given the ids of each value: ids that some value has are one group.

    Groups are numbered in the order in which the id that stands for the group was met first.
    """
    leader: dict[int, int] = {}
    classes: dict[int, list[int]] = {}
    for first, *others in ids_of_values:
        for one in (first, *others):
            if one not in leader:
                leader[one] = one
                classes[one] = [one]
            kept, absorbed = leader[first], leader[one]
            if kept != absorbed:
                moved = classes.pop(absorbed)
                classes[kept] += moved
                leader.update(dict.fromkeys(moved, kept))
    leaders = (one for one in leader if leader[one] == one)
    number_of = {one: number for number, one in enumerate(leaders)}
    return {one: number_of[leader[one]] for one in leader}


@register_pass("sdy-sharding-group-import", on="builtin.module", notes_changes=True)
class ShardingGroupImport(Pass):
    """Merges sharding groups that share a value, numbers them from 0, and checks them."""

    def apply(self, op: Operation, context: Context) -> bool:
        if not operation_index(op, context).has("sdy.sharding_group"):
            return False
        import_sharding_groups(op, context)
        return True
