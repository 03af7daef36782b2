"""Localizes ``dot`` and ``dot_general``: shared along batch, free and contracting dimensions, whatever moves least.

A contraction shared along contracting dimensions leaves terms of a sum, which become an all-reduce, or a
reduce-scatter where the wanted result is sharded by the same axes. Registers with ``registry``.
"""

from __future__ import annotations

from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.layout import Sharded
from pyshardy.partitioning.registry import localizes
from pyshardy.partitioning.site import Site
from pyshardy.partitioning.work import BYTES_PER_MULTIPLICATION


@localizes("stablehlo.dot_general", "stablehlo.dot")
def _dot_general(site: Site) -> list[Sharded]:
    rule = site.rule()
    if rule is None:
        return site.fall_back()
    strategy = site.strategy(rule, reduction="sum", work=BYTES_PER_MULTIPLICATION)
    if strategy is None:
        return site.fall_back()
    operands = []
    for operand, layout, mapping in zip(site.operands, strategy.operands, rule.operand_mappings, strict=True):
        contracting = [
            dim for dim, factors in enumerate(mapping) if any(factor in rule.reduction_factors for factor in factors)
        ]
        operands.append(site.mask(site.reshard(operand, layout), zero_of(operand), contracting))
    return site.emit(operands, strategy.results)


def zero_of(sharded: Sharded) -> DenseElementsAttr:
    """A scalar zero of the element type."""
    return DenseElementsAttr.splat_of(TensorType((), sharded.element), 0)
