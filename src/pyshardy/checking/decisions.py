"""The decisions that a program takes by single numbers: is the norm of all gradients beyond its bound, is all finite?

Inputs of one size take them all alike, and what stands on the other side of one is not tried. ``check`` looks here
whether inputs of another size are worth a run.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.registry import Evaluator
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import FloatType, TensorType

_DECIDING = ("stablehlo.compare", "stablehlo.is_finite", "stablehlo.reduce")


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


def _is_single_truth(op: Operation) -> bool:
    """Whether ``op`` makes one truth value of floats (a reduction of truth values counts as such)."""
    type = op.results[0].type
    if not isinstance(type, TensorType) or str(type.element) != "i1" or type.shape:
        return False
    given = op.operands[0].type
    return op.name == "stablehlo.reduce" or (isinstance(given, TensorType) and isinstance(given.element, FloatType))
