"""By what an operation combines what it is given: the kind of the all-reduce that joins partial results.

Shardy's own all-reduces do not say. Asked by ``explicit_reshards`` where kinds are wanted.
"""

from __future__ import annotations

from functools import lru_cache

from pyshardy.ir.operation import Operation
from pyshardy.rules.reducers import KINDS, combining_operation
from pyshardy.sharding.rule import OpShardingRule

# Of booleans, the only ones whose "or" and "and" count as combining.
_ALL_REDUCES = {"sum": "sum", "max": "max", "min": "min", "or": "max", "and": "min"}


def reduction_kind_of(op: Operation) -> str | None:
    """``sum``, ``max`` or ``min``; None if ``op`` combines otherwise, by a product or a search for example."""
    if not op.regions:
        return "sum"
    return _ALL_REDUCES.get(KINDS.get(combining_operation(op.regions[0], len(op.results)) or "") or "")


@lru_cache(maxsize=1024)
def without_reduction(rule: OpShardingRule) -> OpShardingRule:
    """``rule`` with its reduction factors replicated: no device holds a partial result."""
    return rule.replicating(rule.reduction_factors)
