"""Batch normalisation and its gradient, by their formulas, in double precision."""

from __future__ import annotations

import numpy as np

from pyshardy.interpreter.element_types import Array, narrow, wide
from pyshardy.interpreter.frame import Frame, aligned
from pyshardy.interpreter.operations.properties import integer
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.attributes import FloatAttr
from pyshardy.ir.floats import float_value
from pyshardy.ir.operation import Operation


class _Batch:
    """The pieces that the three operations share: where the features are, and how to spread them."""

    def __init__(self, op: Operation, operands: list[Array]) -> None:
        self.values, *self.rest = (wide(value).astype(np.float64) for value in aligned(operands))
        self.dtype = operands[0].dtype
        self.feature = 1 + integer(op, "feature_index")
        self.others = tuple(axis for axis in range(1, self.values.ndim) if axis != self.feature)
        epsilon = op.properties.get("epsilon")
        assert isinstance(epsilon, FloatAttr)
        self.epsilon = float_value(epsilon.bits, str(epsilon.type))

    def spread(self, features: Array) -> Array:
        shape = [1] * self.values.ndim
        shape[0], shape[self.feature] = features.shape
        return features.reshape(shape)

    def narrowed(self, *results: Array) -> list[Array]:
        return [narrow(result, self.dtype) for result in results]


@evaluates("stablehlo.batch_norm_inference")
def batch_norm_inference(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    batch = _Batch(op, operands)
    scale, offset, mean, variance = map(batch.spread, batch.rest)
    return batch.narrowed((batch.values - mean) / np.sqrt(variance + batch.epsilon) * scale + offset)


@evaluates("stablehlo.batch_norm_training")
def batch_norm_training(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    batch = _Batch(op, operands)
    scale, offset = map(batch.spread, batch.rest)
    mean, variance = batch.values.mean(axis=batch.others), batch.values.var(axis=batch.others)
    centered = (batch.values - batch.spread(mean)) / np.sqrt(batch.spread(variance) + batch.epsilon)
    return batch.narrowed(centered * scale + offset, mean, variance)


@evaluates("stablehlo.batch_norm_grad")
def batch_norm_grad(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    batch = _Batch(op, operands)
    scale, mean, variance = map(batch.spread, batch.rest[:3])
    output = batch.rest[3]
    count = batch.values.size // (len(batch.values) * batch.values.shape[batch.feature]) if batch.values.size else 1
    centered = batch.values - mean
    deviation = np.sqrt(variance + batch.epsilon)
    product = (output * centered).sum(axis=batch.others)
    total = output.sum(axis=batch.others)
    inner = count * output - batch.spread(total) - batch.spread(product) * centered / (variance + batch.epsilon)
    operand = scale / deviation / count * inner
    scale_gradient = (output * centered / deviation).sum(axis=batch.others)
    return batch.narrowed(operand, scale_gradient, total)
