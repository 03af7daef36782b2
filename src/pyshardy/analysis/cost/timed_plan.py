"""The times of all operations and collectives of a plan on hardware, computed once for all users.

``estimate`` sums them, ``operation_times`` and ``schedule`` show the parts; ``candidate_price`` compares plans.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from math import inf
from typing import TypeVar

from pyshardy.analysis.cost.communication import CollectiveTimes, Communication, mesh_of_own_collectives
from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.memory_layout import memory_model
from pyshardy.analysis.cost.overlap import Overlap
from pyshardy.analysis.cost.step import KernelTimes, Step, time_step
from pyshardy.analysis.cost.targets import AnyHardware, hardware_for
from pyshardy.dialects.stablehlo.trip_count import is_loop
from pyshardy.ir import shortcuts
from pyshardy.ir.operation import Block, Operation
from pyshardy.partitioning.account.counted import CountedMemory, CountedPlan, CountsDiffer
from pyshardy.partitioning.account.memory_bound import memory_bound, memory_bound_unfused
from pyshardy.partitioning.account.memory_model import MemoryModel
from pyshardy.partitioning.plan import Plan
from pyshardy.sharding.mesh import Mesh

_T = TypeVar("_T")


class KnownTimes:
    """What kernels and collectives take on ``hardware``, worked out once for all forms of one program."""

    def __init__(self, hardware: Hardware) -> None:
        self.hardware = hardware
        self.kernels = KernelTimes()
        self._collectives: dict[Mesh, CollectiveTimes] = {}

    def collectives(self, mesh: Mesh) -> CollectiveTimes:
        """What collectives of devices of ``mesh`` take.

        Raises:
            HardwareProblem: it does not fit the hardware.
        """
        found = self._collectives.get(mesh)
        if found is None:
            found = self._collectives[mesh] = CollectiveTimes(Fabric(self.hardware, mesh))
        return found


class TimedProgram:
    """The program of one device of ``mesh`` as ``counted``, on the hardware of ``known``: its ``communication``, the
    ``step`` of a device, the ``memory`` that it needs, and the function ``entry`` with which that begins.

    Raises:
        HardwareProblem: the mesh does not fit the hardware.
    """

    def __init__(self, counted: CountedPlan, mesh: Mesh | None, known: KnownTimes) -> None:
        self.counted = counted
        self.hardware = known.hardware
        self._kernels = known.kernels
        module, collectives = counted.local.module, [one for one, _ in counted.collectives]
        if mesh is None:
            mesh = mesh_of_own_collectives(collectives, module)
        self.entry = counted.local.entry
        self.communication = Communication(known.collectives(mesh), module, collectives)

    @cached_property
    def step(self) -> Step:
        """A run of it.

        Raises:
            CountsDiffer: what is counted as alike is not.
        """
        chip = self.hardware.chip
        return time_step(self.counted.local, chip, lambda op: self.communication.seconds(op).after, times=self._kernels)

    @cached_property
    def memory(self) -> CountedMemory:
        """What it keeps in memory."""
        return self.counted.memory_by(self.memory_model)

    @cached_property
    def bytes_over(self) -> float:
        """By how many bytes the peak exceeds the memory that a program can use."""
        capacity = self.hardware.chip.capacity
        return 0.0 if self._is_enough(capacity) else max(0.0, self.memory.peak - capacity)

    @cached_property
    def overlap(self) -> Overlap:
        """The step as a compiler overlaps computation and collectives, within the memory that there is."""
        in_order = not self.hardware.overlap
        return Overlap(self.counted.local, self.step, self.communication, self._free, in_order=in_order)

    @property
    def seconds(self) -> float:
        """How long a step is expected to take: at least as long as its computation, and as its busiest link. The first
        iterations of a loop, by which all are judged, may be done sooner than an iteration takes."""
        return max(self.overlap.seconds, self.computing, self.busiest_link)

    def takes_longer(self, most: float) -> bool:
        """Whether it is certain that a step takes longer than ``most`` seconds, as is often known by links, or by
        computation, alone."""
        return self.busiest_link > most or self.computing > most or self.overlap.takes_longer(most)

    @cached_property
    def computing(self) -> float:
        """How long the computation of a step takes."""
        return self.step.seconds

    @property
    def most_seconds(self) -> float:
        """What a step takes at most: one operation behind the other. Infinite if there are loops, some iterations of
        which may take longer than that."""
        step, communication = self.step, self.communication
        if any(is_loop(op) for op in step.inner):
            return inf
        return self.computing + sum(
            [step.runs.get(op, 0) * communication.seconds(op).after for op in communication.operations]
        )

    @cached_property
    def busiest_link(self) -> float:
        """How long the link is busy that has most to do for what the entry runs in any case, itself and in loops."""
        busy: dict[int, float] = {}
        runs: dict[Block | None, bool] = {}
        for one, times in self.counted.collectives:
            op = one.op
            if op.parent not in runs:
                runs[op.parent] = self._runs_in_any_case(op)
            if runs[op.parent]:
                seconds = times * one.counted_turns * self.communication.seconds(op).pipelined
                for link in self.communication.links(op):
                    busy[link] = busy.get(link, 0.0) + seconds
        return max(busy.values(), default=0.0)

    def _runs_in_any_case(self, op: Operation) -> bool:
        """Whether only loops stand between ``op`` and the entry."""
        for above in op.ancestors():
            if above is self.entry:
                return True
            if not is_loop(above):
                return False
        return False

    @cached_property
    def memory_model(self) -> MemoryModel:
        """How values stand in the memory of a chip."""
        return memory_model(self.counted.local.module, self.hardware.chip, self.step)

    @cached_property
    def _memory_bound(self) -> int:
        return memory_bound(self.counted, self.memory_model)

    @cached_property
    def _memory_bound_unfused(self) -> int:
        return memory_bound_unfused(self.counted, self.memory_model)

    def _is_enough(self, memory: float) -> bool:
        """Whether bounds show that so much memory is enough, without computing the peak."""
        if not shortcuts.enabled():
            return False
        # With a layout what is fused in memory is what is fused in time, and known already.
        has_layout = self.hardware.chip.layout is not None
        return (not has_layout and self._memory_bound_unfused <= memory) or self._memory_bound <= memory

    def _free(self, wanted: int) -> float:
        """The free bytes at the peak; ``wanted`` without computing the peak if a bound shows that as many are free."""
        capacity = self.hardware.chip.capacity
        return wanted if self._is_enough(capacity - wanted) else max(0.0, capacity - self.memory.peak)


class TimedPlan(TimedProgram):
    """``plan`` on the hardware ``on``; ``counted`` is the plan as it is to be counted, if not as a whole.

    Raises:
        HardwareProblem: there is no such hardware, its description is wrong, or the mesh of the plan does not fit it.
        OSError: the file cannot be read.
    """

    def __init__(self, plan: Plan, on: AnyHardware, counted: CountedPlan | None = None) -> None:
        self.plan = plan
        super().__init__(
            plan.counted if counted is None else counted, plan.mesh, KnownTimes(hardware_for(plan.mesh, on))
        )


def with_timed_plan(plan: Plan, on: AnyHardware, ask: Callable[[TimedPlan], _T]) -> _T:
    """Calls ``ask`` with ``plan`` timed on the hardware ``on``: in counted form, or with every operation if it has no
    such form or ``ask`` raises ``CountsDiffer`` for it.

    Raises:
        HardwareProblem, OSError: those of ``TimedPlan``.
    """
    counted = plan.counted_form()
    if counted is not None:
        with suppress(CountsDiffer):
            return ask(TimedPlan(plan, on, counted))
    return ask(TimedPlan(plan, on))
