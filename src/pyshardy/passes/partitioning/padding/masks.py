"""Overwrites what is behind the visible part of a value, where it would reach a result."""

from __future__ import annotations

from collections.abc import Iterable

from pyshardy.dialects.stablehlo.attributes import COMPARISON_DIRECTION
from pyshardy.emitting.builder import i64, i64_array, tensor_type
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I1, I32, I64, TensorType
from pyshardy.passes.partitioning.padding.growth import GrowthSite


def masked(site: GrowthSite, value: Value, dims: Iterable[int] | None = None, fill: Value | None = None) -> Value:
    """``value`` with ``fill`` (a scalar; None: zero) behind the visible part of the dimensions ``dims`` (None: all).
    Zeros that are known to be there are not written again."""
    grown = site.grown_dims(value)
    enforced = [dim for dim in grown if dims is None or dim in dims]
    if not enforced or (fill is None and value in site.walk.zeros):
        return value
    type, sharding = tensor_type(value), site.sharding(value)
    whole = enforced == grown
    filler = fill if fill is not None else site.emit.scalar(0, type.element)
    inside: Value | None = None
    flags = TensorType(type.shape, I1)
    for dim in enforced:
        limit = site.type_before(value).shape[dim]
        element = I32 if type.shape[dim] < 1 << 31 else I64
        numbers = TensorType(type.shape, element)
        index = site.make("iota", (), numbers, {"iota_dimension": i64(dim)}, sharding)
        bound = site.emit.constant(DenseElementsAttr.of(TensorType((), element), [limit]))
        bounds = site.make("broadcast_in_dim", (bound,), numbers, {"broadcast_dimensions": i64_array(())}, sharding)
        direction = {"comparison_direction": COMPARISON_DIRECTION.of("LT")}
        below = site.make("compare", (index, bounds), flags, direction, sharding)
        inside = below if inside is None else site.make("and", (inside, below), flags, {}, sharding)
    assert inside is not None
    fillers = site.make("broadcast_in_dim", (filler,), type, {"broadcast_dimensions": i64_array(())}, sharding)
    new = site.make("select", (inside, value, fillers), type, {}, sharding)
    return site.walk.introduce(new, site.type_before(value), sharding, zeros=fill is None and whole)
