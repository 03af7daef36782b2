"""Columns of index vectors that only count: which dimension of a gather or scatter is a batch, though nobody says so.

``cache.at[jnp.arange(batch), position].set(row)`` names its row for each element of the batch by a number: component 0
of index vector i is i. Where that is certain, and there are as many index vectors as rows, devices share the rows and
the vectors along one factor, as if they were batching dimensions. ``gathers`` and ``scatters`` stand right of this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import IntegerType, TensorType
from pyshardy.rules.properties import enum_case, integer, integers

_LARGEST_CONSTANT = 1 << 16
_FARTHEST = 32

Origin = Callable[[Value], Value]
"""Where a value comes from, if functions stand in the place of their call."""


def counting_dims(
    indices: Value, vector_dim: int, operand_dims: Sequence[int], shape: Sequence[int], origin: Origin
) -> dict[int, int]:
    """The dimensions of ``indices`` along which the component for a dimension of the operand, of ``shape``, counts all
    of it: each with that dimension. ``operand_dims`` are those of the components, in order."""
    type = indices.type
    if not isinstance(type, TensorType) or vector_dim >= type.rank:
        return {}
    found: dict[int, int] = {}
    for number, dim in enumerate(operand_dims):
        counted = _counts_along(indices, {vector_dim: number}, origin, _FARTHEST)
        if counted is not None and counted not in found and type.shape[counted] == shape[dim] > 1:
            found[counted] = dim
    return found


def _counts_along(value: Value, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """The dimension of ``value`` whose index its elements are, where the dimensions ``fixed`` have that index; None if
    that is not certain."""
    value = origin(value)
    op, type = value.defining_op, value.type
    if op is None or steps == 0 or not isinstance(type, TensorType) or not isinstance(type.element, IntegerType):
        return None
    through = _THROUGH.get(op.name)
    return None if through is None else through(op, type, fixed, origin, steps - 1)


def _iota(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    dim = integer(op, "iota_dimension", 0)
    return dim if dim not in fixed and _holds(type, dim) else None


def _constant(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    value = op.properties.get("value")
    if not isinstance(value, DenseElementsAttr) or not 1 < prod(type.shape) <= _LARGEST_CONSTANT or value.is_splat:
        return None
    elements = value.integers()
    for dim, size in enumerate(type.shape):
        behind = prod(type.shape[dim + 1 :])
        if dim not in fixed and all(one == place // behind % size for place, one in enumerate(elements)):
            return dim
    return None


def _broadcast(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    operand = op.operands[0].type
    targets = integers(op, "broadcast_dimensions")
    assert isinstance(operand, TensorType)
    inner = {
        dim: fixed[target] if operand.shape[dim] != 1 else 0 for dim, target in enumerate(targets) if target in fixed
    }
    dim = _counts_along(op.operands[0], inner, origin, steps)
    return targets[dim] if dim is not None and operand.shape[dim] == type.shape[targets[dim]] else None


def _reshape(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """Through one that adds or removes dimensions of size 1."""
    operand = op.operands[0].type
    assert isinstance(operand, TensorType)
    inner, outer = ([dim for dim, size in enumerate(one.shape) if size != 1] for one in (operand, type))
    if [operand.shape[dim] for dim in inner] != [type.shape[dim] for dim in outer]:
        return None
    before = dict(zip(outer, inner, strict=True))
    dim = _counts_along(op.operands[0], {before[one]: at for one, at in fixed.items() if one in before}, origin, steps)
    return dict(zip(inner, outer, strict=True)).get(dim) if dim is not None else None


def _concatenate(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    dim = integer(op, "dimension", 0)
    if dim not in fixed:
        return None
    at = fixed[dim]
    for operand in op.operands:
        assert isinstance(operand.type, TensorType)
        size = operand.type.shape[dim]
        if at < size:
            return _counts_along(operand, {**fixed, dim: at}, origin, steps)
        at -= size
    return None


def _convert(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    dim = _counts_along(op.operands[0], fixed, origin, steps)
    return dim if dim is not None and _holds(type, dim) else None


def _select(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """Through the choice of what lies behind the end for what is negative: nothing is."""
    compared = origin(op.operands[0]).defining_op
    if compared is None or compared.name != "stablehlo.compare" or enum_case(compared, "comparison_direction") != "LT":
        return None
    if _counts_along(compared.operands[0], fixed, origin, steps) is None:
        return None
    return _counts_along(op.operands[2], fixed, origin, steps) if _limit(compared.operands[1], origin) == 0 else None


def _clamp(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """Through limits that are not reached."""
    dim = _counts_along(op.operands[1], fixed, origin, steps)
    low, high = _limit(op.operands[0], origin), _limit(op.operands[2], origin)
    if dim is None or low is None or high is None:
        return None
    return dim if low <= 0 and high >= type.shape[dim] - 1 else None


def _limit(value: Value, origin: Origin) -> int | None:
    """The number that all elements of ``value`` are, if that is a constant."""
    for _ in range(_FARTHEST):
        op = origin(value).defining_op
        if op is None:
            return None
        if op.name not in ("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.convert"):
            break
        value = op.operands[0]
    found = op.properties.get("value") if op.name in ("stablehlo.constant", "sdy.constant") else None
    if not isinstance(found, DenseElementsAttr) or not isinstance(found.type.element, IntegerType):
        return None
    number = found.splat_value()
    return None if number is None else int(number)


def _holds(type: TensorType, dim: int) -> bool:
    """Whether the element type has all the numbers that are counted."""
    element = type.element
    assert isinstance(element, IntegerType)
    return type.shape[dim] <= 1 << (element.width - (element.signedness != "u"))


_THROUGH: Mapping[str, Callable[[Operation, TensorType, Mapping[int, int], Origin, int], int | None]] = {
    "sdy.constant": _constant,
    "stablehlo.broadcast_in_dim": _broadcast,
    "stablehlo.clamp": _clamp,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.constant": _constant,
    "stablehlo.convert": _convert,
    "stablehlo.iota": _iota,
    "stablehlo.reshape": _reshape,
    "stablehlo.select": _select,
}
