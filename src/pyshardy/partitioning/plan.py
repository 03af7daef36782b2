"""A plan: a partitioned program with its cost. ``planning`` makes it; ``api.plan`` wraps it for users."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import NamedTuple

from pyshardy.dialects.main_function import functions_by_name
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir import shortcuts
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.operation import Value
from pyshardy.module import Module
from pyshardy.partitioning.account.counted import CountedPlan, CountedProgram, CountsDiffer, counted_memory
from pyshardy.partitioning.account.memory import LazyMemory, Memory, memory_of
from pyshardy.partitioning.account.memory_model import XLA_CPU
from pyshardy.partitioning.boundary import Boundary
from pyshardy.reading.tensor_names import TensorNames
from pyshardy.sharding.mesh import Mesh

_EXACT = 1 << 53
"""Integers below this bound are exact as floats, so that their sum does not depend on the order of summation."""


class Correspondence(NamedTuple):
    """What each value of ``module``, the global program with all its shardings, has become in the local program.
    ``origins`` maps values on one side of a call to those on the other; ``inside`` has the values of each function that
    is called from several places."""

    module: Module
    values: Mapping[Value, Sharded]
    origins: Mapping[Value, Value]
    inside: Sequence[Mapping[Value, Sharded]] = ()


class PlanDetails(NamedTuple):
    """What is worked out only when somebody asks for it: the collectives of a plan, and what each value has become."""

    collectives: tuple[Collective, ...]
    correspondence: Correspondence


def no_counts() -> CountedPlan | None:
    """None: the plan has no counted form."""
    return None


@dataclass(repr=False)
class Plan:
    """A partitioned program.

    ``module`` is the program in the form asked for, ``source`` the program that was given, ``local`` the program of one
    device; ``arguments`` and ``results`` are the layouts of those of the function ``entry``. ``seconds`` is how long
    partitioning took. The ``details``, ``collectives`` and ``correspondence``, are computed on first use, as is
    ``memory``: use them before you change ``local``. ``source`` may be changed.
    """

    module: Module
    source: Module
    local: Module
    form: str
    entry: str
    mesh: Mesh | None
    mesh_name: str | None
    arguments: tuple[Boundary, ...]
    results: tuple[Boundary, ...]
    details: Callable[[], PlanDetails]
    seconds: float
    counted_form: Callable[[], CountedPlan | None] = no_counts
    """The plan in counted form, in which an operation may stand for several; None if every operation is looked at."""
    chosen_by: str = "bytes"
    """What candidate plans were compared by: the bytes that move, or seconds on hardware."""

    @property
    def collectives(self) -> tuple[Collective, ...]:
        """The collectives of the local program, each as often as it is called (loops count once)."""
        return self.details().collectives

    @property
    def correspondence(self) -> Correspondence:
        """What each value of the global program has become."""
        return self.details().correspondence

    @cached_property
    def memory(self) -> Memory:
        """The memory that a device needs for the function ``entry``. The values at the peak are found when they are
        first asked for."""
        counted = self.counted_form()
        try:
            if counted is not None:
                found = counted.memory_by(XLA_CPU)
                return LazyMemory(found.arguments, found.results, found.peak, cache(self._whole_memory))
        except CountsDiffer:
            # The counted form is not valid here.
            pass
        except Exception as error:
            shortcuts.raise_if_strict(error)
        return self._whole_memory()

    @paused_collector()
    def _whole_memory(self) -> Memory:
        return memory_of(self.local.op, functions_by_name(self.local.op)[self.entry])

    @property
    def counted(self) -> CountedPlan:
        """The plan in the form from which costs are computed, with every operation."""
        entry = functions_by_name(self.local.op)[self.entry]
        return CountedPlan(
            lambda: CountedProgram(self.source.op, functions_by_name(self.source.op)[self.entry]),
            CountedProgram(self.local.op, entry),
            [(one, 1) for one in self.collectives],
            partial(counted_memory, self.local.op, entry),
        )

    @cached_property
    def names(self) -> TensorNames:
        """The names of the values of the global program with all its shardings, to which collectives are attributed."""
        module = self.correspondence.module.op
        return TensorNames(module, functions_by_name(module)[self.entry], self.correspondence.origins)

    @property
    def devices(self) -> int:
        """The number of devices on which the program runs."""
        return self.mesh.total_size if self.mesh is not None else 1

    @property
    def bytes_moved(self) -> float:
        """The bytes that each device receives in all collectives, those in loops counted once."""
        return self._sum_of(lambda one: one.bytes)

    @property
    def bytes_in_a_run(self) -> float:
        """The bytes that each device receives when every loop whose trip count is known iterates as often."""
        return self._sum_of(lambda one: one.run_bytes)

    def _sum_of(self, bytes_of: Callable[[Collective], float]) -> float:
        counted = self.counted_form()
        if counted is not None:
            moves = [(bytes_of(one), times) for one, times in counted.collectives]
            if all(float(one).is_integer() for one, _ in moves):
                moved = sum(one * times for one, times in moves)
                if moved < _EXACT:
                    return moved
        return sum(map(bytes_of, self.collectives))

    def __repr__(self) -> str:
        return f"<Plan of {self.entry} for {self.devices} devices>"
