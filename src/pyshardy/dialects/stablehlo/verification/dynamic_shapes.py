"""Rules of the operations that take shapes, paddings or start indices as operands, and the shapes that these give.

``reading.dynamic`` asks for shapes where operands have become known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import (
    elements_compatible,
    raw_text,
    shapes_agree,
)
from pyshardy.dialects.stablehlo.verification.constant_operands import constant_integers
from pyshardy.dialects.stablehlo.verification.rules import (
    Many,
    Rules,
    inferred,
    integer,
    integers,
    same_element_type,
    tensor,
    typed,
)
from pyshardy.dialects.stablehlo.verification.shapes import (
    check_broadcast_count,
    check_broadcast_dimensions,
    check_element_count,
    padded_size,
)
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import DYNAMIC, TensorType, Type


def _check_output_shape(op: Operation, shape: Value) -> None:
    """The result has the shape that ``shape`` says, if that is constant."""
    result, sizes = tensor(op.results[0]), constant_integers(shape)
    if sizes is not None and not shapes_agree(sizes, result.shape):
        raise Wrong(f"output shape [{raw_text(sizes)}] is incompatible with return type of operation '{result}'")


def _check_elements(op: Operation) -> None:
    operand, result = tensor(op.operands[0]), tensor(op.results[0])
    if not elements_compatible(operand.element, result.element):
        raise Wrong(f"expects operand and result to have compatible element type. Got: '{operand}' and '{result}'")


# --- broadcast, iota, reshape -----------------------------------------------------------------------------------------


def _check_dynamic_broadcast(op: Operation) -> None:
    _check_elements(op)
    check_broadcast_count(op)
    operand, result = tensor(op.operands[0]), tensor(op.results[0])
    if result.rank < operand.rank:
        raise Wrong(f"result rank ({result.rank}) is less than operand rank ({operand.rank})")
    check_broadcast_dimensions(op, dynamic=True)
    _check_hints(op, operand.rank)
    _check_output_shape(op, op.operands[1])


def _check_hints(op: Operation, rank: int) -> None:
    hints = [*integers(op, "known_expanding_dimensions"), *integers(op, "known_nonexpanding_dimensions")]
    if len(set(hints)) != len(hints):
        raise Wrong("duplicate expansion hint for at least one operand dimension")
    for dim in hints:
        if not 0 <= dim < rank:
            raise Wrong(f"hint for expanding dimension {dim} does not refer to a valid operand dimension")


def _check_dynamic_iota(op: Operation) -> None:
    if integer(op, "iota_dimension") >= tensor(op.results[0]).rank:
        raise Wrong("iota dimension cannot go beyond the output rank.")
    _check_output_shape(op, op.operands[0])


def _check_dynamic_reshape(op: Operation) -> None:
    _check_elements(op)
    check_element_count(op)
    count = tensor(op.operands[1]).shape[0]
    if count != DYNAMIC and count != tensor(op.results[0]).rank:
        raise Wrong("result should have a rank equal to the number of elements in output_shape")
    _check_output_shape(op, op.operands[1])


# --- pad --------------------------------------------------------------------------------------------------------------


def _paddings_of_one_type(op: Operation) -> None:
    _check_one_type("edge_padding_low, edge_padding_high, interior_padding", op.operands[2:])


def _check_one_type(words: str, values: Sequence[Value]) -> None:
    if len({value.type for value in values}) > 1:
        raise Wrong(f"failed to verify that all of {{{words}}} have same type", named=True)


def _same_rank(op: Operation) -> None:
    if tensor(op.operands[0]).rank != tensor(op.results[0]).rank:
        raise Wrong("failed to verify that all of {operand, result} have same rank", named=True)


def _check_dynamic_pad(op: Operation) -> None:
    operand, result = tensor(op.operands[0]), tensor(op.results[0])
    count = tensor(op.operands[2]).shape[0]
    if count != operand.rank:
        raise Wrong(f"padding operands size ({count}) must match operand rank ({operand.rank})")
    low, high, interior = map(constant_integers, op.operands[2:])
    if interior is not None and min(interior, default=0) < 0:
        raise Wrong(f"interior_padding must be non-negative, but got {raw_text(interior)}")
    if low is None or high is None or interior is None:
        return
    for index, (size, found) in enumerate(zip(operand.shape, result.shape, strict=True)):
        expected = padded_size(size, low[index], high[index], interior[index])
        if DYNAMIC not in (size, found) and found != expected:
            raise Wrong(f"expected output dimension at index {index} to equal {expected}, but got {found}")


# --- slices -----------------------------------------------------------------------------------------------------------


def _dynamic_slice(op: Operation) -> list[Type]:
    operand, starts = tensor(op.operands[0]), op.operands[1:]
    sizes = integers(op, "slice_sizes")
    if len(sizes) != len(starts):
        raise Wrong(f"has mismatched number of slice sizes ({len(sizes)}) and number of start indices ({len(starts)})")
    if len(starts) != operand.rank:
        raise Wrong(f"has mismatched number of start indices ({len(starts)}) and the rank of operand ({operand.rank})")
    _check_start_elements(starts)
    for index, size in enumerate(sizes):
        if size < 0:
            raise Wrong(f"has negative size index to dynamic slice: {size}")
        if operand.shape[index] != DYNAMIC and size > operand.shape[index]:
            raise Wrong(
                f"has slice size {size} greater than dimension size {operand.shape[index]} in dimension {index} of "
                "operand"
            )
    return [TensorType(sizes, operand.element)]


def _check_start_elements(starts: Sequence[Value]) -> None:
    if len({tensor(value).element for value in starts}) > 1:
        raise Wrong("start indices must have same element type")


def _updated(op: Operation) -> list[Type]:
    operand, update, *_ = (value.type for value in op.operands)
    assert isinstance(operand, TensorType)
    assert isinstance(update, TensorType)
    starts = op.operands[2:]
    if update.rank != operand.rank:
        raise Wrong(f"update rank does not match operand rank: {update.rank} vs {operand.rank}.")
    if len(starts) != operand.rank:
        raise Wrong(f"expects number of start_indices to match operand rank: {len(starts)} vs {operand.rank}.")
    _check_start_elements(starts)
    for index, (size, most) in enumerate(zip(update.shape, operand.shape, strict=True)):
        if DYNAMIC not in (size, most) and size > most:
            raise Wrong(f"expects size at dimension {index} of update to be in range [0, {most}]. Got: {size}.")
    return [operand]


def _ranges_of_one_type(op: Operation) -> None:
    _check_one_type("start_indices, limit_indices, strides", op.operands[1:])


def _check_real_dynamic_slice(op: Operation) -> None:
    rank, count = tensor(op.operands[0]).rank, tensor(op.operands[1]).shape[0]
    if count not in (DYNAMIC, rank):
        raise Wrong(f"has mismatched number of operand rank ({rank}) and start_indices size ({count})")


# --- shapes of results ------------------------------------------------------------------------------------------------

Numbers = Callable[[int], Sequence[int] | None]
"""Number of an operand → its integers, if they are known."""


def _operand(index: int) -> Callable[[Operation, Numbers], Sequence[int] | None]:
    return lambda op, numbers: numbers(index)


def _padded_shape(op: Operation, numbers: Numbers) -> Sequence[int] | None:
    low, high, interior = map(numbers, (2, 3, 4))
    shape = tensor(op.operands[0]).shape
    if low is None or high is None or interior is None or DYNAMIC in shape:
        return None
    return list(map(padded_size, shape, low, high, interior))


def _sliced_shape(op: Operation, numbers: Numbers) -> Sequence[int] | None:
    starts, limits, strides = map(numbers, (1, 2, 3))
    if starts is None or limits is None or strides is None:
        return None
    return [max(-(-(limit - start) // stride), 0) for start, limit, stride in zip(starts, limits, strides, strict=True)]


SHAPES: dict[str, Callable[[Operation, Numbers], Sequence[int] | None]] = {
    "dynamic_broadcast_in_dim": _operand(1),
    "dynamic_iota": _operand(0),
    "dynamic_pad": _padded_shape,
    "dynamic_reshape": _operand(1),
    "real_dynamic_slice": _sliced_shape,
}
"""Operation → the shape of its result; None if it does not follow."""

_SLICED_ELEMENTS = same_element_type("operand, result", lambda op: (op.operands[0], op.results[0]))

RULES: Rules = {
    "dynamic_broadcast_in_dim": (
        typed([kinds.TENSOR_OR_BY_AXIS, kinds.SHAPE_VECTOR], [kinds.TENSOR_OR_BY_AXIS]),
        _check_dynamic_broadcast,
    ),
    "dynamic_iota": (typed([kinds.SHAPE_VECTOR], [kinds.TENSOR]), _check_dynamic_iota),
    "dynamic_pad": (
        typed([kinds.TENSOR, kinds.SCALAR, *[kinds.SHAPE_VECTOR] * 3], [kinds.TENSOR]),
        same_element_type("operand, padding_value, result", lambda op: (*op.operands[:2], op.results[0])),
        _paddings_of_one_type,
        _same_rank,
        _check_dynamic_pad,
    ),
    "dynamic_reshape": (
        typed([kinds.TENSOR_OR_BY_AXIS, kinds.SHAPE_VECTOR], [kinds.TENSOR_OR_BY_AXIS]),
        _check_dynamic_reshape,
    ),
    "dynamic_slice": (
        typed([kinds.TENSOR, Many(kinds.START_INDEX)], [kinds.TENSOR]),
        _SLICED_ELEMENTS,
        inferred(_dynamic_slice),
    ),
    "dynamic_update_slice": (
        typed([kinds.TENSOR, kinds.TENSOR, Many(kinds.START_INDEX)], [kinds.TENSOR]),
        same_element_type("operand, update, result", lambda op: (*op.operands[:2], op.results[0])),
        inferred(_updated),
    ),
    "real_dynamic_slice": (
        typed([kinds.TENSOR, *[kinds.INDEX_VECTOR] * 3], [kinds.TENSOR]),
        _SLICED_ELEMENTS,
        _ranges_of_one_type,
        _check_real_dynamic_slice,
    ),
}
