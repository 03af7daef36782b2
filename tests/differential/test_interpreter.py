"""The interpreter on real programs: what JAX's own lowering of each test program computes, against XLA."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest

from pyshardy import parse
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array
from tests.differential.jax_programs import PROGRAMS, jax_manual_computations
from tests.interpreter.compiled import compiled, random_inputs
from tests.sampling import sampled

RANGES: dict[str, dict[str, tuple[float, float]]] = {
    # Newton's method needs a number that has a root; attention with small weights is well conditioned.
    "vmapped_loop": {"a0": (0.5, 3.0)},
    "attention_backward": {f"a{number}": (-0.3, 0.3) for number in range(8)},
}
ON_ONE_DEVICE = [name for name, make in PROGRAMS.items() if make.__module__ != jax_manual_computations.__name__]
TOLERANCE = 5e-5
"""Of the largest number of a result: XLA adds up in another order."""


@pytest.mark.parametrize("name", sampled(ON_ONE_DEVICE, 2))
def test_a_program_computes_what_xla_computes(name: str) -> None:
    # One device: XLA ignores the shardings then.
    text = re.sub(r"mhlo.num_partitions = \d+", "mhlo.num_partitions = 1", PROGRAMS[name]())
    inputs = random_inputs(text, ranges=RANGES.get(name))
    results, expected = run(parse(text), inputs), compiled(text, inputs)
    assert len(results) == len(expected)
    for number, (ours, theirs) in enumerate(zip(results, expected, strict=True)):
        assert_near(ours, theirs, f"result {number} of {name}")


def assert_near(ours: Array, theirs: Array, what: str) -> None:
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), what
    if ours.dtype.kind in "iub":
        np.testing.assert_array_equal(ours, theirs, err_msg=what)
        return
    a, b = ours.astype(np.complex128), theirs.astype(np.complex128)
    scale = np.max(np.abs(b[np.isfinite(b)]), initial=1e-30)
    np.testing.assert_allclose(a / scale, b / scale, rtol=0, atol=TOLERANCE, equal_nan=True, err_msg=what)


def test_manual_computations_compute_what_xla_computes_on_many_devices() -> None:
    command = [sys.executable, "-m", "tests.differential.manual_on_devices"]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=300)
    lines = outcome.stdout.splitlines()
    assert outcome.returncode == 0, outcome.stderr
    assert {line.split()[0] for line in lines} == set(PROGRAMS) - set(ON_ONE_DEVICE)
    assert [line for line in lines if not line.endswith("agrees")] == []
