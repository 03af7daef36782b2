"""The pass ``sdy-apply-sharding-constraints``: shards the input of a constraint like the constraint.

The closed dimensions of a constraint do not propagate by themselves; with the input sharded, they do. The shardings
that a manual computation requires of its operands count as constraints, too. The import pipeline runs it after
``add_data_flow_edges``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyshardy.dialects.sdy.dataflow import edge_of
from pyshardy.dialects.sdy.placement import set_sharding, shardable_value, sharding_of
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import EMPTY_DICTIONARY
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.options import DebugOptions
from pyshardy.propagation.handovers import Handover, handover_observers
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.tensor import OPEN, TensorSharding, TensorShardingPerValue

if TYPE_CHECKING:
    from pyshardy.propagation.trace import Trace

_CONSTRAINT = "sdy.sharding_constraint"
_COMPUTATION = "sdy.manual_computation"


class _Application:
    """One run of the pass."""

    def __init__(self, context: Context, trace: Trace | None) -> None:
        self.rules = RuleTable(context)
        self.observers = handover_observers(context)
        self.trace = trace

    def apply_constraint(self, constraint: Operation) -> None:
        value = constraint.operands[0]
        tail = _chain_tail(constraint)
        if tail is not None:
            _read_behind_chain(value, constraint, tail)

        def moved_to_value() -> Operation:
            rewriting.detach(constraint)
            rewriting.insert_after_definition(value, constraint)
            return constraint

        self._apply(constraint, 0, _sharding(constraint), moved_to_value)

    def apply_computation(self, computation: Operation) -> None:
        for index, sharding in enumerate(_in_shardings(computation)):
            # An earlier operand may have put a constraint in front of this one.
            value = computation.operands[index]

            def new_constraint(value: Value = value, sharding: TensorSharding = sharding) -> Operation:
                properties = EMPTY_DICTIONARY.with_("sharding", sharding)
                location = computation.location
                constraint = rewriting.create(_CONSTRAINT, [value], [value.type], properties, location=location)
                rewriting.insert_after_definition(value, constraint)
                return constraint

            self._apply(computation, index, sharding, new_constraint)

    def _apply(
        self, op: Operation, index: int, sharding: TensorSharding, constraint_at_value: Callable[[], Operation]
    ) -> None:
        """Gives operand ``index`` of ``op`` the ``sharding`` that ``op`` asks for, unless something else speaks against
        it."""
        value = op.operands[index]
        if (
            shardable_value(value) is None
            or sharding_of(value) is not None
            or not sharding.is_fully_closed
            or _is_wanted_otherwise(value, sharding)
        ):
            return
        edge = _edge(value)
        if edge is None:
            self.rules.attach(op)
            set_sharding(value, sharding)
            if self.trace is not None and op.name == _CONSTRAINT:
                self.trace.constrained(op, value, sharding)
            self._enter(op, index, value, sharding)
            return
        # The places that an edge stands for may be sharded in other ways, so only the uses get the sharding.
        constraint = constraint_at_value()
        if constraint is not op:
            self._enter(op, index, constraint.result, sharding)
        rewriting.replace_all_uses_except(value, constraint.result, constraint)
        if sharding.unreduced:
            dims = (OPEN,) * sharding.rank
            set_sharding(edge.result, sharding.replace(dims=dims, replicated=()))

    def _enter(self, op: Operation, index: int, value: Value, sharding: TensorSharding) -> None:
        for observer in self.observers:
            observer.handed_over(Handover("sdy-apply-sharding-constraints", value, sharding, op, index))


def _sharding(constraint: Operation) -> TensorSharding:
    found = constraint.properties.get("sharding")
    assert isinstance(found, TensorSharding)
    return found


def _in_shardings(computation: Operation) -> TensorShardingPerValue:
    found = computation.properties.get("in_shardings")
    assert isinstance(found, TensorShardingPerValue)
    return found


def _edge(value: Value) -> Operation | None:
    definition = value.defining_op
    if definition is not None and definition.name == "sdy.data_flow_edge":
        return definition
    return edge_of(value)


def _is_wanted_otherwise(value: Value, sharding: TensorSharding) -> bool:
    for user, index in value.uses:
        if user.name == _CONSTRAINT and _sharding(user) is not sharding:
            return True
        if user.name == _COMPUTATION and _in_shardings(user)[index] is not sharding:
            return True
    return False


# --- chains of constraints that nothing else reads --------------------------------------------------------------------


def _is_constraining(op: Operation) -> bool:
    return op.name in (_CONSTRAINT, _COMPUTATION)


def _chain_tail(head: Operation) -> Operation | None:
    """The last of a chain of at least two constraints that starts with ``head`` and of which only the end is used.

    None if the input of ``head`` is constrained in another way already, or the end of the chain is.
    """
    value = head.operands[0]
    definition = value.defining_op
    if definition is not None and definition.name == _CONSTRAINT:
        return None
    if sharding_of(value) is not None or any(user is not head and _is_constraining(user) for user in value.users):
        return None
    tail = head
    while tail.result.has_one_use:
        user = next(tail.result.users)
        if user.name != _CONSTRAINT:
            break
        tail = user
    if tail is head or any(map(_is_constraining, tail.result.users)):
        return None
    return tail


def _read_behind_chain(value: Value, head: Operation, tail: Operation) -> None:
    """Makes the users of ``value`` that come after ``tail`` read the result of the chain."""

    def reads_behind(user: Operation, _: int) -> bool:
        if user is head or user.name == "func.return" or user.parent is not tail.parent:
            return False
        return tail.is_before(user)

    rewriting.replace_uses_if(value, tail.result, reads_behind)


@register_pass("sdy-apply-sharding-constraints", on="builtin.module", notes_changes=True)
class ApplyShardingConstraints(DebugOptions, Pass):
    """Copies the shardings that constraints and manual computations dictate onto their inputs."""

    def apply(self, op: Operation, context: Context) -> bool:
        constraining = operation_index(op, context).named_postorder(_CONSTRAINT, _COMPUTATION)
        if not constraining and not self.is_traced:
            return False
        trace = self.trace(op, context)
        application = _Application(context, trace)
        for nested in constraining:
            if nested.name == _CONSTRAINT:
                application.apply_constraint(nested)
            else:
                application.apply_computation(nested)
        if trace is not None:
            trace.write(lambda _: False)
        return True
