"""Def-use chains by numbers: each against what the operations themselves say."""

from __future__ import annotations

import pytest

from pyshardy.folding.detecting.def_use import DefUse
from pyshardy.folding.detecting.layers import Layers
from pyshardy.folding.detecting.series import Series
from pyshardy.ir.operation import OpResult
from tests.folding.folded_or_not import layers_of
from tests.folding.stacks import clipped, sorted_by_name, two_stacks

PROGRAMS = [clipped(12), sorted_by_name(12), two_stacks(8, 10)]


def def_use_of(layers: Layers) -> DefUse:
    return DefUse(layers.operations, [len(op.operands) for op in layers.operations])


def lowest_related(layers: Layers, number: int, series: Series) -> int | None:
    """The lowest layer of ``series`` that operation ``number`` is related to, counted from the lowest of all."""
    op, numbers = layers.operations[number], layers.numbers
    related = [[numbers[user] for result in op.results for user, _ in result._uses]]
    for value in op.operands:
        related.append(
            [numbers[value.owner]] if isinstance(value, OpResult) else [numbers[user] for user, _ in value._uses]
        )
    found: set[int] = set()
    for each in related:
        own = {series.layer(one) for one in each if series.begin <= one < series.end}
        found |= own if len(own) <= 2 else set()
    return min(found) - series.layers().start if found else None


@pytest.mark.parametrize("text", PROGRAMS)
def test_makers_and_readers_are_those_of_the_operations(text: str) -> None:
    layers = layers_of(text)
    def_use, numbers = def_use_of(layers), layers.numbers
    for number, op in enumerate(layers.operations):
        made = [numbers[value.owner] if isinstance(value, OpResult) else -1 for value in op.operands]
        assert def_use.makers_of_operands(number, number + 1) == made
        assert [def_use.operand(def_use.starts[number] + index) for index in range(len(made))] == op.operands
        assert sorted(def_use.users(number)) == def_use.readers()[number]


@pytest.mark.parametrize("text", PROGRAMS)
def test_operations_of_other_series_are_related_to_layers(text: str) -> None:
    layers = layers_of(text)
    for series in layers.series:
        begins = tuple(map(series.begin_of, series.layers()))
        found = def_use_of(layers).lowest_related(begins, series.period)
        others = [n for n in range(len(found)) if not series.begin <= n < series.end]
        assert [found[n] for n in others] == [lowest_related(layers, n, series) for n in others]
        assert any(found[n] is not None for n in others)
