"""The price of a candidate plan on hardware: whether it fits into memory, and the expected time of a step.

A step is scheduled only if bounds do not already show that another plan is faster.
"""

from __future__ import annotations

from functools import partial

from pyshardy.analysis.cost.reshard_price import action_seconds
from pyshardy.analysis.cost.targets import AnyHardware, Target, named_target, target
from pyshardy.analysis.cost.timed_plan import KnownTimes, TimedProgram
from pyshardy.ir import shortcuts
from pyshardy.module import Module
from pyshardy.partitioning.account.counted import CountsDiffer
from pyshardy.partitioning.candidate_plan import CandidatePlan, CannotPrice
from pyshardy.partitioning.layouts.reshard_choice import ReshardChoice
from pyshardy.partitioning.plan_price import CERTAINLY_MORE, PlanComparison, PlanPrice, Pricing
from pyshardy.sharding.mesh import Mesh


def seconds_on(on: AnyHardware) -> Pricing:
    """Prices candidate plans of one program by seconds on the hardware ``on``.

    Raises:
        HardwareProblem: there is no such hardware, or its description is wrong.
        OSError: the file cannot be read.
    """
    where = target(on)
    known = KnownTimes(where.hardware)
    return Pricing(f"seconds on {known.hardware.name}", partial(_Seconds, where, known))


class _Seconds(PlanComparison):
    """Compares plans on ``mesh`` by the seconds that a step of them takes on the hardware ``where``, whose times are
    ``known``.

    Raises:
        HardwareProblem: the mesh does not fit the hardware, or has not as many devices as it is to have.
    """

    def __init__(self, where: Target, known: KnownTimes, mesh: Mesh | None) -> None:
        where.check(mesh)
        super().__init__(None if mesh is None else ReshardChoice(mesh, action_seconds(known.collectives(mesh))))
        self._known = known
        self._mesh = mesh
        self._timed: dict[CandidatePlan, TimedProgram] = {}

    def price_if_below(self, plan: CandidatePlan, than: PlanPrice | None) -> PlanPrice | None:
        try:
            program = self._timed_program(plan)
            if (
                than is not None
                and not than.bytes_over_memory
                and shortcuts.enabled()
                and program.takes_longer(CERTAINLY_MORE * than.seconds)
            ):
                return None
            found = PlanPrice(program.bytes_over, float(f"{program.seconds:.9e}"), plan.rounded_bytes)
        except CountsDiffer:
            raise CannotPrice from None
        return found.if_below(than)

    def is_certainly_less(self, plan: CandidatePlan, other: CandidatePlan) -> bool:
        if not shortcuts.enabled():
            return False
        try:
            program = self._timed_program(plan)
            busy = self._timed_program(other).busiest_link
            return busy > CERTAINLY_MORE * program.most_seconds and not program.bytes_over
        except CountsDiffer:
            raise CannotPrice from None

    def _timed_program(self, plan: CandidatePlan) -> TimedProgram:
        found = self._timed.get(plan)
        if found is None:
            found = self._timed[plan] = TimedProgram(plan.counted_plan(), self._mesh, self._known)
        return found


def price_for(module: Module) -> Pricing | None:
    """Prices candidate plans by seconds on the hardware that the sharding file of ``module`` names; None if it names
    none.

    Raises:
        HardwareProblem: there is no such hardware.
    """
    return None if module.hardware is None else seconds_on(named_target(module.hardware))
