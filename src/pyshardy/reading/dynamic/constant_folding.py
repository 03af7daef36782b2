"""Evaluates operations that depend on sizes only: integers and booleans of few elements.

The interpreter evaluates them; ``refinement`` replaces their results by constants.
"""

from __future__ import annotations

import numpy as np

from pyshardy.interpreter.element_types import Array, constant_array
from pyshardy.interpreter.evaluation import Evaluation
from pyshardy.interpreter.frame import Frame, Machine
from pyshardy.interpreter.grid import Grid
from pyshardy.interpreter.registry import evaluator
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import IntegerType, TensorType, Type
from pyshardy.module import Module

_MOST_ELEMENTS = 1024
_OF_VALUES_ALONE = frozenset(
    {
        "stablehlo.broadcast_in_dim",
        "stablehlo.concatenate",
        "stablehlo.dynamic_slice",
        "stablehlo.pad",
        "stablehlo.reshape",
        "stablehlo.reverse",
        "stablehlo.slice",
        "stablehlo.transpose",
    }
)
"""Operations, besides elementwise ones, whose results depend only on their operands, and not on the device."""


class ConstantFolding:
    """Evaluates single operations of ``module``."""

    def __init__(self, module: Module) -> None:
        self._machine = Machine(module.op, module.context, Grid(), module.resources, Evaluation())
        self._resources = module.resources

    def constant(self, op: Operation) -> Array | None:
        """The elements of a constant, if they may be part of a size."""
        value = op.properties.get("value")
        if op.name != "stablehlo.constant" or not isinstance(value, DenseElementsAttr):
            return None
        if not is_small(op.results[0].type):
            return None
        return constant_array(value, self._resources)

    def results(self, op: Operation, operands: list[Array]) -> list[Array] | None:
        """The results of ``op`` for ``operands``; None if they cannot be sizes, or cannot be evaluated."""
        function = evaluator(op.name) if op.traits & ELEMENTWISE or op.name in _OF_VALUES_ALONE else None
        if function is None or not all(is_small(one.type) for one in op.results):
            return None
        frame = Frame(self._machine, 1, np.arange(1), whole=True)
        with np.errstate(all="ignore"):
            found = function(frame, op, [np.asarray(value)[None] for value in operands])
        return [value[0] for value in found]


def is_small(type: Type) -> bool:
    """Whether a value of ``type`` may be a size, a shape or a comparison of such."""
    if not isinstance(type, TensorType) or not isinstance(type.element, IntegerType) or not type.has_static_shape:
        return False
    return type.num_elements <= _MOST_ELEMENTS


def elements_of(type: TensorType, value: Array) -> DenseElementsAttr:
    """``value`` as the elements of a constant of ``type``."""
    return DenseElementsAttr.of(type, integers_of(value))


def integers_of(value: Array) -> list[int]:
    """The elements of ``value``, an array of integers, in row-major order."""
    return [int(one) for one in np.asarray(value).ravel()]
