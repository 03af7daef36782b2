"""Deep models are partitioned and counted by few of their layers, and the result is that of all layers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

pytest.importorskip("jax")

from pyshardy import parse, partition
from pyshardy.folding.switch import FOLDED
from tests.folding.fuzz import outcome, seen_of, wrong_of
from tests.jax.deep_models import FILTERS, STRATEGIES, gpt, llama, resnet, sharded
from tests.sampling import sampled


@pytest.mark.parametrize(("model", "strategy"), sampled([(gpt, "data parallel"), (gpt, "both"), (llama, "both")], 2))
def test_few_layers_are_enough(model: Callable[[int], str], strategy: str) -> None:
    text = sharded(model(9), STRATEGIES[strategy])
    counted: list[bool] = []

    def seen(one: str) -> object:
        plan = partition(parse(one))
        counted.append(plan.counted_form() is not None)
        return seen_of(plan, chips=["v5e"])

    before = FOLDED.copy()
    assert wrong_of(text, seen) is None
    assert counted == [True, False]
    assert FOLDED["folded"] > before["folded"]
    assert (FOLDED["unfolded"], FOLDED["whole"]) == (before["unfolded"], before["whole"])


def test_layouts_that_were_found_are_spread_through_chlo() -> None:
    """The variance squares by ``chlo.square``, through which shardings pass as through a product."""
    text = sharded(resnet(2), FILTERS)
    product = re.sub(r"chlo\.square (%\w+) : (\S+) -> \S+", r"stablehlo.multiply \1, \1 : \2", text)
    assert product != text
    assert partition(parse(text)).bytes_moved == partition(parse(product)).bytes_moved


def test_norms_of_batches_are_partitioned_the_same() -> None:
    assert wrong_of(sharded(resnet(12), FILTERS), lambda one: outcome(one, chips=["v5e"])) is None
