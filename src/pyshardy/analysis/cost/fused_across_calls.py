"""Arguments and results of functions that are fused at every call, and so never written to memory.

Compilers inline private functions: ``silu`` and ``where`` share the kernels around them. An operation of a function is
timed once for all of its calls, so a value that it reads or returns counts as fused only if it is at each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.partitioning.account.buffer_aliases import buffer_owner
from pyshardy.partitioning.account.fusion import fused_values


class FusedAcrossCalls:
    """The fused values of each block that holds calls (``of``). For each body of a function that is called, those of
    its arguments and returned values that are fused at every call (``at_every_call``)."""

    def __init__(self, functions: Mapping[str, Operation]) -> None:
        self._fused: dict[Block, set[Value]] = {}
        self.at_every_call: dict[Block, set[Value]] = {}
        stored: set[Value] = set()
        for call in _calls(functions.values()):
            function, block = functions.get(callee(call)), call.parent
            if function is None or block is None or is_declaration(function):
                continue
            fused, body = self.of(block), function.body
            inside = (*body.arguments, *body.terminator.operands)
            outside = (*map(buffer_owner, call.operands), *call.results)
            self.at_every_call.setdefault(body, set()).update(inside)
            stored.update([own for own, other in zip(inside, outside, strict=True) if other not in fused])
        for values in self.at_every_call.values():
            values -= stored

    def of(self, block: Block) -> set[Value]:
        """The fused values of ``block``, looked at alone."""
        found = self._fused.get(block)
        if found is None:
            found = self._fused[block] = fused_values(block.operations())
        return found

    def of_operations(self, operations: Sequence[Operation]) -> set[Value]:
        """The fused values among ``operations``, all those of one block in order, looked at alone."""
        block = operations[0].parent if operations else None
        return set() if block is None else self.of(block).copy()


def _calls(functions: Collection[Operation]) -> Iterable[Operation]:
    if len(functions) < 2:
        return ()
    return (op for function in functions for op in function.operations() if op.name == "func.call")
