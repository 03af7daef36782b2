"""Localizes operations by their sharding rules: the default for all operations without a localizer of their own.

Elementwise operations, and those in ``_PROPERTIES``, may be sharded along the pass-through factors of their rules; the
local operation is the global one on smaller tensors, with adapted properties where these contain sizes. Operations of
foreign dialects are sharded along the pass-through factors of a rule that they carry or that somebody has registered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pyshardy.emitting.layout import Layout, local_shape, rank_of, shards_scales
from pyshardy.emitting.reducers import OPERATIONS, neutral_elements
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.attributes import DenseArrayAttr, DictionaryAttr
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation
from pyshardy.ir.registry import is_ours
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.strategy_problem import Strategy
from pyshardy.rules.builder import pointwise_rule
from pyshardy.rules.properties import integer
from pyshardy.sharding.rule import OpShardingRule, TensorMapping

_Shape = tuple[int, ...]
_Adapt = Callable[[Operation, Sequence[_Shape], Sequence[_Shape]], DictionaryAttr]


def _unchanged(op: Operation, operands: Sequence[_Shape], results: Sequence[_Shape]) -> DictionaryAttr:
    return op.properties


def _broadcast(op: Operation, operands: Sequence[_Shape], results: Sequence[_Shape]) -> DictionaryAttr:
    new = len(results[0]) - len(operands[0])
    found = op.properties.get("broadcast_sizes")
    if not isinstance(found, DenseArrayAttr):
        return op.properties
    return op.properties.with_("broadcast_sizes", DenseArrayAttr(found.element_type, results[0][:new]))


def _shape(value: object) -> _Shape:
    return tuple(getattr(getattr(value, "type", None), "shape", ()))


_PROPERTIES: dict[str, _Adapt] = {
    "stablehlo.bitcast_convert": _unchanged,
    "stablehlo.broadcast": _broadcast,
    "stablehlo.broadcast_in_dim": _unchanged,
    "stablehlo.cholesky": _unchanged,
    "stablehlo.fft": _unchanged,
    "stablehlo.reshape": _unchanged,
    "stablehlo.sort": _unchanged,
    "stablehlo.transpose": _unchanged,
    "stablehlo.triangular_solve": _unchanged,
}
"""Operations that may be sharded along the pass-through factors of their rules, and how their properties are
adapted."""


def _sorted_dim(op: Operation) -> Iterable[int]:
    rank = len(_shape(op.operands[0]))
    return (integer(op, "dimension", -1) % rank,) if rank else ()


_WHOLE_DIMS: dict[str, Callable[[Operation], Iterable[int]]] = {
    "stablehlo.sort": _sorted_dim,
}
"""Dimensions of operand 0 that an operation needs whole although its rule lets them pass."""


_RESHAPES = frozenset({"stablehlo.bitcast_convert", "stablehlo.reshape"})


def _whole_factors(op: Operation, rule: OpShardingRule) -> Sequence[int]:
    """The factors that may not be sharded although the rule lets them pass."""
    if op.name in _RESHAPES:
        # The rule does not say where the elements along such a factor are on the other side of the reshape.
        common = {factor for factors in rule.operand_mappings[0] for factor in factors}
        return [factor for factor in range(rule.num_factors) if factor not in common]
    whole_dims = _WHOLE_DIMS.get(op.name)
    return [factor for dim in whole_dims(op) for factor in rule.operand_mappings[0][dim]] if whole_dims else ()


def reshape_strategy(site: Site) -> Strategy | None:
    """The strategy by which ``localize_by_rule`` localizes a reshape; None if it has no rule."""
    rule = site.rule()
    return None if rule is None else site.strategy(rule, replicated=_whole_factors(site.op, rule))


def localize_by_rule(site: Site) -> list[Sharded]:
    """The operation, sharded along the factors of its rule in the cheapest way."""
    op = site.op
    adapt = _PROPERTIES.get(op.name)
    if adapt is None:
        if op.definition is None or not is_ours(op.name):
            return _localize_foreign(site)
        if not op.traits & ELEMENTWISE:
            return site.fall_back()
        adapt = _unchanged
    rule = site.rule()
    if rule is None and op.traits & ELEMENTWISE:
        rule = pointwise_rule(op)
    if rule is None:
        return site.fall_back()
    strategy = site.strategy(rule, replicated=_whole_factors(op, rule))
    if strategy is None:
        return site.fall_back()
    operands = list(map(site.reshard, site.operands, strategy.operands))
    if adapt is _unchanged:
        return site.emit(operands, strategy.results)
    shapes = [local_shape(_shape(result), layout) for result, layout in zip(op.results, strategy.results, strict=True)]
    return site.emit(operands, strategy.results, adapt(op, [operand.local_shape for operand in operands], shapes))


def _localize_foreign(site: Site) -> list[Sharded]:
    """An operation of a foreign dialect, sharded along the pass-through factors of its rule, and along its reduction
    factors if its row says how partial results combine."""
    row, rule = site.op.definition, site.declared_rule()
    combines = row.combines if row is not None else None
    if rule is None or combines is None or not rule.reduction_factors:
        return share_along(site, rule)
    kind = combines if isinstance(combines, str) else combines(site.op)
    if kind is None:
        return share_along(site, rule)
    if kind not in OPERATIONS:
        raise ValueError(f"combines is {kind!r}, one of {', '.join(sorted(OPERATIONS))} is expected")
    strategy = site.strategy(rule, replicated=_result_only_factors(rule), reduction=kind)
    if strategy is None:
        return site.fall_back()
    operands = []
    for operand, layout, mapping in zip(site.operands, strategy.operands, rule.operand_mappings, strict=True):
        there, dims = site.reshard(operand, layout), _dims_of(mapping, rule.reduction_factors)
        fill = neutral_elements(kind, TensorType((), operand.element)) if dims else None
        operands.append(there if fill is None else site.mask(there, fill, dims))
    return site.emit(operands, strategy.results)


def _result_only_factors(rule: OpShardingRule) -> list[int]:
    """The factors that no operand has."""
    taken = {factor for mapping in rule.operand_mappings for factors in mapping for factor in factors}
    return [factor for factor in range(rule.num_factors) if factor not in taken]


def _dims_of(mapping: TensorMapping, factors: Iterable[int]) -> list[int]:
    wanted = set(factors)
    return [dim for dim, own in enumerate(mapping) if wanted.intersection(own)]


def share_along(site: Site, rule: OpShardingRule | None) -> list[Sharded]:
    """The operation, sharded along the pass-through factors of ``rule`` that all results and some operand have. Without
    a rule every device computes the whole."""
    if rule is None:
        return site.fall_back()
    strategy = site.strategy(rule, replicated=_result_only_factors(rule))
    if strategy is None:
        return site.fall_back()
    return site.emit(list(map(site.reshard, site.operands, strategy.operands)), strategy.results)


def elementwise_without_reshard(site: Site) -> list[Sharded] | None:
    """The operation, if all operands but scalars have one layout, and the result is requested in no other; None
    otherwise."""
    op = site.op
    if len(op.results) != 1:
        return None
    layout: Layout | None = None
    for operand in site.operands:
        if not rank_of(operand.type):
            if operand.layout.mesh is not None:
                return None
        else:
            if layout is None:
                layout = operand.layout
            elif operand.layout is not layout:
                return None
    if layout is None or layout.unreduced or site.requested[0] not in (None, layout):
        return None
    if rank_of(op.results[0].type) != layout.rank or shards_scales(op.results[0].type, layout):
        return None
    return site.emit(site.operands, (layout,))
