"""A plan: a partitioned program, with what it will cost. ``planning`` makes it, ``api.plan`` answers for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import NamedTuple

from pyshardy.dialects.main_function import functions_by_name
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Sharded
from pyshardy.ir import shortcuts
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.operation import Value
from pyshardy.module import Module
from pyshardy.partitioning.account.counted import CountedPlan, CountedProgram, CountsDiffer, counted_memory
from pyshardy.partitioning.account.liveness import AS_WRITTEN
from pyshardy.partitioning.account.memory import FoldedMemory, Memory, memory_of
from pyshardy.partitioning.boundary import Boundary
from pyshardy.reading.tensor_names import TensorNames
from pyshardy.sharding.mesh import Mesh

_EXACT = 1 << 53
"""Whole numbers below are added without rounding."""


@dataclass(frozen=True)
class Correspondence:
    """What became of each value: of ``module``, the program with all its shardings, in the local program. ``origins``
    says of values on one side of a call what they are on the other, ``inside`` what values have become in each function
    that is called from several places."""

    module: Module
    values: Mapping[Value, Sharded]
    origins: Mapping[Value, Value]
    inside: Sequence[Mapping[Value, Sharded]] = ()


class Account(NamedTuple):
    """What a plan tells of its program: the collectives that a run meets, and what became of each value."""

    collectives: tuple[Collective, ...]
    correspondence: Correspondence


def no_counts() -> CountedPlan | None:
    """None: every operation is looked at."""
    return None


@dataclass(repr=False)
class Plan:
    """A partitioned program.

    ``module`` is the program in the form asked for, ``source`` the program as it was given, ``local`` that of one
    device; ``arguments`` and ``results`` say how those of the function ``entry`` are cut up. ``seconds`` is how long it
    took. What ``account`` tells, ``collectives`` and ``correspondence``, is worked out when it is first asked for, as
    is ``memory``: ask before you change ``local``. ``source`` is not asked again.
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
    account: Callable[[], Account]
    seconds: float
    folded_counts: Callable[[], CountedPlan | None] = no_counts
    """The plan as its costs are added up with few of its layers, while it is folded; None if it is not."""
    chosen_by: str = "bytes"
    """What candidate plans were compared by: the bytes that move, or seconds on hardware."""

    @property
    def collectives(self) -> tuple[Collective, ...]:
        """The collectives of the local program, each as often as it is called (loops count once)."""
        return self.account().collectives

    @property
    def correspondence(self) -> Correspondence:
        """What became of each value."""
        return self.account().correspondence

    @cached_property
    def memory(self) -> Memory:
        """What a device needs for the function ``entry``; worked out when it is first asked for, what stands there at
        the peak when that is."""
        folded = self.folded_counts()
        try:
            if folded is not None:
                counted = folded.memory_by(AS_WRITTEN)
                return FoldedMemory(counted.arguments, counted.results, counted.peak, cache(self._whole_memory))
        except CountsDiffer:
            # All layers, then.
            pass
        except Exception as error:
            shortcuts.declines_after(error)
        return self._whole_memory()

    @paused_collector()
    def _whole_memory(self) -> Memory:
        return memory_of(self.local.op, functions_by_name(self.local.op)[self.entry])

    @property
    def counted(self) -> CountedPlan:
        """The plan as its costs are added up, with every operation."""
        entry = functions_by_name(self.local.op)[self.entry]
        return CountedPlan(
            lambda: CountedProgram(self.source.op, functions_by_name(self.source.op)[self.entry]),
            CountedProgram(self.local.op, entry),
            [(one, 1) for one in self.collectives],
            partial(counted_memory, self.local.op, entry),
        )

    @cached_property
    def names(self) -> TensorNames:
        """What the values of the global program are called: of the one with all its shardings, to which the causes of
        collectives belong."""
        module = self.correspondence.module.op
        return TensorNames(module, functions_by_name(module)[self.entry], self.correspondence.origins)

    @property
    def devices(self) -> int:
        """On how many devices the program runs."""
        return self.mesh.total_size if self.mesh is not None else 1

    @property
    def bytes_moved(self) -> float:
        """The bytes that each device receives in all collectives, every loop once."""
        return self._sum_of(lambda one: one.bytes)

    @property
    def bytes_in_a_run(self) -> float:
        """The bytes that each device receives when every loop whose count is known takes all its turns."""
        return self._sum_of(lambda one: one.run_bytes)

    def _sum_of(self, bytes_of: Callable[[Collective], float]) -> float:
        folded = self.folded_counts()
        if folded is not None:
            counted = [(bytes_of(one), times) for one, times in folded.collectives]
            if all(float(one).is_integer() for one, _ in counted):
                moved = sum(one * times for one, times in counted)
                if moved < _EXACT:
                    # In whatever order they are added up.
                    return moved
        return sum(map(bytes_of, self.collectives))

    def __repr__(self) -> str:
        return f"<Plan of {self.entry} for {self.devices} devices>"
