"""Matrix products in the kernels of reductions, as the library of XLA's CPU backend computes them."""

from __future__ import annotations

import pytest

from pyshardy.ir.operation import OpResult
from pyshardy.partitioning.account.fusion import InlinedCalls, fused_values_on_cpus
from pyshardy.partitioning.account.library_kernels import library_kernels
from tests.partitioning.account.memory_programs import LARGE, LARGE_BYTES, ON_CHIPS, body_of, extra_bytes

_ARGUMENTS = f"%a: {LARGE}, %b: {LARGE}"
_PRODUCT = f"contracting_dims = [1] x [0] : ({LARGE}, {LARGE}) -> {LARGE}"
_ROW = "tensor<64xf32>"
_NONE = f"  %none = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> {LARGE}\n"
_NETWORK = f"""  %zero = stablehlo.constant dense<0.0> : tensor<f32>
{_NONE}  %0 = stablehlo.dot_general %a, %b, {_PRODUCT}
  %1 = stablehlo.maximum %0, %none : {LARGE}
  %2 = stablehlo.dot_general %1, %b, {_PRODUCT}"""
_SUM = f"""
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1]
      : ({LARGE}, tensor<f32>) -> {_ROW}"""
_EXPONENTIALS = f"""
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %least) applies stablehlo.maximum across dimensions = [1]
      : ({LARGE}, tensor<f32>) -> {_ROW}
  %4 = stablehlo.broadcast_in_dim %least, dims = [] : (tensor<f32>) -> {_ROW}
  %5 = stablehlo.maximum %4, %3 : {_ROW}
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : ({_ROW}) -> tensor<64x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<64x1xf32>) -> {LARGE}
  %8 = stablehlo.subtract %2, %7 : {LARGE}
  %9 = stablehlo.exponential %8 : {LARGE}"""
_SOFTMAX = f"""{_NETWORK}{_EXPONENTIALS}
  %10 = stablehlo.reduce(%9 init: %zero) applies stablehlo.add across dimensions = [1]
      : ({LARGE}, tensor<f32>) -> {_ROW}
  %11 = stablehlo.broadcast_in_dim %10, dims = [0] : ({_ROW}) -> {LARGE}
  %12 = stablehlo.divide %9, %11 : {LARGE}
  return %12 : {LARGE}"""


def _in_library(arguments: str, results: str, body: str) -> dict[str, str]:
    """The operations of library kernels, by name, each with the operation whose result the kernel writes."""
    operations = list(body_of(arguments, results, body))
    found = library_kernels(operations, InlinedCalls(operations, on_cpus=True).works_element_by_element)
    return {op.name.split(".")[1]: root.name.split(".")[1] for op, root in found.items()}


def test_a_sum_takes_in_the_network_before_it() -> None:
    """XLA allocates nothing besides arguments and results."""
    assert extra_bytes(_ARGUMENTS, _ROW, f"{_NETWORK}{_SUM}\n  return %3 : {_ROW}") <= 4
    assert extra_bytes(_ARGUMENTS, _ROW, f"{_NETWORK}{_SUM}\n  return %3 : {_ROW}", ON_CHIPS) == 2 * LARGE_BYTES


def test_what_something_else_reads_is_not_taken_in() -> None:
    body = f"{_NETWORK}{_SUM}\n  return %3, %1 : {_ROW}, {LARGE}"
    found = _in_library(_ARGUMENTS, f"{_ROW}, {LARGE}", body)
    assert found == {"dot_general": "reduce", "reduce": "reduce"}


def test_exponentials_of_differences_from_the_maximum_are_the_result_of_the_kernel() -> None:
    """The scores have no buffer, and the exponentials that of the result, which is computed in their place."""
    found = _in_library(_ARGUMENTS, LARGE, _SOFTMAX)
    assert found["dot_general"] == found["subtract"] == found["exponential"] == "exponential"
    assert extra_bytes(_ARGUMENTS, LARGE, _SOFTMAX) <= 256 + 4


def test_differences_that_are_read_twice_are_the_result_of_the_kernel() -> None:
    body = _SOFTMAX.replace("stablehlo.divide %9, %11", "stablehlo.subtract %8, %11")
    found = _in_library(_ARGUMENTS, LARGE, body)
    assert found["dot_general"] == found["subtract"] == "subtract"
    assert "exponential" not in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("stablehlo.maximum %4, %3", "stablehlo.divide %3, %4"),
        ("stablehlo.subtract %2, %7", "stablehlo.subtract %1, %7"),
        ("stablehlo.subtract %2, %7", "stablehlo.select %p, %2, %7"),
    ],
)
def test_another_operation_between_ends_the_kernel(old: str, new: str) -> None:
    body = _SOFTMAX.replace(old, new)
    if "select" in new:
        body = body.replace(f"{new} : {LARGE}", f"{new} : tensor<64x64xi1>, {LARGE}")
    found = _in_library(f"{_ARGUMENTS}, %p: tensor<64x64xi1>", LARGE, body)
    assert "subtract" not in found and "select" not in found


def test_small_tensors_and_integers_are_not_for_the_library() -> None:
    for one in ("63x64xf32", "64x64xi32"):
        type, row = f"tensor<{one}>", f"tensor<{one.replace('x64', '', 1) if one[:2] == '63' else one[3:]}>"
        number = f"tensor<{one[-3:]}>"
        zero = "0" if "i32" in one else "0.0"
        body = f"""  %zero = stablehlo.constant dense<{zero}> : {number}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({type}, {type.replace("63x", "64x")}) -> {type}
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
      : ({type}, {number}) -> {row}
  return %1 : {row}"""
        assert not _in_library(f"%a: {type}, %b: {type.replace('63x', '64x')}", row, body)


def test_selected_scores_are_read_from_memory() -> None:
    body = _NETWORK + f"\n  %m = stablehlo.select %p, %2, %none : tensor<64x64xi1>, {LARGE}"
    body += _EXPONENTIALS.replace("%2", "%m") + f"\n  return %9 : {LARGE}"
    assert not _in_library(f"{_ARGUMENTS}, %p: tensor<64x64xi1>", LARGE, body)


def test_a_function_that_works_on_elements_is_taken_in() -> None:
    body = _NETWORK.replace(f"stablehlo.maximum %0, %none : {LARGE}", f"call @relu(%0) : ({LARGE}) -> {LARGE}")
    function = f"""
}}
func.func private @relu(%x: {LARGE}) -> {LARGE} {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> {LARGE}
  %1 = stablehlo.maximum %x, %0 : {LARGE}
  return %1 : {LARGE}"""
    body = f"{body}{_SUM}\n  return %3 : {_ROW}{function}".replace(_NONE, "", 1)
    assert _in_library(_ARGUMENTS, _ROW, body)["call"] == "reduce"
    assert extra_bytes(_ARGUMENTS, _ROW, body) <= 4


def test_operations_in_the_kernel_have_no_buffers_but_the_last() -> None:
    operations = list(body_of(_ARGUMENTS, LARGE, _SOFTMAX))
    fused = {one.owner.name for one in fused_values_on_cpus(operations) if isinstance(one, OpResult)}
    assert "stablehlo.dot_general" in fused and "stablehlo.exponential" not in fused
