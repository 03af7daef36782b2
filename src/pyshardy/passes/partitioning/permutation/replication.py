"""Replicates the dimensions along which an operation would need data of other devices, by reshards around it.

This is always correct, and used if no cheaper method of this package applies.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from pyshardy.dialects.sdy.placement import common_mesh_ref, resolve_mesh, set_sharding, sharding_of
from pyshardy.emitting.builder import tensor_type
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType
from pyshardy.passes.partitioning.communication_free import pad_is_free, slice_is_free
from pyshardy.passes.partitioning.shard_sizes import shard_counts
from pyshardy.propagation.projection import collect, project
from pyshardy.resharding.factor_axes import mesh_among, on_mesh
from pyshardy.resharding.insertion import reshard
from pyshardy.rules.properties import integers
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import TensorSharding, fully_closed


def replicate(op: Operation, rule: OpShardingRule, meshes: dict[str, Mesh], *, free_pads: bool) -> None:
    """Removes axes from the permutation factors of ``op`` that need communication; with ``free_pads`` not from
    dimensions of a pad that need none."""
    values: list[Value] = [*op.operands, *op.results]
    shardings = [sharding_of(value) for value in values]
    mesh_ref = common_mesh_ref(shardings, meshes, ignore_device_ids=True)
    mesh = meshes.get(mesh_ref) if isinstance(mesh_ref, str) else mesh_ref
    if mesh is None or mesh_ref is None:
        chosen = mesh_among(shardings, meshes)
        if chosen is None:
            return
        mesh_ref, mesh = chosen
    if mesh.is_maximal:
        return
    is_free = _FREE.get(op.name) if op.name != "stablehlo.pad" or free_pads else None
    factors = [factor for factor in permutation_factors(op, rule) if is_free is None or not is_free(op, factor, meshes)]
    cleared = [
        _without(rule, index, factors, on_mesh(mesh, sharding, meshes), value, mesh_ref, mesh)
        for index, (value, sharding) in enumerate(zip(values, shardings, strict=True))
    ]
    count = len(op.operands)
    for index, (old, new) in enumerate(zip(shardings[:count], cleared, strict=False)):
        if new is not None and old is not None and _is_other(old, new, meshes):
            reshard_operand(op, index, new)
    # Each reshard is inserted directly after the operation, so the first result has to come last.
    for value, old, new in reversed(list(zip(values[count:], shardings[count:], cleared[count:], strict=True))):
        if new is not None and old is not None and _is_other(old, new, meshes):
            reshard_result(value, new, old)


def permutation_factors(op: Operation, rule: OpShardingRule) -> list[int]:
    """The permutation factors of ``rule``, and pass-through factors along which elements move nevertheless: dimensions
    that a pad shifts, and those that a windowed reduction dilates."""
    moves: set[int] = set()
    if op.name == "stablehlo.pad":
        lows, interiors = integers(op, "edge_padding_low"), integers(op, "interior_padding")
        moves = {dim for dim, (low, interior) in enumerate(zip(lows, interiors, strict=True)) if low or interior}
    elif op.name == "stablehlo.reduce_window":
        moves = {dim for dim, dilation in enumerate(integers(op, "base_dilations")) if dilation != 1}
    return sorted({*rule.permutation_factors, *moves})


def reshard_operand(op: Operation, index: int, sharding: TensorSharding) -> None:
    """Reshards operand ``index`` to ``sharding`` before ``op``."""
    made = reshard(op.operands[index], sharding, op)
    rewriting.insert_before(op, made)
    rewriting.set_operand(op, index, made.result)


def without_axes(sharding: TensorSharding, dims: Container[int]) -> TensorSharding:
    """``sharding`` with ``dims`` replicated."""
    return sharding.replace(dims=[one.with_axes(()) if dim in dims else one for dim, one in enumerate(sharding.dims)])


def reshard_result(result: Value, new: TensorSharding, old: TensorSharding) -> None:
    """Gives ``result`` the sharding ``new``, and reshards it to ``old`` for all its users."""
    op = result.defining_op
    assert op is not None
    set_sharding(result, new)
    users = list(result.users)
    if op.name == "stablehlo.convolution" and len(users) == 1 and users[0].name == "sdy.all_reduce":
        # Partial sums of a convolution must be reduced before the reshard.
        summed = users[0].results[0]
        before = sharding_of(summed)
        if before is not None:
            reshard_result(summed, before.replace(dims=new.dims), before)
            return
    made = reshard(result, old, op)
    rewriting.insert_after(op, made)
    rewriting.replace_all_uses_except(result, made.result, made)


def _without(
    rule: OpShardingRule,
    index: int,
    factors: list[int],
    sharding: TensorSharding | None,
    value: Value,
    mesh_ref: str | Mesh,
    mesh: Mesh,
) -> TensorSharding | None:
    """The sharding of operand or result ``index`` without axes on ``factors``; None if it is no tensor."""
    if not isinstance(value.type, TensorType):
        return None
    mapping = rule.tensor_mappings[index]
    known = sharding if sharding is not None else fully_closed(value.type.rank, mesh_ref)
    projection = project(mapping, rule.factor_sizes, known, mesh)
    for factor in factors:
        found = projection.factors.get(factor)
        if found is not None:
            found.axes, found.overflow = [], []
    return collect(mapping, rule.factor_sizes, projection, mesh_ref, mesh, known.reduction_op)


def _is_other(old: TensorSharding, new: TensorSharding, meshes: dict[str, Mesh]) -> bool:
    """Whether the two differ in more than priorities."""
    if [dim.axes for dim in old.dims] != [dim.axes for dim in new.dims]:
        return True
    before, after = resolve_mesh(old, meshes), resolve_mesh(new, meshes)
    return not new.is_fully_replicated and before is not after


# --- what needs no communication --------------------------------------------------------------------------------------


def _count(value: Value, dim: int, meshes: dict[str, Mesh]) -> int:
    sharding = sharding_of(value)
    mesh = resolve_mesh(sharding, meshes) if sharding is not None else None
    return shard_counts(sharding, mesh, tensor_type(value).rank)[dim]


def _axes(value: Value) -> list[object]:
    sharding = sharding_of(value)
    return [dim.axes for dim in sharding.dims] if sharding is not None else [()] * tensor_type(value).rank


def _slice_is_free(op: Operation, dim: int, meshes: dict[str, Mesh]) -> bool:
    operand = op.operands[0]
    if _axes(operand) != _axes(op.results[0]):
        return False
    starts, limits, strides = (integers(op, name) for name in ("start_indices", "limit_indices", "strides"))
    count, size = _count(operand, dim, meshes), tensor_type(operand).shape[dim]
    return slice_is_free(count, size, starts[dim], limits[dim], strides[dim])


def _pad_is_free(op: Operation, dim: int, meshes: dict[str, Mesh]) -> bool:
    operand, result = op.operands[0], op.results[0]
    if _axes(operand) != _axes(result):
        return False
    low, interior = integers(op, "edge_padding_low")[dim], integers(op, "interior_padding")[dim]
    count, size = _count(operand, dim, meshes), tensor_type(operand).shape[dim]
    return pad_is_free(count, size, low, interior, tensor_type(result).shape[dim])


_FREE: dict[str, Callable[[Operation, int, dict[str, Mesh]], bool]] = {
    "stablehlo.slice": _slice_is_free,
    "stablehlo.pad": _pad_is_free,
}
