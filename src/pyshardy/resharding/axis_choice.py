"""Common axes chosen by what they cost, where ``common_axes`` goes by the sizes of tensors alone.

``fewest-reshards`` keeps as many operands and results as they are as possible; ``fewest-bytes`` moves as little as
possible: operands, results, and sums over sharded contracting dimensions. Both start from several choices, Shardy's
among them, and improve one factor after the other. Left of this file stand ``factor_axes``, ``common_axes`` and the
byte model; ``explicit_reshards`` asks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

from pyshardy.ir.types import TensorType, element_width
from pyshardy.resharding.axis_alignment import Layout, shard_count
from pyshardy.resharding.byte_model import local_elements, received
from pyshardy.resharding.collective_plan import collective_plan
from pyshardy.resharding.collective_steps import Step, elements_moved
from pyshardy.resharding.common_axes import common_axes, cut, majors
from pyshardy.resharding.factor_axes import AxesPerFactor, TensorFactors
from pyshardy.resharding.reshard_steps import layout_of
from pyshardy.sharding.axes import AxisRef, can_coexist, difference, overlaps
from pyshardy.sharding.lists import ListOfAxisRefLists
from pyshardy.sharding.rule import FactorKind

_Axes = tuple[AxisRef, ...]
_Choice = tuple[_Axes, ...]
"""One list of axes a factor."""

_MOST_KINDS = 10
"""Of how many kinds of tensors all combinations are tried to keep; there are 2^n."""
_MOST_STARTS = 12


class Cost(NamedTuple):
    """What a choice costs: bytes that a device receives, reshards, and the share of the work that falls to a device."""

    bytes: float
    reshards: int
    work: float


class AxisChooser:
    """Chooses axes by ``fewest-reshards`` or ``fewest-bytes``; remembers what layouts cost to change."""

    __slots__ = ("_by_bytes", "_moves")

    def __init__(self, choice: str) -> None:
        self._by_bytes = choice == "fewest-bytes"
        self._moves: dict[tuple[object, ...], tuple[Step, ...]] = {}

    def choose(self, factors: TensorFactors, unreduced: Sequence[AxisRef]) -> AxesPerFactor:
        """The axes that each factor should have; over ``unreduced`` axes the results need not be summed."""
        search = _Search(factors, unreduced, self._moves, by_bytes=self._by_bytes)
        return [list(axes) for axes in search.best()]


class _Search:
    def __init__(
        self,
        factors: TensorFactors,
        unreduced: Sequence[AxisRef],
        moves: dict[tuple[object, ...], tuple[Step, ...]],
        *,
        by_bytes: bool,
    ) -> None:
        self._factors = factors
        self._rule = factors.rule
        self._unreduced = unreduced
        self._moves = moves
        self._by_bytes = by_bytes
        self._majors = majors(factors.rule)
        self._costs: dict[_Choice, Cost] = {}
        self._reference: _Choice = tuple(map(tuple, common_axes(factors)))

    def best(self) -> _Choice:
        starts = dict.fromkeys([self._reference, *self._keeping(), ((),) * self._rule.num_factors])
        cheapest = sorted(starts, key=self._rank)[:_MOST_STARTS]
        return min(map(self._improved, dict.fromkeys([self._reference, *cheapest])), key=self._rank)

    def _rank(self, choice: _Choice) -> tuple[float, ...]:
        cost = self._cost(choice)
        order = (cost.bytes, cost.work, cost.reshards) if self._by_bytes else (cost.reshards, cost.bytes, cost.work)
        return (*order, choice != self._reference)

    # --- where to start -----------------------------------------------------------------------------------------------

    def _keeping(self) -> Iterator[_Choice]:
        """Choices that leave some tensors as they are: every set of tensors that agree, more of them where possible."""
        kinds: dict[tuple[tuple[int, _Axes], ...], int] = {}
        for tensor in self._factors.tensors:
            if tensor.factors and not any(one.overflow for one in tensor.factors.values()):
                kind = tuple(sorted((factor, tuple(one.axes)) for factor, one in tensor.factors.items()))
                kinds[kind] = kinds.get(kind, 0) + 1
        often = sorted(kinds, key=lambda kind: -kinds[kind])
        yield from self._extended({}, often[:_MOST_KINDS])

    def _extended(self, kept: dict[int, _Axes], kinds: Sequence[tuple[tuple[int, _Axes], ...]]) -> Iterator[_Choice]:
        if not kinds:
            choice = tuple(kept.get(factor, ()) for factor in range(self._rule.num_factors))
            if self._is_possible(choice):
                yield choice
            return
        first, *others = kinds
        if all(kept.get(factor, axes) == axes for factor, axes in first):
            yield from self._extended(kept | dict(first), others)
        yield from self._extended(kept, others)

    def _is_possible(self, choice: _Choice) -> bool:
        for factor, axes in enumerate(choice):
            if axes and self._rule.kind(factor) is FactorKind.NEED_REPLICATION:
                return False
            if any(_collide(axis, taken) for axis in axes for other in choice[:factor] for taken in other):
                return False
            if axes and any(not self._is_full(choice, major) for major in self._majors[factor]):
                return False
        return True

    def _is_full(self, choice: _Choice, factor: int) -> bool:
        return self._factors.size(choice[factor]) == self._rule.factor_sizes[factor]

    # --- improving ----------------------------------------------------------------------------------------------------

    def _improved(self, choice: _Choice) -> _Choice:
        """``choice`` changed one factor at a time for as long as that pays."""
        lists = self._lists(choice)
        improves = True
        while improves:
            improves = False
            for factor in range(self._rule.num_factors):
                for axes in lists:
                    changed = self._with(choice, factor, axes)
                    if changed is not None and self._rank(changed) < self._rank(choice):
                        choice, improves = changed, True
        return choice

    def _lists(self, choice: _Choice) -> list[_Axes]:
        """All lists of axes that some factor of some tensor has, and what they begin with."""
        found: dict[_Axes, None] = {(): None}
        present = [tuple(one.axes) for tensor in self._factors.tensors for one in tensor.factors.values()]
        for axes in [*present, *choice]:
            found.update(dict.fromkeys(axes[: count + 1] for count in range(len(axes))))
        return list(found)

    def _with(self, choice: _Choice, factor: int, axes: _Axes) -> _Choice | None:
        """``choice`` with ``axes`` on ``factor`` and taken off the others; None if that cannot be."""
        if axes == choice[factor]:
            return None
        if axes and not self._has(factor, axes) and self._rule.factor_sizes[factor] % self._factors.size(axes):
            return None
        changed = tuple(axes if other == factor else tuple(cut(old, axes)[0]) for other, old in enumerate(choice))
        return changed if self._is_possible(changed) else None

    def _has(self, factor: int, axes: _Axes) -> bool:
        lists = (tensor.factors[factor].axes for tensor in self._factors.tensors if factor in tensor.factors)
        return any(tuple(one[: len(axes)]) == axes for one in lists)

    # --- costs --------------------------------------------------------------------------------------------------------

    def _cost(self, choice: _Choice) -> Cost:
        cost = self._costs.get(choice)
        if cost is None:
            cost = self._costs[choice] = self._new_cost(choice)
        return cost

    def _new_cost(self, choice: _Choice) -> Cost:
        factors = self._factors
        summed = difference(
            [axis for factor in self._rule.reduction_factors for axis in choice[factor]], self._unreduced, factors.mesh
        )
        total, reshards = 0.0, 0
        for number in range(len(factors.tensors)):
            type = factors.types[number]
            if not isinstance(type, TensorType):
                continue
            sharding = factors.tensors[number].sharding
            then = layout_of(factors.sharding_with(number, choice))
            now = layout_of(sharding) if sharding is not None else ((),) * len(then)
            is_result = number >= factors.operand_count
            changes = factors.differs(number, choice)
            reshards += changes
            source, target = (then, now) if is_result else (now, then)
            steps = self._steps(source, target, type.shape) if changes else ()
            elements = elements_moved(steps, source, type.shape, factors.mesh)
            if is_result and summed:
                elements += self._sum_cost(source, summed, steps, type.shape)
            total += float(elements) * element_width(type.element) / 8
        return Cost(total, reshards, 1 / prod(factors.size(axes) for axes in choice))

    def _steps(self, source: Layout, target: Layout, shape: tuple[int, ...]) -> tuple[Step, ...]:
        key = (self._factors.mesh, source, target, shape)
        steps = self._moves.get(key)
        if steps is None:
            steps = self._moves[key] = collective_plan(self._factors.mesh, source, target, shape)
        return steps

    def _sum_cost(
        self, layout: Layout, axes: Sequence[AxisRef], steps: Sequence[Step], shape: tuple[int, ...]
    ) -> Fraction:
        """What summing over ``axes`` costs, in elements. If the value is sliced by them afterwards, a reduce-scatter
        does both."""
        operand, group = local_elements(layout, shape, self._factors.mesh), shard_count(axes, self._factors.mesh)
        name = "sdy.reduce_scatter" if steps and _slices_first_by(steps[0], axes) else "sdy.all_reduce"
        return received(name, operand, operand // group, group)


def _collide(a: AxisRef, b: AxisRef) -> bool:
    return overlaps(a, b) or not can_coexist(a, b)


def _slices_first_by(step: Step, axes: Iterable[AxisRef]) -> bool:
    """Whether ``step`` is a slice that begins, dimension by dimension, with all of ``axes``."""
    if step.name != "sdy.all_slice" or step.axes is None or not isinstance(step.axes[1], ListOfAxisRefLists):
        return False
    left = set(axes)
    for dim in step.axes[1]:
        for axis in dim:
            if axis not in left:
                break
            left.remove(axis)
    return not left
