"""What products and collectives read or make in another order than it stands in memory, where a compiler copies it:
XLA's CPU backend does.

A product of matrices sums along the rows of its first operand and the columns of its second; what lies the other way
round it reads so. But where several dimensions count as one (examples and places, over which a gradient of weights
sums), or a batch does not come first, what it reads is copied in the order that it wants. If a kernel makes that
element by element, for others too, it makes it again in that order: what the kernel reads lives as long. Not so where
it reads products alone, as that of ReLU does: it works on rows and columns, as they do.

Collectives put pieces one behind the other. Where that is not along the first dimension, what they gather is copied
afterwards, and what they scatter before, unless an elementwise operation reads or makes it in that order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from pyshardy.dialects.func import callee
from pyshardy.dialects.stablehlo.attributes import DotDimensionNumbers
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.opdef import ELEMENTWISE, EXPENSIVE
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.account.fusion import InlinedCalls, value_in_memory

_AS_IT_STANDS: tuple[int, ...] = ()
_PRODUCT = "stablehlo.dot_general"
_GATHERING, _SCATTERING = "stablehlo.all_gather", "stablehlo.reduce_scatter"
_ALONG = {_GATHERING: "all_gather_dim", _SCATTERING: "scatter_dimension"}


def order_wanted(op: Operation, number: int) -> tuple[int, ...]:
    """The order in which ``op`` wants the dimensions of operand ``number``, without those of size 1; empty if it reads
    them as they stand."""
    numbers = op.properties.get("dot_dimension_numbers") if op.name == _PRODUCT else None
    type = op.operands[number].type
    if not isinstance(numbers, DotDimensionNumbers) or not isinstance(type, TensorType):
        return _AS_IT_STANDS
    is_first = number == 0
    summed = numbers.lhs_contracting if is_first else numbers.rhs_contracting
    batch = numbers.lhs_batching if is_first else numbers.rhs_batching
    free = [dim for dim in range(len(type.shape)) if dim not in summed and dim not in batch]
    outer, inner, own = ([dim for dim in dims if type.shape[dim] != 1] for dims in (batch, summed, free))
    wanted = [*outer, *own, *inner] if is_first else [*outer, *inner, *own]
    stands = sorted(wanted)
    are_matrices = len(inner) < 2 and len(own) < 2 and outer == stands[: len(outer)]
    return _AS_IT_STANDS if are_matrices or wanted == stands else tuple(wanted)


def may_copy(op: Operation) -> bool:
    """Whether ``op`` may read what it is given, or make its result, in another order than that stands in."""
    return op.name == _PRODUCT or op.name in _ALONG


class Turned:
    """What products and collectives of ``operations``, those of one block in the order in which they run, read or make
    in another order than it stands in, if what is ``passing`` never stands in memory."""

    def __init__(self, operations: Sequence[Operation], passing: Collection[Value]) -> None:
        self._numbers = {op: number for number, op in enumerate(operations)}
        self._wanted: dict[Operation, tuple[tuple[int, ...], ...]] = {}
        for op in operations:
            if op.name == _PRODUCT:
                wanted = tuple([order_wanted(op, number) for number in range(len(op.operands))])
                if any(wanted):
                    self._wanted[op] = wanted
        self.calls = InlinedCalls(operations)
        self._rows = self._in_rows(operations)
        self.again: set[Value] = set()
        """What is made again for the products that read it so."""
        for op, orders in self._wanted.items():
            for value, order in zip(op.operands, orders, strict=True):
                if order and value not in passing and value not in self.again and self._is_made_again(value):
                    self.again.add(value)

    def is_read_so(self, op: Operation, number: int) -> bool:
        """Whether ``op`` reads its operand ``number`` in another order."""
        wanted = self._wanted.get(op)
        return wanted is not None and bool(wanted[number])

    def works_in_place(self, op: Operation, value: Value) -> bool:
        """Whether the elementwise ``op`` may write its result over ``value``: not where one of them has more dimensions
        for it than for the product that makes or reads that."""
        result = op.results[0]
        if result in self._rows:
            return True
        made = value.defining_op
        if made is not None and made.name == _PRODUCT and _is_reshaped(made, None):
            return False
        return not any(user.name == _PRODUCT and _is_reshaped(user, at) for user, at in result._uses)

    def copied_for(
        self, op: Operation, ended: Collection[Value], size: Callable[[Value], int]
    ) -> list[tuple[Value, int]]:
        """What stands in memory in the order that ``op`` wants while it is at work, besides as it is, and what reads it
        alone has ``ended``; with bytes."""
        if op.name in _ALONG:
            return self._copied_by_collective(op, ended, size)
        return [
            (value, size(value))
            for value, order in zip(op.operands, self._wanted.get(op, ()), strict=False)
            if order and (value in self.again or self._lives_on(value, op, order))
        ]

    def _copied_by_collective(
        self, op: Operation, ended: Collection[Value], size: Callable[[Value], int]
    ) -> list[tuple[Value, int]]:
        """The same of a collective: if nobody else reads what it reads, that is gone when the copy of what it makes
        begins, or what it makes begins when that is gone of which it has read a copy."""
        operand, result = op.operands[0], op.results[0]
        along, type = op.properties.get(_ALONG[op.name]), operand.type
        if not isinstance(along, IntegerAttr) or not isinstance(type, TensorType):
            return []
        if all(one == 1 for one in type.shape[: along.value]):
            return []
        if op.name == _GATHERING:
            if all(user.traits & ELEMENTWISE for user in result.users):
                return []
            larger: Value = result
            smaller: Value = operand
        else:
            made = operand.defining_op
            if made is not None and made.traits & ELEMENTWISE:
                return []
            larger, smaller = operand, result
        is_gone = value_in_memory(operand) in ended
        return [(larger, size(larger) - (size(smaller) if is_gone else 0))]

    def _lives_on(self, value: Value, op: Operation, order: tuple[int, ...]) -> bool:
        """Whether another operation reads ``value`` after ``op``, and not in that ``order``."""
        if isinstance(value_in_memory(value), BlockArgument):
            return True
        place, numbers = self._numbers[op], self._numbers
        return any(numbers.get(user, -1) > place and self._order(user, at) != order for user, at in value._uses)

    def _order(self, op: Operation, number: int) -> tuple[int, ...]:
        wanted = self._wanted.get(op)
        return _AS_IT_STANDS if wanted is None else wanted[number]

    def _is_made_again(self, value: Value) -> bool:
        """Whether ``value`` is made element by element, is cheap, and somebody reads it as it stands."""
        if not isinstance(value, OpResult) or value in self._rows:
            return False
        op = value.owner
        inlined = self.calls.of(op)
        is_cheap = inlined.cheap[value.index] if inlined is not None else _works_element_by_element(op)
        return is_cheap and not all(self._order(user, number) for user, number in value._uses)

    # --- rows and columns ---------------------------------------------------------------------------------------------

    def _in_rows(self, operations: Sequence[Operation]) -> set[Value]:
        """What is made in rows and columns, though it has more dimensions: products, and what is made of these element
        by element, if nobody needs them otherwise."""
        found: set[Value] = set()
        for op in operations:
            if op.name == "stablehlo.reshape" or (op.name == _PRODUCT and _has_several_rows(op)):
                found.update(op.results)
        moved: set[Operation] = set()
        waiting = self._steps_behind(found)
        while True:
            able = {op for op in waiting if op not in moved and _reads_only(op, found)}
            held: set[Operation] = set()
            bound = {op for op in able if not self._may_move(op, found, able | moved)}
            while bound:
                able -= bound
                held |= bound
                bound = {op for op in able if not self._may_move(op, found, able | moved)}
            if not able:
                return found
            moved |= able
            made = {op.results[0] for op in able}
            found |= made
            waiting = held | self._steps_behind(made)

    def _steps_behind(self, values: Iterable[Value]) -> set[Operation]:
        """The operations of the block that read one of ``values`` and are one elementwise operation."""
        users = {user for value in values for user in value.users if user in self._numbers}
        return {op for op in users if len(op.results) == 1 and self._is_one_step(op)}

    def _may_move(self, op: Operation, rows: Collection[Value], moving: Collection[Operation]) -> bool:
        return all(
            user in moving or user.name == "stablehlo.reshape" or (user.name == _PRODUCT and not self._order(user, at))
            for value in op.operands
            if value in rows
            for user, at in value._uses
        )

    def _is_one_step(self, op: Operation) -> bool:
        """Whether ``op`` is one elementwise operation, or a call of one."""
        if self.calls.of(op) is None:
            return bool(op.traits & ELEMENTWISE)
        body = self.calls.functions[callee(op)].body
        inside = [one for one in body if one.results and not _is_one_number(one.results[0])]
        return len(inside) == 1 and bool(inside[0].traits & ELEMENTWISE)


def _works_element_by_element(op: Operation) -> bool:
    return bool(op.traits & ELEMENTWISE and not op.traits & EXPENSIVE)


def _is_reshaped(op: Operation, number: int | None) -> bool:
    """Whether operand ``number`` of the product ``op``, its result if that is None, has other dimensions for it."""
    numbers = op.properties.get("dot_dimension_numbers")
    value = op.results[0] if number is None else op.operands[number]
    if not isinstance(numbers, DotDimensionNumbers) or not isinstance(value.type, TensorType):
        return False
    if 1 in value.type.shape:
        return True
    ranks = [len(one.type.shape) for one in op.operands if isinstance(one.type, TensorType)]
    batch, summed = len(numbers.lhs_batching), len(numbers.lhs_contracting)
    free = [rank - batch - summed for rank in ranks]
    return any(one > 1 for one in free) if number is None else free[number] > 1 or summed > 1


def _has_several_rows(op: Operation) -> bool:
    """Whether the product ``op`` of two matrices has a result of more than two dimensions."""
    numbers, type = op.properties.get("dot_dimension_numbers"), op.results[0].type
    if not isinstance(numbers, DotDimensionNumbers) or numbers.lhs_batching or not isinstance(type, TensorType):
        return False
    return sum(size != 1 for size in type.shape) > 2


def _reads_only(op: Operation, rows: Collection[Value]) -> bool:
    """Whether ``op`` reads ``rows``, and else only what is one number everywhere."""
    return any(value in rows for value in op.operands) and all(
        value in rows or _is_one_number(value) for value in op.operands
    )


def _is_one_number(value: Value) -> bool:
    made = value.defining_op
    if made is None:
        return False
    return made.name == "stablehlo.constant" or (
        made.name == "stablehlo.broadcast_in_dim" and _elements(made.operands) == 1
    )


def _elements(values: Iterable[Value]) -> int:
    count = 1
    for value in values:
        for size in value.type.shape if isinstance(value.type, TensorType) else ():
            count *= size
    return count
