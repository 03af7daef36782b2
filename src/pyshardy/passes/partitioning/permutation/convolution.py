"""Convolutions along sharded spatial dimensions: replicates these, unless a device can convolve its shards.

It can where the kernel covers the whole input, because then the dimension is contracted. Axes of a kernel dimension
that is replicated here are removed from the all-reduce that follows. ``replication`` handles windows that slide.
"""

from __future__ import annotations

from collections.abc import Collection

from pyshardy.dialects.sdy.placement import resolve_mesh, sharding_of
from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers
from pyshardy.emitting.layout import Axes
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation, Value
from pyshardy.passes.partitioning.communication_free import convolution_contracts
from pyshardy.passes.partitioning.permutation.replication import reshard_operand, reshard_result, without_axes
from pyshardy.sharding.axes import AxisRef, difference, sort_and_merge
from pyshardy.sharding.lists import AxisRefList
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


def replicate_spatial_dims(op: Operation, known: dict[str, Mesh]) -> None:
    """Replicates the spatial dimensions along which devices would need more than their shards."""
    numbers = op.properties.get("dimension_numbers")
    assert isinstance(numbers, ConvDimensionNumbers)
    lhs, kernel = op.operands
    moving = [
        dims
        for index, dims in enumerate(zip(numbers.input_spatial, numbers.kernel_spatial, strict=True))
        if _axes(lhs, dims[0]) != _axes(kernel, dims[1]) or not convolution_contracts(op, index)
    ]
    if not _remove_from_reduction(op, [axis for _, dim in moving for axis in _axes(kernel, dim)], known):
        return
    for index, value in enumerate((lhs, kernel)):
        new = _without(value, {dims[index] for dims in moving})
        if new is not None:
            reshard_operand(op, index, new)
    old, new = sharding_of(op.result), _without(op.result, numbers.output_spatial)
    if old is not None and new is not None:
        reshard_result(op.result, new, old)


def _axes(value: Value, dim: int) -> Axes:
    sharding = sharding_of(value)
    return sharding.dims[dim].axes if sharding is not None and sharding.dims else ()


def _without(value: Value, dims: Collection[int]) -> TensorSharding | None:
    """The sharding of ``value`` with ``dims`` replicated; None if they are replicated already."""
    sharding = sharding_of(value)
    if sharding is None or not any(_axes(value, dim) for dim in dims):
        return None
    return without_axes(sharding, dims)


def _remove_from_reduction(op: Operation, axes: list[AxisRef], known: dict[str, Mesh]) -> bool:
    """Removes ``axes`` from the all-reduce after ``op``; returns False if the partial sums have other users."""
    sharding = sharding_of(op.operands[1])
    mesh = resolve_mesh(sharding, known) if sharding is not None else None
    if not axes or mesh is None:
        return True
    result = sharding_of(op.result)
    users = list(op.result.users)
    if len(users) != 1 or users[0].name != "sdy.all_reduce":
        return result is None or not result.unreduced
    (summed,) = users
    found = summed.properties.get("reduction_axes")
    assert isinstance(found, AxisRefList)
    left = sort_and_merge(difference(found.axes, axes, mesh), mesh)
    if left:
        rewriting.set_properties(summed, summed.properties.with_("reduction_axes", AxisRefList(left)))
    else:
        rewriting.replace_op(summed, [op.result])
    return True
