"""The order in which XLA runs the operations of a block: depth first, from the values that the block returns.

XLA orders operations before it assigns memory. Each kernel runs after the kernels that it reads from (``kernels``), and
no earlier than a reader needs it. Among the kernels that one kernel reads from, that one comes first whose value, with
all the values that it is computed from, has the most readers; of equals the one that is computed from the most bytes.
Both sums count a kernel once for each path through the graph. The sum of readers is capped at the number of kernels,
that of bytes at the bytes made so far; constants and arguments do not count. Of those that are still equal, XLA takes
the first by name: it numbers elementwise kernels from the last on, other kernels from the first. So products that
compute gradients of weights, which only the end of the program reads, may come late, and their operands stay in memory
as long.

The order agrees with XLA's optimised programs to the last operation (docs/cost.md). Blocks of more than
``MAX_REORDERED`` operations keep the order of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, OpResult, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.kernels import Kernels, Node, OperandKernels, postorder, read_by

MAX_REORDERED = 2_500
"""Blocks with more operations than this keep the order in which they are written."""
_ONCE: Mapping[Operation, int] = MappingProxyType({})
_PLAIN = OperandKernels()


def has_at_most(operations: Iterable[Operation], most: int, times: Mapping[Operation, int] = _ONCE) -> bool:
    """Whether ``operations``, each counted as often as ``times`` says (once, if it says nothing), are at most ``most``;
    never if that is 0."""
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
    made: OperandKernels = _PLAIN,
) -> list[Operation]:
    """The ``operations`` of a block in the order in which they run. The values ``fused`` have no buffers, the arguments
    ``copied`` are copied where they are first read; ``made`` are kernels that make operands. Operations that no
    returned value depends on run directly after the last operation that they read from."""
    if len(operations) < 3:
        return list(operations)
    kernels = Kernels(operations, fused, copied, made)
    last: Node = operations[-1]
    weights = _weights(kernels, postorder(last, kernels.reads), bytes_of)
    numbers = {op: -number if op.traits & ELEMENTWISE else number for number, op in enumerate(operations)}

    def first(node: Node) -> tuple[int, int, int]:
        readers, size = weights[node]
        maker = kernels.maker(node)
        return -readers, -size, -1 if maker is None else numbers.get(maker, -1)

    found: list[Operation] = []
    placed: set[Operation] = set()
    for node in postorder(last, lambda one: sorted(kernels.reads(one), key=first)):
        if isinstance(node, Operation):
            found += postorder(node, kernels.fused_into, placed)
    return found if len(found) == len(operations) else _with_others(found, operations)


def _weights(kernels: Kernels, nodes: Sequence[Node], bytes_of: Callable[[Type], int]) -> dict[Node, tuple[int, int]]:
    """For each of ``nodes`` the two numbers by which XLA orders it: how many readers beyond the first it and the nodes
    that it depends on have, and how many bytes these make."""
    readers: dict[Node, int] = {}
    for node in nodes:
        for other in kernels.reads(node):
            readers[other] = readers.get(other, 0) + kernels.times_read(node, other)
    found: dict[Node, tuple[int, int]] = {}
    made = 0
    for node in nodes:
        if kernels.weighs_nothing(node):
            found[node] = 0, 0
            continue
        size = kernels.bytes_written(node, bytes_of)
        made += size
        times = max(readers.get(node, 0) - 1, 0) + kernels.pieces(node) - 1
        for other in kernels.reads(node):
            other_times, other_size = found[other]
            paths = kernels.times_read(node, other) * kernels.pieces(other)
            times += paths * other_times
            size += paths * other_size
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
