"""Finds the first operation of the local program whose shards are wrong.

The partitioner recorded the local versions of every global value, so both programs run again, and these are compared in
the order of the local program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pyshardy.checking.comparison import Difference, compared
from pyshardy.checking.labels import labels_of
from pyshardy.checking.programs import Programs
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.number_systems import NumberSystem
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, OpResult, Value
from pyshardy.ir.source_location import source_location


@dataclass(frozen=True)
class WrongOperation:
    """The first operation of the local program with wrong shards: its name and place in the program, its result in the
    source program, and where it differs."""

    operation: str
    location: str
    source: str
    difference: Difference

    def __str__(self) -> str:
        return f"{self.operation} at {self.location}, from {self.source}: {self.difference}"


def first_wrong_operation(
    programs: Programs, inputs: list[Array], numbers: NumberSystem, seed: int
) -> WrongOperation | None:
    """The first operation whose shards differ from those of its global value; None if values are not matched, or the
    difference begins inside of a loop."""
    if programs.correspondence is None or programs.is_guessed:
        return None
    context = programs.correspondence.module.context
    labels = labels_of(programs)
    targets = {
        local: label
        for local, label in labels.items()
        if isinstance(local, OpResult) and isinstance(label.value, OpResult)
    }
    expected = _recorded(programs, inputs, numbers, {value for value, _ in targets.values()})
    found: list[WrongOperation] = []

    def watch(name: str, evaluate: Evaluator) -> Evaluator:
        def watched(frame: Frame, op: Operation, operands: list[Array]) -> Sequence[Array]:
            results = evaluate(frame, op, operands)
            for result, value in zip(op.results, results, strict=False):
                target = targets.get(result)
                if found or target is None or target[0] not in expected or not frame.whole:
                    continue
                source, layout = target
                shards = value if len(value) > 1 else value[[0] * programs.devices]
                local_shape = getattr(result.type, "shape", ())
                difference = compared(expected[source], shards, layout, local_shape).first
                if difference is not None:
                    found.append(wrong_operation(op, source, difference, context))
            return results

        return watched

    programs.run_local(inputs, numbers, seed, watch)
    return found[0] if found else None


def wrong_operation(op: Operation, source: Value, difference: Difference, context: Context) -> WrongOperation:
    """The description of ``op``, whose shards are not those of ``source``."""
    place = str(source_location(op.location, context))
    made = source.owner.name if isinstance(source, OpResult) else "a block argument"
    return WrongOperation(op.name, place, f"{made} of type {source.type}", difference)


def _recorded(programs: Programs, inputs: list[Array], numbers: NumberSystem, wanted: set[Value]) -> dict[Value, Array]:
    """The values of the traced program that are computed just once in a run."""
    recorded: dict[Value, Array] = {}
    times: Counter[Value] = Counter()

    def watch(name: str, evaluate: Evaluator) -> Evaluator:
        def watched(frame: Frame, op: Operation, operands: list[Array]) -> Sequence[Array]:
            results = evaluate(frame, op, operands)
            for result, value in zip(op.results, results, strict=False):
                if result in wanted and not isinstance(value, tuple):
                    times[result] += 1
                    recorded[result] = value[0]
            return results

        return watched

    programs.run_traced(inputs, numbers, watch)
    return {value: array for value, array in recorded.items() if times[value] == 1}
