"""Floating point numbers of every builtin type as bit patterns: from decimal text, to MLIR's text, to Python floats.

All of it is integer arithmetic, so that every type rounds exactly.
"""

from __future__ import annotations

import math
import struct
from typing import NamedTuple


class FloatFormat(NamedTuple):
    """The layout of a type: a sign bit if ``signed``, then ``exponent`` bits with ``bias``, then ``mantissa`` bits.

    ``special`` says what the highest or a reserved pattern means: ``"ieee"`` (infinities and NaN at the highest
    exponent), ``"nan"`` (all ones is NaN, no infinity), ``"unsigned zero"`` (minus zero is NaN, no infinity),
    ``"finite"`` (neither). ``explicit`` counts the bits of the leading one (1 in ``f80``), ``zero`` is whether the
    type has a zero.
    """

    exponent: int
    mantissa: int
    bias: int
    special: str = "ieee"
    signed: bool = True
    explicit: int = 0
    zero: bool = True

    @property
    def width(self) -> int:
        return self.signed + self.exponent + self.explicit + self.mantissa

    @property
    def lowest_exponent(self) -> int:
        """The exponent of the smallest numbers."""
        return int(self.zero) - self.bias

    @property
    def largest_exponent(self) -> int:
        """The highest exponent field of a finite number."""
        return (1 << self.exponent) - (2 if self.special == "ieee" else 1)


FORMATS = {
    "f4E2M1FN": FloatFormat(2, 1, 1, "finite"),
    "f6E2M3FN": FloatFormat(2, 3, 1, "finite"),
    "f6E3M2FN": FloatFormat(3, 2, 3, "finite"),
    "f8E3M4": FloatFormat(3, 4, 3),
    "f8E4M3": FloatFormat(4, 3, 7),
    "f8E4M3B11FNUZ": FloatFormat(4, 3, 11, "unsigned zero"),
    "f8E4M3FN": FloatFormat(4, 3, 7, "nan"),
    "f8E4M3FNUZ": FloatFormat(4, 3, 8, "unsigned zero"),
    "f8E5M2": FloatFormat(5, 2, 15),
    "f8E5M2FNUZ": FloatFormat(5, 2, 16, "unsigned zero"),
    "f8E8M0FNU": FloatFormat(8, 0, 127, "nan", signed=False, zero=False),
    "bf16": FloatFormat(8, 7, 127),
    "f16": FloatFormat(5, 10, 15),
    "tf32": FloatFormat(8, 10, 127),
    "f32": FloatFormat(8, 23, 127),
    "f64": FloatFormat(11, 52, 1023),
    "f80": FloatFormat(15, 63, 16383, explicit=1),
    "f128": FloatFormat(15, 112, 16383),
}
"""Every builtin float type."""

_STRUCT_CODES = {"f64": ("<d", "<Q"), "f32": ("<f", "<I"), "f16": ("<e", "<H")}
_SHORT_MANTISSA = 24
_INFINITY = float("inf")


def float_bits(text: str, type_name: str) -> int:
    """The bit pattern of the decimal number ``text`` (``-1.5e3``, ``2.``) in the float type ``type_name``.

    The text becomes an ``f64`` first and that is rounded to nearest even, as MLIR does. Beyond the largest number comes
    infinity, in a type without infinity NaN, in a type without either the largest number.
    """
    return bits_of_float(float(text), type_name)


def bits_of_float(value: float, type_name: str) -> int:
    """The bit pattern of ``value``, not NaN, rounded to nearest even in the float type ``type_name``."""
    codes = _STRUCT_CODES.get(type_name)
    if codes is not None:
        try:
            return int(struct.unpack(codes[1], struct.pack(codes[0], value))[0])
        except OverflowError:
            value = _INFINITY if value > 0 else -_INFINITY
    form = FORMATS[type_name]
    negative = math.copysign(1.0, value) < 0
    if value in (_INFINITY, -_INFINITY):
        return _overflow(form, negative)
    if form.mantissa < _SHORT_MANTISSA:
        return _rounded_short(form, negative, abs(value))
    numerator, denominator = abs(value).as_integer_ratio()
    return _rounded(form, negative, numerator, denominator)


def float_value(bits: int, type_name: str) -> float:
    """The number that a bit pattern stands for, rounded to ``f64`` (only ``f80`` and ``f128`` can lose digits)."""
    form = FORMATS[type_name]
    negative, kind, significand, exponent = _decoded(form, bits)
    if kind == "nan":
        return float("nan")
    if kind == "infinity":
        magnitude = _INFINITY
    elif exponent >= 0:
        magnitude = _quotient(significand << exponent, 1)
    else:
        magnitude = _quotient(significand, 1 << -exponent)
    return -magnitude if negative else magnitude


def _quotient(numerator: int, denominator: int) -> float:
    try:
        return numerator / denominator
    except OverflowError:
        return _INFINITY


def float_text(bits: int, type_name: str) -> str:
    """The number as MLIR prints it: six digits if they are enough, else all that are needed, else the bits in hex."""
    form = FORMATS[type_name]
    negative, kind, significand, exponent = _decoded(form, bits)
    if kind != "finite":
        return f"0x{bits:X}"
    sign = "-" if negative else ""
    if not significand:
        return f"{sign}0.000000e+00"
    scaled, power = (significand << exponent, 0) if exponent >= 0 else (significand * 5**-exponent, exponent)
    text, magnitude = _six_digits(scaled, power)
    if _rounded(form, negative, *magnitude) == bits:
        return sign + text
    text = _all_digits(scaled, power, 2 + (form.mantissa + 1) * 59 // 196)
    return sign + text if "." in text else f"0x{bits:X}"


def _six_digits(scaled: int, power: int) -> tuple[str, tuple[int, int]]:
    """``d.dddddde+XX`` for ``scaled * 10**power``, and the exact number that this text stands for as a ratio."""
    digits, last = _digits(scaled, power, 6)
    exponent = last + len(digits) - 1
    text = f"{digits[0]}.{digits[1:]:0<6}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    return text, (int(digits) * 10**last, 1) if last >= 0 else (int(digits), 10**-last)


def _all_digits(scaled: int, power: int, precision: int) -> str:
    digits, last = _digits(scaled, power, precision)
    count = len(digits)
    point = last + count - 1
    if last >= 0:
        if last <= 3 and count + last <= precision:
            return digits + "0" * last
    elif point >= 0:
        return f"{digits[: point + 1]}.{digits[point + 1 :]}"
    elif point >= -3:
        return f"0.{'0' * (-point - 1)}{digits}"
    return f"{digits[0]}.{digits[1:] or '0'}E{'-' if point < 0 else '+'}{abs(point)}"


def _digits(scaled: int, power: int, precision: int) -> tuple[str, int]:
    """At most ``precision`` significant decimal digits of ``scaled * 10**power`` and the power of ten of the last one.

    Digits far beyond the precision are cut off before the last one is rounded half up, as in LLVM.
    """
    wanted_bits = (precision * 196 + 58) // 59
    excess = (scaled.bit_length() - wanted_bits) * 59 // 196
    if excess > 0:
        scaled //= 10**excess
        power += excess
    digits = str(scaled)
    if len(digits) > precision + digits.count("0", len(digits.rstrip("0"))):
        power += len(digits) - precision
        round_up = digits[precision] >= "5"
        digits = str(int(digits[:precision]) + round_up)
    stripped = digits.rstrip("0")
    return stripped, power + len(digits) - len(stripped)


def _decoded(form: FloatFormat, bits: int) -> tuple[bool, str, int, int]:
    """(negative, ``"finite"``, ``"infinity"`` or ``"nan"``, significand, exponent): the value is significand *
    2**exponent, with an odd significand or 0."""
    negative = form.signed and bool(bits >> (form.width - 1))
    fraction_bits = form.mantissa + form.explicit
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = (bits >> fraction_bits) & ((1 << form.exponent) - 1)
    highest = (1 << form.exponent) - 1
    if form.special == "ieee" and exponent == highest:
        payload = fraction & ((1 << form.mantissa) - 1)
        return negative, "nan" if payload else "infinity", 0, 0
    if form.special == "nan" and exponent == highest and fraction == (1 << fraction_bits) - 1:
        return negative, "nan", 0, 0
    if form.special == "unsigned zero" and bits == 1 << (form.width - 1):
        return negative, "nan", 0, 0
    if not form.explicit and (exponent or not form.zero):
        fraction |= 1 << form.mantissa
    power = max(exponent, int(form.zero)) - form.bias - form.mantissa
    if not fraction:
        return negative, "finite", 0, 0
    zeros = (fraction & -fraction).bit_length() - 1
    return negative, "finite", fraction >> zeros, power + zeros


def _rounded_short(form: FloatFormat, negative: bool, magnitude: float) -> int:
    """As ``_rounded`` for a format that is much shorter than ``f64``, whose arithmetic is exact then."""
    exponent = max(math.frexp(magnitude)[1] - 1, form.lowest_exponent)
    significand = round(math.ldexp(magnitude, form.mantissa - exponent))
    if significand >> (form.mantissa + 1):
        significand >>= 1
        exponent += 1
    return _packed(form, negative, significand, exponent)


def _rounded(form: FloatFormat, negative: bool, numerator: int, denominator: int) -> int:
    """The bit pattern nearest to ``numerator / denominator``, ties to even."""
    if not numerator:
        return _packed(form, negative, 0, form.lowest_exponent)
    # The exponent of the leading bit, then the spacing of the numbers around.
    exponent = numerator.bit_length() - denominator.bit_length()
    if exponent >= 0:
        exponent -= numerator < denominator << exponent
    else:
        exponent -= numerator << -exponent < denominator
    exponent = max(exponent, form.lowest_exponent)
    shift = form.mantissa - exponent
    scaled, unit = (numerator << shift, denominator) if shift >= 0 else (numerator, denominator << -shift)
    significand, rest = divmod(scaled, unit)
    significand += 2 * rest > unit or (2 * rest == unit and significand & 1)
    if significand >> (form.mantissa + 1):
        significand >>= 1
        exponent += 1
    return _packed(form, negative, significand, exponent)


def _packed(form: FloatFormat, negative: bool, significand: int, exponent: int) -> int:
    sign = int(negative) << (form.width - 1) if form.signed else 0
    leading = significand >> form.mantissa
    if not leading and not form.zero:
        return 0
    if not significand:
        return 0 if form.special == "unsigned zero" else sign
    field = exponent + form.bias if leading else 0
    fraction = significand if form.explicit else significand & ((1 << form.mantissa) - 1)
    all_ones = fraction == (1 << form.mantissa) - 1
    if field > form.largest_exponent or (form.special == "nan" and field == form.largest_exponent and all_ones):
        return _overflow(form, negative)
    return sign | field << (form.mantissa + form.explicit) | fraction


def _overflow(form: FloatFormat, negative: bool) -> int:
    sign = int(negative) << (form.width - 1) if form.signed else 0
    if form.special == "unsigned zero":
        return 1 << (form.width - 1)
    if form.special in ("nan", "finite"):
        return sign | ((1 << (form.exponent + form.mantissa)) - 1)
    leading = form.explicit << form.mantissa
    return sign | ((1 << form.exponent) - 1) << (form.mantissa + form.explicit) | leading
