"""The order in which XLA runs the operations of a block: depth first, from the values that the block returns.

XLA orders operations before it assigns memory. Each kernel runs after the kernels that it reads from, and no earlier
than a reader needs it. Among the kernels that one kernel reads from, that one comes first whose value, with all the
values that it is computed from, has the most readers; of equals the one that is computed from the most bytes. Both are
counted once for each path through the graph, up to the number of kernels, and up to the bytes made before. Of those
that are still equal, XLA takes the first by name: it numbers elementwise kernels from the last on, other kernels from
the first. So products that compute gradients of weights, which only the end of the program reads, may come late, and
their operands stay in memory as long. A kernel is an operation whose result has a buffer, with all operations that are
fused into it (``fusion``).

The order agrees with XLA's optimised programs to the last operation (docs/cost.md). Blocks of more than
``MAX_REORDERED`` operations keep the order of the program: folded layers can be counted only so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeVar

from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, OpResult, Use, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.buffer_aliases import has_tensors_inside

MAX_REORDERED = 2_500
"""Blocks with more operations than this keep the order in which they are written."""
_ONCE: Mapping[Operation, int] = MappingProxyType({})
_NO_USES: Mapping[Use, Use] = MappingProxyType({})

_T = TypeVar("_T")

_Node = Operation | Value | Use
"""A kernel, named by its last operation, or by the operand that it computes again; or an argument that is copied."""


def has_at_most(operations: Iterable[Operation], most: int, times: Mapping[Operation, int] = _ONCE) -> bool:
    """Whether ``operations``, each counted as often as ``times`` says (once, if it says nothing), are at least one and
    at most ``most``."""
    count = 0
    for op in operations:
        count += times.get(op, 1)
        if count > most:
            return False
    return most > 0


def depth_first(
    operations: Sequence[Operation],
    fused: Collection[Value],
    bytes_of: Callable[[Type], int],
    copied: Collection[Value] = (),
    recomputed: Mapping[Use, Use] = _NO_USES,
    duplicated: Collection[Use] = (),
) -> list[Operation]:
    """The ``operations`` of a block in the order in which they run. The values ``fused`` have no buffers, the arguments
    ``copied`` are copied where they are first read. The operands ``recomputed`` are computed by kernels of their own,
    one for all products that require an operand in one order: each use is mapped to the first of these. By a use in
    ``duplicated`` the reader computes the operand, from the operands of its operation. Operations that no returned
    value depends on run directly after the last operation that they read from."""
    if len(operations) < 3:
        return list(operations)
    kernels = Kernels(operations, fused, copied, recomputed, duplicated)
    last: _Node = operations[-1]
    weights = _weights(kernels, _postorder(last, kernels.reads), bytes_of)
    numbers = {op: -number if op.traits & ELEMENTWISE else number for number, op in enumerate(operations)}

    def first(node: _Node) -> tuple[int, int, int]:
        readers, size = weights[node]
        if isinstance(node, tuple):
            return -readers, -size, numbers[kernels.recomputed(node)]
        return -readers, -size, numbers[node] if isinstance(node, Operation) else -1

    found: list[Operation] = []
    placed: set[Operation] = set()
    for node in _postorder(last, lambda one: sorted(kernels.reads(one), key=first)):
        if isinstance(node, Operation):
            found += _postorder(node, kernels.fused_into, placed)
    return found if len(found) == len(operations) else _with_others(found, operations)


class Kernels:
    """The kernels of a block: which other kernels each reads from, and which operations are fused into it."""

    def __init__(
        self,
        operations: Sequence[Operation],
        fused: Collection[Value],
        copied: Collection[Value],
        recomputed: Mapping[Use, Use] = _NO_USES,
        duplicated: Collection[Use] = (),
    ) -> None:
        self._block: Final = operations[-1].parent
        self._copied, self._recomputed = copied, recomputed
        self._duplicated: Final = duplicated
        self._reads: dict[_Node, list[_Node]] = {}
        self.count = len(set(recomputed.values())) + (
            len(self._block.arguments) + len(copied) if self._block is not None else 0
        )
        self._fused_operations: set[Operation] = set()
        for op in operations:
            results = op.results
            if results and (results[0] in fused if len(results) == 1 else all(one in fused for one in results)):
                self._fused_operations.add(op)
            else:
                self.count += 1
        self.fused_values = fused

    def is_fused(self, op: Operation) -> bool:
        """Whether no result of ``op`` has a buffer."""
        return op in self._fused_operations

    def reads(self, node: _Node) -> list[_Node]:
        """The kernels and copied arguments that the kernel ``node`` reads from, in the order in which XLA lists them: a
        fused operand is replaced by its own operands, which are appended at the end."""
        found = self._reads.get(node)
        if found is None:
            made = self.recomputed(node) if isinstance(node, tuple) else node
            found = self._reads[node] = self._read_by(made) if isinstance(made, Operation) else []
        return found

    def recomputed(self, use: Use) -> Operation:
        """The operation that is computed again for ``use``."""
        op, number = use
        made = op.operands[number].defining_op
        assert made is not None
        return made

    def size(self, node: _Node, bytes_of: Callable[[Type], int]) -> int:
        """The bytes of the buffers that the kernel ``node`` writes."""
        if isinstance(node, Operation):
            return sum([bytes_of(result.type) for result in node.results if result not in self.fused_values])
        value = node[0].operands[node[1]] if isinstance(node, tuple) else node
        return bytes_of(value.type)

    def _read_by(self, op: Operation) -> list[_Node]:
        """What the kernel that ends in ``op`` reads: operands of ``op``, and of operations that are fused into it."""
        found: list[_Node] = []
        if self._recomputed and any((op, number) in self._recomputed for number in range(len(op.operands))):
            # Nothing is fused into a product.
            for number, value in enumerate(op.operands):
                node = self._recomputed.get((op, number)) or self._node(value)
                found += [node] if node is not None and node not in found else []
            return found
        waiting, seen, again = [op], set[_Node](), set[_Node]()
        for one in waiting:
            for number, value in enumerate(read_by(one)):
                node = self._node(value)
                if isinstance(node, Operation) and self._duplicated and (one, number) in self._duplicated:
                    if node not in again:
                        again.add(node)
                        waiting.append(node)
                    continue
                if node is None or node in seen:
                    continue
                seen.add(node)
                if isinstance(node, Operation) and node in self._fused_operations:
                    waiting.append(node)
                else:
                    found.append(node)
        return found

    def _node(self, value: Value) -> _Node | None:
        if isinstance(value, OpResult):
            return value.owner if value.owner.parent is self._block else None
        return value if value in self._copied else None

    def fused_into(self, op: Operation) -> Iterator[Operation]:
        """The operations that make operands of ``op`` and are fused into it."""
        nodes = map(self._node, read_by(op))
        return (node for node in nodes if isinstance(node, Operation) and node in self._fused_operations)


def _postorder(last: _T, reads: Callable[[_T], Iterable[_T]], seen: set[_T] | None = None) -> list[_T]:
    """``last`` and all nodes that it depends on by ``reads``, each after those that it reads, without those in
    ``seen``."""
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
    """For each of ``nodes`` the two numbers by which XLA orders it: how many readers beyond the first it and the nodes
    that it depends on have, and how many bytes these make."""
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
            other_times, other_size = found[other]
            times += other_times
            size += other_size
        found[node] = min(times, kernels.count), min(size, made)
    return found


def _with_others(found: list[Operation], operations: Sequence[Operation]) -> list[Operation]:
    """``found`` with the operations that are not in it, each directly after the last operation that it reads from; in
    front of all, if it reads from none."""
    numbers = {op: number for number, op in enumerate(found)}
    following: dict[int, list[Operation]] = {}
    for op in operations:
        if op not in numbers:
            read = [numbers.get(value.owner, -1) for value in read_by(op) if isinstance(value, OpResult)]
            numbers[op] = max(read, default=-1)
            following.setdefault(numbers[op], []).append(op)
    return [
        *following.get(-1, ()),
        *(one for number, op in enumerate(found) for one in (op, *following.get(number, ()))),
    ]


def read_by(op: Operation) -> Iterable[Value]:
    """The values that ``op`` reads, itself and in regions that work on tensors."""
    if not has_tensors_inside(op):
        return op.operands
    return [*op.operands, *(value for nested in op.walk() if nested is not op for value in nested.operands)]
