"""Rules of the operations that rearrange elements by attributes alone: slices, pads, transposes, …"""

from __future__ import annotations

from math import prod

from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import (
    bounded,
    bounds_of,
    dims_agree,
    meet,
    raw_text,
)
from pyshardy.dialects.stablehlo.verification.constant_operands import constant_integers
from pyshardy.dialects.stablehlo.verification.rules import (
    Many,
    Rules,
    compatible_elements,
    inferred,
    integer,
    integers,
    same_elements,
    same_size,
    tensor,
    typed,
)
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, I32, ComplexType, TensorType, Type, element_width

# --- bitcast_convert --------------------------------------------------------------------------------------------------


def _check_bitcast(op: Operation) -> None:
    operand, result = tensor(op.operands[0]), tensor(op.results[0])
    if isinstance(operand.element, ComplexType) != isinstance(result.element, ComplexType):
        raise Wrong(f"cannot convert between real and complex types, but got: '{operand}' and '{result}'")
    smaller, larger = operand, result
    if element_width(smaller.element) > element_width(larger.element):
        smaller, larger = larger, smaller
    width, whole = element_width(smaller.element), element_width(larger.element)
    if width != whole and smaller.rank != larger.rank + 1:
        raise Wrong(
            f"rank of smaller element type ({smaller.rank}) should be 1 more than rank of larger element type "
            f"({larger.rank}), but {smaller.rank} != {larger.rank} + 1."
        )
    if width != whole and smaller.shape[-1] != DYNAMIC and width * smaller.shape[-1] != whole:
        raise Wrong(
            f"requires compatible bit widths. Got: '{operand}' and '{result}', but {width} * {smaller.shape[-1]} "
            f"!= {whole}."
        )
    leading = smaller.shape if width == whole else smaller.shape[:-1]
    if not all(map(dims_agree, leading, larger.shape)):
        raise Wrong(
            "operand and result shapes must match except for the innermost dimension of the shape with the smaller "
            f"element type. Got: '{operand}' and '{result}'."
        )


# --- broadcasts -------------------------------------------------------------------------------------------------------


def _broadcast(op: Operation) -> list[Type]:
    operand, sizes = tensor(op.operands[0]), integers(op, "broadcast_sizes")
    for size in sizes:
        if size < 0:
            raise Wrong(f"Broadcast with negative dimension size {size}")
    return [TensorType((*sizes, *operand.shape), operand.element)]


def check_broadcast_dimensions(op: Operation, *, dynamic: bool) -> None:
    """Each operand dimension has a result dimension of its own, of its size unless it is 1; ``dynamic`` allows that to
    be unknown."""
    words = "not compatible with" if dynamic else "not equal to 1 or"
    operand, result, dims = tensor(op.operands[0]), tensor(op.results[0]), integers(op, "broadcast_dimensions")
    if len(set(dims)) != len(dims):
        raise Wrong("broadcast_dimensions should not have duplicates")
    for index, dim in enumerate(dims):
        if not 0 <= dim < result.rank:
            raise Wrong(f"broadcast_dimensions contains invalid value {dim} for result with rank {result.rank}")
        size = operand.shape[index]
        fits = size == result.shape[dim] or (dynamic and result.shape[dim] == DYNAMIC)
        if size not in (DYNAMIC, 1) and not fits:
            raise Wrong(
                f"size of operand dimension {index} ({size}) is {words} size of result dimension {dim} "
                f"({result.shape[dim]})"
            )


def check_broadcast_count(op: Operation) -> None:
    """There is one broadcast dimension for each operand dimension."""
    rank, dims = tensor(op.operands[0]).rank, integers(op, "broadcast_dimensions")
    if len(dims) != rank:
        raise Wrong(f"broadcast_dimensions size ({len(dims)}) does not match operand rank ({rank})")


def _check_broadcast_in_dim(op: Operation) -> None:
    check_broadcast_count(op)
    check_broadcast_dimensions(op, dynamic=False)


# --- concatenate ------------------------------------------------------------------------------------------------------


def _concatenated(op: Operation) -> list[Type]:
    types, dim = list(map(tensor, op.operands)), integer(op, "dimension")
    first = types[0]
    if not first.rank:
        raise Wrong("rank-0 values cannot be concatenated")
    if dim >= first.rank:
        raise Wrong(f"dimension {dim} is out-of-bounds for input rank {first.rank}")
    _check_joinable(types, dim)
    shape: list[int] = []
    bounds: list[int | None] = []
    for index in range(first.rank):
        size, bound = first.shape[index], _bound(first, index)
        for other in types[1:]:
            join = _add if index == dim else meet
            size, bound = join(index, size, bound, other.shape[index], _bound(other, index))
        shape.append(size)
        bounds.append(bound)
    return [bounded(shape, first.element, bounds)]


def _check_joinable(types: list[TensorType], dim: int) -> None:
    for one, left in enumerate(types):
        for two, right in enumerate(types[one + 1 :], one + 1):
            if left.rank != right.rank:
                raise Wrong(f"operands ({one}) and ({two}) do not match rank")
            for index, (size, other) in enumerate(zip(left.shape, right.shape, strict=True)):
                if index != dim and not dims_agree(size, other):
                    raise Wrong(
                        f"shapes of operand ({one}) and ({two}) are not compatible at non-concat index {index}: "
                        f"({raw_text(left.shape)}) != ({raw_text(right.shape)})"
                    )


def _bound(type: TensorType, dim: int) -> int | None:
    bounds = bounds_of(type)
    return bounds[dim] if bounds else None


def _add(_: int, size: int, bound: int | None, other: int, limit: int | None) -> tuple[int, int | None]:
    if size != DYNAMIC and other != DYNAMIC:
        return size + other, None
    left = bound if size == DYNAMIC else size
    right = limit if other == DYNAMIC else other
    return DYNAMIC, None if left is None or right is None else left + right


# --- sizes ------------------------------------------------------------------------------------------------------------


def _check_dimension(op: Operation) -> int:
    rank, dim = tensor(op.operands[0]).rank, integer(op, "dimension")
    if not 0 <= dim < rank:
        raise Wrong(f"requires dimension attribute in range [0, {rank}); found ({dim})")
    return dim


def _dimension_size(op: Operation) -> list[Type]:
    _check_dimension(op)
    return [TensorType((), I32)]


def _resized(op: Operation) -> list[Type]:
    if tensor(op.operands[1]).rank:
        raise Wrong("size operand should be of rank-0")
    dim, operand = _check_dimension(op), tensor(op.operands[0])
    shape, bounds = list(operand.shape), list(bounds_of(operand)) or [None] * operand.rank
    if constant_integers(op.operands[1]) == [shape[dim]]:
        return [operand]
    if shape[dim] != DYNAMIC:
        bounds[dim] = shape[dim]
    shape[dim] = DYNAMIC
    return [bounded(shape, operand.element, bounds)]


def _check_iota(op: Operation) -> None:
    rank = tensor(op.results[0]).rank
    if not rank:
        raise Wrong("does not support scalars.")
    if integer(op, "iota_dimension") >= rank:
        raise Wrong("iota dimension cannot go beyond the output rank.")


# --- pad, reshape, reverse, slice, transpose --------------------------------------------------------------------------


def padded_size(size: int, low: int, high: int, interior: int) -> int:
    """The size of a dimension that is padded before, behind and between its elements."""
    return size + low + high + max(size - 1, 0) * interior


def _padded(op: Operation) -> list[Type]:
    operand = tensor(op.operands[0])
    low, high, interior = (integers(op, name) for name in _PADDING)
    if len(low) != operand.rank:
        raise Wrong(f"edge_padding_low length ({len(low)}) must match operand rank ({operand.rank})")
    shape: list[int] = []
    bounds: list[int | None] = []
    for index, size in enumerate(operand.shape):
        if interior[index] < 0:
            raise Wrong(f"Interior padding cannot be negative: {interior[index]}")
        bound = _bound(operand, index)
        known = bound if size == DYNAMIC else size
        if known is not None:
            known = padded_size(known, low[index], high[index], interior[index])
            if known < 0:
                what = "bound" if size == DYNAMIC else "size"
                raise Wrong(f"Padding result in negative {what} for dimension {index}")
        shape.append(DYNAMIC if size == DYNAMIC or known is None else known)
        bounds.append(known if size == DYNAMIC else None)
    return [bounded(shape, operand.element, bounds)]


def check_element_count(op: Operation) -> None:
    """Operand and result, if both are static, have equally many elements."""
    operand, result = tensor(op.operands[0]), tensor(op.results[0])
    if operand.has_static_shape and result.has_static_shape:
        expected, found = prod(operand.shape), prod(result.shape)
        if expected != found:
            raise Wrong(f"number of output elements ({found}) doesn't match expected number of elements ({expected})")


def _check_reverse(op: Operation) -> None:
    rank, dims = tensor(op.operands[0]).rank, integers(op, "dimensions")
    if len(set(dims)) != len(dims):
        raise Wrong(f"dimensions should be unique. Got: {raw_text(dims)}")
    for dim in dims:
        if dim < 0:
            raise Wrong(f"all dimensions should be non-negative. Got dimension: {dim}.")
        if dim >= rank:
            raise Wrong(f"all dimensions should be between [0, {rank}). Got dimension: {dim}.")


def _reversed(op: Operation) -> list[Type]:
    return [tensor(op.operands[0])]


def _sliced(op: Operation) -> list[Type]:
    operand = tensor(op.operands[0])
    starts, limits, strides = (integers(op, name) for name in _RANGES)
    if len(starts) != operand.rank:
        raise Wrong(
            f"the number of elements in start_indices ({len(starts)}) does not match the rank of the operand "
            f"({operand.rank})"
        )
    shape = []
    for index, (start, limit, stride) in enumerate(zip(starts, limits, strides, strict=True)):
        if start < 0:
            raise Wrong(f"negative start index {start} in dimension {index}")
        size = operand.shape[index]
        most, what = (size, "size") if size != DYNAMIC else (_bound(operand, index), "bound")
        if most is not None and limit > most:
            raise Wrong(f"limit index {limit} is larger than dimension {what} {most} in dimension {index}")
        if start > limit:
            raise Wrong(f"start index {start} is larger than limit index {limit} in dimension {index}")
        if stride <= 0:
            raise Wrong(f"stride must be positive but got {stride} in dimension {index}")
        shape.append(-((start - limit) // stride))
    return [TensorType(shape, operand.element)]


def _transposed(op: Operation) -> list[Type]:
    operand, permutation = tensor(op.operands[0]), integers(op, "permutation")
    if len(permutation) != operand.rank:
        raise Wrong(f"TransposeOp operand rank {operand.rank} does not match permutation size {len(permutation)}")
    if sorted(permutation) != list(range(operand.rank)):
        raise Wrong(
            f"attribute permutation must be a permutation of [{raw_text(range(operand.rank))}] but got "
            f"{raw_text(permutation)}"
        )
    shape = [operand.shape[dim] for dim in permutation]
    bounds = bounds_of(operand)
    return [bounded(shape, operand.element, [bounds[dim] for dim in permutation] if bounds else ())]


_PADDING = ("edge_padding_low", "edge_padding_high", "interior_padding")
_RANGES = ("start_indices", "limit_indices", "strides")

RULES: Rules = {
    "bitcast_convert": (typed([kinds.TENSOR_OR_BY_AXIS], [kinds.TENSOR_OR_BY_AXIS]), _check_bitcast),
    "broadcast": (typed([kinds.TENSOR], [kinds.TENSOR_OR_BY_AXIS]), same_elements, inferred(_broadcast)),
    "broadcast_in_dim": (
        typed([kinds.TENSOR_OR_BY_AXIS], [kinds.STATIC_OR_BOUNDED]),
        compatible_elements,
        _check_broadcast_in_dim,
    ),
    "concatenate": (typed([Many(kinds.TENSOR)], [kinds.TENSOR]), same_elements, inferred(_concatenated)),
    "get_dimension_size": (
        typed([kinds.TENSOR_OR_BY_AXIS], [kinds.INT32_TENSOR]),
        inferred(_dimension_size),
    ),
    "iota": (
        typed([], [kinds.static(kinds.INTEGER, kinds.FLOAT, kinds.COMPLEX, kinds.QUANTIZED)]),
        _check_iota,
    ),
    "pad": (
        typed([kinds.TENSOR, kinds.SCALAR], [kinds.TENSOR]),
        same_size(*_PADDING),
        same_elements,
        inferred(_padded),
    ),
    "reshape": (
        typed([kinds.TENSOR_OR_BY_AXIS], [kinds.STATIC_OR_BOUNDED]),
        compatible_elements,
        check_element_count,
    ),
    "reverse": (
        typed([kinds.TENSOR], [kinds.TENSOR]),
        same_elements,
        _check_reverse,
        inferred(_reversed),
    ),
    "set_dimension_size": (
        typed([kinds.TENSOR, kinds.INT32_TENSOR], [kinds.TENSOR]),
        inferred(_resized),
    ),
    "slice": (
        typed([kinds.TENSOR], [kinds.TENSOR]),
        same_size(*_RANGES),
        same_elements,
        inferred(_sliced),
    ),
    "transpose": (
        typed([kinds.TENSOR_OR_BY_AXIS], [kinds.TENSOR_OR_BY_AXIS]),
        compatible_elements,
        inferred(_transposed),
    ),
}
