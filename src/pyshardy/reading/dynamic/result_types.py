"""Infers the types of the results of an operation from those of its operands.

The verifier of StableHLO infers them for most operations, also if sizes are operands; this file adds custom calls, and
operations that do not change shapes. ``refinement`` uses it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.sdy.names import HANDED_ON
from pyshardy.dialects.stablehlo.custom_call_targets import TARGETS, TargetKind
from pyshardy.dialects.stablehlo.verification import inferred_types
from pyshardy.dialects.stablehlo.verification.dynamic_shapes import SHAPES, Numbers
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.operations.properties import integers, string
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, TensorType, Type
from pyshardy.reading.dynamic.constant_folding import integers_of

Known = Sequence[Array | None]
"""The value of each operand that is known, else None."""


def is_open(type: Type) -> bool:
    """Whether ``type`` has a size that is not known."""
    return isinstance(type, TensorType) and DYNAMIC in type.shape


def result_types(op: Operation, known: Known) -> list[Type]:
    """The types of the results of ``op``, as far as they follow from its operands; other sizes stay dynamic.

    Raises:
        Wrong: the operands do not fit together.
    """
    types = [result.type for result in op.results]
    if not any(map(is_open, types)):
        return types
    shape_of = _SHAPES.get(op.name)
    if shape_of is not None:
        shape = shape_of(op, lambda index: _numbers(known[index]))
        return types if shape is None else [_with_shape(type, shape) for type in types]
    if op.name == "stablehlo.custom_call":
        return _custom_call(op, known)
    found = inferred_types(op) if op.name.startswith("stablehlo.") else None
    if found is None:
        found = _as_operands(op)
    return [meet(old, new) for old, new in zip(types, found, strict=True)]


def meet(old: Type, new: Type) -> Type:
    """``old`` with the sizes of ``new`` where it has none."""
    if not (isinstance(old, TensorType) and isinstance(new, TensorType) and old.rank == new.rank):
        return old
    return _with_shape(old, [b if a == DYNAMIC else a for a, b in zip(old.shape, new.shape, strict=True)])


def _with_shape(type: Type, shape: Sequence[int]) -> Type:
    assert isinstance(type, TensorType)
    return TensorType(tuple(shape), type.element)


def _as_operands(op: Operation) -> list[Type]:
    """The types of an operation that keeps shapes: elementwise ones and those that only pass values on."""
    types = [result.type for result in op.results]
    if op.name in _PASSING and len(op.operands) == len(types):
        return [value.type for value in op.operands]
    if not (op.traits & ELEMENTWISE or op.name.startswith("chlo.") or op.name in _PASSING):
        return types
    fitting = [value.type for value in op.operands if isinstance(value.type, TensorType)]
    for index, type in enumerate(types):
        for one in fitting:
            if isinstance(type, TensorType) and one.rank == type.rank:
                type = types[index] = meet(type, one)
    return types


_PASSING = HANDED_ON | {"tensor.cast"}


# --- sizes that are operands ------------------------------------------------------------------------------------------


def _numbers(value: Array | None) -> list[int] | None:
    return None if value is None else integers_of(value)


def _top_k(op: Operation, _: Numbers) -> Sequence[int] | None:
    k, first = op.properties.get("k"), op.operands[0].type
    assert isinstance(first, TensorType)
    return (*first.shape[:-1], k.value) if isinstance(k, IntegerAttr) else None


def _bitcast(op: Operation, _: Numbers) -> Sequence[int] | None:
    """If elements get another width, there is one dimension more at the end, or one less."""
    before, after = op.operands[0].type, op.results[0].type
    assert isinstance(before, TensorType) and isinstance(after, TensorType)
    found = [*before.shape, *after.shape[before.rank :]][: after.rank]
    return [new if old == DYNAMIC else old for old, new in zip(after.shape, found, strict=True)]


_SHAPES = {
    "chlo.top_k": _top_k,
    "stablehlo.bitcast_convert": _bitcast,
    **{f"stablehlo.{name}": shape for name, shape in SHAPES.items()},
}
"""Operation → the shape that all its results have; None if it does not follow."""


def _custom_call(op: Operation, known: Known) -> list[Type]:
    types = [result.type for result in op.results]
    shapes = integers(op, "indices_of_shape_operands")
    if shapes:
        for index, operand in enumerate(shapes[: len(types)]):
            numbers = _numbers(known[operand])
            if numbers is not None:
                types[index] = _with_shape(types[index], numbers)
        return types
    if TARGETS.get(string(op, "call_target_name") or "", TargetKind(0)) & (
        TargetKind.PLACEMENT | TargetKind.ELEMENTWISE
    ):
        first = op.operands[0].type
        return [meet(type, first) for type in types]
    return types
