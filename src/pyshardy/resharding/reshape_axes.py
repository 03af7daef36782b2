"""Common axes of a reshape whose dimensions are sharded along more axes than their factors can take in order.

The axes of one side are distributed anew: each goes to the factors that it divides, wherever it was before.
``explicit_reshards`` uses it instead of ``common_axes``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from pyshardy.propagation.projection import project
from pyshardy.resharding.axis_alignment import common_prefix
from pyshardy.resharding.factor_axes import AxesPerFactor, FactorTensor, TensorFactors
from pyshardy.sharding.axes import AxisRef, append_or_merge


def overflows(factors: TensorFactors) -> bool:
    """Whether a dimension has axes that fit none of its factors."""
    return any(one.overflow for tensor in factors.tensors for one in tensor.factors.values())


def reshape_axes(factors: TensorFactors) -> AxesPerFactor:
    """The axes that each factor of a reshape should have: the common prefix of what both sides can express.

    Changes ``factors``.
    """
    operand, result = factors.tensors
    axes = _all_axes(factors, max(operand, result, key=lambda tensor: _shards(factors, tensor)))
    sides = []
    for number in range(2):
        _deal_out(factors, number, axes)
        # A sharding cannot express every distribution: use the axes that it does express.
        sharding = factors.sharding(number)
        mapping = factors.rule.tensor_mappings[number]
        sides.append(project(mapping, factors.rule.factor_sizes, sharding, factors.mesh).factors)
    return [
        _common([side[factor].axes for side in sides if factor in side]) for factor in range(factors.rule.num_factors)
    ]


def _shards(factors: TensorFactors, tensor: FactorTensor) -> int:
    return factors.size([axis for one in tensor.factors.values() for axis in (*one.axes, *one.overflow)])


def _all_axes(factors: TensorFactors, tensor: FactorTensor) -> list[AxisRef]:
    rows = (tensor.factors.get(factor) for factor in range(factors.rule.num_factors))
    return [axis for one in rows if one is not None for axis in (*one.axes, *one.overflow)]


def _deal_out(factors: TensorFactors, number: int, axes: Sequence[AxisRef]) -> None:
    """Distributes ``axes`` over the factors of tensor ``number``, in the order of its dimensions."""
    present = factors.tensors[number].factors
    order = [factor for dim in factors.rule.tensor_mappings[number] for factor in dim if factor in present]
    for factor in order:
        present[factor].axes, present[factor].overflow = [], []
    room = {factor: factors.rule.factor_sizes[factor] for factor in order}
    rest = list(axes)
    while rest:
        if not _deal_one(factors, number, order, room, rest):
            for axis in rest:
                append_or_merge(present[order[-1]].overflow, axis, factors.mesh)
            return


def _deal_one(
    factors: TensorFactors, number: int, order: Sequence[int], room: dict[int, int], rest: list[AxisRef]
) -> bool:
    """Distributes the first of ``rest``, in pieces if necessary; returns False if no factor can take a part of it."""
    mesh = factors.mesh
    used = False
    for factor in order:
        axis = rest[0]
        size = axis.size(mesh)
        common = gcd(room[factor], size)
        if room[factor] <= 1 or (common == 1 and size != 1):
            continue
        used = True
        target = factors.tensors[number].factors[factor].axes
        room[factor] //= common
        if common == size:
            append_or_merge(target, axis, mesh)
            del rest[0]
            break
        append_or_merge(target, AxisRef(axis.name, axis.pre, common), mesh)
        rest[0] = AxisRef(axis.name, axis.pre * common, size // common)
    return used


def _common(lists: Sequence[list[AxisRef]]) -> list[AxisRef]:
    """The axes with which all of at most two ``lists`` begin."""
    if len(lists) < 2:
        return lists[0] if lists else []
    return common_prefix(*lists)
