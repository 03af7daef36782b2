"""The pass ``sdy-constant-or-scalar-merger``: merges equal constants, and equal broadcasts of one scalar.

``importing.constant_or_scalar_splitter`` gave each use a copy so that propagation could shard each by itself; copies
that ended up with equal shardings are merged here, at the start of the export pipeline.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.shared_constants import is_shared_constant, may_be_shared_constant
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, register_pass

_BROADCAST = "stablehlo.broadcast_in_dim"


def merge_constants_and_scalars(func: Operation, context: Context) -> bool:
    """Merges, within each region of ``func``, equal constants and equal broadcasts of one scalar into the first;
    whether there were any."""
    first_of: dict[tuple[object, ...], Operation] = {}
    found = operation_index(func, context)
    names = [name for name in found.counts if may_be_shared_constant(name)]
    merged = False
    numbers: dict[tuple[object, ...], int] = {}
    number_of: dict[tuple[DictionaryAttr, DictionaryAttr], int] = {}
    """A number for what two dictionaries hold, one after the other."""
    # None of them has regions, so pre-order is post-order too.
    for op in found.named(*names):
        dictionaries = op.properties, op.attributes
        number = number_of.get(dictionaries)
        if number is None:
            number = numbers.setdefault((*op.properties, *op.attributes), len(numbers))
            number_of[dictionaries] = number
        if not is_shared_constant(op):
            continue
        operand = op.operands[0] if op.operands else None
        # What two must share; the name does not count: a constant of any dialect may stand for another's.
        key = (op.parent.parent if op.parent is not None else None, number, op.results[0].type, operand)
        first = first_of.setdefault(key, op)
        if first is not op:
            rewriting.replace_all_uses(op.result, first.result)
            rewriting.erase(op)
            merged = True
    return merged


@register_pass("sdy-constant-or-scalar-merger", on="func.func", notes_changes=True)
class ConstantOrScalarMerger(Pass):
    """Merges equal constants and equal broadcasts of one scalar. The first of each region stays."""

    def apply(self, op: Operation, context: Context) -> bool:
        return merge_constants_and_scalars(op, context)
