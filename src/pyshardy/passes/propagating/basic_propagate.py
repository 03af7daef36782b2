"""``sdy-basic-propagate``: one fixed point with the basic strategy. The other propagate passes extend this one."""

from __future__ import annotations

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, PassFailure, option, register_pass
from pyshardy.passes.options import DebugOptions
from pyshardy.propagation.alike_layers import propagated_by_few_layers
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.layers import propagate_strategies


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
        options = {"conservative": self.conservative_propagation, "keep_sharding_rules": self.keep_sharding_rules}
        is_seen = trace is not None or bool(self.module_dump_directory)
        if not is_seen and propagated_by_few_layers(op, context, self.propagate, **options):
            return
        if context.layers_to_come is not None:
            # They might become something else.
            raise PassFailure
        run = Propagation(op, context, conservative=self.conservative_propagation, trace=trace)
        self.propagate(run)
        run.finish(keep_sharding_rules=self.keep_sharding_rules)

    def propagate(self, run: Propagation) -> None:
        """The layers of this pass."""
        propagate_strategies(run, "basic")
