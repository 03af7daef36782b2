"""``sdy-user-priority-propagate``: the whole hierarchy, one user priority after the other."""

from __future__ import annotations

from pyshardy.ir.passes import register_pass
from pyshardy.passes.propagating.op_priority_propagate import OpPriorityPropagate
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.priority_levels import propagate_user_priorities


@register_pass("sdy-user-priority-propagate", on="builtin.module", class_name="UserPriorityPropagationPass")
class UserPriorityPropagate(OpPriorityPropagate):
    """Propagates shardings by user-defined priority.

    Those of priority 0 go through the whole program, then those of 1, and so on.
    """

    dump_index: int = 0
    """The number with which the names of dumps begin; a pipeline counts on from the dumps before this pass."""
    user_priorities: bool = True
    """Go by the priorities that the user gave; without it they are dropped and all go at once."""
    stop_after: int | None = None
    """The last user priority to propagate; what comes later stays unsharded."""

    def propagate(self, run: Propagation) -> None:
        def dump(finished: int) -> None:
            if self.module_dump_directory:
                from pyshardy.ir.dump import dump_module

                run.publish()
                name = f"propagation_after_user_priority_{finished}"
                dump_module(run.module, run.context, self.module_dump_directory, name, self.dump_index)

        propagate_user_priorities(
            run,
            self.propagation_strategy,
            op_priorities=self.run_op_priority_propagation,
            user_priorities=self.user_priorities,
            stop_after=self.stop_after,
            between=dump,
        )
