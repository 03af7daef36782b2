"""Batch normalisation of exact numbers and its gradient, by their formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyshardy.interpreter.element_types import numpy_type
from pyshardy.interpreter.exact.algebra import minus, opposite, over, plus, times, total
from pyshardy.interpreter.exact.function_residues import image_of
from pyshardy.interpreter.exact.numbers import ExactArray, scalar
from pyshardy.interpreter.exact.registry import exactly
from pyshardy.interpreter.frame import aligned
from pyshardy.interpreter.operations.properties import integer
from pyshardy.ir.attributes import FloatAttr
from pyshardy.ir.floats import float_value
from pyshardy.ir.operation import Operation

if TYPE_CHECKING:
    from pyshardy.interpreter.frame import Frame


class _Batch:
    """The pieces that the three operations share: where the features are, and how to spread them."""

    def __init__(self, op: Operation, operands: list[Any]) -> None:
        self.values, *self.rest = aligned(operands)
        self.feature = 1 + integer(op, "feature_index")
        self.others = tuple(axis for axis in range(1, self.values.ndim) if axis != self.feature)
        self.count = scalar(float(np.prod([self.values.shape[axis] for axis in self.others], dtype=np.int64)))[0]
        epsilon = op.properties.get("epsilon")
        assert isinstance(epsilon, FloatAttr)
        # It is a number of the element type of the operand.
        rounded = np.float64(float_value(epsilon.bits, str(epsilon.type))).astype(numpy_type(op.operands[0].type))
        self.epsilon = scalar(float(rounded))[0]

    def spread(self, features: Any) -> Any:
        shape = [1] * self.values.ndim
        shape[0], shape[self.feature] = features.shape
        return features.reshape(shape)

    def mean(self, values: Any) -> Any:
        return over(total(values, self.others), self.count)

    def deviation(self, variance: Any) -> Any:
        radicand = plus(variance, self.epsilon)
        found = np.sqrt(radicand.value)
        return ExactArray(found, image_of("sqrt", radicand.residue, radicand.value, found))


@exactly("stablehlo.batch_norm_inference")
def batch_norm_inference(frame: Frame, op: Operation, operands: list[Any]) -> list[Any]:
    batch = _Batch(op, operands)
    scale, offset, mean, variance = map(batch.spread, batch.rest)
    return [plus(times(over(minus(batch.values, mean), batch.deviation(variance)), scale), offset)]


@exactly("stablehlo.batch_norm_training")
def batch_norm_training(frame: Frame, op: Operation, operands: list[Any]) -> list[Any]:
    batch = _Batch(op, operands)
    scale, offset = map(batch.spread, batch.rest)
    mean = batch.mean(batch.values)
    centered = minus(batch.values, batch.spread(mean))
    variance = batch.mean(times(centered, centered))
    normal = over(centered, batch.deviation(batch.spread(variance)))
    return [plus(times(normal, scale), offset), mean, variance]


@exactly("stablehlo.batch_norm_grad")
def batch_norm_grad(frame: Frame, op: Operation, operands: list[Any]) -> list[Any]:
    batch = _Batch(op, operands)
    scale, mean, variance = map(batch.spread, batch.rest[:3])
    output = batch.rest[3]
    centered = minus(batch.values, mean)
    deviation = batch.deviation(variance)
    product = total(times(output, centered), batch.others)
    sums = total(output, batch.others)
    slope = over(times(batch.spread(product), centered), plus(variance, batch.epsilon))
    inner = plus(times(batch.count, output), opposite(plus(batch.spread(sums), slope)))
    operand = times(over(over(scale, deviation), batch.count), inner)
    return [operand, total(over(times(output, centered), deviation), batch.others), sums]
