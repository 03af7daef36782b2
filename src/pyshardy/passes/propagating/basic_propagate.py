"""``sdy-basic-propagate``: one fixed point with the basic strategy. The other propagate passes extend this one."""

from __future__ import annotations

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, option, register_pass
from pyshardy.passes.options import DebugOptions
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.priority_levels import propagate_strategies


@register_pass("sdy-basic-propagate", on="builtin.module", class_name="BasicPropagationPass")
class BasicPropagate(DebugOptions, Pass):
    """Propagates shardings along factors on which all tensors of an operation agree."""

    keep_sharding_rules: bool = option(False, "keep the sharding rules that the pass computes on the operations")
    conservative_propagation: bool = option(
        False, "never split an axis, and use rules that never propagate along dimensions that change size"
    )
    module_dump_directory: str = option("", "where user-priority propagation writes the program after each priority")

    def apply(self, op: Operation, context: Context) -> None:
        trace = self.trace(op, context)
        observers = () if trace is None else (trace,)
        run = Propagation(op, context, conservative=self.conservative_propagation, observers=observers)
        self.propagate(run)
        run.finish(keep_sharding_rules=self.keep_sharding_rules)

    def propagate(self, run: Propagation) -> None:
        """The layers of this pass."""
        propagate_strategies(run, "basic")
