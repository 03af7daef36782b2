"""Custom calls that stand for operations of StableHLO whose sizes are operands: JAX exports programs of symbolic shapes
with them."""

from __future__ import annotations

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.custom_calls import called_body, evaluates_custom_call
from pyshardy.interpreter.operations.properties import uniform_integers
from pyshardy.interpreter.operations.random_bits import bits_drawn
from pyshardy.interpreter.operations.sorting import largest
from pyshardy.interpreter.operations.windows import Window, windows_reduced
from pyshardy.ir.operation import Operation


@evaluates_custom_call("stablehlo.dynamic_top_k")
def dynamic_top_k(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    (count,) = uniform_integers(operands[1])
    return largest(operands[0], count)


@evaluates_custom_call("stablehlo.dynamic_rng_bit_generator")
def dynamic_rng_bit_generator(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    return bits_drawn(op, operands[0], uniform_integers(operands[1]))


@evaluates_custom_call("stablehlo.dynamic_reduce_window")
def dynamic_reduce_window(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The last five operands are sizes, strides, dilations of the base, of the window, and padding."""
    values, numbers = operands[:-5], [uniform_integers(value) for value in operands[-5:]]
    half, (*lists, flat) = len(values) // 2, numbers
    padding = tuple(zip(flat[::2], flat[1::2], strict=True))
    window = Window(lists[0], lists[1], lists[2], lists[3], padding)
    return windows_reduced(frame, called_body(frame, op), values[:half], values[half:], window)
