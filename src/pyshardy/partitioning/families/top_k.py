"""Localizes ``chlo.top_k`` and custom calls like it: the largest of each shard, then the largest of those.

Each device sends its own k candidates instead of its shard; among equal ones the first counts, as in the whole
tensor, because shards follow each other in order. Registers with ``registry`` (``custom_calls`` hands its targets on).
"""

from __future__ import annotations

from math import prod

from pyshardy.dialects.stablehlo.attributes import GatherDimensionNumbers
from pyshardy.emitting.builder import Builder, Properties, i64_array, tensor_type
from pyshardy.emitting.coordinates import offset
from pyshardy.emitting.known_sizes import has_fixed_sizes
from pyshardy.emitting.layout import Sharded, local_shape
from pyshardy.emitting.reducers import neutral_elements
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
    """Shares the work along every dimension; the last one if its candidates are less than the whole of it."""
    plain = site.strategy(_rule(site.op, NEED_REPLICATION))
    if plain is None:
        return site.fall_back()
    if has_fixed_sizes(site.op) and _lowest(site) is not None:
        # A strategy of terms is one of candidates, except for what it costs to combine them.
        shared = site.strategy(_rule(site.op, REDUCTION), reduction="max")
        if shared is not None and _bytes_by_candidates(site, shared) < plain.bytes:
            return _of_candidates(site, shared)
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
    """What each device receives if shards of the last dimension send their candidates."""
    operand, layout = site.operands[0], strategy.operands[0]
    *batch, shard = local_shape(operand.shape, layout)
    count = result_shape(site.op)[-1]
    if layout.counts[-1] == 1 or shard <= count:
        return float("inf")
    total = reshard_bytes(operand, layout)
    for index, result in enumerate(site.op.results):
        assert isinstance(result.type, TensorType)
        found, shape = strategy.results[index].reduced(), result.type.shape
        width = element_width(result.type.element) / 8
        total += width * received_about("all_gather", prod(batch) * count * layout.counts[-1], layout.counts[-1])
        total += reshard_plan(found, site.wanted_or(index, found), shape).elements * width
    return total


def _lowest(site: Site) -> str | None:
    """Under which reduction what is never chosen is neutral; None if there is no such element."""
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


def _of_candidates(site: Site, strategy: Strategy) -> list[Sharded]:
    operand = site.reshard(site.operands[0], strategy.operands[0])
    builder, layout, last = site.builder, operand.layout, operand.layout.rank - 1
    mesh, axes, kind = layout.mesh, layout.dims[last], _lowest(site)
    assert mesh is not None and kind is not None
    lowest = neutral_elements(kind, TensorType((), operand.element))
    assert lowest is not None
    own = site.mask(operand, lowest, [last])
    values, places = _largest(site, own.value)
    type = tensor_type(places)
    begin = offset(builder, mesh, axes, operand.local_shape[last], type.element)
    places = builder.binary("add", places, builder.broadcast(begin, type.shape))
    all_values = site.collectives.all_gather(values, last, mesh, axes)
    all_places = site.collectives.all_gather(places, last, mesh, axes)
    values, chosen = _largest(site, all_values)
    return [
        site.result(0, values, strategy.results[0].reduced()),
        site.result(1, take_along_last(builder, all_places, chosen), strategy.results[1].reduced()),
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


def take_along_last(builder: Builder, values: Value, places: Value) -> Value:
    """The elements of ``values`` at ``places`` along the last dimension; the others correspond."""
    type, wanted = tensor_type(values), tensor_type(places)
    batch = tuple(range(type.rank - 1))
    numbers: Attribute = GatherDimensionNumbers(
        collapsed_slice_dims=(type.rank - 1,),
        operand_batching_dims=batch,
        start_indices_batching_dims=batch,
        start_index_map=(type.rank - 1,),
        index_vector_dim=type.rank,
    )
    properties: Properties = {"dimension_numbers": numbers, "slice_sizes": i64_array([1] * type.rank)}
    return builder.emit("gather", (values, places), type.with_shape(wanted.shape), properties)
