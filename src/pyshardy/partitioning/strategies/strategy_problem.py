"""What a search for a strategy is asked, and what it answers.

Values only: the key under which ``strategy`` remembers an answer. ``strategy_search`` finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from pyshardy.emitting.layout import Axes, Layout
from pyshardy.ir.types import Type
from pyshardy.partitioning.strategies.factor_layouts import Assignment
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule, TensorMapping


class Strategy(NamedTuple):
    """The axes of each factor, the layouts that operands must have and results come in, and the bytes moved."""

    mesh: Mesh | None
    axes: Assignment
    operands: tuple[Layout, ...]
    results: tuple[Layout, ...]
    bytes: float

    def factor_axes(self, factors: Iterable[int]) -> Axes:
        """The axes of several factors, one behind the other."""
        return tuple(axis for factor in factors for axis in self.axes[factor])


class Tensor(NamedTuple):
    """An operand or a result: its type, the factors of its dimensions, its layout if that is known."""

    type: Type
    mapping: TensorMapping
    layout: Layout | None
    free: bool
    """Costs nothing to have in any layout."""
    also: tuple[Layout, ...] = ()
    """Where else a result is needed."""


class Moving(NamedTuple):
    """Factors along which devices exchange data, and what that costs: ``received(operands, results)`` gives the bytes
    that each device receives besides the reshards when operands and results have these layouts, infinity for what
    cannot be done. ``key`` is a value that, with the types, determines the function."""

    factors: frozenset[int]
    received: Callable[[Sequence[Layout], Sequence[Layout]], float]
    key: Hashable


class Problem(NamedTuple):
    """Everything that a choice depends on. The factors ``whole`` may not be shared, those ``moving`` may in any case;
    ``reduction`` says how terms combine, ``work`` what computing one element costs in bytes moved."""

    rule: OpShardingRule
    operands: tuple[Tensor, ...]
    results: tuple[Tensor, ...]
    whole: frozenset[int]
    reduction: str | None
    work: float
    moving: frozenset[int]
    moving_key: Hashable
