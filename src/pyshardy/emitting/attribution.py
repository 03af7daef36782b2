"""Who needs a collective: the operation of the global program that is at work, and the tensor that it moves.

The partitioner says which operation it is at (``Attribution``), the resharder which tensor; ``collectives`` writes both
into its account, and reports read them there.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.emitting.layout import Sharded
from pyshardy.ir.operation import Operation, Value

_FURTHEST = 16


class Attribution:
    """An operation of the global program with its operands, as they are when its localizer begins."""

    __slots__ = ("op", "operands")

    def __init__(self, op: Operation, operands: Sequence[Sharded]) -> None:
        self.op = op
        self.operands = operands

    def tensor(self, moved: Sharded | None, local: Value) -> Value | None:
        """The global value that goes through a collective: an operand, or what the operation makes.

        ``moved`` is the tensor whose layout is being changed, if that is why; ``local`` is what the collective takes.
        An operand may have been masked, cut or padded on the way; what has gone through the operation is its result.
        """
        if moved is not None:
            found = self._operand(moved)
            if found is not None:
                return found
            local = moved.value
        return self._behind(local) or self._result(moved)

    def _operand(self, moved: Sharded) -> Value | None:
        for value, operand in zip(self.op.operands, self.operands, strict=True):
            if operand.versions is moved.versions:
                return value
        return None

    def _behind(self, local: Value) -> Value | None:
        """The operand that ``local`` is a form of, if the operation itself has not been at it."""
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
            if made is None or len(pending) > _FURTHEST:
                continue
            if made.name == self.op.name:
                return None
            pending.extend(made.operands)
        return None

    def _result(self, moved: Sharded | None) -> Value | None:
        results = self.op.results
        same = (one for one in results if moved is not None and one.type is moved.type)
        return next(same, results[0] if results else None)
