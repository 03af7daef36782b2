"""The peak of memory of building blocks of models, beside what XLA's CPU backend allocates for them."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache

import pytest

from pyshardy import parse, partition
from tests.differential.memory_blocks import BLOCKS
from tests.sampling import sampled

_NEAR = (0.96, 1.04)
"""Numbers and rows that the backend keeps besides are not counted."""


@cache
def _allocated() -> dict[str, tuple[str, int]]:
    """The text of each block, and how many bytes XLA allocates for it."""
    command = [sys.executable, "-m", "tests.differential.memory_blocks"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return {one["name"]: (one["text"], one["bytes"]) for one in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", sampled(BLOCKS, 2))
def test_peaks_are_those_that_xla_allocates(name: str) -> None:
    text, allocated = _allocated()[name]
    assert _NEAR[0] <= partition(parse(text)).memory.peak / allocated <= _NEAR[1]
