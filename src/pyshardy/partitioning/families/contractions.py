"""Localizes ``dot`` and ``dot_general``: sharded along batch, free and contracting dimensions, whatever moves the
fewest bytes.

A contraction that is sharded along contracting dimensions leaves partial sums. They become an all-reduce, or a
reduce-scatter where the requested result is sharded by the same axes.
"""

from __future__ import annotations

from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.sharding.rule import OpShardingRule


@localizes("stablehlo.dot_general", "stablehlo.dot")
def _dot_general(site: Site) -> list[Sharded]:
    return sum_of_products(site, site.rule())


def sum_of_products(site: Site, rule: OpShardingRule | None) -> list[Sharded]:
    """An operation that multiplies its operands and sums over the reduction factors of ``rule``. Without a rule every
    device computes the whole."""
    strategy = None if rule is None else site.strategy(rule, reduction="sum")
    if rule is None or strategy is None:
        return site.fall_back()
    operands = []
    for operand, layout, mapping in zip(site.operands, strategy.operands, rule.operand_mappings, strict=True):
        contracting = [
            dim for dim, factors in enumerate(mapping) if any(factor in rule.reduction_factors for factor in factors)
        ]
        operands.append(site.mask(site.reshard(operand, layout), zero_of(operand), contracting))
    return site.emit(operands, strategy.results)


def zero_of(sharded: Sharded) -> DenseElementsAttr:
    """A scalar zero of the element type of ``sharded``."""
    return DenseElementsAttr.splat_of(TensorType((), sharded.element), 0)
