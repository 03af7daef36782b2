"""The seconds and bytes that each operation of the source program costs a device.

A plan has the costs of its local operations; ``why.traced_program`` maps each of these to an operation of the source
program. ``viewers`` shows the sums at the source operations.
"""

from __future__ import annotations

from collections import defaultdict

from pyshardy.analysis.cost.operation_times import OperationTimes
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.ir.operation import Operation


def seconds_by_source(traced: TracedProgram, times: OperationTimes) -> dict[Operation, float]:
    """The seconds that each operation computes in a step, and those of the collectives that it needs."""
    found: defaultdict[Operation, float] = defaultdict(float)
    for op, seconds in times.seconds.items():
        given = traced.numbering.operation(op)
        if given is not None:
            found[given] += seconds
    for one in traced.plan.collectives:
        given = traced.needing(one)
        if given is not None:
            found[given] += one.counted_turns * times.collectives.get(one.op, 0.0)
    return dict(found)


def bytes_by_source(traced: TracedProgram) -> dict[Operation, float]:
    """The bytes that each device receives in the collectives that each operation needs, with all iterations of
    loops."""
    found: dict[Operation, float] = {}
    for one in traced.plan.collectives:
        given = traced.needing(one)
        if given is not None:
            found[given] = found.get(given, 0.0) + one.run_bytes
    return found
