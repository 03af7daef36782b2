"""The examples of libraries print what they print without pyshardy, and their tensors have the libraries' names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"

_BOTH = """
import io, json, runpy, sys
from contextlib import redirect_stdout
import jax, pyshardy.jax

def printed(path):
    with redirect_stdout(io.StringIO()) as out:
        found = runpy.run_path(path)
    return found, [float(line) for line in out.getvalue().split()]

found, ours = printed(sys.argv[1])
plans = found["run"].plans
names = [argument.name for argument in plans[0].source.arguments()]
pyshardy.jax.jit = jax.jit
_, theirs = printed(sys.argv[1])
print(json.dumps({"ours": ours, "theirs": theirs, "names": names, "plans": len(plans)}))
"""


def run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        env=os.environ | {"JAX_PLATFORMS": "cpu"},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "example, packages, names",
    [
        (
            "flax_linen",
            ["flax", "optax"],
            ["state.step", "state.params['layers_0']['kernel'].value", "state.opt_state[0].mu['layers_3']['bias']"],
        ),
        (
            "flax_nnx",
            ["flax", "optax"],
            ["state[0]['up']['kernel'].value", "state[0]['norm']['mean'].value", "state[1]['step'].value"],
        ),
        (
            "equinox_mlp",
            ["equinox", "optax"],
            ["state[0].layers[0].weight", "state[1][0].mu.layers[0].weight"],
        ),
        (
            "keras_model",
            ["keras"],
            ["state[0]['net/up/kernel']", "state[2]['adam/net_up_kernel_momentum']"],
        ),
        (
            "orbax_checkpoint",
            ["orbax.checkpoint", "optax"],
            ["state[0]['up']", "state[1][0].mu['up']"],
        ),
    ],
)
def test_a_library_has_its_own_losses_and_names(
    example: str, packages: list[str], names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Else Keras looks for TensorFlow.
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    for package in packages:
        pytest.importorskip(package)
    found: dict[str, Any] = json.loads(run("-c", _BOTH, str(EXAMPLES / "libraries" / f"{example}.py")).splitlines()[-1])
    assert found["ours"] == pytest.approx(found["theirs"], abs=1e-4) and len(found["ours"]) >= 3
    assert set(names) <= set(found["names"]), found["names"]
    assert found["plans"] == 1


def test_a_model_of_pytorch_has_the_losses_of_pytorch() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("torchax")
    out = run(str(EXAMPLES / "pytorch.py"))
    assert "params['encoder.layers.0.linear1.weight'] (128, 32) on each device (64, 32)" in out
    rows = [line.split() for line in out.partition("step  pyshardy")[2].splitlines()[1:]]
    assert len(rows) == 5
    assert [float(row[1]) for row in rows] == pytest.approx([float(row[2]) for row in rows], abs=1e-4)
