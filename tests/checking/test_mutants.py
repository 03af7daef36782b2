"""A sample of mutants: each kind of mistake is made somewhere, and the check objects to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import parse, partition
from pyshardy.checking.check import programs_of
from tests.checking.mutants import count_mutants, mutants
from tests.checking.mutate import Subject, Tally, sample, try_mutants
from tests.differential.jax_programs import PROGRAMS
from tests.sampling import sampled

_EXAMPLES = Path(__file__).parents[2] / "examples"
_EACH = 4


def _subject(name: str) -> Subject:
    path = _EXAMPLES / f"{name}.mlir"
    text = path.read_text() if path.exists() else PROGRAMS[name]()
    return Subject(name, programs_of(partition(parse(text, name))))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    sampled(
        [
            "convolution",
            "mlp",
            "priorities",
            "shard_map",
            "cumulative_operations",
            "einsum_zoo",
            "embedding_and_its_gradient",
            "gathers_and_scatters",
            "mixture_of_experts_backward_with_capacity",
            "slices_pads_and_concatenations",
            "sorting_and_top_k",
        ],
        3,
    ),
)
def test_every_mutant_of_a_sample_is_caught_and_the_right_program_is_not(name: str) -> None:
    subject, tally = _subject(name), Tally.empty()
    try_mutants(subject, sample(subject, _EACH, seed=7), tally)
    assert not tally.refused
    assert tally.changing.total() > 0
    assert [str(one) for one in tally.survivors] == []


def test_mutants_are_copies_and_each_has_one_mistake() -> None:
    local = partition(parse((_EXAMPLES / "mlp.mlir").read_text())).local
    before = str(local)
    made = list(mutants(local))
    assert len(made) == count_mutants(local)
    assert str(local) == before
    assert all(str(one.module) != before for one in made)
    assert {"reduces nothing", "groups of other members"} <= {one.kind for one in made}


def test_a_chosen_mutant_is_the_one_of_that_number() -> None:
    local = partition(parse((_EXAMPLES / "mlp.mlir").read_text())).local
    third = list(mutants(local))[2]
    (chosen,) = mutants(local, {2})
    assert (chosen.kind, chosen.operation, str(chosen.module)) == (third.kind, third.operation, str(third.module))
