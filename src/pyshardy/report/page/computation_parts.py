"""The time of computation in three parts, each by the scopes of the source: matrix products, operations limited by
memory, the rest.

The times are those of ``analysis.cost``; ``program_paths`` has the scopes of operations. ``largest_costs`` ranks the
parts, and the view of time shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.ir.operation import Operation
from pyshardy.report.page.program_paths import ProgramPaths

PRODUCTS, MEMORY, REST = "matrix products", "waits for memory", "other arithmetic"
PARTS = (PRODUCTS, MEMORY, REST)


@dataclass
class ComputationShare:
    """One of the three parts: its ``seconds`` in a step, those of each scope, and of each source operation."""

    name: str
    seconds: float = 0.0
    by_scope: dict[str, float] = field(default_factory=dict)
    by_operation: dict[Operation, float] = field(default_factory=dict)

    def largest(self, most: int) -> list[tuple[str, float]]:
        """The scopes that take most of its time."""
        return sorted(self.by_scope.items(), key=lambda row: -row[1])[:most]


@dataclass
class Work:
    """The work of a source operation in a step on one device."""

    operation: Operation
    flops: float
    bytes: float
    seconds: float
    part: int


def computation_parts(
    timed: TimedPlan, traced: TracedProgram, paths: ProgramPaths
) -> tuple[list[ComputationShare], list[Work]]:
    """The parts, and the work of each operation, those that take longest first."""
    parts = [ComputationShare(name) for name in PARTS]
    works: dict[tuple[Operation, int], Work] = {}
    for op, runs in timed.step.runs.items():
        one = timed.step.timed[op]
        seconds = runs * one.seconds
        given = traced.numbering.operation(op)
        if not seconds:
            continue
        number = 0 if one.work.product is not None else 2 if one.is_compute else 1
        part = parts[number]
        part.seconds += seconds
        if given is None:
            part.by_scope["made by the partitioner"] = part.by_scope.get("made by the partitioner", 0.0) + seconds
            continue
        scope = scope_text(paths.of(given).path)
        part.by_scope[scope] = part.by_scope.get(scope, 0.0) + seconds
        part.by_operation[given] = part.by_operation.get(given, 0.0) + seconds
        work = works.setdefault((given, number), Work(given, 0.0, 0.0, 0.0, number))
        work.flops += runs * one.work.flops
        work.bytes += runs * one.work.bytes
        work.seconds += seconds
    return parts, sorted(works.values(), key=lambda row: -row.seconds)


def scope_text(path: Sequence[str]) -> str:
    """The scopes in a line."""
    return " / ".join(path) or "the step itself"
