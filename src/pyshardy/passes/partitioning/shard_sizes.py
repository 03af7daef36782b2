"""Sizes of sharded dimensions: the number of shards, padded types, and types on one device.

A dimension of n elements in k shards has ceil(n / k) elements on each device. All passes of the partitioner ask here;
``communication_free`` says which operations stay within such shards.
"""

from __future__ import annotations

from pyshardy.ir.types import TensorType, Type
from pyshardy.passes.partitioning.legalization import NotConvertible
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


def shard_counts(sharding: TensorSharding | None, mesh: Mesh | None, rank: int) -> tuple[int, ...]:
    """The number of shards of each of ``rank`` dimensions; 1 without a mesh of several devices."""
    if sharding is None or mesh is None or mesh.is_maximal or not sharding.dims:
        return (1,) * rank
    return tuple(dim.sharded_size(mesh) for dim in sharding.dims)


def rounded_up(size: int, count: int) -> int:
    """The least multiple of ``count`` that is not below ``size``; a dynamic size is unchanged."""
    return size if size < 0 else -(-size // count) * count


def padded_type(type: Type, sharding: TensorSharding | None, mesh: Mesh | None) -> Type:
    """``type`` with each sharded dimension rounded up to a multiple of its number of shards."""
    if not isinstance(type, TensorType) or sharding is None or mesh is None:
        return type
    counts = shard_counts(sharding, mesh, type.rank)
    return type.with_shape([rounded_up(size, count) for size, count in zip(type.shape, counts, strict=True)])


def local_type(type: Type, sharding: TensorSharding | None, mesh: Mesh | None) -> Type:
    """The type that a value of ``type`` has on one device.

    Raises:
        NotConvertible: a dimension does not divide by the number of its shards.
    """
    if not isinstance(type, TensorType) or sharding is None or mesh is None:
        return type
    counts = shard_counts(sharding, mesh, type.rank)
    if any(size >= 0 and size % count for size, count in zip(type.shape, counts, strict=True)):
        raise NotConvertible("Failed to compute local type due to non-divisible sharding")
    return type.with_shape(
        [size // count if size >= 0 else size for size, count in zip(type.shape, counts, strict=True)]
    )
