"""Calls evaluators from outside this package and checks what they return."""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

from pyshardy.interpreter.element_types import Array, UnsupportedType
from pyshardy.interpreter.frame import Evaluator, Frame, OutOfTime
from pyshardy.interpreter.rendezvous import Stopped
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import TensorType
from pyshardy.plugins import failure_text, place_of, place_of_failure


def operands_for_plugin(op: Operation, operands: list[Array]) -> list[Array]:
    """``operands`` as a plugin's evaluator of ``op`` gets them: with the same size in the axis of lanes, and scalars
    that meet tensors element by element with as many dimensions, so that the function need not think of it."""
    if op.regions or any(isinstance(value, tuple) for value in operands):
        return operands
    rank = max((value.ndim for value in operands), default=1) if op.traits & ELEMENTWISE else 1
    lanes = max((len(value) for value in operands), default=1)
    found = [value.reshape(len(value), *(1,) * (rank - 1)) if value.ndim == 1 else value for value in operands]
    return [_read_only(np.broadcast_to(value, (lanes, *value.shape[1:]))) for value in found]


def _read_only(value: Array) -> Array:
    # Others read the array, too: what a plugin's function writes into it would be a wrong verdict.
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value


def looked_at(evaluate: Evaluator) -> Evaluator:
    """A plugin's evaluator. It gets its operands by ``operands_for_plugin``; its results are held to the types of the
    operation: floats are made as wide as they are to be, and what has another shape is an error, as is what it raises.
    ``__wrapped__`` is what it is made of."""
    place = place_of(evaluate)

    @wraps(evaluate)
    def checked(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        # Nobody has seen before what a plugin's function returns.
        try:
            found: object = evaluate(frame, op, operands_for_plugin(op, operands))
        except (PyshardyError, Stopped, OutOfTime, UnsupportedType, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            why = f"its evaluator{place_of_failure(error, evaluate)} {failure_text(error)}"
            frame.fail(op, f"cannot be interpreted: {why}")
        if not isinstance(found, list | tuple):
            wrong = f"{type(found).__name__}, and a list with one array a result is expected"
            frame.fail(op, f"cannot be interpreted: its evaluator{place} returns {wrong}")
        if len(found) != len(op.results):
            wrong = f"{len(found)} values are computed for it by its evaluator{place}"
            frame.fail(op, f"has {len(op.results)} results, but {wrong}")
        return [_result(frame, op, index, value, place) for index, value in enumerate(found)]

    return checked


def _result(frame: Frame, op: Operation, index: int, value: Any, place: str) -> Any:
    type = op.results[index].type
    if not isinstance(type, TensorType) or not type.has_static_shape:
        return value
    returns = f"cannot be interpreted: its evaluator{place} returns"
    if not hasattr(value, "shape"):
        try:
            value = np.asarray(value)
        except ValueError:
            frame.fail(op, f"{returns} a ragged list for result {index}; an array is expected")
    shape, dtype = value.shape, frame.array_type(type)
    if len(shape) != len(type.shape) + 1 or shape[1:] != type.shape or shape[0] not in (1, frame.lanes):
        wanted = f"{(1, *type.shape)}" + (f" or {(frame.lanes, *type.shape)}" if frame.lanes > 1 else "")
        frame.fail(op, f"{returns} an array of shape {shape} for result {index}; {wanted} is expected")
    if value.dtype.kind in "OSU" or (value.dtype.kind == "c" and dtype.kind != "c"):
        frame.fail(op, f"{returns} an array of {value.dtype} for result {index}; {dtype} is expected")
    return value if value.dtype == dtype or dtype.names or value.dtype.names else value.astype(dtype)
