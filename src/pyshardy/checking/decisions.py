"""The decisions of a program by scalar comparisons: whether the norm of all gradients is beyond its bound, whether all
numbers are finite.

All inputs of one size usually give the same decision, so that the operations on its other side are not tested. Nor is a
mistake in the compared number found far from the bound: the norm of a part of the numbers is mostly on the same side as
the norm of all. ``trials`` uses this file to choose inputs for further runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.ir.opdef import CONSTANT_LIKE
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import FloatType, TensorType

_DECIDING = ("stablehlo.compare", "stablehlo.is_finite", "stablehlo.reduce")
_CLOSE = 1.1
"""Two amounts are close together if their ratio is at most this."""


class Decisions:
    """The scalar booleans of one run, ``seen`` by operation."""

    def __init__(self) -> None:
        self.seen: dict[Operation, set[bool]] = {}

    def watch(self, name: str, evaluate: Evaluator) -> Evaluator:
        """Wraps the evaluator of an operation so that its decisions are recorded."""
        if name not in _DECIDING:
            return evaluate

        def watched(frame: Frame, op: Operation, operands: list[Array]) -> Sequence[Array]:
            results = evaluate(frame, op, operands)
            if _is_scalar_boolean(op) and frame.lanes == 1:
                self.seen.setdefault(op, set()).add(bool(results[0].reshape(-1)[0]))
            return results

        return watched

    def differs_from(self, other: Decisions, op: Operation) -> bool:
        """Whether ``op`` had one outcome throughout this run, and the other one throughout the run ``other``."""
        here, there = self.seen.get(op, set()), other.seen.get(op, set())
        return len(here) == len(there) == 1 and here != there


def _is_scalar_boolean(op: Operation) -> bool:
    """Whether ``op`` computes a scalar boolean from floats (or reduces booleans to one)."""
    type = op.results[0].type
    if not isinstance(type, TensorType) or str(type.element) != "i1" or type.shape:
        return False
    if all(value.defining_op is not None and value.defining_op.traits & CONSTANT_LIKE for value in op.operands):
        return False
    given = op.operands[0].type
    return op.name == "stablehlo.reduce" or (isinstance(given, TensorType) and isinstance(given.element, FloatType))


def one_sided(runs: Iterable[Decisions]) -> list[Operation]:
    """The operations that had only one outcome in all ``runs``."""
    seen: dict[Operation, set[bool]] = {}
    for run in runs:
        for op, values in run.seen.items():
            seen.setdefault(op, set()).update(values)
    return [op for op, values in seen.items() if len(values) == 1]


def change_points(
    operations: Iterable[Operation], near: Decisions, far: float, decide: Callable[[float], Decisions], end: float
) -> Iterator[tuple[Operation, tuple[float, float]]]:
    """For each operation whose decision changes between the amount 1, where it is that of ``near``, and the amount
    ``far``: two amounts close together between which it changes, found by bisection while ``time.perf_counter()`` is
    below ``end``."""
    if time.perf_counter() >= end:
        return
    there = decide(far)
    for op in operations:
        if not there.differs_from(near, op):
            continue
        low, high = 1.0, far
        while max(low / high, high / low) > _CLOSE:
            if time.perf_counter() >= end:
                return
            middle = low**0.5 * high**0.5
            low, high = (low, middle) if decide(middle).differs_from(near, op) else (middle, high)
        yield op, (low, high)
