"""Localizes operations on single elements that their definition does not call elementwise.

CHLO's operations that broadcast their operands, its functions of two arguments, and ``stablehlo.map``. Registers with
``registry``; ``rule_based`` does all the others.
"""

from __future__ import annotations

from pyshardy.partitioning.layout import Sharded
from pyshardy.partitioning.registry import localizes
from pyshardy.partitioning.site import Site
from pyshardy.rules.builder import pointwise_rule
from pyshardy.rules.client_operations import POINTWISE, broadcasting_rule
from pyshardy.sharding.rule import OpShardingRule

_BROADCASTING = (
    "add and atan2 compare complex divide maximum minimum multiply next_after or polygamma power remainder select "
    "shift_left shift_right_arithmetic shift_right_logical subtract xor zeta"
)


@localizes(*(f"chlo.broadcast_{name}" for name in _BROADCASTING.split()))
def _broadcasting(site: Site) -> list[Sharded]:
    return _shared(site, broadcasting_rule(site.op))


@localizes(*POINTWISE, "stablehlo.map")
def _pointwise(site: Site) -> list[Sharded]:
    rule = pointwise_rule(site.op)
    return site.fall_back() if rule is None else _shared(site, rule)


def _shared(site: Site, rule: OpShardingRule) -> list[Sharded]:
    strategy = site.strategy(rule)
    if strategy is None:
        return site.fall_back()
    return site.emit(list(map(site.reshard, site.operands, strategy.operands)), strategy.results)
