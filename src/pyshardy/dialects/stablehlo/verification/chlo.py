"""Rules of the dialect ``chlo``: types of operands and results, and the shapes that broadcasting gives.

``chlo.constant``, ``chlo.ragged_dot`` and ``chlo.scan`` have none here.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import element_of, most_specific, shapes_agree
from pyshardy.dialects.stablehlo.verification.rules import (
    Rule,
    Rules,
    compatible_elements,
    compatible_types,
    elementwise,
    inferred,
    integer,
    operand_types,
    same_elements,
    same_shape,
    typed,
)
from pyshardy.dialects.stablehlo.verification.type_constraints import TypeConstraint
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.attributes import DenseArrayAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, I1, I32, ComplexType, TensorType, Type, UnrankedTensorType

_FLOATS = kinds.any_rank(kinds.FLOAT)
_BITS = kinds.any_rank(kinds.BOOL, kinds.INTEGER)
_BOOLS = kinds.any_rank(kinds.BOOL)
_COMPLEX = kinds.any_rank(kinds.COMPLEX)
_ANY = kinds.ANY_TENSOR


def _all_ranked_or_none(op: Operation) -> None:
    if len({isinstance(value.type, UnrankedTensorType) for value in (*op.operands, *op.results)}) > 1:
        raise Wrong("all non-scalar operands/results must have the same shape and base type", named=True)


def _unary(constraint: TypeConstraint) -> tuple[Rule, ...]:
    return typed([constraint], [constraint]), compatible_types, _all_ranked_or_none


def _most_specific_operands(op: Operation) -> list[Type]:
    types = operand_types(op)
    return [most_specific([type for type in types if isinstance(type, TensorType)] or types)]


def _binary(constraint: TypeConstraint) -> tuple[Rule, ...]:
    return typed([constraint, constraint], [constraint]), compatible_types, inferred(_most_specific_operands)


# --- broadcasting -----------------------------------------------------------------------------------------------------


def _merged(one: Sequence[int], other: Sequence[int]) -> list[int] | None:
    """The shape that two shapes are broadcast to, aligned at their ends; None if they do not fit."""
    rank = max(len(one), len(other))
    pairs = zip(*((*[1] * (rank - len(shape)), *shape) for shape in (one, other)), strict=True)
    merged: list[int] = []
    for low, high in map(sorted, pairs):
        if low in (high, 1):
            merged.append(high)
        elif low == DYNAMIC:
            merged.append(high if high > 1 else DYNAMIC)
        elif high == 1:
            merged.append(low)
        else:
            return None
    return merged


def _placed(shape: Sequence[int], rank: int, dimensions: Sequence[int]) -> list[int] | None:
    """``shape`` with its dimensions at the places ``dimensions`` among ``rank``, and 1 elsewhere; None if these are no
    such places."""
    if len(dimensions) != len(shape) or not all(0 <= dim < rank for dim in dimensions):
        return None
    placed = [1] * rank
    for dim, size in zip(dimensions, shape, strict=True):
        placed[dim] = size
    return placed


def _broadcast(element: Type, one: Type, other: Type, dimensions: Sequence[int] | None = None) -> Type:
    """The type with this ``element`` that two types are broadcast to. It has no rank where one of them has none, or
    they do not fit. The dimensions of the one of lower rank become ``dimensions``; without these, the last ones."""
    shape: list[int] | None = None
    if isinstance(one, TensorType) and isinstance(other, TensorType):
        small, large = sorted((one.shape, other.shape), key=len)
        placed = small if dimensions is None else _placed(small, len(large), dimensions)
        shape = None if placed is None else _merged(placed, large)
    return UnrankedTensorType(element) if shape is None else TensorType(shape, element)


def _operands_broadcast(op: Operation, element: Type) -> list[Type]:
    dimensions = op.properties.entries.get("broadcast_dimensions")
    one, other = (value.type for value in op.operands)
    return [_broadcast(element, one, other, dimensions.values if isinstance(dimensions, DenseArrayAttr) else None)]


def _element(op: Operation) -> Type:
    return element_of(op.operands[0].type)


def _common_element(op: Operation) -> Type:
    """The element type of the last two operands."""
    one, other = (element_of(value.type) for value in op.operands[-2:])
    if one is not other:
        raise Wrong("mismatched operand types")
    return one


def _compared(op: Operation) -> list[Type]:
    _common_element(op)
    return _operands_broadcast(op, I1)


def _selected(op: Operation) -> list[Type]:
    predicate, on_true, on_false = (value.type for value in op.operands)
    element = _common_element(op)
    return [_broadcast(element, _broadcast(element, predicate, on_true), on_false)]


def _have_agreeing_shapes(expected: Sequence[Type], found: Sequence[Type]) -> bool:
    pairs = zip(expected, found, strict=True)
    return all(
        shapes_agree(one.shape, other.shape)
        for one, other in pairs
        if isinstance(one, TensorType) and isinstance(other, TensorType)
    )


_AS_FIRST = inferred(lambda op: _operands_broadcast(op, _element(op)))
_AS_BOTH = inferred(lambda op: _operands_broadcast(op, _common_element(op)))
_ARITHMETIC = (typed([_ANY, _ANY], [_ANY]), same_elements, _AS_FIRST)
_QUANTIZED_ARITHMETIC = (typed([_ANY, _ANY], [_ANY]), compatible_elements, _AS_FIRST)
_LOGIC = (typed([_BITS, _BITS], [_ANY]), _AS_BOTH)

# --- others -----------------------------------------------------------------------------------------------------------


def _value_has_element(op: Operation) -> None:
    if getattr(op.properties.entries.get("value"), "type", None) is not element_of(op.results[0].type):
        raise Wrong("value's type doesn't match element return type", named=True)


def _largest(op: Operation) -> list[Type]:
    operand, count = op.operands[0].type, integer(op, "k")
    if not isinstance(operand, TensorType):
        return [UnrankedTensorType(element_of(operand)), UnrankedTensorType(I32)]
    if not operand.rank:
        raise Wrong("operand's rank must be at least 1")
    if operand.shape[-1] != DYNAMIC and operand.shape[-1] < count:
        raise Wrong(f"operand's last dimension must be at least {count}")
    shape = (*operand.shape[:-1], count)
    return [TensorType(shape, operand.element), TensorType(shape, I32)]


def _each(names: str, rules: tuple[Rule, ...]) -> Rules:
    return {f"chlo.{name}": rules for name in names.split()}


RULES: Rules = {
    **_each(
        "acos acosh asin asinh atan atanh bessel_i1e conj cosh sinh square tan",
        _unary(kinds.any_rank(kinds.FLOAT, kinds.COMPLEX)),
    ),
    **_each("digamma erf erf_inv erfc lgamma", _unary(_FLOATS)),
    **_each("_asin_acos_kernel", _unary(_COMPLEX)),
    **_each("is_inf is_neg_inf is_pos_inf", (typed([_FLOATS], [_BOOLS]), elementwise, _all_ranked_or_none)),
    **_each("mulhi", _binary(kinds.INTEGERS)),
    **_each("next_after polygamma zeta", _binary(_FLOATS)),
    **_each("broadcast_add broadcast_maximum broadcast_minimum", _QUANTIZED_ARITHMETIC),
    **_each(
        "broadcast_atan2 broadcast_divide broadcast_multiply broadcast_next_after broadcast_polygamma broadcast_power "
        "broadcast_remainder broadcast_shift_left broadcast_shift_right_arithmetic broadcast_shift_right_logical "
        "broadcast_subtract",
        _ARITHMETIC,
    ),
    **_each("broadcast_zeta", (typed([_FLOATS, _FLOATS], [_FLOATS]), same_elements, _AS_FIRST)),
    **_each("broadcast_and broadcast_or broadcast_xor", _LOGIC),
    **_each(
        "broadcast_compare",
        (
            typed([_ANY, _ANY], [_BOOLS]),
            inferred(_compared),
        ),
    ),
    **_each(
        "broadcast_complex",
        (
            typed([_FLOATS, _FLOATS], [_COMPLEX]),
            inferred(lambda op: _operands_broadcast(op, ComplexType(_common_element(op)))),
        ),
    ),
    **_each(
        "broadcast_select",
        (typed([kinds.BOOLS, _ANY, _ANY], [_ANY]), inferred(_selected, agree=_have_agreeing_shapes)),
    ),
    **_each("constant_like", (typed([_ANY], [_ANY]), same_shape, _value_has_element)),
    **_each("top_k", (typed([_ANY], [_ANY, _ANY]), inferred(_largest))),
}
"""By the whole name of the operation."""
