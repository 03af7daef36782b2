"""What evaluators of a plugin are made of: regions that run, groups of devices, constants.

An evaluator is ``(frame, op, operands) -> results``. Every array has one leading axis for devices, of size 1 where all
agree. What stands here does right by that, and works on exact numbers as on floats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pyshardy.dialects.stablehlo.replica_groups import group_rows
from pyshardy.emitting.reducers import OPERATIONS
from pyshardy.interpreter import grid
from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.interpreter.exact.reducers import combining
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.group_collectives import in_groups as _in_groups
from pyshardy.interpreter.operations.reductions import fold_by
from pyshardy.ir.operation import Operation

_UFUNCS: dict[str, np.ufunc] = {
    "and": np.bitwise_and,
    "max": np.maximum,
    "min": np.minimum,
    "or": np.bitwise_or,
    "product": np.multiply,
    "sum": np.add,
    "xor": np.bitwise_xor,
}


def run_region(frame: Frame, op: Operation, region: int, arguments: Sequence[Array]) -> list[Array]:
    """Runs region number ``region`` of ``op`` once with these block arguments; gives the operands of its terminator.
    The values around it are seen inside."""
    return frame.nested().run(op.regions[region].blocks[0], arguments)


def constant_value(frame: Frame, op: Operation, value: str | float | Array) -> Array:
    """What a constant evaluates to, in whatever numbers the run computes with: ``value`` is the name of the property
    that holds its elements, or a number or array that is spread over the shape of its result.

    Raises:
        ValueError: there is no such property.
    """
    if isinstance(value, str):
        elements = op.properties.get(value)
        if elements is None:
            raise ValueError(f"there is no property {value!r}")
        return frame.machine.constant(op, elements)
    type = op.results[0].type
    shape: tuple[int, ...] = getattr(type, "shape", ())
    native = np.broadcast_to(np.asarray(value).astype(numpy_type(type)), shape)
    return frame.machine.numbers.constant(native)[None]


def in_groups(
    frame: Frame, op: Operation, operands: Sequence[Array], function: Callable[[list[Array]], list[Array]]
) -> list[Array]:
    """Runs a collective: ``function`` gets each operand as groups x members x shape and gives results alike (one member
    stands for all, if they get the same). The groups are those of the row's ``collective``.

    Raises:
        ValueError: a device is in several groups, or there is none of that number.
    """
    groups = grid.flattened_ids(group_rows(op, frame.machine.module), frame.machine.grid)
    devices = [device for group in groups for device in group]
    if len(set(devices)) != len(devices):
        raise ValueError("a device is in more than one group")
    return _in_groups(frame, op, operands, groups or [list(range(frame.machine.grid.size))], function)


def send_in_pairs(frame: Frame, op: Operation, operands: Sequence[Array]) -> list[Array]:
    """A permute: the second device of each pair gets what the first one has; who is second in none gets zeros. The
    pairs are the groups of the row's ``collective``."""
    pairs = grid.flattened_ids(group_rows(op, frame.machine.module), frame.machine.grid)
    involved = sorted({device for pair in pairs for device in pair})
    sources, targets = ([involved.index(pair[end]) for pair in pairs] for end in (0, 1))

    def sent(values: list[Array]) -> list[Array]:
        results = [np.zeros_like(value) for value in values]
        for value, result in zip(values, results, strict=True):
            result[:, targets] = value[:, sources]
        return results

    return _in_groups(frame, op, operands, [involved] if involved else [], sent, zeros=True)


def combine_in_groups(frame: Frame, op: Operation, operands: Sequence[Array], kind: str) -> list[Array]:
    """An all-reduce: all members of a group get the values of all, combined by ``kind`` ("sum", "max", …)."""

    def combined(values: list[Array]) -> list[Array]:
        found = []
        for value in values:
            total = fold_by(combining(_UFUNCS[kind], value.dtype), value, 1)
            found.append(value[:, :1] if total is None else total[:, None])
        return found

    assert kind in OPERATIONS
    return in_groups(frame, op, operands, combined)
