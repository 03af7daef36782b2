"""Makes evaluators of elementwise operations: they compute in the wide type and round to the type of the result.

``arithmetic``, ``functions``, ``bits`` and ``comparison`` register their functions with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyshardy.interpreter.element_types import Array, is_complex, is_float, narrow, wide
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation

Function = Callable[..., Array]


def elementwise(*names: str) -> Callable[[Function], Function]:
    """Registers a function of wide arrays that broadcast together; its result is converted to the operation's type."""

    def register(function: Function) -> Function:
        @evaluates(*names)
        def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
            return [narrow(function(*map(wide, operands)), frame.array_type(op.results[0].type))]

        return function

    return register


def precise(*names: str) -> Callable[[Function], Function]:
    """Like ``elementwise``, for functions that are computed in double precision and rounded once."""

    def register(function: Function) -> Function:
        @evaluates(*names)
        def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
            return [narrow(function(*map(double, operands)), frame.array_type(op.results[0].type))]

        return function

    return register


def double(values: Array) -> Array:
    """Floats and complex numbers in double precision; others as they are."""
    dtype = values.dtype
    if is_complex(dtype):
        return values.astype(np.complex128, copy=False)
    return values.astype(np.float64, copy=False) if is_float(dtype) else values


def fitted(bound: Any, values: Any) -> Any:
    """A bound of a clamp, plain or exact: a scalar of each lane is spread over ``values``."""
    return bound if bound.ndim == values.ndim else bound.reshape(len(bound), *(1,) * (values.ndim - 1))
