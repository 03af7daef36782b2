"""Scatters into zeros whose result is added to another value: XLA scatters into that value instead.

The gradient of a lookup is a scatter of rows into zeros. Where the table has another gradient, too (embeddings that are
also the last layer's weights), or where a loss subtracts its targets from probabilities, both are added.
"""

from __future__ import annotations

from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.partitioning.account.fusible import BROADCASTING

_ADD, _SCATTER = "stablehlo.add", "stablehlo.scatter"


def added_scatter(op: Operation) -> Operation | None:
    """The scatter that XLA does in the buffer of the other operand of ``op``; None if ``op`` is no such addition, also
    if the other operand is the result of a scatter itself, or of an addition that is done by a scatter."""
    chain: list[Operation] = []
    is_scattered = False
    pair = _added(op)
    while pair is not None:
        scatter, other = pair
        chain.append(scatter)
        made = other.defining_op
        is_scattered = made is not None and made.name == _SCATTER
        pair = None if made is None or is_scattered else _added(made)
    for _ in chain[1:]:
        # From the innermost addition outwards: an addition is done by its scatter unless its other operand, the
        # addition inside of it, is. So the answer alternates along the chain.
        is_scattered = not is_scattered
    return chain[0] if chain and not is_scattered else None


def _added(op: Operation) -> tuple[Operation, Value] | None:
    """If ``op`` adds the result of a scatter into zeros to another value, the scatter and that value."""
    if op.name != _ADD or op.operands[0] is op.operands[1]:
        return None
    for value, other in (op.operands, op.operands[::-1]):
        scatter = value.defining_op
        if scatter is not None and _scatters_into_zeros(scatter):
            return scatter, other
    return None


def _scatters_into_zeros(op: Operation) -> bool:
    """Whether ``op`` is a scatter into zeros that adds up, and whose result is read once."""
    if op.name != _SCATTER or len(op.results) != 1 or not op.results[0].has_one_use:
        return False
    inside = [one.name for block in op.regions[0].blocks for one in block]
    return len(inside) == 2 and inside[0] == _ADD and _is_zero(op.operands[0])


def _is_zero(value: Value) -> bool:
    made = value.defining_op
    while made is not None and made.name in BROADCASTING and made.operands:
        made = made.operands[0].defining_op
    zeros = None if made is None else made.properties.get("value")
    return isinstance(zeros, DenseElementsAttr) and not any(zeros.data)
