"""``plan.cost(hardware)``: how long a step of the plan takes there, by bounds, and whether it fits into memory.

Data first: a ``Cost`` has the figures, ``as_json`` gives the documented JSON, ``report.cost_tables`` right of this file
prints it. ``step`` and ``communication`` stand left of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pyshardy.analysis.cost.communication import Communication
from pyshardy.analysis.cost.hardware import Chip, Hardware
from pyshardy.analysis.cost.hardware_files import Source, hardware
from pyshardy.analysis.cost.memory_parts import MemoryParts, memory_parts
from pyshardy.analysis.cost.step import Step, Timed, walk_step
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import Operation
from pyshardy.ir.source_location import SourceLocation, source_location
from pyshardy.ir.types import IntegerType, TensorType, Type
from pyshardy.partitioning.plan import Plan
from pyshardy.sharding.axes import axes_text
from pyshardy.sharding.mesh import Mesh

MOST_OPERATIONS = 20
"""So many operations, those that take longest, are in the JSON."""

_MATTERS = 0.01
"""Which part of computation has to wait for integers before it is said how quick they were taken to be."""

OWN_AXES = "the program's own"
"""What the axes of collectives are called that name devices instead."""


class Bounds(NamedTuple):
    """Seconds of a step: ``no_overlap`` one thing after the other, ``full_overlap`` all communication behind
    computation, and the stages of each collective behind each other."""

    no_overlap: float
    full_overlap: float

    def as_json(self) -> dict[str, float]:
        """The bounds by name."""
        return {"no_overlap": self.no_overlap, "full_overlap": self.full_overlap}


@dataclass(frozen=True)
class CollectiveCost:
    """The collectives of one kind along the same axes: how many there are and what each device receives in them, as the
    plan has it, both also with all turns of loops; seconds with all turns, and those if what spans levels of links is
    pipelined."""

    kind: str
    axes: str
    group_size: int
    count: int
    bytes: float
    runs: int
    run_bytes: float
    seconds: float
    pipelined_seconds: float

    def as_json(self) -> dict[str, object]:
        """The collectives as plain values."""
        return {
            "kind": self.kind,
            "axes": self.axes,
            "group_size": self.group_size,
            "count": self.count,
            "bytes": self.bytes,
            "runs": self.runs,
            "run_bytes": self.run_bytes,
            "seconds": self.seconds,
            "seconds_pipelined": self.pipelined_seconds,
        }


@dataclass(frozen=True)
class OperationCost:
    """Operations of one name, place and shape: how often a step meets them, and what they come to on a device.
    ``bound`` is what they wait for: ``compute`` or ``memory``."""

    operation: str
    location: SourceLocation
    type: str
    runs: int
    flops: float
    bytes: float
    seconds: float
    bound: str

    def as_json(self) -> dict[str, object]:
        """The operations as plain values."""
        place = self.location
        return {
            "operation": self.operation,
            "file": place.file,
            "line": place.line,
            "scope": place.scope,
            "type": self.type,
            "runs": self.runs,
            "flops": self.flops,
            "bytes": self.bytes,
            "seconds": self.seconds,
            "bound": self.bound,
        }


@dataclass(frozen=True, repr=False)
class Cost:
    """What a step of a plan costs on ``hardware``: seconds, and on one device floating point operations and bytes.

    ``model_flops`` are the operations of the whole program, as it is given; ``ideal_seconds`` is how long all chips at
    their peak would take for those. ``notes`` say what was counted in another way than the program says.
    """

    hardware: Hardware
    mesh: Mesh
    places: dict[str, str]
    compute_seconds: float
    flops: float
    model_flops: float
    ideal_seconds: float
    collectives: tuple[CollectiveCost, ...]
    operations: tuple[OperationCost, ...]
    argument_bytes: int
    result_bytes: int
    peak_bytes: int
    parts: MemoryParts
    notes: tuple[str, ...]

    @property
    def devices(self) -> int:
        """On how many chips the plan runs."""
        return self.mesh.total_size

    @property
    def communication_seconds(self) -> float:
        """All collectives, one after the other, nothing pipelined."""
        return sum(one.seconds for one in self.collectives)

    @property
    def pipelined_seconds(self) -> float:
        """All collectives, one after the other, each pipelined."""
        return sum(one.pipelined_seconds for one in self.collectives)

    @cached_property
    def by_axes(self) -> dict[str, float]:
        """The seconds of communication by axes."""
        found: dict[str, float] = {}
        for one in self.collectives:
            found[one.axes] = found.get(one.axes, 0.0) + one.seconds
        return found

    @property
    def step_seconds(self) -> Bounds:
        """How long a step takes at most and at least."""
        behind = max(self.compute_seconds, self.pipelined_seconds)
        return Bounds(self.compute_seconds + self.communication_seconds, behind)

    @property
    def exposed_seconds(self) -> Bounds:
        """For how much of that the chip does nothing but communicate."""
        return Bounds(self.communication_seconds, self.step_seconds.full_overlap - self.compute_seconds)

    @property
    def utilisation(self) -> Bounds:
        """The model FLOPs utilisation: in which part of the step all chips at their peak would do the whole program."""
        return Bounds(*(self.ideal_seconds / step if step else 0.0 for step in self.step_seconds))

    @property
    def fits(self) -> bool:
        """Whether the peak of memory is within that of the chip."""
        return self.peak_bytes <= self.hardware.chip.memory

    def as_json(self) -> dict[str, object]:
        """The figures as plain values; docs/cost.md describes the schema."""
        return {
            "hardware": self.hardware.name,
            "devices": self.devices,
            "mesh": {axis.name: axis.size for axis in self.mesh.axes},
            "axes": self.places,
            "step_seconds": self.step_seconds.as_json(),
            "compute_seconds": self.compute_seconds,
            "communication_seconds": self.communication_seconds,
            "communication_by_axes": self.by_axes,
            "exposed_seconds": self.exposed_seconds.as_json(),
            "flops": self.flops,
            "model_flops": self.model_flops,
            "utilisation": self.utilisation.as_json(),
            "memory": {
                "arguments": self.argument_bytes,
                "results": self.result_bytes,
                "peak": self.peak_bytes,
                "capacity": self.hardware.chip.memory,
                "fits": self.fits,
                "at_peak": {
                    "arguments": self.parts.arguments,
                    "results": self.parts.results,
                    "saved": self.parts.saved,
                    "temporaries": self.parts.temporaries,
                },
            },
            "collectives": [one.as_json() for one in self.collectives],
            "operations": [one.as_json() for one in self.operations[:MOST_OPERATIONS]],
            "notes": list(self.notes),
        }

    def report(self, *, everything: bool = False) -> str:
        """What ``pyshardy cost`` prints; with ``everything`` all operations."""
        from pyshardy.report.console import printed
        from pyshardy.report.cost_tables import print_cost

        return printed(lambda out: print_cost(self, out, everything=everything))

    def __repr__(self) -> str:
        step = self.step_seconds
        fits = "" if self.fits else ", does not fit"
        return (
            f"<Cost on {self.devices} x {self.hardware.name}: a step of {step.full_overlap:.3g} to "
            f"{step.no_overlap:.3g} s, peak of memory {self.peak_bytes} bytes{fits}>"
        )

    def _repr_html_(self) -> str:
        """The figures, for a notebook."""
        from pyshardy.report.cost_page import cost_page

        return cost_page(self)


def cost_of(plan: Plan, on: Source | Hardware) -> Cost:
    """What a step of ``plan`` costs on the hardware ``on``: a preset, a TOML file, a dict, or what ``hardware`` gives.

    Raises:
        HardwareProblem: there is no such hardware, its description is wrong, or the mesh of the plan does not fit it.
        OSError: the file cannot be read.
    """
    found = hardware(on)
    local = functions_by_name(plan.local.op)[plan.entry]
    communication = Communication(plan, found)
    step = walk_step(plan.local.op, local, found.chip, lambda op: communication.seconds(op).after)
    whole = walk_step(plan.source.op, functions_by_name(plan.source.op)[plan.entry], found.chip)
    fabric = communication.fabric
    return Cost(
        found,
        fabric.mesh,
        {axis.name: fabric.axis_text(axis.name) for axis in fabric.mesh.axes},
        step.seconds,
        step.flops,
        whole.flops,
        whole.seconds_at_peak / fabric.mesh.total_size,
        _collectives(plan, communication, step),
        _operations(plan, step),
        plan.memory.arguments,
        plan.memory.results,
        plan.memory.peak,
        memory_parts(plan.memory, local),
        tuple(_notes(plan, step, found.chip)),
    )


def _collectives(plan: Plan, communication: Communication, step: Step) -> tuple[CollectiveCost, ...]:
    """The plan's own account by kind and axes, with the time of those that the step meets."""
    groups: dict[tuple[str, str, int], list[Collective]] = {}
    for one in plan.collectives:
        axes = axes_text(one.axes) if one.axes else OWN_AXES
        groups.setdefault((one.kind, axes, one.group_size), []).append(one)
    rows = []
    for key, found in groups.items():
        turns = [1 if one.turns is None else one.turns for one in found]
        met = [(step.runs.get(op, 0), communication.seconds(op)) for op in dict.fromkeys(one.op for one in found)]
        rows.append(
            CollectiveCost(
                *key,
                len(found),
                sum(one.bytes for one in found),
                sum(turns),
                sum(one.bytes * times for one, times in zip(found, turns, strict=True)),
                sum(runs * seconds.after for runs, seconds in met),
                sum(runs * seconds.pipelined for runs, seconds in met),
            )
        )
    return tuple(sorted(rows, key=lambda row: -row.seconds))


def _operations(plan: Plan, step: Step) -> tuple[OperationCost, ...]:
    """What takes time, the longest first; alike ones as one."""
    context = plan.module.context
    places: dict[object, SourceLocation] = {}
    groups: dict[tuple[object, ...], list[tuple[Operation, int, Timed]]] = {}
    for op, runs in step.runs.items():
        timed = step.timed[op]
        if not timed.seconds:
            continue
        if op.location not in places:
            places[op.location] = source_location(op.location, context)
        groups.setdefault((op.name, places[op.location], _type_text(op)), []).append((op, runs, timed))
    rows = [
        OperationCost(
            name,
            place,
            type,
            sum(runs for _, runs, _ in found),
            sum(runs * timed.work.flops for _, runs, timed in found),
            sum(runs * timed.work.bytes for _, runs, timed in found),
            sum(runs * timed.seconds for _, runs, timed in found),
            "compute" if found[0][2].is_compute else "memory",
        )
        for (name, place, type), found in groups.items()
        if isinstance(name, str) and isinstance(place, SourceLocation) and isinstance(type, str)
    ]
    return tuple(sorted(rows, key=lambda row: -row.seconds))


def _type_text(op: Operation) -> str:
    types = [result.type for result in op.results]
    shown = [
        "x".join([*map(str, type.shape), str(type.element)]) if isinstance(type, TensorType) else str(type)
        for type in types[:1]
    ]
    return shown[0] + (", …" if len(types) > 1 else "") if shown else ""


def _notes(plan: Plan, step: Step, chip: Chip) -> Iterable[str]:
    """What was counted in another way than the program says."""
    context = plan.module.context

    def at(ops: Iterable[Operation]) -> str:
        places = dict.fromkeys(filter(None, (source_location(op.location, context).place for op in ops)))
        return f" ({', '.join(places)})" if places else ""

    if step.endless:
        loops = _counted(len(step.endless), "loop")
        yield f"the turns of {loops} are not known: what is in there counts once{at(step.endless)}"
    if step.forks:
        yield f"of the branches of {_counted(len(step.forks), 'conditional')} the dearest counts{at(step.forks)}"
    aside = [one for one in plan.collectives if one.op not in step.runs]
    if aside:
        yield f"{_counted(len(aside), 'collective')} in other branches: bytes count, seconds do not"
    for name, times in step.unknown.items():
        yield f"what {name} computes is not known: it counts 0 operations and the bytes that it reads and writes" + (
            f" ({times} times)" if times > 1 else ""
        )
    waited: dict[Type, float] = {}
    for op, runs in step.runs.items():
        timed = step.timed[op]
        if timed.work.flops and timed.work.element is not None:
            seconds = runs * timed.seconds if timed.is_compute else 0.0
            waited[timed.work.element] = waited.get(timed.work.element, 0.0) + seconds
    for element, seconds in waited.items():
        # Integers are mostly indices, whose arithmetic nothing waits for.
        matters = not isinstance(element, IntegerType) or seconds > _MATTERS * step.seconds
        if matters and not chip.states(element):
            peak, key = chip.peak(element)
            yield f"there is no figure for {element}: {peak / 1e12:g} TFLOP/s, by that of {key}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
