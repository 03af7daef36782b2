"""How long operations take on units for matrices and vectors: tiles, waves, first tiles, functions, launches."""

from __future__ import annotations

import pytest

from pyshardy import hardware, parse, partition
from pyshardy.analysis.cost.flops import Product
from pyshardy.analysis.cost.hardware import Chip, MatrixUnits, VectorUnits
from pyshardy.analysis.cost.kernels import efficiency, kernel_time
from pyshardy.analysis.cost.operations import Work
from pyshardy.ir.types import FloatType

BF16, F32 = FloatType("bf16"), FloatType("f32")
SYSTOLIC = MatrixUnits((8, 128, 128))
MANY = MatrixUnits((128, 64, 128), 132)


@pytest.mark.parametrize(
    "product, units, wanted",
    [
        (Product(1, 1024, 1024, 1024), SYSTOLIC, 1.0),
        (Product(1, 1024, 64, 1024), SYSTOLIC, 64 / 128),
        (Product(1, 1024, 128, 130), SYSTOLIC, 1.0 * 130 / 136),
        (Product(1, 3, 128, 3), SYSTOLIC, 3 / 8 * 3 / 128),
        # 11 x 12 tiles are one wave; one tile more needs a second one for itself.
        (Product(1, 128 * 11, 4096, 128 * 12), MANY, 1.0),
        (Product(1, 128 * 133, 4096, 128), MANY, 133 / 264),
        (Product(7, 128 * 19, 4096, 128), MANY, 133 / 264),
        # One tile: the contracted dimension, 64 times 64, is split among 64 units.
        (Product(1, 128, 4096, 128), MANY, 64 / 132),
        # 100 tiles leave no second unit for each.
        (Product(1, 1280, 4096, 1280), MANY, 100 / 132),
        # 40 tiles with 3 units each, of which one has the 2 of 5 parts that are left.
        (Product(1, 640, 64 * 5, 1024), MANY, 120 / 132 * 5 / 6),
    ],
)
def test_what_a_product_makes_of_its_units(product: Product, units: MatrixUnits, wanted: float) -> None:
    assert efficiency(product, units) == pytest.approx(wanted)
    turned = Product(product.batch, product.columns, product.inner, product.rows)
    assert efficiency(turned, units) == efficiency(product, units) <= 1


CHIP = Chip({"bf16": 1e12}, 1e9, 1e9, None, SYSTOLIC, VectorUnits({"f32": 1e11}, 1e10), 1e-6)


def test_a_product_waits_for_its_padding_and_its_first_tiles() -> None:
    found = kernel_time(Work(2.0 * 8 * 64 * 128, BF16, 4096.0, True, Product(1, 8, 64, 128)), CHIP)
    assert found.ideal_seconds == pytest.approx(2 * 8 * 64 * 128 / 1e12) and found.compute_seconds == pytest.approx(
        2 * found.ideal_seconds
    )
    assert found.memory_seconds == pytest.approx(4096 / 1e9)
    # More than it reads at all is not waited for.
    assert found.overhead == pytest.approx(1e-6 + 4096 / 1e9)
    large = kernel_time(Work(1e9, BF16, 1e6, True, Product(1, 512, 1024, 1024)), CHIP)
    assert large.overhead == pytest.approx(1e-6 + (8 + 128) * 128 * 2 / 1e9)


def test_what_is_no_product_runs_on_vector_units() -> None:
    assert kernel_time(Work(1e6, F32, 0.0), CHIP) == pytest.approx((1e-5, 0.0, 0.0, 2e-6))
    functions = kernel_time(Work(1e6, F32, 0.0, transcendentals=1e6), CHIP)
    assert functions.compute_seconds == pytest.approx(1e-4)
    plain = Chip({"bf16": 1e12}, 1e9, 1e9)
    assert kernel_time(Work(1e6, F32, 8.0, transcendentals=1e6), plain) == pytest.approx((2e-6, 8e-9, 0.0, 2e-6))


def test_what_shares_a_kernel_is_launched_once() -> None:
    text = """
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.exponential %a : tensor<64x64xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<64x64xf32>
  %3 = stablehlo.dot %2, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2, %3 : tensor<64x64xf32>, tensor<64x64xf32>
}"""
    tables = {"chip": {"memory": 1e9, "bandwidth": 1e12, "flops": {"f32": 1e15}}}
    plan = partition(parse(text))
    without = plan.cost(tables).compute_seconds
    tables["chip"]["launch"] = 1.0
    assert plan.cost(hardware(tables)).compute_seconds == pytest.approx(2 + without)


@pytest.mark.parametrize(
    "chip, said",
    [
        ({"matrix": {"tile": [8, 128]}}, "chip.matrix.tile has three sizes"),
        ({"matrix": {}}, "chip.matrix.tile is missing"),
        ({"matrix": {"tile": [8, 128, 0]}}, "chip.matrix.tile is a whole number, 1 or more, not 0"),
        ({"vector": {}}, "chip.vector has no rate"),
        ({"vector": {"f32": 1e12, "transcendentals": 1e9}}, "did you mean 'transcendental'?"),
        ({"launch": -1}, "chip.launch is 0 or more"),
        ({"convolution": 0}, "chip.convolution is greater than 0"),
        ({"attention": "flash"}, "chip.attention is one of written, fused, not 'flash'"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(chip: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("[", r"\[").replace("?", r"\?")):
        hardware({"chip": {"memory": 1e9, "bandwidth": 1e12, "flops": {"f32": 1e15}} | chip})
