"""Processes that hold different programs, or never come to compare them, hear so before they wait for each other."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

import pyshardy.jax
from pyshardy.jax.hosts import difference, held
from tests.jax.programs import SPECS, Meshes, arguments, loss, step

_PROCESS = """
import sys
import jax
jax.config.update("jax_num_cpu_devices", 4)
jax.distributed.initialize(sys.argv[1], num_processes=2, process_id=int(sys.argv[2]), initialization_timeout=60)
import pyshardy.jax
from pyshardy.jax import hosts
from tests.jax.programs import SPECS, arguments, meshes, step

hosts._AFTER_THE_FIRST = 1.0  # nobody comes to read what is said
run = pyshardy.jax.partition(step, *arguments(), mesh=meshes(data=4, model=2), in_shardings=SPECS).compile()
pyshardy.jax.check_processes(run)
if jax.process_index() == 0:
    try:
        pyshardy.jax.check_processes(run, timeout=2)
    except pyshardy.jax.JaxProblem as problem:
        print(problem)
jax.distributed.shutdown()  # which waits for the other process
"""


@pytest.mark.slow
def test_one_process_agrees_with_itself(mesh: Meshes) -> None:
    pyshardy.jax.check_processes(pyshardy.jax.partition(step, *arguments(), mesh=mesh, in_shardings=SPECS).compile())


def test_what_is_held_is_the_same_for_a_plan_made_twice(mesh: Meshes) -> None:
    one, other = (
        held(pyshardy.jax.partition(step, *arguments(), mesh=mesh, in_shardings=SPECS).compile()) for _ in range(2)
    )
    assert one == other
    assert difference("step", [one, other]) is None


def test_another_program_is_named(mesh: Meshes) -> None:
    one, other = (
        held(pyshardy.jax.partition(f, *arguments(), mesh=mesh, in_shardings=SPECS).compile()) for f in (step, loss)
    )
    assert one["arguments"] == other["arguments"] and one["mesh"] == other["mesh"]
    found = difference("step", [one, one, other, other])
    assert found is not None
    assert found.startswith("process 2 holds another plan of step than process 0, and their collectives would never")
    assert f"program {other['program']} and not {one['program']}" in found
    assert "2 of 4 processes differ from process 0" in found


def test_another_version_of_jax_is_named() -> None:
    found = difference("f", [{"jax": "0.10.2", "program": "a"}, {"jax": "0.9.0", "program": "a"}])
    assert found is not None and "it has jax 0.9.0 and not 0.10.2. Start" in found


@pytest.mark.slow
def test_a_process_that_does_not_come_is_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", _PROCESS, address, str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"JAX_PLATFORMS": "cpu"},
        )
        for number in range(2)
    ]
    done = [one.communicate(timeout=200) for one in started]
    assert [one.returncode for one in started] == [0, 0], done
    assert "process 1 of 2 has not said within 2 s which plan of step it holds" in done[0][0]
