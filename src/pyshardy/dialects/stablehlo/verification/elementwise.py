"""Rules of the operations that treat every element alike, and have other types or rules than their fellows.

The others have theirs in their rows (``stablehlo.elementwise``).
"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import (
    element_of,
    elements_compatible,
    most_specific,
    raw_text,
    shapes_agree,
)
from pyshardy.dialects.stablehlo.verification.rules import (
    Rules,
    compatible_elements,
    compatible_operand_elements,
    compatible_types,
    elementwise,
    inferred,
    inferred_as_operands,
    same_operand_elements,
    same_shape,
    tensor,
    typed,
)
from pyshardy.dialects.stablehlo.verification.type_constraints import add_up
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import I1, ComplexType, TensorType, Type


def _real_part(op: Operation) -> list[Type]:
    operand = tensor(op.operands[0])
    element = operand.element.element if isinstance(operand.element, ComplexType) else operand.element
    return [TensorType(operand.shape, element, operand.encoding)]


def _booleans(op: Operation) -> list[Type]:
    first = tensor(op.operands[0])
    return [TensorType(first.shape, I1, first.encoding)]


def _complex(op: Operation) -> list[Type]:
    first = tensor(op.operands[0])
    return [TensorType(first.shape, ComplexType(first.element), first.encoding)]


def _clamped(op: Operation) -> list[Type]:
    least, operand, most = map(tensor, op.operands)
    for name, bound in (("min", least), ("max", most)):
        if bound.rank and not shapes_agree(bound.shape, operand.shape):
            raise Wrong(
                f"{name} shape [{raw_text(bound.shape)}] is not scalar and is not compatible to operand shape "
                f"[{raw_text(operand.shape)}]"
            )
    return [TensorType(operand.shape, operand.element)]


def _selected(op: Operation) -> list[Type]:
    predicate, on_true, on_false = map(tensor, op.operands)
    if not shapes_agree(on_true.shape, on_false.shape) or not elements_compatible(on_true.element, on_false.element):
        raise Wrong("requires compatible types for non-predicate operands")
    if predicate.rank and not shapes_agree(predicate.shape, on_true.shape):
        raise Wrong("requires the same shape for all operands")
    return [most_specific([on_true, on_false])]


def _one_element_type(op: Operation) -> None:
    types = [element_of(value.type) for value in (*op.operands, *op.results)]
    if len(set(types)) > 1 and not add_up(types):
        raise Wrong("op requires the same element type for all operands and results")


_NUMBER_OR_BOOL = kinds.ranked(kinds.FLOAT, kinds.BOOL, kinds.INTEGER, kinds.COMPLEX)
_PLAIN_FLOATS = kinds.ranked(kinds.FLOAT)
_WIDE_FLOATS = kinds.ranked(kinds.WIDE_FLOAT)
_REAL = kinds.ranked(kinds.SIGNLESS, kinds.FLOAT, kinds.QUANTIZED)
_QUANTIZED = kinds.ranked(kinds.QUANTIZED, kinds.QUANTIZED_BY_AXIS)

RULES: Rules = {
    "abs": (typed([kinds.SIGNED_NUMBERS], [_REAL]), elementwise, inferred(_real_part)),
    "add": (
        typed([kinds.TENSOR_OR_BY_AXIS, kinds.TENSOR_OR_BY_AXIS], [kinds.TENSOR_OR_BY_AXIS]),
        same_shape,
        _one_element_type,
        inferred(inferred_as_operands),
    ),
    "clamp": (
        typed([kinds.TENSOR] * 3, [kinds.TENSOR]),
        compatible_elements,
        inferred(_clamped),
    ),
    "compare": (
        typed([kinds.TENSOR, kinds.TENSOR], [kinds.BOOLS]),
        elementwise,
        compatible_operand_elements,
        inferred(_booleans),
    ),
    "complex": (
        typed([_WIDE_FLOATS, _WIDE_FLOATS], [kinds.ranked(kinds.COMPLEX)]),
        same_operand_elements,
        same_shape,
        inferred(_complex),
    ),
    "convert": (typed([_NUMBER_OR_BOOL], [_NUMBER_OR_BOOL]), same_shape),
    "imag": (typed([kinds.PLAIN_FLOATS_OR_COMPLEX], [_PLAIN_FLOATS]), elementwise, inferred(_real_part)),
    "is_finite": (typed([kinds.FLOATS], [kinds.BOOLS]), elementwise, inferred(_booleans)),
    "real": (typed([kinds.PLAIN_FLOATS_OR_COMPLEX], [_PLAIN_FLOATS]), elementwise, inferred(_real_part)),
    "reduce_precision": (typed([kinds.FLOATS], [kinds.FLOATS]), elementwise, compatible_types),
    "select": (
        typed([kinds.BOOLS, kinds.TENSOR, kinds.TENSOR], [kinds.TENSOR]),
        inferred(_selected),
    ),
    "uniform_dequantize": (typed([_QUANTIZED], [_PLAIN_FLOATS]), same_shape),
    "uniform_quantize": (typed([kinds.ranked(kinds.FLOAT, kinds.QUANTIZED)], [_QUANTIZED]), same_shape),
}
