"""What ``explain`` says of a whole program is what propagation did, for every axis of every tensor."""

from pathlib import Path

import pytest

from pyshardy import load, parse
from pyshardy.analysis.why.explainer import Explainer
from tests.analysis.why.random_programs import random_explainer
from tests.analysis.why.soundness import differences_from_propagation, disagreements
from tests.differential.jax_lowering import text_with_locations
from tests.differential.jax_programs import PROGRAMS
from tests.sampling import sampled

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.mlir"))


def check(explainer: Explainer) -> None:
    assert list(disagreements(explainer)) == []
    assert list(differences_from_propagation(explainer)) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_chain_of_an_example_is_what_propagation_did(name: str) -> None:
    check(Explainer(load(ROOT / "examples" / name)))


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(PROGRAMS, 2))
def test_every_chain_of_a_jax_program_is_what_propagation_did(name: str) -> None:
    check(Explainer(parse(text_with_locations(PROGRAMS[name]), name)))


@pytest.mark.parametrize("first", sampled(range(0, 40, 20), 2))
def test_every_chain_of_random_programs_is_what_propagation_did(first: int) -> None:
    asked = [one for one in map(random_explainer, range(first, first + 20)) if one is not None]
    assert len(asked) > 10
    for explainer in asked:
        check(explainer)
