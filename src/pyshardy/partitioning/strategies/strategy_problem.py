"""The input and the output of the search for a strategy: plain values, which ``strategy_search`` reads and makes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from pyshardy.emitting.layout import Axes, Layout
from pyshardy.ir.types import Type
from pyshardy.partitioning.strategies.factor_layouts import Assignment
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule, TensorMapping


class Strategy(NamedTuple):
    """The axes of each factor, the layouts to which operands are resharded and in which results come out, and the bytes
    moved."""

    mesh: Mesh | None
    axes: Assignment
    operands: tuple[Layout, ...]
    results: tuple[Layout, ...]
    bytes: float

    def factor_axes(self, factors: Iterable[int]) -> Axes:
        """The axes of several factors, one after the other."""
        return tuple(axis for factor in factors for axis in self.axes[factor])


class ProblemTensor(NamedTuple):
    """An operand or result: its type, the factors of its dimensions, and its layout; of a result that is the requested
    one, None if there is none."""

    type: Type
    mapping: TensorMapping
    layout: Layout | None
    free: bool
    """The tensor can be had in any layout without communication."""
    also: tuple[Layout, ...] = ()
    """Further layouts in which a result is needed."""


class ExchangeCost(NamedTuple):
    """Factors along which the localizer exchanges elements between shards itself, and the cost of that:
    ``received(operands, results)`` gives the bytes that each device receives besides reshards if operands and results
    have these layouts, infinity if that is impossible. ``key`` is a value that, with the types, determines the
    function."""

    factors: frozenset[int]
    received: Callable[[Sequence[Layout], Sequence[Layout]], float]
    key: Hashable


class Problem(NamedTuple):
    """Everything that a choice depends on. The factors ``whole`` may not be sharded, those in ``moving`` always may;
    ``reduction`` says how partial results combine, ``work`` what computing one element costs in bytes moved."""

    rule: OpShardingRule
    operands: tuple[ProblemTensor, ...]
    results: tuple[ProblemTensor, ...]
    whole: frozenset[int]
    reduction: str | None
    work: float
    moving: frozenset[int]
