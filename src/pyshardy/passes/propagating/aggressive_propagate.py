"""``sdy-aggressive-propagate``: a fixed point for each strategy of a list, by default the aggressive one."""

from __future__ import annotations

from pyshardy.ir.passes import option, register_pass
from pyshardy.passes.propagating.basic_propagate import BasicPropagate
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.priority_levels import STRATEGY_LISTS, propagate_strategies


@register_pass("sdy-aggressive-propagate", on="builtin.module", class_name="AggressivePropagationPass")
class AggressivePropagate(BasicPropagate):
    """Propagates shardings and resolves conflicts between factors.

    Each tensor gets all it can take, the factor that comes from the largest tensor first.
    """

    propagation_strategy: str = option(
        "aggressive", "basic, aggressive, or one after the other", choices=tuple(STRATEGY_LISTS)
    )

    def propagate(self, run: Propagation) -> None:
        propagate_strategies(run, self.propagation_strategy)
