"""Two processes with four devices each run one saved plan, and plan the same for themselves."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import jax
import pytest

import pyshardy.jax
from tests.jax.programs import SPECS, arguments, step

_PROCESS = """
import sys
import jax
jax.config.update("jax_num_cpu_devices", 4)
jax.distributed.initialize(sys.argv[3], num_processes=2, process_id=int(sys.argv[2]), initialization_timeout=60)
from jax.sharding import NamedSharding
import pyshardy.jax
from tests.jax.programs import SPECS, arguments, meshes, step

mesh = meshes(data=4, model=2)

def place(value, spec):
    return jax.make_array_from_callback(value.shape, NamedSharding(mesh, spec), lambda index: value[index])

params, x = jax.tree.map(place, arguments(), SPECS)
run = pyshardy.jax.load(sys.argv[1]).compile(mesh)
planned_here = pyshardy.jax.jit(step, mesh=mesh, in_shardings=SPECS)
for _ in range(3):
    _, same = jax.block_until_ready(planned_here(params, x))
    params, value = jax.block_until_ready(run(params, x))
    print("loss", float(value), float(same))
jax.distributed.shutdown()
"""


@pytest.mark.slow
def test_two_hosts_compute_what_one_does(tmp_path: Path) -> None:
    path = tmp_path / "step.plan"
    plan = pyshardy.jax.partition(step, *arguments(), mesh={"data": 4, "model": 2}, in_shardings=SPECS)
    plan.save(path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    environment = os.environ | {"JAX_PLATFORMS": "cpu"}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", _PROCESS, str(path), str(number), address],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for number in range(2)
    ]
    done = [one.communicate(timeout=300) for one in started]
    assert [one.returncode for one in started] == [0, 0], done
    (params, x), losses = arguments(), []
    for _ in range(3):
        params, value = jax.jit(step)(params, x)
        losses.append(float(value))
    for printed, _ in done:
        found = [list(map(float, line.split()[1:])) for line in printed.splitlines() if line.startswith("loss")]
        assert [one for one, _ in found] == pytest.approx(losses, rel=1e-4)
        assert [one for _, one in found] == pytest.approx(losses, rel=1e-4)
