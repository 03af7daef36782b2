"""What is wrong with an illegal CHLO operation is said in MLIR's words, and what is legal passes."""

from __future__ import annotations

import re

import pytest

import pyshardy

_ARGUMENTS = (
    "%f: t<4xf32>, %g: t<5xf32>, %h: t<4xf64>, %i: t<4xi32>, %s: t<4xi8>, %c: t<4xcomplex<f32>>, "
    "%m: t<3x4xf32>, %n: t<4x3xf32>, %d: t<?xf32>, %u: t<*xf32>, %p: t<3x1xi1>, %z: t<f32>"
)

ILLEGAL = {
    "chlo.erf %f : t<4xf32> -> t<5xf32>": ["OP requires compatible types for all operands and results"],
    "chlo.erf %i : t<4xi32> -> t<4xi32>": [
        "OP operand #0 must be tensor of 4/6/8/16/32/64-bit float values, but got 't<4xi32>'"
    ],
    "chlo.acos %f : t<4xf32> -> t<*xf32>": [
        "OP all non-scalar operands/results must have the same shape and base type"
    ],
    "chlo.acos %c : t<4xcomplex<f32>> -> t<4xf32>": ["OP requires compatible types for all operands and results"],
    "chlo._asin_acos_kernel %f : t<4xf32> -> t<4xf32>": [
        "OP operand #0 must be tensor of complex type with 32/64-bit float elements values, but got 't<4xf32>'"
    ],
    "chlo.is_inf %f : t<4xf32> -> t<4xf32>": ["OP result #0 must be tensor of bool values, but got 't<4xf32>'"],
    "chlo.is_inf %f : t<4xf32> -> t<5xi1>": [
        "OP all non-scalar operands/results must have the same shape and base type"
    ],
    "chlo.mulhi %i, %i : t<4xi32>, t<4xi32> -> t<4xi8>": ["OP requires compatible types for all operands and results"],
    "chlo.zeta %f, %m : t<4xf32>, t<3x4xf32> -> t<4xf32>": [
        "OP requires compatible types for all operands and results"
    ],
    "chlo.next_after %d, %f : t<?xf32>, t<4xf32> -> t<5xf32>": [
        "OP inferred type(s) 't<4xf32>' are incompatible with return type(s) of operation 't<5xf32>'",
        "OP failed to infer returned types",
    ],
    "chlo.broadcast_add %f, %m : (t<4xf32>, t<3x4xf32>) -> t<4xf32>": [
        "OP inferred type(s) 't<3x4xf32>' are incompatible with return type(s) of operation 't<4xf32>'",
        "OP failed to infer returned types",
    ],
    "chlo.broadcast_add %f, %h : (t<4xf32>, t<4xf64>) -> t<4xf32>": [
        "OP requires compatible element types for all operands and results"
    ],
    "chlo.broadcast_divide %f, %h : (t<4xf32>, t<4xf64>) -> t<4xf32>": [
        "OP requires the same element type for all operands and results"
    ],
    "chlo.broadcast_and %f, %f : (t<4xf32>, t<4xf32>) -> t<4xf32>": [
        "OP operand #0 must be tensor of bool or 2/4/8/16/32/64-bit integer values, but got 't<4xf32>'"
    ],
    "chlo.broadcast_and %i, %s : (t<4xi32>, t<4xi8>) -> t<4xi32>": [
        "mismatched operand types",
        "OP failed to infer returned types",
    ],
    "chlo.broadcast_complex %f, %f : (t<4xf32>, t<4xf32>) -> t<4xcomplex<f64>>": [
        "OP inferred type(s) 't<4xcomplex<f32>>' are incompatible with return type(s) of operation 't<4xcomplex<f64>>'",
        "OP failed to infer returned types",
    ],
    '"chlo.broadcast_compare"(%f, %h) <{comparison_direction = #chlo<comparison_direction LT>}> '
    ": (t<4xf32>, t<4xf64>) -> t<4xi1>": [
        "mismatched operand types",
        "OP failed to infer returned types",
    ],
    "chlo.broadcast_multiply %f, %n {broadcast_dimensions = array<i64: 0>} : (t<4xf32>, t<4x3xf32>) -> t<4x4xf32>": [
        "OP inferred type(s) 't<4x3xf32>' are incompatible with return type(s) of operation 't<4x4xf32>'",
        "OP failed to infer returned types",
    ],
    "chlo.broadcast_select %i, %f, %f : (t<4xi32>, t<4xf32>, t<4xf32>) -> t<4xf32>": [
        "OP operand #0 must be ranked tensor of bool values, but got 't<4xi32>'"
    ],
    "chlo.broadcast_select %p, %f, %h : (t<3x1xi1>, t<4xf32>, t<4xf64>) -> t<3x4xf32>": [
        "mismatched operand types",
        "OP failed to infer returned types",
    ],
    "chlo.broadcast_select %p, %f, %f : (t<3x1xi1>, t<4xf32>, t<4xf32>) -> t<4xf32>": [
        "OP inferred type(s) 't<3x4xf32>' are incompatible with return type(s) of operation 't<4xf32>'",
        "OP failed to infer returned types",
    ],
    '"chlo.constant_like"(%f) <{value = 1 : i32}> : (t<4xf32>) -> t<4xf32>': [
        "OP value's type doesn't match element return type"
    ],
    '"chlo.constant_like"(%f) <{value = 1.0 : f32}> : (t<4xf32>) -> t<5xf32>': [
        "OP requires the same shape for all operands and results"
    ],
    "chlo.top_k(%f, k = 5) : t<4xf32> -> (t<5xf32>, t<5xi32>)": [
        "operand's last dimension must be at least 5",
        "OP failed to infer returned types",
    ],
    "chlo.top_k(%m, k = 2) : t<3x4xf32> -> (t<3x4xf32>, t<3x2xi32>)": [
        "OP inferred type(s) 't<3x2xf32>', 't<3x2xi32>' are incompatible with return type(s) of operation "
        "'t<3x4xf32>', 't<3x2xi32>'",
        "OP failed to infer returned types",
    ],
    "chlo.top_k(%m, k = 2) : t<3x4xf32> -> (t<3x2xf32>, t<3x2xi64>)": [
        "OP inferred type(s) 't<3x2xf32>', 't<3x2xi32>' are incompatible with return type(s) of operation "
        "'t<3x2xf32>', 't<3x2xi64>'",
        "OP failed to infer returned types",
    ],
    "chlo.top_k(%z, k = 1) : t<f32> -> (t<f32>, t<i32>)": [
        "operand's rank must be at least 1",
        "OP failed to infer returned types",
    ],
    '"chlo.top_k"(%f) <{k = 2 : i32}> : (t<4xf32>) -> (t<2xf32>, t<2xi32>)': [
        "OP attribute 'k' failed to satisfy constraint: 64-bit signless integer attribute"
    ],
}
"""Operations, each with the messages of MLIR, in which OP stands for the quoted name and ``op``, and t for tensor."""

LEGAL = (
    "chlo.erf %d : t<?xf32> -> t<4xf32>",
    "chlo.is_inf %f : t<4xf32> -> t<?xi1>",
    "chlo.zeta %f, %u : t<4xf32>, t<*xf32> -> t<4xf32>",
    "chlo.broadcast_add %f, %g : (t<4xf32>, t<5xf32>) -> t<9x9xf32>",
    "chlo.broadcast_add %f, %m : (t<4xf32>, t<3x4xf32>) -> t<3x4xf32>",
    "chlo.broadcast_add %f, %n {broadcast_dimensions = array<i64: 0>} : (t<4xf32>, t<4x3xf32>) -> t<4x3xf32>",
    "chlo.broadcast_add %f, %n {broadcast_dimensions = array<i64: 0, 1>} : (t<4xf32>, t<4x3xf32>) -> t<9xf32>",
    "chlo.broadcast_add %d, %z : (t<?xf32>, t<f32>) -> t<9xf32>",
    "chlo.broadcast_select %p, %f, %f : (t<3x1xi1>, t<4xf32>, t<4xf32>) -> t<3x4xf64>",
)


def _program(written: str) -> str:
    results = "%0:2" if "top_k" in written else "%0"
    return _spelled_out(f"func.func @f({_ARGUMENTS}) {{\n  {results} = {written}\n  return\n}}")


def _spelled_out(text: str) -> str:
    return re.sub(r"\bt<", "tensor<", text)


@pytest.mark.parametrize("written", ILLEGAL)
def test_an_illegal_operation_is_refused_in_the_words_of_mlir(written: str) -> None:
    with pytest.raises(pyshardy.PyshardyError) as caught:
        pyshardy.parse(_program(written))
    found = re.search(r"chlo\.\w+", written)
    assert found is not None
    messages = [one.message for one in caught.value.diagnostics if one.severity == "error"]
    assert messages == [_spelled_out(one.replace("OP", f"'{found[0]}' op")) for one in ILLEGAL[written]]


@pytest.mark.parametrize("written", LEGAL)
def test_a_legal_operation_passes(written: str) -> None:
    """Types may leave sizes open, and shapes that do not fit are not compared with the result."""
    assert "chlo." in str(pyshardy.parse(_program(written)))
