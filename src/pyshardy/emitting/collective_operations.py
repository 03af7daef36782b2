"""Creates StableHLO's collectives, with their result types and properties.

``groups`` are the properties that say which devices take part (replica groups, channel): the partitioner and the passes
of the reference's partitioner write them differently. ``collectives`` records what it creates with these functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.emitting.builder import Builder, Properties, i64, tensor_type
from pyshardy.emitting.devices import dense_pairs
from pyshardy.emitting.reducers import reduction_region
from pyshardy.ir.operation import Operation, Value


def all_gather(builder: Builder, value: Value, dim: int, count: int, groups: Properties) -> Operation:
    """Concatenates along dimension ``dim`` the values of the ``count`` devices of each group."""
    type = tensor_type(value)
    shape = list(type.shape)
    shape[dim] *= count
    properties = {"all_gather_dim": i64(dim), **groups}
    return builder.create("stablehlo.all_gather", (value,), (type.with_shape(shape),), properties)


def all_reduce(builder: Builder, value: Value, kind: str, groups: Properties) -> Operation:
    """Combines by reduction ``kind`` the values of the devices of each group; all get the result."""
    type = tensor_type(value)
    region = reduction_region(kind, type.element)
    return builder.create("stablehlo.all_reduce", (value,), (type,), groups, regions=(region,))


def reduce_scatter(builder: Builder, value: Value, dim: int, count: int, kind: str, groups: Properties) -> Operation:
    """Combines by reduction ``kind`` the values of the ``count`` devices of each group; each gets its part of dimension
    ``dim``, which divides."""
    type = tensor_type(value)
    shape = list(type.shape)
    shape[dim] //= count
    properties = {"scatter_dimension": i64(dim), **groups}
    region = reduction_region(kind, type.element)
    return builder.create(
        "stablehlo.reduce_scatter", (value,), (type.with_shape(shape),), properties, regions=(region,)
    )


def all_to_all(builder: Builder, value: Value, split: int, concat: int, count: int, groups: Properties) -> Operation:
    """Splits dimension ``split`` (which divides) among the ``count`` devices of each group, and concatenates the parts
    received along dimension ``concat``."""
    type = tensor_type(value)
    shape = list(type.shape)
    shape[split] //= count
    shape[concat] *= count
    properties: Properties = {
        "split_dimension": i64(split),
        "concat_dimension": i64(concat),
        "split_count": i64(count),
        **groups,
    }
    return builder.create("stablehlo.all_to_all", (value,), (type.with_shape(shape),), properties)


def collective_permute(builder: Builder, value: Value, pairs: Sequence[tuple[int, int]]) -> Operation:
    """Sends ``value`` from the first to the second device of each pair; devices that receive nothing get zeros."""
    properties: Properties = {"source_target_pairs": dense_pairs(pairs), "channel_handle": builder.channel()}
    return builder.create("stablehlo.collective_permute", (value,), (value.type,), properties)
