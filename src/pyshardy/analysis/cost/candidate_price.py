"""What a candidate plan is worth on hardware: whether it fits, and how long a step of it is expected to take."""

from __future__ import annotations

from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.hardware_files import Source, hardware
from pyshardy.analysis.cost.timed_plan import TimedProgram
from pyshardy.partitioning.account.counted import CountsDiffer
from pyshardy.partitioning.candidate_plan import CandidatePlan, CannotPrice
from pyshardy.partitioning.candidate_plans import Price, PriceOf
from pyshardy.sharding.mesh import Mesh


def seconds_on(source: Source | Hardware) -> PriceOf:
    """Prices candidate plans by seconds on the hardware ``source``.

    Raises:
        HardwareProblem: there is no such hardware, or its description is wrong.
        OSError: the file cannot be read.
    """
    found = hardware(source)

    def price(candidate: CandidatePlan, mesh: Mesh | None) -> Price:
        try:
            timed = TimedProgram(candidate.counted_plan(), mesh, found)
        except CountsDiffer:
            raise CannotPrice from None
        over = max(0.0, timed.memory.peak - found.chip.capacity)
        return Price(over, float(f"{timed.overlap.seconds:.9e}"), candidate.bytes)

    def look_at(mesh: Mesh | None) -> None:
        if mesh is not None:
            Fabric(found, mesh)

    return PriceOf(f"seconds on {found.name}", look_at, price)
