"""Real JAX programs: propagation and its surroundings agree with the reference on each of them."""

from __future__ import annotations

import pytest

from tests.differential.jax_programs import PROGRAMS
from tests.differential.pipelines import PIPELINES
from tests.differential.reference import assert_agree
from tests.sampling import sampled

TRIED = (
    "nothing",
    "basic-keeping-rules",
    "aggressive-both",
    "operation-priority",
    "user-priority",
    "populate",
    "populate-conservative",
    "import-calls-after-edges",
    "everything",
    "everything-closed",
    "lift-meshes",
    "inline-and-lift-meshes",
    "gather-batching-and-propagate",
    "propagate-through-calls",
    "call-reshards",
    "import",
    "import-deduplicating",
    "propagation-around-copies",
    "propagation-around-shared",
    "explicit-reshards",
    "canonicalize",
    "propagate-and-export",
    "propagate-shared-and-export",
    "propagate-and-reshard-fully",
    "propagate-and-export-collectives",
)


@pytest.mark.parametrize(
    ("name", "half"),
    # Of each program the one half of the pipelines or the other.
    [case for number, name in enumerate(PROGRAMS) for case in sampled([(name, 0), (name, 1)], 2, first=number)],
)
def test_a_program_comes_out_as_from_the_reference(name: str, half: int) -> None:
    text = PROGRAMS[name]()
    assert_agree({pipeline: (text, PIPELINES[pipeline].text) for pipeline in TRIED[half::2]})
