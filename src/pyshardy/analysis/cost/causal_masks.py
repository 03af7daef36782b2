"""Finds causal masks: scores of keys that come after their query, which a kernel for attention skips.

A query attends to the keys up to its own position; the scores of later keys get a large negative number. Programs write
such a mask in many ways (``where(i >= j, s, -1e30)``, ``tril(ones)``, a bias that is added). So values are evaluated
abstractly: ``later`` is the constant that a tensor holds wherever the index along one dimension, that of keys, is
greater than the index along another, that of queries.

Indices that depend on the device (a sharded sequence) are not plain iotas and give no answer: with them the last device
has nothing to skip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.sdy.names import CONSTANTS
from pyshardy.dialects.stablehlo.trip_count import is_loop
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.account.buffer_aliases import invariant_indices
from pyshardy.rules.properties import enum_case, integer, integers

_MASKED = -1e4
"""A score of at most this has no weight in any softmax of ordinary scores."""
_DEEPEST = 64
"""Through so many operations a value is followed."""
_MOST_ELEMENTS = 1 << 20
"""Larger constants that are no splats are not looked at."""

_Number = float | int | bool


class _Indices(NamedTuple):
    """The dimensions of queries and of keys in a tensor; None where the tensor does not have one."""

    query: int | None
    key: int | None

    def of_operand(self, move: Callable[[int], int | None]) -> _Indices:
        """The dimensions in an operand, where ``move`` maps a dimension of the result to that of the operand, None if
        the operand is broadcast along it."""
        query, key = (None if dim is None else move(dim) for dim in self)
        return _Indices(query, key)


_Calls = Mapping[Value, tuple[Value, "_Calls"]]
"""By argument of the functions that are looked into: the operand of the call, and the same for the caller's."""


class CausalMasks:
    """Finds causal masks in a program with ``functions``."""

    def __init__(self, functions: Mapping[str, Operation]) -> None:
        self._functions = functions
        self._calls: dict[str, list[Operation]] | None = None

    def masks(self, scores: Value, query: int, key: int) -> bool:
        """Whether ``scores`` are a large negative number wherever the index along dimension ``key`` is greater than
        that along dimension ``query``, or are the sum of others and of such numbers."""
        return self._is_masked(scores, _Indices(query, key), {}, _DEEPEST)

    def _is_masked(self, value: Value, at: _Indices, calls: _Calls, depth: int) -> bool:
        value = _behind_barriers(value)
        op = value.defining_op
        if op is None or not depth:
            return False
        follow = partial(self._is_masked, at=at, calls=calls, depth=depth - 1)
        if op.name == "stablehlo.add":
            return any(map(follow, op.operands))
        if op.name == "stablehlo.subtract":
            taken = self.later(op.operands[1], at, calls, depth - 1)
            return follow(op.operands[0]) or (taken is not None and -taken <= _MASKED)
        if op.name == "stablehlo.convert":
            return follow(op.operands[0])
        if op.name == "func.call" and isinstance(value, OpResult):
            inside = self._returned(op, value.index, calls)
            return inside is not None and self._is_masked(inside[0], at, inside[1], depth - 1)
        return self._is_low(value, at, calls, depth)

    def _is_low(self, value: Value, at: _Indices, calls: _Calls, depth: int) -> bool:
        found = self.later(value, at, calls, depth)
        return found is not None and found <= _MASKED

    # --- what a tensor holds for later keys -----------------------------------------------------------------------

    def later(self, value: Value, at: _Indices, calls: _Calls, depth: int = _DEEPEST) -> _Number | None:
        """The constant that ``value`` holds wherever the index of the key is greater than that of the query; None if
        that is not known."""
        if not depth:
            return None
        value = _behind_barriers(value)
        if isinstance(value, BlockArgument):
            return self._later_of_argument(value, at, calls, depth - 1)
        op = value.defining_op
        if op is None or not isinstance(value, OpResult):
            return None
        if op.name == "func.call":
            inside = self._returned(op, value.index, calls)
            return None if inside is None else self.later(inside[0], at, inside[1], depth - 1)
        if op.name in CONSTANTS:
            return _later_of_constant(op, at)
        moved = _moved(op, at)
        if moved is not None:
            return self.later(op.operands[0], moved, calls, depth - 1)
        follow = partial(self.later, at=at, calls=calls, depth=depth - 1)
        if op.name == "stablehlo.select":
            chosen = follow(op.operands[0])
            return None if chosen is None else follow(op.operands[1 if chosen else 2])
        if op.name == "stablehlo.compare":
            compared = self._compared_indices(op, at, calls, depth - 1)
            if compared is not None:
                return compared
        combine = _COMBINED.get(op.name)
        return None if combine is None else combine(op, [follow(one) for one in op.operands])

    def _compared_indices(self, op: Operation, at: _Indices, calls: _Calls, depth: int) -> bool | None:
        """What a comparison of the index of the query with that of the key says where the key's is greater; None if it
        is another one."""
        sides = [self._index(one, at, calls, depth) for one in op.operands]
        if None in sides or sides[0] == sides[1]:
            return None
        direction = enum_case(op, "comparison_direction") or ""
        if sides[0] == "key":
            direction = direction.translate(_MIRRORED)
        return {"GE": False, "GT": False, "EQ": False, "LT": True, "LE": True, "NE": True}.get(direction)

    def _index(self, value: Value, at: _Indices, calls: _Calls, depth: int) -> str | None:
        """Whether ``value`` is the index along the dimension of the ``"query"`` or of the ``"key"``."""
        while depth:
            depth -= 1
            value = _behind_barriers(value)
            if isinstance(value, BlockArgument) and value in calls:
                value, calls = calls[value]
                continue
            op = value.defining_op
            if op is None:
                return None
            if op.name == "stablehlo.iota":
                dim = integer(op, "iota_dimension", -1)
                return "query" if dim == at.query else "key" if dim == at.key else None
            if op.name in ("stablehlo.add", "stablehlo.subtract"):
                first, second = op.operands
                if self.later(second, at, calls, depth) == 0:
                    value = first
                    continue
                return None
            moved = _moved(op, at)
            if moved is None:
                return None
            value, at = op.operands[0], moved
        return None

    # --- functions and loops ------------------------------------------------------------------------------------------

    def _returned(self, call: Operation, index: int, calls: _Calls) -> tuple[Value, _Calls] | None:
        """What the function returns as result ``index`` of ``call``, and what its arguments are there."""
        function = self._functions.get(callee(call))
        if function is None or is_declaration(function):
            return None
        body = function.body
        inside: _Calls = {
            argument: (operand, calls) for argument, operand in zip(body.arguments, call.operands, strict=True)
        }
        return body.terminator.operands[index], inside

    def _later_of_argument(self, value: BlockArgument, at: _Indices, calls: _Calls, depth: int) -> _Number | None:
        if value in calls:
            outside, around = calls[value]
            return self.later(outside, at, around, depth)
        around_it = value.owner.parent_op
        if around_it is None:
            return None
        if is_loop(around_it):
            if value.index not in invariant_indices(around_it):
                return None
            return self.later(around_it.operands[value.index], at, calls, depth)
        if around_it.name != "func.func":
            return None
        handed = [self.later(one.operands[value.index], at, {}, depth) for one in self._calls_of(around_it)]
        return handed[0] if handed and all(one == handed[0] for one in handed) else None

    def _calls_of(self, function: Operation) -> list[Operation]:
        if self._calls is None:
            self._calls = {}
            for one in self._functions.values():
                for op in one.operations():
                    if op.name == "func.call":
                        self._calls.setdefault(callee(op), []).append(op)
        return self._calls.get(function.symbol_name or "", [])


def _moved(op: Operation, at: _Indices) -> _Indices | None:
    """The dimensions of queries and keys in the operand of ``op``, which only moves or converts elements; None for
    other operations."""
    if op.name == "stablehlo.convert":
        return at
    if op.name == "stablehlo.transpose":
        order = integers(op, "permutation")
        return at.of_operand(lambda dim: order[dim])
    if op.name not in ("stablehlo.broadcast_in_dim", "stablehlo.reshape"):
        return None
    operand, result = op.operands[0].type, op.results[0].type
    if not (isinstance(operand, TensorType) and isinstance(result, TensorType)):
        return None
    if op.name == "stablehlo.broadcast_in_dim":
        dims = integers(op, "broadcast_dimensions")
        places = {dim: place for place, dim in enumerate(dims) if operand.shape[place] == result.shape[dim]}
        return at.of_operand(places.get)
    larger = [[dim for dim, size in enumerate(one.shape) if size != 1] for one in (result, operand)]
    if [result.shape[dim] for dim in larger[0]] != [operand.shape[dim] for dim in larger[1]]:
        return None
    return at.of_operand(dict(zip(*larger, strict=True)).get)


_MIRRORED = str.maketrans("GL", "LG")
"""``a < b`` is ``b > a``."""


def _behind_barriers(value: Value) -> Value:
    """``value``, or what an optimization barrier passes on as it."""
    op = value.defining_op
    while op is not None and op.name == "stablehlo.optimization_barrier" and isinstance(value, OpResult):
        value = op.operands[value.index]
        op = value.defining_op
    return value


def _later_of_constant(op: Operation, at: _Indices) -> _Number | None:
    found = op.properties.get("value")
    if not isinstance(found, DenseElementsAttr):
        return None
    if found.is_splat:
        return found.splat_value if isinstance(found.splat_value, float | int) else None
    shape = [size for size in found.type.shape if size != 1]
    if at.query is None or at.key is None or len(shape) != 2 or found.num_elements > _MOST_ELEMENTS:
        return None
    rows, columns = shape
    numbers, by_rows = found.numbers(), at.query < at.key
    values: set[object] = set()
    for row in range(rows):
        line = numbers[row * columns : (row + 1) * columns]
        values.update(line[row + 1 :] if by_rows else line[:row])
        if len(values) > 1:
            return None
    (value,) = values or {None}
    return value if isinstance(value, float | int) else None


def _compared(op: Operation, values: list[_Number | None]) -> _Number | None:
    one, other = values
    if one is None or other is None:
        return None
    return {
        "EQ": one == other,
        "NE": one != other,
        "GE": one >= other,
        "GT": one > other,
        "LE": one <= other,
        "LT": one < other,
    }.get(enum_case(op, "comparison_direction") or "")


def _all_or_zero(_: Operation, values: list[_Number | None]) -> _Number | None:
    """The product, or the conjunction: zero if one of them is."""
    if 0 in values:
        return 0
    one, other = values
    return None if one is None or other is None else one * other


def _either(_: Operation, values: list[_Number | None]) -> _Number | None:
    if True in values:
        return True
    return None if None in values else False


def _negation(_: Operation, values: list[_Number | None]) -> _Number | None:
    return None if values[0] is None else not values[0]


def _sum(_: Operation, values: list[_Number | None]) -> _Number | None:
    one, other = values
    return None if one is None or other is None else one + other


def _difference(_: Operation, values: list[_Number | None]) -> _Number | None:
    one, other = values
    return None if one is None or other is None else one - other


_COMBINED: dict[str, Callable[[Operation, list[_Number | None]], _Number | None]] = {
    "stablehlo.add": _sum,
    "stablehlo.and": _all_or_zero,
    "stablehlo.compare": _compared,
    "stablehlo.multiply": _all_or_zero,
    "stablehlo.not": _negation,
    "stablehlo.or": _either,
    "stablehlo.subtract": _difference,
}
"""What operations compute of the constants that their operands hold for later keys."""
