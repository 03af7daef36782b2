"""Localizes ``sdy.manual_computation`` and ``sdy.named_computation`` by inlining them.

In the body of a manual computation, tensors have the shape of a shard along the manual axes, and only the free axes are
left to the partitioner. A device's shard of the whole tensor is its shard, along the free axes, of the tensor that the
body sees.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.emitting.layout import Layout, layout_of, replicated
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.types import TensorType, Type
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.sharding.axes import shard_count
from pyshardy.sharding.tensor import TensorShardingPerValue


@localizes("sdy.manual_computation")
def _manual_computation(site: Site) -> list[Sharded]:
    """Reshards operands to the layouts at the boundary, emits the body on the shards along manual axes, and returns
    results in the layouts at the boundary."""
    op, run = site.op, site.run
    manual = frozenset(manual_axes(op))
    outer = _layouts(site, "in_shardings", [operand.type for operand in op.operands])
    for operand, argument, layout in zip(site.operands, op.body.arguments, outer, strict=True):
        boundary = _boundary(argument.type, layout, manual)
        value = site.reshard(operand, boundary).value
        run.env[argument] = Sharded(value, argument.type, _inside(boundary, manual))
    run.manual_depth += 1
    terminator = run.emit_operations(op.body)
    run.manual_depth -= 1
    results = []
    for index, layout in enumerate(_layouts(site, "out_shardings", [result.type for result in op.results])):
        returned = run.env[terminator.operands[index]]
        boundary = _boundary(returned.type, layout, manual)
        inner = site.reshard(returned, _inside(boundary, manual))
        results.append(site.result(index, inner.value, boundary))
    return results


def _layouts(site: Site, name: str, types: list[Type]) -> list[Layout]:
    shardings = site.op.properties.get(name)
    listed = list(shardings) if isinstance(shardings, TensorShardingPerValue) else [None] * len(types)
    return [layout_of(one, type, site.run.meshes) for one, type in zip(listed, types, strict=True)]


def _inside(layout: Layout, manual: frozenset[str]) -> Layout:
    """``layout`` as the body sees it: without manual axes."""
    return Layout(
        layout.mesh,
        [[axis for axis in axes if axis.name not in manual] for axes in layout.dims],
        [axis for axis in layout.unreduced if axis.name not in manual],
        layout.reduction,
    )


def _boundary(inner: Type, layout: Layout, manual: frozenset[str]) -> Layout:
    """``layout`` without the free axes of dimensions whose shards would begin at other elements in the body than
    outside; ``inner`` is the type in the body."""
    if not isinstance(inner, TensorType) or layout.mesh is None:
        return layout
    uneven = []
    for dim, (size, axes) in enumerate(zip(inner.shape, layout.dims, strict=True)):
        free = [axis for axis in axes if axis.name not in manual]
        if size % shard_count(free, layout.mesh):
            uneven.append(dim)
    return layout.with_dims(
        [axis for axis in axes if dim not in uneven or axis.name in manual] for dim, axes in enumerate(layout.dims)
    )


@localizes("stablehlo.partition_id")
def _partition_id(site: Site) -> list[Sharded]:
    """In a manual computation the id of the running device. Elsewhere the program is that of one device, whose id is
    0."""
    if site.run.manual_depth or not site.run.meshes:
        return site.fall_back()
    type = site.op.results[0].type
    assert isinstance(type, TensorType)
    return [site.result(0, site.builder.splat(0, type), replicated(0))]


@localizes("sdy.named_computation")
def _named_computation(site: Site) -> list[Sharded]:
    op, run = site.op, site.run
    inner = _declared(site, "in_shardings", [operand.type for operand in op.operands])
    for operand, argument, layout in zip(site.operands, op.body.arguments, inner, strict=True):
        run.env[argument] = operand if layout is None else site.reshard(operand, layout)
    terminator = run.emit_operations(op.body)
    returned = [run.env[value] for value in terminator.operands]
    outer = _declared(site, "out_shardings", [result.type for result in op.results])
    return [
        value if layout is None else site.reshard(value, layout) for value, layout in zip(returned, outer, strict=True)
    ]


def _declared(site: Site, name: str, types: list[Type]) -> list[Layout | None]:
    if not isinstance(site.op.properties.get(name), TensorShardingPerValue):
        return [None] * len(types)
    return list(_layouts(site, name, types))
