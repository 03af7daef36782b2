"""Overwrites elements outside of the visible part of a value, where they would reach a result."""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.emitting.builder import tensor_type
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I32, I64, TensorType
from pyshardy.passes.partitioning.padding.walk import PaddingSite


def masked(site: PaddingSite, value: Value, dims: Iterable[int] | None = None, fill: Value | None = None) -> Value:
    """``value`` with ``fill`` (a scalar; None: zero) outside of the visible part of the dimensions ``dims`` (None:
    all). Known zeros are not written again."""
    padded = site.padded_dims(value)
    enforced = [dim for dim in padded if dims is None or dim in dims]
    if not enforced or (fill is None and value in site.walk.zeros):
        return value
    type, sharding = tensor_type(value), site.sharding(value)
    whole = enforced == padded
    filler = fill if fill is not None else site.builder.scalar(0, type.element)
    inside: Value | None = None
    emit, with_sharding = site.builder, site.builder.with_sharding(sharding)
    for dim in enforced:
        element = I32 if type.shape[dim] < 1 << 31 else I64
        index = with_sharding.iota(TensorType(type.shape, element), dim)
        limit = with_sharding.broadcast(emit.scalar(site.type_before(value).shape[dim], element), type.shape)
        below = with_sharding.compare(index, "LT", limit)
        inside = below if inside is None else with_sharding.binary("and", inside, below)
    assert inside is not None
    new = with_sharding.select(inside, value, with_sharding.filled(filler, type))
    return site.walk.introduce(new, site.type_before(value), sharding, zeros=fill is None and whole)
