"""Operations on one element at a time, and others that stay as they are: are their operands where they must be?

The types alone do not tell: dimensions that are sharded along different axes of one size have equal local shapes.
Registers with ``conversion``.
"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.attributes import OutputOperandAlias
from pyshardy.dialects.stablehlo.operations import DIALECT
from pyshardy.emitting.builder import i64_array, tensor_type
from pyshardy.ir.attributes import ArrayAttr
from pyshardy.ir.opdef import ELEMENTWISE, NO_SHARDING_RULE
from pyshardy.passes.partitioning.global_to_local.conversion import Site, converts, converts_dialect, keep, mixed_up
from pyshardy.passes.partitioning.global_to_local.whole import computed_whole
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
        message = mixed_up(site, operand, f"operand {index}", site.sharding(result), "its result")
        if message is not None:
            refuse(message)
    keep(site)


@converts("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(site: Site) -> None:
    operand, update = site.op.operands[:2]
    sizes, new = site.global_type(operand).shape, site.global_type(update).shape
    counts = map(max, site.counts(operand), site.counts(update))
    if any(count > 1 and sizes[dim] != new[dim] for dim, count in enumerate(counts)):
        computed_whole(site)
        return None
    return keep(site)


@converts("stablehlo.dynamic_slice")
def _dynamic_slice(site: Site) -> None:
    """What is taken whole, each device takes whole."""
    op = site.op
    sizes = list(integers(op, "slice_sizes"))
    whole, local = site.global_type(op.operands[0]).shape, tensor_type(op.operands[0]).shape
    counts = site.counts(op.operands[0])
    if any(count > 1 and sizes[dim] != whole[dim] for dim, count in enumerate(counts)):
        computed_whole(site)
        return None
    sizes = [local[dim] if count > 1 else sizes[dim] for dim, count in enumerate(counts)]
    op.properties = op.properties.with_("slice_sizes", i64_array(sizes))
    return keep(site)


@converts_dialect("chlo")
@converts(*(name for name, row in DIALECT.definitions.items() if row.traits & NO_SHARDING_RULE))
def _without_rule(site: Site) -> None:
    """Operations that have no sharding rules, and are not resharded: on what each device has if all that they work on
    lies alike and one element at a time, else whole."""
    op = site.op
    values = (*op.operands, *op.results)
    if all(map(site.is_replicated, values)):
        return keep(site)
    if op.traits & ELEMENTWISE or op.name == "stablehlo.map":
        ranked = [value for value in values if site.global_type(value).rank]
        if len({(site.mesh(value), site.axes(value)) for value in ranked}) == 1:
            return keep(site)
    computed_whole(site)
    return None


@converts("stablehlo.custom_call")
def _custom_call(site: Site) -> None:
    """Kept, unless results that share the memory of operands would no longer have their types."""
    aliases = site.op.properties.get("output_operand_aliases")
    for alias in aliases if isinstance(aliases, ArrayAttr) else ():
        if isinstance(alias, OutputOperandAlias) and not alias.operand_tuple_indices:
            (index,) = alias.output_tuple_indices or (0,)
            if site.op.operands[alias.operand_index].type is not site.conversion.local_type_of(site.op.results[index]):
                computed_whole(site)
                return None
    return keep(site)
