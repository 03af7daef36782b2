"""Proves a plan right on numbers: the given program and the local one compute the same from random inputs.

The global program runs on one device, the local one on as many as the mesh has, in the interpreter. Each device gets
its shards, padding gets a value that would show, and every shard of every result is compared with its part of the
global one. ``plan.check()`` and ``pyshardy check`` come here.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pyshardy.checking.inputs import random_inputs
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.run import run, run_devices
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import ComplexType, FloatType, TensorType, Type
from pyshardy.partitioning.devices import index_of_place
from pyshardy.partitioning.layout import Layout, replicated
from pyshardy.partitioning.plan import Boundary, Plan

_TOLERANCES = {"f64": 1e-10, "f32": 3e-4, "tf32": 2e-3, "f16": 1e-2, "bf16": 6e-2}
_TOLERANCE_OF_SMALLER_FLOATS = 0.5
_PADDING = 113
_EXCUSED = 100
_LARGEST_EXCUSE = 1e-3


class TooLarge(ValueError):
    """The program's tensors do not fit into the memory that a check may take; the message says what to do."""


@dataclass(frozen=True)
class ResultCheck:
    """One result: the largest error of any element on any device, relative to the largest element, and how much of it
    the element types of the program explain."""

    index: int
    type: str
    error: float
    tolerance: float

    @property
    def agrees(self) -> bool:
        """Whether the error is within the tolerance."""
        return self.error <= self.tolerance


@dataclass(frozen=True)
class CheckReport:
    """What a check found."""

    results: tuple[ResultCheck, ...]
    devices: int
    seed: int
    seconds: float

    @property
    def agrees(self) -> bool:
        """Whether every result agrees."""
        return all(one.agrees for one in self.results)


def check_plan(plan: Plan, seed: int = 0, *, most_bytes: int = 8 << 30) -> CheckReport:
    """Runs both programs and compares their results.

    Raises:
        PyshardyError: the interpreter cannot run one of them.
        TooLarge: the tensors of all devices together take more than ``most_bytes``.
    """
    begun = time.perf_counter()
    needed = plan.memory.peak * plan.devices
    if needed > most_bytes:
        raise TooLarge(
            f"running the program on {plan.devices} devices takes about {needed / 2**30:.1f} GiB, more than the "
            f"{most_bytes / 2**30:.1f} GiB that a check may use; check a copy of the program with smaller shapes "
            "(lower the JAX function with smaller arguments: the partitioning does not depend on sizes that divide)"
        )
    function = next(op for op in plan.source.op.body if op.symbol_name == plan.entry)
    inputs = random_inputs(plan.source.op, function, seed)
    whole = run(plan.source, inputs, plan.entry, must_end=True)
    shards = [shards_of(value, boundary, plan.devices) for value, boundary in zip(inputs, plan.arguments, strict=True)]
    parts = run_devices(plan.local, shards, partitions=plan.devices, function=plan.entry, must_end=True)
    tolerance = _tolerance(plan.source.op)
    results = _compared(plan, whole, parts, tolerance)
    if not all(one.agrees for one in results):
        results = _excused(plan, inputs, whole, results)
    return CheckReport(tuple(results), plan.devices, seed, time.perf_counter() - begun)


def _compared(plan: Plan, whole: list[Array], parts: list[Array], tolerance: float) -> list[ResultCheck]:
    return [
        ResultCheck(index, str(type), _error(expected, found, boundary), _tolerance_of(type, tolerance))
        for index, (type, expected, found, boundary) in enumerate(
            zip([one.type for one in plan.results], whole, parts, plan.results, strict=True)
        )
    ]


def _excused(plan: Plan, inputs: list[Array], whole: list[Array], results: list[ResultCheck]) -> list[ResultCheck]:
    """A program that blows up rounding errors does so on one device, too: where inputs that differ in the last digit
    change a result by as much, that is its tolerance."""
    nudged = run(plan.source, [_nudged(value) for value in inputs], plan.entry, must_end=True)
    excused = []
    for one, first, second in zip(results, whole, nudged, strict=True):
        boundary = replace(plan.results[one.index], layout=replicated(first.ndim), local_shape=first.shape)
        own = min(_error(first, second[None], boundary), _LARGEST_EXCUSE)
        excused.append(replace(one, tolerance=max(one.tolerance, _EXCUSED * own)))
    return excused


def _nudged(value: Array) -> Array:
    if value.dtype.kind in "iub" or not value.size:
        return value
    wide = _wide(value)
    digits = {2: 1e-3, 4: 1e-7, 8: 1e-15}.get(value.dtype.itemsize // (2 if wide.dtype.kind == "c" else 1), 1e-1)
    signs = np.where(np.arange(value.size).reshape(value.shape) % 2, digits, -digits)
    return np.asarray(wide * (1 + signs)).astype(value.dtype)


# --- shards -----------------------------------------------------------------------------------------------------------


def _pieces(
    layout: Layout, shape: tuple[int, ...], local: tuple[int, ...], devices: int
) -> Iterator[tuple[slice, ...]]:
    """The part of a tensor that each device has, by device id."""
    mesh = layout.mesh
    ids = mesh.device_ids if mesh is not None else ()
    places = [0] * devices
    for place in range(devices):
        places[ids[place] if ids else place] = place
    for place in places:
        piece = []
        for axes, size, part in zip(layout.dims, shape, local, strict=True):
            index = index_of_place(place, mesh, axes) if mesh is not None else 0
            piece.append(slice(min(size, index * part), min(size, (index + 1) * part)))
        yield tuple(piece)


def shards_of(value: Array, boundary: Boundary, devices: int) -> Array:
    """The shards of ``value`` that the devices get, stacked; a single one if all get the same. Of a sum over devices
    the first has the value, the others nothing."""
    layout = boundary.layout
    if layout.mesh is None:
        return value[None]
    shards = np.full((devices, *boundary.local_shape), _padding_of(value.dtype), value.dtype)
    for device, piece in enumerate(_pieces(layout, value.shape, boundary.local_shape, devices)):
        part = value[piece]
        shards[device, ...][tuple(slice(size) for size in part.shape)] = part
    if layout.unreduced:
        ids = layout.mesh.device_ids or range(devices)
        for place in range(devices):
            if index_of_place(place, layout.mesh, layout.unreduced):
                shards[ids[place]] = 0
    return shards


def _padding_of(dtype: np.dtype[Any]) -> Any:
    if dtype == np.bool_:
        return True
    return np.asarray(_PADDING).astype(dtype)


# --- comparison -------------------------------------------------------------------------------------------------------


def _error(expected: Array, found: Array, boundary: Boundary) -> float:
    """The largest error of any shard, relative to the largest element of the result."""
    layout = boundary.layout
    if expected.dtype == np.bool_ or not expected.size:
        expected, found = expected.astype(np.int8), found.astype(np.int8)
    exact = np.issubdtype(expected.dtype, np.integer)
    wide = _wide(expected)
    finite = np.abs(wide[np.isfinite(wide)])
    scale = float(finite.max()) if finite.size else 0.0
    worst = 0.0
    if layout.unreduced and layout.mesh is not None:
        found = _combined(found, layout)
    for device, piece in enumerate(_pieces(layout, expected.shape, boundary.local_shape, len(found))):
        part = wide[piece]
        mine = _wide(found[device, ...][tuple(slice(size) for size in part.shape)])
        worst = max(worst, _largest_difference(part, mine, 1.0 if exact else scale))
    return worst


def _wide(array: Array) -> Array:
    if np.issubdtype(array.dtype, np.complexfloating):
        return array.astype(np.complex128)
    if array.dtype in (np.int64, np.uint64):
        return array
    with np.errstate(all="ignore"):
        return array.astype(np.float64)


def _largest_difference(expected: Array, found: Array, scale: float) -> float:
    if not expected.size:
        return 0.0
    with np.errstate(all="ignore"):
        if expected.dtype.kind in "iu":
            return float((expected != found).any())
        same = (expected == found) | (np.isnan(expected) & np.isnan(found))
        if expected.dtype.kind == "c":
            # Which part of a product overflows first depends on the order.
            same |= ~np.isfinite(expected) & ~np.isfinite(found)
        difference = np.abs(expected - found)
    difference = np.where(same, 0.0, difference)
    largest = float(difference.max())
    if np.isnan(difference).any() or np.isinf(largest):
        return float("inf")
    return largest / scale if scale else largest


_COMBINE: dict[str, Any] = {"sum": np.sum, "max": np.max, "min": np.min, "product": np.prod}


def _combined(found: Array, layout: Layout) -> Array:
    """Each device's value with those of the devices along the unreduced axes combined."""
    mesh = layout.mesh
    assert mesh is not None
    from pyshardy.partitioning.devices import replica_groups

    combined = np.array(found)
    for group in replica_groups(mesh, layout.unreduced):
        combined[group] = _COMBINE[layout.reduction](found[group], axis=0)
    return combined


def _tolerance(module: Operation) -> float:
    """What the least exact float type of the program allows."""
    tolerance = 0.0
    for op in module.walk():
        for result in op.results:
            tolerance = max(tolerance, _tolerance_of(result.type, 0.0))
    return tolerance


def _tolerance_of(type: Type, least: float) -> float:
    if not isinstance(type, TensorType):
        return 0.0
    element = type.element.element if isinstance(type.element, ComplexType) else type.element
    if not isinstance(element, FloatType):
        return 0.0
    return max(least, _TOLERANCES.get(element.name, _TOLERANCE_OF_SMALLER_FLOATS))
