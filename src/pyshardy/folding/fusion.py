"""Count: whether the values of a folded program are fused as they would be with all layers.

Whether several kernels compute a value again, or it stands in memory for them, depends on a search for a reader that
also reads what is computed from it (``account.fusion``). The search ends after a number of operations. If it goes
through layers, it may end elsewhere with all of them. Then costs come from all layers.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyshardy.folding.splice import Splice
from pyshardy.ir.operation import Operation, OpResult, Value
from pyshardy.partitioning.account.fusible import is_cheap, joins_several
from pyshardy.partitioning.account.fusion import values_without_derived_readers

_FAR = 64
"""How many operations are looked at to find out whether a search goes through layers."""


def are_fused_alike(splice: Splice) -> bool:
    """Whether no search decides how values are fused that goes through layers which were left out at ``splice``."""
    operations = splice.block.operations()
    numbers = {op: number for number, op in enumerate(operations)}
    # Those that are returned have to stand in memory.
    returned = {*operations[-1].operands}
    templates = [max((numbers.get(op, -1) for op in own), default=-1) for own in splice.template]
    asked = [
        result
        for op in operations
        if _may_be_recomputed(op)
        for result in op.results
        if result not in returned
        for user, _ in result._uses
        if _is_searched_for(splice, result, user, numbers)
        and any(numbers[op] < end < numbers.get(user, len(operations)) for end in templates)
    ]
    return not asked or all(
        values_without_derived_readers(operations, on_cpus=on_cpus).isdisjoint(asked) for on_cpus in (False, True)
    )


def _may_be_recomputed(op: Operation) -> bool:
    """Whether several kernels may compute a result of ``op`` again, each from several values."""
    if not any(len(one._uses) > 1 for one in op.results):
        return False
    return op.name == "func.call" or (is_cheap(op) and joins_several(op.operands))


def _is_searched_for(splice: Splice, result: OpResult, user: Operation, numbers: Mapping[Operation, int]) -> bool:
    """Whether ``user``, which reads ``result``, reads something that layers may compute from it, and is not in a layer
    of the same series, between which and ``result`` no more layers stand if there are more. ``numbers`` are those of
    the operations of the function."""
    home, its = (splice.places.get(op) for op in (result.owner, user))
    if home is not None and its is not None and home.series == its.series:
        return False
    made = numbers[result.owner]
    return any(_leads_through_layers(splice, value, made, numbers) for value in user.operands if value is not result)


def _leads_through_layers(splice: Splice, value: Value, made: int, numbers: Mapping[Operation, int]) -> bool:
    """Whether a search for what ``value`` is computed from, among the operations behind number ``made``, comes to one
    of a layer. Others are there with all layers, too, and read the same. True if that is not known after a number of
    operations."""
    waiting, seen = [value], set[Operation]()
    while waiting:
        op = waiting.pop().defining_op
        if op is None or op in seen or numbers.get(op, -1) <= made:
            continue
        if op in splice.places or len(seen) >= _FAR:
            return True
        seen.add(op)
        waiting += op.operands
    return False
