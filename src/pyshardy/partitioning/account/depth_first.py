"""The order in which a compiler runs a block of moderate size: depth first, from what the block returns.

XLA orders operations before it assigns memory: each kernel stands behind all that it reads, and no earlier than
somebody needs it. Of what a kernel reads, that comes first which most is read of besides, itself and by all that it is
made of; then that which is made of most bytes. Both are counted again on each way that leads to them, and no further
than there are kernels, and bytes that are made before. Of equals XLA takes the first by name: elementwise kernels are
numbered from the last on, others from the first. So products that make the gradients of weights, which nothing
but a result waits for, may come late, and what they read is kept as long. A kernel is what stands in memory with all
that passes into it (``fusion``).

XLA's optimised programs are in this order to the last operation (docs/cost.md), and blocks larger than ``MODERATE``
are left as they stand: layers that are folded are counted so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeVar

from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, OpResult, Use, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.fusion import has_tensors_inside

MODERATE = 2_500
"""Blocks of more operations run as they stand."""
_ONCE: Mapping[Operation, int] = MappingProxyType({})
_NO_USES: Mapping[Use, Use] = MappingProxyType({})

_T = TypeVar("_T")

_Node = Operation | Value | Use
"""A kernel, by the operation that it ends in, or by the operand that it makes anew; or an argument that is copied."""


def is_moderate(operations: Iterable[Operation], most: int, times: Mapping[Operation, int] = _ONCE) -> bool:
    """Whether ``operations``, which stand for as many as ``times`` say, are at most ``most``."""
    count = 0
    for op in operations:
        count += times.get(op, 1)
        if count > most:
            return False
    return most > 0


def depth_first(
    operations: Sequence[Operation],
    passing: Collection[Value],
    bytes_of: Callable[[Type], int],
    copied: Collection[Value] = (),
    remade: Mapping[Use, Use] = _NO_USES,
) -> list[Operation]:
    """The ``operations`` of a block as they run, if what is ``passing`` never stands in memory, the arguments that are
    ``copied`` are so where they are first read, and the operands that are ``remade`` are made anew, once for all that
    read them in one order, of which the first is given; what nothing returned needs, at once behind what it reads."""
    if len(operations) < 3:
        return list(operations)
    kernels = Kernels(operations, passing, copied, remade)
    last: _Node = operations[-1]
    weights = _weights(kernels, _behind_what_they_read(last, kernels.reads), bytes_of)
    numbers = {op: -number if op.traits & ELEMENTWISE else number for number, op in enumerate(operations)}

    def first(node: _Node) -> tuple[int, int, int]:
        readers, size = weights[node]
        if isinstance(node, tuple):
            return -readers, -size, numbers[kernels.remade(node)]
        return -readers, -size, numbers[node] if isinstance(node, Operation) else -1

    found: list[Operation] = []
    placed: set[Operation] = set()
    for node in _behind_what_they_read(last, lambda one: sorted(kernels.reads(one), key=first)):
        if isinstance(node, Operation):
            found += _behind_what_they_read(node, kernels.passing_into, placed)
    return found if len(found) == len(operations) else _with_others(found, operations)


class Kernels:
    """The kernels of a block: what they read from memory, and what passes into them."""

    def __init__(
        self,
        operations: Sequence[Operation],
        passing: Collection[Value],
        copied: Collection[Value],
        remade: Mapping[Use, Use] = _NO_USES,
    ) -> None:
        self._block: Final = operations[-1].parent
        self._copied, self._remade = copied, remade
        self._reads: dict[_Node, list[_Node]] = {}
        self.count = len(set(remade.values())) + (
            len(self._block.arguments) + len(copied) if self._block is not None else 0
        )
        self._passing: set[Operation] = set()
        for op in operations:
            results = op.results
            if results and (results[0] in passing if len(results) == 1 else all(one in passing for one in results)):
                self._passing.add(op)
            else:
                self.count += 1
        self.passing = passing

    def passes(self, op: Operation) -> bool:
        """Whether nothing that ``op`` makes stands in memory."""
        return op in self._passing

    def reads(self, node: _Node) -> list[_Node]:
        """What the kernel ``node`` reads, in the order in which XLA lists it: what passes gives way to what that reads,
        which comes last."""
        found = self._reads.get(node)
        if found is None:
            made = self.remade(node) if isinstance(node, tuple) else node
            found = self._reads[node] = self._read_by(made) if isinstance(made, Operation) else []
        return found

    def remade(self, use: Use) -> Operation:
        """The operation whose result is made anew for ``use``."""
        op, number = use
        made = op.operands[number].defining_op
        assert made is not None
        return made

    def size(self, node: _Node, bytes_of: Callable[[Type], int]) -> int:
        """The bytes of what the kernel ``node`` makes in memory."""
        if isinstance(node, Operation):
            return sum([bytes_of(result.type) for result in node.results if result not in self.passing])
        value = node[0].operands[node[1]] if isinstance(node, tuple) else node
        return bytes_of(value.type)

    def _read_by(self, op: Operation) -> list[_Node]:
        found: list[_Node] = []
        if self._remade and any((op, number) in self._remade for number in range(len(op.operands))):
            # A product, into which nothing passes.
            for number, value in enumerate(op.operands):
                node = self._remade.get((op, number)) or self._node(value)
                found += [node] if node is not None and node not in found else []
            return found
        waiting, seen = [op], set[_Node]()
        for one in waiting:
            for value in read_by(one):
                node = self._node(value)
                if node is None or node in seen:
                    continue
                seen.add(node)
                if isinstance(node, Operation) and node in self._passing:
                    waiting.append(node)
                else:
                    found.append(node)
        return found

    def _node(self, value: Value) -> _Node | None:
        if isinstance(value, OpResult):
            return value.owner if value.owner.parent is self._block else None
        return value if value in self._copied else None

    def passing_into(self, op: Operation) -> Iterator[Operation]:
        """The operations that pass into ``op``."""
        nodes = map(self._node, read_by(op))
        return (node for node in nodes if isinstance(node, Operation) and node in self._passing)


def _behind_what_they_read(last: _T, reads: Callable[[_T], Iterable[_T]], seen: set[_T] | None = None) -> list[_T]:
    """What ``last`` needs, and itself, each behind what it ``reads``; without those that were ``seen`` before."""
    found: list[_T] = []
    seen = set() if seen is None else seen
    seen.add(last)
    waiting = [(last, iter(reads(last)))]
    while waiting:
        node, others = waiting[-1]
        for other in others:
            if other not in seen:
                seen.add(other)
                waiting.append((other, iter(reads(other))))
                break
        else:
            waiting.pop()
            found.append(node)
    return found


def _weights(kernels: Kernels, nodes: Sequence[_Node], bytes_of: Callable[[Type], int]) -> dict[_Node, tuple[int, int]]:
    """For each of ``nodes`` how often it, and what it is made of, is read beyond once, and how many bytes that is."""
    readers: dict[_Node, int] = {}
    for node in nodes:
        for other in kernels.reads(node):
            readers[other] = readers.get(other, 0) + 1
    found: dict[_Node, tuple[int, int]] = {}
    made = 0
    for node in nodes:
        size = kernels.size(node, bytes_of)
        made += size
        times = max(readers.get(node, 0) - 1, 0)
        for other in kernels.reads(node):
            its_times, its_size = found[other]
            times += its_times
            size += its_size
        found[node] = min(times, kernels.count), min(size, made)
    return found


def _with_others(found: list[Operation], operations: Sequence[Operation]) -> list[Operation]:
    """``found`` with the others of ``operations``, each behind the last that it reads; at first if it reads none."""
    numbers = {op: number for number, op in enumerate(found)}
    behind: dict[int, list[Operation]] = {}
    for op in operations:
        if op not in numbers:
            read = [numbers.get(value.owner, -1) for value in read_by(op) if isinstance(value, OpResult)]
            numbers[op] = max(read, default=-1)
            behind.setdefault(numbers[op], []).append(op)
    return [*behind.get(-1, ()), *(one for number, op in enumerate(found) for one in (op, *behind.get(number, ())))]


def read_by(op: Operation) -> Iterable[Value]:
    """What ``op`` reads, in its regions, too."""
    if not has_tensors_inside(op):
        return op.operands
    return [*op.operands, *(value for nested in op.walk() if nested is not op for value in nested.operands)]
