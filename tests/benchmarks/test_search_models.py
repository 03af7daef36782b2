"""Deep models of the benchmark of searches are evaluated with few of their layers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from benchmarks.search_models import decode, gpt, llama, mixer
from pyshardy import parse
from pyshardy.searching.short_program import short_program


@pytest.mark.parametrize(
    "model",
    [
        partial(gpt, width=128, batch=2, length=64),
        partial(llama, width=512, batch=2, length=64),
        partial(mixer, batch=2),
        partial(decode, width=512, batch=2, length=64),
    ],
    ids=["GPT", "Llama", "mixer", "decode"],
)
def test_layers_of_a_deep_model_are_left_out(model: Callable[[int], str]) -> None:
    short = short_program(parse(model(16)))
    assert len(short.times) < 0.3 * len(short.source.op.operations())
