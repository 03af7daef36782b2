"""Localizes ``chlo.top_k`` and similar custom calls: the k largest elements of each shard, then the k largest of these.

Each device sends its k candidates instead of its shard. Of equal elements the first one is taken, as in the whole
tensor, because the candidates are gathered in the order of the shards.
"""

from __future__ import annotations

from math import prod

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers
from pyshardy.emitting.builder import Builder, Properties, i64_array, tensor_type
from pyshardy.emitting.coordinates import offset
from pyshardy.emitting.known_sizes import has_fixed_sizes
from pyshardy.emitting.layout import local_shape
from pyshardy.emitting.reducers import neutral_elements
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, IntegerAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType, element_width
from pyshardy.partitioning.layouts.reshard import reshard_bytes
from pyshardy.partitioning.layouts.reshard_plan import reshard_plan
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.partitioning.strategies.strategy_problem import Strategy
from pyshardy.resharding.byte_model import received_about
from pyshardy.rules.builder import NEED_REPLICATION, NULL, REDUCTION, RuleBuilder, operand_shape, result_shape
from pyshardy.sharding.rule import FactorKind, OpShardingRule


@localizes("chlo.top_k")
def top_k(site: Site) -> list[Sharded]:
    """Shards the operation along every dimension; along the last one only if the candidates are fewer than its
    elements."""
    plain = site.strategy(_rule(site.op, NEED_REPLICATION))
    if plain is None:
        return site.fall_back()
    if has_fixed_sizes(site.op) and _padding_kind(site) is not None:
        # A strategy with the last dimension as a reduction gives the right layouts, but not the cost of the candidates.
        shared = site.strategy(_rule(site.op, REDUCTION), reduction="max")
        if shared is not None and _bytes_by_candidates(site, shared) < plain.bytes:
            return _emit_candidates(site, shared)
    return site.emit([site.reshard(site.operands[0], plain.operands[0])], plain.results)


def _rule(op: Operation, kind: FactorKind) -> OpShardingRule:
    shape, found = operand_shape(op), result_shape(op)
    last = len(shape) - 1
    builder = RuleBuilder(op)
    for dim in range(last):
        builder.add([dim], [dim, dim], shape[dim])
    builder.add([last], [NULL, NULL], shape[last], kind)
    builder.add([NULL], [last, last], found[last], NEED_REPLICATION)
    return builder.build()


def _bytes_by_candidates(site: Site, strategy: Strategy) -> float:
    """The bytes that each device receives if the shards of the last dimension send their candidates."""
    operand, layout = site.operands[0], strategy.operands[0]
    *batch, shard = local_shape(operand.shape, layout)
    count = result_shape(site.op)[-1]
    if layout.counts[-1] == 1 or shard <= count or not prod(batch) * count:
        # Without candidates there is nothing to gather.
        return float("inf")
    total = reshard_bytes(operand, layout)
    for index, result in enumerate(site.op.results):
        assert isinstance(result.type, TensorType)
        found, shape = strategy.results[index].reduced(), result.type.shape
        width = element_width(result.type.element) / 8
        own, devices = prod(batch) * count, layout.counts[-1]
        total += width * received_about("all_gather", own, own * devices, devices)
        total += reshard_plan(found, site.requested_or(index, found), shape).elements * width
    return total


def _padding_kind(site: Site) -> str | None:
    """The reduction whose neutral element is never among the k elements, for padding; None if there is no such
    element."""
    kind = "min" if _finds_smallest(site.op) else "max"
    scalar = TensorType((), site.operands[0].element)
    return kind if neutral_elements(kind, scalar) is not None else None


def _finds_smallest(op: Operation) -> bool:
    waiting: list[DictionaryAttr] = [op.properties, op.attributes]
    while waiting:
        for name, value in waiting.pop().entries.items():
            if name == "largest" and isinstance(value, IntegerAttr):
                return not value.value
            if isinstance(value, DictionaryAttr):
                waiting.append(value)
    return False


def _emit_candidates(site: Site, strategy: Strategy) -> list[Sharded]:
    """Takes the k elements of each shard, gathers them with their global indices, and takes the k elements of all."""
    operand = site.reshard(site.operands[0], strategy.operands[0])
    builder, layout, last = site.builder, operand.layout, operand.layout.rank - 1
    mesh, axes, kind = layout.mesh, layout.dims[last], _padding_kind(site)
    assert mesh is not None and kind is not None
    lowest = neutral_elements(kind, TensorType((), operand.element))
    assert lowest is not None
    own = site.mask(operand, lowest, [last])
    values, indices = _largest(site, own.value)
    type = tensor_type(indices)
    begin = offset(builder, mesh, axes, operand.local_shape[last], type.element)
    indices = builder.binary("add", indices, builder.broadcast(begin, type.shape))
    all_values = site.collectives.all_gather(values, last, mesh, axes)
    all_indices = site.collectives.all_gather(indices, last, mesh, axes)
    values, chosen = _largest(site, all_values)
    return [
        site.result(0, values, strategy.results[0].reduced()),
        site.result(1, take_along_last(builder, all_indices, chosen), strategy.results[1].reduced()),
    ]


def _largest(site: Site, value: Value) -> tuple[Value, Value]:
    op = site.op
    shape = tensor_type(value).shape[:-1]
    types = []
    for result in op.results:
        assert isinstance(result.type, TensorType)
        types.append(result.type.with_shape((*shape, result.type.shape[-1])))
    made = site.builder.create(op.name, [value], types, op.properties, site.attributes())
    return made.results[0], made.results[1]


def take_along_last(builder: Builder, values: Value, indices: Value) -> Value:
    """The elements of ``values`` at ``indices`` along the last dimension."""
    type, wanted = tensor_type(values), tensor_type(indices)
    batch = tuple(range(type.rank - 1))
    numbers: Attribute = GatherDimensionNumbers(
        collapsed_slice_dims=(type.rank - 1,),
        operand_batching_dims=batch,
        start_indices_batching_dims=batch,
        start_index_map=(type.rank - 1,),
        index_vector_dim=type.rank,
    )
    properties: Properties = {"dimension_numbers": numbers, "slice_sizes": i64_array([1] * type.rank)}
    return builder.emit("gather", (values, indices), type.with_shape(wanted.shape), properties)
