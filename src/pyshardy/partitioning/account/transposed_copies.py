"""Copies of operands that matrix products, convolutions and collectives need in another dimension order, as XLA's CPU
backend makes them.

A product of two matrices reads either operand in row-major or column-major order without a copy. An operand is copied
into the order that the product requires where several dimensions count as one (as examples and positions do, over which
the gradient of a weight sums), or where batch dimensions do not come first. If an elementwise kernel makes the operand,
and other operations read it as it is stored, the kernel runs again and writes the operand in the required order: then
the values that the kernel reads live until the product. A product that merges dimensions has its operand computed for
it alone in the same way, in the order in which it is stored. The exception are elementwise operations on results of
products alone, such as a ReLU: XLA stores them as matrices, as products are.

A collective joins pieces along the first dimension. If another dimension is to be joined, the result of an all-gather
is copied afterwards, the operand of a reduce-scatter before, unless an elementwise operation reads or writes it in that
order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from pyshardy.dialects.func import callee
from pyshardy.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value
from pyshardy.ir.types import TensorType, Type, element_count
from pyshardy.partitioning.account.added_scatters import added_scatter
from pyshardy.partitioning.account.buffer_aliases import buffer_owner
from pyshardy.partitioning.account.duplicated_uses import duplicated_uses, kept_instead
from pyshardy.partitioning.account.fusible import ALL_TO_ALL, PRODUCT, has_several_non_broadcasts, is_cheap
from pyshardy.partitioning.account.fusion import InlinedCalls
from pyshardy.partitioning.account.kernels import OperandKernels
from pyshardy.partitioning.account.window_temporaries import WITH_WINDOWS, group_temporaries, window_temporaries

_UNCHANGED: tuple[int, ...] = ()
_MERGED = (-1,)
"""Marks an operand that is read in the order in which it is stored, with dimensions merged or dropped."""
_NUMBERS = {PRODUCT: "dot_dimension_numbers", "stablehlo.convolution": "dimension_numbers"}
"""Operations that require an order of dimensions, and the property that says which dimension is what."""
_ALL_GATHER, _REDUCE_SCATTER = "stablehlo.all_gather", "stablehlo.reduce_scatter"
_JOINED_DIM = {_ALL_GATHER: "all_gather_dim", _REDUCE_SCATTER: "scatter_dimension"}
_COLLECTIVES = frozenset({ALL_TO_ALL, *_JOINED_DIM})


def required_order(op: Operation, number: int) -> tuple[int, ...]:
    """The order of dimensions, without those of size 1, in which ``op`` requires operand ``number``; empty if it reads
    the operand as it is stored."""
    numbers, type = op.properties.get(_NUMBERS.get(op.name, "")), op.operands[number].type
    if not isinstance(type, TensorType):
        return _UNCHANGED
    if isinstance(numbers, ConvDimensionNumbers):
        return _required_by_convolution(numbers, number, type)
    if not isinstance(numbers, DotDimensionNumbers):
        return _UNCHANGED
    is_first = number == 0
    summed = numbers.lhs_contracting if is_first else numbers.rhs_contracting
    batch = numbers.lhs_batching if is_first else numbers.rhs_batching
    free = [dim for dim in range(len(type.shape)) if dim not in summed and dim not in batch]
    outer, inner, own = ([dim for dim in dims if type.shape[dim] != 1] for dims in (batch, summed, free))
    required = [*outer, *own, *inner] if is_first else [*outer, *inner, *own]
    stored = sorted(required)
    are_matrices = len(inner) < 2 and len(own) < 2 and outer == stored[: len(outer)]
    return _UNCHANGED if are_matrices or required == stored else tuple(required)


def most_copied(op: Operation, size: Callable[[Type], int]) -> int:
    """An upper bound of the bytes that are copied for ``op``; ``size`` gives the bytes of a type."""
    if op.name in _NUMBERS or op.name in _COLLECTIVES:
        pairs = 2 * group_temporaries(op, lambda value: size(value.type))
        return pairs + sum([size(value.type) for value in (*op.operands, *op.results)])
    return sum([bytes for _, bytes in window_temporaries(op, lambda value: size(value.type))])


def _required_by_convolution(numbers: ConvDimensionNumbers, number: int, type: TensorType) -> tuple[int, ...]:
    """The order that a convolution requires: batch, spatial dimensions, features; for the kernel spatial dimensions,
    features of the input, features of the output."""
    if number == 0:
        order = numbers.input_batch, *numbers.input_spatial, numbers.input_feature
    else:
        order = *numbers.kernel_spatial, numbers.kernel_input_feature, numbers.kernel_output_feature
    required = [dim for dim in order if type.shape[dim] != 1]
    return _UNCHANGED if required == sorted(required) else tuple(required)


class KeptCopy(NamedTuple):
    """A copy of ``value`` that operation number ``first`` keeps for later products that require the same order; number
    ``last`` is the last of these."""

    value: Value
    first: int
    last: int


class TransposedCopies:
    """Which operands and results the products and collectives among ``operations``, all of one block in the order in
    which they run, need in another dimension order. The values ``fused`` have no buffers. The uses ``duplicated`` are
    found if they are not given."""

    def __init__(
        self,
        operations: Sequence[Operation],
        fused: Collection[Value],
        duplicated: Collection[Use] | None = None,
    ) -> None:
        self._numbers = {op: number for number, op in enumerate(operations)}
        self._required: dict[Operation, tuple[tuple[int, ...], ...]] = {}
        self._fused = fused
        for op in operations:
            if op.name in _NUMBERS:
                required = tuple([required_order(op, number) for number in range(len(op.operands))])
                if any(required):
                    self._required[op] = required
        self.calls = InlinedCalls(operations, on_cpus=True)
        self.duplicated: Collection[Use] = (
            duplicated_uses(operations, fused, self.calls) if duplicated is None else duplicated
        )
        """The uses by which an elementwise reader computes a value again that has a buffer for others."""
        self.kept_instead = kept_instead(operations, fused, self.calls)
        """For results of calls the types of the values that are kept in memory instead of them."""
        self._as_matrices = self._values_as_matrices(operations)
        self.recomputed: set[Value] = set()
        """The values that are computed again in the order that a product requires."""
        self.computed_until: dict[Value, int] = {}
        """The number of the last operation for which each of these is computed again."""
        readers: dict[tuple[Value, tuple[int, ...]], list[Use]] = {}
        for op in operations:
            for number, value in enumerate(op.operands if op.name in _NUMBERS else ()):
                order = _UNCHANGED if value in fused else self._order_or_merged(op, number)
                if order and self._is_recomputed(value):
                    self.recomputed.add(value)
                if order and (order != _MERGED or value in self.recomputed):
                    readers.setdefault((value, order), []).append((op, number))
        self.kept: list[KeptCopy] = []
        self.recomputed_uses: dict[Use, Use] = {}
        """For each use that reads such a copy, the first use of that copy."""
        for (value, order), uses in readers.items():
            places = [self._numbers[op] for op, _ in uses]
            if value in self.recomputed:
                self.recomputed_uses.update(dict.fromkeys(uses, uses[0]))
                self.computed_until[value] = max(places[0], self.computed_until.get(value, -1))
            elif not self._has_later_reader(value, uses[0][0], order):
                continue
            if len(places) > 1:
                self.kept.append(KeptCopy(value, places[0], places[-1]))
        self._kept_from: dict[int, list[Value]] = {}
        self._kept_until: dict[int, list[Value]] = {}
        for one in self.kept:
            self._kept_from.setdefault(one.first, []).append(one.value)
            self._kept_until.setdefault(one.last, []).append(one.value)
        self._merged = {use for (_, order), uses in readers.items() if order == _MERGED for use in uses}
        self.only_recomputed = {
            one
            for one in self.recomputed
            if all(self.reads_copy(user, at) or (user, at) in self.duplicated for user, at in one._uses)
        }
        """The recomputed values that no operation reads as they are stored."""

    def operand_kernels(self) -> OperandKernels:
        """The kernels that make operands for ``depth_first``."""
        copied: dict[Use, Use] = {}
        recomputed = dict(self.recomputed_uses)
        first: dict[tuple[Value, tuple[int, ...]], Use] = {}
        for op, required in self._required.items():
            for number, order in enumerate(required):
                use = op, number
                if order and use not in self.recomputed_uses:
                    value = op.operands[number]
                    kernels = recomputed if self._is_computed_by_copy(value) else copied
                    kernels[use] = first.setdefault((value, order), use)
        collectives = [op for op in self._numbers if op.name in _COLLECTIVES]
        joined = {op: copy for op in collectives if (copy := _joined_copy(op)) is not None}
        pieces = {op: count for op in collectives if (count := _pieces(op)) > 1}
        return OperandKernels(recomputed, copied, self.duplicated, joined, pieces)

    def _is_computed_by_copy(self, value: Value) -> bool:
        """Whether a kernel that copies ``value`` computes it from what it is made of."""
        return isinstance(value, OpResult) and value.owner in self._numbers and self.calls.is_duplicated(value)

    def reads_copy(self, op: Operation, number: int) -> bool:
        """Whether ``op`` reads its operand ``number`` from a copy: in another order than it is stored in, or computed
        again with dimensions merged."""
        required = self._required.get(op)
        return (required is not None and bool(required[number])) or (op, number) in self._merged

    def keep(self, number: int, kept: Counter[Value]) -> None:
        """Adds to ``kept`` the copies that operation ``number`` keeps for later products."""
        kept.update(self._kept_from.get(number, ()))

    def release(self, number: int, kept: Counter[Value]) -> None:
        """Removes from ``kept`` the copies that operation ``number`` is the last to read."""
        kept.subtract(self._kept_until.get(number, ()))

    def works_in_place(self, op: Operation) -> bool:
        """Whether the elementwise ``op`` may write its result into the buffer of an operand. It may not where a product
        reads the result with other dimensions."""
        result = op.results[0]
        if result in self._as_matrices:
            return True
        return not any(user.name == PRODUCT and _is_reshaped(user, at) for user, at in result._uses)

    def copied_for(
        self, op: Operation, freed: Collection[Value], size: Callable[[Value], int]
    ) -> list[tuple[Value, int]]:
        """The copies that exist only while ``op`` runs, each as the value copied and its bytes. The values ``freed``
        are not read after ``op``."""
        if op.name in _JOINED_DIM:
            return self._copied_by_collective(op, freed, size)
        if op.name in WITH_WINDOWS:
            return window_temporaries(op, size)
        if op.name == ALL_TO_ALL:
            # The slices of the operand, whose room the result takes as far as nothing is freed.
            operand = op.operands[0]
            kept = size(operand) - min(size(op.results[0]), sum(map(size, freed)))
            return [(operand, kept)] if kept > 0 else []
        orders = self._required.get(op, (_UNCHANGED,) * len(op.operands))
        copied = [
            (value, size(value))
            for number, (value, order) in enumerate(zip(op.operands, orders, strict=True))
            if (order and (value in self.recomputed or self._has_later_reader(value, op, order)))
            or (op, number) in self._merged
        ]
        pairs = group_temporaries(op, size)
        if not pairs:
            return copied
        # The copies are free by the time that pairs are selected, and the room of both by that of the result.
        result = op.results[0]
        return [(result, max(pairs + sum([bytes for _, bytes in copied]), 2 * pairs) - size(result))]

    def _copied_by_collective(
        self, op: Operation, freed: Collection[Value], size: Callable[[Value], int]
    ) -> list[tuple[Value, int]]:
        """The copy that exists only while the collective ``op`` runs, with its bytes. If nothing else reads the
        operand, its buffer is free by the time that the copy of an all-gather's result is made; of a reduce-scatter, by
        the time that the result is made from the copy of the operand."""
        larger = _joined_copy(op)
        if larger is None:
            return []
        operand, result = op.operands[0], op.results[0]
        smaller = operand if larger is result else result
        is_freed = buffer_owner(operand) in freed
        return [(larger, size(larger) - (size(smaller) if is_freed else 0))]

    def _has_later_reader(self, value: Value, op: Operation, order: tuple[int, ...]) -> bool:
        """Whether ``value`` is needed beside its copy in ``order``: it is an argument, or an operation that runs after
        ``op`` reads it in another order."""
        if isinstance(buffer_owner(value), BlockArgument):
            return True
        place, numbers = self._numbers[op], self._numbers
        return any(numbers.get(user, -1) > place and self._order(user, at) != order for user, at in value._uses)

    def _order(self, op: Operation, number: int) -> tuple[int, ...]:
        required = self._required.get(op)
        return _UNCHANGED if required is None else required[number]

    def _order_or_merged(self, op: Operation, number: int) -> tuple[int, ...]:
        """The order in which ``op`` requires its operand ``number``; ``_MERGED`` if it is a product that reads the
        operand as it is stored, but with dimensions merged."""
        order = self._order(op, number)
        if order or op.name != PRODUCT or _reads_from_memory(op, number) or op.operands[number] in self._as_matrices:
            return order
        return _MERGED if _is_reshaped(op, number) else order

    def _is_recomputed(self, value: Value) -> bool:
        """Whether ``value`` is the result of a cheap elementwise operation, and not all read it in one other order."""
        if not isinstance(value, OpResult) or value in self._as_matrices:
            return False
        op = value.owner
        if op not in self._numbers or added_scatter(op) is not None:
            return False
        inlined = self.calls.of(op)
        cheap = inlined.is_recomputable[value.index] if inlined is not None else _is_cheap_elementwise(op)
        cheap = cheap or (op.name == "stablehlo.transpose" and op.operands[0] in self._fused)
        orders = {self._order_or_merged(user, number) for user, number in value._uses}
        if not cheap or (len(orders) == 1 and _UNCHANGED not in orders):
            return False
        return not has_several_non_broadcasts(op.operands) or not any(
            _reads_from_memory(user, at) for user, at in value._uses
        )

    # --- values stored as matrices ------------------------------------------------------------------------------------

    def _values_as_matrices(self, operations: Sequence[Operation]) -> set[Value]:
        """The values of more than two dimensions that XLA stores as matrices: results of products, and of elementwise
        operations on these alone, unless some reader needs the dimensions."""
        found: set[Value] = set()
        for op in operations:
            if op.name == "stablehlo.reshape" or (op.name == PRODUCT and _is_of_higher_rank(op)):
                found.update(op.results)
        moved: set[Operation] = set()
        waiting = self._elementwise_readers(found)
        while True:
            able = {op for op in waiting if op not in moved and _reads_only(op, found)}
            held: set[Operation] = set()
            bound = {op for op in able if not self._may_work_on_matrices(op, found, able | moved)}
            while bound:
                able -= bound
                held |= bound
                bound = {op for op in able if not self._may_work_on_matrices(op, found, able | moved)}
            if not able:
                return found
            moved |= able
            made = {op.results[0] for op in able}
            found |= made
            waiting = held | self._elementwise_readers(made)

    def _elementwise_readers(self, values: Iterable[Value]) -> set[Operation]:
        """The operations of the block that read one of ``values`` and are a single elementwise operation."""
        users = {user for value in values for user in value.users if user in self._numbers}
        return {op for op in users if len(op.results) == 1 and self._is_one_elementwise_operation(op)}

    def _may_work_on_matrices(self, op: Operation, rows: Collection[Value], moving: Collection[Operation]) -> bool:
        """Whether every reader of the operands of ``op`` in ``rows`` can read them as matrices: operations in
        ``moving``, reshapes, and products that need no copy."""
        return all(
            user in moving or user.name == "stablehlo.reshape" or (user.name == PRODUCT and not self._order(user, at))
            for value in op.operands
            if value in rows
            for user, at in value._uses
        )

    def _is_one_elementwise_operation(self, op: Operation) -> bool:
        """Whether ``op`` is one elementwise operation, or calls a function that consists of one."""
        if self.calls.of(op) is None:
            return bool(op.traits & ELEMENTWISE)
        body = self.calls.functions[callee(op)].body
        inside = [one for one in body if one.results and not _is_one_number(one.results[0])]
        return len(inside) == 1 and bool(inside[0].traits & ELEMENTWISE)


def _joined_copy(op: Operation) -> Value | None:
    """The value that is copied because the collective ``op`` joins pieces along another dimension than the first; None
    if there is none."""
    along, type = op.properties.get(_JOINED_DIM.get(op.name, "")), op.operands[0].type if op.operands else None
    if not isinstance(along, IntegerAttr) or not isinstance(type, TensorType):
        return None
    if all(one == 1 for one in type.shape[: along.value]):
        return None
    if op.name == _ALL_GATHER:
        result = op.results[0]
        return None if all(user.traits & ELEMENTWISE for user in result.users) else result
    made = op.operands[0].defining_op
    return None if made is not None and made.traits & ELEMENTWISE else op.operands[0]


def _pieces(op: Operation) -> int:
    """Into how many slices ``op`` cuts its operand."""
    count = op.properties.get("split_count") if op.name == ALL_TO_ALL else None
    return count.value if isinstance(count, IntegerAttr) else 1


def _reads_from_memory(op: Operation, number: int) -> bool:
    """Whether ``op`` reads operand ``number`` from its own buffer: a reduction, a convolution, or a product of matrices
    does. A product of more dimensions reads it through a bitcast, into which producers can be fused."""
    if op.name == PRODUCT:
        type = op.operands[number].type
        return isinstance(type, TensorType) and len(type.shape) < 3
    return op.name in ("stablehlo.reduce", "stablehlo.convolution")


def _is_cheap_elementwise(op: Operation) -> bool:
    return bool(op.traits & ELEMENTWISE) and is_cheap(op)


def _is_reshaped(op: Operation, number: int) -> bool:
    """Whether the product ``op`` merges or drops dimensions of operand ``number``."""
    numbers = op.properties.get("dot_dimension_numbers")
    type = op.operands[number].type
    if not isinstance(numbers, DotDimensionNumbers) or not isinstance(type, TensorType):
        return False
    summed = len(numbers.lhs_contracting)
    free = type.rank - len(numbers.lhs_batching) - summed
    return 1 in type.shape or free > 1 or summed > 1


def _is_of_higher_rank(op: Operation) -> bool:
    """Whether the product ``op`` without batch dimensions has a result with more than two dimensions of a size other
    than 1."""
    numbers, type = op.properties.get("dot_dimension_numbers"), op.results[0].type
    if not isinstance(numbers, DotDimensionNumbers) or numbers.lhs_batching or not isinstance(type, TensorType):
        return False
    return sum(size != 1 for size in type.shape) > 2


def _reads_only(op: Operation, rows: Collection[Value]) -> bool:
    """Whether ``op`` reads ``rows``, and otherwise only values that have the same number in every element."""
    return any(value in rows for value in op.operands) and all(
        value in rows or _is_one_number(value) for value in op.operands
    )


def _is_one_number(value: Value) -> bool:
    made = value.defining_op
    if made is None:
        return False
    return made.name == "stablehlo.constant" or (
        made.name == "stablehlo.broadcast_in_dim" and element_count(made.operands[0].type) == 1
    )
