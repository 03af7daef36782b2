"""Custom calls whose meaning is known: markers that change nothing, and helpers of XLA (LAPACK's are in ``lapack``).

``@evaluates_custom_call("target")`` adds one. A call of an unknown target is an error, since nobody can say what it
computes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyshardy.dialects.stablehlo.custom_call_targets import TargetKind, targets
from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.interpreter.foreign_evaluators import looked_at
from pyshardy.interpreter.frame import Evaluator, Frame, aligned
from pyshardy.interpreter.operations.properties import integers, string, uniform_integers
from pyshardy.interpreter.operations.sorting import largest, merge_sorted
from pyshardy.interpreter.registry import evaluates, evaluator
from pyshardy.ir.attributes import ArrayAttr, SymbolRefAttr
from pyshardy.ir.operation import Operation, Region, detached_operation
from pyshardy.ir.types import TensorType
from pyshardy.plugins import check_names, is_from_outside

_targets: dict[str, Evaluator] = {}


def evaluates_custom_call(*targets: str) -> Callable[[Evaluator], Evaluator]:
    """Registers a function as the evaluator of custom calls of ``targets``."""
    check_names("evaluates_custom_call", targets)

    def register(function: Evaluator) -> Evaluator:
        known = looked_at(function) if is_from_outside(function) else function
        for target in targets:
            _targets[target] = known
        return function

    return register


@evaluates("stablehlo.custom_call")
def custom_call(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    target = string(op, "call_target_name")
    function = _targets.get(target)
    if function is None:
        frame.fail(op, f"cannot be interpreted: it is not known what the target @{target} computes")
    shapes = integers(op, "indices_of_shape_operands")
    if shapes:
        op, operands = _with_known_shapes(op, operands, shapes)
    if not any(isinstance(value, tuple) for value in operands):
        # Few targets broadcast: a matrix may differ by device where the right-hand side does not.
        operands = aligned(operands)
    return list(function(frame, op, operands))


def _with_known_shapes(op: Operation, operands: list[Array], places: tuple[int, ...]) -> tuple[Operation, list[Array]]:
    """The call with results of static shapes, and its operands without those at ``places``, which say the shapes."""
    types = [
        result.type.with_shape(uniform_integers(operands[place]))
        if isinstance(result.type, TensorType)
        else result.type
        for result, place in zip(op.results, places, strict=True)
    ]
    known = detached_operation(op.name, op.definition, (), types, op.properties, op.attributes)
    known.location = op.location
    return known, [value for place, value in enumerate(operands) if place not in places]


MOVING_TARGETS = frozenset(
    (*targets(TargetKind.IDENTITY), "ApproxTopK", "TopK", "mhlo.topk", "shape_assertion")
    + ("stablehlo.dynamic_reduce_window", "stablehlo.dynamic_top_k")
)
"""Targets that move elements, whatever these are."""
ELEMENTWISE_TARGETS = frozenset(targets(TargetKind.FUNCTION))
"""Targets that are functions of the dialect ``chlo``."""


@evaluates_custom_call(*targets(TargetKind.IDENTITY))
def marker(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Says something to the compiler and changes no value."""
    for operand, result in zip(operands, op.results, strict=False):
        if operand.shape[1:] != getattr(result.type, "shape", None):
            frame.fail(op, "cannot be interpreted: it changes shapes by a sharding that only XLA's partitioner knows")
    return operands[: len(op.results)]


@evaluates_custom_call("shape_assertion")
def shape_assertion(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    if not operands[0].all():
        frame.fail(op, f"fails: {string(op, 'error_message')}")
    return []


@evaluates_custom_call("mhlo.topk", "TopK")
def top_k(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    count = getattr(op.results[0].type, "shape", (0,))[-1]
    return largest(operands[0], count)


@evaluates_custom_call("ApproxTopK")
def approx_top_k(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The first values in the order of the comparator, and their indices: an exact answer is a good approximation."""
    found, wanted = (getattr(value.type, "shape", ()) for value in (op.operands[0], op.results[0]))
    axis = next((1 + dimension for dimension, size in enumerate(found) if size != wanted[dimension]), len(found))
    comparator = called_body(frame, op)
    rows = [np.moveaxis(value, axis, -1) for value in aligned(operands[:2])]
    order = merge_sorted(frame, comparator, rows)[..., : wanted[axis - 1]]
    return [np.moveaxis(np.take_along_axis(value, order, axis=-1), -1, axis) for value in rows]


def called_body(frame: Frame, op: Operation) -> Region:
    """The body of the first function that a call names."""
    callees = op.get("called_computations")
    names = [one.root for one in callees if isinstance(one, SymbolRefAttr)] if isinstance(callees, ArrayAttr) else []
    return frame.machine.function(names[0] if names else "", op).regions[0]


@evaluates_custom_call("X64SplitLow", "X64SplitHigh")
def split_words(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """One half of the bits of 64-bit integers."""
    bits = np.ascontiguousarray(operands[0]).view(np.uint64)
    if string(op, "call_target_name") == "X64SplitHigh":
        bits = bits >> np.uint64(32)
    return [(bits & np.uint64(0xFFFFFFFF)).astype(np.uint32).view(numpy_type(op.results[0].type))]


@evaluates_custom_call("X64Combine")
def combine_words(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """64-bit integers of their low and their high half."""
    low, high = (np.ascontiguousarray(value).view(np.uint32).astype(np.uint64) for value in operands)
    return [(low | high << np.uint64(32)).view(numpy_type(op.results[0].type))]


def _function(name: str) -> Evaluator:
    def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        function = evaluator(f"chlo.{name}")
        assert function is not None
        return list(function(frame, op, operands))

    return evaluate


for _target in ELEMENTWISE_TARGETS:
    evaluates_custom_call(_target)(_function(_target.removeprefix("mhlo.")))
