"""Runs a global program on one device and what passes made of it on all devices of its mesh, and compares.

Inputs are distinct numbers that never are zero, so that data that is missing or in the wrong place shows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import pyshardy
from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy.placement import function_argument_sharding, function_result_sharding, meshes, resolve_mesh
from pyshardy.emitting.devices import replica_groups, shard_index
from pyshardy.interpreter.run import run, run_devices
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import FloatType, TensorType, Type
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

Array = np.ndarray[Any, Any]


def _input(type: Type, first: int) -> Array:
    assert isinstance(type, TensorType)
    count = int(np.prod(type.shape))
    kinds = {"i1": np.bool_, "i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}
    dtype = np.dtype(kinds[str(type.element)])
    numbers = np.arange(first, first + count)
    if dtype == np.bool_:
        numbers = numbers % 3 == 0
    elif isinstance(type.element, FloatType):
        # Half of the numbers are negative.
        numbers = np.where(numbers % 2, numbers, -numbers)
    return numbers.astype(dtype).reshape(type.shape)


def part_of(value: Array, sharding: TensorSharding | None, mesh: Mesh | None, device: int) -> Array:
    """What `device` has of `value`."""
    if sharding is None or mesh is None:
        return value
    for dim, one in enumerate(sharding.dims):
        if one.axes:
            size = value.shape[dim] // one.sharded_size(mesh)
            index = shard_index(device, mesh, one.axes)
            value = np.take(value, range(index * size, (index + 1) * size), axis=dim)
    return value


def _terms(value: Array, sharding: TensorSharding | None, mesh: Mesh | None) -> Array:
    """What devices hold of a sum, summed up: each group of devices gets its sum."""
    if sharding is None or mesh is None or not sharding.unreduced:
        return value
    summed = value.copy()
    for group in replica_groups(mesh, tuple(sharding.unreduced)):
        summed[group] = value[group].sum(axis=0)
    return summed


def same_results(passes: str, program: str, *, replicas: bool = False, inputs: dict[int, Array] | None = None) -> str:
    """Asserts that `program` computes the same on one device as what `passes` make of it does on all; returns the text
    of the latter. `inputs` replaces arguments by number."""
    whole, local = pyshardy.parse(program), pyshardy.parse(program)
    func = next(op for op in whole.op.body if op.symbol_name == "main")
    known = meshes(whole.op)
    devices = max(mesh.total_size for mesh in known.values())
    signature = function_type(func)
    values = [_input(type, 1 + 1000 * index) for index, type in enumerate(signature.inputs)]
    for index, value in (inputs or {}).items():
        values[index] = value
    expected = run(whole, values)
    pyshardy.run_passes(local, passes)
    shards = [
        np.stack([part_of(value, sharding, _mesh(sharding, known), device) for device in range(devices)])
        for value, sharding in ((value, function_argument_sharding(func, i)) for i, value in enumerate(values))
    ]
    counts = (devices, 1) if replicas else (1, devices)
    found = run_devices(local, shards, replicas=counts[0], partitions=counts[1])
    for index, (want, got) in enumerate(zip(expected, found, strict=True)):
        _compare(func, index, known, want, got, devices)
    return str(local)


def _mesh(sharding: TensorSharding | None, known: dict[str, Mesh]) -> Mesh | None:
    return resolve_mesh(sharding, known) if sharding is not None else None


def _compare(func: Operation, index: int, known: dict[str, Mesh], want: Array, got: Array, devices: int) -> None:
    sharding = function_result_sharding(func, index)
    mesh = _mesh(sharding, known)
    got = _terms(got, sharding, mesh)
    for device in range(devices):
        part = part_of(want, sharding, mesh, device)
        np.testing.assert_allclose(got[device], part, rtol=1e-4, err_msg=f"result {index} on device {device}")
