"""Moving axes along factors: the basic strategy, which never decides a conflict, and the aggressive one, which does.

Both find for each factor the longest list of axes that its tensors agree on and extend the tensors that have less of
it. Source: Shardy's documentation, propagation.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd, prod

from pyshardy.propagation.directions import BACKWARD, BOTH, NONE, Directions
from pyshardy.propagation.projection import TensorProjection
from pyshardy.sharding.axes import AxisRef, contains, is_prefix, prefix_without_any
from pyshardy.sharding.mesh import Mesh


class Projection:
    """The projections of all tensors of one operation, and the properties of the operation that the strategies use."""

    __slots__ = ("conservative", "elementwise", "mesh", "operands", "results", "sizes")

    def __init__(
        self,
        operands: list[TensorProjection],
        results: list[TensorProjection],
        sizes: tuple[int, ...],
        mesh: Mesh,
        elementwise: bool,
        conservative: bool,
    ) -> None:
        self.operands = operands
        self.results = results
        self.sizes = sizes
        self.mesh = mesh
        self.elementwise = elementwise
        self.conservative = conservative

    @property
    def tensors(self) -> list[TensorProjection]:
        return self.operands + self.results


Strategy = Callable[[Projection, Directions], list[bool]]
"""Edits the projection; returns for each tensor (operands, then results) whether it gained an axis."""


def merge_major(old: list[AxisRef], new: list[AxisRef], can_expand: bool) -> tuple[list[AxisRef], bool]:
    """The longest list that both allow, and whether a further list may still make it longer."""
    merged: list[AxisRef] = []
    for index in range(min(len(old), len(new))):
        ours, theirs = old[index], new[index]
        if ours is theirs:
            merged.append(theirs)
        elif ours.name != theirs.name:
            return merged, False
        elif is_prefix(theirs, ours):
            if index + 1 < len(new):
                return [*merged, theirs], False
            merged.append(ours)
        elif is_prefix(ours, theirs):
            if not can_expand or index + 1 < len(old):
                return [*merged, ours], False
            merged.append(theirs)
        else:
            return merged, False
    shared = len(merged)
    merged += old[shared:]
    if can_expand:
        merged += new[shared:]
    return merged, can_expand


def compatible_major_axes(projection: Projection, factor: int, direction: int) -> list[AxisRef]:
    """The axes to offer along ``factor``: those that its tensors agree on, regardless of other factors. With a single
    direction the receiving side can only shorten the offer."""
    if direction == NONE:
        return []
    first, second = projection.operands, projection.results
    if direction == BACKWARD:
        first, second = second, first
    axes: list[AxisRef] = []
    can_expand = True
    for tensor in first:
        if factor in tensor.factors:
            axes, can_expand = merge_major(axes, tensor.factors[factor].axes, can_expand)
    if direction != BOTH:
        can_expand = False
    for tensor in second:
        if factor in tensor.factors:
            axes, can_expand = merge_major(axes, tensor.factors[factor].axes, can_expand)
    return axes


def free_of_other_factors(axis: AxisRef, tensor: TensorProjection, factor: int) -> AxisRef | None:
    """The largest prefix of ``axis`` that no other factor of the tensor uses."""
    left: AxisRef | None = axis
    for other, sharding in tensor.factors.items():
        if other != factor and left is not None:
            left = prefix_without_any(left, sharding.overflow)
            if left is not None:
                left = prefix_without_any(left, sharding.axes)
    return left


def free_within_factor(
    axis: AxisRef, tensor: TensorProjection, factor: int, previous: int, size: int, mesh: Mesh
) -> AxisRef | None:
    """The largest prefix of ``axis`` that the factor itself can take after axes of size ``previous``: not replicated or
    unreduced, and already there or addable."""
    left = prefix_without_any(axis, tensor.replicated)
    if left is not None:
        left = prefix_without_any(left, tensor.unreduced)
    if left is None:
        return None
    sharding = tensor.factors[factor]
    for present in sharding.axes:
        if contains(present, left):
            return left
    if not sharding.closed and not sharding.overflow:
        if sharding.minor_most:
            return left
        if size % previous == 0:
            own = left.size(mesh)
            common = gcd(size // previous, own)
            if common == own:
                return left
            if common != 1:
                return AxisRef(left.name, left.pre, common)
    if sharding.axes and is_prefix(sharding.axes[-1], left):
        return sharding.axes[-1]
    return None


def truncate(
    axes: list[AxisRef], allowed: Callable[[AxisRef, int], AxisRef | None], mesh: Mesh, conservative: bool
) -> list[AxisRef]:
    """``axes`` up to the first one that ``allowed(axis, size of those before)`` shortens."""
    kept: list[AxisRef] = []
    previous = 1
    for axis in axes:
        left = allowed(axis, previous)
        if left is None or (conservative and left.sub_size is not None):
            return kept
        kept.append(left)
        if left is not axis:
            return kept
        previous *= left.size(mesh)
    return kept


def is_strict_prefix(first: list[AxisRef], second: list[AxisRef]) -> bool:
    """Whether ``first`` is a proper prefix of ``second``; its last axis may be a prefix of the axis at its position."""
    if not first:
        return bool(second)
    count = len(first)
    if count > len(second) or first[:-1] != second[: count - 1]:
        return False
    if count == len(second) and first[-1] is second[-1]:
        return False
    return is_prefix(first[-1], second[count - 1])


def _expand(tensor: TensorProjection, factor: int, axes: list[AxisRef]) -> bool:
    sharding = tensor.factors.get(factor)
    if sharding is None or not is_strict_prefix(sharding.axes, axes):
        return False
    sharding.axes = list(axes)
    return True


def basic(projection: Projection, directions: Directions) -> list[bool]:
    """Propagates along each factor only axes that all tensors of the operation allow."""
    tensors = projection.tensors
    mesh, sizes = projection.mesh, projection.sizes
    updated = [False] * len(tensors)
    for factor, direction in enumerate(directions):
        axes = compatible_major_axes(projection, factor, direction)
        if not axes:
            continue

        def allowed(axis: AxisRef, previous: int, factor: int = factor) -> AxisRef | None:
            left: AxisRef | None = axis
            for tensor in tensors:
                if left is not None:
                    left = free_of_other_factors(left, tensor, factor)
                if left is not None and factor in tensor.factors:
                    left = free_within_factor(left, tensor, factor, previous, sizes[factor], mesh)
            return left

        axes = truncate(axes, allowed, mesh, projection.conservative)
        if axes:
            for index, tensor in enumerate(tensors):
                updated[index] = _expand(tensor, factor, axes) or updated[index]
    return updated


def aggressive(projection: Projection, directions: Directions) -> list[bool]:
    """Offers along each factor all axes that its tensors agree on; each tensor takes as many as it can. If factors
    compete for an axis, the one whose axes come from the larger tensor goes first."""
    offers = {
        factor: axes
        for factor, direction in enumerate(directions)
        if (axes := compatible_major_axes(projection, factor, direction))
    }
    updated = [False] * (len(projection.operands) + len(projection.results))
    if not offers:
        return updated
    order = _factor_order(projection, offers)
    operand_count = len(projection.operands)
    for index, tensor in enumerate(projection.results):
        for factor in order:
            if _take(projection, tensor, factor, offers[factor], ()):
                updated[operand_count + index] = True
    guards = tuple(projection.results) if projection.elementwise else ()
    for index, tensor in enumerate(projection.operands):
        for factor in order:
            if _take(projection, tensor, factor, offers[factor], guards):
                updated[index] = True
    return updated


def _factor_order(projection: Projection, offers: dict[int, list[AxisRef]]) -> list[int]:
    tensors = projection.tensors

    def key(factor: int) -> tuple[int, int, int, int]:
        axes = offers[factor]
        source, source_size = -1, -1
        for index, tensor in enumerate(tensors):
            sharding = tensor.factors.get(factor)
            if sharding is None or tensor.size <= source_size:
                continue
            if axes == sharding.axes or is_strict_prefix(axes, sharding.axes):
                source, source_size = index, tensor.size
        weight = prod(axis.size(projection.mesh) for axis in axes) if projection.elementwise else 0
        return (-source_size, -weight, source, factor)

    return sorted(offers, key=key)


def _take(
    projection: Projection,
    tensor: TensorProjection,
    factor: int,
    offer: list[AxisRef],
    guards: tuple[TensorProjection, ...],
) -> bool:
    """Gives ``tensor`` as much of the offer as it can take; operands of element-wise operations (for which ``guards``
    are the results) take no more than the results could."""
    sharding = tensor.factors.get(factor)
    if sharding is None:
        return False
    mesh, size, conservative = projection.mesh, projection.sizes[factor], projection.conservative
    new = truncate(
        offer,
        lambda axis, previous: free_within_factor(axis, tensor, factor, previous, size, mesh),
        mesh,
        conservative,
    )
    if not is_strict_prefix(sharding.axes, new):
        return False
    new = truncate(new, lambda axis, _: free_of_other_factors(axis, tensor, factor), mesh, conservative)
    if not new:
        return False
    for result in guards:
        taken = result.factors.get(factor)
        if taken is not None and is_strict_prefix(taken.axes, new):
            new = list(taken.axes)
    return _expand(tensor, factor, new)


STRATEGIES: dict[str, Strategy] = {"basic": basic, "aggressive": aggressive}
