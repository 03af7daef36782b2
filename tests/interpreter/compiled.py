# mypy: allow-untyped-calls, no-warn-return-any
"""The judge of these tests: StableHLO text compiled by XLA for one CPU device and run on arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import jax
import numpy as np
from jax._src import xla_bridge
from jax._src.lib import xla_client

from pyshardy import parse
from pyshardy.interpreter import run
from pyshardy.interpreter.element_types import Array, bit_width, is_float, numpy_type, wide
from pyshardy.interpreter.run import run_devices
from pyshardy.ir.types import TensorType


@cache
def _executable(text: str) -> Any:
    backend = xla_bridge.get_backend("cpu")
    devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
    return backend.compile_and_load(text, devices, quick_options())


def quick_options() -> Any:
    """Options with which XLA compiles for no longer than it must."""
    options = xla_client.CompileOptions()
    debug = options.executable_build_options.debug_options
    debug.xla_backend_optimization_level = 0
    debug.xla_llvm_disable_expensive_passes = True
    return options


def compiled(text: str, inputs: Sequence[Array] = ()) -> list[Array]:
    """What XLA computes for ``@main`` of ``text``."""
    with jax.enable_x64(True):
        results = _executable(text).execute_sharded([jax.device_put(value) for value in inputs])
        return [np.asarray(shards[0]) for shards in results.disassemble_into_single_device_arrays()]


def assert_like_compiled(text: str, inputs: Sequence[Array] = (), ulps: float = 4) -> None:
    """The interpreter and XLA agree on ``text``: floats within ``ulps`` units in the last place of the largest."""
    expected = compiled(text, inputs)
    actual = run(parse(text), inputs)
    assert len(actual) == len(expected)
    for number, (ours, theirs) in enumerate(zip(actual, expected, strict=True)):
        assert_close(ours, theirs, ulps, f"result {number} of\n{text}")


def assert_close(ours: Array, theirs: Array, ulps: float, what: str) -> None:
    """Same type and shape; same infinities and NaN; differences below ``ulps`` of each number and of 1."""
    assert ours.dtype == theirs.dtype, what
    assert ours.shape == theirs.shape, what
    if ours.dtype.kind == "c":
        # Two numbers of the parts' type each.
        part = np.float32 if ours.dtype == np.complex64 else np.float64
        assert_close(np.ascontiguousarray(ours.real, part), np.ascontiguousarray(theirs.real, part), ulps, what)
        assert_close(np.ascontiguousarray(ours.imag, part), np.ascontiguousarray(theirs.imag, part), ulps, what)
    elif is_float(ours.dtype):
        with np.errstate(invalid="ignore"):
            a, b = (wide(value).astype(np.float64) for value in (ours, theirs))
        digits = {64: 52, 32: 23}.get(bit_width(ours.dtype), {"float16": 10, "bfloat16": 7}.get(ours.dtype.name, 3))
        unit = 2.0**-digits
        np.testing.assert_allclose(a, b, rtol=ulps * unit, atol=ulps * unit, equal_nan=True, err_msg=what)
    else:
        np.testing.assert_array_equal(wide(ours), wide(theirs), err_msg=what)


def assert_program(text: str, *, seed: int = 0, ulps: float = 16, **ranges: tuple[float, float]) -> None:
    """The interpreter and XLA agree on ``text`` for random inputs: floats around 0, integers from 0 to 9, or from the
    range given for the argument's number as ``a0=(low, high)``."""
    inputs = random_inputs(text, seed, ranges)
    assert_like_compiled(text, inputs, ulps)
    assert_alike_on_devices(text, inputs, random_inputs(text, seed + 1000, ranges), ulps)


def assert_alike_on_devices(text: str, first: Sequence[Array], second: Sequence[Array], ulps: float = 16) -> None:
    """Devices that run together compute what each computes alone, whichever inputs they share."""
    module = parse(text)
    for shared in (lambda number: False, lambda number: number % 2 == 0, lambda number: number % 2 == 1):
        pairs = list(enumerate(zip(first, second, strict=True)))
        stacked = [a[None] if shared(number) else np.stack([a, b, a]) for number, (a, b) in pairs]
        other = [a if shared(number) else b for number, (a, b) in pairs]
        together = run_devices(module, stacked, partitions=3)
        for device, inputs in enumerate((first, other, first)):
            for ours, alone in zip(together, run(module, inputs), strict=True):
                assert_close(ours[device], alone, ulps, f"device {device} of\n{text}")


def random_inputs(text: str, seed: int = 0, ranges: Mapping[str, tuple[float, float]] | None = None) -> list[Array]:
    """Arrays for the arguments of ``@main``; ``ranges`` as in ``assert_program``."""
    rng = np.random.default_rng(seed)
    module = parse(text)
    (main,) = (op for op in module.op.body if op.symbol_name == "main")
    inputs = []
    for number, argument in enumerate(main.body.arguments):
        assert isinstance(argument.type, TensorType)
        dtype, shape = numpy_type(argument.type), argument.type.shape
        given = (ranges or {}).get(f"a{number}")
        if dtype.kind == "c":
            drawn = rng.normal(size=shape) + 1j * rng.normal(size=shape)
        elif is_float(dtype):
            drawn = rng.normal(size=shape) if given is None else rng.uniform(*given, size=shape)
        elif dtype.kind == "b":
            drawn = rng.integers(0, 2, shape)
        else:
            low, high = given or (0, 9)
            drawn = rng.integers(int(low), int(high), shape)
        inputs.append(np.asarray(drawn).astype(dtype))
    return inputs
