"""Elementwise operations on numbers that make trouble, against StableHLO's reference interpreter."""

from __future__ import annotations

import numpy as np
import pytest

from pyshardy.interpreter.element_types import Array
from tests.interpreter.reference import assert_like_reference, constant_program

FLOATS = ("f16", "bf16", "f32", "f64")
SHORT = ("f8E4M3FN", "f8E5M2", "f8E4M3B11FNUZ", "f8E4M3", "f8E5M2FNUZ")
COMPLEX = ("complex<f32>", "complex<f64>")
SIGNED = ("i2", "i4", "i8", "i16", "i32", "i64")
UNSIGNED = ("ui2", "ui4", "ui8", "ui16", "ui32", "ui64")

EDGES = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e-6, 3e4, -7.25, 0.1]


def numbers(element: str) -> Array:
    """Edges of the type and a few moderate numbers."""
    if element == "i1":
        return np.array([False, True])
    if element.startswith("complex"):
        parts = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -2.5]
        pairs = np.array([(real, imaginary) for real in parts for imaginary in parts])
        return pairs.view(np.complex128)[:, 0]
    if "i" in element:
        width = int(element.lstrip("ui"))
        low, high = (0, 2**width - 1) if element[0] == "u" else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
        chosen = sorted(
            {one for one in (low, low + 1, -2, -1, 0, 1, 2, 5, 7, 63, high - 1, high) if low <= one <= high}
        )
        return np.array(chosen, np.uint64 if low == 0 else np.int64)
    return np.array(EDGES)


def pairs(element: str) -> list[tuple[str, Array]]:
    """Every number with every number."""
    one = numbers(element)
    return [(element, np.repeat(one, len(one))), (element, np.tile(one, len(one)))]


@pytest.mark.parametrize("name", ["abs", "ceil", "floor", "negate", "round_nearest_afz", "round_nearest_even", "sign"])
@pytest.mark.parametrize("element", [*FLOATS, *SHORT])
def test_rounding_and_signs(name: str, element: str) -> None:
    assert_like_reference(constant_program(f"stablehlo.{name}", [(element, numbers(element))], element))


@pytest.mark.parametrize(
    "name", ["cbrt", "cosine", "exponential", "log", "log_plus_one", "logistic", "rsqrt", "sine", "sqrt", "tan", "tanh"]
)
@pytest.mark.parametrize("element", FLOATS)
def test_functions(name: str, element: str) -> None:
    assert_like_reference(constant_program(f"stablehlo.{name}", [(element, numbers(element))], element), ulps=2)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "remainder", "maximum", "minimum"])
@pytest.mark.parametrize("element", [*FLOATS, *SHORT])
def test_arithmetic_of_floats(name: str, element: str) -> None:
    assert_like_reference(constant_program(f"stablehlo.{name}", pairs(element), element))


@pytest.mark.parametrize("name", ["divide", "power", "atan2"])
@pytest.mark.parametrize("element", FLOATS)
def test_quotients_powers_and_angles(name: str, element: str) -> None:
    assert_like_reference(constant_program(f"stablehlo.{name}", pairs(element), element), ulps=1)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide"])
@pytest.mark.parametrize("element", COMPLEX)
def test_arithmetic_of_complex_numbers_with_infinities(name: str, element: str) -> None:
    assert_like_reference(constant_program(f"stablehlo.{name}", pairs(element), element), ulps=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["add", "subtract", "multiply", "maximum", "minimum", "power", "and", "or", "xor"]
    + ["shift_left", "shift_right_arithmetic", "shift_right_logical"],
)
@pytest.mark.parametrize("element", [*SIGNED, *UNSIGNED])
def test_arithmetic_of_integers(name: str, element: str) -> None:
    assert_like_reference(constant_program(f"stablehlo.{name}", pairs(element), element))


@pytest.mark.parametrize("name", ["divide", "remainder"])
@pytest.mark.parametrize("element", [*SIGNED, *UNSIGNED])
def test_division_of_integers(name: str, element: str) -> None:
    (_, a), (_, b) = pairs(element)
    defined = (b != 0) & ~((a == a.min()) & (b == -1)) if element[0] == "i" else b != 0
    operands = [(element, a[defined]), (element, b[defined])]
    assert_like_reference(constant_program(f"stablehlo.{name}", operands, element))


@pytest.mark.slow
@pytest.mark.parametrize("source", ["i1", "i4", "i8", "i64", "ui2", "ui8", "ui64", *FLOATS, *SHORT[:3]])
@pytest.mark.parametrize("target", ["i1", "i2", "i8", "i32", "i64", "ui4", "ui8", "ui64", *FLOATS, *SHORT, COMPLEX[0]])
def test_conversions(source: str, target: str) -> None:
    assert_like_reference(constant_program("stablehlo.convert", [(source, numbers(source))], target))


@pytest.mark.parametrize(("exponent", "mantissa"), [(5, 10), (8, 7), (4, 3), (2, 1), (11, 2), (3, 52), (5, 0)])
@pytest.mark.parametrize("element", [*FLOATS, "f8E3M4", "f8E4M3", "f8E5M2"])
def test_fewer_digits_are_those_of_the_types_own_bits(element: str, exponent: int, mantissa: int) -> None:
    attributes = f"{{exponent_bits = {exponent} : i32, mantissa_bits = {mantissa} : i32}}"
    operands = [(element, numbers(element))]
    assert_like_reference(constant_program("stablehlo.reduce_precision", operands, element, attributes))


@pytest.mark.parametrize("direction", ["EQ", "NE", "LT", "LE", "GT", "GE"])
@pytest.mark.parametrize("element", ["f32", "bf16", "f8E5M2", "i4", "ui8", "i1"])
def test_comparisons(direction: str, element: str) -> None:
    attributes = f"{{comparison_direction = #stablehlo<comparison_direction {direction}>}}"
    assert_like_reference(constant_program("stablehlo.compare", pairs(element), "i1", attributes))


@pytest.mark.parametrize("name", ["popcnt", "not", "count_leading_zeros"])
@pytest.mark.parametrize("element", [*SIGNED, *UNSIGNED])
def test_bits_of_one_number(name: str, element: str) -> None:
    assert_like_reference(constant_program(f"stablehlo.{name}", [(element, numbers(element))], element))
