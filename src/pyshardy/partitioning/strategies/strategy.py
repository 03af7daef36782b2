"""Chooses along which factors of an operation the devices share its work, and remembers what it chose.

The choice is memoised by rule, types and layouts: the fortieth layer of a model costs a look-up.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.strategies.strategy_problem import Moving, Problem, Strategy, Tensor
from pyshardy.partitioning.strategies.strategy_search import Search
from pyshardy.sharding.rule import OpShardingRule


class Strategies:
    """Chooses, and remembers what it chose: among the factors that are sharded somewhere, and among all.

    What moves the fewest bytes for one operation need not do so for the program: its result may be in a layout that
    no user wants. So ``candidate_plans`` tries both; ``widened`` says whether there is a difference.
    """

    def __init__(self, *, wide: bool = True, known: Strategies | None = None) -> None:
        """``wide`` allows all factors; ``known`` is where others have looked before."""
        self._wide = wide
        self._known: dict[Hashable, tuple[Strategy | None, Strategy | None]] = {} if known is None else known._known
        self.widened = False

    def choose(
        self,
        rule: OpShardingRule,
        operands: Sequence[Sharded],
        op: Operation,
        wanted: Sequence[Layout | None],
        whole: frozenset[int],
        reduction: str | None,
        work: float,
        moving: Moving | None = None,
        also: Sequence[tuple[Layout, ...]] = (),
    ) -> Strategy | None:
        """The cheapest strategy; None if ``rule`` does not fit the types. See ``Site.strategy``."""
        if len(rule.operand_mappings) != len(operands) or len(rule.result_mappings) != len(op.results):
            return None
        key: list[Hashable] = [rule, whole, reduction, work]
        if moving is not None:
            key += (moving.factors, moving.key)
        for one in operands:
            key += (one.type, one.layout, one.recipe is None)
        for result, layout in zip(op.results, wanted, strict=True):
            key += (result.type, layout)
        key += also
        question = tuple(key)
        found = self._known.get(question)
        if found is None:
            problem = self._problem(rule, operands, op, wanted, whole, reduction, work, moving, also)
            found = self._known[question] = Search(problem, moving).best()
        near, far = found
        self.widened |= near is not far
        return far if self._wide else near

    @staticmethod
    def _problem(
        rule: OpShardingRule,
        operands: Sequence[Sharded],
        op: Operation,
        wanted: Sequence[Layout | None],
        whole: frozenset[int],
        reduction: str | None,
        work: float,
        moving: Moving | None,
        also: Sequence[tuple[Layout, ...]],
    ) -> Problem:
        return Problem(
            rule,
            tuple(
                [
                    Tensor(one.type, mapping, one.layout, one.recipe is not None)
                    for one, mapping in zip(operands, rule.operand_mappings, strict=True)
                ]
            ),
            tuple(
                [
                    Tensor(result.type, mapping, layout, False, also[index] if also else ())
                    for index, (result, mapping, layout) in enumerate(
                        zip(op.results, rule.result_mappings, wanted, strict=True)
                    )
                ]
            ),
            whole,
            reduction,
            work,
            moving.factors if moving is not None else frozenset(),
            moving.key if moving is not None else None,
        )
