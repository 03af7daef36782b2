"""Detection: operations in whose properties layers may differ."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import chain

from pyshardy.folding.detecting.free_constants import FreeConstants
from pyshardy.folding.detecting.free_slices import SLICE, FreeSlices
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.operation import Block, Operation
from pyshardy.ir.operation_kinds import OperationKinds


class FreeOperations:
    """The free constants and the free slices that stand in ``body``. ``kinds`` are those of all operations of the
    program, ``functions`` its functions by name."""

    def __init__(self, kinds: OperationKinds, body: Block, functions: Mapping[str, Operation]) -> None:
        self.constants = FreeConstants(kinds, body, functions)
        self.slices = FreeSlices(kinds, body)

    def __bool__(self) -> bool:
        return bool(self.constants.values or self.slices.starts)

    def __contains__(self, op: object) -> bool:
        return op in self.constants.values or op in self.slices.starts

    def groups(self) -> Iterable[list[Operation]]:
        """Those that are equal, of which the partitioner makes one."""
        return chain(self.constants.groups.values(), self.slices.groups.values())

    def _like(self, op: Operation) -> FreeConstants | FreeSlices:
        """The free operations that are what ``op`` is."""
        return self.slices if op.name == SLICE else self.constants

    def is_copy(self, op: Operation, source: Operation) -> bool:
        """Whether ``op``, which was made of ``source``, is still a copy of it, and ``source`` is free."""
        return self._like(op).is_copy(op, source)

    def common(self, op: Operation, source: Operation) -> Hashable:
        """The properties of ``op``, a copy of ``source``, that have to be those of other layers."""
        return self._like(op).common(op, source)

    def properties(self, op: Operation, other: Operation) -> DictionaryAttr | None:
        """The properties that a copy of ``other`` has in the place of ``op``, a copy of a free operation; None if
        ``other`` is not free."""
        return self._like(op).properties(op, other)
