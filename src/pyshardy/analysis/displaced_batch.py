"""Finds activations that are sharded along an axis by a dimension of a weight, where the batch should have the axis.

Under fully sharded data parallelism the batch and the weights share an axis. Where they conflict, only one of them
keeps it; if that is the weight, each layer moves its activations. This file follows the first dimension of the data
through the program by the sharding rules. Where an activation has the axis along a dimension that comes from a weight,
and not along that of the batch, collectives along the axis are attributed to that. ``report.plan_summary`` prints it as
a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pyshardy.dialects.control_flow import WITH_OPERANDS_INSIDE
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy.names import HANDED_ON
from pyshardy.dialects.sdy.placement import function_argument_sharding, sharding_of
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.types import FloatType, IntegerType, TensorType, size_in_bytes
from pyshardy.partitioning.plan import Plan
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding

_WORTH_SAYING = 0.25
"""The least fraction of all bytes that such collectives must move to be reported."""


@dataclass(frozen=True)
class DisplacedBatch:
    """The batch has lost ``axis``: ``tensor`` is the first tensor of the program in which ``dimension``, which comes
    from ``weight``, has the axis, and ``batch_dimension`` has not. ``bytes`` are those that a device receives in a run
    in ``collectives`` of such tensors, ``all_bytes`` those of the whole plan."""

    axis: str
    tensor: Value
    dimension: int
    batch_dimension: int
    weight: Value
    bytes: float
    all_bytes: float
    collectives: tuple[Collective, ...] = field(repr=False)


def displaced_batches(plan: Plan) -> list[DisplacedBatch]:
    """The axes that the batch has lost to weights, if their collectives move a large part of all bytes."""
    all_bytes = sum(one.run_bytes for one in plan.collectives)
    along: dict[str, list[Collective]] = {}
    for one in plan.collectives:
        for axis in one.axes:
            along.setdefault(axis.name, []).append(one)
    heavy = {axis for axis, found in along.items() if _bytes(found) >= _WORTH_SAYING * max(all_bytes, 1)}
    module = plan.correspondence.module.op
    main = functions_by_name(module)[plan.entry]
    data = [(argument, axes & heavy) for argument, axes in _data(main) if axes & heavy]
    if not data:
        return []
    batch = _Batch(module, data)
    found = []
    for name in sorted({name for _, axes in data for name in axes}):
        first = next(batch.lost_to_weights(name), None)
        if first is not None:
            those = [one for one in along[name] if one.cause is not None and batch.is_lost_at(one.cause, name)]
            moved = _bytes(those)
            if moved >= _WORTH_SAYING * all_bytes:
                found.append(DisplacedBatch(name, *first, moved, all_bytes, tuple(those)))
    return found


def _bytes(collectives: Iterable[Collective]) -> float:
    return sum(one.run_bytes for one in collectives)


def _data(main: Operation) -> Iterator[tuple[BlockArgument, frozenset[str]]]:
    """The arguments that are data and not weights, with the axes of their first dimension: integers, arguments of the
    same length and sharding, and, in a program that returns weights or their gradients, arguments without a result of
    their type."""
    returned = {value.type for value in main.body.terminator.operands}
    sharded = []
    for argument in main.body.arguments:
        sharding = function_argument_sharding(main, argument.index)
        type = argument.type
        if isinstance(type, TensorType) and type.rank and sharding is not None and sharding.dims:
            axes = frozenset(axis.name for axis in sharding.dims[0].axes)
            if axes:
                sharded.append((argument, type, axes))
    integers = {(type.shape[0], axes) for _, type, axes in sharded if isinstance(type.element, IntegerType)}
    trains = any(isinstance(type.element, FloatType) and type in returned for _, type, _ in sharded)
    for argument, type, axes in sharded:
        is_like_integers = (type.shape[0], axes) in integers and type not in returned
        if isinstance(type.element, IntegerType) or is_like_integers or (trains and type not in returned):
            yield argument, axes


class _Batch:
    """The dimensions of values of ``module`` that come from the first dimension of ``data``, and the axes that the data
    had."""

    def __init__(self, module: Operation, data: Iterable[tuple[BlockArgument, frozenset[str]]]) -> None:
        self._functions = functions_by_name(module)
        self._rules = RuleTable()
        self._axes: dict[Value, dict[int, frozenset[str]]] = {}
        self._calls: dict[str, list[Operation]] = {}
        self._lost_at: dict[tuple[Operation, str], bool] = {}
        for op in module.operations():
            if op.name == "func.call":
                self._calls.setdefault(callee(op), []).append(op)
        self._waiting: list[Value] = []
        self._order: dict[Operation, None] = {}
        for argument, axes in data:
            self._mark(argument, 0, axes)
        while self._waiting:
            value = self._waiting.pop()
            for op, index in list(value.uses):
                self._order[op] = None
                for other, dim in self._mapped_dims(value, op, index):
                    self._mark(other, dim[1], self._axes[value][dim[0]])
        places = {op: place for place, op in enumerate(module.operations())}
        self._reached = sorted(self._order, key=places.__getitem__)

    def _mark(self, value: Value, dim: int, axes: frozenset[str]) -> None:
        known = self._axes.setdefault(value, {})
        if not axes <= known.get(dim, frozenset()):
            known[dim] = known.get(dim, frozenset()) | axes
            self._waiting.append(value)

    def _mapped_dims(self, value: Value, op: Operation, index: int) -> Iterator[tuple[Value, tuple[int, int]]]:
        """The values and dimensions that the marked dimensions of ``value``, operand ``index`` of ``op``, become."""
        same = [(dim, dim) for dim in self._axes[value]]
        for other in self._forwarded(op, index):
            yield from ((other, pair) for pair in same)
        rule = self._rules.rule(op) if op.results else None
        if rule is None or index >= len(rule.operand_mappings):
            return
        for dim in list(self._axes[value]):
            mapping = rule.operand_mappings[index]
            factors = mapping[dim] if dim < len(mapping) else ()
            for result, dims in zip(op.results, rule.result_mappings, strict=False):
                for place, there in enumerate(dims):
                    if factors and there and there[0] == factors[0]:
                        yield result, (dim, place)

    def _forwarded(self, op: Operation, index: int) -> Iterator[Value]:
        """The values that operand ``index`` of ``op`` becomes unchanged: arguments of regions and functions, and their
        results."""
        if op.name == "func.call":
            function = self._functions.get(callee(op))
            if function is not None and function.regions[0].blocks:
                yield function.body.arguments[index]
        elif op.name == "func.return":
            function = op.parent_op
            for call in self._calls.get((function.symbol_name if function is not None else None) or "", ()):
                yield call.results[index]
        elif op.name in HANDED_ON:
            yield op.results[index]
        elif op.name in WITH_OPERANDS_INSIDE:
            for region in op.regions:
                yield from region.blocks[0].arguments[index : index + 1]
            if op.name == "stablehlo.while":
                yield op.results[index]
        elif op.name in ("stablehlo.return", "sdy.return"):
            around = op.parent_op
            if around is not None and index < len(around.results):
                yield around.results[index]
                if around.name == "stablehlo.while":
                    for region in around.regions:
                        yield region.blocks[0].arguments[index]

    # --- lost axes ----------------------------------------------------------------------------------------------------

    def lost_to_weights(self, axis: str) -> Iterator[tuple[Value, int, int, Value]]:
        """The tensors, in the order of the program, that have ``axis`` along a dimension from a smaller weight and not
        along that of the batch: the tensor, this dimension, the dimension of the batch, the weight."""
        for op in self._reached:
            rule = self._rules.rule(op) if op.results and len(op.operands) > 1 else None
            if rule is None:
                continue
            values = [*op.operands, *op.results[:1]]
            for value, mapping in zip(values, rule.tensor_mappings, strict=False):
                lost = self._lost(value, axis)
                place = _place(sharding_of(value), axis) if lost is not None else None
                if lost is None or place is None or not mapping[place]:
                    continue
                weight = self._weight(op, rule, mapping[place][0], axis)
                if weight is not None and _size(weight) < _size(value):
                    yield value, place, lost, weight

    def _weight(self, op: Operation, rule: OpShardingRule, factor: int, axis: str) -> Value | None:
        """The operand of ``op`` without a batch that has ``axis`` along ``factor``. None if all tensors have the
        factor: batch dimensions such as experts are sharded like that on purpose."""
        if all(any(factor in dim for dim in mapping) for mapping in rule.tensor_mappings):
            return None
        for value, mapping in zip(op.operands, rule.operand_mappings, strict=False):
            place = _place(sharding_of(value), axis)
            if value not in self._axes and place is not None and factor in mapping[place]:
                return value
        return None

    def is_lost_at(self, op: Operation, axis: str) -> bool:
        """Whether an operand or a result of ``op`` has lost ``axis`` of its batch."""
        # What a function returns may cause thousands of collectives.
        known = self._lost_at.get((op, axis))
        if known is None:
            known = any(self._lost(value, axis) is not None for value in (*op.operands, *op.results))
            self._lost_at[op, axis] = known
        return known

    def _lost(self, value: Value, axis: str) -> int | None:
        """The dimension of the batch, if it is not sharded along ``axis`` although the data were."""
        for dim, axes in self._axes.get(value, {}).items():
            if axis in axes:
                sharding = sharding_of(value)
                if sharding is None or all(one.name != axis for one in sharding.dims[dim].axes):
                    return dim
        return None


def _place(sharding: TensorSharding | None, axis: str) -> int | None:
    """The dimension that is sharded along ``axis``."""
    dims = sharding.dims if sharding is not None else ()
    return next((place for place, dim in enumerate(dims) if any(one.name == axis for one in dim.axes)), None)


def _size(value: Value) -> float:
    return size_in_bytes(value.type) if isinstance(value.type, TensorType) else 0
