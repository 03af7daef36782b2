"""Reductions along sharded dimensions: every device reduces its shard, and a collective combines the partial results.

The reduction is noted for the collective, which takes it from there whatever it says itself. An initial value counts
once. A reduction that no collective can continue is computed on whole operands.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.names import REDUCING_COLLECTIVES
from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.layout import Axes
from pyshardy.emitting.reducers import is_neutral, neutral_elements, reduction_kind
from pyshardy.ir import rewriting
from pyshardy.passes.partitioning.global_to_local.conversion import WHOLE, ConversionSite, converts, keep
from pyshardy.passes.partitioning.global_to_local.following_reduction import pads_behind
from pyshardy.passes.partitioning.global_to_local.whole import computed_whole
from pyshardy.rules.properties import integers
from pyshardy.sharding.axes import axes_text


@converts("stablehlo.reduce")
def _reduce(site: ConversionSite) -> None:
    """Where reduced dimensions are sharded, only the first device starts from the initial value, unless the reduction
    is idempotent."""
    op = site.op
    operand = op.operands[0]
    axes = tuple(axis for dim in integers(op, "dimensions") for axis in site.axes(operand)[dim])
    mesh = site.mesh(operand)
    if not axes or mesh is None or all(axis.size(mesh) == 1 for axis in axes):
        return keep(site)
    kind = reduction_kind(op.regions[0]) if len(op.results) == 1 else None
    if kind is None:
        site.walk.partial |= dict.fromkeys(computed_whole(site), WHOLE)
        return None
    if kind in ("sum", "product", "xor"):
        neutral = neutral_elements(kind, tensor_type(op.operands[1]))
        assert neutral is not None
        if not is_neutral(op.operands[1], neutral):
            first = site.builder.reshape(site.builder.is_first(mesh, axes), ())
            rewriting.set_operand(op, 1, site.builder.select(first, op.operands[1], site.builder.constant(neutral)))
    _warn_if_left_partial(site, axes)
    keep(site)
    site.walk.partial[op.results[0]] = kind
    return None


def _warn_if_left_partial(site: ConversionSite, axes: Axes) -> None:
    result = site.op.results[0]
    sharding = site.sharding(result)
    if sharding is not None and sharding.unreduced:
        return
    if any(user.name not in REDUCING_COLLECTIVES and not pads_behind(user) for user in result.users):
        site.warn(f"each device reduces its part along {axes_text(axes)}, but no collective combines the results")
