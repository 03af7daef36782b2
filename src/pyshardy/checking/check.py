"""Proves a plan right on numbers: the given program and the local one compute the same from random inputs.

The global program runs on one device, the local one on as many as the mesh has, in the interpreter. Each device gets
its shards, padding gets a value that would show, and every shard of every result is compared with its part of the
global one. ``plan.check()`` and ``pyshardy check`` come here.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from pyshardy.checking.errors import shard_errors
from pyshardy.checking.inputs import random_inputs
from pyshardy.checking.rounding import Rounding, rounding_of
from pyshardy.checking.shards import shards_of
from pyshardy.interpreter.run import run, run_devices
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import ComplexType, FloatType, TensorType, Type
from pyshardy.partitioning.plan import Plan

_TOLERANCES = {"f64": 1e-10, "f32": 3e-4, "tf32": 2e-3, "f16": 1e-2, "bf16": 6e-2}
_TOLERANCE_OF_SMALLER_FLOATS = 0.5
_EXCUSED = 100
_LARGEST_EXCUSE = 1e-3


class TooLarge(ValueError):
    """The program's tensors do not fit into the memory that a check may take; the message says what to do."""


@dataclass(frozen=True)
class ResultCheck:
    """One result: the largest error of any element on any device, relative to the largest element, and how much of it
    the element types of the program explain. ``is_rounding`` says of an error beyond the tolerance that inputs which
    differ in the last digit change as many elements by as much."""

    index: int
    type: str
    error: float
    tolerance: float
    is_rounding: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the error is within the tolerance, or rounding errors alone change the result as much."""
        return self.error <= self.tolerance or self.is_rounding


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
    least = _tolerance(plan.source.op)
    tolerances = [_tolerance_of(one.type, least) for one in plan.results]
    found = [shard_errors(*one) for one in zip(whole, parts, plan.results, strict=True)]
    results = [
        ResultCheck(index, str(one.type), float(errors.max(initial=0.0)), tolerance)
        for index, (one, errors, tolerance) in enumerate(zip(plan.results, found, tolerances, strict=True))
    ]
    if not all(one.agrees for one in results):
        beyond = [int((errors > one.tolerance).sum()) for one, errors in zip(results, found, strict=True)]
        results = _excused(results, beyond, rounding_of(plan, inputs, whole, tolerances))
    return CheckReport(tuple(results), plan.devices, seed, time.perf_counter() - begun)


def _excused(results: list[ResultCheck], beyond: list[int], roundings: list[Rounding]) -> list[ResultCheck]:
    """The same, with rounding as an excuse: where inputs that differ in the last digit change a result by so much."""
    excused = []
    for one, count, rounding in zip(results, beyond, roundings, strict=True):
        tolerance = max(one.tolerance, _EXCUSED * min(rounding.error, _LARGEST_EXCUSE))
        is_rounding = one.error > tolerance and rounding.explains(one.error, count)
        excused.append(replace(one, tolerance=tolerance, is_rounding=is_rounding))
    return excused


# --- tolerances ------------------------------------------------------------------------------------------------------


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
