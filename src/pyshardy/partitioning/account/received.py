"""The bytes that each device receives in a run of a local program, by function and by operation.

A function counts as often as it is called. A loop counts ``_ITERATIONS`` times, because few programs tell how often it
iterates. Candidate plans are compared by the sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.stablehlo.trip_count import loops_around
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import Operation

_ITERATIONS = 8
"""How often a loop is assumed to iterate."""


class Received:
    """The bytes received in ``local``, a module all of whose collectives are in ``emitted``."""

    def __init__(self, local: Operation, emitted: Sequence[Collective]) -> None:
        self.functions = functions_by_name(local)
        self._own = {one.op: one.bytes for one in emitted}
        self._known: dict[Operation, float] = {}

    def by_function(self, function: Operation) -> float:
        """The bytes that each device receives in a call of ``function``."""
        found = self._known.get(function)
        if found is None:
            found = self._known[function] = self._by(function.operations())
        return found

    def by_operations(self, operations: Iterable[Operation]) -> float:
        """The bytes that each device receives in ``operations`` and their regions."""
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
                moved += received * _ITERATIONS ** len(list(loops_around(op)))
        return moved
