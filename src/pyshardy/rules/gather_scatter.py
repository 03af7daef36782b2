"""Rules of gather and scatter, which are one algorithm read in two directions.

The input is what is indexed (gather's operand, each tensor that is scattered into); the slices are gather's result, or
each update.
"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers, ScatterDimensionNumbers
from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import (
    NEED_REPLICATION,
    NULL,
    PASS_THROUGH,
    REDUCTION,
    RuleBuilder,
    operand_shape,
    result_shape,
)
from pyshardy.rules.reducers import combining_operation
from pyshardy.rules.registry import sharding_rule
from pyshardy.sharding.rule import FactorKind, OpShardingRule


@sharding_rule("stablehlo.gather")
def _gather(op: Operation, conservative: bool) -> OpShardingRule | None:
    numbers = op.properties.get("dimension_numbers")
    return _Gather(op, numbers).rule() if isinstance(numbers, GatherDimensionNumbers) else None


@sharding_rule("stablehlo.scatter", looks_around=True)
def _scatter(op: Operation, conservative: bool) -> OpShardingRule | None:
    numbers = op.properties.get("scatter_dimension_numbers")
    return _Scatter(op, numbers).rule() if isinstance(numbers, ScatterDimensionNumbers) else None


class _Indexing:
    """What gather and scatter share: which dimensions of input, indices and slices correspond."""

    def __init__(self, op: Operation, numbers: GatherDimensionNumbers | ScatterDimensionNumbers) -> None:
        self.builder = RuleBuilder(op)
        self.index_vector = numbers.index_vector_dim
        if isinstance(numbers, GatherDimensionNumbers):
            self.window = numbers.offset_dims
            self.collapsed = numbers.collapsed_slice_dims
            self.input_batching = numbers.operand_batching_dims
            self.indices_batching = numbers.start_indices_batching_dims
            self.input, self.indices, self.slices = operand_shape(op, 0), operand_shape(op, 1), result_shape(op)
        else:
            num_inputs = len(op.results)
            self.window = numbers.update_window_dims
            self.collapsed = numbers.inserted_window_dims
            self.input_batching = numbers.input_batching_dims
            self.indices_batching = numbers.scatter_indices_batching_dims
            self.input, self.indices = operand_shape(op, 0), operand_shape(op, num_inputs)
            self.slices = operand_shape(op, num_inputs + 1)
        self.window_dims = numbers.window_dims(len(self.input))

    def rule(self) -> OpShardingRule:
        """Factors of the slices' dimensions in order, of the collapsed dimensions, of the index vector."""
        window_dims = iter(self.window_dims)
        batch_dims = iter(dim for dim in range(len(self.indices)) if dim != self.index_vector)
        for slices_dim in range(len(self.slices)):
            if slices_dim in self.window:
                self.add_window(next(window_dims), slices_dim)
            else:
                self._add_batch(next(batch_dims), slices_dim)
        for dim in self.collapsed:
            self.add(self.input[dim], self.collapsed_kind(dim), input_dim=dim)
        if self.index_vector < len(self.indices):
            size = self.indices[self.index_vector]
            self.add(size, NEED_REPLICATION, indices_dim=self.index_vector)
        return self.builder.build()

    def _add_batch(self, indices_dim: int, slices_dim: int) -> None:
        batching = dict(zip(self.indices_batching, self.input_batching, strict=True))
        input_dim = batching.get(indices_dim, NULL)
        kind = self.batch_kind() if input_dim == NULL else PASS_THROUGH
        self.add(self.slices[slices_dim], kind, input_dim=input_dim, indices_dim=indices_dim, slices_dim=slices_dim)

    def add(
        self,
        size: int,
        kind: FactorKind = PASS_THROUGH,
        *,
        input_dim: int = NULL,
        indices_dim: int = NULL,
        slices_dim: int = NULL,
        blocked: bool = False,
    ) -> None:
        """One factor in these dimensions."""
        self.builder.add(*self.places(input_dim, indices_dim, slices_dim), size, kind, blocked=blocked)

    def places(self, input_dim: int, indices_dim: int, slices_dim: int) -> tuple[list[int], list[int]]:
        """These dimensions, of the operands and of the results."""
        raise NotImplementedError

    def add_window(self, input_dim: int, slices_dim: int) -> None:
        """The factors of a window dimension, which pass through if the window spans the whole dimension."""
        raise NotImplementedError

    def batch_kind(self) -> FactorKind:
        """The kind of a dimension of the indices that is not one of the input."""
        raise NotImplementedError

    def collapsed_kind(self, input_dim: int) -> FactorKind:
        """The kind of a dimension of the input that does not show in the slices."""
        raise NotImplementedError


class _Gather(_Indexing):
    """Picking single elements out of a sharded dimension is a sum over the devices: all but one contribute zero."""

    def places(self, input_dim: int, indices_dim: int, slices_dim: int) -> tuple[list[int], list[int]]:
        return [input_dim, indices_dim], [slices_dim]

    def add_window(self, input_dim: int, slices_dim: int) -> None:
        whole, part = self.input[input_dim], self.slices[slices_dim]
        if whole == part:
            self.add(whole, input_dim=input_dim, slices_dim=slices_dim)
        elif part == 1:
            self.add(whole, REDUCTION, input_dim=input_dim)
            self.add(part, NEED_REPLICATION, slices_dim=slices_dim)
        else:
            self.add(whole, NEED_REPLICATION, input_dim=input_dim, slices_dim=slices_dim, blocked=True)

    def batch_kind(self) -> FactorKind:
        return PASS_THROUGH

    def collapsed_kind(self, input_dim: int) -> FactorKind:
        return NEED_REPLICATION if self.input[input_dim] == 1 else REDUCTION


class _Scatter(_Indexing):
    """Updates that combine by a known reduction may be spread over devices."""

    def __init__(self, op: Operation, numbers: ScatterDimensionNumbers) -> None:
        super().__init__(op, numbers)
        self._num_inputs = len(op.results)
        self._batch_kind = REDUCTION if combining_operation(op.regions[0], self._num_inputs) else NEED_REPLICATION

    def places(self, input_dim: int, indices_dim: int, slices_dim: int) -> tuple[list[int], list[int]]:
        inputs, updates = [input_dim] * self._num_inputs, [slices_dim] * self._num_inputs
        return [*inputs, indices_dim, *updates], inputs

    def add_window(self, input_dim: int, slices_dim: int) -> None:
        whole, part = self.input[input_dim], self.slices[slices_dim]
        if whole == part:
            self.add(whole, input_dim=input_dim, slices_dim=slices_dim)
        else:
            self.add(whole, NEED_REPLICATION, input_dim=input_dim)
            self.add(part, NEED_REPLICATION, slices_dim=slices_dim)

    def batch_kind(self) -> FactorKind:
        return self._batch_kind

    def collapsed_kind(self, input_dim: int) -> FactorKind:
        return PASS_THROUGH
