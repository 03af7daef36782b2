"""The example for several hosts: two processes have the losses of one, and a mistake in one of them ends both."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
SIZES = "LAYERS, BATCH, LENGTH, WIDTH, HEADS, HIDDEN, WORDS = "


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example, with one layer: half as much for XLA to compile."""
    training = (EXAMPLES / "jax_training.py").read_text()
    assert f"{SIZES}2" in training
    (tmp_path / "jax_training.py").write_text(training.replace(f"{SIZES}2", f"{SIZES}1"))
    shutil.copy(EXAMPLES / "multihost.py", tmp_path)
    return tmp_path


def start(example: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-u", str(example / "multihost.py"), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"JAX_PLATFORMS": "cpu", "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )


def losses_without_mesh(example: Path, steps: int) -> list[float]:
    """Those of JAX on one device."""
    spec = importlib.util.spec_from_file_location("small_training", example / "jax_training.py")
    assert spec is not None and spec.loader is not None
    training: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(training)
    state, run, losses = training.initial_state(jax.random.key(0)), jax.jit(training.step), []
    for words in training.batches(steps):
        state, value = run(state, words)
        losses.append(float(value))
    return losses


def process_of(starter: int, number: int) -> int:
    """The process ``number`` of those that ``starter`` has started."""
    for child in Path(f"/proc/{starter}/task/{starter}/children").read_text().split():
        if Path(f"/proc/{child}/cmdline").read_text().endswith(f"--process\0{number}\0"):
            return int(child)
    raise AssertionError(f"no process {number}")


def test_two_processes_have_the_losses_of_one_until_one_of_them_dies(example: Path) -> None:
    # Many more steps than there is time for; the batches of all are made before the first.
    both = start(example, "--local", "2", "--steps", "300")
    found: list[float] = []
    assert both.stdout is not None
    try:
        while len(found) < 3:
            line = both.stdout.readline()
            assert line, both.communicate()
            found += [float(one) for one in re.findall(r"step \d+  loss (\S+)", line)]
        os.kill(process_of(both.pid, 1), signal.SIGKILL)
        # Until the other one is missed.
        expected = losses_without_mesh(example, 3)
        _, said = both.communicate(timeout=100)
    finally:
        if both.poll() is None:
            os.killpg(both.pid, signal.SIGKILL)
    assert found == pytest.approx(expected, abs=2e-5)
    assert both.returncode == 1
    assert "another process is lost" in said or "another task died" in said


def test_processes_with_different_plans_end_with_a_message(example: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    common = ["--coordinator", address, "--processes", "2", "--devices", "4"]
    both = [start(example, *common, "--process", "0"), start(example, *common, "--process", "1", "--model", "4")]
    said = [one.communicate(timeout=120)[1] for one in both]
    assert [one.returncode for one in both] == [1, 1], said
    for text in said:
        assert "process 1 holds another plan of initial_state than process 0" in text or "plan of step" in text
        assert "mesh {'data': 2, 'model': 4}" in text
