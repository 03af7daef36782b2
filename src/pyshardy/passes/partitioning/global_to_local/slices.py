"""Concatenations, slices and pads: refused along sharded dimensions, unless they are whole or move no data. Dynamic
slices along sharded dimensions are computed on whole tensors."""

from __future__ import annotations

from pyshardy.emitting.builder import i64_array, tensor_type
from pyshardy.emitting.layout import Axes
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I64
from pyshardy.passes.partitioning.communication_free import pad_is_free, slice_is_free
from pyshardy.passes.partitioning.global_to_local.conversion import ConversionSite, converts, keep
from pyshardy.passes.partitioning.global_to_local.whole import computed_whole
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.rules.properties import integer, integers


def _listed(axes: Axes) -> str:
    return "[" + ", ".join(f"axis_ref{axis.body_text}" for axis in axes) + "]"


def _mismatch(dim: int, a: Axes, b: Axes, reshard: str = "reshard") -> str:
    return (
        f"dimension {dim} has mismatched sharding axes ({_listed(a)} vs {_listed(b)}). This requires a {reshard} which "
        "should have been handled by previous passes."
    )


@converts("stablehlo.concatenate")
def _concatenate(site: ConversionSite) -> None:
    op = site.op
    along = integer(op, "dimension", 0)
    result = site.axes(op.result)
    if result[along]:
        refuse(f"'{op.name}' op dimension {along} is sharded but the concatenation is on this dimension.")
    for index, operand in enumerate(op.operands):
        if site.is_replicated(operand):
            continue
        axes = site.axes(operand)
        if axes[along]:
            refuse(
                f"'{op.name}' op operand {index} is sharded on concatenation dimension {along}. This is not supported."
            )
        for dim, (a, b) in enumerate(zip(axes, result, strict=True)):
            if a != b:
                refuse(f"'{op.name}' op {_mismatch(dim, a, b)}")
    keep(site)


@converts("stablehlo.slice")
def _slice(site: ConversionSite) -> None:
    op = site.op
    operand = op.operands[0]
    before, after = site.axes(operand), site.axes(op.result)
    if not any(before) and not any(after):
        return keep(site)
    starts, limits = list(integers(op, "start_indices")), list(integers(op, "limit_indices"))
    strides = integers(op, "strides")
    sizes, local, counts = site.type_before(operand).shape, tensor_type(operand).shape, site.counts(operand)
    for dim, (a, b) in enumerate(zip(before, after, strict=True)):
        if a != b:
            refuse(f"'{op.name}' op {_mismatch(dim, a, b)}")
        if not a:
            continue
        whole = starts[dim] == 0 and limits[dim] == sizes[dim] and not local[dim] % strides[dim]
        if not whole and not slice_is_free(counts[dim], sizes[dim], starts[dim], limits[dim], strides[dim]):
            refuse(
                f"'{op.name}' op dimension {dim} is sharded but the slice is not a full slice and requires device "
                "communication."
            )
        starts[dim], limits[dim] = 0, local[dim] if whole else site.target().shape[dim]
    properties = {"start_indices": i64_array(starts), "limit_indices": i64_array(limits)}
    return site.replace(site.rebuild((operand,), properties, keep_attributes=False).results[0])


@converts("stablehlo.dynamic_update_slice")
def _dynamic_update_slice(site: ConversionSite) -> None:
    operand, update = site.op.operands[:2]
    sizes, new = site.type_before(operand).shape, site.type_before(update).shape
    counts = map(max, site.counts(operand), site.counts(update))
    if any(count > 1 and sizes[dim] != new[dim] for dim, count in enumerate(counts)):
        computed_whole(site)
        return None
    return keep(site)


@converts("stablehlo.dynamic_slice")
def _dynamic_slice(site: ConversionSite) -> None:
    """A dimension that is taken whole is taken whole from each shard."""
    op = site.op
    sizes = list(integers(op, "slice_sizes"))
    whole, local = site.type_before(op.operands[0]).shape, tensor_type(op.operands[0]).shape
    counts = site.counts(op.operands[0])
    if any(count > 1 and sizes[dim] != whole[dim] for dim, count in enumerate(counts)):
        computed_whole(site)
        return None
    sizes = [local[dim] if count > 1 else sizes[dim] for dim, count in enumerate(counts)]
    rewriting.set_properties(op, op.properties.with_("slice_sizes", i64_array(sizes)))
    return keep(site)


@converts("stablehlo.pad")
def _pad(site: ConversionSite) -> None:
    op = site.op
    operand, fill = op.operands
    before, after = site.axes(operand), site.axes(op.result)
    if operand in site.walk.partial:
        site.walk.partial[op.result] = site.walk.partial[operand]
    if not any(before) and not any(after):
        return keep(site)
    for dim, (a, b) in enumerate(zip(before, after, strict=True)):
        if a != b:
            refuse(_mismatch(dim, a, b, "reshard collective"))
    return site.replace(_padded(site, operand, fill))


def _padded(site: ConversionSite, operand: Value, fill: Value) -> Value:
    """If all devices pad alike, a pad; otherwise a pad that is large enough for all, from which each device slices its
    part."""
    op, emit, mesh = site.op, site.builder, site.mesh(operand)
    axes, counts = site.axes(operand), site.counts(operand)
    lows, interiors = integers(op, "edge_padding_low"), integers(op, "interior_padding")
    source, target = tensor_type(operand).shape, site.target().shape
    whole, padded = site.type_before(operand).shape, site.type_before(op.result).shape
    steps: list[int] = []
    ranges: list[tuple[int, int]] = []
    for dim, (low, interior) in enumerate(zip(lows, interiors, strict=True)):
        if not pad_is_free(counts[dim], whole[dim], low, interior, padded[dim]) and not _uniform(
            source[dim], target[dim], low, interior
        ):
            refuse(f"'{op.name}' op dimension {dim} is sharded but the pad requires device communication.")
        step = source[dim] * (interior + 1) - target[dim]
        steps.append(step)
        ends = (low, low + (counts[dim] - 1) * step)
        ranges.append((min(ends), max(ends)))
    expanded = [
        (size - 1) * (interior + 1) + 1 if size else 0 for size, interior in zip(source, interiors, strict=True)
    ]
    if all(smallest == largest for smallest, largest in ranges):
        highs = [size - inner - low for size, inner, low in zip(target, expanded, lows, strict=True)]
        return emit.pad(operand, fill, lows, highs, interiors)
    below = [max(0, largest) for _, largest in ranges]
    above = [
        max(0, size - smallest - inner) for size, inner, (smallest, _) in zip(target, expanded, ranges, strict=True)
    ]
    roomy = emit.pad(operand, fill, below, above, interiors)
    device = emit.device_id()
    starts = []
    for dim, (smallest, largest) in enumerate(ranges):
        if smallest == largest:
            starts.append(emit.scalar(below[dim] - smallest, I64))
        else:
            assert mesh is not None
            starts.append(emit.affine_of(device, mesh, axes[dim], -steps[dim], below[dim] - lows[dim]))
    return emit.dynamic_slice(roomy, starts, target)


def _uniform(source: int, target: int, low: int, interior: int) -> bool:
    """Whether every device pads its shard in the same way, and each element stays on its device."""
    expanded = (source - 1) * (interior + 1) + 1 if source else 0
    return source * (interior + 1) == target and low >= 0 and low + expanded <= target
