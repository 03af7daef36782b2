"""Values that elementwise readers compute again although they have a buffer for other readers, by XLA's figures."""

from __future__ import annotations

from pyshardy.ir.operation import Block
from pyshardy.partitioning.account.memory_model import XLA_CPU
from tests.partitioning.account.memory_programs import (
    BYTES,
    ON_CHIPS,
    PRODUCT,
    SQUARE,
    ZERO,
    body_of,
    extra_bytes,
    summed,
)

_ARGUMENTS = f"%a: {SQUARE}, %b: {SQUARE}"


def _program(made: str) -> str:
    """A product of ``%1``, which is ``made`` of ``%0``, multiplied by ``%1``."""
    return f"""  %0 = stablehlo.dot_general %a, %b, {PRODUCT}
  {made}
  %2 = stablehlo.dot_general %1, %b, {PRODUCT}
  %3 = stablehlo.multiply %1, %2 : {SQUARE}
  %4 = stablehlo.add %3, %a : {SQUARE}
  %5 = stablehlo.dot_general %4, %b, {PRODUCT}
  return %5 : {SQUARE}"""


def _duplicated(block: Block) -> list[tuple[str, str]]:
    """The values that are computed again, each by the names of its operation and of its reader."""
    found = XLA_CPU.schedule(block).duplicated or ()
    made = [(op.operands[number].defining_op, op) for op, number in found]
    return sorted((one.name, op.name) for one, op in made if one is not None)


def test_a_cheap_value_of_one_tensor_is_computed_again_beside_its_buffer() -> None:
    """Both the operand and the value stand at the product: XLA needs 2,048 bytes besides arguments and results."""
    body = _program(f"%1 = stablehlo.abs %0 : {SQUARE}")
    assert extra_bytes(_ARGUMENTS, SQUARE, body) == 2 * BYTES
    assert _duplicated(body_of(_ARGUMENTS, SQUARE, body)) == [("stablehlo.abs", "stablehlo.multiply")]


def test_accelerators_read_the_buffer() -> None:
    assert extra_bytes(_ARGUMENTS, SQUARE, _program(f"%1 = stablehlo.abs %0 : {SQUARE}"), ON_CHIPS) == BYTES


def test_a_bias_keeps_what_it_is_added_to() -> None:
    bias = f"%bias = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<16xf32>) -> {SQUARE}"
    body = _program(f"{bias}\n  %1 = stablehlo.add %0, %bias : {SQUARE}")
    assert extra_bytes(f"{_ARGUMENTS}, %v: tensor<16xf32>", SQUARE, body) == 2 * BYTES


def test_a_chain_is_computed_again_from_its_beginning() -> None:
    body = _program(f"%one = stablehlo.abs %0 : {SQUARE}\n  %1 = stablehlo.floor %one : {SQUARE}")
    assert extra_bytes(_ARGUMENTS, SQUARE, body) == 2 * BYTES


def test_a_chain_of_values_with_buffers_is_followed_once() -> None:
    """Each value is read twice by the next one and by a product: 2 ** 40 ways lead from the last to the first."""
    lines, kept = [f"  %x0 = stablehlo.dot_general %a, %b, {PRODUCT}"], []
    for number in range(40):
        lines.append(f"  %x{number + 1} = stablehlo.multiply %x{number}, %x{number} : {SQUARE}")
        lines.append(f"  %y{number + 1} = stablehlo.dot_general %x{number + 1}, %b, {PRODUCT}")
        kept.append(f"%y{number + 1}")
    lines.append(f"  return {', '.join(kept)} : {', '.join([SQUARE] * 40)}")
    block = body_of(_ARGUMENTS, ", ".join([SQUARE] * 40), "\n".join(lines))
    assert len(_duplicated(block)) == 2 * 39
    assert extra_bytes(_ARGUMENTS, ", ".join([SQUARE] * 40), "\n".join(lines)) <= 2 * BYTES


def test_a_function_is_computed_again_as_its_body_would_be() -> None:
    call = f"%1 = call @relu(%0) : ({SQUARE}) -> {SQUARE}"
    function = f"""
}}
func.func private @relu(%x: {SQUARE}) -> {SQUARE} {{
{ZERO}  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> {SQUARE}
  %1 = stablehlo.maximum %x, %0 : {SQUARE}
  return %1 : {SQUARE}"""
    assert extra_bytes(_ARGUMENTS, SQUARE, _program(call) + function) == 2 * BYTES


def test_a_function_computes_its_argument_again() -> None:
    body = _program(f"%1 = stablehlo.abs %0 : {SQUARE}")
    body = body.replace(
        f"stablehlo.multiply %1, %2 : {SQUARE}", f"call @times(%1, %2) : ({SQUARE}, {SQUARE}) -> {SQUARE}"
    )
    function = f"""
}}
func.func private @times(%x: {SQUARE}, %y: {SQUARE}) -> {SQUARE} {{
  %0 = stablehlo.multiply %x, %y : {SQUARE}
  return %0 : {SQUARE}"""
    assert extra_bytes(_ARGUMENTS, SQUARE, body + function) == 2 * BYTES
    assert _duplicated(body_of(_ARGUMENTS, SQUARE, body + function)) == [("stablehlo.abs", "func.call")]


def test_what_joins_two_tensors_is_read_from_its_buffer() -> None:
    assert extra_bytes(_ARGUMENTS, SQUARE, _program(f"%1 = stablehlo.add %0, %a : {SQUARE}")) == BYTES


def test_an_expensive_value_is_read_from_its_buffer() -> None:
    assert extra_bytes(_ARGUMENTS, SQUARE, _program(f"%1 = stablehlo.tanh %0 : {SQUARE}")) == BYTES


def test_without_a_reader_that_needs_the_buffer_there_is_none() -> None:
    body = _program(f"%1 = stablehlo.abs %0 : {SQUARE}").replace("dot_general %1, %b", "dot_general %0, %b")
    assert extra_bytes(_ARGUMENTS, SQUARE, body) == BYTES
    assert not _duplicated(body_of(_ARGUMENTS, SQUARE, body))


def test_the_library_sums_from_the_buffer() -> None:
    body = f"""{ZERO}  %0 = stablehlo.dot_general %a, %b, {PRODUCT}
  %1 = stablehlo.abs %0 : {SQUARE}
  %2 = stablehlo.dot_general %1, %b, {PRODUCT}
  %3 = stablehlo.multiply %1, %2 : {SQUARE}{summed("%3")}"""
    assert _duplicated(body_of(_ARGUMENTS, "tensor<f32>", body)) == [("stablehlo.abs", "stablehlo.multiply")]
    arguments, body = (one.replace("16x16", "64x64") for one in (_ARGUMENTS, body))
    assert not _duplicated(body_of(arguments, "tensor<f32>", body))
