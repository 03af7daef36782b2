"""Rules of CHLO's operations, which Shardy's own passes do not have: there, no sharding passes through them.

XLA converts them to other operations before Shardy sees a program, so in ``pyshardy.propagate`` and ``partition`` they
take part (``Context.chlo_rules``); single passes and ``sdy-opt`` are as exact as the reference. These rules are used
for operations that nobody has registered another rule for.
"""

from __future__ import annotations

from pyshardy.dialects.chlo import DIALECT
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import NEED_REPLICATION, NULL, RuleBuilder, operand_shape, result_shape
from pyshardy.rules.custom_calls import top_k
from pyshardy.rules.pointwise import pointwise
from pyshardy.rules.properties import integers
from pyshardy.rules.registry import RuleFunction, register_chlo_rules
from pyshardy.sharding.rule import OpShardingRule

BROADCASTING = tuple(name for name in DIALECT.definitions if name.startswith("chlo.broadcast_"))
"""Operations that broadcast their operands before they work on single elements."""

POINTWISE = ("chlo.mulhi", "chlo.next_after", "chlo.polygamma", "chlo.zeta")
"""Functions of two arguments, which their definitions do not call elementwise."""


def broadcasting_rule(op: Operation, conservative: bool = False) -> OpShardingRule:
    """Operands' dimensions correspond to the result's from the last one on, or as ``broadcast_dimensions`` says;
    those that are spread over more elements are whole.

    >>> from pyshardy import parse
    >>> module = parse('''func.func @main(%a: tensor<8x1xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
    ...   %0 = chlo.broadcast_add %a, %b : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    ...   return %0 : tensor<8x4xf32>
    ... }''')
    >>> print(broadcasting_rule(module.op.body.first.body.first))
    #sdy.op_sharding_rule<([i, j], [k])->([i, k]) {i=8, j=1, k=4} need_replication={j}>
    """
    shape = result_shape(op)
    places = [_places(op, index, len(shape)) for index in range(len(op.operands))]
    builder = RuleBuilder(op)
    for target, size in enumerate(shape):
        dims = []
        for index, targets in enumerate(places):
            dim = targets.index(target) if target in targets else NULL
            if dim != NULL and operand_shape(op, index)[dim] != size:
                only = [dim if other == index else NULL for other in range(len(places))]
                builder.add(only, [NULL], operand_shape(op, index)[dim], NEED_REPLICATION)
                dim = NULL
            dims.append(dim)
        builder.add(dims, [target], size)
    return builder.build()


def _places(op: Operation, index: int, rank: int) -> list[int]:
    """The dimensions of the result that those of operand ``index`` correspond to."""
    own = len(operand_shape(op, index))
    named = list(integers(op, "broadcast_dimensions"))
    return named if own < rank and len(named) == own else list(range(rank - own, rank))


def _none(op: Operation, conservative: bool) -> None:
    return None


RULES: dict[str, RuleFunction] = {
    **{name: pointwise for name, one in DIALECT.definitions.items() if one.traits & ELEMENTWISE},
    **dict.fromkeys(BROADCASTING, broadcasting_rule),
    **dict.fromkeys(POINTWISE, pointwise),
    "chlo.constant": _none,
    "chlo.top_k": top_k,
}
"""Operation → its rule function."""

register_chlo_rules(RULES)
