"""Chooses the axes of an operation's factors as Shardy does: one list of axes for each factor, for all operands and
results.

If the tensors agree, they keep their axes. If the operation relates just two tensors, both get the axes of the larger
one. Otherwise candidates compete: a list of axes on a factor has as its weight the number of elements of all tensors
that have these axes there. The best candidate is chosen, and axes that overlap it are removed from the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

from pyshardy.resharding.factor_axes import AxesPerFactor, FactorTensor, TensorFactors
from pyshardy.sharding.axes import AxisRef, append_or_merge, is_prefix, overlaps, prefix_without_any
from pyshardy.sharding.rule import FactorKind, OpShardingRule


def common_axes(factors: TensorFactors) -> AxesPerFactor:
    """The axes that each factor should have in all tensors of the operation."""
    agreed = compatible_axes(factors)
    if agreed is not None:
        return agreed
    pair = _unary_pair(factors)
    if pair is not None:
        return _axes_of_preferred(factors, pair)
    chosen = _Selection(factors).run()
    _move_to_batching(factors, chosen)
    return chosen


def compatible_axes(factors: TensorFactors) -> AxesPerFactor | None:
    """The axes that the tensors agree on. None if two of them differ on a factor, if axes of two factors overlap, or if
    a factor that must be replicated has axes."""
    rule = factors.rule
    if not rule.num_factors:
        return None
    agreed: AxesPerFactor = []
    for factor in range(rule.num_factors):
        lists = [tensor.factors[factor].axes for tensor in factors.tensors if factor in tensor.factors]
        axes = lists[0] if lists else []
        if any(other != axes for other in lists):
            return None
        if axes and rule.kind(factor) is FactorKind.NEED_REPLICATION:
            return None
        if any(overlaps(axis, taken) for axis in axes for earlier in agreed for taken in earlier):
            return None
        agreed.append(list(axes))
    return agreed


# --- two tensors ------------------------------------------------------------------------------------------------------


def _unary_pair(factors: TensorFactors) -> tuple[FactorTensor, FactorTensor] | None:
    rule = factors.rule
    if len(rule.non_scalar_indices) != 2 or rule.need_replication_factors or rule.has_multi_factor_dims:
        return None
    first, second = (factors.tensors[index] for index in rule.non_scalar_indices)
    return first, second


def _axes_of_preferred(factors: TensorFactors, pair: tuple[FactorTensor, FactorTensor]) -> AxesPerFactor:
    first, second = pair
    preferred, other = (second, first) if _merit(factors, second) > _merit(factors, first) else (first, second)
    chosen: AxesPerFactor = [[] for _ in range(factors.rule.num_factors)]
    for factor, current in preferred.factors.items():
        chosen[factor] = list(current.axes)
    taken = [axis for axes in chosen for axis in axes]
    for factor, current in other.factors.items():
        if factor not in preferred.factors:
            chosen[factor], _ = cut(current.axes, taken)
    return chosen


def _merit(factors: TensorFactors, tensor: FactorTensor) -> tuple[bool, int, int]:
    shifted = (tensor.factors.get(factor) for factor in factors.rule.permutation_factors)
    permutes = any(one is not None and one.axes for one in shifted)
    shards = prod(factors.size([*one.axes, *one.overflow]) for one in tensor.factors.values())
    return (not permutes, tensor.elements, shards)


# --- any number of tensors --------------------------------------------------------------------------------------------


class _Candidate:
    """``axes`` on ``factor``. ``gain`` is the number of shards that choosing them adds."""

    __slots__ = ("axes", "factor", "gain", "weight")

    def __init__(self, factor: int, axes: list[AxisRef], weight: int, gain: int) -> None:
        self.factor = factor
        self.axes = axes
        self.weight = weight
        self.gain = gain


_PRECEDENCE = {
    FactorKind.PASS_THROUGH: 3,
    FactorKind.REDUCTION: 2,
    FactorKind.PERMUTATION: 1,
    FactorKind.NEED_REPLICATION: 0,
}


class _Selection:
    """The competition of candidates for one operation."""

    def __init__(self, factors: TensorFactors) -> None:
        self._factors = factors
        self._rule = factors.rule
        self._chosen: AxesPerFactor = [[] for _ in range(factors.rule.num_factors)]
        self._blocked = majors(factors.rule)
        self._candidates = _candidates(factors)

    def run(self) -> AxesPerFactor:
        while True:
            free = [one for one in self._candidates if not self._blocked[one.factor]]
            if not free:
                return self._chosen
            self._choose(max(free, key=self._rank))

    def _rank(self, one: _Candidate) -> tuple[object, ...]:
        kind = _PRECEDENCE[self._rule.kind(one.factor)]
        order = tuple(axis.sort_key for axis in one.axes)
        return (one.weight, kind, one.gain, one.factor, len(order), order)

    def _choose(self, best: _Candidate) -> None:
        self._chosen[best.factor] = best.axes
        if self._factors.size(best.axes) == self._rule.factor_sizes[best.factor]:
            for majors in self._blocked:
                majors.discard(best.factor)
        self._candidates = [one for one in self._candidates if self._survives(one, best)]

    def _survives(self, one: _Candidate, best: _Candidate) -> bool:
        """Whether ``one`` can still add shards after ``best`` was chosen; updates its axes and gain."""
        size = self._factors.size
        if one.factor == best.factor:
            one.gain = size(one.axes) // size(best.axes)
            return _is_strict_prefix(best.axes, one.axes)
        axes, changed = cut(one.axes, best.axes)
        if not changed:
            one.gain = size(axes)
            return True
        if axes == self._chosen[one.factor]:
            return False
        one.axes = axes
        # May round down to 0 if fewer axes are left than are chosen already, as in Shardy.
        one.gain = size(axes) // size(self._chosen[one.factor])
        return True


def _candidates(factors: TensorFactors) -> list[_Candidate]:
    found: dict[tuple[int, tuple[AxisRef, ...]], _Candidate] = {}
    for tensor in factors.tensors:
        for factor, current in tensor.factors.items():
            for count in range(1, len(current.axes) + 1):
                axes = current.axes[:count]
                key = (factor, tuple(axes))
                if key not in found:
                    found[key] = _Candidate(factor, axes, _weight(factors, factor, axes), factors.size(axes))
    return list(found.values())


def _weight(factors: TensorFactors, factor: int, axes: list[AxisRef]) -> int:
    """How many elements need no communication along ``factor`` if it gets ``axes``."""
    having = [tensor for tensor in factors.tensors if factor in tensor.factors]
    return sum(
        tensor.elements
        for tensor in having
        if axes == tensor.factors[factor].axes or _is_strict_prefix(axes, tensor.factors[factor].axes)
    )


def majors(rule: OpShardingRule) -> list[set[int]]:
    """For each factor the factors directly before it in some dimension: these must be fully sharded before it can have
    axes."""
    majors: list[set[int]] = [set() for _ in range(rule.num_factors)]
    for mapping in rule.tensor_mappings:
        for dim in mapping:
            for major, minor in pairwise(dim):
                majors[minor].add(major)
    return majors


# --- factors that must be replicated ----------------------------------------------------------------------------------


def _move_to_batching(factors: TensorFactors, chosen: AxesPerFactor) -> None:
    """Removes axes from factors that must be replicated, and adds them to batching factors that have room, if all
    tensors have the factor."""
    rule = factors.rule
    batching = [factor for factor in range(rule.num_factors) if rule.is_batching(factor)]
    for factor in range(rule.num_factors):
        if rule.kind(factor) is FactorKind.NEED_REPLICATION:
            axes, chosen[factor] = chosen[factor], []
            if rule.in_all_non_scalar_tensors(factor):
                _distribute(factors, batching, axes, chosen)


def _distribute(factors: TensorFactors, batching: Sequence[int], axes: list[AxisRef], chosen: AxesPerFactor) -> None:
    rest = list(axes)
    for factor in batching:
        size, taken = factors.rule.factor_sizes[factor], factors.size(chosen[factor])
        if size == 0 or size % taken:
            continue
        room = size // taken
        while rest and room % rest[0].size(factors.mesh) == 0:
            axis = rest.pop(0)
            room //= axis.size(factors.mesh)
            append_or_merge(chosen[factor], axis, factors.mesh)


# --- lists of axes ----------------------------------------------------------------------------------------------------


def _is_strict_prefix(a: Sequence[AxisRef], b: Sequence[AxisRef]) -> bool:
    """Whether ``b`` begins with ``a`` (whose last axis may be a prefix of the axis there) and is longer."""
    if not a:
        return bool(b)
    if len(a) > len(b) or list(a[:-1]) != list(b[: len(a) - 1]):
        return False
    last, there = a[-1], b[len(a) - 1]
    return is_prefix(last, there) and (len(a) < len(b) or last is not there)


def cut(axes: Sequence[AxisRef], taken: Sequence[AxisRef]) -> tuple[list[AxisRef], bool]:
    """``axes`` up to the first one that overlaps ``taken``, with the prefix of that one that does not overlap; and
    whether anything was removed."""
    for index, axis in enumerate(axes):
        free = prefix_without_any(axis, taken)
        if free is not axis:
            return [*axes[:index], *([free] if free is not None else [])], True
    return list(axes), False
