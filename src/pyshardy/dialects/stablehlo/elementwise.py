"""The rows of elementwise operations.

A row has the form, the types, and traits: commutative, linear in partial sums, expensive. The verifier, the sharding
rule (``rules.pointwise``) and the partitioning of an operation follow from its row; its evaluator is in
``interpreter.operations``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyshardy.dialects.assembly import Assembly
from pyshardy.dialects.stablehlo.row import Rules, family, row
from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.rules import binary, unary
from pyshardy.ir.opdef import COMMUTATIVE, DATA_MOVEMENT, ELEMENTWISE, EXPENSIVE, LINEAR, NO_SHARDING_RULE, PURE, OpDef

_FORMS = (Assembly("%0 {} : same-type"), Assembly("%0, %1 {} : same-type"), Assembly("%0, %1, %2 {} : same-type"))
_IN_FILE = "elementwise"
"""Rules that no other operation has: in ``verification.elementwise``."""


def _each(names: str, operands: int, rules: Rules, traits: int = 0, *, optional: str = "") -> Iterable[OpDef]:
    form = _FORMS[operands - 1]
    traits |= PURE | ELEMENTWISE
    return [row(name, form, operands, optional=optional, traits=traits, rules=rules) for name in names.split()]


ROWS: Sequence[OpDef] = [
    *_each(
        "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh",
        1,
        unary(kinds.FLOATS_OR_COMPLEX),
        EXPENSIVE,
        optional="result_accuracy",
    ),
    *_each("ceil floor round_nearest_afz round_nearest_even", 1, unary(kinds.FLOATS)),
    *_each("count_leading_zeros popcnt", 1, unary(kinds.INTEGERS)),
    *_each("not", 1, unary(kinds.INTEGERS_OR_BOOLS)),
    *_each("negate", 1, unary(kinds.NUMBERS), LINEAR),
    *_each("sign", 1, unary(kinds.SIGNED_NUMBERS)),
    *_each("abs convert imag is_finite real", 1, _IN_FILE),
    *_each("uniform_dequantize uniform_quantize", 1, _IN_FILE, NO_SHARDING_RULE),
    *_each("add", 2, _IN_FILE, COMMUTATIVE | LINEAR),
    *_each("subtract", 2, binary(kinds.NUMBERS), LINEAR),
    *_each("maximum minimum multiply", 2, binary(kinds.TENSOR), COMMUTATIVE),
    *_each("divide power remainder", 2, binary(kinds.NUMBERS), EXPENSIVE),
    *_each("atan2", 2, binary(kinds.FLOATS_OR_COMPLEX), EXPENSIVE),
    *_each("and or xor", 2, binary(kinds.INTEGERS_OR_BOOLS, kinds.TENSOR), COMMUTATIVE),
    *_each("shift_left shift_right_arithmetic shift_right_logical", 2, binary(kinds.INTEGERS)),
    *_each("clamp", 3, _IN_FILE),
    *family(
        _IN_FILE,
        row(
            "compare",
            "<comparison_direction:comparison_direction>, %0, %1(?, <compare_type:comparison_type>?) {} "
            ": functional-type",
            2,
            required="comparison_direction",
            optional="compare_type",
            traits=PURE | ELEMENTWISE,
        ),
        row("complex", "%0, %1 {} : complex-type", 2, traits=PURE | ELEMENTWISE),
        row(
            "reduce_precision",
            "%0, format = <format> {} : same-type",
            required="exponent_bits mantissa_bits",
            traits=PURE | ELEMENTWISE,
        ),
        row("select", "%0, %1, %2 {} : select-types", 3, traits=PURE | ELEMENTWISE | DATA_MOVEMENT),
    ),
]
