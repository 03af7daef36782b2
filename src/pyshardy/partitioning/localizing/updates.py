"""Operations that update a tensor, and where else than where it is wanted the result had better be.

A cache that is updated has two lives: what follows reads it, and the next turn, or the caller, gets it back where it
was. An operation has one sharding, which is that of those who read; so the price of the way back is added to those of
the layouts in which the result may come out. A small update goes to the cache then, and not the cache to the update.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.ir.operation import OpResult, Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.localizing.requested_layouts import RequestedLayouts

UPDATES = frozenset({"stablehlo.dynamic_update_slice", "stablehlo.scatter"})
"""Operations whose results are their first operands with something written into them."""

_SMALL = 2
"""An update is so many times smaller than what it updates, at least."""


def places_beside(result: Value, env: Mapping[Value, Sharded], requested: RequestedLayouts) -> tuple[Layout, ...]:
    """The layouts to which the result of an update goes besides the one in which it is wanted: where it is returned,
    else where the tensor was, if several read it. None where the tensor can be made anew anywhere."""
    if not isinstance(result, OpResult) or result.owner.name not in UPDATES:
        return ()
    op = result.owner
    before = env[op.operands[result.index]]
    if before.recipe is not None or before.layout.mesh is None or before.layout.unreduced:
        return ()
    found = dict.fromkeys(requested.where_returned(result))
    update = op.operands[1 if len(op.results) == 1 and op.name != "stablehlo.scatter" else len(op.results) + 1]
    if len(set(result.users)) > 1 and not found and _SMALL * _elements(update) <= _elements(result):
        found[before.layout] = None
    return tuple(found)


def _elements(value: Value) -> int:
    return prod(value.type.shape) if isinstance(value.type, TensorType) else 0
