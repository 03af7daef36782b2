"""The rule of reshape: both shapes are split, major to minor, into shared and private factors."""

from __future__ import annotations

from math import gcd, prod

from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC
from pyshardy.rules.builder import NULL, RuleBuilder, Shape, operand_shape, result_shape
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import OpShardingRule


class _Side:
    """One of the two shapes, as far as it has been taken apart."""

    __slots__ = ("dim", "entered", "factored", "shape")

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.dim = 0
        self.entered = 1
        """The product of the dimensions entered so far."""
        self.factored = 1
        """The product of the factors made so far."""

    @property
    def done(self) -> bool:
        return self.dim == len(self.shape)

    @property
    def at_size_one(self) -> bool:
        return not self.done and self.shape[self.dim] == 1

    @property
    def rest(self) -> int:
        """What is left of the current dimension."""
        return self.entered // self.factored

    def enter(self) -> None:
        if not self.done and self.entered == self.factored:
            self.entered *= self.shape[self.dim]

    def take(self, factor: int) -> int:
        """Takes ``factor`` off the current dimension, and returns that dimension."""
        self.factored *= factor
        return self.dim

    def leave(self) -> None:
        if not self.done and self.entered == self.factored:
            self.dim += 1

    def factor_towards(self, ahead: _Side) -> int:
        """The private factor by which this side follows ``ahead``: the whole gap if that realigns the two, else what
        the rest has beyond their common divisor."""
        gap, remainder = divmod(ahead.factored, self.factored)
        if not remainder and self.rest % gap == 0:
            return gap
        common = gcd(self.rest, ahead.rest)
        return self.rest // common if self.rest > common else self.rest


@sharding_rule("stablehlo.reshape")
def _reshape(op: Operation, conservative: bool) -> OpShardingRule | None:
    """No rule for tensors without elements (MLIR counts them modulo 2^64, which makes most dynamic shapes empty)."""
    source, target = _Side(operand_shape(op)), _Side(result_shape(op))
    if prod(source.shape) % 2**64 == 0:
        return None
    if DYNAMIC in source.shape:
        return RuleBuilder(op).build()
    builder = RuleBuilder(op)
    while not (source.done and target.done):
        if source.at_size_one:
            builder.add([source.dim], [NULL], 1)
            source.dim += 1
        elif target.at_size_one:
            builder.add([NULL], [target.dim], 1)
            target.dim += 1
        else:
            source.enter()
            target.enter()
            _add_factors(builder, source, target)
            source.leave()
            target.leave()
    return builder.build()


def _add_factors(builder: RuleBuilder, source: _Side, target: _Side) -> None:
    if source.factored == target.factored:
        shared = gcd(source.rest, target.rest)
        if shared > 1:
            builder.add([source.take(shared)], [target.take(shared)], shared)
            return
        source_size, target_size = source.rest, target.rest
        builder.add([source.take(source_size)], [NULL], source_size)
        builder.add([NULL], [target.take(target_size)], target_size)
    elif source.factored < target.factored:
        size = source.factor_towards(target)
        builder.add([source.take(size)], [NULL], size)
    else:
        size = target.factor_towards(source)
        builder.add([NULL], [target.take(size)], size)
