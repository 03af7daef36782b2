"""The groups of devices that a collective names: row by row, or by axes of a mesh."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from pyshardy.dialects.stablehlo.attributes import Mesh as StablehloMesh
from pyshardy.dialects.stablehlo.attributes import ReplicaGroupMeshAxes
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, SymbolRefAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.registry import foreign_row, foreign_rows
from pyshardy.sharding.mesh import Mesh

Groups = list[list[int]]


def group_rows(op: Operation, module: Operation) -> Groups:
    """The rows of ``replica_groups``, however they are written; fillings of -1 are dropped. Those of an operation of a
    foreign dialect are what its row says, if it does.

    Raises:
        ValueError: the mesh they refer to does not exist.
    """
    row = foreign_row(op.name) if foreign_rows() else None
    if row is not None and row.collective is not None and row.collective.groups is not None:
        # What a plugin's function returns is looked at here.
        found: object = row.collective.groups(op)
        if not isinstance(found, Sequence) or not all(isinstance(group, Sequence) for group in found):
            raise ValueError(f"the groups of '{op.name}' are {found!r}, and lists of device numbers are expected")
        return [list(map(int, group)) for group in found]
    value = op.properties.get("replica_groups")
    return _mesh_rows(value, module) if isinstance(value, ReplicaGroupMeshAxes) else listed_rows(value)


def listed_rows(value: Attribute | None) -> Groups:
    """The rows of a matrix of numbers without fillings of -1; none if it is none."""
    if not isinstance(value, DenseElementsAttr) or not value.num_elements:
        return []
    numbers = value.integers()
    width = value.type.shape[-1]
    rows = [numbers[start : start + width] for start in range(0, len(numbers), width)]
    return [[one for one in row if one >= 0] for row in rows]


def _mesh_rows(value: ReplicaGroupMeshAxes, module: Operation) -> Groups:
    sizes, devices = _mesh(value.mesh, module)
    chosen: list[tuple[str, int, int]] = []
    for axis in value.axes:
        name, sub_axis = getattr(axis, "name", None), getattr(axis, "sub_axis", None)
        if not isinstance(name, str) or name not in sizes:
            raise ValueError(f"the mesh of the replica groups has no axis {axis}")
        pre, size = (1, sizes[name]) if sub_axis is None else (sub_axis.pre_size, sub_axis.size)
        chosen.append((name, pre, size))
    return mesh_axis_groups(sizes, devices, chosen)


def mesh_axis_groups(sizes: dict[str, int], devices: Iterable[int], chosen: Iterable[tuple[str, int, int]]) -> Groups:
    """The groups of devices that differ only along parts of axes, each ``(axis, size before it, size)``.

    ``sizes`` are the axes of the mesh in order and ``devices`` its devices, row by row. The members of a group are in
    the order of the chosen parts, the last one fastest.

    Raises:
        ValueError: a part does not divide its axis.

    >>> mesh_axis_groups({"x": 2, "y": 2}, range(4), [("x", 1, 2)])
    [[0, 2], [1, 3]]
    """
    wanted = list(chosen)
    shape: list[int] = []
    place: dict[tuple[str, int], int] = {}
    for name, size in sizes.items():
        parts = sorted((pre, part) for axis, pre, part in wanted if axis == name)
        done = 1
        for pre, part in parts:
            if pre % done or size % (pre * part):
                raise ValueError(f"the part ({pre}){part} of axis {name!r} does not divide its size {size}")
            if pre > done:
                shape.append(pre // done)
            place[name, pre] = len(shape)
            shape.append(part)
            done = pre * part
        shape.append(size // done)
    listed = list(devices)
    last = [place[axis, pre] for axis, pre, _ in wanted]
    members = _offsets(shape, last)
    first = [dimension for dimension in range(len(shape)) if dimension not in last]
    return [[listed[begin + member] for member in members] for begin in _offsets(shape, first)]


def _offsets(shape: Sequence[int], dimensions: Sequence[int]) -> list[int]:
    """Where the elements of an array of ``shape`` stand of which only the indices of ``dimensions`` are not 0, the last
    of these fastest."""
    found = [0]
    for dimension in dimensions:
        stride = prod(shape[dimension + 1 :])
        found = [one + stride * index for one in found for index in range(shape[dimension])]
    return found


def _mesh(mesh: Attribute, module: Operation) -> tuple[dict[str, int], list[int]]:
    """Sizes of the axes by name, and the devices row by row."""
    if isinstance(mesh, SymbolRefAttr):
        for op in module.body:
            if op.symbol_name == mesh.root:
                value = op.properties.get("mesh")
                if isinstance(value, Mesh | StablehloMesh):
                    return _mesh(value, module)
        raise ValueError(f"the replica groups name the mesh {mesh}, which does not exist")
    if isinstance(mesh, Mesh):
        return dict(mesh.sizes), list(mesh.device_ids or range(mesh.total_size))
    assert isinstance(mesh, StablehloMesh)
    sizes = {axis.name: axis.size for axis in mesh.axes}
    ids = mesh.device_ids
    if isinstance(ids, DenseElementsAttr):
        return sizes, ids.integers()
    if isinstance(ids, ArrayAttr):
        return sizes, [int(getattr(one, "value", 0)) for one in ids]
    return sizes, list(range(prod(sizes.values())))
