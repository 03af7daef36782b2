"""The pass ``sdy-constant-or-scalar-merger``: makes equal constants, and equal broadcasts of one scalar, one again.

``importing.constant_or_scalar_splitter`` gave each use a copy so that propagation could shard each by itself; copies
that ended up with equal shardings are merged here, at the start of the export pipeline.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import CONSTANT_LIKE
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.ir.types import TensorType


def merge_constants_and_scalars(func: Operation) -> None:
    """Merges, within each region of ``func``, equal constants and equal broadcasts of one scalar into the first."""
    first_of: dict[tuple[object, ...], Operation] = {}
    for op in func.walk_postorder():
        key = _identity(op)
        if key is None:
            continue
        first = first_of.setdefault(key, op)
        if first is not op:
            rewriting.replace_op(op, first.results)


def _identity(op: Operation) -> tuple[object, ...] | None:
    """What two operations must share to be merged; None for an operation that never is."""
    region = op.parent.parent if op.parent is not None else None
    # The operation's name does not count: a constant of any dialect may stand for another's.
    attributes = (*op.properties, *op.attributes)
    if op.name == "sdy.constant" or op.traits & CONSTANT_LIKE:
        return (region, attributes, op.result.type)
    if op.name == "stablehlo.broadcast_in_dim" and _is_scalar(op):
        return (region, attributes, op.result.type, op.operands[0])
    return None


def _is_scalar(broadcast: Operation) -> bool:
    operand_type = broadcast.operands[0].type
    return isinstance(operand_type, TensorType) and not operand_type.shape


@register_pass(
    "sdy-constant-or-scalar-merger",
    on="func.func",
    class_name="ConstantOrScalarMergerPass",
    summary="Merges equal constants and equal broadcasts of one scalar.",
)
@dataclass(frozen=True)
class ConstantOrScalarMerger(Pass):
    """Merges equal constants, and equal broadcasts of one scalar, into the first of each region."""

    def apply(self, op: Operation, context: Context) -> None:
        merge_constants_and_scalars(op)
