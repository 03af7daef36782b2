"""Helpers for the evaluators of a plugin: regions that run, groups of devices, constants.

An evaluator is ``(frame, op, operands) -> results``. Every array has one leading axis for devices, of size 1 where all
agree. The helpers handle that axis, and work on exact numbers as on floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from pyshardy.dialects.sdy.dataflow import flow_of
from pyshardy.dialects.sdy.region_flow import Loop
from pyshardy.dialects.stablehlo.replica_groups import group_rows
from pyshardy.emitting.reducers import OPERATIONS
from pyshardy.interpreter import grid
from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.interpreter.exact.reducers import combining
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.control_flow import branch, loop
from pyshardy.interpreter.operations.group_collectives import in_groups as _in_groups
from pyshardy.interpreter.operations.reductions import fold_by
from pyshardy.ir.operation import Operation, Value

_UFUNCS: dict[str, np.ufunc] = {
    "and": np.bitwise_and,
    "max": np.maximum,
    "min": np.minimum,
    "or": np.bitwise_or,
    "product": np.multiply,
    "sum": np.add,
    "xor": np.bitwise_xor,
}


def run_region(
    frame: Frame, op: Operation, region: int, arguments: Sequence[Array], *, may_part: bool = False
) -> list[Array]:
    """Runs region number ``region`` of ``op`` once, on all devices, with these block arguments; gives the operands of
    its terminator. The values around it are seen inside.

    Devices may not part ways here: what says how often or which region runs, an integer that flows nowhere, is the same
    on all, or the run ends with an error at ``op``. ``run_loop`` and ``run_branch`` let each go its own way; an
    evaluator that minds devices that differ by itself says ``may_part``.
    """
    block = op.regions[region].blocks[0]
    if not may_part:
        _refuse_ways(frame, op, enumerate(op.operands), op)
    found = frame.nested().run(block, arguments)
    if not may_part and any(map(_differs, found)):
        terminator = block.terminator
        _refuse_ways(frame, op, zip(range(len(found)), found, strict=True), terminator)
    return found


def run_loop(
    frame: Frame, op: Operation, operands: Sequence[Array], *, condition: int = 0, body: int = 1
) -> list[Array]:
    """Runs the region ``body`` on what it returned before, at first on ``operands``, as long as the region
    ``condition`` returns true: on each device as often as it says there. Both get the same block arguments."""
    return loop(frame, op, operands, op.regions[condition], op.regions[body])


def run_branch(frame: Frame, op: Operation, chosen: Array) -> list[Array]:
    """Runs the region of the number that is ``chosen``, on each device its own."""
    return branch(frame, op, np.asarray(chosen))


def _refuse_ways(frame: Frame, op: Operation, values: Iterable[tuple[int, Value | Array]], user: Operation) -> None:
    """Ends the run if one of these operands of ``user``, which is ``op`` or ends a region of it, says which way to go,
    and not the same on all devices.

    Raises:
        PyshardyError: it does.
    """
    model = flow_of(op.name) if frame.lanes > 1 else None
    if model is None:
        return
    for index, given in values:
        value = given
        if isinstance(value, Value):
            value = frame.values[value] if value in frame.values else frame.capture(value)
        if not _differs(value) or not _steers(user, value):
            continue
        if user is not op and isinstance(model, Loop) and model.collects(index):
            continue
        owners = (*model.block_argument_owners(op), *op.results)
        if any((user, index) in model.source_uses(owner) for owner in owners):
            continue
        where = f"its operand {index}" if user is op else f"operand {index} of '{user.name}', which ends a region,"
        frame.fail(
            op,
            f"has devices part ways: {where} is not the same on all of them, and its evaluator goes one way for all; "
            "run_loop and run_branch of pyshardy.extend let each go its own",
        )


def _differs(value: Array) -> bool:
    """Whether it is a scalar that is not the same on all devices."""
    return isinstance(value, np.ndarray) and value.ndim == 1 and len(value) > 1 and bool((value != value[0]).any())


def _steers(user: Operation, value: Array) -> bool:
    """Whether an operand may say how often, or which region, runs: a condition, and of what has regions an integer."""
    return value.dtype.kind == "b" or (value.dtype.kind in "iu" and bool(user.regions))


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
