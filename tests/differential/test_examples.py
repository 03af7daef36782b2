"""The committed example programs: every pipeline of passes agrees with the reference on each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.pipelines import PIPELINES
from tests.differential.reference import assert_agree
from tests.sampling import sampled

# Some pipelines differ in the random programs that they are tried on alone.
DIFFERENT = sorted({pipeline.text: pipeline.name for pipeline in PIPELINES.values()}.items())
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))
# Two programs that differ in their shardings alone, and are larger than all others: each pipeline takes one of them.
_TRANSFORMERS = ("transformer_fsdp", "transformer_megatron")
_GROUPS = 6


@pytest.mark.parametrize(
    ("example", "group"),
    [
        case
        for number, example in enumerate(EXAMPLES)
        for case in sampled([(example, group) for group in range(_GROUPS)], 2, first=number)
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else value,
)
def test_an_example_comes_out_as_from_the_reference(example: Path, group: int) -> None:
    text, chosen = example.read_text(), DIFFERENT[group::_GROUPS]
    if example.stem in _TRANSFORMERS:
        chosen = chosen[_TRANSFORMERS.index(example.stem) :: 2]
    assert chosen
    assert_agree({name: (text, pipeline) for pipeline, name in chosen})
