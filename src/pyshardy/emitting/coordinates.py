"""Computes which shard the running device holds: arithmetic on ``partition_id``, once in each function.

The coordinate along an axis is a digit of the device's position in the mesh: one division and one remainder, for any
number of devices. Only a mesh with an explicit order of devices needs a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pyshardy.emitting.builder import Builder, tensor_type
from pyshardy.emitting.layout import Axes
from pyshardy.ir.operation import Value
from pyshardy.ir.types import I32, I64, IntegerType, TensorType, Type
from pyshardy.resharding.shard_places import stride_of
from pyshardy.sharding.axes import AxisRef, shard_count
from pyshardy.sharding.mesh import Mesh

_UI32 = IntegerType(32, "u")
_LARGEST_I32 = 2**31 - 1


def index_type(largest: int) -> Type:
    """The type for scalars up to ``largest``: i32 if that holds it, else i64."""
    return I32 if largest <= _LARGEST_I32 else I64


def emit_shard_index(builder: Builder, mesh: Mesh, axes: Axes) -> Value:
    """The shard index of the running device along ``axes``, a scalar i32 at the start of the function."""

    def digit(stride: int, size: int) -> Value:
        make = partial(digit_of, builder, partial(_place, builder, mesh), mesh, stride, size)
        return builder.cached(("digit", mesh, stride, size), make)

    with builder.at_function_start():
        return builder.cached(("index", mesh, axes), lambda: combined(builder, mesh, axes, digit, I32))


def combined(builder: Builder, mesh: Mesh, axes: Axes, digit: Callable[[int, int], Value], element: Type) -> Value:
    """The shard index along ``axes`` of a device; ``digit`` gives its coordinate for a (stride, size)."""
    index: Value | None = None
    for stride, size in digits(mesh, axes):
        found = digit(stride, size)
        if index is not None:
            found = builder.binary("add", builder.binary("multiply", index, builder.scalar(size, element)), found)
        index = found
    return index if index is not None else builder.scalar(0, element)


def digit_of(builder: Builder, place: Callable[[], Value], mesh: Mesh, stride: int, size: int) -> Value:
    """The coordinate with stride ``stride`` and size ``size`` of the device at position ``place()`` of the mesh."""
    digit = place()
    element = tensor_type(digit).element
    if stride > 1:
        digit = builder.binary("divide", digit, builder.scalar(stride, element))
    if stride * size < mesh.total_size:
        digit = builder.binary("remainder", digit, builder.scalar(size, element))
    return digit


def offset(builder: Builder, mesh: Mesh, axes: Axes, size: int, element: Type | None = None) -> Value:
    """The shard index times ``size``: where the running device's shard of a dimension begins. A scalar, of type
    ``element`` if given, at the start of the function."""
    if not axes:
        return builder.scalar(0, element or I32)
    type = element or index_type(size * shard_count(axes, mesh))

    def make() -> Value:
        index = builder.convert(emit_shard_index(builder, mesh, axes), type)
        return index if size == 1 else builder.binary("multiply", index, builder.scalar(size, type))

    with builder.at_function_start():
        return builder.cached(("offset", mesh, axes, size, type), make)


def own_shard(builder: Builder, value: Value, mesh: Mesh, axes: Sequence[Axes], shape: Sequence[int]) -> Value:
    """The running device's shard, of ``shape``, of ``value``, which it holds whole and which divides along ``axes``."""
    element = index_type(max(tensor_type(value).shape))
    starts = [offset(builder, mesh, each, size, element) for each, size in zip(axes, shape, strict=True)]
    return builder.dynamic_slice(value, starts, shape)


def digits(mesh: Mesh, axes: Axes) -> list[tuple[int, int]]:
    """(stride, size) of each coordinate along ``axes``; axes that are neighbours in the mesh are merged."""
    digits: list[tuple[int, int]] = []
    for axis in axes:
        stride, size = stride_of(axis, mesh), axis.size(mesh)
        if digits and digits[-1][0] == stride * size:
            digits[-1] = (stride, digits[-1][1] * size)
        else:
            digits.append((stride, size))
    return digits


def _place(builder: Builder, mesh: Mesh) -> Value:
    """The position of the running device in the mesh."""

    def device() -> Value:
        return builder.convert(builder.emit("partition_id", (), TensorType((), _UI32)), I32)

    def looked_up() -> Value:
        places = [0] * mesh.total_size
        for place, id in enumerate(mesh.device_ids):
            places[id] = place
        table = builder.integers(places, I32)
        return builder.reshape(builder.dynamic_slice(table, [builder.cached("device", device)], [1]), ())

    if not mesh.device_ids:
        return builder.cached("device", device)
    return builder.cached(("place", mesh), looked_up)


def is_first(builder: Builder, mesh: Mesh, axes: tuple[AxisRef, ...]) -> Value:
    """Whether the running device has coordinate 0 along all of ``axes``: a scalar i1 at the start of the function."""
    with builder.at_function_start():
        return builder.cached(
            ("first", mesh, axes),
            lambda: builder.compare(emit_shard_index(builder, mesh, axes), "EQ", builder.scalar(0)),
        )
