"""Localizes an operation by expanding it into global operations that compute the same, and localizing these."""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.emitting.builder import Build, Builder
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Block, Operation
from pyshardy.partitioning.localizing.site import Site
from pyshardy.sharding.tensor import TensorShardingPerValue


def expanded(site: Site, build: Build) -> list[Sharded]:
    """The results of the operations that ``build`` makes of the operands. The last ones get the shardings that the
    operation at ``site`` has."""
    run, env = site.run, site.run.env
    block = Block([operand.type for operand in site.operands])
    env.update(zip(block.arguments, site.operands, strict=True))
    builder = Builder()
    builder.location = site.op.location
    with builder.in_function(block):
        values = build(builder, block.arguments)
    wanted = site.op.attributes.entries.get(SHARDING)
    if isinstance(wanted, TensorShardingPerValue) and len(wanted) == len(values):
        for value, sharding in zip(values, wanted, strict=True):
            producer: Operation | None = value.defining_op
            if producer is not None and len(producer.results) == 1:
                rewriting.set_attributes(
                    producer, producer.attributes.with_(SHARDING, TensorShardingPerValue([sharding]))
                )
    for op in block:
        run.emit(op)
    return [env[value] for value in values]
