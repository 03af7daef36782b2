"""Operations on quantized values: quantize, dequantize, and the conversions around any other operation.

Operations that move elements work on the integers as they are; the others compute with the numbers that these represent
and quantize the result, which is how StableHLO defines them.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.interpreter.element_types import Array, narrow, numpy_type
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.number_systems import NumberSystem
from pyshardy.interpreter.quantization import dequantized, quantization, quantized
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.opdef import DATA_MOVEMENT
from pyshardy.ir.operation import Operation, detached_operation
from pyshardy.ir.types import TensorType, Type

_ALSO = "bitcast_convert constant custom_call uniform_dequantize uniform_quantize"
_ALSO_WITH_INTEGERS = frozenset(f"stablehlo.{name}" for name in _ALSO.split())
"""Operations that work on integers as they are, besides those that only move them."""


@evaluates("stablehlo.uniform_quantize")
def uniform_quantize(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Quantizes numbers, or quantizes anew what is quantized in another way."""
    source, target = quantization(op.operands[0].type), quantization(op.results[0].type)
    assert target is not None
    values = operands[0] if source is None else dequantized(operands[0], source)
    return [quantized(values, target)]


@evaluates("stablehlo.uniform_dequantize")
def uniform_dequantize(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    source = quantization(op.operands[0].type)
    assert source is not None
    native = narrow(dequantized(operands[0], source), numpy_type(op.results[0].type))
    return [frame.machine.numbers.constant(native)]


def on_numbers(op: Operation, evaluate: Evaluator, numbers: NumberSystem) -> Evaluator:
    """The evaluator for an operation on quantized values: ``evaluate`` itself, or around it the way from integers to
    numbers and back. What has a body leaves that way to the operations in the body.

    Raises:
        UnsupportedType: a value is quantized in a way that is not known here.
    """
    if op.regions or op.traits & DATA_MOVEMENT or op.name in _ALSO_WITH_INTEGERS:
        return evaluate
    if op.name.startswith(("check.", "func.", "interpreter.", "sdy.")):
        return evaluate
    sources = [quantization(value.type) for value in op.operands]
    targets = [quantization(value.type) for value in op.results]
    plain = detached_operation(
        op.name, op.definition, (), [_expressed(value.type) for value in op.results], op.properties, op.attributes
    )
    plain.location = op.location

    def run(frame: Frame, _: Operation, operands: list[Array]) -> Sequence[Array]:
        given = [
            value if kind is None else numbers.constant(dequantized(value, kind))
            for value, kind in zip(operands, sources, strict=True)
        ]
        results = evaluate(frame, plain, given)
        return [value if kind is None else quantized(value, kind) for value, kind in zip(results, targets, strict=True)]

    return run


def _expressed(type: Type) -> Type:
    kind = quantization(type)
    return type if kind is None or not isinstance(type, TensorType) else TensorType(type.shape, kind.expressed)
