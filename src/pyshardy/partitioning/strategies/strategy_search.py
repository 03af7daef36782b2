"""The search for the cheapest strategy of one operation.

An assignment gives axes to each factor of the sharding rule. The first round tries the axes that the factor has in an
operand or in a requested result; the second, if the first moves anything, also axes that other factors have.
Assignments are compared by the bytes that they move (to reshard operands, to reshard results to requested layouts, to
reduce partial sums) plus the work that is left for each device.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from operator import itemgetter
from typing import NamedTuple

from pyshardy.emitting.layout import Axes, Layout, rank_of, replicated
from pyshardy.ir.types import TensorType, Type
from pyshardy.partitioning.layouts.mesh_relation import translated
from pyshardy.partitioning.layouts.reshard_plan import bytes_moved, bytes_moved_if_known, least_bytes_moved
from pyshardy.partitioning.strategies.factor_layouts import (
    Assignment,
    any_overlap,
    distribute_axes,
    has_conflict,
    merge_axes,
)
from pyshardy.partitioning.strategies.strategy_problem import ExchangeCost, Problem, ProblemTensor, Strategy
from pyshardy.sharding.axes import AxisRef, shard_count
from pyshardy.sharding.mesh import Mesh

_MOST_COMBINATIONS = 4000
_MOST_VISITS = 4000
_WORTH_LEAVING = 0.9
"""Below which share of the bytes of the first round an assignment of the second round must come."""


class _Operand(NamedTuple):
    """An operand, the factors of its dimensions, and for axes of these factors a lower bound of the bytes that it
    moves."""

    tensor: ProblemTensor
    factors: list[int]
    least: dict[tuple[Axes, ...], float]


class Search:
    """The search for the strategy of one ``problem``."""

    def __init__(self, problem: Problem, moving: ExchangeCost | None) -> None:
        self._problem = problem
        self._moving = moving
        self._rule = problem.rule
        self._mesh = self._common_mesh()
        if self._mesh is not None:
            self._problem = problem._replace(
                operands=tuple(self._on_mesh(tensor) for tensor in problem.operands),
                results=tuple(self._on_mesh(tensor) for tensor in problem.results),
            )
        self._shared_factors = self._factors_that_may_be_shared()
        self._projections = [
            self._projection(tensor)
            for tensor in (*self._problem.results, *self._problem.operands)
            if self._mesh is not None
            and tensor.layout is not None
            and tensor.layout.mesh is self._mesh
            and not tensor.free
        ]
        self._choices = self._axes_of_factors()
        self._displaced: set[Axes] = set()
        self._borrowed: list[Axes] = []
        self._operands_by_last_factor: dict[int, list[_Operand]] = {}

    def _common_mesh(self) -> Mesh | None:
        for tensor in (*self._problem.results, *self._problem.operands):
            if tensor.layout is not None and tensor.layout.mesh is not None:
                return tensor.layout.mesh
        return None

    def _on_mesh(self, tensor: ProblemTensor) -> ProblemTensor:
        """The tensor with its layout in axes of the common mesh, if that can be translated."""
        assert self._mesh is not None
        if tensor.layout is None or tensor.layout.mesh in (None, self._mesh):
            return tensor
        layout = translated(tensor.layout, self._mesh)
        return tensor if layout is None else tensor._replace(layout=layout)

    def _factors_that_may_be_shared(self) -> set[int]:
        """The factors that may have axes: pass-through factors of all results, reduction factors if partial results can
        be combined, and those in ``problem.moving``; without those that need to be whole, or whose sizes do not fit the
        tensors."""
        rule, problem = self._rule, self._problem
        in_all_results = set(range(rule.num_factors))
        for mapping in rule.result_mappings:
            in_all_results &= {factor for factors in mapping for factor in factors}
        allowed = {factor for factor in in_all_results if rule.is_pass_through(factor)}
        if problem.reduction is not None:
            allowed |= set(rule.reduction_factors)
        allowed -= problem.whole
        for tensor in (*problem.operands, *problem.results):
            if len(tensor.mapping) != rank_of(tensor.type):
                return set()
            for dim, factors in enumerate(tensor.mapping):
                assert isinstance(tensor.type, TensorType)
                if tensor.type.shape[dim] != prod(rule.factor_sizes[factor] for factor in factors):
                    allowed -= set(factors)
        return (allowed | problem.moving) - problem.whole

    def best(self) -> tuple[Strategy | None, Strategy | None]:
        """The cheapest strategy along factors that some tensor is sharded along, and the cheapest along any factors."""
        if self._mesh is None:
            only = self._strategy(((),) * self._rule.num_factors)
            return only, only
        narrow, least = self._cheapest(None, float("inf"), self._assignments())
        if narrow is None or not narrow.bytes:
            return narrow, narrow
        wide: Strategy | None = narrow
        self._displaced, self._borrowed = self._found_displaced(), self._found_borrowed()
        self._operands_by_last_factor = self._operands_that_move()
        if not self._displaced:
            # Such a result is in another layout than the tensors around it, so that a later reshard is likely.
            least *= _WORTH_LEAVING
        for bound, assignment in sorted(self._wider_assignments(least), key=itemgetter(0)):
            if bound >= least:
                break
            wide, least = self._cheapest(wide, least, (assignment,))
        return narrow, wide

    def _cheapest(
        self, best: Strategy | None, least: float, assignments: Iterable[Assignment]
    ) -> tuple[Strategy | None, float]:
        """The strategy of lowest cost: ``best``, whose cost is ``least``, or one with an assignment of
        ``assignments``."""
        for assignment in assignments:
            work = self._work(assignment)
            strategy = self._strategy(assignment, work, least)
            if strategy is not None:
                cost = strategy.bytes + work
                if cost < least:
                    best, least = strategy, cost
        return best, least

    # --- candidates ---------------------------------------------------------------------------------------------------

    def _axes_of_factors(self) -> list[list[Axes]]:
        """For each factor the axes that it has in some tensor, the prefixes of these, and no axes."""
        choices: list[list[Axes]] = []
        for factor in range(self._rule.num_factors):
            found: dict[Axes, None] = {}
            if factor in self._shared_factors:
                for projection in self._projections:
                    axes = projection.get(factor)
                    if axes:
                        found[axes] = None
                        if len(axes) > 1:
                            found.update(dict.fromkeys(axes[:count] for count in range(1, len(axes))))
            choices.append([*found, ()])
        return choices

    def _assignments(self) -> Iterator[Assignment]:
        if prod(map(len, self._choices)) > _MOST_COMBINATIONS:
            yield from self._greedy(self._projections)
            return
        for assignment in product(*self._choices):
            if not has_conflict(assignment):
                yield assignment

    def _wider_assignments(self, most: float) -> list[tuple[float, Assignment]]:
        """Assignments that also give a factor axes which it has in no tensor, each with a lower bound of the bytes that
        it moves; without those whose bound is not below ``most``."""
        choices = [self._with_borrowed(factor, choice) for factor, choice in enumerate(self._choices)]
        found: list[tuple[float, Assignment]] = []
        visits = 0

        def visit(assignment: Assignment, bound: float, taken: Axes) -> None:
            nonlocal visits
            factor = len(assignment)
            if factor == len(choices):
                bound += self._least_of_results(assignment)
                if bound < most:
                    found.append((bound, assignment))
                return
            for axes in choices[factor]:
                visits += 1
                if visits > _MOST_VISITS:
                    return
                if not any_overlap(axes, taken):
                    longer = (*assignment, axes)
                    more = bound + self._least_of_operands(longer)
                    if more < most:
                        visit(longer, more, taken + axes)

        visit((), 0.0, ())
        return found

    def _with_borrowed(self, factor: int, choices: list[Axes]) -> list[Axes]:
        """``choices`` of a factor, and these extended by axes of other factors, if every shard gets elements."""
        if factor not in self._shared_factors or not self._rule.is_pass_through(factor):
            return choices
        size = self._rule.factor_sizes[factor]
        found = dict.fromkeys(choices)
        for axes in choices:
            for more in self._borrowed:
                if not any_overlap(more, axes):
                    count = shard_count((*axes, *more), self._mesh)
                    if size % count == 0 or (count < size and more in self._displaced):
                        found[(*axes, *more)] = None
        return list(found)

    def _found_displaced(self) -> set[Axes]:
        """The axes of factors that the operation needs whole: they are free to shard other factors meanwhile."""
        return {
            axes
            for projection in self._projections
            for factor, axes in projection.items()
            if axes and factor not in self._shared_factors
        }

    def _found_borrowed(self) -> list[Axes]:
        """The axes that any factor has: each list of them, and each axis alone."""
        found: dict[Axes, None] = {}
        for projection in self._projections:
            for axes in projection.values():
                if axes:
                    found[axes] = None
                    found.update(dict.fromkeys((axis,) for axis in axes))
        return list(found)

    def _least_of_operands(self, assignment: Assignment) -> float:
        """A lower bound of the bytes of the operands whose last factor is the last one of ``assignment``."""
        moved = 0.0
        for operand in self._operands_by_last_factor.get(len(assignment) - 1, ()):
            axes = tuple([assignment[factor] for factor in operand.factors])
            least = operand.least.get(axes)
            if least is None:
                layout, tensor = self._layout(operand.tensor, assignment), operand.tensor
                assert tensor.layout is not None
                least = float("inf") if layout is None else least_bytes_moved(tensor.type, tensor.layout, layout)
                operand.least[axes] = least
            moved += least
        return moved

    def _operands_that_move(self) -> dict[int, list[_Operand]]:
        found: dict[int, list[_Operand]] = {}
        for tensor in self._problem.operands:
            if not tensor.free:
                factors = [factor for factors in tensor.mapping for factor in factors]
                found.setdefault(max(factors, default=0), []).append(_Operand(tensor, factors, {}))
        return found

    def _least_of_results(self, assignment: Assignment) -> float:
        unreduced = self._partial_sum_axes(assignment)
        moved = 0.0
        for tensor in self._problem.results:
            layout = self._layout(tensor, assignment)
            if layout is None:
                return float("inf")
            wanted = tensor.layout if tensor.layout is not None else layout
            moved += least_bytes_moved(tensor.type, self._unreduced_over(layout, unreduced), wanted)
        return moved

    def _greedy(self, projections: list[dict[int, Axes]]) -> Iterator[Assignment]:
        """For each tensor an assignment: its own axes, then those of the other tensors that do not conflict."""
        for first in projections:
            assignment: list[Axes] = [()] * self._rule.num_factors
            taken: list[AxisRef] = []
            for projection in (first, *projections):
                for factor, axes in projection.items():
                    if factor in self._shared_factors and not assignment[factor] and not any_overlap(axes, taken):
                        assignment[factor] = axes
                        taken += axes
            yield tuple(assignment)
        yield ((),) * self._rule.num_factors

    def _projection(self, tensor: ProblemTensor) -> dict[int, Axes]:
        """The axes of each factor of a tensor, distributed from major to minor as far as they fit."""
        assert tensor.layout is not None and self._mesh is not None
        found: dict[int, Axes] = {}
        for factors, axes in zip(tensor.mapping, tensor.layout.dims, strict=True):
            if len(factors) == 1:
                found[factors[0]] = axes
            elif axes:
                parts, _ = distribute_axes(axes, [self._rule.factor_sizes[factor] for factor in factors], self._mesh)
                found.update(zip(factors, parts, strict=True))
        return found

    # --- cost ---------------------------------------------------------------------------------------------------------

    def _strategy(self, assignment: Assignment, work: float = 0.0, most: float = float("inf")) -> Strategy | None:
        """The strategy with these axes. None if there is none, or as soon as its bytes and ``work`` certainly reach
        ``most``."""
        operands: list[Layout] = []
        results: list[Layout] = []
        moves: list[tuple[Type, Layout, Layout]] = []
        mesh = self._mesh
        for tensor in self._problem.operands:
            layout = self._layout(tensor, assignment)
            if layout is None:
                return None
            operands.append(layout)
            assert tensor.layout is not None
            if not tensor.free:
                moves.append((tensor.type, tensor.layout, layout))
        unreduced = self._partial_sum_axes(assignment)
        for tensor in self._problem.results:
            layout = self._layout(tensor, assignment)
            if layout is None:
                return None
            layout = self._unreduced_over(layout, unreduced)
            results.append(layout)
            moves.append((tensor.type, layout, tensor.layout if tensor.layout is not None else layout.reduced()))
            moves += [(tensor.type, layout, other) for other in tensor.also]
        moved = 0.0
        # Lower bounds first: they rule out most assignments, and are cheaper to compute than reshard plans.
        for bytes_of in (bytes_moved_if_known, bytes_moved) if most < float("inf") else (bytes_moved,):
            moved = 0.0
            for move in moves:
                moved += bytes_of(*move)
                if moved + work >= most:
                    return None
        if self._moving is not None:
            moved += self._moving.received(operands, results)
            if moved == float("inf"):
                return None
        return Strategy(mesh, assignment, tuple(operands), tuple(results), moved)

    def _layout(self, tensor: ProblemTensor, assignment: Assignment) -> Layout | None:
        """The layout of ``tensor`` if factors have these axes; None if its shards would not be connected."""
        mesh = self._mesh
        if mesh is None:
            return replicated(len(tensor.mapping))
        dims: list[Axes] = []
        for factors in tensor.mapping:
            if len(factors) == 1:
                dims.append(assignment[factors[0]])
                continue
            axes = merge_axes(factors, assignment, self._rule.factor_sizes, mesh)
            if axes is None:
                return None
            dims.append(axes)
        return Layout(mesh, dims)

    def _partial_sum_axes(self, assignment: Assignment) -> list[AxisRef]:
        """The axes over which results are partial."""
        return [axis for factor in self._rule.reduction_factors for axis in assignment[factor]]

    def _unreduced_over(self, layout: Layout, unreduced: list[AxisRef]) -> Layout:
        return Layout(self._mesh, layout.dims, unreduced, self._problem.reduction or "sum") if unreduced else layout

    def _work(self, assignment: Assignment) -> float:
        """What one device computes, in bytes moved: an operation with a reduction works on every combination of its
        factors, any other operation on the elements of its largest tensor."""
        sizes = [
            -(-size // shard_count(axes, self._mesh)) if axes else size
            for size, axes in zip(self._rule.factor_sizes, assignment, strict=True)
        ]
        if self._rule.reduction_factors:
            return prod(sizes) * self._problem.work
        tensors = (prod(sizes[factor] for dim in mapping for factor in dim) for mapping in self._rule.tensor_mappings)
        return max(tensors, default=1) * self._problem.work
