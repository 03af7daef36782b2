"""Projects dimensions onto factors, and collects dimensions from factors.

A rule splits each dimension of each tensor into factors; the axes that shard the dimension are assigned to its factors
from major to minor. Propagation works on factors (``factor_strategies``); afterwards the axes are collected again.
"""

from __future__ import annotations

from math import gcd, prod

from pyshardy.sharding.axes import AxisRef, append_or_merge
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding

TensorMapping = tuple[tuple[int, ...], ...]
"""The factors of each dimension of a tensor, major to minor."""


class FactorSharding:
    """How one factor of one tensor is sharded. ``overflow`` are axes of the dimension that fit neither here nor to the
    right; ``minor_most`` holds if the factor is the last of its dimension."""

    __slots__ = ("axes", "closed", "minor_most", "overflow")

    def __init__(self, minor_most: bool, closed: bool) -> None:
        self.axes: list[AxisRef] = []
        self.overflow: list[AxisRef] = []
        self.closed = closed
        self.minor_most = minor_most


class TensorProjection:
    """The projection of one tensor: its factors, and the axes that are replicated or unreduced."""

    __slots__ = ("factors", "replicated", "size", "unreduced")

    def __init__(
        self, factors: dict[int, FactorSharding], sharding: TensorSharding | None, sizes: tuple[int, ...]
    ) -> None:
        self.factors = factors
        self.replicated = sharding.replicated if sharding is not None else ()
        self.unreduced = sharding.unreduced if sharding is not None else ()
        self.size = prod(sizes[factor] for factor in factors)


def project(
    mapping: TensorMapping, sizes: tuple[int, ...], sharding: TensorSharding | None, mesh: Mesh
) -> TensorProjection:
    """The factor shardings of a tensor; without a sharding every dimension is open and empty."""
    factors: dict[int, FactorSharding] = {}
    for dim, dim_factors in enumerate(mapping):
        axes: tuple[AxisRef, ...]
        if sharding is None:
            axes, closed = (), False
        else:
            axes, closed = sharding.dims[dim].axes, sharding.dims[dim].is_closed
        _project_dimension(dim_factors, sizes, axes, closed, mesh, factors)
    return TensorProjection(factors, sharding, sizes)


def _project_dimension(
    dim_factors: tuple[int, ...],
    sizes: tuple[int, ...],
    axes: tuple[AxisRef, ...],
    closed: bool,
    mesh: Mesh,
    factors: dict[int, FactorSharding],
) -> None:
    rest = list(axes)
    last = dim_factors[-1]
    overflowed = False
    for factor in dim_factors:
        current = factors[factor] = FactorSharding(factor == last, closed)
        if overflowed:
            current.closed = True
            return
        if current.minor_most:
            for axis in rest:
                append_or_merge(current.axes, axis, mesh)
            return
        left = sizes[factor]
        while rest:
            axis = rest[0]
            size = axis.size(mesh)
            common = 1 if size == 1 else gcd(left, size)
            if size != 1 and common == 1:
                break
            if size > common:
                current.axes.append(AxisRef(axis.name, axis.pre, common))
                rest[0] = AxisRef(axis.name, axis.pre * common, size // common)
                left //= common
            else:
                current.axes.append(axis)
                left //= size
                del rest[0]
        if left > 1 and rest:
            overflowed = True
            for axis in rest:
                append_or_merge(current.overflow, axis, mesh)


def collect(
    mapping: TensorMapping,
    sizes: tuple[int, ...],
    projection: TensorProjection,
    mesh_or_ref: str | Mesh,
    mesh: Mesh,
    reduction_op: str,
) -> TensorSharding:
    """The tensor's sharding from its factor shardings. Axes behind a factor that is not full cannot be expressed and
    are dropped; so are all priorities."""
    dims = []
    for dim_factors in mapping:
        closed = False
        axes: list[AxisRef] = []
        for factor in dim_factors:
            current = projection.factors[factor]
            closed = closed or current.closed
            _extend(axes, current.axes, mesh)
            if current.overflow:
                _extend(axes, current.overflow, mesh)
                break
            if prod(axis.size(mesh) for axis in current.axes) < sizes[factor]:
                break
        dims.append(DimSharding(axes, closed))
    return TensorSharding(mesh_or_ref, dims, projection.replicated, projection.unreduced, reduction_op)


def _extend(axes: list[AxisRef], new: list[AxisRef], mesh: Mesh) -> None:
    if new:
        append_or_merge(axes, new[0], mesh)
        axes.extend(new[1:])
