"""Broadcasts of sharded dimensions of size 1: replicates these, so that every device has the element."""

from __future__ import annotations

from pyshardy.dialects.sdy.placement import sharding_of
from pyshardy.emitting.builder import tensor_type
from pyshardy.ir.operation import Operation
from pyshardy.passes.partitioning.permutation.replication import reshard_operand, without_axes
from pyshardy.rules.properties import integers


def replicate_broadcast_dims(op: Operation) -> None:
    """Replicates the dimensions of size 1 that become larger."""
    operand = op.operands[0]
    sharding = sharding_of(operand)
    if sharding is None or not sharding.dims:
        return
    sizes, wanted = tensor_type(operand).shape, tensor_type(op.result).shape
    places = integers(op, "broadcast_dimensions")
    spread = {dim for dim, place in enumerate(places) if sizes[dim] == 1 and wanted[place] != 1}
    if any(sharding.dims[dim].axes for dim in spread):
        reshard_operand(op, 0, without_axes(sharding, spread))
