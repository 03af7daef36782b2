"""Certificate of costs: the values of a folded program are fused as they would be with all layers.

Whether several kernels compute a value again, or it stands in memory for them, depends on a search for a reader that
also reads what is computed from it (``account.fusion``). The search ends after a number of operations. If it goes
through layers, it may end elsewhere with all of them. Then costs are computed from the unfolded program. A search
within one layer ends at the same operation.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from pyshardy.folding.certifying.parts import LayerPosition
from pyshardy.folding.certifying.splice import Splice
from pyshardy.ir.operation import Operation, OpResult, Value
from pyshardy.partitioning.account.fusible import has_several_non_broadcasts, is_cheap
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
    searches = _Searches(splice, numbers)
    asked = [
        result
        for op in operations
        if _may_be_recomputed(op)
        for result in op.results
        if result not in returned
        for user, _ in result._uses
        if any(numbers[op] < end < numbers.get(user, len(operations)) for end in templates)
        and searches.go_through_layers(result, user)
    ]
    return not asked or all(
        values_without_derived_readers(operations, on_cpus=on_cpus).isdisjoint(asked) for on_cpus in (False, True)
    )


def _may_be_recomputed(op: Operation) -> bool:
    """Whether several kernels may compute a result of ``op`` again, each from several values. A result with one reader
    may be among these: several kernels may compute the reader, too."""
    return op.name == "func.call" or (is_cheap(op) and has_several_non_broadcasts(op.operands))


class _Searches:
    """The searches in the function of ``splice``, whose operations have these ``numbers``."""

    def __init__(self, splice: Splice, numbers: Mapping[Operation, int]) -> None:
        self._splice = splice
        self._numbers = numbers
        self._range_of = cache(partial(splice.range_of, numbers=numbers))

    def go_through_layers(self, result: OpResult, user: Operation) -> bool:
        """Whether the search from another operand of ``user``, which reads ``result``, back to ``result`` passes
        through layers other than the one that both are in. False if both are in one series: between these stand no more
        layers with all of them."""
        mine, its = (self._splice.positions.get(op) for op in (result.owner, user))
        if mine is not None and its is not None and mine.series == its.series:
            return False
        within = mine if mine is not None and its is not None and mine.layer == its.layer else None
        return any(self._leads_through_layers(value, result, within) for value in user.operands if value is not result)

    def _leads_through_layers(self, value: Value, result: OpResult, own: LayerPosition | None) -> bool:
        """Whether a search for what ``value`` is computed from, among the operations behind that of ``result``, comes
        to one of a layer. Others are there with all layers, too, and read the same. If the position of ``result`` is
        given, which is in the layer of the reader, the counterparts of what is read within this layer are searched in
        other layers, with the same outcome. True if that is not known after a number of operations."""
        waiting, seen = [(value, own)], set[Operation]()
        while waiting:
            one, within = waiting.pop()
            op = one.defining_op
            if op is None:
                continue
            position = self._splice.positions.get(op)
            if within is not None and not self._is_order_certain(op, position, within):
                return True
            if self._numbers.get(op, -1) <= self._numbers[result.owner]:
                continue
            if position is not None and (within is None or position.layer != within.layer):
                return True
            if op not in seen:
                if len(seen) >= _FAR:
                    return True
                seen.add(op)
                waiting += [(operand, None if position is None else within) for operand in op.operands]
        return False

    def _is_order_certain(self, op: Operation, position: LayerPosition | None, other: LayerPosition) -> bool:
        """Whether ``op``, which has that ``position``, and the operation at ``other`` stand in the same order as their
        counterparts in all layers."""
        if position is not None and position.series == other.series:
            return position.layer == other.layer or self._splice.series.direction(other.series) != 0
        begin, end = self._range_of(other.series)
        first, last = (self._numbers.get(op, -1),) * 2 if position is None else self._range_of(position.series)
        return last < begin or end < first
