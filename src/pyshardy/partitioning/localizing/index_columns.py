"""Components of index vectors that are known at compile time: those that enumerate their dimension, and constant ones.

``cache.at[jnp.arange(batch), position].set(row)`` selects one row for each element of the batch: component 0 of index
vector i is i. If that is certain, and there are as many index vectors as rows, the devices share the rows and the index
vectors along one factor, as if both dimensions were batching dimensions. Constant components matter, too: a window that
begins at 0 and is as long as its dimension selects nothing, and ``vmap(dynamic_update_slice)`` makes such windows by
clamping.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from pyshardy.dialects.sdy.names import CONSTANTS
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import IntegerType, TensorType
from pyshardy.rules.properties import enum_case, integer, integers

_LARGEST_CONSTANT = 1 << 16
_MAX_STEPS = 32
"""How many operations are followed backwards from the index tensor."""

Origin = Callable[[Value], Value]
"""Maps a value to the one that it is a copy of across the boundaries of inlined functions."""


def iota_dims(
    indices: Value, vector_dim: int, operand_dims: Sequence[int], shape: Sequence[int], origin: Origin
) -> dict[int, int]:
    """The dimensions of ``indices`` along which the component for some dimension of the operand, of ``shape``, counts
    from 0 to the end of that dimension: each with that dimension. ``operand_dims`` are the dimensions of the
    components, in order."""
    type = indices.type
    if not isinstance(type, TensorType) or vector_dim >= type.rank:
        return {}
    found: dict[int, int] = {}
    for number, dim in enumerate(operand_dims):
        counted = _iota_dim(indices, {vector_dim: number}, origin, _MAX_STEPS)
        if counted is not None and counted not in found and type.shape[counted] == shape[dim] > 1:
            found[counted] = dim
    return found


def _iota_dim(value: Value, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """The dimension of ``value`` whose index its elements equal, where the dimensions in ``fixed`` have the given
    indices; None if that is not certain."""
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
    dim = _iota_dim(op.operands[0], _indices_before_broadcast(op, fixed), origin, steps)
    return targets[dim] if dim is not None and operand.shape[dim] == type.shape[targets[dim]] else None


def _reshape(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """Through a reshape that only adds or removes dimensions of size 1."""
    before, dims = _indices_before_reshape(op, type, fixed), _kept_dims(op, type)
    if before is None or dims is None:
        return None
    dim = _iota_dim(op.operands[0], before, origin, steps)
    return next((after for after, kept in dims.items() if kept == dim), None)


def _concatenate(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    piece = _concatenated_operand(op, fixed)
    return None if piece is None else _iota_dim(*piece, origin, steps)


def _convert(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    dim = _iota_dim(op.operands[0], fixed, origin, steps)
    return dim if dim is not None and _holds(type, dim) else None


def _select(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """Through the select that JAX emits to wrap negative indices around: an iota has none."""
    compared = origin(op.operands[0]).defining_op
    if compared is None or compared.name != "stablehlo.compare" or enum_case(compared, "comparison_direction") != "LT":
        return None
    if _iota_dim(compared.operands[0], fixed, origin, steps) is None:
        return None
    if _constant_value(compared.operands[1], fixed, origin, steps) != 0:
        return None
    return _iota_dim(op.operands[2], fixed, origin, steps)


def _clamp(op: Operation, type: TensorType, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """Through a clamp whose limits are never reached."""
    dim = _iota_dim(op.operands[1], fixed, origin, steps)
    low, high = (
        _constant_value(one, fixed if one.type is type else {}, origin, steps)
        for one in (op.operands[0], op.operands[2])
    )
    if dim is None or low is None or high is None:
        return None
    return dim if low <= 0 and high >= type.shape[dim] - 1 else None


# --- columns of one number --------------------------------------------------------------------------------------------


def constant_components(indices: Value, vector_dim: int, count: int, origin: Origin) -> list[int | None]:
    """The value that each of ``count`` components has in all index vectors; None where that is not certain."""
    rank = indices.type.rank if isinstance(indices.type, TensorType) else 0
    fixed = [{vector_dim: number} if vector_dim < rank else {} for number in range(count)]
    return [_constant_value(indices, one, origin, _MAX_STEPS) for one in fixed]


def _constant_value(value: Value, fixed: Mapping[int, int], origin: Origin, steps: int) -> int | None:
    """The value of all elements of ``value`` where the dimensions in ``fixed`` have the given indices; None if it is
    not certain, or not one value."""
    value = origin(value)
    op, type = value.defining_op, value.type
    if op is None or steps == 0 or not isinstance(type, TensorType) or not isinstance(type.element, IntegerType):
        return None

    def of(index: int) -> int | None:
        assert op is not None
        there = fixed if op.operands[index].type.rank == type.rank else {}  # type: ignore[attr-defined]
        return _constant_value(op.operands[index], there, origin, steps - 1)

    if op.name in CONSTANTS:
        return _value_of_constant(op.properties.get("value"), type, fixed)
    if op.name in ("stablehlo.broadcast_in_dim", "stablehlo.reshape"):
        before = (
            _indices_before_broadcast(op, fixed)
            if op.name.endswith("in_dim")
            else _indices_before_reshape(op, type, fixed)
        )
        return None if before is None else _constant_value(op.operands[0], before, origin, steps - 1)
    if op.name == "stablehlo.concatenate":
        piece = _concatenated_operand(op, fixed)
        return None if piece is None else _constant_value(*piece, origin, steps - 1)
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


def _value_of_constant(value: object, type: TensorType, fixed: Mapping[int, int]) -> int | None:
    """The value that all elements of a constant have where the dimensions in ``fixed`` have the given indices; None if
    they differ, or the constant is too large."""
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


def _indices_before_broadcast(op: Operation, fixed: Mapping[int, int]) -> dict[int, int]:
    """The indices of the operand that correspond to ``fixed``."""
    operand = op.operands[0].type
    assert isinstance(operand, TensorType)
    targets = enumerate(integers(op, "broadcast_dimensions"))
    return {dim: fixed[target] if operand.shape[dim] != 1 else 0 for dim, target in targets if target in fixed}


def _indices_before_reshape(op: Operation, type: TensorType, fixed: Mapping[int, int]) -> dict[int, int] | None:
    """The indices of the operand that correspond to ``fixed``; None if the reshape does more than add or remove
    dimensions of size 1."""
    dims = _kept_dims(op, type)
    return None if dims is None else {dims[one]: at for one, at in fixed.items() if one in dims}


def _kept_dims(op: Operation, type: TensorType) -> dict[int, int] | None:
    """The dimension of the operand for each dimension of the result that has not size 1; None if the reshape does more
    than add or remove dimensions of size 1."""
    operand = op.operands[0].type
    assert isinstance(operand, TensorType)
    inner, outer = ([dim for dim, size in enumerate(one.shape) if size != 1] for one in (operand, type))
    if [operand.shape[dim] for dim in inner] != [type.shape[dim] for dim in outer]:
        return None
    return dict(zip(outer, inner, strict=True))


def _concatenated_operand(op: Operation, fixed: Mapping[int, int]) -> tuple[Value, dict[int, int]] | None:
    """The operand of a concatenation that holds the elements at ``fixed``, and their indices in it; None if ``fixed``
    has no index of the concatenated dimension."""
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
    """Whether the element type can hold all indices of dimension ``dim``."""
    element = type.element
    assert isinstance(element, IntegerType)
    return type.shape[dim] <= element.largest + 1


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
