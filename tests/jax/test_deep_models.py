"""Deep models are partitioned and counted by few of their layers, and the result is that of all layers."""

from __future__ import annotations

import pytest

pytest.importorskip("jax")

from pyshardy import parse, partition
from pyshardy.ir.shortcuts import FOLDED
from tests.folding.fuzz import outcome, wrong_of
from tests.jax.deep_models import STRATEGIES, gpt, llama, sharded


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("model", [gpt, llama])
def test_few_layers_are_enough(model: type, strategy: str) -> None:
    text = sharded(model(9), strategy)
    before = FOLDED.copy()
    plan = partition(parse(text))
    assert plan.folded_counts() is not None
    assert FOLDED["folded"] > before["folded"]
    assert (FOLDED["unfolded"], FOLDED["whole"]) == (before["unfolded"], before["whole"])
    assert wrong_of(text, lambda one: outcome(one, chips=["v5e"])) is None
