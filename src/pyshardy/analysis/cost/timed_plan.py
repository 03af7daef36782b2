"""A plan on hardware: how long each of its operations and collectives takes, worked out once for all that asks.

The sums are ``estimate``'s, ``operation_times`` and ``schedule`` show the parts.
"""

from __future__ import annotations

from pyshardy.analysis.cost.communication import Communication
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.hardware_files import Source, hardware
from pyshardy.analysis.cost.step import walk_step
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.partitioning.plan import Plan


class TimedPlan:
    """``plan`` on the hardware ``on``: its ``communication``, the ``step`` of a device, and the function ``entry`` of
    the local program with which that begins.

    Raises:
        HardwareProblem: there is no such hardware, its description is wrong, or the mesh of the plan does not fit it.
        OSError: the file cannot be read.
    """

    def __init__(self, plan: Plan, on: Source | Hardware) -> None:
        self.plan = plan
        self.hardware = hardware(on)
        self.communication = Communication(plan, self.hardware)
        self.entry = functions_by_name(plan.local.op)[plan.entry]
        self.step = walk_step(
            plan.local.op, self.entry, self.hardware.chip, lambda op: self.communication.seconds(op).after
        )
