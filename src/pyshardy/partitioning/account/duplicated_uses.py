"""Which readers of a value compute it again although it has a buffer, as XLA's CPU backend makes its kernels.

A cheap elementwise operation on one tensor is duplicated into every elementwise kernel that reads its result. If other
operations need the result in memory (a product, a sort, a collective), it has a buffer for these alone. The elementwise
kernels read the operand, which lives until the last of them has run: a bias that is added to the result of a product
keeps this result in memory beside the sum. An operation that joins several tensors is not duplicated, nor an expensive
one. The library that computes sums and maxima reads buffers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pyshardy.ir.operation import Operation, Use, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.fusible import REDUCTION
from pyshardy.partitioning.account.fusion import InlinedCalls
from pyshardy.partitioning.account.library_kernels import is_of_library, library_kernels


def duplicated_uses(operations: Sequence[Operation], fused: Collection[Value], calls: InlinedCalls) -> set[Use]:
    """The uses of values by which their reader computes them again, among ``operations``, all of one block. The values
    ``fused`` have no buffers."""
    summed = _fused_into_sums(operations, fused)
    library = library_kernels(operations, calls.works_element_by_element)
    found: set[Use] = set()
    for op in operations:
        for result in op.results if op not in library else ():
            if result not in fused and len(result._uses) > 1 and calls.is_duplicated(result):
                uses = [use for use in result._uses if calls.reads_elementwise(*use) and use[0] not in summed]
                if len(uses) < len(result._uses):
                    found.update(uses)
    return found


def kept_instead(
    operations: Sequence[Operation], fused: Collection[Value], calls: InlinedCalls
) -> dict[Value, tuple[Type, ...]]:
    """The results of calls that all readers recompute from values inside the function (a mask from random bits), each
    with the types of those values, which are stored in its place. The values ``fused`` have no buffers."""
    found: dict[Value, tuple[Type, ...]] = {}
    for op in operations:
        inlined = calls.of(op)
        for result in op.results if inlined is not None else ():
            kept = () if inlined is None else inlined.kept[result.index]
            if kept and result not in fused and all(calls.reads_elementwise(*use) for use in result._uses):
                found[result] = kept
    return found


def _fused_into_sums(operations: Sequence[Operation], fused: Collection[Value]) -> set[Operation]:
    """The reductions of the library among ``operations``, which are in order, and the operations with one result that
    are fused into these."""
    found = {op for op in operations if op.name == REDUCTION and is_of_library(op)}
    if not found:
        return found
    for op in reversed(operations):
        results = op.results
        if len(results) == 1 and results[0] in fused:
            for user, _ in results[0]._uses:
                if user in found:
                    found.add(op)
                    break
    return found
