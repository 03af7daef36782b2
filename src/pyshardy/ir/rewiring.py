"""Another wiring of a program for a while: who reads what, and in which order uses stand.

What looks at a part of a program as if it stood alone exchanges the few operands that lead out of it, looks, and
exchanges them again; what it would erase reads nothing meanwhile. Nothing is entered in ``change_log``, as nothing has
changed afterwards.
"""

from __future__ import annotations

from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation, Use, Value


class Rewiring:
    """The ``operands`` of some operations and the ``uses`` of some values, which fit together."""

    def __init__(self, operands: dict[Operation, list[Value]], uses: dict[Value, dict[Use, None]]) -> None:
        self._operands = operands
        self._uses = uses

    def remember(self, op: Operation) -> None:
        """Takes in how ``op`` is wired now."""
        self._operands[op] = op.operands
        for value in op.operands:
            self._uses.setdefault(value, value._uses.copy())

    def exchange(self) -> None:
        """Exchanges them for those that the operations and values have now."""
        for op, operands in self._operands.items():
            self._operands[op], op.operands = op.operands, operands
        for value, uses in self._uses.items():
            self._uses[value], value._uses = value._uses, uses


class Removals:
    """Operations that stand where they stood but read nothing, in the order in which they came."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self._wiring = Rewiring({}, {})

    def add(self, op: Operation) -> None:
        """Lets ``op``, and what is in it, read nothing."""
        self.operations.append(op)
        for nested in op.operations():
            self._wiring.remember(nested)
        rewriting.drop_operands(op)

    def undo(self) -> None:
        """Lets all of them read what they read."""
        self._wiring.exchange()
