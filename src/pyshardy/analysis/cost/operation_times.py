"""The time of each operation and each collective of a plan in a step: the summands of ``estimate``, for pictures."""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.ir.operation import Operation


@dataclass(frozen=True)
class OperationTimes:
    """Seconds on ``hardware``, by operation of the local program: ``seconds`` of all that compute, with all the times
    that a step meets them; ``collectives`` of those that communicate, once; ``runs`` is how often a step meets each."""

    hardware: Hardware
    seconds: dict[Operation, float]
    collectives: dict[Operation, float]
    runs: dict[Operation, int]


def operation_times(timed: TimedPlan) -> OperationTimes:
    """The times of what ``timed`` runs."""
    step = timed.step
    return OperationTimes(
        timed.hardware,
        {op: step.timed[op].seconds * runs for op, runs in step.runs.items() if step.timed[op].seconds},
        {one.op: timed.communication.seconds(one.op).after for one in timed.plan.collectives},
        dict(step.runs),
    )
