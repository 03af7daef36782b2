"""The order in which a compiler runs a block of moderate size: depth first, from what the block returns.

XLA orders operations before it assigns memory. In programs of moderate size it does so depth first: an operation stands
behind all that it reads, in the order of its operands, and no earlier than somebody needs it. So products that make
the gradients of weights, which nothing but a result waits for, come late, and what they read is kept as long. In
programs of many layers that would keep too much, and XLA finds an order that needs no more than that in which the
program stands. Many layers are seen by their products: the same ones, by the types of their operands, come again and
again.

Measured: ``python -m benchmarks.cost_model``, docs/cost.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from pyshardy.ir.operation import Block, Operation, OpResult, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.fusion import has_tensors_inside

MODERATE = 2_500
"""Blocks of more operations run as they stand."""
_MANY_LAYERS = 8
"""So do those in which each product is there so many times, on average."""
_PRODUCTS = frozenset({"stablehlo.convolution", "stablehlo.dot_general"})
_ONCE: Mapping[Operation, int] = MappingProxyType({})


def in_order(block: Block, most: int = MODERATE) -> list[Operation]:
    """The operations of ``block`` as they run: depth first if there are at most ``most``, and few layers; else as they
    stand."""
    operations = list(block)
    return depth_first(operations) if is_moderate(operations, most) else operations


def is_moderate(operations: Iterable[Operation], most: int, times: Mapping[Operation, int] = _ONCE) -> bool:
    """Whether ``operations``, which stand for as many as ``times`` say, are at most ``most``, of few layers."""
    if not most:
        return False
    count = 0
    products: Counter[tuple[Type, ...]] = Counter()
    for op in operations:
        number = times.get(op, 1)
        count += number
        if op.name in _PRODUCTS:
            products[tuple([value.type for value in op.operands])] += number
    return count <= most and products.total() < _MANY_LAYERS * max(len(products), 1)


def depth_first(operations: list[Operation]) -> list[Operation]:
    """The ``operations`` of a block, each behind what it reads; what nothing returned needs, at once behind that."""
    if len(operations) < 2:
        return operations
    last = operations[-1]
    found: list[Operation] = []
    seen = {last}
    waiting: list[tuple[Operation, Iterator[Value]]] = [(last, iter(_read(last)))]
    while waiting:
        op, values = waiting[-1]
        for value in values:
            made = value.owner if isinstance(value, OpResult) else None
            if made is not None and made not in seen and made.parent is last.parent:
                seen.add(made)
                waiting.append((made, iter(_read(made))))
                break
        else:
            waiting.pop()
            found.append(op)
    return found if len(found) == len(operations) else _with_others(found, operations)


def _with_others(found: list[Operation], operations: list[Operation]) -> list[Operation]:
    """``found`` with the others of ``operations``, each behind the last that it reads; at first if it reads none."""
    numbers = {op: number for number, op in enumerate(found)}
    behind: dict[int, list[Operation]] = {}
    for op in operations:
        if op not in numbers:
            read = [numbers.get(value.owner, -1) for value in _read(op) if isinstance(value, OpResult)]
            numbers[op] = max(read, default=-1)
            behind.setdefault(numbers[op], []).append(op)
    return [*behind.get(-1, ()), *(one for number, op in enumerate(found) for one in (op, *behind.get(number, ())))]


def _read(op: Operation) -> Iterable[Value]:
    """What ``op`` reads, in its regions, too."""
    if not has_tensors_inside(op):
        return op.operands
    return [*op.operands, *(value for nested in op.walk() if nested is not op for value in nested.operands)]
