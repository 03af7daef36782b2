"""Dots and convolutions: contracted dimensions may be sharded if an all-reduce follows.

Registers with ``conversion``.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Value
from pyshardy.partitioning.builder import i64
from pyshardy.partitioning.layout import Axes
from pyshardy.partitioning.passes.global_to_local.conversion import Site, converts, keep
from pyshardy.partitioning.passes.legalization import refuse
from pyshardy.rules.properties import integer
from pyshardy.sharding.axes import sort_and_merge
from pyshardy.sharding.lists import AxisRefList, ListOfAxisRefLists


@converts("stablehlo.dot")
def _dot(site: Site) -> None:
    lhs = site.op.operands[0]
    rank = site.global_type(lhs).rank
    divisible = "Sharded contracting dimension must be divisible by the total size of the axes sharding it."
    _check_contraction(site, (rank - 1,), "dot", divisible, "contracting dimension of the dot.")
    keep(site)


@converts("stablehlo.dot_general")
def _dot_general(site: Site) -> None:
    numbers = site.op.properties.get("dot_dimension_numbers")
    assert isinstance(numbers, DotDimensionNumbers)
    divisible = "Sharded contracting dimension must be divisible by axes size."
    _check_contraction(
        site, numbers.lhs_contracting, "dot_general", divisible, "contracting dimensions of the dot_general."
    )
    keep(site)


def _check_contraction(site: Site, dims: Sequence[int], name: str, divisible: str, dimensions: str) -> None:
    """Terms of a sum must be summed, and padding must not count."""
    lhs, rhs = site.op.operands
    contracted = [(dim, site.axes(lhs)[dim]) for dim in dims]
    axes = tuple(axis for _, each in contracted for axis in each)
    if not axes:
        return
    counts = site.counts(lhs)
    if any(site.global_type(lhs).shape[dim] % counts[dim] for dim in dims):
        refuse(divisible)
    for operand in (lhs, rhs):
        fill = site.conversion.padding.get(operand)
        if fill is not None and not _is_zero(fill):
            refuse(f"Padding value must be zero for sharded contracting {name}.")
    _expect_all_reduce(site, axes, f"sharded contracting {name}", dimensions)


def _expect_all_reduce(site: Site, axes: Axes, what: str, dimensions: str) -> None:
    user = site.only_user("sdy.all_reduce", "sdy.reduce_scatter")
    if user is None:
        refuse(f"Expected {what} to have one user and the user is an sdy.all_reduce.")
    found = user.properties.get("reduction_axes")
    scattered = user.properties.get("reduce_scatter_axes")
    if isinstance(scattered, ListOfAxisRefLists):
        matches = {axis for each in scattered for axis in each} == set(axes)
    else:
        matches = isinstance(found, AxisRefList) and set(found.axes) == set(axes)
    if not matches:
        refuse(f"The axes of the sdy.all_reduce should match the sharded {dimensions}")


def _is_zero(value: Value) -> bool:
    made = value.defining_op
    found = made.properties.get("value") if made is not None else None
    return isinstance(found, DenseElementsAttr) and found.splat_value == 0


@converts("stablehlo.convolution")
def _convolution(site: Site) -> None:
    op = site.op
    lhs, rhs = op.operands
    if site.is_replicated(lhs) and site.is_replicated(rhs) and site.is_replicated(op.result):
        return keep(site)
    numbers = op.properties.get("dimension_numbers")
    assert isinstance(numbers, ConvDimensionNumbers)
    mesh = site.mesh(rhs) or site.mesh(lhs)
    kernel = site.axes(rhs)
    contracted = (numbers.kernel_input_feature, *numbers.kernel_spatial)
    axes = tuple(dict.fromkeys(axis for dim in contracted for axis in kernel[dim]))
    if axes and mesh is not None:
        _expect_all_reduce(
            site,
            tuple(sort_and_merge(axes, mesh)),
            "sharded contracting convolution",
            "reduction dimensions of the convolution.",
        )
    changed = {}
    for name, value, dim in (
        ("feature_group_count", rhs, numbers.kernel_output_feature),
        ("batch_group_count", lhs, numbers.input_batch),
    ):
        count = integer(op, name, 1)
        shards = min(count, site.counts(value)[dim])
        if count > 1 and shards > 1:
            if count % shards:
                refuse("global group count is not divisible by total axes size")
            count //= shards
        changed[name] = i64(count)
    new = site.rebuild(op.operands, changed, keep_attributes=False)
    return site.replace(new.results[0])
