"""The annotations of a program: the shardings that its author wrote, and their names. Every chain of steps ends at one.

``chains`` and ``blockers`` find annotations; ``edits`` changes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.analysis.why.names import TracedNames
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.source_location import SourceLocation
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.sharding.tensor import TensorSharding

ARGUMENT, RESULT, CONSTRAINT = "argument", "result", "constraint"
MANUAL, OPERATION = "manual computation", "operation"
ORIGIN_KINDS = (ARGUMENT, RESULT, CONSTRAINT, MANUAL, OPERATION)


_ARTICLES = {
    CONSTRAINT: "the constraint",
    MANUAL: "the manual computation with",
    OPERATION: "the sharding written on",
}


@dataclass(frozen=True)
class Annotation:
    """A sharding of the author's: of an ``argument`` or ``result`` of a function, a ``constraint``, an ``operation``
    that carries one, or a ``manual computation``. ``given`` is the value (or function result) of the source program
    that it annotates, ``sharding`` its sharding there. ``has_source`` says that the location is in the author's code,
    not in the text of the program."""

    kind: str
    name: str
    sharding: TensorSharding
    location: SourceLocation
    given: Value | FunctionResult
    has_source: bool

    @property
    def text(self) -> str:
        """``argument params['w']``, ``the constraint %8 (model.py:12)``."""
        if self.kind in (ARGUMENT, RESULT):
            return self.name if self.name.startswith(self.kind) else f"{self.kind} {self.name}"
        place = f" ({self.location.place})" if self.location.place else ""
        return f"{_ARTICLES[self.kind]} {self.name}{place}"

    def as_json(self) -> dict[str, object]:
        """The annotation as plain values."""
        return {"kind": self.kind, "name": self.name, "sharding": self.sharding.body_text}


class Annotations:
    """The annotations of ``traced``."""

    def __init__(self, traced: TracedProgram, names: TracedNames) -> None:
        self._traced = traced
        self._names = names
        self._has_source = traced.source.has_locations

    def at(self, slot: ShardingSlot) -> Annotation | None:
        """The annotation that ``slot`` had from the beginning."""
        given = self._traced.value(slot)
        return self.of_source(given) if given is not None else None

    def of_source(self, given: Value | FunctionResult) -> Annotation | None:
        """The annotation of a value of the source program; for the result of a call without one, that of the called
        function's result."""
        sharding = self._traced.given_sharding(given)
        if sharding is None:
            behind = self._traced.called_result(given)
            return self.of_source(behind) if behind is not None else None
        kind, where = _kind(given), self._names.location(given)
        name = self._names.name(given)
        if kind == MANUAL and isinstance(given, BlockArgument):
            name, where = f"operand {given.index}", self._names.location(given.owner.parent_op)
        return Annotation(kind, name, sharding, where, given, self._has_source)

    def of_operation(self, op: Operation, number: int) -> Annotation | None:
        """The annotation of ``op``, a constraint or manual computation, for its operand ``number``."""
        given = self._traced.numbering.operation(op)
        if given is None:
            return None
        if given.name == "sdy.sharding_constraint":
            return self.of_source(given.results[0])
        return self.of_source(given.body.arguments[number])


def _kind(given: Value | FunctionResult) -> str:
    if isinstance(given, FunctionResult):
        return RESULT
    op = given.owner.parent_op if isinstance(given, BlockArgument) else given.defining_op
    assert op is not None
    if op.name == "func.func":
        return ARGUMENT
    if op.name == "sdy.manual_computation":
        return MANUAL
    return CONSTRAINT if op.name == "sdy.sharding_constraint" else OPERATION
