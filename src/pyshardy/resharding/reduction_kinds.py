"""The reduction by which partial results of an operation are combined in an all-reduce.

Shardy's own all-reduces do not name it. ``explicit_reshards`` asks here if they shall.
"""

from __future__ import annotations

from functools import lru_cache

from pyshardy.ir.operation import Operation
from pyshardy.rules.reducers import KINDS, combining_operation
from pyshardy.sharding.rule import OpShardingRule

# "or" and "and" count as reductions of booleans only, for which they are a maximum and a minimum.
_ALL_REDUCES = {"sum": "sum", "max": "max", "min": "min", "or": "max", "and": "min"}


def reduction_kind_of(op: Operation) -> str | None:
    """``sum``, ``max`` or ``min``; None if ``op`` reduces in another way, as by a product or an argmax."""
    if not op.regions:
        return "sum"
    return _ALL_REDUCES.get(KINDS.get(combining_operation(op.regions[0], len(op.results)) or "") or "")


@lru_cache(maxsize=1024)
def without_reduction(rule: OpShardingRule) -> OpShardingRule:
    """``rule`` with its reduction factors replicated, so that no device has a partial result."""
    return rule.replicating(rule.reduction_factors)
