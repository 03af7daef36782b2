"""Simplifies ``sdy`` operations: reshards of reshards, collectives that do nothing, and pairs of them that make one.

The pass ``canonicalize`` applies the patterns. The export pipeline chooses them by label: ``sdy-reshard`` before
reshards become collectives, and ``sdy-collective`` afterwards. Patterns without a label are in
``manual_canonicalization`` and ``reshard_reuse``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.dialects.sdy.manual_canonicalization import drop_unused_inputs, inline_redundant
from pyshardy.dialects.sdy.placement import meshes, out_sharding, resolve_mesh, sharding_of
from pyshardy.dialects.sdy.reshard_reuse import reuse_reshard
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.greedy import Pattern, PatternTable
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.rewriter import Rewriter
from pyshardy.sharding.axes import AxisRef, append_or_merge, sort_and_merge
from pyshardy.sharding.lists import AllToAllParamList, AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import CLOSED, DimSharding, TensorSharding, equivalent

RESHARD = "sdy-reshard"
COLLECTIVE = "sdy-collective"


def _producer(op: Operation, name: str) -> Operation | None:
    """The operation called ``name`` whose result the only operand of ``op`` is."""
    definition = op.operands[0].defining_op
    return definition if definition is not None and definition.name == name else None


def _axis_lists(op: Operation, name: str) -> ListOfAxisRefLists:
    found = op.properties.get(name)
    assert isinstance(found, ListOfAxisRefLists)
    return found


def _axes(op: Operation, name: str) -> AxisRefList:
    found = op.properties.get(name)
    assert isinstance(found, AxisRefList)
    return found


def _params(op: Operation) -> AllToAllParamList:
    found = op.properties.get("params")
    assert isinstance(found, AllToAllParamList)
    return found


def _mesh(op: Operation, sharding: TensorSharding) -> Mesh:
    *_, module = op.ancestors()
    mesh = resolve_mesh(sharding, meshes(module))
    assert mesh is not None
    return mesh


def _create(name: str, operand: Value, like: Operation, **properties: Attribute) -> Operation:
    return rewriting.create(name, [operand], [like.result.type], DictionaryAttr(properties), location=like.location)


# --- reshards ---------------------------------------------------------------------------------------------------------


def _reshard_of_reshard(op: Operation, rewriter: Rewriter) -> bool:
    inner = _producer(op, "sdy.reshard")
    if inner is None or not inner.result.has_one_use:
        return False
    rewriter.replace_with(
        op, rewriting.create("sdy.reshard", inner.operands, [op.result.type], op.properties, location=op.location)
    )
    return True


# --- collectives that do nothing --------------------------------------------------------------------------------------


def _without_axes(name: str) -> Callable[[Operation, Rewriter], bool]:
    def rewrite(op: Operation, rewriter: Rewriter) -> bool:
        axes = op.properties.get(name)
        assert isinstance(axes, AxisRefList | ListOfAxisRefLists)
        if any(axes):
            return False
        rewriter.replace(op, op.operands)
        return True

    return rewrite


def _permute_to_same(op: Operation, rewriter: Rewriter) -> bool:
    sharding = sharding_of(op.operands[0])
    if sharding is None or not equivalent(sharding, out_sharding(op)):
        return False
    rewriter.replace(op, op.operands)
    return True


def _slice_of_gather(op: Operation, rewriter: Rewriter) -> bool:
    gather = _producer(op, "sdy.all_gather")
    if gather is None or _axis_lists(gather, "gathering_axes") is not _axis_lists(op, "slicing_axes"):
        return False
    rewriter.replace(op, gather.operands)
    return True


def _unused(op: Operation, rewriter: Rewriter) -> bool:
    if op.result.num_uses:
        return False
    rewriter.erase(op)
    return True


# --- two collectives as one -------------------------------------------------------------------------------------------


def _all_to_all_of_all_to_all(op: Operation, rewriter: Rewriter) -> bool:
    inner = _producer(op, "sdy.all_to_all")
    if inner is None or not inner.result.has_one_use:
        return False
    params = [*_params(inner), *_params(op)]
    dims = [dim for param in params for dim in (param.source, param.target)]
    if len(set(dims)) != len(dims):
        return False
    params.sort(key=lambda param: param.source)
    fused = _create(op.name, inner.operands[0], op, out_sharding=out_sharding(op), params=AllToAllParamList(params))
    rewriter.replace_with(op, fused)
    return True


def _all_reduce_of_replicated(op: Operation, rewriter: Rewriter) -> bool:
    inner = _producer(op, "sdy.replicated_to_unreduced")
    if inner is None or _axes(inner, "axes") is not _axes(op, "reduction_axes"):
        return False
    rewriter.replace(op, inner.operands)
    return True


def _all_reduce_of_sharded(op: Operation, rewriter: Rewriter) -> bool:
    inner = _producer(op, "sdy.sharded_to_unreduced")
    if inner is None:
        return False
    lists, becomes = _axis_lists(inner, "axes"), out_sharding(op)
    axes = sort_and_merge((axis for one in lists for axis in one), _mesh(op, becomes))
    if tuple(axes) != _axes(op, "reduction_axes").axes:
        return False
    gather = _create("sdy.all_gather", inner.operands[0], op, gathering_axes=lists, out_sharding=becomes)
    rewriter.replace_with(op, gather)
    return True


def _slice_of_all_reduce(op: Operation, rewriter: Rewriter) -> bool:
    reduce = _producer(op, "sdy.all_reduce")
    if reduce is None:
        return False
    slicing = _axis_lists(op, "slicing_axes")
    users = list(dict.fromkeys(reduce.result.users))
    if not all(_slices_alike(user, op, slicing) for user in users):
        return False
    split = _split_slicing(slicing, _axes(reduce, "reduction_axes").axes)
    if split is None:
        return False
    scattered, rest = split
    scatter = _reduce_scatter(op, reduce, scattered)
    rewriter.insert_before(op, scatter)
    new = scatter
    if any(rest):
        new = _create(op.name, scatter.result, op, out_sharding=out_sharding(op), slicing_axes=ListOfAxisRefLists(rest))
        rewriter.insert_before(op, new)
    for user in users:
        rewriter.replace(user, new.results)
    rewriter.erase(reduce)
    return True


def _slices_alike(user: Operation, first: Operation, slicing: ListOfAxisRefLists) -> bool:
    if user is first:
        return True
    return (
        user.name == first.name
        and _axis_lists(user, "slicing_axes") is slicing
        and user.parent is first.parent
        and first.is_before(user)
    )


_Lists = list[Sequence[AxisRef]]


def _split_slicing(slicing: ListOfAxisRefLists, reduction: Sequence[AxisRef]) -> tuple[_Lists, _Lists] | None:
    """Per dimension the axes to scatter over and those still to slice; None if some reduction axis is not sliced."""
    remaining = set(reduction)
    scattered: _Lists = []
    rest: _Lists = []
    for axes in slicing:
        count = 0
        while count < len(axes) and axes[count] in remaining:
            remaining.remove(axes[count])
            count += 1
        scattered.append(axes[:count])
        rest.append(axes[count:])
    return None if remaining else (scattered, rest)


def _reduce_scatter(op: Operation, reduce: Operation, axes: _Lists) -> Operation:
    sliced, reduced = out_sharding(op), out_sharding(reduce)
    mesh = _mesh(op, reduced)
    incoming = sharding_of(reduce.operands[0])
    old_dims = incoming.dims if incoming is not None else (CLOSED,) * len(axes)
    dims = []
    for old, added in zip(old_dims, axes, strict=True):
        dim = list(old.axes)
        for axis in added:
            append_or_merge(dim, axis, mesh)
        dims.append(DimSharding(dim))
    becomes = TensorSharding(reduced.mesh_or_ref, dims, sliced.replicated, sliced.unreduced, sliced.reduction_op)
    scatter = _create(
        "sdy.reduce_scatter",
        reduce.operands[0],
        op,
        out_sharding=becomes,
        reduce_scatter_axes=ListOfAxisRefLists(axes),
    )
    kind = reduce.properties.get("reduction_op")
    if kind is not None:
        rewriting.set_properties(scatter, scatter.properties.with_("reduction_op", kind))
    return scatter


# --- the table --------------------------------------------------------------------------------------------------------


def _collective(*rewrites: Callable[[Operation, Rewriter], bool]) -> list[Pattern]:
    return [Pattern(rewrite, (COLLECTIVE,)) for rewrite in rewrites]


PATTERNS: PatternTable = {
    "sdy.all_gather": _collective(_without_axes("gathering_axes")),
    "sdy.all_reduce": _collective(_without_axes("reduction_axes"), _all_reduce_of_replicated, _all_reduce_of_sharded),
    "sdy.all_slice": _collective(_without_axes("slicing_axes"), _slice_of_gather, _slice_of_all_reduce),
    "sdy.all_to_all": _collective(_unused, _all_to_all_of_all_to_all),
    "sdy.collective_permute": _collective(_permute_to_same),
    "sdy.manual_computation": [Pattern(drop_unused_inputs), Pattern(inline_redundant)],
    "sdy.reduce_scatter": _collective(_without_axes("reduce_scatter_axes")),
    "sdy.reshard": [Pattern(_reshard_of_reshard, (RESHARD,)), Pattern(reuse_reshard)],
}
"""The simplifications of the dialect's operations."""
