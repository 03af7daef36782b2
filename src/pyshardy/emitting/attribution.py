"""Attribution of a collective: the operation of the global program that needs it, and the tensor that it moves.

The partitioner notes the current operation (``Attribution``), the resharder the tensor; ``collectives`` records both
with each collective, for reports.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import Operation, Value

_MAX_VALUES = 16
"""How many values are followed backwards from the operand of a collective."""


class Attribution:
    """An operation of the global program, with its operands as they are when it is localized."""

    __slots__ = ("op", "operands")

    def __init__(self, op: Operation, operands: Sequence[Sharded]) -> None:
        self.op = op
        self.operands = operands

    def tensor(self, moved: Sharded | None, local: Value) -> Value | None:
        """The global value that a collective moves: an operand of the operation, or one of its results.

        ``moved`` is the tensor that is being resharded, if the collective is part of a reshard; ``local`` is the
        operand of the collective. It may be an operand that was masked, sliced or padded; a value that the operation
        itself has computed belongs to its result.
        """
        if moved is not None:
            found = self._operand(moved)
            if found is not None:
                return found
            local = moved.value
        return self._operand_behind(local) or self._result(moved)

    def _operand(self, moved: Sharded) -> Value | None:
        for value, operand in zip(self.op.operands, self.operands, strict=True):
            if operand.versions is moved.versions:
                return value
        return None

    def _operand_behind(self, local: Value) -> Value | None:
        """The operand that ``local`` was computed from without the operation itself; None if there is none."""
        forms = {
            form.value: value
            for value, operand in zip(self.op.operands, self.operands, strict=True)
            for form in operand.versions
        }
        pending = [local]
        for one in pending:
            if one in forms:
                return forms[one]
            made = one.defining_op
            if made is None or len(pending) > _MAX_VALUES:
                continue
            if made.name == self.op.name:
                return None
            pending.extend(made.operands)
        return None

    def _result(self, moved: Sharded | None) -> Value | None:
        results = self.op.results
        same = (one for one in results if moved is not None and one.type is moved.type)
        return next(same, results[0] if results else None)
