"""Recognises bodies of reducing operations that combine their arguments pairwise by one known operation.

Read by the rule of scatter, and wherever partial results are to be reduced.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.ir.operation import BlockArgument, Operation, Region, Value
from pyshardy.ir.types import IntegerType, ShapedType

_COMBINING = frozenset({"stablehlo.add", "stablehlo.maximum", "stablehlo.minimum", "stablehlo.multiply"})
_COMBINING_BOOLEANS = frozenset({"stablehlo.and", "stablehlo.or"})


def combining_operation(region: Region, count: int) -> str | None:
    """The name of the operation that combines argument k with argument k + ``count`` into returned value k, for each k
    below ``count``: addition, multiplication, maximum, minimum, and for booleans also and, or.

    None if the body does anything else; operations whose results are not used do not count.
    """
    if region.empty or len(region.blocks[0].arguments) != 2 * count or region.blocks[0].last is None:
        return None
    body = region.blocks[0]
    returned = body.terminator
    if returned.name != "stablehlo.return" or len(returned.operands) != count or not count:
        return None
    names = {_combining_name(value, body.arguments, k) for k, value in enumerate(returned.operands)}
    return names.pop() if len(names) == 1 else None


def _combining_name(value: Value, arguments: Sequence[BlockArgument], k: int) -> str | None:
    producer = value.defining_op
    if producer is None or not _is_combining(producer):
        return None
    pair = {arguments[k], arguments[k + len(arguments) // 2]}
    return producer.name if len(producer.operands) == 2 and set(producer.operands) == pair else None


def _is_combining(op: Operation) -> bool:
    if op.name in _COMBINING:
        return True
    type = op.results[0].type if op.results else None
    element = type.element if isinstance(type, ShapedType) else type
    return op.name in _COMBINING_BOOLEANS and isinstance(element, IntegerType) and element.width == 1
