"""The decisions that a program takes by single numbers: is the norm of all gradients beyond its bound, is all finite?

Inputs of one size take them all alike, and what stands on the other side of one is not tried. Nor is what is wrong just
beside it: a norm of a part of the numbers is beyond a bound mostly when the whole one is. ``trials`` looks here which
inputs are worth a run.
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
"""Two amounts are close together if one is at most so many times the other."""


class Decisions:
    """What the scalar truth values of one run were: ``seen`` by operation."""

    def __init__(self) -> None:
        self.seen: dict[Operation, set[bool]] = {}

    def watch(self, name: str, evaluate: Evaluator) -> Evaluator:
        """The evaluator of an operation, which notes what it decides."""
        if name not in _DECIDING:
            return evaluate

        def watched(frame: Frame, op: Operation, operands: list[Array]) -> Sequence[Array]:
            results = evaluate(frame, op, operands)
            if _is_single_truth(op) and frame.lanes == 1:
                self.seen.setdefault(op, set()).add(bool(results[0].reshape(-1)[0]))
            return results

        return watched

    def turned_from(self, other: Decisions, op: Operation) -> bool:
        """Whether ``op`` always decided one way here, and the other way there."""
        here, there = self.seen.get(op, set()), other.seen.get(op, set())
        return len(here) == len(there) == 1 and here != there


def _is_single_truth(op: Operation) -> bool:
    """Whether ``op`` makes one truth value of floats (a reduction of truth values counts as such)."""
    type = op.results[0].type
    if not isinstance(type, TensorType) or str(type.element) != "i1" or type.shape:
        return False
    if all(value.defining_op is not None and value.defining_op.traits & CONSTANT_LIKE for value in op.operands):
        return False
    given = op.operands[0].type
    return op.name == "stablehlo.reduce" or (isinstance(given, TensorType) and isinstance(given.element, FloatType))


def one_sided(runs: Iterable[Decisions]) -> list[Operation]:
    """The operations that decided one way only in all ``runs``."""
    seen: dict[Operation, set[bool]] = {}
    for run in runs:
        for op, values in run.seen.items():
            seen.setdefault(op, set()).update(values)
    return [op for op, values in seen.items() if len(values) == 1]


def turning_points(
    operations: Iterable[Operation], near: Decisions, far: float, decide: Callable[[float], Decisions], end: float
) -> Iterator[tuple[Operation, tuple[float, float]]]:
    """For each operation that turns between the amount 1, where it decided as in ``near``, and the amount ``far`` two
    amounts close together between which it does, while ``time.perf_counter()`` is below ``end``."""
    if time.perf_counter() >= end:
        return
    there = decide(far)
    for op in operations:
        if not there.turned_from(near, op):
            continue
        low, high = 1.0, far
        while max(low / high, high / low) > _CLOSE:
            if time.perf_counter() >= end:
                return
            middle = low**0.5 * high**0.5
            low, high = (low, middle) if decide(middle).turned_from(near, op) else (middle, high)
        yield op, (low, high)
