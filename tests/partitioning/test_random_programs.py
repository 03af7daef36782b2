"""A few random programs a run; `make fuzz-partition` tries thousands."""

from __future__ import annotations

import pytest

from tests.partitioning.fuzz import Verdict, try_program
from tests.sampling import sampled

_AGREEING = (Verdict.AGREES, Verdict.UNDEFINED, Verdict.NOT_RUN, Verdict.REFUSED)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(26), 2))
def test_a_random_program_computes_the_same_when_it_is_partitioned(seed: int) -> None:
    finding = try_program(seed)
    assert finding.verdict in _AGREEING, finding
