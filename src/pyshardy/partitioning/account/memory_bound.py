"""Upper bounds of the peak memory of a counted program, without live ranges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from pyshardy.dialects.func import function_type, is_declaration
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.types import Type
from pyshardy.partitioning.account.buffer_aliases import buffer_owner, has_tensors_inside
from pyshardy.partitioning.account.counted import CountedPlan, CountedProgram
from pyshardy.partitioning.account.memory_model import MemoryModel
from pyshardy.partitioning.account.transposed_copies import most_copied


def memory_bound(plan: CountedPlan, model: MemoryModel) -> int:
    """An upper bound of the peak memory of ``plan`` by ``model``, in bytes: the sum of all values, whenever they live.
    Quicker than the peak itself."""
    return _MemoryBound(plan.local, model, plan.results).bytes


def memory_bound_unfused(plan: CountedPlan, model: MemoryModel) -> int:
    """An upper bound of the peak memory of ``plan``, too, as if nothing were fused: looser, but computed faster."""
    return _MemoryBound(plan.local, model._replace(fused_of=_nothing_fused), plan.results).bytes


def _nothing_fused(_: Sequence[Operation]) -> set[Value]:
    return set()


class _MemoryBound:
    """The ``bytes`` of all that stands in memory in a run of ``local``, which returns values of the types ``results``
    if these are not its own."""

    def __init__(self, local: CountedProgram, model: MemoryModel, results: Sequence[Type] | None) -> None:
        self._local = local
        self._model = model
        self._sizes: dict[Type, int] = {}
        type = function_type(local.entry)
        # Twice, since a result may be made elsewhere and copied into its buffer; so may a donated argument.
        self.bytes = 2 * sum(map(self._size, (*type.inputs, *(type.results if results is None else results))))
        self._returned = Counter(map(buffer_owner, local.entry.body.terminator.operands))
        functions = functions_by_name(local.module).values()
        waiting = [function.body for function in functions if not is_declaration(function)]
        for block in waiting:
            waiting += self._add_block(block)

    def _size(self, type: Type) -> int:
        found = self._sizes.get(type)
        if found is None:
            found = self._sizes[type] = max(self._model.bytes_of(type), self._model.boundary_bytes_of(type))
        return found

    def _add_block(self, block: Block) -> list[Block]:
        """Adds what operations of ``block`` make; the blocks that these run."""
        operations, multiplicities, copied, inside = block.operations(), self._local.multiplicities, 0, list[Block]()
        fused, sizes = self._model.fused_of(operations), self._sizes
        if multiplicities and block is self._local.entry.body:
            fused -= self._fused_unlike_counterpart(fused)
        for op in operations:
            times = multiplicities.get(op, 1)
            for result in op.results:
                if result not in fused:
                    made = sizes.get(result.type)
                    size = self._size(result.type) if made is None else made
                    self.bytes += size * times * self._returned.get(result, 1)
            if self._model.copies_operands:
                # A copy may be kept for later readers in the same order.
                copied += most_copied(op, self._size) * times
            if op.regions and has_tensors_inside(op):
                inside += [one for region in op.regions for one in region.blocks]
        # A loop may copy its arguments.
        carried = sum([self._size(value.type) for one in inside for value in one.arguments])
        self.bytes += copied + carried * (2 if self._model.copies_operands else 1)
        return inside

    def _fused_unlike_counterpart(self, fused: Set[Value]) -> set[Value]:
        """The values of which either they or their counterparts are in ``fused``, but not both."""
        return {
            value
            for op, other in self._local.alike
            for value, alike in zip(op.results, other.results, strict=True)
            if (value in fused) != (alike in fused)
        }
