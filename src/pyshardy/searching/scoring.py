"""The cost of a strategy, in seconds and bytes with all layers, from the partitioned short program.

An operation counts as often as there are layers like its own (``ShortProgram.times``): its seconds, its bytes and its
exposed time. In memory, values of a layer that are live at the peak, and arguments and results, count once for each
layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.step_cost import Bounds
from pyshardy.analysis.cost.timed_plan import KnownTimes, TimedProgram
from pyshardy.dialects.sdy import placement
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import Operation, OpResult, Value
from pyshardy.ir.types import TensorType, Type
from pyshardy.partitioning.account.counted import CountedMemory, CountedPlan, CountedProgram, counted_collectives
from pyshardy.partitioning.account.memory_model import MemoryModel
from pyshardy.partitioning.account.memory_parts import MemoryParts
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.searching.layered_memory import layered_memory
from pyshardy.searching.layouts import BoundarySpecs, Spec, sharding_of_spec
from pyshardy.searching.preparation import MESH
from pyshardy.searching.short_program import ShortProgram
from pyshardy.sharding.mesh import Mesh

_MOST_HOT = 12
_NO_PARTS = MemoryParts(0, 0, 0, 0)


class HotCollective(NamedTuple):
    """A collective with exposed time: the exposed ``seconds``, its kind and axes, and the tensor that goes through it:
    result ``result`` of operation ``number`` of the short program, with its sharding ``layout``."""

    seconds: float
    kind: str
    axes: tuple[str, ...]
    number: int
    result: int
    layout: Spec


class Score(NamedTuple):
    """The cost of a step on each device, with all layers."""

    expected: float
    """Seconds, by a schedule that overlaps what the program allows."""
    no_overlap: float
    """Seconds with one thing after the other."""
    full_overlap: float
    """Seconds with all communication behind computation: a lower bound."""
    peak: float
    """Bytes of memory at the peak."""
    received: float
    """Bytes that a device receives."""
    hot: tuple[HotCollective, ...] = ()
    """The collectives with the most exposed time, the longest first."""

    @property
    def bounds(self) -> Bounds:
        """The seconds by name."""
        return Bounds(self.no_overlap, self.full_overlap, self.expected)


class Scoring:
    """Scores partitions of ``short`` for ``hardware``."""

    def __init__(self, short: ShortProgram, hardware: Hardware) -> None:
        self._short = short
        self.times = KnownTimes(hardware)

    def scored(self, partitioner: Partitioner, main: Operation, mesh: Mesh, boundary: BoundarySpecs) -> ScoredProgram:
        """The result of ``partitioner`` with its score, for a program whose main function was ``main``.

        Raises:
            CountsDiffer, HardwareProblem: it has no score.
        """
        return ScoredProgram(self._short, self.times, partitioner, main, mesh, boundary)


class ScoredProgram:
    """The program of one device that ``partitioner`` has made of ``short``, and its score. ``received`` and
    ``least_seconds`` are cheap parts of the score, which may be enough to compare plans."""

    def __init__(
        self,
        short: ShortProgram,
        times: KnownTimes,
        partitioner: Partitioner,
        main: Operation,
        mesh: Mesh,
        boundary: BoundarySpecs,
    ) -> None:
        self._short, self._mesh, self._boundary = short, mesh, boundary
        self._local_types: dict[tuple[Type, Spec], Type] = {}
        self._local = partitioner.local
        self._entry = next(op for op in partitioner.local.body if op.symbol_name == main.symbol_name)
        self._counts = short.counts(self._entry)
        multiplicities = {op: times for op, times in self._counts.items() if times > 1}
        local = CountedProgram(self._local, self._entry, multiplicities)
        self._collectives = counted_collectives(local, partitioner.emitted_collectives)
        source = CountedProgram(short.module.op, main)
        # Arguments of layers that are left out count here, too, since they take memory.
        types = [value.type for value in self._entry.body.terminator.operands]
        types += [*self._left_out_arguments, *self._left_out_results]
        counted = CountedPlan(lambda: source, local, self._collectives, self._memory, types)
        self._timed = TimedProgram(counted, mesh, times)

    @cached_property
    def received(self) -> float:
        """The bytes that a device receives."""
        return sum(one.run_bytes * times for one, times in self._collectives)

    @cached_property
    def _collective_seconds(self) -> tuple[float, float]:
        """The seconds for which collectives run: the sum of all, and the sum on the busiest link."""
        timed, total = self._timed, 0.0
        busy: dict[int, float] = {}
        for one in dict.fromkeys(one.op for one, _ in self._collectives):
            seconds = timed.step.runs.get(one, 0) * timed.communication.seconds(one).after
            total += seconds
            for link in timed.communication.links(one):
                busy[link] = busy.get(link, 0.0) + seconds
        return total, max(busy.values(), default=0.0)

    @property
    def least_seconds(self) -> float:
        """A lower bound of the time of a step, whatever the overlap."""
        return max(self._timed.step.seconds, self._collective_seconds[1])

    @cached_property
    def score(self) -> Score:
        """The cost of a step.

        Raises:
            CountsDiffer: operations that are counted as alike have different costs.
        """
        computing, (communication, _) = self._timed.step.seconds, self._collective_seconds
        exposed, full = self._exposed(), self.least_seconds
        expected = min(max(computing + sum(exposed.values()), full), computing + communication)
        peak = self._timed.memory.peak
        return Score(expected, computing + communication, full, peak, self.received, self._hot(exposed))

    def _exposed(self) -> dict[Collective, float]:
        """The exposed time of each collective, with all layers counted."""
        overlap = self._timed.overlap.exposed
        first = {one.op: (one, times) for one, times in reversed(self._collectives)}
        return {one: overlap[op] * times for op, (one, times) in first.items() if op in overlap}

    def _hot(self, exposed: Mapping[Collective, float]) -> tuple[HotCollective, ...]:
        found: dict[tuple[object, ...], HotCollective] = {}
        for one, seconds in exposed.items():
            tensor = one.tensor
            if not isinstance(tensor, OpResult) or not one.axes or seconds <= 0:
                continue
            number = self._short.number(tensor.owner.location)
            layout = None if number is None else _layout(tensor)
            if number is None or layout is None:
                continue
            axes = tuple(dict.fromkeys(axis.name for axis in one.axes))
            key = self._short.groups[number], tensor.index, axes
            total = seconds + (found[key].seconds if key in found else 0.0)
            found[key] = HotCollective(total, one.kind, axes, number, tensor.index, layout)
        ranked = sorted(found.values(), key=lambda one: (-float(f"{one.seconds:.6e}"), one.number, one.axes))
        return tuple(ranked[:_MOST_HOT])

    def _memory(self, model: MemoryModel) -> CountedMemory:
        arguments, results = self._left_out_arguments, self._left_out_results
        found = layered_memory(self._short, self._counts, self._local, self._entry, arguments, results, model)
        return CountedMemory(*found, _NO_PARTS)

    @cached_property
    def _left_out_arguments(self) -> list[Type]:
        """The local types of the arguments of layers that are left out, except donated ones."""
        short, boundary = self._short, self._boundary
        left_out = short.left_out_arguments.items()
        return [self._local_type(type, boundary.arguments.get(n)) for n, type in left_out if n not in short.donated]

    @cached_property
    def _left_out_results(self) -> list[Type]:
        boundary = self._boundary
        return [self._local_type(type, boundary.results.get(n)) for n, type in self._short.left_out_results.items()]

    def _local_type(self, type: Type, spec: Spec | None) -> Type:
        """The local type of an argument or a result that the short program lacks."""
        if not isinstance(type, TensorType) or spec is None:
            return type
        # All layers have equal shardings, so the sharding of the kept layer is that of the others.
        found = self._local_types.get((type, spec))
        if found is None:
            shape = sharding_of_spec(spec, MESH).local_shape(type.shape, self._mesh)
            found = self._local_types[type, spec] = type.with_shape(shape)
        return found


def _layout(value: Value) -> Spec | None:
    """The sharding of ``value`` after propagation; None if it has sub-axes."""
    sharding = placement.sharding_of(value)
    if not isinstance(value.type, TensorType):
        return None
    if sharding is None:
        return ((),) * len(value.type.shape)
    if any(axis.sub_size is not None for dim in sharding.dims for axis in dim.axes):
        return None
    return tuple(tuple(axis.name for axis in dim.axes) for dim in sharding.dims)
