"""Programs of many layers, which ours goes through few of, get the shardings that the reference gives them."""

from __future__ import annotations

import pytest

from tests.differential.reference import Verdict, compare
from tests.folding.fuzz import small_programs_too
from tests.folding.programs import perceptrons
from tests.propagation.layered_programs import LayeredProgram

PIPELINES = (
    "builtin.module(sdy-propagation-pipeline)",
    "builtin.module(sdy-basic-propagate)",
    "builtin.module(sdy-op-priority-propagate)",
)


@pytest.mark.parametrize("seed", range(15))
def test_random_layers_are_propagated_like_the_reference(seed: int) -> None:
    with small_programs_too():
        found = compare(str(LayeredProgram(seed, 30 + seed)), PIPELINES[seed % 3])
    assert found.verdict is Verdict.EQUAL, found.detail


@pytest.mark.parametrize("seed", range(6))
def test_models_of_many_layers_are_propagated_like_the_reference(seed: int) -> None:
    found = compare(perceptrons(60, seed), PIPELINES[0])
    assert found.verdict is Verdict.EQUAL, found.detail
