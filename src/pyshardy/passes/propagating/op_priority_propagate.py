"""``sdy-op-priority-propagate``: aggressive propagation, pass-through operations before those that change shapes."""

from __future__ import annotations

from pyshardy.ir.passes import option, register_pass
from pyshardy.passes.propagating.aggressive_propagate import AggressivePropagate
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.priority_levels import propagate_op_priorities


@register_pass("sdy-op-priority-propagate", on="builtin.module", class_name="OpPriorityPropagationPass")
class OpPriorityPropagate(AggressivePropagate):
    """Propagates shardings by kind of operation, pass-through operations first.

    The directions of operations open step by step.
    """

    run_op_priority_propagation: bool = option(True, "go by the kind of operation; without it all go at once")

    def propagate(self, run: Propagation) -> None:
        propagate_op_priorities(run, self.propagation_strategy, enabled=self.run_op_priority_propagation)
