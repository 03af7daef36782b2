"""Localizes batch normalisation.

If only the feature dimension is sharded, each device runs the operation on its features. If the batch is sharded, the
operation is expanded into the reductions and elementwise operations that define it, and devices all-reduce one vector
of sums for each mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from pyshardy.emitting.builder import Builder, tensor_type
from pyshardy.emitting.known_sizes import has_fixed_sizes
from pyshardy.emitting.layout import Layout
from pyshardy.emitting.reducers import reduced
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.attributes import FloatAttr
from pyshardy.ir.floats import float_value
from pyshardy.ir.operation import Operation, Value
from pyshardy.partitioning.localizing.expansion import expanded
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.rules.builder import NEED_REPLICATION, NULL, RuleBuilder, operand_shape, shape_of
from pyshardy.rules.properties import integer


class _Formula:
    """Emits the steps of the formulas: tensors have the shape of operand 0, vectors have one element for each
    feature."""

    def __init__(self, op: Operation, builder: Builder) -> None:
        self._builder = builder
        self._type = tensor_type(op.operands[0])
        self._feature = integer(op, "feature_index", 0)
        epsilon = op.properties.get("epsilon")
        self._epsilon = float_value(epsilon.bits, str(epsilon.type)) if isinstance(epsilon, FloatAttr) else 0.0
        self.count = prod(size for dim, size in enumerate(self._type.shape) if dim != self._feature)

    def of(self, name: str, *values: Value) -> Value:
        """An elementwise operation. Vectors are broadcast if one of ``values`` is a tensor."""
        if any(value.type is self._type for value in values):
            values = tuple(map(self.spread, values))
        return self._builder.emit(name, values, values[0].type)

    def spread(self, value: Value) -> Value:
        """A vector broadcast to a tensor."""
        return value if value.type is self._type else self._builder.broadcast(value, self._type.shape, (self._feature,))

    def number(self, value: float, like: Value) -> Value:
        """A number broadcast to the shape of ``like``."""
        type = tensor_type(like)
        return self._builder.broadcast(self._builder.scalar(value, type.element), type.shape)

    def sum(self, tensor: Value) -> Value:
        """The sum over all dimensions but the features: a vector."""
        element = self._type.element
        dims = [dim for dim in range(self._type.rank) if dim != self._feature]
        return reduced(self._builder, tensor, self._builder.scalar(0, element), dims, "sum")

    def mean(self, tensor: Value) -> Value:
        """The mean over all dimensions but the features: a vector."""
        total = self.sum(tensor)
        return self.of("divide", total, self.number(self.count, total))

    def shifted(self, variance: Value) -> Value:
        """The variance plus epsilon."""
        return self.of("add", variance, self.number(self._epsilon, variance))

    def normalised(self, tensor: Value, mean: Value, variance: Value) -> Value:
        """The tensor with mean 0 and variance 1."""
        deviation = self.of("sqrt", self.shifted(variance))
        return self.of("divide", self.of("subtract", tensor, mean), deviation)


def _inference(formula: _Formula, operands: Sequence[Value]) -> list[Value]:
    tensor, scale, shift, mean, variance = operands
    return [formula.of("add", formula.of("multiply", formula.normalised(tensor, mean, variance), scale), shift)]


def _training(formula: _Formula, operands: Sequence[Value]) -> list[Value]:
    tensor, scale, shift = operands
    mean = formula.mean(tensor)
    centered = formula.of("subtract", tensor, mean)
    variance = formula.mean(formula.of("multiply", centered, centered))
    return [*_inference(formula, [tensor, scale, shift, mean, variance]), mean, variance]


def _gradient(formula: _Formula, operands: Sequence[Value]) -> list[Value]:
    tensor, scale, mean, variance, gradient = operands
    centered = formula.of("subtract", tensor, mean)
    shifted = formula.shifted(variance)
    deviation = formula.of("sqrt", shifted)
    total = formula.sum(gradient)
    along = formula.sum(formula.of("multiply", gradient, centered))
    spread = formula.of("multiply", centered, formula.of("divide", along, shifted))
    count = formula.number(formula.count, scale)
    rest = formula.of("subtract", formula.of("subtract", formula.of("multiply", gradient, count), total), spread)
    factor = formula.of("divide", formula.of("divide", scale, deviation), count)
    return [formula.of("multiply", rest, factor), formula.of("divide", along, deviation), total]


_STEPS: dict[str, Callable[[_Formula, Sequence[Value]], list[Value]]] = {
    "stablehlo.batch_norm_grad": _gradient,
    "stablehlo.batch_norm_inference": _inference,
    "stablehlo.batch_norm_training": _training,
}


@localizes(*_STEPS)
def _batch_norm(site: Site) -> list[Sharded]:
    op = site.op
    shape, feature = operand_shape(op), integer(op, "feature_index", 0)
    tensors = [*zip(op.operands, (one.layout for one in site.operands), strict=True)]
    tensors += [
        (result, layout) for result, layout in zip(op.results, site.requested, strict=True) if layout is not None
    ]
    if has_fixed_sizes(op) and any(_splits_batch(value, layout, feature) for value, layout in tensors):
        return expanded(site, lambda builder, operands: _STEPS[op.name](_Formula(op, builder), operands))
    builder = RuleBuilder(op)
    shapes = [shape_of(one.type) or () for one in (*op.operands, *op.results)]
    for dim, size in enumerate(shape):
        whole = [dim if len(one) == len(shape) and one == shape else NULL for one in shapes]
        if dim == feature:
            vectors = [0 if own == NULL else own for own in whole]
            builder.add(vectors[: len(op.operands)], vectors[len(op.operands) :], size)
        else:
            builder.add(whole[: len(op.operands)], whole[len(op.operands) :], size, NEED_REPLICATION)
    strategy = site.strategy(builder.build())
    if strategy is None:
        return site.fall_back()
    return site.emit(list(map(site.reshard, site.operands, strategy.operands)), strategy.results)


def _splits_batch(value: Value, layout: Layout, feature: int) -> bool:
    rank = tensor_type(value).rank
    return rank > 1 and any(count > 1 and dim != feature for dim, count in enumerate(layout.counts))
