"""What a candidate plan is worth on hardware: whether it fits, and how long a step of it is expected to take.

The schedule of a step is made only if it is not known without one that another plan takes less.
"""

from __future__ import annotations

from math import inf

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.hardware_files import Source, hardware
from pyshardy.analysis.cost.reshard_price import action_seconds
from pyshardy.analysis.cost.targets import named_hardware
from pyshardy.analysis.cost.timed_plan import KnownTimes, TimedProgram
from pyshardy.module import Module
from pyshardy.partitioning.account.counted import CountsDiffer
from pyshardy.partitioning.candidate_plan import CandidatePlan, CannotPrice
from pyshardy.partitioning.candidate_plans import Price, PriceOf
from pyshardy.partitioning.layouts.reshard_choice import ActionSeconds
from pyshardy.sharding.mesh import Mesh

_ANY = Price(inf, inf, inf)
_MORE = 1 + 1e-8
"""So many times the seconds of another plan are more, however both are rounded."""


def seconds_on(source: Source | Hardware) -> PriceOf:
    """Prices candidate plans of one program by seconds on the hardware ``source``.

    Raises:
        HardwareProblem: there is no such hardware, or its description is wrong.
        OSError: the file cannot be read.
    """
    found = hardware(source)
    known = KnownTimes(found)
    timed: dict[CandidatePlan, TimedProgram] = {}

    def timed_on(candidate: CandidatePlan, mesh: Mesh | None) -> TimedProgram:
        if candidate not in timed:
            timed[candidate] = TimedProgram(candidate.counted_plan(), mesh, known)
        return timed[candidate]

    def price(candidate: CandidatePlan, mesh: Mesh | None) -> Price:
        priced = below(candidate, mesh, _ANY)
        assert priced is not None
        return priced

    def below(candidate: CandidatePlan, mesh: Mesh | None, than: Price) -> Price | None:
        try:
            program = timed_on(candidate, mesh)
            if not than.over and program.takes_longer(_MORE * than.seconds):
                return None
            return Price(program.bytes_over, float(f"{program.overlap.seconds:.9e}"), candidate.bytes_told)
        except CountsDiffer:
            raise CannotPrice from None

    def is_certain(candidate: CandidatePlan, other: CandidatePlan, mesh: Mesh | None) -> bool:
        try:
            program = timed_on(candidate, mesh)
            busy = timed_on(other, mesh).busiest_link
            return busy > _MORE * program.most_seconds and not program.bytes_over
        except CountsDiffer:
            raise CannotPrice from None

    def look_at(mesh: Mesh | None) -> None:
        if mesh is not None:
            known.collectives(mesh)

    def reshards(mesh: Mesh) -> ActionSeconds:
        return action_seconds(known.collectives(mesh))

    return PriceOf(f"seconds on {found.name}", look_at, price, below, is_certain, reshards)


def price_for(module: Module) -> PriceOf | None:
    """Prices candidate plans by seconds on the hardware that the sharding file of ``module`` names; None if it names
    none.

    Raises:
        HardwareProblem: there is no such hardware.
    """
    return None if module.hardware is None else seconds_on(named_hardware(module.hardware))
