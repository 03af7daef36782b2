"""The memory model: the bytes of values, which of them have a buffer, and the order in which operations run.

``liveness`` and ``memory`` are given one. ``XLA_CPU`` is that of XLA's CPU backend; ``analysis.cost.memory_layout``
makes those of accelerators.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from pyshardy.ir.operation import Block, Operation, Use, Value
from pyshardy.ir.types import I1, TensorType, TupleType, Type, size_in_bytes
from pyshardy.partitioning.account.depth_first import MAX_REORDERED, depth_first, has_at_most
from pyshardy.partitioning.account.fusion import fused_values, fused_values_on_cpus
from pyshardy.partitioning.account.transposed_copies import TransposedCopies


@lru_cache(maxsize=1 << 14)
def type_bytes(type: Type) -> int:
    """Bytes of a value of ``type``, a byte for each boolean; 0 for tokens."""
    if isinstance(type, TensorType):
        if not type.has_static_shape:
            return 0
        return prod(type.shape) if type.element is I1 else size_in_bytes(type)
    return sum(map(type_bytes, type.elements)) if isinstance(type, TupleType) else 0


class OperationOrder(NamedTuple):
    """The operations of a block in the order in which they run, the values that are fused, and the uses by which
    readers compute values again (``duplicated_uses``), None if these have not been looked for."""

    operations: list[Operation]
    fused: set[Value]
    duplicated: Collection[Use] | None = None


class MemoryModel(NamedTuple):
    """How values are stored: the bytes of a type (``bytes_of``), of the type of an argument or result of the program
    (``boundary_bytes_of``), and which results of operations, all of one block, are fused and have no buffer
    (``fused_of``). Blocks of at most ``max_reordered`` operations run depth first. ``copies_operands`` says whether
    products copy operands that they require in another dimension order (``transposed_copies``), and whether donated
    arguments are copied that are read independently of the result in their buffer (``donated``)."""

    bytes_of: Callable[[Type], int] = type_bytes
    boundary_bytes_of: Callable[[Type], int] = type_bytes
    fused_of: Callable[[Sequence[Operation]], set[Value]] = fused_values
    max_reordered: int = MAX_REORDERED
    copies_operands: bool = False

    def schedule(
        self, block: Block, max_reordered: int | None = None, copied: Callable[[], Collection[Value]] = tuple
    ) -> OperationOrder:
        """How ``block`` runs. ``copied`` gives the arguments that are copied. ``max_reordered`` replaces that of the
        model."""
        operations = block.operations()
        fused = self.fused_of(operations)
        if not has_at_most(operations, self.max_reordered if max_reordered is None else max_reordered):
            return OperationOrder(operations, fused)
        if not self.copies_operands:
            return OperationOrder(depth_first(operations, fused, self.bytes_of, copied()), fused)
        again = TransposedCopies(operations, fused)
        found = depth_first(operations, fused, self.bytes_of, copied(), again.operand_kernels())
        return OperationOrder(found, fused, again.duplicated)


XLA_CPU = MemoryModel(fused_of=fused_values_on_cpus, copies_operands=True)
"""Every value has the bytes of its elements; copies are made as XLA's CPU backend makes them."""

IN_PROGRAM_ORDER = MemoryModel(max_reordered=0)
"""Without copies; operations run in the order in which they are written."""
