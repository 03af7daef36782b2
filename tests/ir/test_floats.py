"""Floating point numbers: MLIR's text for bit patterns, and bit patterns of decimal text, for every builtin type."""

import math

import pytest

from pyshardy.ir.floats import FORMATS, bits_of_float, float_bits, float_text, float_value
from pyshardy.ir.types import FLOAT_WIDTHS

TEXTS = [
    ("f64", "1.0", "1.000000e+00"),
    ("f64", "-0.0", "-0.000000e+00"),
    ("f64", "1.0e10", "1.000000e+10"),
    ("f64", "1.0e-5", "1.000000e-05"),
    ("f64", "0.1", "1.000000e-01"),
    ("f64", "3.14159265358979", "3.14159265358979"),
    ("f64", "0.333333333333333333333", "0.33333333333333331"),
    ("f64", "123456.0", "1.234560e+05"),
    ("f64", "1234567.0", "0x4132D68700000000"),
    ("f64", "1.0e400", "0x7FF0000000000000"),
    ("f32", "1.0e-6", "9.99999997E-7"),
    ("f32", "-0.99999994", "-0.99999994"),
    ("f32", "1.4142135", "1.41421354"),
    ("f32", "1234567.0", "0x4996B438"),
    ("f32", "0.7", "0.699999988"),
    ("f32", "1.0e-45", "1.401300e-45"),
    ("f32", "3.4028235e38", "3.40282347E+38"),
    ("f32", "1.0e39", "0x7F800000"),
    ("f32", "-1.0e39", "0xFF800000"),
    ("f16", "0.1", "9.997550e-02"),
    ("f16", "1.00048828125000000001", "1.000000e+00"),
    ("f16", "65520.0", "0x7C00"),
    ("bf16", "0.1", "1.000980e-01"),
    ("f8E4M3FN", "448.0", "4.480000e+02"),
    ("f8E4M3FN", "500.0", "0x7F"),
    ("f8E5M2", "61440.0", "0x7C"),
    ("f8E4M3FNUZ", "-0.0", "0.000000e+00"),
    ("f8E4M3FNUZ", "248.0", "0x80"),
    ("f4E2M1FN", "100.0", "6.000000e+00"),
    ("f8E8M0FNU", "0.0", "5.877470e-39"),
    ("f80", "1.0", "1.000000e+00"),
    ("f80", "1.0e400", "0x7FFF8000000000000000"),
    ("f128", "0.1", "0.100000000000000005551115123125782702"),
    ("tf32", "0.1", "9.997550e-02"),
]

PATTERNS = [
    ("f32", 0x7FC00000, "0x7FC00000"),
    ("bf16", 0x7FC0, "0x7FC0"),
    ("bf16", 0xFF80, "0xFF80"),
    ("f16", 0x0001, "5.960460e-08"),
    ("f16", 0x7BFF, "6.550400e+04"),
    ("f8E4M3FN", 0xFF, "0xFF"),
    ("f8E8M0FNU", 0xFF, "0xFF"),
    ("f8E8M0FNU", 0xFE, "1.701410e+38"),
    ("f6E2M3FN", 0x3F, "-7.500000e+00"),
]


@pytest.mark.parametrize(("type", "written", "printed"), TEXTS)
def test_a_decimal_number_is_printed_as_mlir_prints_it(type: str, written: str, printed: str) -> None:
    assert float_text(float_bits(written, type), type) == printed


@pytest.mark.parametrize(("type", "bits", "printed"), PATTERNS)
def test_a_bit_pattern_is_printed_as_mlir_prints_it(type: str, bits: int, printed: str) -> None:
    assert float_text(bits, type) == printed


@pytest.mark.slow
@pytest.mark.parametrize("type", [name for name, width in FLOAT_WIDTHS.items() if width <= 16])
def test_every_number_of_a_short_type_reads_back_from_its_text_and_from_its_value(type: str) -> None:
    for bits in range(1 << FLOAT_WIDTHS[type]):
        text = float_text(bits, type)
        if text.startswith("0x"):
            assert int(text, 16) == bits
        else:
            assert float_bits(text, type) == bits
        value = float_value(bits, type)
        if math.isfinite(value):
            assert bits_of_float(value, type) == bits


def test_the_middle_between_two_numbers_rounds_to_the_even_one() -> None:
    for bits in range(0x3C00, 0x4000):
        middle = (float_value(bits, "f16") + float_value(bits + 1, "f16")) / 2
        assert bits_of_float(middle, "f16") == bits + (bits & 1)


def test_formats_and_types_agree_about_the_widths() -> None:
    assert {name: form.width for name, form in FORMATS.items()} == FLOAT_WIDTHS


def test_special_values_are_python_s() -> None:
    assert float_value(0x7F800000, "f32") == math.inf
    assert float_value(0xFF80, "bf16") == -math.inf
    assert math.isnan(float_value(0x80, "f8E5M2FNUZ"))
    assert float_value(0x7FFF << 64 | 1 << 63, "f80") == math.inf
    assert float_value(0x3FFF << 112, "f128") == 1.0
    assert float_value(0x7FFE << 112, "f128") == math.inf
