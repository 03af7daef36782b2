"""Estimates the effect of rounding on the results of a program in double precision.

Some equalities hold for real numbers but not for residues: those by an identity of a function, as for a sum of
exponentials that is added up in two ways. So where exact results differ, the program runs again in double precision,
with inputs and sums changed in the last digit, as by another order of additions. Differences of that size are no fault
of the partitioning. Whole numbers are not changed as long as their sums are exact in any order.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from pyshardy.checking.comparison import errors
from pyshardy.checking.programs import Programs
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.number_systems import DOUBLES
from pyshardy.ir.operation import Operation

NUDGES = 3
"""The number of runs with changed inputs and sums."""
_LARGEST_EXACT = 2.0**53
"""The largest whole number up to which doubles hold each whole number; larger ones were rounded."""


def rounding_of(programs: Programs, inputs: list[Array]) -> list[float]:
    """The largest relative error that nudges make in each result of the global program, run on one device."""
    whole = programs.run_source(inputs, DOUBLES)
    largest = [0.0 for _ in whole]
    for number in range(NUDGES):
        generator = np.random.default_rng(number)
        nudged = programs.run_source(
            [_nudged(value, generator) for value in inputs], DOUBLES, partial(_with_nudged_sums, generator)
        )
        for index, pair in enumerate(zip(whole, nudged, strict=True)):
            largest[index] = max(largest[index], float(errors(*pair).max(initial=0.0)))
    return largest


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
    """``value``, with each float that is not a whole number a little larger or smaller."""
    if value.dtype.kind not in "fc" or not value.size:
        return value
    nudges = 1 + np.finfo(np.float64).eps * generator.choice([-1.0, 1.0], value.shape)
    is_exact = (value == np.rint(value)) & (np.abs(value) < _LARGEST_EXACT)
    return np.where(is_exact, value, value * nudges)
