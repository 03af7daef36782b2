"""The pass ``sdy-constant-or-scalar-merger``: makes equal constants, and equal broadcasts of one scalar, one again.

``importing.constant_or_scalar_splitter`` gave each use a copy so that propagation could shard each by itself; copies
that ended up with equal shardings are merged here, at the start of the export pipeline.
"""

from __future__ import annotations

from pyshardy.ir import rewriting
from pyshardy.ir.census import census
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import CONSTANT_LIKE
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.ir.registry import op_definition
from pyshardy.ir.types import TensorType

_BROADCAST = "stablehlo.broadcast_in_dim"


def merge_constants_and_scalars(func: Operation, context: Context) -> bool:
    """Merges, within each region of ``func``, equal constants and equal broadcasts of one scalar into the first;
    whether there were any."""
    first_of: dict[tuple[object, ...], Operation] = {}
    found = census(func, context)
    names = {name for name in found.counts if _may_be_merged(name)}
    merged = False
    # None of them has regions, so pre-order is post-order too.
    for op in [op for op in found.operations if op.name in names]:
        key = _identity(op)
        if key is None:
            continue
        first = first_of.setdefault(key, op)
        if first is not op:
            rewriting.replace_op(op, first.results)
            merged = True
    return merged


def _may_be_merged(name: str) -> bool:
    definition = op_definition(name)
    is_constant = definition is not None and bool(definition.traits & CONSTANT_LIKE)
    return is_constant or name in ("sdy.constant", _BROADCAST)


def _identity(op: Operation) -> tuple[object, ...] | None:
    """What two operations must share to be merged; None for an operation that never is."""
    region = op.parent.parent if op.parent is not None else None
    operand = None
    if op.name == _BROADCAST:
        if not _is_scalar(op):
            return None
        operand = op.operands[0]
    # The operation's name does not count: a constant of any dialect may stand for another's.
    return (region, *op.properties, *op.attributes, op.result.type, operand)


def _is_scalar(broadcast: Operation) -> bool:
    operand_type = broadcast.operands[0].type
    return isinstance(operand_type, TensorType) and not operand_type.shape


@register_pass("sdy-constant-or-scalar-merger", on="func.func")
class ConstantOrScalarMerger(Pass):
    """Merges equal constants and equal broadcasts of one scalar. The first of each region stays."""

    def apply(self, op: Operation, context: Context) -> bool:
        return merge_constants_and_scalars(op, context)
