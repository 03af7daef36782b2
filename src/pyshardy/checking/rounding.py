"""What rounding alone does to the results of a program.

A program may blow up rounding errors, or decide by them: which of two nearly equal numbers is the larger one, what is
left of a difference that should be zero. It does so on one device, too. So where a result is off, the program runs
again on inputs that differ in the last digit, and with sums that do, as if they were added up in another order; what
that changes is no fault of the partitioning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import isinf
from typing import Any

import ml_dtypes
import numpy as np

from pyshardy.checking.comparison import as_wide, errors
from pyshardy.checking.programs import Programs
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.number_systems import DOUBLES
from pyshardy.interpreter.registry import Evaluator
from pyshardy.ir.operation import Operation

NUDGES = 3
"""How many times the program runs again."""

_TIMES = 4
"""How much more than the nudges a change of the order of sums may do."""

_UNDETERMINED = 0.25
"""From which error on an element is not determined by the inputs at all."""


@dataclass(frozen=True)
class Rounding:
    """What the nudges change in one result: the largest error of any element, and how many elements have one above a
    tolerance."""

    error: float
    count: int

    def explains(self, error: float, count: int) -> bool:
        """Whether as much as ``error``, in as many as ``count`` elements, may come of rounding. What is divided by the
        rest that rounding leaves of a zero may become infinite."""
        in_size = self.error > _UNDETERMINED if isinf(error) else error <= _TIMES * self.error
        return in_size and count <= _TIMES * self.count


def rounding_of(programs: Programs, inputs: list[Array], tolerances: Sequence[float]) -> list[Rounding]:
    """What rounding does to each result of the global program, run on one device in double precision."""
    whole = programs.run_source(inputs, DOUBLES)
    found = [Rounding(0.0, 0) for _ in whole]
    for number in range(NUDGES):
        generator = np.random.default_rng(number)
        nudged = programs.run_source(
            [_nudged(value, generator) for value in inputs], DOUBLES, partial(_with_nudged_sums, generator)
        )
        for index, (first, second, tolerance) in enumerate(zip(whole, nudged, tolerances, strict=True)):
            changes = errors(first, second)
            if changes.size:
                largest, count = float(changes.max()), int((changes > tolerance).sum())
                found[index] = Rounding(max(found[index].error, largest), max(found[index].count, count))
    return found


_SUMS = {
    f"stablehlo.{name}"
    for name in (
        "batch_norm_grad",
        "batch_norm_training",
        "convolution",
        "dot",
        "dot_general",
        "reduce",
        "reduce_window",
        "scatter",
        "select_and_scatter",
    )
}


def _with_nudged_sums(generator: np.random.Generator, name: str, evaluate: Evaluator) -> Evaluator:
    if name not in _SUMS:
        return evaluate

    def nudged(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        return [_nudged(value, generator) for value in evaluate(frame, op, operands)]

    return nudged


def _nudged(value: Array, generator: np.random.Generator) -> Array:
    """``value`` with each element a little larger or smaller."""
    if value.dtype.kind in "iub" or not value.size or value.dtype in _INTEGERS:
        return value
    signs = generator.choice([-1.0, 1.0], value.shape)
    return np.asarray(as_wide(value) * (1 + _last_digit(value.dtype) * signs)).astype(value.dtype)


_INTEGERS = {np.dtype(one) for one in (ml_dtypes.int2, ml_dtypes.uint2, ml_dtypes.int4, ml_dtypes.uint4)}


def _last_digit(dtype: np.dtype[Any]) -> float:
    """The relative size of the last digit of a float."""
    real = np.empty(0, dtype).real.dtype
    finfo: Any = ml_dtypes.finfo
    return float(finfo(real).eps)
