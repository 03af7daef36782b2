"""Checks whether a sharding is legal for a type, wherever the sharding is stored.

Answers depend on immutable values only and are remembered for the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NoReturn

from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.ir.attribute import quoted, symbol_text
from pyshardy.ir.diagnostics import Diagnostic
from pyshardy.ir.opdef import SYMBOL_TABLE
from pyshardy.ir.operation import Operation
from pyshardy.ir.suggestions import meant
from pyshardy.ir.types import OtherShapedType, TensorType, TupleType, Type, UnrankedTensorType
from pyshardy.ir.verifying.verification import Verification
from pyshardy.sharding.axes import AxisRef, can_merge, mesh_order
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


def mesh_of(verification: Verification, op: Operation, sharding: TensorSharding) -> Mesh | None:
    """The mesh of ``sharding``, looked up in the module around ``op``."""
    reference = sharding.mesh_or_ref
    if not isinstance(reference, str):
        return reference
    inside = op.parent_op if op.traits & SYMBOL_TABLE else op
    definition = verification.symbols(inside).get(reference) if inside is not None else None
    mesh = definition.properties.get("mesh") if definition is not None and definition.name == "sdy.mesh" else None
    return mesh if isinstance(mesh, Mesh) else None


class UnknownMesh(str):
    """The problem that a mesh does not exist."""


class UnknownAxis(str):
    """The problem that ``mesh`` has no such axis."""

    mesh: Mesh

    def __new__(cls, text: str, mesh: Mesh) -> UnknownAxis:
        made = super().__new__(cls, text)
        made.mesh = mesh
        return made


def suggestions(verification: Verification, op: Operation, problem: str) -> list[Diagnostic]:
    """A note that says what an unknown name in ``problem`` may have meant, if the context wants such notes."""
    if not verification.context.suggests:
        return []
    name = problem.rpartition(": ")[2]
    if isinstance(problem, UnknownAxis):
        hint = meant("the mesh", "axes", name, map(quoted, problem.mesh.sizes))
    elif isinstance(problem, UnknownMesh):
        inside = op.parent_op if op.traits & SYMBOL_TABLE else op
        symbols = verification.symbols(inside) if inside is not None else {}
        meshes = [symbol_text(known) for known, one in symbols.items() if one.name == "sdy.mesh"]
        hint = meant("the program", "meshes", name, meshes)
    else:
        return []
    return [verification.note(op, hint)]


def check_sharding(
    verification: Verification, op: Operation, sharding: TensorSharding, type: Type | None, prefix: str = ""
) -> None:
    """Rejects ``op``, which carries ``sharding`` for a value of ``type`` (None: for no value), if it is illegal.
    ``prefix`` says where it stands."""
    mesh = mesh_of(verification, op, sharding)
    key = (sharding, type, mesh)
    memo = verification.memo
    if key not in memo:
        memo[key] = sharding_problem(sharding, type, mesh)
    problem = memo[key]
    if isinstance(problem, str):
        verification.error(op, f"{prefix}{problem}", notes=suggestions(verification, op, problem))
    if sharding.has_axes:
        for above in op.ancestors():
            if above.name == "sdy.manual_computation":
                _check_not_manual(verification, op, sharding, above, prefix)


def _check_not_manual(
    verification: Verification, op: Operation, sharding: TensorSharding, above: Operation, prefix: str
) -> None:
    bound = manual_axes(above)
    for axis in sharding.axes():
        if axis.name in bound:
            already_bound(verification, op, axis.name, above, prefix)


def already_bound(verification: Verification, op: Operation, name: str, above: Operation, prefix: str = "") -> NoReturn:
    """Rejects ``op`` for using the axis ``name``, which is manual in ``above``."""
    note = verification.note(above, "parent bounding this axis as manual")
    message = f"operates on axis {quoted(name)} which is already bound by a parent sdy.manual_computation op"
    verification.error(op, prefix + message, notes=[note])


def check_shardings(
    verification: Verification, op: Operation, shardings: Sequence[TensorSharding], types: Sequence[Type], prefix: str
) -> None:
    """Like ``check_sharding`` for the shardings of several values; none for no types may be one on a maximal mesh."""
    if not types and len(shardings) == 1:
        mesh = mesh_of(verification, op, shardings[0])
        if shardings[0].is_fully_replicated or (mesh is not None and mesh.is_maximal):
            check_sharding(verification, op, shardings[0], None, f"{prefix}0 - ")
            return
    if len(shardings) != len(types):
        verification.error(
            op, f"{prefix}shardings don't match number of values: {len(shardings)} shardings vs {len(types)} values"
        )
    for index, (sharding, type) in enumerate(zip(shardings, types, strict=True)):
        number = "" if len(types) == 1 else f"{index} "
        check_sharding(verification, op, sharding, type, f"{prefix}{number}- ")


def sharding_problem(sharding: TensorSharding, type: Type | None, mesh: Mesh | None) -> str | None:
    """What is wrong with ``sharding`` on ``mesh`` (None: there is none of that name) for a value of ``type``."""
    if mesh is None:
        assert isinstance(sharding.mesh_or_ref, str)
        return UnknownMesh(f"unknown mesh: {symbol_text(sharding.mesh_or_ref)}")
    without_axes = not (sharding.rank or sharding.replicated or sharding.unreduced)
    if mesh.is_maximal or (type is None and sharding.is_fully_replicated):
        what = "a maximal sharding can only have a sharding with rank 0 and no replicated or unreduced axes."
        return None if without_axes else what
    if isinstance(type, TupleType):
        if len(type.elements) != 1:
            return f"ops can only have a sharding for a tuple of size 1: '{type}'"
        type = type.elements[0]
    if isinstance(type, UnrankedTensorType):
        return f"only ranked tensors can have a sharding. type: '{type}'"
    if not isinstance(type, TensorType | OtherShapedType):
        what = "non-shaped tensors can only have a sharding with rank 0 and no replicated or unreduced axes."
        return None if without_axes else f"{what} type: '{type}', sharding: {sharding}"
    if sharding.rank != len(type.shape):
        return f"sharding doesn't match tensor rank: {sharding.rank} != {len(type.shape)}"
    return _axes_problem(sharding, mesh)


def _axes_problem(sharding: TensorSharding, mesh: Mesh) -> str | None:
    seen: set[AxisRef] = set()
    for number, dim in enumerate(sharding.dims):
        if dim.priority is not None and dim.priority < 0:
            return f"dim {number} has a negative priority"
        if dim.priority is not None and dim.is_closed and not dim.axes:
            return f"dim {number} is empty and closed but has a priority"
        problem = list_problem(dim.axes, mesh, seen)
        if problem is not None:
            return problem
    for name, axes in (("replicated", sharding.replicated), ("unreduced", sharding.unreduced)):
        problem = ordered_list_problem(axes, mesh, seen, f"{name} axes")
        if problem is not None:
            return problem
    return _sub_axes_problem(sharding, mesh)


def ordered_list_problem(axes: Sequence[AxisRef], mesh: Mesh, seen: set[AxisRef], what: str) -> str | None:
    """Like ``list_problem`` for axes that must stand in the order of the mesh; ``what`` names them."""
    places = [mesh_order(axis, mesh) for axis in axes]
    if any(one > other for one, other in pairwise(places)):
        return f"{what} are not ordered w.r.t. mesh"
    return list_problem(axes, mesh, seen)


def list_problem(axes: Iterable[AxisRef], mesh: Mesh, seen: set[AxisRef]) -> str | None:
    """An unknown or repeated axis of a list, or neighbours that should be one; ``seen`` collects the axes."""
    previous: AxisRef | None = None
    for axis in axes:
        if axis.name not in mesh.sizes:
            return UnknownAxis(f"unknown axis name: {quoted(axis.name)}", mesh)
        if axis in seen:
            return f"duplicate axis ref: {axis.body_text}"
        seen.add(axis)
        if previous is not None and can_merge(previous, axis):
            return f"two consecutive sub-axes can be merged: {previous.body_text}, {axis.body_text}"
        previous = axis
    return None


def _sub_axes_problem(sharding: TensorSharding, mesh: Mesh) -> str | None:
    by_name: dict[str, list[AxisRef]] = {}
    full = set()
    for axis in sharding.axes():
        if axis.sub_size is None:
            full.add(axis.name)
        else:
            by_name.setdefault(axis.name, []).append(axis)
    for name in sorted(by_name, key=mesh.positions.__getitem__):
        if name in full:
            return f"both sub-axis and full-axis are used for axis name: {quoted(name)}"
        previous: AxisRef | None = None
        for axis in sorted(by_name[name], key=lambda one: one.sort_key):
            problem = _sub_axis_problem(axis, previous, mesh.sizes[name])
            if problem is not None:
                return problem
            previous = axis
    return None


def _sub_axis_problem(axis: AxisRef, previous: AxisRef | None, size: int) -> str | None:
    assert axis.sub_size is not None
    text = axis.body_text
    if axis.pre < 1:
        return f"sub-axis pre-size must be at least 1: {text}"
    if axis.sub_size <= 1:
        return f"sub-axis sizes must be greater than 1: {text}"
    if size % axis.next_pre:
        return f"sub-axis next pre-size {axis.next_pre} doesn't divide the size of the full axis {size}: {text}"
    if axis.sub_size == size:
        return f"sub-axis size is equal to the full axis size: {text}"
    if previous is not None and previous.next_pre > axis.pre:
        return f"overlapping sub-axes: {previous.body_text}, {text}"
    return None
