"""CHLO's text: the canonical program comes back byte for byte, errors have MLIR's words and place."""

from __future__ import annotations

import pytest

from pyshardy.dialects.chlo import RaggedDotDimensionNumbers
from pyshardy.ir.registry import dialect
from tests.dialects.canonical import canonical, first_error, line_printed, printed, read


@pytest.mark.parametrize("source", ["chlo", "chlo.generic"])
def test_the_canonical_program_prints_pretty_as_mlir_prints_it(source: str) -> None:
    assert printed(canonical(source)) == canonical("chlo")


@pytest.mark.parametrize("source", ["chlo", "chlo.generic"])
def test_the_canonical_program_prints_generic_as_mlir_prints_it(source: str) -> None:
    assert printed(canonical(source), generic=True) == canonical("chlo.generic")


def test_the_canonical_program_has_every_operation() -> None:
    chlo = dialect("chlo")
    assert chlo is not None
    assert set(chlo.definitions) <= {op.name for op in read(canonical("chlo")).walk()}


def test_a_scan_counts_its_inputs_and_carries() -> None:
    written = (
        "%0:2 = chlo.scan(%a) inits (%v) dimension=0 attributes {is_reverse = true} {\n"
        "^bb0(%x: tensor<8xf32>, %y: tensor<2xi64>):\n stablehlo.return %x, %y : tensor<8xf32>, tensor<2xi64>\n}"
        " : (tensor<4x8xf32>, tensor<2xi64>) -> (tensor<4x8xf32>, tensor<2xi64>)"
    )
    assert line_printed(written, generic=True) == (
        '%0:2 = "chlo.scan"(%arg0, %arg6) <{dimension = 0 : i64, is_reverse = true,'
        " operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({\n"
        "^bb0(%arg7: tensor<8xf32>, %arg8: tensor<2xi64>):\n"
        '  "stablehlo.return"(%arg7, %arg8) : (tensor<8xf32>, tensor<2xi64>) -> ()\n'
        "}) : (tensor<4x8xf32>, tensor<2xi64>) -> (tensor<4x8xf32>, tensor<2xi64>)"
    )


def test_ragged_dot_dimensions_are_fields() -> None:
    module = read(
        "module attributes {x.a = #chlo.ragged_dot<lhs_ragged_dimensions = [0], lhs_contracting_dimensions = [1],"
        " rhs_batching_dimensions = []>} {}"
    )
    value = module.attributes.get("x.a")
    assert value is RaggedDotDimensionNumbers(lhs_contracting=(1,), lhs_ragged=(0,))
    assert str(value) == "#chlo.ragged_dot<lhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>"


ERRORS = {
    "%0 = chlo.erf %a : tensor<4x8xf32>": "35: expected '->'",
    "%0 = chlo.erf %a : (tensor<4x8xf32>) -> tensor<4x8xf32>": (
        "20: custom op 'chlo.erf' invalid kind of type specified"
    ),
    "%0 = chlo.next_after %a, %b {x} : tensor<4x8xf32> -> tensor<4x8xf32>": "50: expected ','",
    "%0, %1 = chlo.top_k(%a, j = 1) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)": (
        "25: custom op 'chlo.top_k' expected 'k'"
    ),
    "%0, %1 = chlo.top_k(%a, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>)": "69: expected ','",
    "%0 = chlo.broadcast_add %a, %b : tensor<4x8xf32>": "33: expected '('",
    "%0 = chlo.broadcast_add %a, %b : (tensor<4x8xf32>, i32) -> tensor<4x8xf32>": (
        "52: custom op 'chlo.broadcast_add' invalid kind of type specified"
    ),
    "%0 = chlo.constant 5 : i32": "20: custom op 'chlo.constant' invalid kind of attribute specified",
    "%0 = chlo.constant_like %a : tensor<4x8xf32>": "6: custom op 'chlo.constant_like' has no custom assembly form",
    "%0:2 = chlo.scan(%a) inits (%v) dim=0 {} : (i1) -> i1": "33: custom op 'chlo.scan' expected 'dimension'",
    "%0:2 = chlo.scan(%a) inits %v dimension=0 {} : (i1) -> i1": "27: expected '(' in operand list",
    "chlo.scan(%a) inits (%v) dimension=0 {} : (i1, i1) -> ()": (
        "1: custom op 'chlo.scan' not enough result types to cover the required carries"
    ),
}


@pytest.mark.parametrize(("written", "expected"), ERRORS.items())
def test_an_error_has_the_words_and_the_place_that_mlir_gives(written: str, expected: str) -> None:
    assert first_error(written) == expected


def test_unknown_attributes_are_named_as_such() -> None:
    assert first_error("%0 = chlo.erf %a {x = #chlo.foo<1>} : i1 -> i1") == "29: unknown chlo attribute"
