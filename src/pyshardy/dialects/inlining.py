"""Puts the body of a function in the place of a call: what the pass ``inline`` and the partitioner have in common."""

from __future__ import annotations

from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation, Value


def copied_body(call: Operation, function: Operation) -> tuple[list[Operation], list[Value]]:
    """Copies of the operations of ``function``, which has one block, put before ``call``, on the operands of this; and
    the values that stand for its results."""
    mapping: dict[Value, Value] = dict(zip(function.body.arguments, call.operands, strict=True))
    *body, end = function.body.operations()
    copies = []
    for op in body:
        copy = rewriting.clone(op, mapping)
        rewriting.insert_before(call, copy)
        copies.append(copy)
    return copies, [mapping.get(value, value) for value in end.operands]
