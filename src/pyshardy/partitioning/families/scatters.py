"""Localizes ``scatter``: each device writes the updates that fall into its shard, or scatters its shard of the updates.

If the input is sharded along an indexed dimension, indices are reduced by the offset of the shard, and the operation
drops those that are out of bounds then. If the updates are sharded, and combine by a known reduction, each device
scatters its own into neutral elements; the partial results are combined by a collective, and then with the input.
Updates that overwrite, or combine by an unknown function, have to be whole. ``gathers`` works alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pyshardy.dialects.stablehlo.attributes import ScatterDimensionNumbers
from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.coordinates import offset
from pyshardy.emitting.known_sizes import has_fixed_sizes
from pyshardy.emitting.layout import Layout, local_type
from pyshardy.emitting.reducers import OPERATIONS, is_neutral, neutral_elements, reduction_kind
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.layouts.reshard import reshard_bytes
from pyshardy.partitioning.localizing.index_columns import constant_components, iota_dims
from pyshardy.partitioning.localizing.indexing import IndexVectors, holds, is_signed, wider
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.cost_weights import BYTES_PER_LOOKUP
from pyshardy.partitioning.strategies.strategy_problem import Strategy
from pyshardy.rules.builder import NEED_REPLICATION, NULL, PASS_THROUGH, REDUCTION, RuleBuilder, operand_shape
from pyshardy.sharding.rule import FactorKind, OpShardingRule


class _Parts(NamedTuple):
    """The operands of a scatter by their roles."""

    inputs: list[Sharded]
    indices: Sharded
    updates: list[Sharded]


@localizes("stablehlo.scatter")
def _scatter(site: Site) -> list[Sharded]:
    """Takes the cheaper of two strategies: updates are whole, and each device applies those that fall into its shard;
    or updates are sharded, and devices combine partial results."""
    op = site.op
    numbers = op.properties.get("scatter_dimension_numbers")
    count = len(op.results)
    if not isinstance(numbers, ScatterDimensionNumbers) or not has_fixed_sizes(op) or 0 in operand_shape(op, count + 1):
        return site.fall_back()
    rule = _rule(site, numbers)
    batch = rule.reduction_factors
    also = [site.other_layouts_needed(index) for index in range(count)]
    plain = site.strategy(rule, replicated=batch, work=BYTES_PER_LOOKUP, also=also)
    kind = _combining_kind(site)
    if kind is not None:
        combining = _combining_strategy(site, rule, kind)
        if combining is not None and (plain is None or _total_bytes(site, combining, kind) < plain.bytes):
            return _emit_partial_sums(site, numbers, combining, kind)
    if plain is None:
        return site.fall_back()
    return _emit(site, numbers, _parts(site, plain), plain.results, rule)


def _enumerated_dims(site: Site, numbers: ScatterDimensionNumbers) -> dict[int, int]:
    """The dimensions of the indices along which the index vectors enumerate the rows of the input, each with that
    dimension of the input."""
    count = len(site.op.results)
    inserted = [dim for dim in numbers.scatter_dims_to_operand_dims if dim in numbers.inserted_window_dims]
    if len(inserted) != len(set(inserted)):
        return {}
    found = iota_dims(
        site.op.operands[count],
        numbers.index_vector_dim,
        numbers.scatter_dims_to_operand_dims,
        operand_shape(site.op, 0),
        site.origin,
    )
    taken = numbers.scatter_indices_batching_dims
    return {one: dim for one, dim in found.items() if dim in inserted and one not in taken}


def _window_starts(site: Site, numbers: ScatterDimensionNumbers) -> dict[int, int | None]:
    """For each indexed dimension of the input the start of all windows, None if that is not one constant."""
    dims = numbers.scatter_dims_to_operand_dims
    if all(dim in numbers.inserted_window_dims for dim in dims):
        return dict.fromkeys(dims)
    indices = site.op.operands[len(site.op.results)]
    found = constant_components(indices, numbers.index_vector_dim, len(dims), site.origin)
    return dict(zip(dims, found, strict=True))


def _rule(site: Site, numbers: ScatterDimensionNumbers) -> OpShardingRule:
    """How a scatter may be sharded. Whole windows (not indexed, or with start 0) and batching dimensions are
    pass-through factors, as are other indexed dimensions of the input in which windows have size 1. The remaining
    dimensions of the updates are reduction factors."""
    op, enumerated = site.op, _enumerated_dims(site, numbers)
    starts = _window_starts(site, numbers)
    count = len(op.results)
    shape, indices, updates = operand_shape(op, 0), operand_shape(op, count), operand_shape(op, count + 1)
    builder = RuleBuilder(op)

    def add(kind: FactorKind, size: int, inputs: int = NULL, indices: int = NULL, updates: int = NULL) -> None:
        builder.add([*([inputs] * count), indices, *([updates] * count)], [inputs] * count, size, kind)

    batching = dict(zip(numbers.scatter_indices_batching_dims, numbers.input_batching_dims, strict=True)) | enumerated
    windowed = numbers.window_dims(len(shape))
    batch_dims = [dim for dim in range(len(updates)) if dim not in numbers.update_window_dims]
    indices_dims = [dim for dim in range(len(indices)) if dim != numbers.index_vector_dim]
    for indices_dim, update_dim in zip(indices_dims, batch_dims, strict=True):
        own = batching.get(indices_dim, NULL)
        add(REDUCTION if own == NULL else PASS_THROUGH, updates[update_dim], own, indices_dim, update_dim)
    for dim, update_dim in zip(windowed, numbers.update_window_dims, strict=True):
        indexed = dim in numbers.scatter_dims_to_operand_dims
        if updates[update_dim] == shape[dim] and (not indexed or starts[dim] == 0):
            add(PASS_THROUGH, shape[dim], dim, updates=update_dim)
            continue
        add(PASS_THROUGH if indexed and updates[update_dim] == 1 else NEED_REPLICATION, shape[dim], dim)
        add(NEED_REPLICATION, updates[update_dim], updates=update_dim)
    for dim in set(numbers.inserted_window_dims) - set(enumerated.values()):
        add(PASS_THROUGH if dim in numbers.scatter_dims_to_operand_dims else NEED_REPLICATION, shape[dim], dim)
    if numbers.index_vector_dim < len(indices):
        add(NEED_REPLICATION, indices[numbers.index_vector_dim], indices=numbers.index_vector_dim)
    return builder.build()


# --- partial sums -----------------------------------------------------------------------------------------------------


def _combining_kind(site: Site) -> str | None:
    """The reduction by which updates combine, if they may combine in any order, starting from a neutral element."""
    count = len(site.op.results)
    kind = reduction_kind(site.op.regions[0], count)
    if kind is None:
        return None
    for operand in site.operands[:count]:
        if neutral_elements(kind, TensorType((), operand.element)) is None:
            return None
    return kind


def _combining_strategy(site: Site, rule: OpShardingRule, kind: str) -> Strategy | None:
    """The best strategy that shards the updates, where the inputs are neutral elements, which need no communication."""
    count = len(site.op.results)
    anywhere = [Sharded(one.value, one.type, one.layout, recipe=_nowhere) for one in site.operands[:count]]
    strategy = site.run.strategies.choose(
        rule, [*anywhere, *site.operands[count:]], site.op, site.requested, frozenset(), kind, BYTES_PER_LOOKUP
    )
    if strategy is None or not strategy.factor_axes(rule.reduction_factors):
        return None
    return strategy


def _nowhere(layout: Layout) -> Sharded:
    raise AssertionError("strategies do not make tensors")


def _total_bytes(site: Site, strategy: Strategy, kind: str) -> float:
    """The bytes of ``strategy``, and those of resharding the inputs to the layouts in which the results are
    combined."""
    return strategy.bytes + sum(
        reshard_bytes(one, _final_layout(site, index, strategy, kind))
        for index, one in enumerate(site.operands[: len(site.op.results)])
    )


def _final_layout(site: Site, index: int, strategy: Strategy, kind: str) -> Layout:
    """The layout in which partial results and input are combined: the requested one, without unreduced axes of another
    reduction."""
    layout = site.requested_or(index, strategy.results[index].reduced())
    return layout if layout.reduction == kind else layout.reduced()


def _emit_partial_sums(site: Site, numbers: ScatterDimensionNumbers, strategy: Strategy, kind: str) -> list[Sharded]:
    """Scatters each device's updates into neutral elements, combines the partial results by a collective, and then with
    the inputs."""
    builder, count = site.builder, len(site.op.results)
    rule = _rule(site, numbers)
    neutral_inputs: list[Sharded] = []
    for operand, layout in zip(site.operands[:count], strategy.operands[:count], strict=True):
        type = local_type(operand.type, layout)
        assert isinstance(type, TensorType)
        neutral = neutral_elements(kind, type)
        assert neutral is not None
        neutral_inputs.append(Sharded(builder.splat_of(neutral), operand.type, layout))
    indices, *updates = map(site.reshard, site.operands[count:], strategy.operands[count:])
    partial_sums = _emit(site, numbers, _Parts(neutral_inputs, indices, updates), strategy.results, rule)
    results = []
    for index, (partial_sum, operand) in enumerate(zip(partial_sums, site.operands[:count], strict=True)):
        layout = _final_layout(site, index, strategy, kind)
        combined = site.reshard(partial_sum, layout)
        neutral = neutral_elements(kind, TensorType((), operand.element))
        assert neutral is not None
        if not _is_filled_with(site, site.op.operands[index], neutral):
            before = builder.convert(site.reshard(operand, layout).value, partial_sum.element)
            value = builder.binary(OPERATIONS[kind].removeprefix("stablehlo."), before, combined.value)
            combined = site.result(index, value, layout)
        results.append(combined)
    return results


def _is_filled_with(site: Site, value: Value, element: DenseElementsAttr) -> bool:
    """Whether the global ``value`` is a broadcast of that neutral element."""
    value = site.origin(value)
    producer: Operation | None = value.defining_op
    while producer is not None and producer.name in _SPREADING:
        value = site.origin(producer.operands[0])
        producer = value.defining_op
    return is_neutral(value, element)


_SPREADING = ("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.broadcast", "sdy.reshard")


# --- the local scatter ------------------------------------------------------------------------------------------------


def _parts(site: Site, strategy: Strategy) -> _Parts:
    count = len(site.op.results)
    operands = list(map(site.reshard, site.operands, strategy.operands))
    return _Parts(operands[:count], operands[count], operands[count + 1 :])


def _emit(
    site: Site,
    numbers: ScatterDimensionNumbers,
    parts: _Parts,
    layouts: Sequence[Layout],
    rule: OpShardingRule,
) -> list[Sharded]:
    """Emits the local scatter: indices relative to the shard, and padding of the updates out of bounds."""
    builder, (inputs, indices, updates) = site.builder, parts
    layout, shape, local = inputs[0].layout, inputs[0].shape, inputs[0].local_shape
    # A window as long as its dimension is sharded with it, and begins at 0 on every shard.
    along = rule.operand_mappings[len(inputs) + 1]
    windows = {factor for dim in numbers.update_window_dims for factor in along[dim]}
    moved = [
        (number, dim)
        for number, dim in enumerate(numbers.scatter_dims_to_operand_dims)
        if layout.counts[dim] > 1 and windows.isdisjoint(rule.operand_mappings[0][dim])
    ]
    # Padding along a batching dimension belongs to padding rows of the input: it needs no mask.
    batching = {factor for dim in numbers.input_batching_dims for factor in rule.operand_mappings[0][dim]}
    padded = [dim for dim in indices.padded_dims() if rule.operand_mappings[len(inputs)][dim][0] not in batching]
    properties = site.op.properties
    if indices.padded_dims():
        properties = properties.without("unique_indices", "indices_are_sorted")
    if not moved and not padded:
        return site.emit([*inputs, indices, *updates], layouts, properties)

    vectors = IndexVectors(builder, indices.value, numbers.index_vector_dim)
    largest = max((shape[dim] for dim in numbers.scatter_dims_to_operand_dims), default=1)
    if not holds(vectors.element, largest):
        vectors.widen(wider(largest))
    if not is_signed(vectors.element):
        properties = properties.without("indices_are_sorted")
    mesh = layout.mesh
    for number, dim in moved:
        assert mesh is not None
        vectors.move(number, offset(builder, mesh, layout.dims[dim], local[dim], vectors.element))
    if padded and numbers.scatter_dims_to_operand_dims:
        _move_padding_out_of_bounds(site, vectors, indices, padded, numbers, local)
    elif padded:
        updates = [_neutral_padding(site, one, numbers, rule, index) for index, one in enumerate(updates)]
    here = Sharded(vectors.joined(), indices.type, indices.layout)
    return site.emit([*inputs, here, *updates], layouts, properties)


def _move_padding_out_of_bounds(
    site: Site,
    vectors: IndexVectors,
    indices: Sharded,
    padded: Sequence[int],
    numbers: ScatterDimensionNumbers,
    local: Sequence[int],
) -> None:
    """Moves the padding of the indices behind the end of the input, where updates are dropped."""
    builder = site.builder
    inside: Value | None = None
    for dim in padded:
        one = site.resharder.inside(indices, dim)
        inside = one if inside is None else builder.binary("and", inside, one)
    assert inside is not None
    if numbers.index_vector_dim < indices.layout.rank:
        inside = builder.slice_dim(inside, numbers.index_vector_dim, 0, 1)
        inside = builder.reshape(inside, vectors.shape)
    component = vectors[0]
    end = builder.splat(local[numbers.scatter_dims_to_operand_dims[0]], tensor_type(component))
    vectors[0] = builder.select(inside, component, end)


def _neutral_padding(
    site: Site, update: Sharded, numbers: ScatterDimensionNumbers, rule: OpShardingRule, index: int
) -> Sharded:
    kind = reduction_kind(site.op.regions[0], len(site.op.results))
    neutral = neutral_elements(kind, TensorType((), update.element)) if kind is not None else None
    assert neutral is not None
    mapping = rule.operand_mappings[len(site.op.results) + 1 + index]
    dims = [dim for dim, factors in enumerate(mapping) if factors[0] in rule.reduction_factors]
    return site.mask(update, neutral, dims)
