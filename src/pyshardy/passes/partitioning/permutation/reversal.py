"""Reverses sharded dimensions by resharding to a mesh with its devices in reversed order.

Each device then reverses its shard. A dimension that does not divide is padded and shifted first, so that its padding
is at the beginning; after the reversal the padding is at the end, where it is sliced off.
"""

from __future__ import annotations

from pyshardy.dialects.sdy.placement import meshes, resolve_mesh, set_sharding, sharding_of
from pyshardy.emitting.builder import tensor_type
from pyshardy.emitting.layout import Axes
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType
from pyshardy.passes.call_graph import SymbolTable
from pyshardy.passes.partitioning.emitter import Emitter
from pyshardy.passes.partitioning.permutation.manual_body import ManualBody
from pyshardy.passes.partitioning.permutation.replication import reshard_operand, reshard_result
from pyshardy.passes.partitioning.shard_sizes import rounded_up, shard_counts
from pyshardy.resharding.insertion import reshard
from pyshardy.resharding.shard_places import stride_of
from pyshardy.rules.properties import integers
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, equivalent


def reverse_by_mesh(op: Operation, emit: Emitter, symbols: SymbolTable, *, move_result: bool) -> bool:
    """Reverses along sharded dimensions by a change of mesh. ``move_result`` reshards the result from the reversed mesh
    instead of the operand to it. Returns False if no reversed dimension is sharded; or, if the operand is resharded, if
    more than a shard would have to be padded."""
    operand, result = op.operands[0], op.results[0]
    sharding = sharding_of(operand)
    mesh = resolve_mesh(sharding, meshes(symbols.module)) if sharding is not None else None
    if sharding is None or mesh is None or mesh.is_maximal:
        return False
    shape = tensor_type(operand).shape
    counts = shard_counts(sharding, mesh, len(shape))
    dims = [dim for dim in sorted(integers(op, "dimensions")) if counts[dim] > 1]
    if not dims:
        return False
    wanted = sharding_of(result)
    uneven = [dim for dim in dims if shape[dim] % counts[dim]]
    if not move_result and any(_padding(shape[dim], counts[dim]) > 1 for dim in dims):
        return False
    reversed_mesh = _reversed_mesh(mesh, tuple(axis for dim in dims for axis in sharding.dims[dim].axes))
    name = _mesh_symbol(sharding, reversed_mesh, symbols)
    moved = sharding.replace(mesh_or_ref=name)
    emit.at(op)
    if uneven:
        _reverse_uneven(op, emit, sharding, mesh, moved, uneven, move_result=move_result)
        return True
    if move_result:
        reshard_result(result, moved, wanted if wanted is not None else sharding)
        return True
    reshard_operand(op, 0, moved)
    if wanted is not None and not equivalent(wanted, sharding):
        reshard_result(result, sharding, wanted)
    else:
        set_sharding(result, sharding)
    return True


def _padding(size: int, count: int) -> float:
    """The padding of a dimension, in shards."""
    shard = -(-size // count)
    return (shard * count - size) / shard if shard else 0


def _reverse_uneven(
    op: Operation,
    emit: Emitter,
    sharding: TensorSharding,
    mesh: Mesh,
    moved: TensorSharding,
    uneven: list[int],
    *,
    move_result: bool,
) -> None:
    """Reverses dimensions that do not divide: pads and shifts the operand before, and slices the result afterwards."""
    operand, result = op.operands[0], op.results[0]
    wanted = sharding_of(result)
    type = tensor_type(operand)
    # In the manual computation dimensions that are not reversed must divide, too.
    padded = list(map(rounded_up, type.shape, shard_counts(sharding, mesh, type.rank)))
    value = emit.with_sharding(sharding).padded_behind(operand, emit.scalar(0, type.element), padded)
    value = _shifted(emit, value, type, sharding, mesh, uneven)
    last = op
    if not move_result:
        there = reshard(value, moved, op)
        rewriting.insert_before(op, there)
        value = there.result
    rewriting.set_operand(op, 0, value)
    result.type = value.type
    rewriting.make_anew(op)
    set_sharding(result, moved if move_result else sharding)
    if move_result:
        last = reshard(result, sharding, op)
        rewriting.insert_after(op, last)
    following = last.next_op
    assert following is not None
    emit.at(following)
    emit.location = op.location
    cut = emit.with_sharding(sharding).cut(last.results[0], type.shape)
    user = cut.defining_op
    assert user is not None
    rewriting.replace_uses_if(result, cut, lambda one, _: one not in (last, user))
    if wanted is not None and not equivalent(wanted, sharding):
        reshard_result(cut, sharding, wanted)


def _shifted(
    emit: Emitter, value: Value, type: TensorType, sharding: TensorSharding, mesh: Mesh, dims: list[int]
) -> Value:
    """``value`` shifted towards the end of each of ``dims`` by the size of its padding."""
    padded = tensor_type(value)
    changed = [dim for dim, (new, old) in enumerate(zip(padded.shape, type.shape, strict=True)) if new != old]
    names = {axis.name for dim in changed for axis in sharding.dims[dim].axes}
    manual = [axis.name for axis in mesh.axes if axis.name in names]
    body = ManualBody(emit, (value,), (sharding,), manual)
    local = list(padded.shape)
    for dim, one in enumerate(sharding.dims):
        for axis in one.axes:
            local[dim] //= axis.size(mesh) if axis.name in names else 1
    moved = body.argument(padded.with_shape(local))
    for dim in dims:
        size = local[dim]
        hops, rest = divmod(padded.shape[dim] - type.shape[dim], size)
        axes = sharding.dims[dim].axes
        # The elements that go one shard further are sliced off first, so that only they are sent there.
        far = body.with_sharding.slice_dim(moved, dim, size - rest, size) if rest else None
        parts = [_hop(body, far, mesh, axes, hops + 1)] if far is not None else []
        parts.append(_hop(body, body.with_sharding.slice_dim(moved, dim, 0, size - rest), mesh, axes, hops))
        moved = body.with_sharding.concatenate(parts, dim) if len(parts) > 1 else parts[0]
    return body.finish(moved, padded).results[0]


def _hop(body: ManualBody, value: Value, mesh: Mesh, axes: Axes, hops: int) -> Value:
    type = tensor_type(value)
    return body.permute(
        value, mesh, axes, hops, lambda: body.with_sharding.filled(body.builder.scalar(0, type.element), type)
    )


# --- the reversed mesh ------------------------------------------------------------------------------------------------


def _reversed_mesh(mesh: Mesh, axes: Axes) -> Mesh:
    """``mesh`` with its devices in the opposite order along ``axes``."""
    ids = mesh.device_ids or tuple(range(mesh.total_size))

    def mirrored(place: int) -> int:
        for axis in axes:
            stride, size = stride_of(axis, mesh), axis.size(mesh)
            digit = place // stride % size
            place += (size - 1 - 2 * digit) * stride
        return place

    return Mesh(mesh.axes, [ids[mirrored(place)] for place in range(mesh.total_size)])


def _mesh_symbol(sharding: TensorSharding, mesh: Mesh, symbols: SymbolTable) -> str:
    """The symbol of ``mesh`` in the module, where it is defined if it is not yet."""
    for name, known in meshes(symbols.module).items():
        if known is mesh:
            return name
    base = sharding.mesh_or_ref if isinstance(sharding.mesh_or_ref, str) else "mesh"
    properties = DictionaryAttr({"sym_name": StringAttr(f"{base}_reversed"), "mesh": mesh})
    op = rewriting.create("sdy.mesh", properties=properties)
    rewriting.prepend(symbols.module.body, op)
    return symbols.insert(op)
