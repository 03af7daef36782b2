"""What few layers say of the memory and the work of all of them, before the others are put in."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from pyshardy import parse, partition
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.partitioning import plan as plans
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.work import work_of
from pyshardy.partitioning.plan import Plan
from pyshardy.partitioning.way import Way
from pyshardy.partitioning.ways import best_way
from tests.partitioning.test_few_layers import ALL, SQUARE, gathered, random_program

DONATED = "{jax.buffer_donor = true, "


class Said:
    """What the best way says of itself before it is completed, and what its program needs by itself."""

    def __init__(self, text: str) -> None:
        self.ways: list[Way] = []
        with patch.object(plans, "best_way", self._kept):
            self.plan: Plan = partition(parse(text))

    def _kept(self, *given: Any) -> Way:
        way = best_way(*given)
        self.ways.append(way)
        assert not way.is_complete
        local, entry = way.partitioner.local, way._entry
        self.peak, self.work, self.bytes = way.peak, way.work, way.bytes
        assert not way.is_complete
        self.few = memory_of(local, entry).peak, work_of(local, entry, way.partitioner.rules)
        return way

    @property
    def is_exact(self) -> bool:
        way = self.ways[-1]
        assert way.is_complete
        work = work_of(
            self.plan.local.op, functions_by_name(self.plan.local.op)[self.plan.entry], way.partitioner.rules
        )
        found = self.plan.memory.peak, work, way.bytes
        return (self.peak, self.work, self.bytes) == found


def donating(text: str) -> str:
    """The same program, that may have the memory of its weights."""
    return text.replace(": " + SQUARE + " {sdy", ": " + SQUARE + " " + DONATED + "sdy")


@pytest.mark.parametrize("model", ALL)
def test_models(model: str) -> None:
    said = Said(ALL[model])
    assert said.is_exact
    assert said.few[0] <= said.peak
    assert said.few[1] < said.work


@pytest.mark.parametrize("change", [str, donating])
def test_what_is_kept_from_one_series_to_another_grows_with_the_layers(change: Any) -> None:
    text = change(gathered(60))
    assert (DONATED in text) == (change is donating)
    said = Said(text)
    assert said.is_exact
    # An activation of each layer at least, of which a device has a half.
    assert said.peak - said.few[0] > 40 * 32 * 32 * 4 / 2


@pytest.mark.parametrize("seed", [2, 7, 18, 20, 45, 50, 6055])
def test_random_programs(seed: int) -> None:
    said = Said(random_program(seed))
    assert len(said.ways) == 1
    assert said.is_exact
