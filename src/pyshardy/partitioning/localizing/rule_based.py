"""Localizes operations as their sharding rules say: the default for everything without a localizer of its own.

An elementwise operation, and each operation of ``_PROPERTIES``, may be shared along the pass-through factors of its
rule; the local operation is the global one on smaller tensors, with properties that name sizes adapted. Operations that
pyshardy does not know are shared along what their rule lets pass, if they carry one or somebody has registered it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pyshardy.emitting.layout import Layout, Sharded, local_shape, rank_of
from pyshardy.emitting.reducers import OPERATIONS, neutral_elements
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
"""Operations that may be shared along the pass-through factors of their rule, with what becomes of their properties."""


def _sorted_dim(op: Operation) -> Iterable[int]:
    rank = len(_shape(op.operands[0]))
    return (integer(op, "dimension", -1) % rank,) if rank else ()


_WHOLE_DIMS: dict[str, Callable[[Operation], Iterable[int]]] = {
    "stablehlo.sort": _sorted_dim,
}
"""Dimensions of operand 0 that an operation needs whole although its rule lets them pass."""


_RESHAPES = frozenset({"stablehlo.bitcast_convert", "stablehlo.reshape"})


def _whole_factors(op: Operation, rule: OpShardingRule) -> Sequence[int]:
    """The factors that may not be shared although the rule lets them pass."""
    if op.name in _RESHAPES:
        # A factor of one side only says nothing about where its elements are on the other.
        common = {factor for factors in rule.operand_mappings[0] for factor in factors}
        return [factor for factor in range(rule.num_factors) if factor not in common]
    whole_dims = _WHOLE_DIMS.get(op.name)
    return [factor for dim in whole_dims(op) for factor in rule.operand_mappings[0][dim]] if whole_dims else ()


def shared_reshape(site: Site) -> Strategy | None:
    """What ``localize_by_rule`` would do with a reshape; None if it has no rule."""
    rule = site.rule()
    return None if rule is None else site.strategy(rule, replicated=_whole_factors(site.op, rule))


def localize_by_rule(site: Site) -> list[Sharded]:
    """The operation, shared as its rule allows and as is cheapest."""
    op = site.op
    adapt = _PROPERTIES.get(op.name)
    if adapt is None:
        if op.definition is None or not is_ours(op.name):
            return _share_believed(site)
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


def _share_believed(site: Site) -> list[Sharded]:
    """An operation of a dialect from outside, along the factors of the rule that somebody gave it: the pass-through
    ones, and those that it reduces over if its row says how partial results combine."""
    row, rule = site.op.definition, site.believed_rule()
    combines = row.combines if row is not None else None
    if rule is None or combines is None or not rule.reduction_factors:
        return share_along(site, rule)
    kind = combines if isinstance(combines, str) else combines(site.op)
    if kind is None:
        return share_along(site, rule)
    if kind not in OPERATIONS:
        raise ValueError(f"combines is {kind!r}, one of {', '.join(sorted(OPERATIONS))} is expected")
    strategy = site.strategy(rule, replicated=_made_factors(rule), reduction=kind)
    if strategy is None:
        return site.fall_back()
    operands = []
    for operand, layout, mapping in zip(site.operands, strategy.operands, rule.operand_mappings, strict=True):
        there, dims = site.reshard(operand, layout), _dims_of(mapping, rule.reduction_factors)
        fill = neutral_elements(kind, TensorType((), operand.element)) if dims else None
        operands.append(there if fill is None else site.mask(there, fill, dims))
    return site.emit(operands, strategy.results)


def _made_factors(rule: OpShardingRule) -> list[int]:
    """The factors that no operand has."""
    taken = {factor for mapping in rule.operand_mappings for factors in mapping for factor in factors}
    return [factor for factor in range(rule.num_factors) if factor not in taken]


def _dims_of(mapping: TensorMapping, factors: Iterable[int]) -> list[int]:
    wanted = set(factors)
    return [dim for dim, own in enumerate(mapping) if wanted.intersection(own)]


def share_along(site: Site, rule: OpShardingRule | None) -> list[Sharded]:
    """The operation, shared along the pass-through factors of ``rule`` that every result and some operand has; computed
    whole by every device if there is no rule."""
    if rule is None:
        return site.fall_back()
    strategy = site.strategy(rule, replicated=_made_factors(rule))
    if strategy is None:
        return site.fall_back()
    return site.emit(list(map(site.reshard, site.operands, strategy.operands)), strategy.results)


def elementwise_in_place(site: Site) -> list[Sharded] | None:
    """The operation where everything lies as it should already: all operands that are no scalars in one layout, which
    the result wants too. None if that is not so."""
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
    if layout is None or layout.unreduced or site.wanted[0] not in (None, layout):
        return None
    if rank_of(op.results[0].type) != layout.rank:
        return None
    return site.emit(site.operands, (layout,))
