"""What each device receives in a run of a local program: the bytes of its collectives, by function and by operation.

A function counts as often as it is called, a loop takes a few turns, since few programs say how many.
``candidate_plans`` compares programs by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.trip_count import loops_around
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import Operation

_TURNS = 8


class Received:
    """The account of the module ``local``, of whose collectives each is one of ``emitted``."""

    def __init__(self, local: Operation, emitted: Sequence[Collective]) -> None:
        self.functions = functions_by_name(local)
        self._own = {one.op: one.bytes for one in emitted}
        self._known: dict[Operation, float] = {}

    def by_function(self, function: Operation) -> float:
        """What each device receives in a call of ``function``."""
        found = self._known.get(function)
        if found is None:
            found = self._known[function] = self._by(function.operations())
        return found

    def by_operations(self, operations: Iterable[Operation]) -> float:
        """What each device receives in ``operations`` and what is in them."""
        return self._by([nested for op in operations for nested in (op.operations() if op.regions else (op,))])

    def _by(self, operations: Iterable[Operation]) -> float:
        moved = 0.0
        own = self._own
        for op in operations:
            if op in own:
                received = own[op]
            elif op.name == "func.call":
                received = self.by_function(self.functions[callee(op)])
            else:
                continue
            if received:
                moved += received * _TURNS ** len(list(loops_around(op)))
        return moved
