"""Recognises bodies of reducing operations that combine their arguments pairwise, each pair by one operation.

The rule of scatter uses it, and all code that reduces partial results.
"""

from __future__ import annotations

from pyshardy.ir.operation import Operation, Region
from pyshardy.ir.types import IntegerType, ShapedType

KINDS = {
    "stablehlo.add": "sum",
    "stablehlo.multiply": "product",
    "stablehlo.maximum": "max",
    "stablehlo.minimum": "min",
    "stablehlo.and": "and",
    "stablehlo.or": "or",
    "stablehlo.xor": "xor",
}
"""The operation that combines two elements → the reduction."""


def combiner(region: Region, index: int, count: int) -> Operation | None:
    """The operation that makes returned value ``index`` of arguments ``index`` and ``index`` + ``count`` alone, if a
    body with 2·``count`` arguments and ``count`` returned values makes it so."""
    if region.empty or region.blocks[0].last is None:
        return None
    body = region.blocks[0]
    returned = body.terminator.operands
    if len(body.arguments) != 2 * count or len(returned) != count:
        return None
    made = returned[index].defining_op
    if made is None or len(made.operands) != 2:
        return None
    return made if set(made.operands) == {body.arguments[index], body.arguments[index + count]} else None


def combining_operation(region: Region, count: int) -> str | None:
    """The name of the operation that combines argument k with argument k + ``count`` into returned value k, for each k
    below ``count``: addition, multiplication, maximum, minimum, and for booleans also and, or.

    None if the body does anything else; operations whose results are not used do not count.
    """
    made = [combiner(region, index, count) for index in range(count)]
    names = {one.name if one is not None and _is_combining(one) else None for one in made}
    return names.pop() if len(names) == 1 else None


def _is_combining(op: Operation) -> bool:
    kind = KINDS.get(op.name)
    if kind not in ("and", "or"):
        return kind is not None and kind != "xor"
    type = op.results[0].type
    element = type.element if isinstance(type, ShapedType) else type
    return isinstance(element, IntegerType) and element.width == 1
