"""The dialect ``loom`` of an imaginary vendor, as a plugin: ``pyshardy partition FILE --plugin loom.py``.

docs/dialects.md goes through it. There is nothing else that pyshardy has to be told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pyshardy.extend import (
    CONSTANT_LIKE,
    ELEMENTWISE,
    EXACT_PRODUCT,
    NULL,
    PURE,
    RECURSIVE_EFFECTS,
    SAME_TYPE,
    TERMINATOR,
    Array,
    Attribute,
    CollectiveDef,
    Context,
    Dialect,
    FactorKind,
    Frame,
    Loop,
    OpDef,
    Operation,
    OperationCost,
    OpShardingRule,
    Pass,
    RuleBuilder,
    Value,
    combine_in_groups,
    constant_value,
    number,
    numbers,
    option,
    register_dialect,
    register_pass,
    register_pass_class,
    run_region,
    with_numbers,
)


def shape(value: Value) -> tuple[int, ...]:
    return tuple(getattr(value.type, "shape", ()))


# --- an operation with a rule: attention ------------------------------------------------------------------------------


def attention_rule(op: Operation, conservative: bool) -> OpShardingRule:
    """(q, k, v) -> result: batch and heads pass through, and so do the queries; keys and features are needed whole."""
    batch, heads, queries, features = shape(op.operands[0])
    keys, values = shape(op.operands[2])[2:]
    whole = FactorKind.NEED_REPLICATION
    builder = RuleBuilder(op)
    builder.add([0, 0, 0], [0], batch)
    builder.add([1, 1, 1], [1], heads)
    builder.add([2, NULL, NULL], [2], queries)
    builder.add([NULL, 2, 2], [NULL], keys, whole)
    builder.add([3, 3, NULL], [NULL], features, whole)
    builder.add([NULL, NULL, 3], [3], values)
    return builder.build()


def attention(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    q, k, v = operands
    scores = np.einsum("lbhqf,lbhkf->lbhqk", q, k) * number(op, "scale", 1.0)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return [np.einsum("lbhqk,lbhkv->lbhqv", powers / powers.sum(-1, keepdims=True), v)]


def attention_cost(op: Operation) -> OperationCost:
    batch, heads, queries, features = shape(op.operands[0])
    keys, values = shape(op.operands[2])[2:]
    scores = float(batch * heads * queries * keys)
    return OperationCost(2 * scores * (features + values), transcendentals=scores)


ATTENTION = OpDef(
    "loom.attention",
    operands=3,
    results=1,
    properties=["scale"],
    traits=PURE,
    rule=attention_rule,
    evaluator=attention,
    cost=attention_cost,
)

# --- an elementwise operation -----------------------------------------------------------------------------------------

SWISH = OpDef(
    "loom.swish",
    operands=1,
    results=1,
    traits=PURE | ELEMENTWISE | SAME_TYPE,
    evaluator=lambda frame, op, operands: [operands[0] / (1 + np.exp(-operands[0]))],
)

# --- partial results: a product of matrices ---------------------------------------------------------------------------


def linear_rule(op: Operation, conservative: bool) -> OpShardingRule:
    (rows, inner), columns = shape(op.operands[0]), shape(op.operands[1])[1]
    builder = RuleBuilder(op)
    builder.add([0, NULL], [0], rows)
    builder.add([NULL, 1], [1], columns)
    builder.add([1, 0], [NULL], inner, FactorKind.REDUCTION)
    return builder.build()


def linear_cost(op: Operation) -> OperationCost:
    (rows, inner), columns = shape(op.operands[0]), shape(op.operands[1])[1]
    return OperationCost(2.0 * rows * inner * columns, product=(1, rows, inner, columns))


LINEAR = OpDef(
    "loom.linear",
    operands=2,
    results=1,
    traits=PURE,
    rule=linear_rule,
    combines="sum",
    evaluator=lambda frame, op, operands: [operands[0] @ operands[1]],
    exact_evaluator=EXACT_PRODUCT,
    cost=linear_cost,
)

# --- constants --------------------------------------------------------------------------------------------------------

TABLE = OpDef(
    "loom.table",
    results=1,
    properties=["values"],
    required=["values"],
    traits=PURE | CONSTANT_LIKE,
    evaluator=lambda frame, op, operands: [constant_value(frame, op, "values")],
)
FILL = OpDef(
    "loom.fill",
    results=1,
    properties=["with"],
    required=["with"],
    traits=PURE | CONSTANT_LIKE | ELEMENTWISE,
    evaluator=lambda frame, op, operands: [constant_value(frame, op, number(op, "with"))],
)

# --- a loop with a region ---------------------------------------------------------------------------------------------


def repeat(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    carried = operands
    for _ in range(int(number(op, "times"))):
        carried = run_region(frame, op, 0, carried)
    return carried


REPEAT = OpDef(
    "loom.repeat",
    regions=1,
    properties=["times"],
    required=["times"],
    traits=RECURSIVE_EFFECTS,
    data_flow=Loop(),
    turns=lambda op: int(number(op, "times")),
    evaluator=repeat,
)
YIELD = OpDef("loom.yield", results=0, traits=PURE | TERMINATOR)

# --- properties that name sizes ---------------------------------------------------------------------------------------


def corner_rule(op: Operation, conservative: bool) -> OpShardingRule:
    """Dimensions that stay as they are pass through, those that are cut are needed whole."""
    builder = RuleBuilder(op)
    for dim, (before, after) in enumerate(zip(shape(op.operands[0]), shape(op.results[0]), strict=True)):
        kind = FactorKind.PASS_THROUGH if before == after else FactorKind.NEED_REPLICATION
        builder.add([dim], [dim], before, kind)
    return builder.build()


def corner_of_a_device(
    op: Operation, operands: Sequence[tuple[int, ...]], results: Sequence[tuple[int, ...]]
) -> Mapping[str, Attribute]:
    return {"sizes": with_numbers(op, "sizes", results[0])}


CORNER = OpDef(
    "loom.corner",
    operands=1,
    results=1,
    properties=["sizes"],
    required=["sizes"],
    traits=PURE,
    rule=corner_rule,
    adapts=corner_of_a_device,
    evaluator=lambda frame, op, operands: [operands[0][(slice(None), *map(slice, numbers(op, "sizes")))]],
    cost=lambda op: OperationCost(0.0),
)

# --- a collective -----------------------------------------------------------------------------------------------------

RING_SUM = OpDef(
    "loom.ring_sum",
    operands=1,
    results=1,
    properties=["rings"],
    required=["rings"],
    collective=CollectiveDef("all_reduce", lambda op: [numbers(op, "rings")[at : at + 2] for at in (0, 2)]),
    evaluator=lambda frame, op, operands: combine_in_groups(frame, op, operands, "sum"),
)

register_dialect(Dialect("loom", [ATTENTION, SWISH, LINEAR, TABLE, FILL, REPEAT, YIELD, CORNER, RING_SUM]))


# --- a pass -----------------------------------------------------------------------------------------------------------


@register_pass("loom-count", on="builtin.module")
class LoomCount(Pass):
    """Says how many operations of the dialect there are."""

    dialect: str = option("loom", "the dialect whose operations are counted")

    def apply(self, op: Operation, context: Context) -> None:
        print(f"// {sum(one.name.startswith(f'{self.dialect}.') for one in op.walk())} operations of {self.dialect}")


register_pass_class(LoomCount)
