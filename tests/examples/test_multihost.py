"""The example for several hosts: two processes have the losses of one, and a mistake in one of them ends both."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "multihost.py"


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-u", str(EXAMPLE), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"JAX_PLATFORMS": "cpu"},
    )


def start_two(*of_second: str, steps: int = 3) -> list[subprocess.Popen[str]]:
    """Two processes that find each other; the second one with more arguments."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    common = ["--coordinator", address, "--processes", "2", "--devices", "4", "--steps", str(steps)]
    return [start(*common, "--process", "0"), start(*common, "--process", "1", *of_second)]


def losses(printed: str) -> list[float]:
    return [float(found) for found in re.findall(r"loss (\S+)", printed)]


def test_two_processes_have_the_losses_of_one() -> None:
    alone = ("--processes", "1", "--devices", "8")
    (one, _), (two, said) = (start(*given).communicate(timeout=300) for given in (alone, ("--local", "2")))
    assert len(losses(one)) == 3
    assert losses(two) == pytest.approx(losses(one), abs=2e-5), said


def test_processes_with_different_plans_end_with_a_message() -> None:
    both = start_two("--model", "4")
    said = [one.communicate(timeout=120)[1] for one in both]
    assert [one.returncode for one in both] == [1, 1], said
    for text in said:
        assert "process 1 holds another plan of initial_state than process 0" in text or "plan of step" in text
        assert "mesh {'data': 2, 'model': 4}" in text


@pytest.mark.parametrize("victim", [1])
def test_a_process_that_dies_ends_the_other(victim: int) -> None:
    # Many more than there is time for; the batches of all are made before the first.
    both = start_two(steps=300)
    assert both[0].stdout is not None
    while "step 1 " not in (line := both[0].stdout.readline()):
        assert line, both[0].communicate()
    both[victim].kill()
    other = both[1 - victim]
    _, said = other.communicate(timeout=100)
    assert other.returncode not in (0, None)
    assert "another process is lost" in said or "another task died" in said
    both[victim].communicate()
