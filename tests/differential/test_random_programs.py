"""A hundred and fifty random programs through the named pipelines: both sides agree on all of them.

`python -m tests.differential.fuzz` runs more of the same, or a failing one again.
"""

from __future__ import annotations

import pytest

from tests.differential.fuzz import try_program

PROGRAMS, CHUNK = 150, 25
CHUNKS = range(0, PROGRAMS, CHUNK)


@pytest.mark.parametrize("first", CHUNKS, ids=lambda first: f"seeds-{first}-to-{first + CHUNK - 1}")
def test_random_programs_come_out_as_from_the_reference(first: int) -> None:
    findings = [try_program(seed) for seed in range(first, first + CHUNK)]
    assert all(finding.outcome.agrees for finding in findings), "\n\n".join(
        str(finding) for finding in findings if not finding.outcome.agrees
    )
