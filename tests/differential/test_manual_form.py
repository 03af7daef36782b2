"""The manual form of every JAX program computes, compiled by XLA for virtual devices, what XLA's partitioning does.

Where XLA's own partitioning is wrong (or cannot be compiled) our results are those of the interpreter.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from tests.differential.jax_programs import PROGRAMS
from tests.sampling import sampled

_TOLERANCE = 2e-3


_NAMES = list(PROGRAMS)
_ONE_OF = 3


def _compared(name: str) -> dict[str, Any]:
    return _comparisons(_NAMES.index(name) % _ONE_OF)[name]


@cache
def _comparisons(first: int) -> dict[str, dict[str, Any]]:
    # Virtual devices must be asked for before jax is loaded: in a process of its own.
    command = [sys.executable, "-m", "benchmarks.collective_bytes", "--json", *_NAMES[first::_ONE_OF]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr[-2000:]
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {one["name"]: one for one in lines}


@pytest.mark.parametrize("name", sampled(_NAMES, _ONE_OF))
def test_a_partitioned_program_computes_what_xla_computes(name: str) -> None:
    found = _compared(name)
    assert "error" not in found, found
    assert found["from_interpreter"] <= _TOLERANCE, found
    if found["difference"] > _TOLERANCE:
        assert name in _WRONG_IN_XLA, found


@pytest.mark.parametrize("name", sampled(_NAMES, _ONE_OF))
def test_a_partitioned_program_moves_no_more_than_xla_does(name: str) -> None:
    found = _compared(name)
    assert found["failure"] or found["ours"] <= 1.0001 * found["theirs"], found


@pytest.mark.parametrize("name", sampled(_NAMES, _ONE_OF))
def test_the_memory_of_a_device_is_about_what_xla_takes(name: str) -> None:
    found = _compared(name)
    # Below that, what XLA takes is what it keeps for itself.
    if found["taken_memory"] >= _WORTH_COMPARING:
        assert 0.5 < found["counted_memory"] / found["taken_memory"] < 1.3, found


_WORTH_COMPARING = 16_384

_WRONG_IN_XLA = ("cumulative_operations", "gathers_and_scatters", "strided_grouped_and_transposed_convolutions")
"""Where XLA's CPU backend gives other numbers than JAX does on one device, for the program as JAX lowers it."""
