"""What an edit changes, in words."""

from __future__ import annotations

import pytest

from pyshardy.analysis.why.edits import Effect
from pyshardy.report.explanation_text import effect_text

_MIB = 1 << 20


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (2 * _MIB, 2 * _MIB, "receives 2.0 MiB as before"),
        (2 * _MIB, _MIB, "receives 1.0 MiB instead of 2.0 MiB"),
        (2 * _MIB, 2 * _MIB - 1024, "receives 2.0 MiB, 1.0 KiB less"),
        (2 * _MIB, 2 * _MIB + 3, "receives 2.0 MiB, 3 B more"),
    ],
)
def test_a_change_is_seen_however_small(before: int, after: int, said: str) -> None:
    assert said in effect_text(Effect(after, before, after, before, 8, 8, 1))
