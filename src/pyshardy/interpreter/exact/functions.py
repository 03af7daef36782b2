"""Elementary functions of exact numbers: fixed pseudo-random functions of residues, beside their doubles.

The points of ``images`` and the definitions here are all the identities that evaluation knows: that the exponential of
minus infinity is 0, that a reciprocal root is the reciprocal of the root, and so on. Every other function of the
dialects is nothing but a function (``opaque``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import numbers, residues
from pyshardy.interpreter.exact.elementwise import elementwise
from pyshardy.interpreter.exact.images import image_of
from pyshardy.interpreter.exact.numbers import COMPLEX, REAL, ExactArray, is_void
from pyshardy.interpreter.exact.opaque import as_function
from pyshardy.interpreter.exact.registry import exactly
from pyshardy.interpreter.operations import functions as natural
from pyshardy.interpreter.operations.special_functions import erf, erfc

if TYPE_CHECKING:
    from pyshardy.interpreter.frame import Frame
    from pyshardy.ir.operation import Operation


_ONE = np.ones(())


def _function(name: str, function: Callable[[Array], Array], of_image: Callable[[Array, Array, Array], Array]) -> None:
    """Registers a function: its doubles by ``function``, its residues by ``of_image(residue, arguments, results)``."""

    def evaluate(a: Any) -> Any:
        arguments = a.value
        found = arguments if is_void(arguments) else function(arguments)
        if a.dtype == REAL:
            residue = of_image(a.residue, arguments, found)
            # At the ends of its range a function is what its double says.
            ends = ~np.isfinite(arguments)
            return ExactArray(found, np.where(ends, residues.of_floats(found), residue) if ends.any() else residue)
        return ExactArray(found, residues.complex_image(name, a.residue))

    elementwise(f"stablehlo.{name}" if name != "erf" else "chlo.erf", *_ALSO.get(name, ()))(evaluate)


_ALSO = {"tan": ("chlo.tan",)}


def _plain(name: str) -> Callable[[Array, Array, Array], Array]:
    return lambda residue, arguments, results: image_of(name, residue, arguments, results)


def _doubles_of(name: str, argument: Array) -> Array:
    result: Array = getattr(np, name)(argument)
    return result


def _logistic(residue: Array, arguments: Array, results: Array) -> Array:
    """1 / (1 + e^-a)."""
    opposite = -residue
    power = image_of("exponential", opposite, -arguments, _doubles_of("exp", -arguments))
    return residues.inverse(residues.add(power, _ONE))


def _exponential_minus_one(residue: Array, arguments: Array, results: Array) -> Array:
    power = image_of("exponential", residue, arguments, _doubles_of("exp", arguments))
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
    "cbrt": natural.cbrt,
    "cosine": natural.cosine,
    "erf": lambda a: erf(a, single=True),
    "exponential": natural.exponential,
    "log": natural.log,
    "sine": natural.sine,
    "sqrt": natural.sqrt,
    "tanh": natural.tanh,
}.items():
    _function(_name, _doubles, _plain(_name))
_function("logistic", natural.logistic, _logistic)
_function("exponential_minus_one", natural.exponential_minus_one, _exponential_minus_one)
_function("log_plus_one", natural.log_plus_one, _log_plus_one)
_function("rsqrt", natural.rsqrt, _rsqrt)
_function("tan", natural.tan, _tan)


@elementwise("chlo.erfc")
def complementary_error_function(a: Any) -> Any:
    """1 - erf(a)."""
    image = image_of("erf", a.residue, a.value, np.sign(a.value))
    return ExactArray(erfc(a.value), residues.subtract(_ONE, image))


_LARGEST_POWER = 1024


@exactly("stablehlo.power")
def power(frame: Frame, op: Operation, operands: list[Any]) -> list[Any]:
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
    from pyshardy.interpreter.registry import evaluator

    plain = evaluator("stablehlo.power")
    assert plain is not None
    found: Any
    (found,) = as_function("stablehlo.power", plain)(frame, op, [base, exponent])
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
