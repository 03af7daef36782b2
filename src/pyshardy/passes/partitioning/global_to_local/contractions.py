"""Dots and convolutions: contracting dimensions may be sharded if an all-reduce follows."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers
from pyshardy.emitting.builder import i64
from pyshardy.passes.partitioning.global_to_local.conversion import ConversionSite, converts, keep
from pyshardy.passes.partitioning.global_to_local.following_reduction import expect_reduction
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.rules.properties import integer


@converts("stablehlo.dot")
def _dot(site: ConversionSite) -> None:
    lhs = site.op.operands[0]
    rank = site.type_before(lhs).rank
    divisible = "Sharded contracting dimension must be divisible by the total size of the axes sharding it."
    _check_contraction(site, (rank - 1,), "dot", divisible, "contracting dimension of the dot.")
    keep(site)


@converts("stablehlo.dot_general")
def _dot_general(site: ConversionSite) -> None:
    numbers = site.op.properties.get("dot_dimension_numbers")
    assert isinstance(numbers, DotDimensionNumbers)
    divisible = "Sharded contracting dimension must be divisible by axes size."
    _check_contraction(
        site, numbers.lhs_contracting, "dot_general", divisible, "contracting dimensions of the dot_general."
    )
    keep(site)


def _check_contraction(site: ConversionSite, dims: Sequence[int], name: str, divisible: str, dimensions: str) -> None:
    """Refuses a sharded contraction whose partial sums are not reduced."""
    lhs = site.op.operands[0]
    contracted = [(dim, site.axes(lhs)[dim]) for dim in dims]
    axes = tuple(axis for _, each in contracted for axis in each)
    if not axes:
        return
    counts = site.counts(lhs)
    if any(site.type_before(lhs).shape[dim] % counts[dim] for dim in dims):
        refuse(divisible)
    mesh = site.mesh(lhs)
    assert mesh is not None
    expect_reduction(site, mesh, axes, f"sharded contracting {name}", dimensions)


@converts("stablehlo.convolution")
def _convolution(site: ConversionSite) -> None:
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
        expect_reduction(
            site,
            mesh,
            axes,
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
