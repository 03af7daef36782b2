"""How long each operation and each collective of a plan takes in a step: what the sums of ``estimate`` are made of.

For pictures and traces, which show the parts. ``step`` and ``communication`` stand left of this file.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyshardy.analysis.cost.communication import Communication
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.hardware_files import Source, hardware
from pyshardy.analysis.cost.step import walk_step
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.plan import Plan


@dataclass(frozen=True)
class OperationTimes:
    """Seconds on ``hardware``, by operation of the local program: ``seconds`` of all that compute, with all the times
    that a step meets them; ``collectives`` of those that communicate, once; ``runs`` is how often a step meets each."""

    hardware: Hardware
    seconds: dict[Operation, float]
    collectives: dict[Operation, float]
    runs: dict[Operation, int]


def operation_times(plan: Plan, on: Source | Hardware) -> OperationTimes:
    """The times of what ``plan`` runs on the hardware ``on``.

    Raises:
        HardwareProblem: there is no such hardware, its description is wrong, or the mesh of the plan does not fit it.
        OSError: the file cannot be read.
    """
    found = hardware(on)
    communication = Communication(plan, found)
    entry = functions_by_name(plan.local.op)[plan.entry]
    step = walk_step(plan.local.op, entry, found.chip, lambda op: communication.seconds(op).after)
    return OperationTimes(
        found,
        {op: step.timed[op].seconds * runs for op, runs in step.runs.items() if step.timed[op].seconds},
        {one.op: communication.seconds(one.op).after for one in plan.collectives},
        dict(step.runs),
    )
