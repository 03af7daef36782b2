"""A few random programs a run go through the passes of the partitioner; `python -m tests.partitioning.fuzz --chain`
tries thousands."""

from __future__ import annotations

import pytest

from tests.partitioning.chain import CHAIN
from tests.partitioning.fuzz import Verdict, try_chain
from tests.sampling import sampled

_AGREEING = (Verdict.AGREES, Verdict.UNDEFINED, Verdict.NOT_RUN, Verdict.REFUSED)


@pytest.mark.slow
@pytest.mark.parametrize("compat", ["r1", "r2"])
@pytest.mark.parametrize("seed", sampled(range(18), 2))
def test_a_random_program_computes_the_same_behind_the_chain(seed: int, compat: str) -> None:
    finding = try_chain(seed, f"{CHAIN}{{compat={compat}}}")
    assert finding.verdict in _AGREEING, finding
