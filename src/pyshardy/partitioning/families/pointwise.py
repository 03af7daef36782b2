"""Localizes operations on single elements that their definition does not call elementwise.

CHLO's operations that broadcast their operands (whose dimensions correspond from the last one on, or as
``broadcast_dimensions`` says), its functions of two arguments, and ``stablehlo.map``. Registers with ``registry``;
``rule_based`` does all the others.
"""

from __future__ import annotations

from pyshardy.ir.operation import Operation
from pyshardy.partitioning.layout import Sharded
from pyshardy.partitioning.registry import localizes
from pyshardy.partitioning.site import Site
from pyshardy.rules.builder import NEED_REPLICATION, NULL, RuleBuilder, operand_shape, pointwise_rule, result_shape
from pyshardy.rules.properties import integers
from pyshardy.sharding.rule import OpShardingRule

_BROADCASTING = (
    "add and atan2 compare complex divide maximum minimum multiply next_after or polygamma power remainder select "
    "shift_left shift_right_arithmetic shift_right_logical subtract xor zeta"
)


@localizes(*(f"chlo.broadcast_{name}" for name in _BROADCASTING.split()))
def _broadcasting(site: Site) -> list[Sharded]:
    return _shared(site, _broadcasting_rule(site.op))


@localizes("chlo.mulhi", "chlo.next_after", "chlo.polygamma", "chlo.zeta", "stablehlo.map")
def _pointwise(site: Site) -> list[Sharded]:
    rule = pointwise_rule(site.op)
    return site.fall_back() if rule is None else _shared(site, rule)


def _shared(site: Site, rule: OpShardingRule) -> list[Sharded]:
    strategy = site.strategy(rule)
    if strategy is None:
        return site.fall_back()
    return site.emit(list(map(site.reshard, site.operands, strategy.operands)), strategy.results)


def _broadcasting_rule(op: Operation) -> OpShardingRule:
    """Dimensions that are spread over more elements are whole."""
    shape = result_shape(op)
    places = [_places(op, index, len(shape)) for index in range(len(op.operands))]
    builder = RuleBuilder(op)
    for target, size in enumerate(shape):
        dims = []
        for index, targets in enumerate(places):
            dim = targets.index(target) if target in targets else NULL
            if dim != NULL and operand_shape(op, index)[dim] != size:
                only = [dim if other == index else NULL for other in range(len(places))]
                builder.add(only, [NULL], operand_shape(op, index)[dim], NEED_REPLICATION)
                dim = NULL
            dims.append(dim)
        builder.add(dims, [target], size)
    return builder.build()


def _places(op: Operation, index: int, rank: int) -> list[int]:
    """The dimensions of the result that those of operand ``index`` correspond to."""
    own = len(operand_shape(op, index))
    named = list(integers(op, "broadcast_dimensions"))
    return named if own < rank and len(named) == own else list(range(rank - own, rank))
