"""Columns of index vectors that are known: those that count, and those of one number.

``cache.at[jnp.arange(batch), position].set(row)`` names its row for each element of the batch by a number: component 0
of index vector i is i. Where that is certain, and there are as many index vectors as rows, devices share the rows and
the vectors along one factor, as if they were batching dimensions. A window as long as its dimension, at 0, is no choice
either: ``vmap(dynamic_update_slice)`` clamps indices to what leaves room.
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
    assert isinstance(operand, TensorType)
    targets = integers(op, "broadcast_dimensions")
    dim = _counts_along(op.operands[0], _before_broadcast(op, fixed), origin, steps)
    return targets[dim] if dim is not None and operand.shape[dim] == type.shape[targets[dim]] else None


def _reshape(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """Through one that adds or removes dimensions of size 1."""
    before, dims = _before_reshape(op, type, fixed), _dims_that_stay(op, type)
    if before is None or dims is None:
        return None
    dim = _counts_along(op.operands[0], before, origin, steps)
    return next((one for one, its in dims.items() if its == dim), None)


def _concatenate(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    piece = _piece(op, fixed)
    return None if piece is None else _counts_along(*piece, origin, steps)


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
    if _number(compared.operands[1], fixed, origin, steps) != 0:
        return None
    return _counts_along(op.operands[2], fixed, origin, steps)


def _clamp(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """Through limits that are not reached."""
    dim = _counts_along(op.operands[1], fixed, origin, steps)
    low, high = (
        _number(one, fixed if one.type is type else {}, origin, steps) for one in (op.operands[0], op.operands[2])
    )
    if dim is None or low is None or high is None:
        return None
    return dim if low <= 0 and high >= type.shape[dim] - 1 else None


# --- columns of one number --------------------------------------------------------------------------------------------


def constant_components(indices: Value, vector_dim: int, count: int, origin: Origin) -> list[int | None]:
    """What each of ``count`` components is in all index vectors; None where that is not certain."""
    rank = indices.type.rank if isinstance(indices.type, TensorType) else 0
    fixed = [{vector_dim: number} if vector_dim < rank else {} for number in range(count)]
    return [_number(indices, one, origin, _FARTHEST) for one in fixed]


def _number(value: Value, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """What all elements of ``value`` are, where the dimensions ``fixed`` have that index; None if that is not certain,
    or not one number."""
    value = origin(value)
    op, type = value.defining_op, value.type
    if op is None or steps == 0 or not isinstance(type, TensorType) or not isinstance(type.element, IntegerType):
        return None

    def of(index: int) -> int | None:
        assert op is not None
        there = fixed if op.operands[index].type.rank == type.rank else {}  # type: ignore[attr-defined]
        return _number(op.operands[index], there, origin, steps - 1)

    if op.name in ("stablehlo.constant", "sdy.constant"):
        return _number_of_constant(op.properties.get("value"), type, fixed)
    if op.name in ("stablehlo.broadcast_in_dim", "stablehlo.reshape"):
        before = _before_broadcast(op, fixed) if op.name.endswith("in_dim") else _before_reshape(op, type, fixed)
        return None if before is None else _number(op.operands[0], before, origin, steps - 1)
    if op.name == "stablehlo.concatenate":
        piece = _piece(op, fixed)
        return None if piece is None else _number(*piece, origin, steps - 1)
    if op.name == "stablehlo.convert":
        found = of(0)
        return found if found is not None and 0 <= found < 1 << (type.element.width - 1) else None
    if op.name == "stablehlo.iota":
        return fixed.get(integer(op, "iota_dimension", 0))
    if op.name in ("stablehlo.minimum", "stablehlo.maximum"):
        one, other = of(0), of(1)
        if one is None or other is None:
            return None
        return min(one, other) if op.name.endswith("minimum") else max(one, other)
    if op.name == "stablehlo.clamp":
        low, number, high = of(0), of(1), of(2)
        if low is None or high is None:
            return None
        return high if high <= low else None if number is None else min(max(number, low), high)
    return None


def _number_of_constant(value: object, type: TensorType, fixed: Mapping[int, int]) -> int | None:
    if not isinstance(value, DenseElementsAttr) or not 0 < prod(type.shape) <= _LARGEST_CONSTANT:
        return None
    if value.splat_value is not None:
        return int(DenseElementsAttr(TensorType((), type.element), value.data).integers()[0])
    found = set()
    for place, number in enumerate(value.integers()):
        index = []
        for size in reversed(type.shape):
            index.append(place % size)
            place //= size
        if all(index[-1 - dim] == at for dim, at in fixed.items()):
            found.add(number)
    return found.pop() if len(found) == 1 else None


# --- through operations that move elements ----------------------------------------------------------------------------


def _before_broadcast(op: Operation, fixed: Mapping[int, int]) -> dict[int, int]:
    """Which indices of the operand are given."""
    operand = op.operands[0].type
    assert isinstance(operand, TensorType)
    targets = enumerate(integers(op, "broadcast_dimensions"))
    return {dim: fixed[target] if operand.shape[dim] != 1 else 0 for dim, target in targets if target in fixed}


def _before_reshape(op: Operation, type: TensorType, fixed: Mapping[int, int]) -> dict[int, int] | None:
    """The same; None for more than dimensions of size 1 that come or go."""
    dims = _dims_that_stay(op, type)
    return None if dims is None else {dims[one]: at for one, at in fixed.items() if one in dims}


def _dims_that_stay(op: Operation, type: TensorType) -> dict[int, int] | None:
    operand = op.operands[0].type
    assert isinstance(operand, TensorType)
    inner, outer = ([dim for dim, size in enumerate(one.shape) if size != 1] for one in (operand, type))
    if [operand.shape[dim] for dim in inner] != [type.shape[dim] for dim in outer]:
        return None
    return dict(zip(outer, inner, strict=True))


def _piece(op: Operation, fixed: Mapping[int, int]) -> tuple[Value, dict[int, int]] | None:
    """Which operand of a concatenation has what is asked for, and with which indices."""
    dim = integer(op, "dimension", 0)
    at = fixed.get(dim)
    for operand in op.operands if at is not None else ():
        assert isinstance(operand.type, TensorType) and at is not None
        size = operand.type.shape[dim]
        if at < size:
            return operand, {**fixed, dim: at}
        at -= size
    return None


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
