"""Every elementwise operation on every kind of element, against XLA."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from pyshardy import parse
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array, bit_width, numpy_type
from pyshardy.ir.types import FloatType, IntegerType
from tests.interpreter.compiled import assert_close, assert_like_compiled, compiled

REAL = ("f32", "f64", "f16", "bf16")
COMPLEX = ("complex<f32>", "complex<f64>")
SIGNED = ("i8", "i16", "i32", "i64", "i4")
UNSIGNED = ("ui8", "ui16", "ui32", "ui64", "ui4")
INTEGER = SIGNED + UNSIGNED
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e-6, 3e4]


def dtype_of(element: str) -> np.dtype[np.generic]:
    if element.startswith("complex"):
        return np.dtype(np.complex64 if "f32" in element else np.complex128)
    if element.lstrip("u").startswith("i"):
        signedness = "u" if element.startswith("u") else ""
        return numpy_type(IntegerType(int(element.lstrip("ui")), signedness))
    return numpy_type(FloatType(element))


def values(element: str, seed: int, *, special: bool = True, positive: bool = False) -> Array:
    """24 values: some that make trouble, the others moderate."""
    rng = np.random.default_rng(seed)
    if element == "i1":
        return rng.integers(0, 2, 24).astype(np.bool_)
    dtype = dtype_of(element)
    if element.startswith("complex"):
        return (rng.normal(size=24) + 1j * rng.normal(size=24)).astype(dtype)
    if element in INTEGER:
        width = bit_width(dtype)
        low, high = (0, 2**width - 1) if element[0] == "u" else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
        edges = [0, 1, low, high, high - 1, low + 1, 3, 2]
        rest = rng.integers(max(low, -9), min(high, 9), 16, endpoint=True)
        return (
            np.array([*edges, *map(int, rest)], dtype=object).astype(np.uint64 if low == 0 else np.int64).astype(dtype)
        )
    numbers = rng.normal(size=24) * 3
    if positive:
        numbers = np.abs(numbers) + 0.01
    elif special:
        numbers[: len(SPECIAL)] = rng.permutation(SPECIAL)
    return numbers.astype(dtype)


def program(operation: str, operands: list[str], result: str) -> str:
    arguments = ", ".join(f"%a{n}: tensor<24x{element}>" for n, element in enumerate(operands))
    names = ", ".join(f"%a{n}" for n in range(len(operands)))
    types = ", ".join(f"tensor<24x{element}>" for element in operands)
    return f"""func.func @main({arguments}) -> tensor<24x{result}> {{
      %0 = "stablehlo.{operation}"({names}) : ({types}) -> tensor<24x{result}>
      return %0 : tensor<24x{result}>
    }}"""


def programs(operation: str, operands: list[list[str]], results: list[str]) -> str:
    """The operation once for each list of element types of its operands, in one program."""
    arguments, lines, names, types = [], [], [], []
    for number, (elements, result) in enumerate(zip(operands, results, strict=True)):
        own = [f"%a{number}_{place}" for place in range(len(elements))]
        arguments += [f"{name}: tensor<24x{element}>" for name, element in zip(own, elements, strict=True)]
        inputs = ", ".join(f"tensor<24x{element}>" for element in elements)
        lines.append(f'%{number} = "stablehlo.{operation}"({", ".join(own)}) : ({inputs}) -> tensor<24x{result}>')
        names.append(f"%{number}")
        types.append(f"tensor<24x{result}>")
    body = "\n  ".join(lines)
    listed = ", ".join(types)
    head = f"func.func @main({', '.join(arguments)}) -> ({listed})"
    return f"{head} {{\n  {body}\n  return {', '.join(names)} : {listed}\n}}"


UNARY: list[tuple[str, tuple[str, ...]]] = [
    ("abs", REAL + SIGNED),
    ("cbrt", REAL),
    ("ceil", REAL),
    ("cosine", REAL + COMPLEX),
    ("count_leading_zeros", INTEGER),
    ("exponential", REAL + COMPLEX),
    ("exponential_minus_one", REAL + COMPLEX),
    ("floor", REAL),
    ("log", REAL + COMPLEX),
    ("log_plus_one", REAL + COMPLEX),
    ("logistic", REAL + COMPLEX),
    ("negate", REAL + INTEGER + COMPLEX),
    ("not", (*INTEGER, "i1")),
    # XLA counts the bits of the byte that holds an i4, sign included.
    ("popcnt", tuple(e for e in INTEGER if e != "i4")),
    ("round_nearest_afz", REAL),
    ("round_nearest_even", REAL),
    ("rsqrt", REAL + COMPLEX),
    ("sign", REAL + SIGNED + COMPLEX),
    ("sine", REAL + COMPLEX),
    ("sqrt", REAL + COMPLEX),
    ("tan", REAL + COMPLEX),
    ("tanh", REAL + COMPLEX),
]


@pytest.mark.slow
@pytest.mark.parametrize(("operation", "elements"), UNARY)
def test_unary(operation: str, elements: tuple[str, ...]) -> None:
    text = programs(operation, [[element] for element in elements], list(elements))
    # XLA's cosine and tangent of infinity and large numbers are NaN and exact as ours; its short logistic is coarser.
    assert_like_compiled(text, [values(element, 1) for element in elements], ulps=8)


BINARY: list[tuple[str, tuple[str, ...]]] = [
    ("add", (*REAL, *INTEGER, *COMPLEX, "i1")),
    ("and", (*INTEGER, "i1")),
    ("divide", REAL + INTEGER + COMPLEX),
    ("maximum", (*REAL, *INTEGER, "i1")),
    ("minimum", (*REAL, *INTEGER, "i1")),
    ("multiply", (*REAL, *INTEGER, *COMPLEX, "i1")),
    ("or", (*INTEGER, "i1")),
    ("remainder", REAL + INTEGER),
    ("shift_left", INTEGER),
    ("shift_right_arithmetic", INTEGER),
    ("shift_right_logical", INTEGER),
    ("subtract", REAL + INTEGER + COMPLEX),
    ("xor", (*INTEGER, "i1")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("operation", "elements"), BINARY)
def test_binary(operation: str, elements: tuple[str, ...]) -> None:
    text = programs(operation, [[element, element] for element in elements], list(elements))
    assert_like_compiled(text, [values(element, seed) for element in elements for seed in (1, 2)], ulps=8)


@pytest.mark.parametrize("element", REAL)
def test_atan2_and_power(element: str) -> None:
    x, y = values(element, 1, special=False), values(element, 2, special=False)
    assert_like_compiled(program("atan2", [element, element], element), [x, y])
    positive = values(element, 3, positive=True)
    assert_like_compiled(program("power", [element, element], element), [positive, y], ulps=64)


@pytest.mark.parametrize("element", [e for e in INTEGER if e not in ("i4", "ui4")])
def test_power_of_integers(element: str) -> None:
    base = values(element, 1)
    exponent = np.abs(values(element, 2).astype(np.int64) % 7).astype(base.dtype)
    assert_like_compiled(program("power", [element, element], element), [base, exponent])


def test_integers_to_negative_powers_are_zero_unless_the_base_is_one_or_minus_one() -> None:
    base, exponent = np.array([2, 1, -1, -1, 0, -2] * 4, np.int32), np.array([-1, -5, -2, -3, -1, -1] * 4, np.int32)
    (result,) = run(parse(program("power", ["i32", "i32"], "i32")), [base, exponent])
    assert result[:6].tolist() == [0, 1, 1, -1, 0, 0]


@pytest.mark.parametrize("element", COMPLEX)
def test_parts_of_complex_numbers(element: str) -> None:
    part = element[8:-1]
    x = values(element, 1)
    for operation in ("real", "imag", "abs"):
        assert_like_compiled(program(operation, [element], part), [x])
    assert_like_compiled(program("complex", [part, part], element), [x.real.copy(), x.imag.copy()])


def test_bits_of_short_integers_are_only_their_own() -> None:
    x = np.array([-1, 7, 0, 1] * 6, ml_dtypes.int4)
    (ones,) = run(parse(program("popcnt", ["i4"], "i4")), [x])
    (zeros,) = run(parse(program("count_leading_zeros", ["i4"], "i4")), [x])
    assert ones[:4].astype(int).tolist() == [4, 3, 0, 1]
    assert zeros[:4].astype(int).tolist() == [0, 1, 4, 3]


@pytest.mark.parametrize("element", REAL)
def test_is_finite(element: str) -> None:
    assert_like_compiled(program("is_finite", [element], "i1"), [values(element, 1)])


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["EQ", "NE", "LT", "LE", "GT", "GE"])
@pytest.mark.parametrize(
    ("element", "kind"),
    [("f32", "FLOAT"), ("f32", "TOTALORDER"), ("bf16", "TOTALORDER"), ("i8", "SIGNED"), ("ui8", "UNSIGNED")],
)
def test_compare(direction: str, element: str, kind: str) -> None:
    a, b = values(element, 1), values(element, 2)
    text = f"""func.func @main(%a: tensor<24x{element}>, %b: tensor<24x{element}>) -> tensor<24xi1> {{
      %0 = stablehlo.compare {direction}, %a, %b, {kind} : (tensor<24x{element}>, tensor<24x{element}>) -> tensor<24xi1>
      return %0 : tensor<24xi1>
    }}"""
    assert_like_compiled(text, [np.r_[a[:12], b[:12]], np.r_[b[:12], b[:12]]])


def test_select_and_clamp_take_scalars_for_whole_tensors() -> None:
    text = """func.func @main(
        %p: tensor<i1>, %q: tensor<24xi1>, %a: tensor<24xf32>, %b: tensor<24xf32>, %low: tensor<f32>
    ) -> (tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) {
      %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<24xf32>
      %1 = stablehlo.select %q, %a, %b : tensor<24xi1>, tensor<24xf32>
      %high = stablehlo.constant dense<1.0> : tensor<f32>
      %2 = stablehlo.clamp %low, %a, %high : (tensor<f32>, tensor<24xf32>, tensor<f32>) -> tensor<24xf32>
      %3 = stablehlo.clamp %b, %a, %a : tensor<24xf32>
      return %0, %1, %2, %3 : tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>
    }"""
    a, b = values("f32", 1, special=False), values("f32", 2, special=False)
    assert_like_compiled(text, [np.array(False), values("i1", 3), a, b, np.array(-1, np.float32)])


WIDE = (*REAL, *INTEGER, "i1", *COMPLEX)
SHORT = ("f8E4M3FN", "f8E5M2", "f8E4M3B11FNUZ")


@pytest.mark.slow
@pytest.mark.parametrize("source", ["f32", "bf16", "i32", "ui8", "i4", "i1", "complex<f32>", "f8E4M3FN"])
def test_convert(source: str) -> None:
    x = values("f32", 1).astype(dtype_of(source)) if source.startswith("f8") else values(source, 1)
    assert_like_compiled(programs("convert", [[source]] * len(WIDE), list(WIDE)), [x] * len(WIDE), ulps=0)
    # What is beyond the largest number of a short float is not defined.
    small = np.where(np.isfinite(y := x.astype(np.complex64).real) & (np.abs(y) < 20), x, np.ones_like(x))
    assert_like_compiled(programs("convert", [[source]] * len(SHORT), list(SHORT)), [small] * len(SHORT), ulps=0)


@pytest.mark.parametrize(("source", "target"), [("f32", "i32"), ("f64", "i64"), ("f32", "ui8"), ("f16", "i16")])
def test_floats_beyond_the_range_become_the_ends_of_it(source: str, target: str) -> None:
    numbers = [np.nan, np.inf, -np.inf, 6e4, -6e4, 2.0**31, 2.0**63, -(2.0**31)]
    with np.errstate(over="ignore"):
        x = np.array(numbers * 3).astype(dtype_of(source))
    assert_like_compiled(program("convert", [source], target), [x])


@pytest.mark.parametrize(
    ("source", "target"),
    [("24xf32", "24xi32"), ("24xf32", "24x4xi8"), ("6x4xi8", "6xf32"), ("24xbf16", "24xui16"), ("24xf64", "24x2xf32")],
)
def test_bitcast_convert(source: str, target: str) -> None:
    text = f"""func.func @main(%a: tensor<{source}>) -> tensor<{target}> {{
      %0 = stablehlo.bitcast_convert %a : (tensor<{source}>) -> tensor<{target}>
      return %0 : tensor<{target}>
    }}"""
    element = source.rpartition("x")[2]
    shape = [int(size) for size in source.split("x")[:-1]]
    assert_like_compiled(text, [values(element, 1, special=False).reshape(shape)], ulps=0)


def test_bitcasts_of_short_integers_pack_and_unpack_the_low_bits_first() -> None:
    text = """func.func @main(%a: tensor<2xui8>) -> (tensor<2x2xi4>, tensor<2xui8>) {
      %0 = stablehlo.bitcast_convert %a : (tensor<2xui8>) -> tensor<2x2xi4>
      %1 = stablehlo.bitcast_convert %0 : (tensor<2x2xi4>) -> tensor<2xui8>
      return %0, %1 : tensor<2x2xi4>, tensor<2xui8>
    }"""
    halves, whole = run(parse(text), [np.array([0x1F, 0x72], np.uint8)])
    assert halves.astype(int).tolist() == [[-1, 1], [2, 7]]
    assert whole.tolist() == [0x1F, 0x72]


@pytest.mark.parametrize(("exponent", "mantissa"), [(5, 10), (8, 7), (4, 3), (5, 0), (8, 23), (11, 52)])
@pytest.mark.parametrize("element", ["f32", "f64", "bf16"])
def test_reduce_precision(element: str, exponent: int, mantissa: int) -> None:
    x = np.r_[values(element, 1)[:14], np.logspace(-9, 9, 10).astype(dtype_of(element))]
    if not mantissa:  # XLA keeps NaN, StableHLO does not
        x = np.where(np.isnan(x), 1, x).astype(x.dtype)
    text = f"""func.func @main(%a: tensor<24x{element}>) -> tensor<24x{element}> {{
      %0 = stablehlo.reduce_precision %a, format = e{exponent}m{mantissa} : tensor<24x{element}>
      return %0 : tensor<24x{element}>
    }}"""
    assert_like_compiled(text, [x], ulps=0)


def test_small_floats_follow_their_own_rounding() -> None:
    x = values("f32", 1, special=False).astype(ml_dtypes.float8_e4m3fn)
    assert_like_compiled(program("multiply", ["f8E4M3FN", "f8E4M3FN"], "f8E4M3FN"), [x, x], ulps=1)


def test_the_judge_itself_tells_numbers_apart() -> None:
    with pytest.raises(AssertionError):
        assert_close(np.array([1.0], np.float32), np.array([1.01], np.float32), 4, "")
    (negated,) = compiled(program("negate", ["f32"], "f32"), [np.ones(24, np.float32)])
    assert negated.tolist() == [-1.0] * 24
