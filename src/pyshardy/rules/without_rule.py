"""Operations that are known to have no sharding rule: containers, constants, control flow, data-flow edges.

Most of them exchange shardings in another way (propagation handles data-flow edges, calls and barriers itself); the
rest relate no dimensions. Terminators and operations that own data-flow edges need no row.
"""

from __future__ import annotations

from pyshardy.ir.operation import Operation
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import OpShardingRule

NAMES = (
    "builtin.module",
    "func.call",
    "func.func",
    "sdy.constant",
    "sdy.data_flow_edge",
    "sdy.func_data_flow_edge",
    "sdy.manual_computation",
    "sdy.mesh",
    "sdy.named_computation",
    "sdy.propagation_barrier",
    "sdy.reshard",
    "sdy.sharding_group",
    "stablehlo.after_all",
    "stablehlo.case",
    "stablehlo.constant",
    "stablehlo.create_token",
    "stablehlo.get_tuple_element",
    "stablehlo.infeed",
    "stablehlo.iota",
    "stablehlo.optimization_barrier",
    "stablehlo.outfeed",
    "stablehlo.partition_id",
    "stablehlo.recv",
    "stablehlo.send",
    "stablehlo.while",
)


@sharding_rule(*NAMES)
def _no_rule(op: Operation, conservative: bool) -> OpShardingRule | None:
    return None
