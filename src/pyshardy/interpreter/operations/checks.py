"""The ``check`` dialect, as operations and as custom calls: a value that is not what was expected ends the run.

Floats are *almost equal* if they differ by no more than a tolerance (or by what rounding the last digit takes), and
*close* if no more than a number of other numbers of their type lie between them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np

from pyshardy.interpreter.element_types import Array, bit_width, constant_array, is_complex, is_float, wide
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.operations.calls import Tuple
from pyshardy.interpreter.operations.custom_calls import evaluates_custom_call
from pyshardy.interpreter.operations.properties import integer, string
from pyshardy.interpreter.registry import evaluates
from pyshardy.interpreter.value_text import element_texts, value_text
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, FloatAttr, IntegerAttr
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.floats import float_value
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import TensorType, TupleType

TOLERANCE = 1e-4
"""How far almost equal numbers may be apart, beyond 1 as a part of the expected one."""
MOST_ULPS = 3
_ROUNDING_ULPS = 2
_LARGEST_SHOWN = 64
_HOLDS = np.ones(1, np.bool_)


def _check(name: str) -> Callable[[Evaluator], Evaluator]:
    """Registers a check as an operation, as a custom call, and both for expected values that are constants."""
    names = (f"check.{name}", f"check.{name}_const")

    def register(function: Evaluator) -> Evaluator:
        evaluates_custom_call(*names)(_answering(function))
        return evaluates(*names)(function)

    return register


def _answering(function: Evaluator) -> Evaluator:
    """A check as a custom call: where it has a result it is true, a token or an empty tuple, since it holds."""

    def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        function(frame, op, operands)
        answers = (cast(Any, Tuple()) if isinstance(result.type, TupleType) else _HOLDS for result in op.results)
        return list(answers)

    return evaluate


def _expected(frame: Frame, op: Operation, operands: list[Array]) -> Array:
    if len(operands) > 1:
        return operands[1]
    value = _option(op, "value")
    if value is None:
        frame.fail(op, "does not say what is expected")
    return constant_array(value, frame.machine.resources)[None]


def _option(op: Operation, name: str) -> Attribute | None:
    """An attribute of the check itself, or of its configuration if it is a custom call."""
    found = op.get(name)
    for holder in ("backend_config", "mhlo.backend_config", "mhlo.attributes"):
        config = op.get(holder)
        if found is None and isinstance(config, DictionaryAttr):
            found = config.get(name)
    return found


def _number(op: Operation, name: str) -> float | None:
    value = _option(op, name)
    if isinstance(value, FloatAttr):
        return float_value(value.bits, str(value.type))
    return value.value if isinstance(value, IntegerAttr) else None


@_check("expect_eq")
def expect_eq(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    actual, expected = operands[0], _expected(frame, op, operands)
    _compare(frame, op, actual, expected, equal, "equal")
    return []


@_check("expect_almost_eq")
def expect_almost_eq(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    tolerance = _number(op, "tolerance")
    limit = TOLERANCE if tolerance is None else tolerance
    actual, expected = operands[0], _expected(frame, op, operands)
    _compare(frame, op, actual, expected, lambda a, b: almost_equal(a, b, limit), "almost equal")
    return []


def eq(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Equality of integers, approximate of floats."""
    inexact = is_float(operands[0].dtype) or is_complex(operands[0].dtype)
    return list((expect_almost_eq if inexact else expect_eq)(frame, op, operands))


evaluates_custom_call("check.eq")(_answering(eq))


@_check("expect_close")
def expect_close(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    most, least = _number(op, "max_ulp_difference"), _number(op, "min_ulp_difference")
    limit = MOST_ULPS if most is None else most
    actual, expected = operands[0], _expected(frame, op, operands)

    def close(a: Array, b: Array) -> Array:
        near = ulp_difference(a, b) <= limit
        # A call that names no limit was written for results of another system.
        return near | almost_equal(a, b, TOLERANCE) if op.name == "stablehlo.custom_call" and most is None else near

    _compare(frame, op, actual, expected, close, f"within {limit} units in the last place")
    if least:
        largest = ulp_difference(actual, expected).max(initial=0)
        if largest < least:
            frame.fail(op, f"fails: values differ by at most {largest} units in the last place, {least} are expected")
    return []


def equal(a: Array, b: Array) -> Array:
    """Where values are equal; NaN equals NaN."""
    x, y = wide(a), wide(b)
    same = np.equal(x, y)
    return np.logical_or(same, np.isnan(x) & np.isnan(y)) if x.dtype.kind in "fc" else same


def almost_equal(a: Array, b: Array, tolerance: float) -> Array:
    """Where numbers are equal, or no further apart than ``tolerance`` (of ``b``, where that is larger than 1) or two
    units in the last place."""
    if is_complex(a.dtype):
        return np.logical_and(almost_equal(a.real, b.real, tolerance), almost_equal(a.imag, b.imag, tolerance))
    if not is_float(a.dtype):
        return np.equal(wide(a), wide(b))
    x, y = wide(a).astype(np.float64), wide(b).astype(np.float64)
    near: Array = (np.abs(x - y) <= tolerance * np.maximum(1.0, np.abs(y))) | (ulp_difference(a, b) <= _ROUNDING_ULPS)
    return np.logical_or(equal(x, y), near & np.isfinite(x) & np.isfinite(y))


def ulp_difference(a: Array, b: Array) -> Array:
    """How many steps from number to number of the type lead from ``a`` to ``b``, as floats; infinite if only one is NaN
    or infinite."""
    if is_complex(a.dtype):
        return np.maximum(ulp_difference(a.real, b.real), ulp_difference(a.imag, b.imag))
    if not is_float(a.dtype):
        return np.abs(wide(a).astype(np.float64) - wide(b).astype(np.float64))
    a, b = np.broadcast_arrays(a, b)
    x, y = _steps(a), _steps(b)
    # Exact for neighbours, which is what counts.
    difference = np.where(np.abs(x.astype(np.float64) - y) < 2.0**62, np.abs(x - y), 2**62).astype(np.float64)
    first, second = wide(a), wide(b)
    odd = (np.isnan(first) != np.isnan(second)) | ((np.isinf(first) | np.isinf(second)) & (first != second))
    return np.where(np.isnan(first) & np.isnan(second), 0.0, np.where(odd, np.inf, difference))


def _steps(values: Array) -> Array:
    """The number of steps from 0 to each float, as i64."""
    width = bit_width(values.dtype)
    stored = np.ascontiguousarray(values)
    bits = stored.view(f"u{stored.dtype.itemsize}").astype(np.uint64)
    sign = np.uint64(1 << (width - 1))
    if values.dtype.name == "float8_e8m0fnu":
        return bits.astype(np.int64)
    magnitude = (bits & (sign - np.uint64(1))).astype(np.int64)
    return np.where(bits & sign, -magnitude, magnitude)


def _compare(
    frame: Frame, op: Operation, actual: Array, expected: Array, agrees: Callable[[Array, Array], Array], relation: str
) -> None:
    """Ends the run with both values if an element of ``actual`` does not agree with that of ``expected``."""
    if actual.shape[1:] != expected.shape[1:]:
        frame.fail(op, f"fails: shape {actual.shape[1:]} (actual) is not {expected.shape[1:]} (expected)")
    wrong = ~np.asarray(agrees(actual, expected))
    if not wrong.any():
        return
    place = tuple(int(one[0]) for one in np.nonzero(wrong))
    lane, index = place[0], place[1:]
    type = op.operands[0].type
    assert isinstance(type, TensorType)
    pair = [value[min(lane, len(value) - 1)] for value in (actual, expected)]
    first, second = (element_texts(value[index][None], type.with_shape([1]))[0] for value in pair)
    device = f" on device {int(frame.devices[lane])}" if frame.lanes > 1 else ""
    message = (
        f"'{op.name}' op fails{device}: values are not {relation}: {first} (actual) vs {second} (expected) at index "
        f"{list(index)}; {int(wrong.sum())} of {wrong.size} elements differ"
    )
    context = frame.machine.context
    since = len(context.diagnostics)
    position = context.position(op.location)
    notes = []
    if actual[0].size <= _LARGEST_SHOWN:
        texts = [value_text(value, type) for value in pair]
        notes = [Diagnostic("note", position, f"actual: {texts[0]}\nexpected: {texts[1]}")]
    context.emit("error", op.location, message, notes)
    raise context.failure(since)


# --- probes -----------------------------------------------------------------------------------------------------------


@evaluates("interpreter.print")
def print_value(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Prints a value under the name that the printed program has for it."""
    for lane in operands[0]:
        print(f"{frame.machine.name(op.operands[0])} = {value_text(lane, op.operands[0].type)}")
    return []


@evaluates("interpreter.probe")
def probe(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Remembers a value, and writes it to the directory of probes, if there is one (``.npy``, and ``index.csv``)."""
    machine, identifier = frame.machine, string(op, "probe_id")
    seen = machine.probes.setdefault(identifier, [])
    seen.append(operands[0])
    if machine.probe_directory is not None:
        directory = Path(machine.probe_directory)
        number = sum(map(len, machine.probes.values()))
        path = directory / f"probe{number}.npy"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            value = operands[0][0]
            # What numpy has no type for is written as its bits.
            np.save(path, value.view(f"u{value.dtype.itemsize}") if value.dtype.kind == "V" else value)
            with (directory / "index.csv").open("a", newline="") as index:
                csv.writer(index).writerow([identifier, str(op.operands[0].type), str(path)])
        except OSError as error:
            frame.fail(op, f"cannot write '{path}': {error.strerror}")
    return operands


@_check("expect_serialized_eq")
def expect_serialized_eq(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The value equals what the probe saw the given time, counted from 0."""
    identifier = string(op, "probe_id") or string(op, "probe")
    number = integer(op, "iteration", integer(op, "iter"))
    seen = frame.machine.probes.get(identifier, [])
    if not 0 <= number < len(seen):
        frame.fail(op, f"fails: probe {identifier!r} has seen {len(seen)} values, none at iteration {number}")
    return list(expect_eq(frame, op, [operands[0], seen[number]]))
