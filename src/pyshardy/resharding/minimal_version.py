"""Questions of the minimal version of explicit reshards about single operations, which ``explicit_reshards`` acts on.

Is a dot better computed in another sharding than that of its result? Over which axes do the operands agree to reduce?
"""

from __future__ import annotations

from pyshardy.resharding.factor_axes import TensorFactors
from pyshardy.sharding.axes import AxisRef, overlaps
from pyshardy.sharding.rule import FactorKind
from pyshardy.sharding.tensor import TensorSharding


def better_result_sharding(factors: TensorFactors) -> TensorSharding | None:
    """The sharding in which a dot should compute its result, if it is not the one that the result has; None otherwise.

    There is one if operands and result differ on a single factor, the result has the contracting axes there, and the
    operand that has the factor is not smaller than the result. Changes ``factors``.
    """
    conflict = _conflict(factors)
    if conflict is None:
        return None
    factor, axes = conflict
    factors.results[0].factors[factor].axes = axes
    return factors.sharding(factors.operand_count)


def _conflict(factors: TensorFactors) -> tuple[int, list[AxisRef]] | None:
    """The only factor on which the result has other axes than the operands, and the axes of the operands; None if there
    is no such factor."""
    lhs, rhs = factors.operands
    result = factors.results[0]
    reduction: list[AxisRef] = []
    others: list[AxisRef] = []
    found: tuple[int, list[AxisRef]] | None = None
    for factor in range(factors.rule.num_factors):
        holders = [operand for operand in (lhs, rhs) if factor in operand.factors]
        axes = holders[0].factors[factor].axes
        if any(holder.factors[factor].axes != axes for holder in holders):
            return None
        if factors.rule.kind(factor) is FactorKind.REDUCTION:
            reduction += axes
            continue
        if len(holders) == 1:
            if any(overlaps(axis, other) for axis in axes for other in others):
                return None
            others += axes
        if result.factors[factor].axes != axes:
            if not axes or found is not None or result.elements > max(holder.elements for holder in holders):
                return None
            found = factor, list(axes)
    if found is None:
        return None
    kept = result.factors[found[0]].axes
    return found if kept and kept == reduction else None


def operand_reduction_axes(factors: TensorFactors) -> list[AxisRef] | None:
    """The axes of the reduction factors, if the operands agree on them: the result is partial over them."""
    found: list[AxisRef] = []
    for factor in factors.rule.reduction_factors:
        lists = [operand.factors[factor].axes for operand in factors.operands if factor in operand.factors]
        if any(other != lists[0] for other in lists):
            return None
        found += lists[0]
    return found
