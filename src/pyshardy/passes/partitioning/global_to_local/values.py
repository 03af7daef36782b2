"""Constants, iotas and random numbers: each device computes its own shard."""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I64, ComplexType, FloatType, TensorType, Type
from pyshardy.passes.partitioning.global_to_local.conversion import ConversionSite, converts, keep
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.rules.properties import integer

_EXACT_BITS = {"f64": 53, "f32": 24, "tf32": 11, "f16": 11, "bf16": 8}


@converts("sdy.constant", "stablehlo.constant")
def _constant(site: ConversionSite) -> None:
    """A splat gets the local type; of any other constant each device slices its shard."""
    op = site.op
    value = op.properties.get("value")
    if site.is_replicated(op.result) and op.name == "stablehlo.constant":
        return keep(site)
    sharding = site.sharding(op.result)
    mesh = site.mesh(op.result)
    if sharding is not None and mesh is None:
        refuse("failed to resolve mesh for constant")
    type = site.type_before(op.result)
    local = site.target()
    if isinstance(value, DenseElementsAttr) and (value.is_splat or local is type):
        return site.replace(site.builder.constant(DenseElementsAttr(local, value.data)))
    assert isinstance(value, Attribute)
    whole = site.builder.emit("constant", (), type, {"value": value})
    if local is type or mesh is None:
        return site.replace(whole)
    return site.replace(site.builder.slice_for_axes(whole, mesh, site.axes(op.result), local.shape))


@converts("stablehlo.iota")
def _iota(site: ConversionSite) -> None:
    op, emit = site.op, site.builder
    if site.is_replicated(op.result):
        return keep(site)
    dim = integer(op, "iota_dimension", 0)
    local, mesh = site.target(), site.mesh(op.result)
    axes = site.axes(op.result)[dim]
    if not axes or mesh is None:
        return site.replace(emit.iota(local, dim))
    # Small floats cannot represent every index exactly.
    exact = _is_exact(local.element, site.type_before(op.result).shape[dim])
    counted = local if exact else TensorType(local.shape, I64)
    iota = emit.iota(counted, dim)
    offset = emit.affine(mesh, axes, local.shape[dim])
    start = emit.emit("convert", (offset,), TensorType((), counted.element)) if exact else offset
    whole = emit.binary("add", iota, emit.broadcast(start, counted.shape))
    return site.replace(emit.convert(whole, local.element))


@converts("stablehlo.rng_bit_generator", "stablehlo.rng")
def _random(site: ConversionSite) -> None:
    """Every device draws the whole tensor and slices its shard: with the local type all shards would have the same
    numbers."""
    op = site.op
    if all(map(site.is_replicated, op.results)):
        return keep(site)
    types = [site.walk.types_before[result] for result in op.results]
    whole = site.builder.create(op.name, op.operands, types, op.properties, op.attributes.without(SHARDING))
    parts = []
    for index, (old, new) in enumerate(zip(op.results, whole.results, strict=True)):
        mesh, axes = site.mesh(old), site.axes(old)
        part: Value = new
        if mesh is not None and any(axes):
            part = site.builder.slice_for_axes(new, mesh, axes, site.target(index).shape)
        parts.append(part)
    return site.replace(*parts)


def _is_exact(element: Type, count: int) -> bool:
    if isinstance(element, ComplexType):
        element = element.element
    return not isinstance(element, FloatType) or count <= 1 << _EXACT_BITS.get(element.name, 0)
