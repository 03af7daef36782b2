"""Turns the collectives of the ``sdy`` dialect into StableHLO's, which name devices instead of axes.

If several dimensions are gathered or exchanged at once, the collective works along one new leading dimension, and
reshapes and transposes move the parts to their dimensions afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from pyshardy.dialects.stablehlo import attributes as stablehlo
from pyshardy.emitting import collective_operations
from pyshardy.emitting.builder import Properties, tensor_type
from pyshardy.emitting.devices import dense_replica_groups, source_target_pairs
from pyshardy.emitting.layout import Axes, Dims
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, IntegerAttr, SymbolRefAttr, UnitAttr
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I1, I64, TensorType
from pyshardy.passes.importing.inline_meshes import stablehlo_mesh
from pyshardy.passes.partitioning.global_to_local.conversion import WHOLE, ConversionSite, converts
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.sharding.axes import shard_count
from pyshardy.sharding.lists import AllToAllParamList, AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


def _sharding_and_mesh(site: ConversionSite) -> tuple[TensorSharding, Mesh]:
    mesh = site.mesh(site.op.result)
    if mesh is None:
        refuse("failed to resolve mesh")
    return site.out_sharding, mesh


def _axes_per_dim(site: ConversionSite, name: str) -> Dims:
    found = site.op.properties.get(name)
    if not isinstance(found, ListOfAxisRefLists):
        refuse("failed to resolve axes")
    return found.lists


def _flat(lists: Dims) -> Axes:
    return tuple(axis for axes in lists for axis in axes)


_KINDS = ("sum", "max", "min")


def kind_of_all_reduce(site: ConversionSite) -> str:
    """The reduction of a collective: its own if it names one, else that of the operation whose partial results it
    combines."""
    found = site.op.properties.get("reduction_op")
    if isinstance(found, IntegerAttr) and found.value:
        return _KINDS[found.value]
    value = site.op.operands[0]
    kind = site.walk.partial.get(value, "sum")
    # The reference writes a disjunction of booleans as a sum.
    return "sum" if kind == "or" and tensor_type(value).element is I1 else kind


# --- groups -----------------------------------------------------------------------------------------------------------


def _groups(site: ConversionSite, sharding: TensorSharding, mesh: Mesh, axes: Axes) -> Attribute:
    choices = site.choices
    has_parts = any(not axis.is_full for axis in axes)
    if not choices.axes_as_groups or (choices.new_spelling and has_parts):
        return dense_replica_groups(mesh, axes)
    name = sharding.mesh_or_ref
    written = SymbolRefAttr(name) if isinstance(name, str) else stablehlo_mesh(name)
    listed = [stablehlo.AxisRef(axis.name, None) for axis in axes] if choices.new_spelling else axes
    return stablehlo.ReplicaGroupMeshAxes(written, ArrayAttr(listed))


def _grouped(
    site: ConversionSite, sharding: TensorSharding, mesh: Mesh, axes: Axes, *, by_id: bool = True
) -> Properties:
    """Channel and groups; ``by_id`` says that groups contain device ids, not replica ids."""
    found: Properties = {
        "channel_handle": site.builder.channel(),
        "replica_groups": _groups(site, sharding, mesh, axes),
    }
    return found | {"use_global_device_ids": UnitAttr()} if by_id else found


def emit_all_reduce(
    site: ConversionSite, value: Value, sharding: TensorSharding, mesh: Mesh, axes: Axes, kind: str
) -> Value:
    """``stablehlo.all_reduce`` of ``value`` over ``axes``."""
    groups = _grouped(site, sharding, mesh, axes)
    return collective_operations.all_reduce(site.builder, value, kind, groups).results[0]


# --- all-gather -------------------------------------------------------------------------------------------------------


@converts("sdy.all_gather")
def _all_gather(site: ConversionSite) -> None:
    sharding, mesh = _sharding_and_mesh(site)
    lists = _axes_per_dim(site, "gathering_axes")
    dims = [dim for dim, axes in enumerate(lists) if axes]
    if not dims:
        refuse("No-op AllGatherOp should have been removed by canonicalization.")
    value = site.op.operands[0]
    if -1 in tensor_type(value).shape:
        refuse("dynamic shape not supported")
    if len(dims) > 1 and not site.choices.per_dim_all_gather:
        return site.replace(_gather_at_once(site, value, sharding, mesh, lists, dims))
    for dim in reversed(dims):
        value = gather(site, value, sharding, mesh, lists[dim], dim)
    return site.replace(value)


def gather(site: ConversionSite, value: Value, sharding: TensorSharding, mesh: Mesh, axes: Axes, dim: int) -> Value:
    """``stablehlo.all_gather`` of dimension ``dim`` of ``value`` along ``axes``."""
    if not tensor_type(value).shape[dim]:
        return value
    groups = _grouped(site, sharding, mesh, axes)
    return collective_operations.all_gather(site.builder, value, dim, shard_count(axes, mesh), groups).results[0]


def _gather_at_once(
    site: ConversionSite, value: Value, sharding: TensorSharding, mesh: Mesh, lists: Dims, dims: Sequence[int]
) -> Value:
    """One all-gather for several dimensions, along a new leading dimension, whose parts are transposed to their
    dimensions."""
    emit, shape = site.builder, tensor_type(value).shape
    counts = [shard_count(lists[dim], mesh) for dim in dims]
    gathered = gather(site, emit.reshape(value, (1, *shape)), sharding, mesh, _flat(lists), 0)
    split = emit.reshape(gathered, (*counts, *shape))
    order: list[int] = []
    for dim in range(len(shape)):
        order += [dims.index(dim)] if dim in dims else []
        order.append(dim + len(dims))
    result = list(shape)
    for dim, count in zip(dims, counts, strict=True):
        result[dim] *= count
    return emit.reshape(emit.transpose(split, order), result)


# --- slices and sums --------------------------------------------------------------------------------------------------


@converts("sdy.all_slice")
def _all_slice(site: ConversionSite) -> None:
    _, mesh = _sharding_and_mesh(site)
    lists = _axes_per_dim(site, "slicing_axes")
    site.replace(site.builder.slice_for_axes(site.op.operands[0], mesh, lists, site.target().shape))


@converts("sdy.all_reduce")
def _all_reduce(site: ConversionSite) -> None:
    sharding, mesh = _sharding_and_mesh(site)
    found = site.op.properties.get("reduction_axes")
    if not isinstance(found, AxisRefList):
        refuse("failed to resolve axes")
    kind = kind_of_all_reduce(site)
    if kind == WHOLE:
        return site.replace(site.op.operands[0])
    return site.replace(emit_all_reduce(site, site.op.operands[0], sharding, mesh, found.axes, kind))


@converts("sdy.reduce_scatter")
def _reduce_scatter(site: ConversionSite) -> None:
    sharding, mesh = _sharding_and_mesh(site)
    lists = _axes_per_dim(site, "reduce_scatter_axes")
    dims = [dim for dim, axes in enumerate(lists) if axes]
    if not dims:
        refuse("Shardy should have canonicalized no-op reduce-scatter.")
    value, local = site.op.operands[0], site.target()
    shape = tensor_type(value).shape
    if -1 in shape:
        refuse("dynamic shape not supported")
    if any(shape[dim] % shard_count(lists[dim], mesh) for dim in dims):
        refuse("'sdy.reduce_scatter' op dimension not divisible by scattering factor")
    kind = kind_of_all_reduce(site)
    if kind == WHOLE:
        return site.replace(site.builder.slice_for_axes(value, mesh, lists, local.shape))
    if len(dims) == 1:
        return site.replace(_scatter(site, value, sharding, mesh, lists[dims[0]], dims[0], kind))
    if site.choices.combine_reduce_scatter:
        return site.replace(_scatter_at_once(site, value, sharding, mesh, lists, dims, local, kind))
    reduced = emit_all_reduce(site, value, sharding, mesh, _flat(lists), kind)
    return site.replace(site.builder.slice_for_axes(reduced, mesh, lists, local.shape))


def _scatter(
    site: ConversionSite,
    value: Value,
    sharding: TensorSharding,
    mesh: Mesh,
    axes: Axes,
    dim: int,
    kind: str,
) -> Value:
    operand = site.sharding(site.op.operands[0])
    groups = _grouped(site, operand if operand is not None else sharding, mesh, axes)
    count = shard_count(axes, mesh)
    return collective_operations.reduce_scatter(site.builder, value, dim, count, kind, groups).results[0]


def _scatter_at_once(
    site: ConversionSite,
    value: Value,
    sharding: TensorSharding,
    mesh: Mesh,
    lists: Dims,
    dims: Sequence[int],
    local: TensorType,
    kind: str,
) -> Value:
    """Moves the numbers of shards of all scattered dimensions into one leading dimension, which is scattered. Other
    dimensions stay."""
    emit, counts = site.builder, {dim: shard_count(lists[dim], mesh) for dim in dims}
    cut = _counts_in_front(site, value, counts)
    joined = emit.reshape(cut, (prod(counts.values()), *local.shape))
    return emit.reshape(_scatter(site, joined, sharding, mesh, _flat(lists), 0, kind), local.shape)


def _counts_in_front(site: ConversionSite, value: Value, counts: Mapping[int, int]) -> Value:
    """``value`` with each dimension in ``counts`` split into that many equal parts; the parts become leading
    dimensions."""
    split: list[int] = []
    front: list[int] = []
    rest: list[int] = []
    for dim, size in enumerate(tensor_type(value).shape):
        count = counts.get(dim)
        if count is not None:
            front.append(len(split))
            split.append(count)
            size //= count
        rest.append(len(split))
        split.append(size)
    return site.builder.transpose(site.builder.reshape(value, split), [*front, *rest])


# --- all-to-all -------------------------------------------------------------------------------------------------------


@converts("sdy.all_to_all")
def _all_to_all(site: ConversionSite) -> None:
    """One exchange for several pairs of dimensions, along a new leading dimension, whose parts are transposed to their
    dimensions."""
    sharding, mesh = _sharding_and_mesh(site)
    found = site.op.properties.get("params")
    if not isinstance(found, AllToAllParamList) or not len(found):
        refuse("failed to resolve axes")
    params = sorted(found, key=lambda param: param.target)
    value = site.op.operands[0]
    shape = tensor_type(value).shape
    if len(params) == 1:
        (param,) = params
        count = shard_count(param.axes, mesh)
        if shape[param.target] < 0 or shape[param.target] % count:
            refuse("dimension not divisible by num devices per group")
        new = _exchange(site, value, sharding, mesh, param.axes, param.target, param.source)
        return site.replace(new)
    emit = site.builder
    counts = {param.target: shard_count(param.axes, mesh) for param in params}
    if any(shape[target] < 0 or shape[target] % count for target, count in counts.items()):
        refuse("dynamic shape or dimension not divisible by num devices per param")
    cut = _counts_in_front(site, value, counts)
    separate = tensor_type(cut).shape
    total, moved = prod(counts.values()), len(params)
    joined = emit.reshape(cut, (total, *separate[moved:]))
    axes = tuple(axis for param in params for axis in param.axes)
    exchanged = emit.reshape(_exchange(site, joined, sharding, mesh, axes, 0, 0), separate)
    order = list(range(moved, moved + len(shape)))
    for index, param in enumerate(params):
        order.insert(order.index(param.source + moved), index)
    home = emit.transpose(exchanged, order)
    return site.replace(emit.reshape(home, _joined(tensor_type(home).shape, order, moved)))


def _joined(shape: Sequence[int], order: Sequence[int], moved: int) -> list[int]:
    """``shape`` with each of the ``moved`` dimensions merged with the dimension after it."""
    result: list[int] = []
    factor = 1
    for size, dim in zip(shape, order, strict=True):
        if dim < moved:
            factor *= size
        else:
            result.append(factor * size)
            factor = 1
    return result


def _exchange(
    site: ConversionSite,
    value: Value,
    sharding: TensorSharding,
    mesh: Mesh,
    axes: Axes,
    split: int,
    concat: int,
) -> Value:
    groups = _grouped(site, sharding, mesh, axes, by_id=False)
    count = shard_count(axes, mesh)
    return collective_operations.all_to_all(site.builder, value, split, concat, count, groups).results[0]


# --- permutes ---------------------------------------------------------------------------------------------------------


@converts("sdy.collective_permute")
def _collective_permute(site: ConversionSite) -> None:
    out_sharding, mesh = _sharding_and_mesh(site)
    value = site.op.operands[0]
    in_sharding, in_mesh = site.sharding(value), site.mesh(value)
    if in_sharding is None or in_mesh is None:
        refuse("failed to resolve mesh")
    if in_mesh.total_size != mesh.total_size:
        refuse("collective-permute between meshes of different sizes is not supported.")
    source, target = site.axes(value), tuple(dim.axes for dim in out_sharding.dims)
    if in_mesh is mesh and source == target:
        refuse("Shardy canonicalizer should have removed no-op collective-permute.")
    # Partial sums must stay on their devices.
    unreduced_axes = (
        tuple(out_sharding.unreduced) if tuple(in_sharding.unreduced) == tuple(out_sharding.unreduced) else ()
    )
    pairs = source_target_pairs(in_mesh, (*_flat(source), *unreduced_axes), mesh, (*_flat(target), *unreduced_axes))
    site.replace(collective_operations.collective_permute(site.builder, value, pairs).results[0])


# --- unreduced values -------------------------------------------------------------------------------------------------


@converts("sdy.replicated_to_unreduced")
def _replicated_to_unreduced(site: ConversionSite) -> None:
    """The first device along the axes keeps the value, the others hold zeros."""
    _, mesh = _sharding_and_mesh(site)
    found = site.op.properties.get("axes")
    if not isinstance(found, AxisRefList):
        refuse("failed to resolve axes")
    site.replace(on_first_device(site, site.op.operands[0], mesh, found.axes))


def on_first_device(site: ConversionSite, value: Value, mesh: Mesh, axes: Axes) -> Value:
    """``value`` on the first device along ``axes``, zeros on the others."""
    emit, type = site.builder, tensor_type(value)
    first = emit.reshape(emit.is_first(mesh, axes), ())
    return emit.select(emit.broadcast(first, type.shape), value, emit.splat(0, type))


@converts("sdy.sharded_to_unreduced")
def _sharded_to_unreduced(site: ConversionSite) -> None:
    """Each device writes its shard at its position into zeros."""
    _, mesh = _sharding_and_mesh(site)
    lists = _axes_per_dim(site, "axes")
    value, emit, local = site.op.operands[0], site.builder, site.target()
    zeros = emit.splat(0, local)
    starts = [
        emit.affine(mesh, axes, size) if axes else emit.scalar(0, I64)
        for axes, size in zip(lists, tensor_type(value).shape, strict=True)
    ]
    site.replace(emit.dynamic_update_slice(zeros, value, starts))
