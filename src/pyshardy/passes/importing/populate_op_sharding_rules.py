"""The pass ``sdy-populate-op-sharding-rules``: writes on every operation the rule by which it propagates.

Propagation finds rules by itself; the pass shows them, or fixes them before other passes run.
``exporting.drop_sharding_rules`` removes them again.
"""

from __future__ import annotations

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, option, register_pass
from pyshardy.rules.registry import RuleTable


@register_pass("sdy-populate-op-sharding-rules", on="func.func")
class PopulateOpShardingRules(Pass):
    """Writes its sharding rule on every operation that has one.

    Nested operations come first; a rule that is there stays.
    """

    conservative_propagation: bool = option(False, "leave out the factors that often lead to costly shardings")

    def apply(self, op: Operation, context: Context) -> None:
        rules = RuleTable(context, conservative=self.conservative_propagation)
        for nested in op.walk_postorder():
            rules.attach(nested)
