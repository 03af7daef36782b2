"""Chooses along which factors the devices share an operation, and memoises the choice by rule, types and layouts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from pyshardy.emitting.layout import Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import quantized_axis
from pyshardy.partitioning.strategies.strategy_problem import ExchangeCost, Problem, ProblemTensor, Strategy
from pyshardy.partitioning.strategies.strategy_search import Search
from pyshardy.sharding.rule import OpShardingRule


class Strategies:
    """Chooses strategies, and memoises them: the best among the factors that some tensor is sharded along, and the best
    among all factors.

    The strategy that moves the fewest bytes for one operation need not be best for the program, because its result may
    be in a layout that no user requests. So candidate plans are made with both; ``widened`` says whether they ever
    differed.
    """

    def __init__(self, *, wide: bool = True, known: Strategies | None = None) -> None:
        """``wide`` allows all factors; ``known`` shares the memo of another object."""
        self._wide = wide
        self._known: dict[Hashable, tuple[Strategy | None, Strategy | None]] = {} if known is None else known._known
        self.widened = False

    def choose(
        self,
        rule: OpShardingRule,
        operands: Sequence[Sharded],
        op: Operation,
        requested: Sequence[Layout | None],
        whole: frozenset[int],
        reduction: str | None,
        work: float,
        moving: ExchangeCost | None = None,
        also: Sequence[tuple[Layout, ...]] = (),
    ) -> Strategy | None:
        """The cheapest strategy; None if ``rule`` does not fit the types. ``Site.strategy`` explains the arguments."""
        if len(rule.operand_mappings) != len(operands) or len(rule.result_mappings) != len(op.results):
            return None
        parts: list[Hashable] = [rule, whole, reduction, work]
        if moving is not None:
            parts += (moving.factors, moving.key)
        for one in operands:
            parts += (one.type, one.layout, one.recipe is None)
        for result, layout in zip(op.results, requested, strict=True):
            parts += (result.type, layout)
        parts += also
        key = tuple(parts)
        found = self._known.get(key)
        if found is None:
            problem = self._problem(rule, operands, op, requested, whole, reduction, work, moving, also)
            found = self._known[key] = Search(problem, moving).best()
        narrow, wide = found
        self.widened |= narrow is not wide
        return wide if self._wide else narrow

    @staticmethod
    def _problem(
        rule: OpShardingRule,
        operands: Sequence[Sharded],
        op: Operation,
        requested: Sequence[Layout | None],
        whole: frozenset[int],
        reduction: str | None,
        work: float,
        moving: ExchangeCost | None,
        also: Sequence[tuple[Layout, ...]],
    ) -> Problem:
        whole |= _scaled_factors(rule, operands, op)
        return Problem(
            rule,
            tuple(
                [
                    ProblemTensor(one.type, mapping, one.layout, one.recipe is not None)
                    for one, mapping in zip(operands, rule.operand_mappings, strict=True)
                ]
            ),
            tuple(
                [
                    ProblemTensor(result.type, mapping, layout, False, also[index] if also else ())
                    for index, (result, mapping, layout) in enumerate(
                        zip(op.results, rule.result_mappings, requested, strict=True)
                    )
                ]
            ),
            whole,
            reduction,
            work,
            moving.factors if moving is not None else frozenset(),
        )


def _scaled_factors(rule: OpShardingRule, operands: Sequence[Sharded], op: Operation) -> frozenset[int]:
    """The factors of dimensions that have a scale for each place (``quantized_axis``): these cannot be shared."""
    types = [*(one.type for one in operands), *(result.type for result in op.results)]
    mappings = zip(types, (*rule.operand_mappings, *rule.result_mappings), strict=True)
    return frozenset(
        factor
        for type, mapping in mappings
        if (axis := quantized_axis(type)) is not None and axis < len(mapping)
        for factor in mapping[axis]
    )
