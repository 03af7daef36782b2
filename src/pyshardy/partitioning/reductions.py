"""Localizes ``reduce``: each device reduces what it has, then the devices combine.

A reducer that is one known operation leaves terms to be combined by a collective with the same body. For any other
(several operands, an argmax) the partial results are gathered and reduced once more. Padding becomes neutral first.
Registers with ``registry``.
"""

from __future__ import annotations

from pyshardy.ir.attributes import EMPTY_DICTIONARY
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.builder import i64_array, tensor_type
from pyshardy.partitioning.coordinates import is_first
from pyshardy.partitioning.layout import Layout, Sharded, local_shape
from pyshardy.partitioning.reducers import neutral_elements, reduction_kind
from pyshardy.partitioning.registry import localizes
from pyshardy.partitioning.site import Site
from pyshardy.partitioning.strategy import Strategy
from pyshardy.rules.properties import integers
from pyshardy.sharding.rule import OpShardingRule


@localizes("stablehlo.reduce")
def _reduce(site: Site) -> list[Sharded]:
    rule = site.rule()
    if rule is None:
        return site.fall_back()
    kind = reduction_kind(site.op.regions[0]) if len(site.op.results) == 1 else None
    if kind is not None and neutral_elements(kind, TensorType((), site.operands[0].element)) is None:
        kind = None
    strategy = site.strategy(rule, reduction=kind or "max")
    if strategy is None:
        return site.fall_back()
    axes = strategy.factor_axes(rule.reduction_factors)
    if not axes:
        return _in_one_go(site, strategy, _inputs(site, strategy, None))
    if kind is not None:
        return _by_known_operation(site, strategy, kind)
    return _by_gathered_partials(site, strategy, rule)


def _inputs(site: Site, strategy: Strategy, fills: list[DenseElementsAttr | Value] | None) -> list[Sharded]:
    """The operands as the strategy wants them, with the padding of reduced dimensions overwritten by ``fills``."""
    operands = list(map(site.reshard, site.operands, strategy.operands))
    if fills is None:
        return operands
    reduced = list(integers(site.op, "dimensions"))
    for index, fill in enumerate(fills):
        operands[index] = site.mask(operands[index], fill, reduced)
    return operands


def _in_one_go(site: Site, strategy: Strategy, operands: list[Sharded]) -> list[Sharded]:
    return site.emit(operands, strategy.results)


def _by_known_operation(site: Site, strategy: Strategy, kind: str) -> list[Sharded]:
    builder = site.builder
    scalar = TensorType((), site.operands[0].element)
    neutral = neutral_elements(kind, scalar)
    assert neutral is not None and strategy.mesh is not None
    operands = _inputs(site, strategy, [neutral])
    if not is_neutral(site.op.operands[1], neutral):
        # The initial value counts once: one device begins with it, the others with nothing.
        first = is_first(builder, strategy.mesh, strategy.results[0].unreduced)
        begin = builder.select(first, operands[1].value, builder.splat_of(neutral))
        operands[1] = Sharded(begin, operands[1].type, operands[1].layout)
    return site.emit(operands, strategy.results)


def is_neutral(value: Value, neutral: DenseElementsAttr) -> bool:
    """Whether the global ``value`` is a constant that changes nothing; plus and minus zero are both that for a sum."""
    producer: Operation | None = value.defining_op
    if producer is None or producer.name not in ("stablehlo.constant", "sdy.constant"):
        return False
    found = producer.properties.get("value")
    if not isinstance(found, DenseElementsAttr) or not found.is_splat:
        return False
    return found.data == neutral.data or (found.splat_value == 0 and neutral.splat_value == 0)


def _by_gathered_partials(site: Site, strategy: Strategy, rule: OpShardingRule) -> list[Sharded]:
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


def local_result_shape(site: Site, index: int, layout: Layout) -> tuple[int, ...]:
    """The shape of result ``index`` on one device."""
    type = site.op.results[index].type
    assert isinstance(type, TensorType)
    return local_shape(type.shape, layout)
