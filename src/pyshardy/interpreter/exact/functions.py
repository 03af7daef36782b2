"""Elementary functions of exact numbers: fixed pseudo-random functions of residues, and doubles.

The points of ``function_residues`` and the definitions here are all the identities that evaluation knows: that the
exponential of minus infinity is 0, that a reciprocal root is the reciprocal of the root, and so on. Of every other
function of the dialects it knows only that it is a function (``opaque``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import numbers, residues
from pyshardy.interpreter.exact.elementwise import elementwise
from pyshardy.interpreter.exact.function_residues import image_of
from pyshardy.interpreter.exact.numbers import COMPLEX, REAL, ExactArray, is_void
from pyshardy.interpreter.exact.opaque import as_function
from pyshardy.interpreter.exact.registry import exactly_on_natural
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.operations import functions as native
from pyshardy.interpreter.operations.special_functions import erf, erfc

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation


_ONE = np.ones(())


def _function(
    name: str, function: Callable[[Array], Array], of_image: Callable[[Array, Array, Array], Array], *operations: str
) -> None:
    """Registers a function as ``operations`` (or as the one of its name): its doubles by ``function``, its residues by
    ``of_image(residue, arguments, results)``."""

    def evaluate(a: Any) -> Any:
        arguments = a.value
        found = arguments if is_void(arguments) else function(arguments)
        if a.dtype == REAL:
            residue = of_image(a.residue, arguments, found)
            # At the ends of its range a function is what its double says.
            ends = ~np.isfinite(arguments)
            return ExactArray(found, np.where(ends, residues.of_floats(found), residue) if ends.any() else residue)
        return ExactArray(found, residues.complex_image(name, a.residue))

    elementwise(*(operations or (f"stablehlo.{name}",)))(evaluate)


def _logistic(residue: Array, arguments: Array, results: Array) -> Array:
    """1 / (1 + e^-a)."""
    power = image_of("exponential", -residue, -arguments, np.exp(-arguments))
    return residues.inverse(residues.add(power, _ONE))


def _exponential_minus_one(residue: Array, arguments: Array, results: Array) -> Array:
    power = image_of("exponential", residue, arguments, np.exp(arguments))
    return residues.subtract(power, _ONE)


def _log_plus_one(residue: Array, arguments: Array, results: Array) -> Array:
    return image_of("log", residues.add(residue, _ONE), arguments + 1, results)


def _rsqrt(residue: Array, arguments: Array, results: Array) -> Array:
    return residues.inverse(image_of("sqrt", residue, arguments, np.sqrt(arguments)))


def _tan(residue: Array, arguments: Array, results: Array) -> Array:
    sine = image_of("sine", residue, arguments, np.sin(arguments))
    cosine = image_of("cosine", residue, arguments, np.cos(arguments))
    return residues.multiply(sine, residues.inverse(cosine))


for _name, _doubles in {
    "cbrt": native.cbrt,
    "cosine": native.cosine,
    "exponential": native.exponential,
    "log": native.log,
    "sine": native.sine,
    "sqrt": native.sqrt,
    "tanh": native.tanh,
}.items():
    _function(_name, _doubles, partial(image_of, _name))
_function("erf", partial(erf, single=True), partial(image_of, "erf"), "chlo.erf")
_function("logistic", native.logistic, _logistic)
_function("exponential_minus_one", native.exponential_minus_one, _exponential_minus_one)
_function("log_plus_one", native.log_plus_one, _log_plus_one)
_function("rsqrt", native.rsqrt, _rsqrt)
_function("tan", native.tan, _tan, "stablehlo.tan", "chlo.tan")


@elementwise("chlo.erfc")
def complementary_error_function(a: Any) -> Any:
    """1 - erf(a)."""
    image = image_of("erf", a.residue, a.value, np.sign(a.value))
    return ExactArray(erfc(a.value), residues.subtract(_ONE, image))


_LARGEST_POWER = 1024


@exactly_on_natural("stablehlo.power")
def power(plainly: Evaluator, frame: Frame, op: Operation, operands: list[Any]) -> list[Any]:
    """Products where the exponent is one integer for all, roots for halves; else just a function."""
    base, exponent = operands
    if base.dtype == REAL and exponent.size:
        first = exponent.reshape(-1)[0]
        uniform = bool((exponent.value == first.value).all() and np.isfinite(first.value))
        twice = 2 * float(first.value) if uniform else 0.25
        if uniform and twice == round(twice) and abs(twice) <= 2 * _LARGEST_POWER:
            return [_half_power(base, exponent, int(twice))]
    if base.dtype == COMPLEX or exponent.dtype == COMPLEX:
        base, exponent = numbers.as_kind(base, COMPLEX), numbers.as_kind(exponent, COMPLEX)
    found: Any
    (found,) = as_function(op.name, plainly)(frame, op, [base, exponent])
    if found.dtype != REAL:
        return [found]
    known = np.broadcast_to((exponent.residue == 0) | (base.residue == 1), found.shape)
    found.residue[known] = 1
    return [found]


def _half_power(base: Any, exponent: Any, twice: int) -> Any:
    value = np.power(base.value, exponent.value)
    residue = base.residue
    if twice % 2:
        residue = image_of("sqrt", residue, base.value, np.sqrt(base.value))
    else:
        twice //= 2
    result = residues.power(residue, abs(twice))
    return ExactArray(value, residues.inverse(result) if twice < 0 else result)
