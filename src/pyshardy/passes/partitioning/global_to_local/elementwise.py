"""Operations on one element at a time, and others that stay as they are: are their operands where they must be?

The types alone do not tell: dimensions that are sharded along different axes of one size have equal local shapes.
Registers with ``conversion``.
"""

from __future__ import annotations

from pyshardy.partitioning.builder import i64_array, tensor_type
from pyshardy.passes.partitioning.global_to_local.conversion import Site, converts, keep, mixed_up
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.rules.pointwise import NAMES
from pyshardy.rules.properties import integers

_COLLECTIVES = ("all_reduce", "collective_broadcast", "collective_permute", "cross-replica-sum")


@converts(*(name for name in (*NAMES, "stablehlo.select") if name.removeprefix("stablehlo.") not in _COLLECTIVES))
def _pointwise(site: Site) -> None:
    result = site.op.results[0]
    for index, operand in enumerate(site.op.operands):
        if site.global_type(operand).rank == 0:
            continue
        message = mixed_up(site, operand, site.axes(result), "its result", f"operand {index}")
        if message is not None:
            refuse(message)
    keep(site)


@converts("chlo.top_k")
def _top_k(site: Site) -> None:
    operand = site.op.operands[0]
    if site.counts(operand)[-1] > 1:
        refuse("the last dimension is sharded, but its largest elements may be on any device")
    keep(site)


@converts("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(site: Site) -> None:
    operand, update = site.op.operands[:2]
    sizes, new = site.global_type(operand).shape, site.global_type(update).shape
    for dim, count in enumerate(site.counts(operand)):
        if count > 1 and sizes[dim] != new[dim]:
            refuse(
                f"'stablehlo.dynamic_update_slice' op dimension {dim} is sharded but not replaced as a whole, which "
                "requires device communication."
            )
    keep(site)


@converts("stablehlo.dynamic_slice")
def _dynamic_slice(site: Site) -> None:
    """What is taken whole, each device takes whole."""
    op = site.op
    sizes = list(integers(op, "slice_sizes"))
    whole, local = site.global_type(op.operands[0]).shape, tensor_type(op.operands[0]).shape
    for dim, count in enumerate(site.counts(op.operands[0])):
        if count > 1 and sizes[dim] != whole[dim]:
            refuse(
                f"'stablehlo.dynamic_slice' op dimension {dim} is sharded but not taken as a whole, which requires "
                "device communication."
            )
        if count > 1:
            sizes[dim] = local[dim]
    op.properties = op.properties.with_("slice_sizes", i64_array(sizes))
    keep(site)
