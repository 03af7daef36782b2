"""Records the steps of propagation, so that ``analysis.why`` can explain later why a tensor is sharded as it is.

A ``Journal`` is an observer of a context while propagation runs. Each visit that changes something is recorded with the
immutable values that it worked on and the operation's action, which costs hardly any time; the movements of axes are
computed only when a question is asked (``analysis.why``). Passes notify it of handovers, ``fixed_point`` of steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyshardy.dialects.sdy.dataflow import from_edge, is_data_flow
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Operation, Value
from pyshardy.propagation.directions import Directions
from pyshardy.propagation.handovers import Handover
from pyshardy.propagation.observers import ObservedPropagation, PropagationObserver, PropagationStep
from pyshardy.propagation.transfer_function import Shardings, Updates
from pyshardy.sharding.tensor import TensorSharding

if TYPE_CHECKING:
    from pyshardy.propagation.actions import Action
    from pyshardy.propagation.sharding_table import ShardingSlot


class Change(NamedTuple):
    """A visit of ``op`` (the function, for its results) that changed something: its ``action``, the ``shardings`` that
    the step began with, those ``held`` by its slots (at the edge of a manual computation the last one differs), the
    updates ``written``, and the op priority and user priority."""

    op: Operation
    action: Action
    shardings: Shardings
    held: Shardings
    written: Updates
    directions: Directions
    strategy: str
    op_priority: int
    user_priority: int


class Journal(PropagationObserver):
    """The steps of one run of a pipeline: ``handovers`` before propagation, then ``changes``; ``run`` is the
    propagation itself, and ``owners`` the value that owns each data-flow edge, both at the end of propagation;
    ``seen_from_outside`` is the sharding on the other side of an edge where it differs, ``without_rule`` are the
    operations without a sharding rule, with the slots of their operands and results."""

    __slots__ = ("changes", "handovers", "owners", "run", "seen_from_outside", "without_rule")

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.handovers: list[Handover] = []
        self.owners: dict[Value, Value] = {}
        self.run: ObservedPropagation | None = None
        self.seen_from_outside: dict[ShardingSlot | None, TensorSharding] = {}
        self.without_rule: list[tuple[Operation, tuple[ShardingSlot | None, ...]]] = []

    def handed_over(self, handover: Handover) -> None:
        self.handovers.append(handover)

    def writes(self, run: ObservedPropagation, step: PropagationStep) -> None:
        op, action, shardings, updates, directions, strategy, priority = step
        held, written = shardings, updates
        if action.views is not None:
            last, to_slot = len(shardings) - 1, action.views[1]
            held = (*shardings[:-1], run.table.get(action.slots[-1]))
            written = tuple((index, to_slot(new) if index == last else new) for index, new in updates)
        priorities = (priority, run.user_priority)
        self.changes.append(Change(op, action, shardings, held, written, directions, strategy, *priorities))

    def finished(self, run: ObservedPropagation) -> None:
        """Called at the end of propagation, when edges are still in the program."""
        self.run = run
        acted_on = {op for op, _ in run.actions()}
        for argument in run.main.body.arguments:
            run.table.slot_of(argument)
        for op in run.pre_scan.operations:
            if run.is_erased(op):
                continue
            for result in op.results:
                # Loaded now even if it was not read before, since edges are erased later.
                run.table.slot_of(result)
            if op not in acted_on and is_computation(op):
                slots = tuple(map(run.table.slot_of, (*op.operands, *op.results)))
                self.without_rule.append((op, slots))
            if op.name == "sdy.data_flow_edge" and op.parent is not None:
                edge = op.results[0]
                self.owners[edge] = op.operands[0]
                held = run.table.get(edge) if run.table.knows(edge) else None
                seen = from_edge(op, held) if held is not None else None
                if seen is not held and seen is not None:
                    self.seen_from_outside[edge] = seen


def is_computation(op: Operation) -> bool:
    """Whether ``op`` computes tensors: not operations of the sdy dialect or of control flow, which have their own
    handling."""
    if not op.operands or not op.results or op.traits & TERMINATOR or is_data_flow(op):
        return False
    return not op.name.startswith(("sdy.", "func."))
