"""What ``explain`` says of a whole program is what propagation did, for every axis of every tensor."""

from pathlib import Path

import pytest

from pyshardy import load
from pyshardy.analysis.why.explainer import Explainer
from tests.analysis.why.soundness import differences_from_propagation, disagreements

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.mlir"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_chain_of_an_example_is_what_propagation_did(name: str) -> None:
    explainer = Explainer(load(ROOT / "examples" / name))
    assert list(disagreements(explainer)) == []
    assert list(differences_from_propagation(explainer)) == []
