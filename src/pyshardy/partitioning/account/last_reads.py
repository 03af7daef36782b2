"""The last reads of values: where each live range of a block ends.

A fused value has no buffer: the values that it is computed from are read by its readers. The same holds for operands
that are computed again in another dimension order (``transposed_copies``), and for results of calls that their readers
compute.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from pyshardy.ir.operation import Operation, OpResult, Use, Value
from pyshardy.partitioning.account.buffer_aliases import has_tensors_inside, invariant_indices
from pyshardy.partitioning.account.fusion import InlinedCall, InlinedCalls
from pyshardy.partitioning.account.transposed_copies import TransposedCopies

_NO_VALUES: Collection[Value] = frozenset()
_NO_OPERANDS: Collection[Use] = frozenset()
_NOWHERE: Mapping[Value, int] = MappingProxyType({})


def last_reads(
    operations: Sequence[Operation], fused: Collection[Value], transposed: TransposedCopies | None = None
) -> dict[Value, int]:
    """For each value the number of the last operation that reads its buffer: itself, through fused operations, or to
    compute an operand again in another dimension order (``transposed``)."""
    last: dict[Value, int] = {}
    recomputed, computed_until = _NO_VALUES, _NOWHERE
    if transposed is not None:
        recomputed, computed_until = transposed.recomputed, transposed.computed_until
    duplicated = _NO_OPERANDS if transposed is None else transposed.duplicated
    for index in range(len(operations) - 1, -1, -1):
        op = operations[index]
        end, results = index, op.results
        if op.name != "func.call":
            if len(results) == 1 and results[0] in fused:
                end = last.get(results[0], index)
            elif recomputed and len(results) == 1:
                end = max(index, computed_until.get(results[0], index))
        elif any(one in fused or one in computed_until for one in results):
            ends = {one: (last if one in fused else computed_until).get(one, index) for one in results}
            inlined = InlinedCalls([op], on_cpus=transposed is not None).of(op)
            _note_reads_of_call(op, index, inlined, ends, duplicated, last)
            continue
        if not has_tensors_inside(op):
            for number, value in enumerate(op.operands):
                if transposed is not None and value in recomputed and transposed.reads_copy(op, number):
                    continue
                if duplicated and (op, number) in duplicated:
                    _note_reads_of_duplicate(value, end, duplicated, last)
                elif last.get(value, -1) < end:
                    last[value] = end
            continue
        for value in (*op.operands, *read_inside(op)):
            last[value] = max(end, last.get(value, -1))
        for number in invariant_indices(op):
            value = op.operands[number]
            last[value] = max(last[value], last.get(op.results[number], -1))
    return last


def _note_reads_of_duplicate(value: Value, end: int, duplicated: Collection[Use], last: dict[Value, int]) -> None:
    """Notes in ``last`` that the operands of the operation that makes ``value`` are read until ``end``."""
    waiting = [value]
    seen = {value}
    for one in waiting:
        op = one.defining_op
        for number, operand in enumerate(op.operands if op is not None else ()):
            if op is not None and (op, number) in duplicated:
                if operand not in seen:
                    seen.add(operand)
                    waiting.append(operand)
            elif last.get(operand, -1) < end:
                last[operand] = end


def _note_reads_of_call(
    op: Operation,
    index: int,
    inlined: InlinedCall | None,
    ends: Mapping[OpResult, int],
    duplicated: Collection[Use],
    last: dict[Value, int],
) -> None:
    """Notes in ``last`` what operation number ``index``, a call, reads. Results in ``ends`` are computed by their
    readers: the values that they are computed from are read until then."""
    for number, value in enumerate(op.operands):
        if (op, number) in duplicated:
            _note_reads_of_duplicate(value, index, duplicated, last)
        else:
            last[value] = max(index, last.get(value, -1))
    for result, end in ends.items() if inlined is not None else ():
        if inlined is None or end <= index:
            continue
        made_of = [op.operands[number] for number in inlined.from_arguments[result.index]]
        for value in (*made_of, *[op.results[number] for number in inlined.from_results[result.index]]):
            last[value] = max(end, last.get(value, -1))


def read_inside(op: Operation) -> Iterable[Value]:
    """The operands of the operations in regions of ``op``."""
    return (value for nested in op.walk() if nested is not op for value in nested.operands)
