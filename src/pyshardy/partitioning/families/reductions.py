"""Localizes ``reduce``: each device reduces its shard, then the devices combine their partial results.

If the reducer is a single known operation, partial results are combined by a collective with the same reducer. For any
other reducer (several operands, an argmax) they are gathered and reduced once more. Padding is overwritten by the
neutral element first.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.sdy.names import CONSTANTS
from pyshardy.emitting.builder import i64_array, tensor_type
from pyshardy.emitting.coordinates import is_first
from pyshardy.emitting.layout import Layout
from pyshardy.emitting.reducers import is_neutral, neutral_elements, reduction_of_result
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.attributes import EMPTY_DICTIONARY
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.strategy_problem import Strategy
from pyshardy.rules.properties import integers
from pyshardy.sharding.rule import OpShardingRule


@localizes("stablehlo.reduce")
def _reduce(site: Site) -> list[Sharded]:
    rule = site.rule()
    if rule is None:
        return site.fall_back()
    kinds = _kinds(site)
    # Partial results of an unknown reducer are gathered and reduced again, each with the initial value: it has to be a
    # constant, which is then taken to be neutral.
    shared = kinds is not None or all(map(_is_constant, site.op.operands[len(site.op.results) :]))
    strategy = site.strategy(rule, reduction=(kinds[0] if kinds else "max") if shared else None)
    if strategy is None:
        return site.fall_back()
    if not strategy.factor_axes(rule.reduction_factors):
        return site.emit(list(map(site.reshard, site.operands, strategy.operands)), strategy.results)
    if kinds is not None:
        return _by_known_operations(site, strategy, kinds)
    return _by_gathered_partials(site, strategy, rule)


def _kinds(site: Site) -> list[str] | None:
    """The reduction of each result, if the body computes the results independently by operations with neutral
    elements."""
    kinds = []
    for index in range(len(site.op.results)):
        kind = reduction_of_result(site.op.regions[0], index, len(site.op.results))
        if kind is None or neutral_elements(kind, TensorType((), site.operands[index].element)) is None:
            return None
        kinds.append(kind)
    return kinds


def _is_constant(value: Value) -> bool:
    producer = value.defining_op
    return producer is not None and producer.name in CONSTANTS


def _inputs(site: Site, strategy: Strategy, fills: Sequence[DenseElementsAttr | Value]) -> list[Sharded]:
    """The operands in the layouts of ``strategy``, with the padding of reduced dimensions overwritten by ``fills``."""
    operands = list(map(site.reshard, site.operands, strategy.operands))
    reduced = list(integers(site.op, "dimensions"))
    for index, fill in enumerate(fills):
        operands[index] = site.mask(operands[index], fill, reduced)
    return operands


def _by_known_operations(site: Site, strategy: Strategy, kinds: list[str]) -> list[Sharded]:
    """Each device reduces its shard; the results stay unreduced by the reductions ``kinds``."""
    builder, count = site.builder, len(kinds)
    neutral = [_neutral(kind, operand) for kind, operand in zip(kinds, site.operands, strict=False)]
    assert strategy.mesh is not None
    operands = _inputs(site, strategy, neutral)
    for index in range(count):
        init = operands[count + index]
        nothing = _neutral(kinds[index], init)
        if not is_neutral(site.origin(site.op.operands[count + index]), nothing):
            # The initial value must count once: one device starts from it, the others from the neutral element.
            first = is_first(builder, strategy.mesh, strategy.results[0].unreduced)
            begin = builder.select(first, init.value, builder.splat_of(nothing))
            operands[count + index] = Sharded(begin, init.type, init.layout)
    layouts = [
        Layout(layout.mesh, layout.dims, layout.unreduced, kind)
        for layout, kind in zip(strategy.results, kinds, strict=True)
    ]
    return site.emit(operands, layouts)


def _neutral(kind: str, sharded: Sharded) -> DenseElementsAttr:
    neutral = neutral_elements(kind, TensorType((), sharded.element))
    assert neutral is not None
    return neutral


def _by_gathered_partials(site: Site, strategy: Strategy, rule: OpShardingRule) -> list[Sharded]:
    """Each device reduces its shard; the partial results are gathered and reduced again."""
    builder, mesh = site.builder, strategy.mesh
    assert mesh is not None
    count = len(site.op.results)
    inits = [site.replicate(operand) for operand in site.operands[count:]]
    operands = _inputs(site, strategy, [init.value for init in inits])
    layouts = [Layout(mesh, layout.dims) for layout in strategy.results]
    partials = site.emit(operands, layouts)
    axes = strategy.factor_axes(rule.reduction_factors)
    gathered: list[Value] = []
    types = []
    for partial in partials:
        type = tensor_type(partial.value)
        stacked = builder.reshape(partial.value, (1, *type.shape))
        gathered.append(site.collectives.all_gather(stacked, 0, mesh, axes))
        types.append(type)
    made = builder.create(
        site.op.name,
        [*gathered, *(init.value for init in inits)],
        types,
        {"dimensions": i64_array([0])},
        EMPTY_DICTIONARY,
        site.regions(),
    )
    return [site.result(index, value, layouts[index]) for index, value in enumerate(made.results)]
