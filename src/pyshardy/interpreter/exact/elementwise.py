"""Elementwise arithmetic, comparison and rounding of exact numbers.

Sums, products and quotients are those of the field. Functions of the size of a number use its double, unless the number
is exactly the integer next to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import algebra, numbers, residues
from pyshardy.interpreter.exact.function_residues import image_of
from pyshardy.interpreter.exact.numbers import COMPLEX, ExactArray
from pyshardy.interpreter.exact.registry import exactly
from pyshardy.interpreter.operations.elementwise import fitted

if TYPE_CHECKING:
    from pyshardy.interpreter.frame import Frame
    from pyshardy.ir.operation import Operation

Function = Callable[..., Any]


def elementwise(*names: str) -> Callable[[Function], Function]:
    """Registers a function of exact numbers that broadcast together."""

    def register(function: Function) -> Function:
        @exactly(*names)
        def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
            return [function(*operands)]

        return function

    return register


elementwise("stablehlo.add", "arith.addf")(algebra.plus)
elementwise("stablehlo.subtract", "arith.subf")(algebra.minus)
elementwise("stablehlo.multiply", "arith.mulf")(algebra.times)
elementwise("stablehlo.divide", "arith.divf")(algebra.over)
elementwise("stablehlo.negate", "arith.negf")(algebra.opposite)
elementwise("stablehlo.maximum", "arith.maximumf")(numbers.larger)
elementwise("stablehlo.minimum", "arith.minimumf")(numbers.smaller)
elementwise("stablehlo.complex")(numbers.from_parts)
elementwise("chlo.conj")(algebra.conjugate)


@elementwise("chlo.square")
def square(a: Any) -> Any:
    return algebra.times(a, a)


@elementwise("stablehlo.real")
def real_part(a: Any) -> Any:
    return numbers.real_part(a) if a.dtype == COMPLEX else a


@elementwise("stablehlo.imag")
def imaginary_part(a: Any) -> Any:
    return numbers.imaginary_part(a) if a.dtype == COMPLEX else algebra.minus(a, a)


@elementwise("stablehlo.clamp")
def clamp(low: Any, a: Any, high: Any) -> Any:
    return numbers.smaller(numbers.larger(fitted(low, a), a), fitted(high, a))


@elementwise("stablehlo.abs")
def absolute(a: Any) -> Any:
    if a.dtype != COMPLEX:
        return ExactArray(np.abs(a.value), np.where(a.value < 0, -a.residue, a.residue))
    x, y = a.residue.real, a.residue.imag
    squares = residues.add(residues.multiply(x, x), residues.multiply(y, y))
    return ExactArray(np.abs(a.value), image_of("sqrt", squares, np.abs(a.value) ** 2, np.abs(a.value)))


@elementwise("stablehlo.sign")
def sign(a: Any) -> Any:
    if a.dtype != COMPLEX:
        return numbers.from_doubles(np.sign(a.value))
    size = numbers.as_kind(absolute(a), COMPLEX)
    zero = a.value == 0
    return np.where(zero, a, algebra.over(a, np.where(zero, numbers.as_kind(numbers.scalar(1.0), COMPLEX)[0], size)))


# --- rounding to integers ---------------------------------------------------------------------------------------------


def whole(round: Callable[[Array], Array], a: Any) -> Array:
    """The doubles that ``round`` makes of real numbers, those that are integers being kept."""
    near, exact = numbers.nearest_integer(a)
    return np.where(exact, near, round(a.value))


def _rounding(name: str, round: Callable[[Array], Array]) -> None:
    @elementwise(f"stablehlo.{name}")
    def evaluate(a: Any) -> Any:
        return numbers.from_doubles(whole(round, a))


def _half_away(value: Array) -> Array:
    near = np.trunc(value)
    return np.where(np.abs(value - near) >= 0.5, near + np.copysign(1.0, value), near)


_ROUNDINGS: dict[str, Callable[[Array], Array]] = {
    "floor": np.floor,
    "ceil": np.ceil,
    "round_nearest_even": np.rint,
    "round_nearest_afz": _half_away,
}
for _name, _round in _ROUNDINGS.items():
    _rounding(_name, _round)


@elementwise("stablehlo.remainder", "arith.remf")
def remainder(a: Any, b: Any) -> Any:
    """a - b·n, n the quotient rounded towards zero."""
    quotient = algebra.over(a, b)
    count = numbers.from_doubles(whole(np.trunc, quotient))
    rest = algebra.minus(a, algebra.times(b, count))
    # Where one is infinite or the divisor is zero, the doubles know.
    special = ~np.isfinite(quotient.value) | ~np.isfinite(b.value)
    if special.any():
        rest = np.where(special, numbers.from_doubles(np.fmod(*np.broadcast_arrays(a.value, b.value))), rest)
    return rest


# --- symbols ----------------------------------------------------------------------------------------------------------


def _test(name: str, function: Callable[[Array], Array]) -> None:
    @elementwise(name)
    def evaluate(a: Any) -> Any:
        return function(a.value)


_TESTS: dict[str, Callable[[Array], Array]] = {
    "stablehlo.is_finite": np.isfinite,
    "chlo.is_inf": np.isinf,
    "chlo.is_pos_inf": np.isposinf,
    "chlo.is_neg_inf": np.isneginf,
}
for _name, _function in _TESTS.items():
    _test(_name, _function)
