"""The kernels of a block, and which other kernels each reads from, as XLA's CPU backend makes them.

A kernel is an operation whose result has a buffer, with all operations that are fused into it (``fusion``). Other
kernels belong to no operation of the program (``OperandKernels``): those that compute an operand of a product again, or
copy it into another order of dimensions; the slices into which an all-to-all cuts its operand; copies for loops.
``depth_first`` orders kernels by what they read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from pyshardy.ir.opdef import CONSTANT_LIKE, ELEMENTWISE
from pyshardy.ir.operation import Operation, OpResult, Use, Value
from pyshardy.ir.types import Type, element_count
from pyshardy.partitioning.account.buffer_aliases import has_tensors_inside

_WHILE = "stablehlo.while"
_NO_USES: Mapping[Use, Use] = MappingProxyType({})
_NO_PIECES: Mapping[Operation, int] = MappingProxyType({})
_NO_COPIES: Mapping[Operation, Value] = MappingProxyType({})
_NO_TIMES: Mapping[Operation, int] = MappingProxyType({})

_T = TypeVar("_T")

Node = Operation | Value | Use
"""A kernel, named by its last operation, or by the operand that it computes again or copies; or an argument that is
copied."""


class OperandKernels(NamedTuple):
    """The kernels that make operands. The operands ``recomputed`` are computed again for products, and the operands
    ``copied`` are copied, by one kernel for all products that require an operand in one order: each use is mapped to
    the first of these. By a use in ``duplicated`` the reader computes the operand, from the operands of its operation.
    ``joined`` maps a collective to the value that is copied for it: its operand or its result. An operation in
    ``pieces`` reads so many slices of its operand, and makes as many slices of its result, which its readers join."""

    recomputed: Mapping[Use, Use] = _NO_USES
    copied: Mapping[Use, Use] = _NO_USES
    duplicated: Collection[Use] = ()
    joined: Mapping[Operation, Value] = _NO_COPIES
    pieces: Mapping[Operation, int] = _NO_PIECES


class _Joined(NamedTuple):
    """The pieces that ``op`` makes, joined by a reader."""

    op: Operation


class Kernels:
    """The kernels of a block of ``operations``. The values ``fused`` have no buffers, the arguments ``copied`` are
    copied where they are first read; ``made`` are kernels that make operands. ``count`` is how many there are, with the
    arguments."""

    def __init__(
        self,
        operations: Sequence[Operation],
        fused: Collection[Value],
        copied: Collection[Value],
        made: OperandKernels,
    ) -> None:
        self._block: Final = operations[-1].parent
        self._copied, self._made = copied, made
        self._copies = frozenset(made.copied.values())
        self._reads: dict[Node, list[Node]] = {}
        self._of_loops: dict[Operation, Counter[Operation]] = {}
        """For each loop how often it has an operand that an operation makes."""
        self.count = len(set(made.recomputed.values())) + len(self._copies)
        self.count += len(self._block.arguments) + len(copied) if self._block is not None else 0
        self._fused_operations: set[Operation] = set()
        for op in operations:
            results = op.results
            if results and (results[0] in fused if len(results) == 1 else all(one in fused for one in results)):
                self._fused_operations.add(op)
                continue
            self.count += 1 + 2 * made.pieces.get(op, 0)
            if op.name == _WHILE:
                makers = [value.owner for value in op.operands if isinstance(value, OpResult)]
                self._of_loops[op] = Counter([one for one in makers if len(one.results) == 1])
        self._fused_values = fused
        self._last: Final = operations[-1]
        self._ranks: dict[Operation, int] = {}

    def reads(self, node: Node) -> list[Node]:
        """The kernels and copied arguments that the kernel ``node`` reads from, in XLA's order of operands."""
        found = self._reads.get(node)
        if found is None:
            found = self._reads[node] = self._found_reads(node)
        return found

    def times_read(self, node: Node, other: Node) -> int:
        """How many kernels of ``node`` read from ``other``: the slices of an all-to-all; a loop, and the copies that it
        has made of an operand which it gets several times."""
        if not isinstance(node, Operation):
            return 1
        if node in self._of_loops and isinstance(other, Operation):
            return max(1, self._of_loops[node][other])
        return self.pieces(node)

    def pieces(self, node: Node) -> int:
        """How many values a reader of ``node`` reads."""
        return self._made.pieces.get(node, 1) if isinstance(node, Operation) else 1

    def weighs_nothing(self, node: Node) -> bool:
        """Whether ``node`` is a constant, or a number computed from constants."""
        return isinstance(node, Operation) and _is_constant(node)

    def bytes_written(self, node: Node, bytes_of: Callable[[Type], int]) -> int:
        """The bytes of the buffers that the kernel ``node`` writes, and of the copies that are made for it."""
        if not isinstance(node, Operation):
            return bytes_of((node[0].operands[node[1]] if isinstance(node, tuple) else node).type)
        written: list[Value] = [result for result in node.results if result not in self._fused_values]
        if node in self._made.pieces:
            written += node.operands
        if node in self._made.joined:
            written.append(self._made.joined[node])
        for other, times in self._of_loops.get(node, _NO_TIMES).items():
            written += other.results * (times - 1)
        return sum([bytes_of(value.type) for value in written])

    def is_fused(self, op: Operation) -> bool:
        """Whether no result of ``op`` has a buffer."""
        return op in self._fused_operations

    def maker(self, node: Node) -> Operation | None:
        """The operation whose result the kernel ``node`` writes; None for arguments."""
        if isinstance(node, tuple):
            return node[0].operands[node[1]].defining_op
        return node if isinstance(node, Operation) else None

    def fused_into(self, op: Operation) -> Iterator[Operation]:
        """The operations that make operands of ``op`` and are fused into it."""
        nodes = map(self._node, read_by(op))
        return (node for node in nodes if isinstance(node, Operation) and node in self._fused_operations)

    def _makers(self, op: Operation) -> list[Operation]:
        """The operations of the block that make what ``op`` reads."""
        makers = [value.owner for value in read_by(op) if isinstance(value, OpResult)]
        return [one for one in makers if one.parent is self._block]

    def _node(self, value: Value) -> Node | None:
        if isinstance(value, OpResult):
            return value.owner if value.owner.parent is self._block else None
        return value if value in self._copied else None

    def _found_reads(self, node: Node) -> list[Node]:
        if isinstance(node, Operation):
            return self._read_by_product(node) if self._has_own_operands(node) else self._read_by(node)
        if not isinstance(node, tuple):
            return []
        made = self._node(node[0].operands[node[1]])
        if not isinstance(made, Operation):
            return [] if made is None else [made]
        return [made] if node in self._copies and made not in self._fused_operations else self._read_by(made)

    def _has_own_operands(self, op: Operation) -> bool:
        """Whether kernels make operands for the product ``op``."""
        recomputed, copied = self._made.recomputed, self._made.copied
        if not recomputed and not copied:
            return False
        return any((op, number) in recomputed or (op, number) in copied for number in range(len(op.operands)))

    def _read_by_product(self, op: Operation) -> list[Node]:
        """What the product ``op`` reads: nothing is fused into it."""
        found: list[Node] = []
        for number, value in enumerate(op.operands):
            use = op, number
            node = self._made.recomputed.get(use) or self._made.copied.get(use) or self._node(value)
            found += [node] if node is not None and node not in found else []
        return found

    def _read_by(self, op: Operation) -> list[Node]:
        """What the kernel that ends in ``op`` reads. XLA replaces a fused operand by the operands of its operation,
        which are appended at the end. It begins with the operand that the program computes last."""
        found: list[Node] = []
        seen, again = set[Node](), set[Node]()
        level: list[Operation | _Joined] = [op]
        while level:
            below: list[Operation | _Joined] = []
            for one in level:
                if isinstance(one, _Joined):
                    if one.op not in seen:
                        seen.add(one.op)
                        found.append(one.op)
                    continue
                for number, value in enumerate(read_by(one)):
                    node = self._node(value)
                    if isinstance(node, Operation) and (one, number) in self._made.duplicated:
                        below += [node] if node not in again else []
                        again.add(node)
                    elif node is None or node in seen:
                        continue
                    elif isinstance(node, Operation) and node in self._made.pieces and one.traits & ELEMENTWISE:
                        below.append(_Joined(node))
                    else:
                        seen.add(node)
                        if isinstance(node, Operation) and node in self._fused_operations:
                            below.append(node)
                        else:
                            found.append(node)
            level = sorted(below, key=self._last_first) if len(below) > 1 else below
        return found

    def _last_first(self, one: Operation | _Joined) -> int:
        if not self._ranks:
            self._ranks.update((op, rank) for rank, op in enumerate(postorder(self._last, self._makers)))
        return -self._ranks.get(one.op if isinstance(one, _Joined) else one, -1)


def _is_constant(op: Operation) -> bool:
    if op.traits & CONSTANT_LIKE:
        return True
    if not op.traits & ELEMENTWISE or len(op.results) != 1 or element_count(op.results[0].type) != 1:
        return False
    makers = [value.defining_op for value in op.operands]
    return bool(makers) and all(made is not None and _is_constant(made) for made in makers)


def postorder(last: _T, reads: Callable[[_T], Iterable[_T]], seen: set[_T] | None = None) -> list[_T]:
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


def read_by(op: Operation) -> Iterable[Value]:
    """The values that ``op`` reads, itself and in regions that work on tensors."""
    if not has_tensors_inside(op):
        return op.operands
    return [*op.operands, *(value for nested in op.walk() if nested is not op for value in nested.operands)]
