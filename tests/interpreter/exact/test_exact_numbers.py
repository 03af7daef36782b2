"""Exact evaluation: equal over the reals is equal, else not, and decisions are those of the program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.interpreter.exact import algebra, numbers, residues
from pyshardy.interpreter.exact.numbers import ExactArray
from pyshardy.interpreter.number_systems import DOUBLES, EXACT
from pyshardy.interpreter.run import run


def _exact(values: Any) -> Any:
    return numbers.from_doubles(np.array(values, np.float64))


def _random(*shape: int, seed: int = 0) -> Any:
    return _exact(np.random.default_rng(seed).uniform(-1, 1, shape))


def _run(body: str, arguments: str, results: str, *inputs: Any) -> list[Any]:
    module = parse(f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}")
    return run(module, list(inputs), numbers=EXACT)


# --- residues -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1,), (64,), (65,), (7, 31)])
def test_a_number_times_its_inverse_is_one(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(0).integers(1, residues.PRIME // 2, shape).astype(np.float64)
    assert (residues.multiply(values, residues.inverse(values)) == 1).all()


def test_the_inverse_of_zero_is_zero() -> None:
    assert residues.inverse(np.array([0.0, 2.0]))[0] == 0


@pytest.mark.parametrize("value", [2.0**1000, 2.0**-1074, -0.1, 1e300, 3.5])
def test_a_double_is_what_its_bits_say(value: float) -> None:
    mantissa, power = value.as_integer_ratio()
    expected = mantissa * pow(power, -1, residues.PRIME) % residues.PRIME
    assert residues.of_floats(np.array([value]))[0] % residues.PRIME == expected


def test_residues_are_between_minus_half_and_half_of_the_prime_even_of_large_numbers() -> None:
    large = np.random.default_rng(0).integers(-(2**53), 2**53, 100000).astype(np.float64)
    found = residues.reduced_large(large.copy())
    assert np.abs(found).max() <= residues.PRIME // 2
    assert ((large.astype(np.int64) - found.astype(np.int64)) % residues.PRIME == 0).all()


def test_functions_are_fixed_and_have_no_pattern() -> None:
    places = np.arange(100000, dtype=np.float64)
    found = residues.image("f", places)
    assert (found == residues.image("f", places)).all()
    assert len(np.unique(found)) > 98000
    assert (found != residues.image("g", places)).sum() > 99990
    assert abs(found.mean()) < residues.PRIME / 200


# --- sums and products ------------------------------------------------------------------------------------------------


def test_no_order_of_a_sum_matters() -> None:
    values = _random(1000)
    order = np.random.default_rng(1).permutation(1000)
    first, second = algebra.total(values, 0), algebra.total(values[order], 0)
    assert numbers.identical(first, second).all()


def test_the_distributive_law_holds() -> None:
    a, b, c = (_random(50, seed=seed) for seed in range(3))
    left = algebra.times(a, algebra.plus(b, c))
    right = algebra.plus(algebra.times(a, b), algebra.times(a, c))
    assert numbers.identical(left, right).all()


def test_a_quotient_times_its_divisor_is_the_dividend() -> None:
    a, b = _random(500), _random(500, seed=1)
    assert numbers.identical(algebra.times(algebra.over(a, b), b), a).all()


def test_what_rounding_leaves_of_a_zero_is_zero() -> None:
    values = _random(300)
    rest = algebra.minus(algebra.total(values[None], 1), algebra.total(values[None, ::-1], 1))
    assert rest.value == 0
    assert rest.residue == 0


def test_complex_numbers_multiply_like_matrices_of_reals() -> None:
    generator = np.random.default_rng(0)
    a, b = (numbers.from_doubles(generator.normal(size=40) + 1j * generator.normal(size=40)) for _ in range(2))
    product = algebra.times(a, b)
    real = algebra.minus(
        algebra.times(numbers.real_part(a), numbers.real_part(b)),
        algebra.times(numbers.imaginary_part(a), numbers.imaginary_part(b)),
    )
    assert numbers.identical(numbers.real_part(product), real).all()
    assert numbers.identical(algebra.times(algebra.over(a, b), b), a).all()


@pytest.mark.parametrize("inner", [3, 2048, 2049, 5000])
def test_products_of_matrices_are_exact_however_long_the_sums_are(inner: int) -> None:
    a, b = _random(1, 4, inner), _random(1, inner, 3, seed=1)
    (found,) = _run(
        f"%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]"
        f" : (tensor<4x{inner}xf32>, tensor<{inner}x3xf32>) -> tensor<4x3xf32>\nreturn %0 : tensor<4x3xf32>",
        f"%a: tensor<4x{inner}xf32>, %b: tensor<{inner}x3xf32>",
        "tensor<4x3xf32>",
        a[0],
        b[0],
    )
    terms = algebra.times(a[0][:, :, None], b[0][None])
    assert numbers.identical(found, algebra.total(terms, 1)).all()
    assert np.allclose(found.value, a[0].value @ b[0].value)


# --- order and decisions ----------------------------------------------------------------------------------------------


def test_numbers_that_are_equal_in_another_order_of_summation_are_not_less() -> None:
    values = _random(200)
    one, other = algebra.total(values, 0), algebra.total(values[::-1], 0)
    assert not numbers.less(one, other)
    assert not numbers.less(other, one)
    assert numbers.equal(one, other)


def test_order_is_that_of_the_doubles() -> None:
    values = np.array([3.0, -np.inf, 0.5, np.inf, -2.0, 1e-30])
    keys = numbers.order_keys(_exact(values))
    assert np.argsort(keys).tolist() == np.argsort(values).tolist()


def test_the_larger_of_a_number_and_nan_is_nan() -> None:
    found = numbers.larger(_exact([1.0, np.nan, 2.0]), _exact([np.nan, 1.0, 5.0]))
    assert np.isnan(found.value).tolist() == [True, True, False]


_SOFTMAX = """
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %masked = stablehlo.constant dense<MASK> : tensor<2x6xf32>
  %places = stablehlo.iota dim = 1 : tensor<2x6xi32>
  %length = stablehlo.constant dense<4> : tensor<2x6xi32>
  %mask = stablehlo.compare LT, %places, %length : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
  %0 = stablehlo.select %mask, %a, %masked : tensor<2x6xi1>, tensor<2x6xf32>
  %1 = stablehlo.reduce(%0 init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<2xf32>) -> tensor<2x6xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<2x6xf32>
  %4 = stablehlo.exponential %3 : tensor<2x6xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<2xf32>) -> tensor<2x6xf32>
  %7 = stablehlo.divide %4, %6 : tensor<2x6xf32>
  %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
  return %7, %8 : tensor<2x6xf32>, tensor<2xf32>"""


@pytest.mark.parametrize("mask", ["0xFF800000", "-1.0e+30"])
def test_a_masked_softmax_adds_up_to_exactly_one_and_masked_places_count_for_nothing(mask: str) -> None:
    shares, totals = _run(
        _SOFTMAX.replace("MASK", mask), "%a: tensor<2x6xf32>", "tensor<2x6xf32>, tensor<2xf32>", _random(2, 6)
    )
    assert (totals.residue == 1).all()
    assert (shares.value[:, 4:] == 0).all()
    if mask == "0xFF800000":
        assert (shares.residue[:, 4:] == 0).all()


def test_dropout_keeps_what_its_threshold_says() -> None:
    body = """
      %shift = stablehlo.constant dense<9> : tensor<1000xui32>
      %one = stablehlo.constant dense<1065353216> : tensor<1000xui32>
      %unit = stablehlo.constant dense<1.0> : tensor<1000xf32>
      %rate = stablehlo.constant dense<0.9> : tensor<1000xf32>
      %0 = stablehlo.shift_right_logical %bits, %shift : tensor<1000xui32>
      %1 = stablehlo.or %0, %one : tensor<1000xui32>
      %2 = stablehlo.bitcast_convert %1 : (tensor<1000xui32>) -> tensor<1000xf32>
      %3 = stablehlo.subtract %2, %unit : tensor<1000xf32>
      %4 = stablehlo.compare LT, %3, %rate : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xi1>
      return %4 : tensor<1000xi1>"""
    bits = np.random.default_rng(0).integers(0, 2**32, 1000, np.uint32)
    (kept,) = _run(body, "%bits: tensor<1000xui32>", "tensor<1000xi1>", bits)
    assert 860 < kept.sum() < 940


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("floor", [2.0, -3.0, 3.0]),
        ("ceil", [3.0, -2.0, 3.0]),
        ("round_nearest_even", [2.0, -2.0, 3.0]),
        ("round_nearest_afz", [2.0, -2.0, 3.0]),
    ],
)
def test_rounding_to_integers_goes_by_the_number_and_keeps_integers(operation: str, expected: list[float]) -> None:
    # Three times a third is 3, however its double came out.
    given = algebra.times(algebra.over(_exact([7.0, -7.0, 9.0]), _exact([3.0, 3.0, 9.0])), _exact([1.0, 1.0, 3.0]))
    given = ExactArray(np.nextafter(given.value, 0), given.residue)
    body = f"%0 = stablehlo.{operation} %a : tensor<3xf32>\nreturn %0 : tensor<3xf32>"
    (found,) = _run(body, "%a: tensor<3xf32>", "tensor<3xf32>", given)
    assert found.value.tolist() == expected
    assert found.residue.tolist() == expected


@pytest.mark.parametrize(
    ("operation", "argument", "expected"),
    [
        ("exponential", -np.inf, 0.0),
        ("exponential", 0.0, 1.0),
        ("logistic", -np.inf, 0.0),
        ("logistic", np.inf, 1.0),
        ("tanh", np.inf, 1.0),
        ("tanh", 0.0, 0.0),
        ("sqrt", 0.0, 0.0),
        ("rsqrt", np.inf, 0.0),
        ("log", 1.0, 0.0),
        ("log_plus_one", 0.0, 0.0),
        ("exponential_minus_one", 0.0, 0.0),
    ],
)
def test_functions_are_exact_at_their_exact_points(operation: str, argument: float, expected: float) -> None:
    body = f"%0 = stablehlo.{operation} %a : tensor<1xf32>\nreturn %0 : tensor<1xf32>"
    (found,) = _run(body, "%a: tensor<1xf32>", "tensor<1xf32>", _exact([argument]))
    assert (found.value[0], found.residue[0]) == (expected, expected)


def test_a_reciprocal_root_is_the_reciprocal_of_the_root() -> None:
    body = """
      %0 = stablehlo.rsqrt %a : tensor<9xf32>
      %1 = stablehlo.sqrt %a : tensor<9xf32>
      %2 = stablehlo.multiply %0, %1 : tensor<9xf32>
      return %2 : tensor<9xf32>"""
    (found,) = _run(body, "%a: tensor<9xf32>", "tensor<9xf32>", _exact(np.arange(2.0, 11.0)))
    assert (found.residue == 1).all()


def test_a_square_is_a_product_and_half_a_power_a_root() -> None:
    body = """
      %two = stablehlo.constant dense<2.0> : tensor<9xf32>
      %half = stablehlo.constant dense<0.5> : tensor<9xf32>
      %0 = stablehlo.power %a, %two : tensor<9xf32>
      %1 = stablehlo.multiply %a, %a : tensor<9xf32>
      %2 = stablehlo.power %a, %half : tensor<9xf32>
      %3 = stablehlo.sqrt %a : tensor<9xf32>
      return %0, %1, %2, %3 : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>"""
    types = ", ".join(["tensor<9xf32>"] * 4)
    square, product, power, root = _run(body, "%a: tensor<9xf32>", types, _exact(np.arange(2.0, 11.0)))
    assert numbers.identical(square, product).all()
    assert numbers.identical(power, root).all()


def test_a_triangular_system_is_solved_exactly() -> None:
    body = """
      %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
          transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0]
          : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      return %1 : tensor<4x2xf32>"""
    lower = _exact(np.tril(np.random.default_rng(0).uniform(0.5, 1.5, (4, 4))))
    target = _random(4, 2)
    (found,) = _run(body, "%a: tensor<4x4xf32>, %b: tensor<4x2xf32>", "tensor<4x2xf32>", lower, target)
    assert numbers.identical(found, target).all()


def test_a_decomposition_depends_on_every_number_of_its_matrix() -> None:
    body = "%0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>\nreturn %0 : tensor<3x3xf32>"
    matrix = np.eye(3) * 4 + 1
    (first,) = _run(body, "%a: tensor<3x3xf32>", "tensor<3x3xf32>", _exact(matrix))
    other = matrix.copy()
    other[2, 1] += 1e-12
    (second,) = _run(body, "%a: tensor<3x3xf32>", "tensor<3x3xf32>", _exact(other))
    upper = matrix.copy()
    upper[0, 2] = 17.0
    (third,) = _run(body, "%a: tensor<3x3xf32>", "tensor<3x3xf32>", _exact(upper))
    assert not numbers.identical(first, second)[np.tri(3, dtype=bool)].any()
    assert numbers.identical(first, third).all()
    assert (first.residue[~np.tri(3, dtype=bool)] == 0).all()


def test_the_bits_of_a_number_are_those_of_the_type_that_the_program_says() -> None:
    body = """
      %0 = stablehlo.bitcast_convert %a : (tensor<3xbf16>) -> tensor<3x2xi8>
      return %0 : tensor<3x2xi8>"""
    module = parse(f"func.func @main(%a: tensor<3xbf16>) -> tensor<3x2xi8> {{\n{body}\n}}")
    values = np.array([1.0, -2.0, 0.5])
    expected = [[-128, 63], [0, -64], [0, 63]]
    for system in (EXACT, DOUBLES):
        (found,) = run(module, [system.constant(values)], numbers=system)
        assert found.tolist() == expected


def test_a_sort_of_numbers_that_compare_with_nothing_is_still_an_order_of_them() -> None:
    body = """
      %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      }) : (tensor<12xf32>) -> tensor<12xf32>
      return %0 : tensor<12xf32>"""
    values = np.where(np.arange(12) % 3, np.arange(12.0)[::-1], np.nan)
    (found,) = _run(body, "%a: tensor<12xf32>", "tensor<12xf32>", _exact(values))
    known = set(values[~np.isnan(values)])
    assert set(found.value[~np.isnan(found.value)]) <= known
