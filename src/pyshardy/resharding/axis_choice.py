"""Chooses the common axes of an operation's tensors by cost, where ``common_axes`` goes by the sizes of tensors alone.

``fewest-reshards`` leaves as many operands and results as possible as they are. ``fewest-bytes`` moves the fewest
bytes: to reshard operands and results, and to reduce over sharded contracting dimensions. Both start from several
choices, one of which is Shardy's, and improve them one factor at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

from pyshardy.dialects.sdy.placement import function_result_sharding, resolve_mesh, sharding_of
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import TensorType, element_width
from pyshardy.resharding.axis_alignment import Layout
from pyshardy.resharding.byte_model import local_elements, received
from pyshardy.resharding.collective_plan import collective_plan
from pyshardy.resharding.collective_steps import CollectiveStep, elements_moved
from pyshardy.resharding.common_axes import common_axes, cut, majors
from pyshardy.resharding.factor_axes import AxesPerFactor, TensorFactors
from pyshardy.resharding.reshard_steps import layout_of
from pyshardy.sharding.axes import AxisRef, append_or_merge, difference, excludes, overlaps, shard_count
from pyshardy.sharding.lists import ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import FactorKind
from pyshardy.sharding.tensor import TensorSharding

_Axes = tuple[AxisRef, ...]
_Choice = tuple[_Axes, ...]
"""One list of axes for each factor."""

_MOST_KINDS = 10
"""For how many different projections of tensors all subsets are tried as starting points; there are 2^n subsets."""
_MOST_STARTS = 12


class ReshardCost(NamedTuple):
    """The cost of a choice: bytes that a device receives, the number of reshards, and the share of the work that a
    device has."""

    bytes: float
    reshards: int
    work: float


class AxisChooser:
    """Chooses axes by ``fewest-reshards`` or ``fewest-bytes``; memoises choices, and sequences of collectives between
    layouts."""

    __slots__ = ("_by_bytes", "_chosen", "_meshes", "_moves")

    def __init__(self, choice: str, meshes: Mapping[str, Mesh]) -> None:
        self._by_bytes = choice == "fewest-bytes"
        self._meshes = meshes
        self._moves: dict[tuple[object, ...], tuple[CollectiveStep, ...]] = {}
        self._chosen: dict[tuple[object, ...], _Choice] = {}

    def choose(self, op: Operation, factors: TensorFactors, unreduced: Sequence[AxisRef]) -> AxesPerFactor:
        """The axes that each factor of ``op`` should have; results stay unreduced over ``unreduced``."""
        ends = [
            self._layout_at(sharding, factors.mesh) for sharding in (*map(_origin, op.operands), *map(_end, op.results))
        ]
        shardings = (tensor.sharding for tensor in factors.tensors)
        key = (factors.rule, factors.mesh, tuple(unreduced), *factors.types, *shardings, *ends)
        choice = self._chosen.get(key)
        if choice is None:
            search = _Search(factors, unreduced, ends, self._moves, by_bytes=self._by_bytes)
            choice = self._chosen[key] = search.best()
        return [list(axes) for axes in choice]

    def _layout_at(self, sharding: TensorSharding | None, mesh: Mesh) -> Layout | None:
        if sharding is None or sharding.unreduced or resolve_mesh(sharding, self._meshes) is not mesh:
            return None
        return layout_of(sharding)


# Chains of reshards without other users are merged into one reshard later, so only their ends count.


def _origin(operand: Value) -> TensorSharding | None:
    """The sharding of the value that reaches ``operand`` through reshards without other users."""
    op = operand.defining_op
    while op is not None and op.name == "sdy.reshard" and operand.has_one_use:
        operand = op.operands[0]
        op = operand.defining_op
    return sharding_of(operand)


def _end(result: Value) -> TensorSharding | None:
    """The sharding in which ``result`` is read after reshards without other users."""
    found = sharding_of(result)
    while result.has_one_use:
        (user,) = result.users
        if user.name == "func.return":
            func = user.parent_op
            assert func is not None
            return function_result_sharding(func, user.operands.index(result)) or found
        if user.name != "sdy.reshard":
            break
        result = user.result
        found = sharding_of(result)
    return found


class _Search:
    """The search for the axes of one operation."""

    def __init__(
        self,
        factors: TensorFactors,
        unreduced: Sequence[AxisRef],
        ends: Sequence[Layout | None],
        moves: dict[tuple[object, ...], tuple[CollectiveStep, ...]],
        *,
        by_bytes: bool,
    ) -> None:
        self._factors = factors
        self._rule = factors.rule
        self._unreduced = unreduced
        self._ends = ends
        self._moves = moves
        self._by_bytes = by_bytes
        self._majors = majors(factors.rule)
        self._costs: dict[_Choice, ReshardCost] = {}
        self._reference: _Choice = tuple(map(tuple, common_axes(factors)))

    def best(self) -> _Choice:
        starts = dict.fromkeys([self._reference, *self._keeping(), ((),) * self._rule.num_factors])
        cheapest = sorted(starts, key=self._rank)[:_MOST_STARTS]
        return min(map(self._improved, dict.fromkeys([self._reference, *cheapest])), key=self._rank)

    def _rank(self, choice: _Choice) -> tuple[float, ...]:
        cost = self._cost(choice)
        order = (cost.bytes, cost.work, cost.reshards) if self._by_bytes else (cost.reshards, cost.bytes, cost.work)
        return (*order, choice != self._reference)

    # --- starting points ----------------------------------------------------------------------------------------------

    def _keeping(self) -> Iterator[_Choice]:
        """Choices that leave some tensors as they are: for each set of tensors that agree, also for larger sets."""
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
        """Whether tensors can have these axes: none on factors that must be replicated, none twice, only axes that
        divide or that a tensor has already, and minor factors only behind fully sharded ones."""
        for factor, axes in enumerate(choice):
            if axes and self._rule.kind(factor) is FactorKind.NEED_REPLICATION:
                return False
            if any(excludes(axis, taken) for axis in axes for other in choice[:factor] for taken in other):
                return False
            size = self._factors.size(axes)
            if self._rule.factor_sizes[factor] % size and not self._has(factor, axes):
                return False
            if axes and any(not self._is_full(choice, major) for major in self._majors[factor]):
                return False
        return True

    def _is_full(self, choice: _Choice, factor: int) -> bool:
        return self._factors.size(choice[factor]) == self._rule.factor_sizes[factor]

    # --- improving ----------------------------------------------------------------------------------------------------

    def _improved(self, choice: _Choice) -> _Choice:
        """``choice``, changed one factor or axis at a time as long as that lowers the cost."""
        while True:
            best = min(self._neighbours(choice), key=self._rank, default=choice)
            if self._rank(best) >= self._rank(choice):
                return choice
            choice = best

    def _neighbours(self, choice: _Choice) -> Iterator[_Choice]:
        """``choice`` with another list of axes on one factor, or with one axis at another position or removed."""
        lists = self._lists(choice)
        found = [self._with(choice, factor, axes) for factor in range(len(choice)) for axes in lists]
        single = dict.fromkeys(axis for axes in (*lists, *choice) for axis in axes)
        for axis in single:
            rest = tuple(_without(axes, axis) for axes in choice)
            found.append(rest)
            for factor, axes in enumerate(rest):
                for place in range(len(axes) + 1):
                    found.append(_replaced(rest, factor, (*axes[:place], axis, *axes[place:])))
        for other in dict.fromkeys(tuple(map(self._merged, one)) for one in found if one is not None):
            if self._is_possible(other):
                yield other

    def _merged(self, axes: _Axes) -> _Axes:
        """``axes`` with neighbours that continue each other as one."""
        if all(axis.is_full for axis in axes):
            return axes
        found: list[AxisRef] = []
        for axis in axes:
            append_or_merge(found, axis, self._factors.mesh)
        return tuple(found)

    def _lists(self, choice: _Choice) -> list[_Axes]:
        """All lists of axes that some factor of some tensor has, and the prefixes of these."""
        found: dict[_Axes, None] = {(): None}
        present = [tuple(one.axes) for tensor in self._factors.tensors for one in tensor.factors.values()]
        for axes in [*present, *choice]:
            found.update(dict.fromkeys(axes[: count + 1] for count in range(len(axes))))
        return list(found)

    def _with(self, choice: _Choice, factor: int, axes: _Axes) -> _Choice | None:
        """``choice`` with ``axes`` on ``factor`` and removed from other factors; None if that changes nothing."""
        if axes == choice[factor]:
            return None
        return _replaced(tuple(tuple(cut(old, axes)[0]) for old in choice), factor, axes)

    def _has(self, factor: int, axes: _Axes) -> bool:
        lists = (tensor.factors[factor].axes for tensor in self._factors.tensors if factor in tensor.factors)
        return any(tuple(one[: len(axes)]) == axes for one in lists)

    # --- costs --------------------------------------------------------------------------------------------------------

    def _cost(self, choice: _Choice) -> ReshardCost:
        cost = self._costs.get(choice)
        if cost is None:
            cost = self._costs[choice] = self._new_cost(choice)
        return cost

    def _new_cost(self, choice: _Choice) -> ReshardCost:
        """The cost to reshard all tensors to these axes, from and to the ends of chains of reshards, and to reduce
        partial sums."""
        factors = self._factors
        summed = difference(
            [axis for factor in self._rule.reduction_factors for axis in choice[factor]], self._unreduced, factors.mesh
        )
        total, reshards = 0.0, 0
        for number in range(len(factors.tensors)):
            type = factors.types[number]
            if not isinstance(type, TensorType):
                continue
            then = layout_of(factors.sharding_with(number, choice))
            end = self._ends[number]
            now = end if end is not None else self._present(number)
            is_result = number >= factors.operand_count
            reshards += factors.differs(number, choice)
            source, target = (then, now) if is_result else (now, then)
            steps = self._steps(source, target, type.shape)
            elements = elements_moved(steps, source, type.shape, factors.mesh)
            if is_result and summed:
                elements += self._sum_cost(source, summed, steps, type.shape)
            total += float(elements) * element_width(type.element) / 8
        return ReshardCost(total, reshards, 1 / prod(factors.size(axes) for axes in choice))

    def _present(self, number: int) -> Layout:
        sharding = self._factors.tensors[number].sharding
        return layout_of(sharding) if sharding is not None else ((),) * len(self._rule.tensor_mappings[number])

    def _steps(self, source: Layout, target: Layout, shape: tuple[int, ...]) -> tuple[CollectiveStep, ...]:
        key = (self._factors.mesh, source, target, shape)
        steps = self._moves.get(key)
        if steps is None:
            steps = self._moves[key] = collective_plan(self._factors.mesh, source, target, shape)
        return steps

    def _sum_cost(
        self, layout: Layout, axes: Sequence[AxisRef], steps: Sequence[CollectiveStep], shape: tuple[int, ...]
    ) -> Fraction:
        """The elements moved to reduce over ``axes``. If the value is sliced by them afterwards, a reduce-scatter does
        both."""
        operand, group = local_elements(layout, shape, self._factors.mesh), shard_count(axes, self._factors.mesh)
        kind = "reduce_scatter" if steps and _slices_first_by(steps[0], axes) else "all_reduce"
        return received(kind, operand, operand // group, group)


def _without(axes: _Axes, axis: AxisRef) -> _Axes:
    """``axes`` without those that overlap ``axis``."""
    return tuple(one for one in axes if not overlaps(one, axis))


def _replaced(choice: _Choice, factor: int, axes: _Axes) -> _Choice:
    return (*choice[:factor], axes, *choice[factor + 1 :])


def _slices_first_by(step: CollectiveStep, axes: Iterable[AxisRef]) -> bool:
    """Whether ``step`` is a slice whose first axes, dimension by dimension, are exactly ``axes``."""
    if step.name != "sdy.all_slice" or step.axes is None or not isinstance(step.axes[1], ListOfAxisRefLists):
        return False
    left = set(axes)
    for dim in step.axes[1]:
        for axis in dim:
            if axis not in left:
                break
            left.remove(axis)
    return not left
