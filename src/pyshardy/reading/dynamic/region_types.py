"""The types of arguments and results of an operation's regions: loops, branches, computations.

Manual computations split operands into shards and join results; all other operations pass types on. ``refinement`` uses
these functions; ``result_types`` is for operations without such regions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, TensorType, Type
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorShardingPerValue

Meshes = Mapping[str, Mesh]


def argument_types(op: Operation, meshes: Meshes) -> list[Type] | None:
    """The types of the arguments of the blocks of ``op``, from its operands; None if they do not depend on these, as in
    reducers on scalars.

    Raises:
        Wrong: a manual computation splits a dimension that does not divide.
    """
    found = _ARGUMENT_TYPES.get(op.name)
    return found(op, meshes) if found is not None else None


def returned_types(op: Operation, meshes: Meshes) -> list[Type] | None:
    """The types of the results of ``op`` as its regions give them; None if they do not follow from those alone."""
    found = _RETURNED_TYPES.get(op.name)
    return found(op, meshes) if found is not None else None


def _operands(op: Operation, meshes: Meshes) -> list[Type]:
    return [value.type for value in op.operands]


def _returned(op: Operation, meshes: Meshes) -> list[Type]:
    return [value.type for value in op.regions[0].blocks[0].terminator.operands]


def _cut(op: Operation, meshes: Meshes) -> list[Type]:
    return _across(op, "in_shardings", _operands(op, meshes), meshes, _part)


def _joined(op: Operation, meshes: Meshes) -> list[Type]:
    return _across(op, "out_shardings", _returned(op, meshes), meshes, int.__mul__)


def _part(size: int, count: int) -> int:
    if size % count:
        raise Wrong(f"a dimension of {size} is cut into {count} equal parts")
    return size // count


def _across(
    op: Operation, name: str, types: list[Type], meshes: Meshes, size_across: Callable[[int, int], int]
) -> list[Type]:
    """``types`` on the other side of a manual computation: ``size_across`` gets a size and the number of parts."""
    shardings, manual = op.properties.get(name), manual_axes(op)
    if not isinstance(shardings, TensorShardingPerValue):
        return types
    found: list[Type] = []
    for sharding, type in zip(shardings, types, strict=True):
        mesh = placement.resolve_mesh(sharding, meshes)
        if mesh is not None and isinstance(type, TensorType):
            counts = [prod(axis.size(mesh) for axis in dim.axes if axis.name in manual) for dim in sharding.dims]
            sizes = zip(type.shape, counts, strict=True)
            shape = [size if size == DYNAMIC else size_across(size, count) for size, count in sizes]
            type = TensorType(shape, type.element)
        found.append(type)
    return found


_ARGUMENT_TYPES: dict[str, Callable[[Operation, Meshes], list[Type]]] = {
    "sdy.manual_computation": _cut,
    "sdy.named_computation": _operands,
    "stablehlo.while": _operands,
}

_RETURNED_TYPES: dict[str, Callable[[Operation, Meshes], list[Type]]] = {
    "sdy.manual_computation": _joined,
    "sdy.named_computation": _returned,
    "stablehlo.case": _returned,
    "stablehlo.if": _returned,
    "stablehlo.while": _operands,
}
