"""Checks of the collectives: the operand's sharding and the axes together must give ``out_sharding``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, NoReturn

from pyshardy.dialects.sdy.placement import out_sharding, rank_of, sharding_of
from pyshardy.dialects.sdy.sharding_verification import (
    check_sharding,
    list_problem,
    mesh_of,
    ordered_list_problem,
    suggestions,
)
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.verifying.verification import Verification
from pyshardy.sharding.axes import (
    AxisRef,
    append_or_merge,
    is_suffix,
    overlaps,
    prefix_without_overlap,
    sort_and_merge,
)
from pyshardy.sharding.lists import AllToAllParamList, AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, equivalent, fully_open

# --- what all collectives must keep -----------------------------------------------------------------------------------


def collective(
    *, operand_is_sharded: bool = True, keeps_mesh: bool = True
) -> Callable[[Verification, Operation], None]:
    """A verifier of ``out_sharding`` by itself and of its mesh and rank against the operand's."""

    def verify(verification: Verification, op: Operation) -> None:
        operand = op.operands[0]
        incoming = sharding_of(operand)
        if incoming is None and operand_is_sharded:
            verification.error(op, "collective on operand without sharding")
        outgoing = out_sharding(op)
        check_sharding(verification, op, outgoing, op.results[0].type)
        if incoming is None:
            return
        operand_mesh = mesh_of(verification, op, incoming)
        if keeps_mesh and operand_mesh is not None and operand_mesh is not mesh_of(verification, op, outgoing):
            notes = [_operand_mesh_note(verification, operand, operand_mesh)]
            verification.error(op, "result mesh does not match operand mesh", notes=notes)
        if incoming.rank != outgoing.rank:
            what = f"result sharding has rank {outgoing.rank} but operand sharding has rank {incoming.rank}"
            verification.error(op, what)

    return verify


def _operand_mesh_note(verification: Verification, operand: Value, mesh: Mesh) -> Diagnostic:
    definition = operand.defining_op
    location = definition.location if definition is not None else None
    if isinstance(operand, BlockArgument):
        location = operand.location
    return Diagnostic("note", verification.context.position(location), f"operand mesh: {mesh}")


class _Sides(NamedTuple):
    """A collective's sharding before and after, on the mesh of the result."""

    incoming: TensorSharding
    outgoing: TensorSharding
    mesh: Mesh


def _sides(verification: Verification, op: Operation) -> _Sides:
    outgoing = out_sharding(op)
    mesh = mesh_of(verification, op, outgoing)
    assert mesh is not None
    incoming = sharding_of(op.operands[0])
    if incoming is None:
        incoming = fully_open(rank_of(op.operands[0].type), outgoing.mesh_or_ref)
    return _Sides(incoming, outgoing, mesh)


def _reject(verification: Verification, op: Operation, problem: str | None) -> None:
    if problem is not None:
        verification.error(op, problem, notes=suggestions(verification, op, problem))


# --- axes a dimension -------------------------------------------------------------------------------------------------


def gathers(property_name: str, word: str) -> Callable[[Verification, Operation], None]:
    """A verifier of a collective that takes axes from the minor end of dimensions."""

    def verify(verification: Verification, op: Operation) -> None:
        sides = _sides(verification, op)

        def gather(dim: int, axes: Sequence[AxisRef]) -> list[AxisRef]:
            return _gathered(verification, op, sides, dim, axes, word)

        _check_axes_per_dim(verification, op, sides, property_name, gather)

    return verify


def slices(property_name: str) -> Callable[[Verification, Operation], None]:
    """A verifier of a collective that adds axes to the minor end of dimensions."""

    def verify(verification: Verification, op: Operation) -> None:
        sides = _sides(verification, op)

        def extend(dim: int, axes: Sequence[AxisRef]) -> list[AxisRef]:
            return _extended(sides.incoming.dims[dim].axes, axes, sides.mesh)

        _check_axes_per_dim(verification, op, sides, property_name, extend)

    return verify


def _check_axes_per_dim(
    verification: Verification,
    op: Operation,
    sides: _Sides,
    property_name: str,
    applied: Callable[[int, Sequence[AxisRef]], list[AxisRef]],
) -> None:
    lists = op.properties.get(property_name)
    assert isinstance(lists, ListOfAxisRefLists)
    seen: set[AxisRef] = set()
    for axes in lists:
        _reject(verification, op, list_problem(axes, sides.mesh, seen))
    if sides.outgoing.rank != len(lists):
        what = f"result sharding has rank {sides.outgoing.rank} but collective axes has rank {len(lists)}"
        verification.error(op, what)
    for dim, axes in enumerate(lists):
        _check_dim(verification, op, sides, dim, applied(dim, axes))


def _gathered(
    verification: Verification, op: Operation, sides: _Sides, dim: int, axes: Sequence[AxisRef], word: str
) -> list[AxisRef]:
    left = list(sides.incoming.dims[dim].axes)
    for axis in reversed(axes):
        if not left or not is_suffix(axis, left[-1], sides.mesh):
            what = f"can't apply {word} axis {axis.body_text} to operand sharding on dimension {dim}"
            verification.error(op, what)
        prefix = prefix_without_overlap(left.pop(), axis)
        if prefix is not None:
            left.append(prefix)
    return left


def _extended(old: Iterable[AxisRef], new: Iterable[AxisRef], mesh: Mesh) -> list[AxisRef]:
    axes = list(old)
    for axis in new:
        append_or_merge(axes, axis, mesh)
    return axes


def _check_dim(verification: Verification, op: Operation, sides: _Sides, dim: int, expected: Sequence[AxisRef]) -> None:
    if sides.outgoing.dims[dim].axes != tuple(expected):
        listed = ", ".join(axis.body_text for axis in expected)
        verification.error(op, f"result sharding doesn't match expected sharding [{listed}] on dimension {dim}")


# --- single operations ------------------------------------------------------------------------------------------------


def all_reduce(verification: Verification, op: Operation) -> None:
    """Sums over axes that shard nothing."""
    sides = _sides(verification, op)
    if not equivalent(sides.incoming, sides.outgoing):
        verification.error(op, "operand and result shardings are not equivalent")
    reduced = op.properties.get("reduction_axes")
    assert isinstance(reduced, AxisRefList)
    _reject(verification, op, ordered_list_problem(reduced.axes, sides.mesh, set(), "reduction axes"))
    in_use = [axis for dim in sides.incoming.dims for axis in dim.axes] + list(sides.incoming.replicated)
    for axis in reduced:
        if any(overlaps(axis, other) for other in in_use):
            what = "overlaps with operand dimension sharding or replicated axes"
            verification.error(op, f"reduction axis {axis.body_text} {what}")
        if any(overlaps(axis, other) for other in sides.outgoing.unreduced):
            verification.error(op, f"reduction axis {axis.body_text} overlaps with result unreduced axes")


def all_to_all(verification: Verification, op: Operation) -> None:
    """Moves axes from one dimension to another, each dimension taking part once."""
    sides = _sides(verification, op)
    params = op.properties.get("params")
    assert isinstance(params, AllToAllParamList)
    _check_params(verification, op, sides, params)
    moved: set[int] = set()
    for param in params:
        _check_dim(
            verification,
            op,
            sides,
            param.source,
            _gathered(verification, op, sides, param.source, param.axes, "all-to-all"),
        )
        old = sides.incoming.dims[param.target].axes
        _check_dim(verification, op, sides, param.target, _extended(old, param.axes, sides.mesh))
        moved |= {param.source, param.target}
    for dim in range(sides.incoming.rank):
        if dim not in moved:
            _check_dim(verification, op, sides, dim, sides.incoming.dims[dim].axes)


def _check_params(verification: Verification, op: Operation, sides: _Sides, params: AllToAllParamList) -> None:
    if not params:
        verification.error(op, "parameter list is empty")
    seen: set[AxisRef] = set()
    used: set[int] = set()
    previous = -1
    for param in params:
        _reject(verification, op, list_problem(param.axes, sides.mesh, seen))
        places = (("source", param.source), ("target", param.target))
        for what, dim in places:
            if not 0 <= dim < sides.outgoing.rank:
                verification.error(op, f"{what} dimension {dim} is out of range [0, {sides.outgoing.rank})")
        for _, dim in places:
            if dim in used:
                verification.error(op, f"overlapping source/target dimensions in all-to-all params: {dim}")
            used.add(dim)
        if param.source < previous:
            what = f"{param.source} appears after {previous}"
            verification.error(op, f"source dimensions are not sorted in ascending order: {what}")
        previous = param.source


def collective_permute(verification: Verification, op: Operation) -> None:
    """Other axes, the same number of shards in each dimension."""
    sides = _sides(verification, op)
    operand_mesh = mesh_of(verification, op, sides.incoming)
    assert operand_mesh is not None
    if operand_mesh.axes != sides.mesh.axes:
        _reject_mesh(verification, op, operand_mesh, "result mesh has different axes than operand mesh")
    names_differ = sides.incoming.mesh_or_ref != sides.outgoing.mesh_or_ref
    if names_differ and operand_mesh.device_ids == sides.mesh.device_ids:
        what = "result mesh name is different but same device ids as operand"
        _reject_mesh(verification, op, operand_mesh, what)
    for dim, (old, new) in enumerate(zip(sides.incoming.dims, sides.outgoing.dims, strict=True)):
        sizes = new.sharded_size(sides.mesh), old.sharded_size(sides.mesh)
        if old.axes != new.axes and sizes[0] != sizes[1]:
            what = f"sharded size of result doesn't match operand on dimension {dim}: {sizes[0]} != {sizes[1]}"
            verification.error(op, what)


def _reject_mesh(verification: Verification, op: Operation, operand_mesh: Mesh, what: str) -> NoReturn:
    verification.error(op, what, notes=[_operand_mesh_note(verification, op.operands[0], operand_mesh)])


def sharded_to_unreduced(verification: Verification, op: Operation) -> None:
    """Gathered axes become unreduced ones."""
    gathers("axes", "shard-to-unreduce")(verification, op)
    lists = op.properties.get("axes")
    assert isinstance(lists, ListOfAxisRefLists)
    added = [axis for axes in lists for axis in axes]
    _check_unreduced(verification, op, added, "sharded_to_unreduced_axes")


def replicated_to_unreduced(verification: Verification, op: Operation) -> None:
    """Axes that shard nothing become unreduced ones."""
    sides = _sides(verification, op)
    if sides.incoming.dims != sides.outgoing.dims:
        verification.error(op, "input and output must share the same dimension shardings")
    axes = op.properties.get("axes")
    assert isinstance(axes, AxisRefList)
    if not axes:
        verification.error(op, "r2u axes must not be empty")
    _reject(verification, op, ordered_list_problem(axes.axes, sides.mesh, set(), "r2u axes"))
    for axis in axes:
        if any(overlaps(axis, other) for dim in sides.incoming.dims for other in dim.axes):
            verification.error(op, f"r2u axis {axis.body_text} overlaps with operand dimension sharding")
        if any(overlaps(axis, other) for other in sides.incoming.unreduced):
            verification.error(op, f"r2u axis {axis.body_text} overlaps with operand unreduced axes")
    _check_unreduced(verification, op, axes, "r2u_axes")


def _check_unreduced(verification: Verification, op: Operation, added: Iterable[AxisRef], name: str) -> None:
    sides = _sides(verification, op)
    expected = sort_and_merge([*sides.incoming.unreduced, *added], sides.mesh)
    if sides.outgoing.unreduced != tuple(expected):
        verification.error(op, f"out_unreduced_axes should be in_unreduced_axes + {name}")
