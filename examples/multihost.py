"""A training loop on several hosts, partitioned by pyshardy: the transformer of ``jax_training.py``, a process a host.

On this machine alone, two processes with four virtual CPU devices each over loopback:

    python examples/multihost.py --local 2

On a cluster that JAX knows (SLURM, Open MPI, TPU pods, GKE) each host runs it without arguments, anywhere else with the
address of the first process, the number of processes and its own number:

    srun python examples/multihost.py
    python examples/multihost.py --coordinator 10.0.0.1:1234 --processes 2 --process 0

A process that ends, or holds another plan than the others, ends all of them with a message and exit code 1.
"""

# mypy: allow-untyped-calls, no-warn-return-any
from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
from functools import partial
from typing import Any, NoReturn

import jax
import numpy as np
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from jax_training import STATE, batches, initial_state, step

import pyshardy.jax


def train(mesh: Any, steps: int) -> None:
    """Plans, compares the plans with the other processes, and trains."""
    data = list(map(np.asarray, batches(steps)))
    initial = partial(initial_state, jax.random.key(0))
    start = pyshardy.jax.partition(initial, mesh=mesh, out_shardings=STATE)
    plan = pyshardy.jax.partition(
        step,
        jax.eval_shape(initial),
        data[0],
        mesh=mesh,
        in_shardings=(STATE, P("data")),
        out_shardings=(STATE, P()),
        donate_argnums=0,
    )
    make, run = start.compile(), plan.compile()
    for program in (make, run):
        pyshardy.jax.check_processes(program, timeout=60)
    say(repr(plan))
    state = make()
    for number, words in enumerate(data):
        # It asks only for the rows that devices of this process hold; a real loop reads just those.
        batch = jax.make_array_from_callback(words.shape, NamedSharding(mesh, P("data")), words.__getitem__)
        state, value = jax.block_until_ready(run(state, batch))
        say(f"step {number}  loss {float(value):.5f}")


def say(text: str) -> None:
    """Prints in the first process."""
    if jax.process_index() == 0:
        print(text, flush=True)


def end(reason: str) -> NoReturn:
    """Ends this process at once: the orderly end of JAX waits for all others."""
    print(f"process {jax.process_index()} ends: {reason}", file=sys.stderr, flush=True)
    os._exit(1)


def connect(given: argparse.Namespace) -> None:
    """Finds the other processes; ``--coordinator`` says where the first one is, else the cluster does."""
    if given.devices:
        jax.config.update("jax_num_cpu_devices", given.devices)
    options: dict[str, Any] = {"initialization_timeout": 60, "heartbeat_timeout_seconds": 10}
    if given.coordinator is not None:
        options |= {
            "coordinator_address": given.coordinator,
            "num_processes": given.processes,
            "process_id": given.process,
        }
    if given.processes != 1:
        jax.distributed.initialize(**options)


def start_here(count: int, arguments: list[str]) -> int:
    """Starts ``count`` processes of this script on this machine; as soon as one fails, the others have half a minute
    to say why they end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    common = ["--coordinator", address, "--processes", str(count), "--devices", str(8 // count), *arguments]
    started = [
        subprocess.Popen(
            [sys.executable, __file__, *common, "--process", str(number)], env=os.environ | {"JAX_PLATFORMS": "cpu"}
        )
        for number in range(count)
    ]
    while any(one.poll() is None for one in started) and not any(one.poll() for one in started):
        time.sleep(0.1)
    end = time.monotonic() + 30
    for one in started:
        try:
            one.wait(max(end - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            one.kill()
            one.wait()
    return int(any(one.returncode for one in started))


def main() -> int:
    """Reads the arguments and trains."""
    parser = argparse.ArgumentParser(description="Trains a small transformer on several hosts.")
    parser.add_argument("--local", type=int, metavar="N", help="start N processes here, with eight CPU devices in all")
    parser.add_argument("--coordinator", metavar="HOST:PORT", help="where process 0 listens")
    parser.add_argument("--processes", type=int, metavar="N", help="how many processes there are")
    parser.add_argument("--process", type=int, metavar="I", help="the number of this one")
    parser.add_argument("--devices", type=int, metavar="N", help="virtual CPU devices of this process")
    parser.add_argument("--model", type=int, default=2, metavar="N", help="devices along the axis model (2)")
    parser.add_argument("--steps", type=int, default=3, metavar="N", help="how many steps (3)")
    given = parser.parse_args()
    if given.local:
        return start_here(given.local, ["--model", str(given.model), "--steps", str(given.steps)])
    connect(given)
    try:
        sizes = (jax.device_count() // given.model, given.model)
        train(jax.make_mesh(sizes, ("data", "model"), axis_types=(AxisType.Auto,) * 2), given.steps)
    except pyshardy.jax.JaxProblem as problem:
        end(str(problem))
    except jax.errors.JaxRuntimeError as error:
        end(f"another process is lost, or the program has failed: {error}")
    if given.processes != 1:
        jax.distributed.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
