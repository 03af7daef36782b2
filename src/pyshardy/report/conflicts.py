"""Finds operations whose operands and results have conflicting shardings, so that data has to move.

There are two kinds: two tensors of an operation disagree on the axes of a factor, or one axis shards two factors. It
uses the rules and the projection of propagation; ``sharding_summary`` lists the conflicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pyshardy.dialects.sdy import placement
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.source_location import source_location
from pyshardy.ir.source_text import Position
from pyshardy.ir.types import TensorType
from pyshardy.propagation.projection import TensorProjection, project
from pyshardy.propagation.transfer_function import Shardings, TransferFunction
from pyshardy.reading.tensor_names import TensorNames
from pyshardy.rules.builder import identity_rule
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.axes import AxisRef, axes_text, overlaps
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule, factor_symbol


@dataclass(frozen=True)
class Conflict:
    """A conflict at ``operation``: ``kind`` is ``disagreement`` (of tensors on a factor) or ``shared axis`` (of two
    factors); ``tensors`` has for each tensor its name and its axes, as text. ``scope`` is the scope of the operation,
    if the program has scopes."""

    operation: str
    position: Position
    scope: str
    kind: str
    factor: str
    tensors: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        shown = ", ".join(f"{name} {axes}" for name, axes in self.tensors)
        if self.kind == "disagreement":
            return f"factor {self.factor}: {shown}"
        return f"one axis for two factors, {self.factor}: {shown}"


class ConflictSummary(NamedTuple):
    """The conflicts of a program in its order, and how many operations sum over a sharded dimension."""

    conflicts: list[Conflict]
    sums: int


def find_conflicts(module: Operation, context: Context, names: TensorNames | None = None) -> ConflictSummary:
    """The conflicts in ``module``; ``names`` are the names of its tensors."""
    rules = RuleTable(chlo_rules=True)
    transfer = TransferFunction(placement.meshes(module))
    found: list[Conflict] = []
    sums = 0
    for op in module.walk():
        is_reduced = False
        for rule, shardings, labels in _relations(op, rules, names):
            common = transfer.common_mesh(shardings)
            if common is None or common[1].is_maximal:
                continue
            tensors = _projected(rule, shardings, common[1])
            is_reduced |= any(
                _axes(one, factor) for one in tensors for factor in rule.reduction_factors if factor in one.factors
            )
            found += _conflicts(op, context, rule, tensors, labels)
        sums += is_reduced
    return ConflictSummary(found, sums)


def _projected(rule: OpShardingRule, shardings: Shardings, mesh: Mesh) -> list[TensorProjection]:
    return [
        project(mapping, rule.factor_sizes, sharding, mesh)
        for mapping, sharding in zip(rule.tensor_mappings, shardings, strict=True)
    ]


def _relations(op: Operation, rules: RuleTable, names: TensorNames | None) -> Iterator[_Relation]:
    special = _WITHOUT_RULE.get(op.name)
    if special is not None:
        yield from special(op, names)
        return
    rule = rules.rule(op)
    if rule is None:
        return
    shardings = tuple(map(placement.sharding_of, (*op.operands, *op.results)))
    yield rule, shardings, _tensor_names(op, names)


def _returned(op: Operation, names: TensorNames | None) -> Iterator[_Relation]:
    """Each returned value is related to the function's result of the same number."""
    func = op.parent_op
    assert func is not None
    for index, value in enumerate(op.operands):
        if isinstance(value.type, TensorType) and value.type.has_static_shape:
            pair = (placement.sharding_of(value), placement.function_result_sharding(func, index))
            if pair[1] is not None:
                labels = [_label(f"returned value {index}", value, names), f"result {index}"]
                yield identity_rule(value.type.shape, 1, 1), pair, labels


def _resharded(op: Operation, names: TensorNames | None) -> Iterator[_Relation]:
    """A reshard is always a conflict, between its operand and its result."""
    value = op.operands[0]
    if isinstance(value.type, TensorType) and value.type.has_static_shape:
        pair = (placement.sharding_of(value), placement.sharding_of(op.results[0]))
        yield identity_rule(value.type.shape, 1, 1), pair, _tensor_names(op, names)


_Relation = tuple[OpShardingRule, Shardings, list[str]]
_WITHOUT_RULE: dict[str, Callable[[Operation, TensorNames | None], Iterator[_Relation]]] = {
    "func.return": _returned,
    "sdy.reshard": _resharded,
}


def _tensor_names(op: Operation, names: TensorNames | None) -> list[str]:
    operands = ["operand"] if len(op.operands) == 1 else [f"operand {i}" for i in range(len(op.operands))]
    results = ["result"] if len(op.results) == 1 else [f"result {i}" for i in range(len(op.results))]
    values = zip(operands + results, (*op.operands, *op.results), strict=True)
    return [_label(label, value, names) for label, value in values]


def _label(label: str, value: Value, names: TensorNames | None) -> str:
    """The role of ``value`` in its operation, and its name if it has one: ``operand 1 (params['w'])``."""
    name = names.name(value) if names is not None else ""
    return f"{label} ({name})" if name and not name.startswith("%") else label


def _conflicts(
    op: Operation, context: Context, rule: OpShardingRule, tensors: list[TensorProjection], names: list[str]
) -> Iterator[Conflict]:
    name, position, scope = op.name, context.position(op.location), source_location(op.location, context).inner_scope
    for factor in range(rule.num_factors):
        having = [(label, tensor) for label, tensor in zip(names, tensors, strict=True) if factor in tensor.factors]
        if len({tuple(_axes(tensor, factor)) for _, tensor in having}) > 1:
            rows = tuple((label, axes_text(_axes(tensor, factor))) for label, tensor in having)
            yield Conflict(name, position, scope, "disagreement", factor_symbol(factor), rows)
    for symbols, rows in _shared_axes(tensors, names):
        yield Conflict(name, position, scope, "shared axis", symbols, rows)


def _axes(tensor: TensorProjection, factor: int) -> list[AxisRef]:
    sharding = tensor.factors[factor]
    return [*sharding.axes, *sharding.overflow]


def _shared_axes(
    tensors: list[TensorProjection], names: list[str]
) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """Pairs of factors that one axis shards, and the tensor that has it for each."""
    uses: list[tuple[int, str, AxisRef]] = [
        (factor, label, axis)
        for label, tensor in zip(names, tensors, strict=True)
        for factor in tensor.factors
        for axis in _axes(tensor, factor)
    ]
    seen = set()
    for index, (factor, label, axis) in enumerate(uses):
        for other_factor, other_label, other in uses[index + 1 :]:
            pair = (min(factor, other_factor), max(factor, other_factor))
            if factor == other_factor or pair in seen or not overlaps(axis, other):
                continue
            seen.add(pair)
            rows = ((label, axes_text([axis])), (other_label, axes_text([other])))
            symbols = f"{factor_symbol(pair[0])} and {factor_symbol(pair[1])}"
            yield symbols, rows
