"""Which results of a program depend on its inputs, by its operations and by its runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact.numbers import is_exact
from pyshardy.ir.operation import Operation, Value


def reached_results(module: Operation, function: Operation) -> set[int]:
    """The results of ``function`` that a chain of operations leads to from an argument.

    The results of an operation with regions depend on everything that any value in the regions depends on.
    """
    functions = functions_by_name(module)
    known: dict[Operation, set[int]] = {}

    def of(one: Operation) -> set[int]:
        if one not in known:
            # Stored before it is complete, in case functions call each other in a circle.
            known[one] = set()
            known[one] = _reached(one)
        return known[one]

    def _reached(one: Operation) -> set[int]:
        reached: set[Value] = set(one.body.arguments)
        for op in one.body:
            operands = {value for inner in op.walk() for value in inner.operands}
            if not operands & reached:
                continue
            called = functions.get(callee(op)) if op.name == "func.call" else None
            if called is not None and not called.regions[0].empty:
                reached.update(op.results[index] for index in of(called))
            else:
                reached.update(op.results)
        return {index for index, value in enumerate(one.body.terminator.operands) if value in reached}

    return of(function)


def constant_results(runs: Sequence[Sequence[Array]]) -> list[int]:
    """The results whose elements are all one number, the same in all ``runs``."""
    return [index for index, values in enumerate(zip(*runs, strict=True)) if _is_same_constant(values)]


def _is_same_constant(values: Sequence[Array]) -> bool:
    if not values[0].size or not all(map(_is_constant, values)):
        return False
    return len({constant_text(value) for value in values}) == 1


def _is_constant(value: Array) -> bool:
    """Whether all elements are one number; a scalar counts if it is a small whole number or NaN."""
    flat = numbers_of(value)
    if flat.size == 1:
        number = complex(flat[0])
        return not np.isfinite(number) or (number.imag == 0 and number.real in (-1, 0, 1))
    return bool((flat == flat[0]).all() or (flat.dtype.kind in "fc" and np.isnan(flat).all()))


def numbers_of(value: Array) -> Array:
    """The values by which elements are compared: residues and symbols of exact numbers, other arrays as they are."""
    if not is_exact(value.dtype):
        return value.reshape(-1)
    exact: Any = value
    numbers: Array = np.where(np.isfinite(exact.value), exact.residue, exact.value)
    return numbers.reshape(-1)


def constant_text(value: Array) -> str:
    """The number that a constant result is."""
    # Exact numbers have no minus zero.
    return str(numbers_of(value)[0] + 0)
