"""A dialect of a vendor, other than that of the examples: several results, bounds, conditions, isolated bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyshardy.extend import (
    CONSTANT_LIKE,
    DATA_MOVEMENT,
    ELEMENTWISE,
    EXACT_CHOICE,
    EXACT_SUM,
    ISOLATED,
    NULL,
    PURE,
    RECURSIVE_EFFECTS,
    TERMINATOR,
    Body,
    Branches,
    CollectiveDef,
    Dialect,
    FactorKind,
    Loop,
    OpDef,
    OpShardingRule,
    RuleBuilder,
    Same,
    constant_integer,
    constant_value,
    exact_as,
    in_groups,
    number,
    numbers,
    register_dialect,
    run_region,
    string,
    with_numbers,
)
from pyshardy.ir.operation import Operation, Value

WHOLE, REDUCED = FactorKind.NEED_REPLICATION, FactorKind.REDUCTION


def shape(value: Value) -> tuple[int, ...]:
    return tuple(getattr(value.type, "shape", ()))


def norm_rule(op: Operation, conservative: bool) -> OpShardingRule:
    """(x, scale) -> (normalised rows, their sizes)."""
    rows, columns = shape(op.operands[0])
    return RuleBuilder(op).add([0, NULL], [0, 0], rows).add([1, 0], [1, NULL], columns, WHOLE).build()


def norm(frame: Any, op: Operation, operands: Any) -> Any:
    x, scale = operands
    size = np.sqrt((x * x).mean(-1, keepdims=True) + 1)
    return [x / size * scale[:, None, :], size[..., 0]]


def columns_rule(op: Operation, conservative: bool) -> OpShardingRule:
    rows, columns = shape(op.operands[0])
    return RuleBuilder(op).add([0], [NULL], rows, REDUCED).add([1], [0], columns).build()


def crop_rule(op: Operation, conservative: bool) -> OpShardingRule:
    (rows, columns), kept = shape(op.operands[0]), shape(op.results[0])[1]
    builder = RuleBuilder(op).add([0], [0], rows)
    return builder.add([1], [1], columns, FactorKind.PASS_THROUGH if kept == columns else WHOLE).build()


def for_loop(frame: Any, op: Operation, operands: Any) -> Any:
    first, last, *carried = operands
    for turn in range(int(first.flat[0]), int(last.flat[0])):
        carried = run_region(frame, op, 0, [np.full((1,), turn, np.int32), *carried])
    return carried


def scan(frame: Any, op: Operation, operands: Any) -> Any:
    carried, along = operands
    collected = []
    for turn in range(along.shape[1]):
        carried, one = run_region(frame, op, 0, [carried, along[:, turn]])
        collected.append(one)
    lanes = max(map(len, collected))
    return [carried, np.stack([np.broadcast_to(one, (lanes, *one.shape[1:])) for one in collected], 1)]


def turns(op: Operation) -> int | None:
    first, last = map(constant_integer, op.operands[:2])
    return None if first is None or last is None else last - first


def until(frame: Any, op: Operation, operands: Any) -> Any:
    while run_region(frame, op, 0, operands)[0].any():
        operands = run_region(frame, op, 1, operands)
    return operands


def rows_of_all(parts: Any) -> Any:
    return [np.concatenate(list(np.moveaxis(part, 1, 0)), axis=1)[:, None] for part in parts]


LOOPING = RECURSIVE_EFFECTS
ROWS = [
    OpDef("npu.norm", operands=2, results=2, traits=PURE, rule=norm_rule, evaluator=norm, cost=lambda op: 5.0),
    OpDef(
        "npu.fma", operands=3, results=1, traits=PURE | ELEMENTWISE, evaluator=lambda _, op, of: [of[0] * of[1] + of[2]]
    ),
    OpDef(
        "npu.where",
        operands=3,
        results=1,
        traits=PURE | ELEMENTWISE,
        evaluator=lambda _, op, of: [np.where(of[0], of[1], of[2])],
    ),
    OpDef("npu.done", results=0, traits=PURE | TERMINATOR),
    OpDef(
        "npu.for",
        regions=1,
        traits=LOOPING,
        data_flow=Loop(first_operand=2, first_argument=1),
        turns=turns,
        evaluator=for_loop,
    ),
    OpDef(
        "npu.scan",
        operands=2,
        results=2,
        regions=1,
        traits=LOOPING,
        data_flow=Loop(carried=1),
        turns=lambda op: shape(op.operands[1])[0],
        evaluator=scan,
    ),
    OpDef("npu.until", regions=2, traits=LOOPING, data_flow=Loop(), evaluator=until),
    OpDef(
        "npu.pick",
        operands=1,
        regions=2,
        traits=LOOPING,
        data_flow=Branches(),
        evaluator=lambda frame, op, operands: run_region(frame, op, 0 if operands[0].all() else 1, []),
    ),
    OpDef(
        "npu.box",
        regions=1,
        traits=LOOPING | ISOLATED,
        data_flow=Body(),
        evaluator=lambda frame, op, operands: run_region(frame, op, 0, operands),
    ),
    OpDef("npu.fence", data_flow=Same(), evaluator=lambda frame, op, operands: operands),
    OpDef(
        "npu.splat",
        results=1,
        properties=["of"],
        required=["of"],
        traits=PURE | CONSTANT_LIKE | ELEMENTWISE,
        evaluator=lambda frame, op, operands: [constant_value(frame, op, number(op, "of"))],
    ),
    OpDef(
        "npu.data",
        results=1,
        properties=["value"],
        traits=PURE | CONSTANT_LIKE,
        evaluator=lambda frame, op, operands: [constant_value(frame, op, "value")],
    ),
    OpDef(
        "npu.total",
        operands=1,
        results=1,
        traits=PURE,
        rule=columns_rule,
        combines="sum",
        evaluator=lambda frame, op, operands: [operands[0].sum(1)],
        exact_evaluator=EXACT_SUM,
    ),
    OpDef(
        "npu.fold",
        operands=1,
        results=1,
        properties=["by"],
        traits=PURE,
        rule=columns_rule,
        combines=lambda op: string(op, "by"),
        evaluator=lambda frame, op, operands: [operands[0].min(1) if string(op, "by") == "min" else operands[0].sum(1)],
        exact_evaluator=exact_as(lambda op: EXACT_CHOICE if string(op, "by") == "min" else EXACT_SUM),
    ),
    OpDef(
        "npu.peak",
        operands=1,
        results=1,
        traits=PURE,
        rule=columns_rule,
        combines="max",
        evaluator=lambda frame, op, operands: [operands[0].max(1)],
        exact_evaluator=EXACT_CHOICE,
    ),
    OpDef(
        "npu.crop",
        operands=1,
        results=1,
        properties=["to"],
        traits=PURE | DATA_MOVEMENT,
        rule=crop_rule,
        adapts=lambda op, operands, results: {"to": with_numbers(op, "to", results[0])},
        evaluator=lambda frame, op, operands: [operands[0][(slice(None), *map(slice, numbers(op, "to")))]],
    ),
    OpDef(
        "npu.all_rows",
        operands=1,
        results=1,
        properties=["with"],
        collective=CollectiveDef("all_gather", lambda op: [numbers(op, "with")]),
        evaluator=lambda frame, op, operands: in_groups(frame, op, operands, rows_of_all),
    ),
]


def register() -> None:
    """Registers the dialect, with rows of its own for each test."""
    register_dialect(Dialect("npu", ROWS))


def replaced(name: str, **fields: Any) -> None:
    """Registers the dialect with another row ``name``."""
    register_dialect(Dialect("npu", [*(row for row in ROWS if row.name != name), OpDef(name, **fields)]))
