"""Operations that update a tensor, and the layouts in which the updated tensor is needed besides the requested one.

A cache that is updated is read by later operations, and also returned, or passed to the next iteration, in the layout
in which it came. Its sharding is the one that its readers need. So the choice of the layout in which the update is
computed also counts the reshard back to the original layout. Then a small update is resharded to the cache, and not the
cache to the update.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.emitting.layout import Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import OpResult, Value
from pyshardy.ir.types import element_count
from pyshardy.partitioning.localizing.requested_layouts import RequestedLayouts

UPDATES = frozenset({"stablehlo.dynamic_update_slice", "stablehlo.scatter"})
"""Operations whose results are their first operands with a part overwritten."""

_MIN_RATIO = 2
"""By which factor an update must be smaller than the tensor for its original layout to count."""


def other_layouts_needed(
    result: Value, env: Mapping[Value, Sharded], requested: RequestedLayouts
) -> tuple[Layout, ...]:
    """The layouts, besides the requested one, in which the result of an update is needed: those in which it is
    returned, otherwise the original layout if several operations read the result. Empty if the tensor has a recipe."""
    if not isinstance(result, OpResult) or result.owner.name not in UPDATES:
        return ()
    op = result.owner
    before = env[op.operands[result.index]]
    if before.recipe is not None or before.layout.mesh is None or before.layout.unreduced:
        return ()
    found = dict.fromkeys(requested.where_returned(result))
    update = op.operands[1 if len(op.results) == 1 and op.name != "stablehlo.scatter" else len(op.results) + 1]
    if (
        len(set(result.users)) > 1
        and not found
        and _MIN_RATIO * element_count(update.type) <= element_count(result.type)
    ):
        found[before.layout] = None
    return tuple(found)
