"""Evaluates a candidate strategy: propagated, partitioned and costed on a short program, with all layers counted.

Shardings go onto a copy, propagation and the partitioner run as for any program, the first candidate plan is taken.
Seconds and bytes of an operation count as often as there are operations like it. The best strategies of a search are
evaluated once more as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pyshardy.analysis.cost.hardware import Hardware
from pyshardy.analysis.cost.timed_plan import TimedProgram
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.emitting.collectives import Collective
from pyshardy.ir import rewriting
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import TensorType, Type
from pyshardy.module import Module, run_passes
from pyshardy.partitioning.account.counted import CountedPlan, CountedProgram, counted_collectives, counted_memory
from pyshardy.partitioning.account.liveness import MemoryModel
from pyshardy.partitioning.candidate_plans import partitioned
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.partitioner import Partitioner
from pyshardy.partitioning.strategies.strategy import Strategies
from pyshardy.passes.propagation_pipeline import chlo_rules_of
from pyshardy.planning import propagation_for_plans
from pyshardy.reading.tensors import add_mesh
from pyshardy.rules.registry import RuleTable
from pyshardy.searching.layouts import Boundary, Inner, Spec, sharding_of_spec
from pyshardy.searching.preparation import MESH
from pyshardy.searching.short_program import ShortProgram, main_of
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding

_MOST_HOT = 12


class HotCollective(NamedTuple):
    """A collective that a step waits for: how many ``seconds``, its kind and axes, and the tensor that goes through it:
    result ``result`` of operation ``number`` of the short program, in the layout that it has there."""

    seconds: float
    kind: str
    axes: tuple[str, ...]
    number: int
    result: int
    layout: Spec


class Score(NamedTuple):
    """What a step costs: seconds by the three figures of ``Bounds``, the bytes of memory at the peak, the bytes that a
    device receives; the collectives that cost most."""

    expected: float
    no_overlap: float
    full_overlap: float
    peak: float
    received: float
    hot: tuple[HotCollective, ...] = ()


class Evaluator:
    """Evaluates strategies for ``short`` on ``hardware``. What was worked out for one serves the next."""

    def __init__(self, short: ShortProgram, hardware: Hardware) -> None:
        self._short = short
        self._hardware = hardware
        self._strategies = Strategies()
        self._rules = RuleTable()
        self._pipeline = propagation_for_plans()

    def score(self, mesh: Mesh, boundary: Boundary, inner: Iterable[Inner] = ()) -> Score | None:
        """What a step costs if arguments and results lie as ``boundary`` says by their numbers in the program, and what
        operations make as ``inner`` says; None if the program cannot be partitioned like that."""
        with paused_collector():
            try:
                return self._score(mesh, boundary, inner)
            except (PyshardyError, ValueError):
                return None

    def _score(self, mesh: Mesh, boundary: Boundary, inner: Iterable[Inner]) -> Score:
        short = self._short
        work = short.module.with_op(rewriting.clone(short.module.op), short.source.context.like())
        _write(short, work, mesh, boundary, inner)
        with chlo_rules_of(work.context, True):
            run_passes(work, self._pipeline, verify_each=False)
        run = RunOptions(strategies=Strategies(known=self._strategies))
        partitioner = partitioned(Program(work.op, self._rules), work, run)
        return _Costs(short, partitioner, main_of(work), mesh, self._hardware, boundary).score


def _write(short: ShortProgram, work: Module, mesh: Mesh, boundary: Boundary, inner: Iterable[Inner]) -> None:
    """Gives ``work``, a copy of the short program, the mesh and the shardings."""
    main = main_of(work)
    own = next((name for name, one in placement.meshes(work.op).items() if one.axes), None)
    name = MESH if own is None else own
    slots: list[tuple[Value | FunctionResult, TensorSharding]] = []
    for place, index in enumerate(short.arguments):
        spec = boundary.arguments.get(index)
        if spec is not None:
            slots.append((main.body.arguments[place], sharding_of_spec(spec, name)))
    for place, index in enumerate(short.results):
        spec = boundary.results.get(index)
        if spec is not None:
            slots.append((FunctionResult(main, place), sharding_of_spec(spec, name)))
    operations: list[Operation] | None = None
    for one in inner:
        operations = work.op.operations() if operations is None else operations
        for number in short.members[one.group]:
            slots.append((operations[number].results[one.result], sharding_of_spec(one.spec, name)))
    if own is None:
        add_mesh(work, mesh, MESH)
    placement.set_held_shardings(slots)


class _Costs:
    """What the program that ``partitioner`` has made of a short one costs with all layers."""

    def __init__(
        self,
        short: ShortProgram,
        partitioner: Partitioner,
        main: Operation,
        mesh: Mesh,
        hardware: Hardware,
        boundary: Boundary,
    ) -> None:
        self._short = short
        self._partitioner = partitioner
        self._mesh = mesh
        self._hardware = hardware
        self._boundary = boundary
        entry = next(op for op in partitioner.local.body if op.symbol_name == main.symbol_name)
        copies = {op: times for op in entry.body if (times := short.count(op.location)) > 1}
        local = CountedProgram(partitioner.local, entry, copies)
        self._local = local
        self._collectives = counted_collectives(local, partitioner.emitted_collectives)
        self._entry = entry
        counted = CountedPlan(CountedProgram(short.module.op, main), local, self._collectives, self._memory)
        self._peak = 0.0
        self._timed = TimedProgram(counted, mesh, hardware)
        self.score = self._found()

    def _found(self) -> Score:
        timed, step = self._timed, self._timed.step
        computing = step.seconds
        exposed = self._exposed()
        talking = busiest = 0.0
        busy: dict[int, float] = {}
        for one, _ in self._collectives:
            runs = step.runs.get(one.op, 0)
            seconds = runs * timed.communication.seconds(one.op).after
            talking += seconds
            for link in timed.communication.links(one.op):
                busy[link] = busy.get(link, 0.0) + seconds
        busiest = max(busy.values(), default=0.0)
        waited = sum(exposed.values())
        full = max(computing, busiest)
        expected = min(max(computing + waited, full), computing + talking)
        received = sum(one.run_bytes * times for one, times in self._collectives)
        return Score(expected, computing + talking, full, self._peak, received, self._hot(exposed))

    def _exposed(self) -> dict[Collective, float]:
        """For how long computation waits for each collective, all layers counted."""
        overlap = self._timed.overlap.exposed
        return {one: overlap[one.op] * times for one, times in self._collectives if one.op in overlap}

    def _hot(self, exposed: Mapping[Collective, float]) -> tuple[HotCollective, ...]:
        found: dict[tuple[object, ...], HotCollective] = {}
        for one, seconds in exposed.items():
            tensor = one.tensor
            if not isinstance(tensor, OpResult) or not one.axes or seconds <= 0:
                continue
            number = self._short.number(tensor.owner.location)
            layout = None if number is None else self._layout(tensor)
            if number is None or layout is None:
                continue
            axes = tuple(dict.fromkeys(axis.name for axis in one.axes))
            key = self._short.groups[number], tensor.index, axes
            before = found.get(key)
            total = seconds + (0.0 if before is None else before.seconds)
            found[key] = HotCollective(total, one.kind, axes, number, tensor.index, layout)
        ranked = sorted(found.values(), key=lambda one: (-one.seconds, one.number, one.axes))
        return tuple(ranked[:_MOST_HOT])

    def _layout(self, value: Value) -> Spec | None:
        """How propagation has left ``value``, by whole axes; None if it is not known."""
        sharding = placement.sharding_of(value)
        if not isinstance(value.type, TensorType) or sharding is None:
            return ((),) * len(value.type.shape) if isinstance(value.type, TensorType) else None
        if any(axis.sub_size is not None for dim in sharding.dims for axis in dim.axes):
            return None
        return tuple(tuple(axis.name for axis in dim.axes) for dim in sharding.dims)

    def _memory(self, model: MemoryModel):  # type: ignore[no-untyped-def]
        found = counted_memory(self._partitioner.local, self._entry, model)
        from pyshardy.partitioning.account.memory import memory_of

        memory = memory_of(self._partitioner.local, self._entry, model)
        short, boundary = self._short, self._boundary
        returned = set(self._entry.body.terminator.operands)
        more = 0.0
        for one in memory.live_at_peak:
            value = one.value
            if isinstance(value, BlockArgument) or value in returned or value.defining_op is None:
                continue
            more += (short.count(value.defining_op.location) - 1) * one.bytes
        size = model.boundary_bytes_of
        for index, type in short.left_out_arguments.items():
            if index not in short.donated:
                more += self._local_bytes(type, boundary.arguments.get(index), size)
        for index, type in short.left_out_results.items():
            more += self._local_bytes(type, boundary.results.get(index), size)
        self._peak = memory.peak + more
        return found

    def _local_bytes(self, type: Type, spec: Spec | None, size) -> int:  # type: ignore[no-untyped-def]
        if not isinstance(type, TensorType):
            return int(size(type))
        if spec is None:
            return int(size(type))
        shape = sharding_of_spec(spec, MESH).local_shape(type.shape, self._mesh)
        return int(size(type.with_shape(shape)))
