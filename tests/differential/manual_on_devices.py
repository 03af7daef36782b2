# mypy: allow-untyped-calls, no-warn-return-any
"""Runs the JAX programs with manual computations by XLA on many CPU devices, and compares with the interpreter:
``python -m tests.differential.manual_on_devices`` prints a line a result. A process of its own, since the number of
devices is settled when JAX starts."""

from __future__ import annotations

import os
import re

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=16"

import jax
import numpy as np
from jax._src import xla_bridge
from jax._src.lib import xla_client
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from pyshardy import Module, parse
from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy.placement import FunctionResult, meshes, set_held_sharding
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array
from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType
from pyshardy.sharding.tensor import fully_closed
from tests.differential.jax_programs import PROGRAMS, jax_manual_computations
from tests.interpreter.compiled import quick_options, random_inputs


def with_whole_arguments(text: str) -> Module:
    """The program with all arguments and results whole on every device."""
    module = parse(text)
    name = next(iter(meshes(module.op)))
    (main,) = (op for op in module.op.body if op.symbol_name == "main")
    signature = function_type(main)
    slots: list[Value | FunctionResult] = [*main.body.arguments]
    slots += [FunctionResult(main, number) for number in range(len(signature.results))]
    for slot, type in zip(slots, (*signature.inputs, *signature.results), strict=True):
        assert isinstance(type, TensorType)
        set_held_sharding(slot, fully_closed(type.rank, name))
    return module


def partitioned_by_xla(text: str, inputs: list[Array]) -> list[Array]:
    """What XLA computes on as many devices as the program names."""
    found = re.search(r"num_partitions = (\d+)", text)
    assert found is not None
    count = int(found[1])
    options = quick_options()
    options.num_partitions = count
    options.device_assignment = xla_client.DeviceAssignment.create(np.arange(count).reshape(1, count))
    build = options.executable_build_options
    build.num_partitions = count
    build.use_spmd_partitioning = build.use_shardy_partitioner = True
    build.device_assignment = options.device_assignment
    backend = xla_bridge.get_backend("cpu")
    devices = backend.local_devices()[:count]
    executable = backend.compile_and_load(text, xla_client.DeviceList(tuple(devices)), options)
    whole = NamedSharding(Mesh(np.array(devices), ("all",)), P())
    results = executable.execute_sharded([jax.device_put(value, whole) for value in inputs])
    return [np.asarray(shards[0]) for shards in results.disassemble_into_single_device_arrays()]


def main() -> None:
    """Prints ``name number agrees`` or ``name number differs`` for each result of each program."""
    for name, make in PROGRAMS.items():
        if make.__module__ != jax_manual_computations.__name__:
            continue
        module = with_whole_arguments(make())
        text = str(module)
        inputs = random_inputs(text)
        for number, (ours, theirs) in enumerate(
            zip(run(module, inputs), partitioned_by_xla(text, inputs), strict=True)
        ):
            agrees = ours.shape == theirs.shape and np.allclose(ours, theirs, rtol=1e-4, atol=1e-4)
            print(name, number, "agrees" if agrees else "differs")


if __name__ == "__main__":
    main()
