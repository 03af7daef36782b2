"""Operations with windows along sharded dimensions: refused unless each device can compute its windows from its
shard."""

from __future__ import annotations

from pyshardy.emitting.builder import tensor_type
from pyshardy.passes.partitioning.global_to_local.conversion import ConversionSite, converts, keep
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.rules.properties import integer_elements, integers


@converts("stablehlo.reduce_window", "stablehlo.select_and_scatter")
def _window(site: ConversionSite) -> None:
    """Along a sharded dimension windows must not overlap, nor lie in two shards."""
    op = site.op
    operand = op.operands[0]
    rank = site.type_before(operand).rank
    sizes = integers(op, "window_dimensions") or (1,) * rank
    strides = integers(op, "window_strides") or (1,) * rank
    base = integers(op, "base_dilations") or (1,) * rank
    dilations = integers(op, "window_dilations") or (1,) * rank
    padding = integer_elements(op, "padding") or (0,) * (2 * rank)
    local = tensor_type(operand).shape
    for dim, count in enumerate(site.counts(operand)):
        if count == 1:
            continue
        window, stride = sizes[dim], strides[dim]
        alone = window == 1 or (stride >= window and dilations[dim] == 1)
        passes = alone and base[dim] == 1 and not any(padding[2 * dim : 2 * dim + 2]) and not local[dim] % stride
        if not passes:
            refuse(f"In op {op.name} dimension {dim} is sharded but is not a pass-through dimension.")
    keep(site)
