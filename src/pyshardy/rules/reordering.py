"""Rules of the operations that move whole dimensions or elements within them: transpose, reverse, sort, broadcast."""

from __future__ import annotations

from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import (
    NEED_REPLICATION,
    NULL,
    PERMUTATION,
    RuleBuilder,
    operand_shape,
    result_shape,
)
from pyshardy.rules.properties import integer, integers
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import OpShardingRule


@sharding_rule("stablehlo.transpose")
def _transpose(op: Operation, conservative: bool) -> OpShardingRule:
    shape = operand_shape(op)
    builder = RuleBuilder(op)
    for result_dim, operand_dim in enumerate(integers(op, "permutation")):
        builder.add([operand_dim], [result_dim], shape[operand_dim])
    return builder.build()


@sharding_rule("stablehlo.reverse")
def _reverse(op: Operation, conservative: bool) -> OpShardingRule:
    return RuleBuilder(op).add_each(result_shape(op), PERMUTATION, where=integers(op, "dimensions")).build()


@sharding_rule("stablehlo.sort")
def _sort(op: Operation, conservative: bool) -> OpShardingRule:
    """The sorted dimension is needed whole; if there is no other to shard instead, nothing propagates along it.

    A negative dimension (the default is -1) matches none, as in Shardy.
    """
    shape = operand_shape(op)
    dimension = integer(op, "dimension", -1)
    alone = all(size == 1 for dim, size in enumerate(shape) if dim != dimension)
    return RuleBuilder(op).add_each(shape, NEED_REPLICATION, where=(dimension,), blocked=alone).build()


@sharding_rule("stablehlo.broadcast_in_dim")
def _broadcast_in_dim(op: Operation, conservative: bool) -> OpShardingRule:
    """A dimension of size 1 that is expanded keeps a factor of its own."""
    source = operand_shape(op)
    source_dims = {target: dim for dim, target in enumerate(integers(op, "broadcast_dimensions"))}
    builder = RuleBuilder(op)
    for result_dim, size in enumerate(result_shape(op)):
        dim = source_dims.get(result_dim, NULL)
        if dim != NULL and source[dim] == 1 and size != 1:
            builder.add([dim], [NULL], 1)
            dim = NULL
        builder.add([dim], [result_dim], size)
    return builder.build()
