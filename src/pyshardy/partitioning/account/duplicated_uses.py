"""Which readers of a value compute it again although it has a buffer, as XLA's CPU backend makes its kernels.

A cheap elementwise operation on one tensor is duplicated into every elementwise kernel that reads its result. If other
operations need the result in memory (a product, a sort, a collective), it has a buffer for these alone. The elementwise
kernels read the operand, which lives until the last of them has run: a bias that is added to the result of a product
keeps this result in memory beside the sum. An operation that joins several tensors is not duplicated, nor an expensive
one. The library that computes sums and maxima reads buffers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pyshardy.ir.opdef import ELEMENTWISE, TERMINATOR
from pyshardy.ir.operation import Operation, OpResult, Use, Value
from pyshardy.partitioning.account.fusion import InlinedCalls, is_recomputable, joins_several
from pyshardy.partitioning.account.library_kernels import is_of_library, library_kernels

_REDUCTION = "stablehlo.reduce"


class DuplicatedUses:
    """The uses of values by which their reader computes them again, among ``operations``, all of one block. The values
    ``fused`` have no buffers."""

    def __init__(self, operations: Sequence[Operation], fused: Collection[Value], calls: InlinedCalls) -> None:
        self._calls = calls
        self._summed = _fused_into_sums(operations, fused)
        self.uses: set[Use] = set()
        library = library_kernels(operations, calls.works_element_by_element)
        for op in operations:
            for result in op.results if op not in library else ():
                if result not in fused and len(result._uses) > 1 and self._is_duplicated(result):
                    found = self._elementwise_uses(result)
                    if len(found) < len(result._uses):
                        self.uses.update(found)

    def _is_duplicated(self, result: OpResult) -> bool:
        made_of = is_recomputable(result, self._calls)
        return made_of is not None and not joins_several(made_of)

    def _elementwise_uses(self, value: Value) -> list[Use]:
        return [(user, at) for user, at in value._uses if self._reads_elements(user, at) and user not in self._summed]

    def _reads_elements(self, op: Operation, number: int) -> bool:
        inlined = self._calls.of(op)
        if inlined is not None:
            return inlined.reads_elementwise[number]
        return bool(op.traits & ELEMENTWISE) and not op.traits & TERMINATOR


def _fused_into_sums(operations: Sequence[Operation], fused: Collection[Value]) -> set[Operation]:
    """The reductions of the library among ``operations``, which are in order, and the operations with one result that
    are fused into these."""
    found = {op for op in operations if op.name == _REDUCTION and is_of_library(op)}
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
