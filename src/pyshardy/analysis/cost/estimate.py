"""``plan.cost(hardware)``: the expected time of a step of the plan, its bounds, and whether the plan fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pyshardy.analysis.cost.communication import Communication, axes_of
from pyshardy.analysis.cost.fabric import Fabric
from pyshardy.analysis.cost.hardware import Chip
from pyshardy.analysis.cost.overlap import Overlap
from pyshardy.analysis.cost.recomputed import recomputed
from pyshardy.analysis.cost.step import OperationTime, Step, walk_work
from pyshardy.analysis.cost.step_cost import CollectiveCost, Cost, OperationTotals
from pyshardy.analysis.cost.targets import AnyHardware
from pyshardy.analysis.cost.timed_plan import TimedPlan, with_timed_plan
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.operation import Operation
from pyshardy.ir.source_location import SourceLocation, source_location
from pyshardy.ir.types import IntegerType, TensorType, Type
from pyshardy.partitioning.account.counted import CountedPlan, CountedProgram
from pyshardy.partitioning.plan import Plan
from pyshardy.sharding.plain import did_you_mean

_MATTERS = 0.01
"""The assumed rate of integer operations is noted if they take more than this fraction of computation."""


def cost_of(plan: Plan, on: AnyHardware) -> Cost:
    """What a step of ``plan`` costs on the hardware ``on``: a preset (also as ``h100x8``), a TOML file, a dict, or
    what ``hardware`` gives.

    Raises:
        HardwareProblem: there is no such hardware, its description is wrong, or the mesh of the plan does not fit it.
        OSError: the file cannot be read.
    """
    with paused_collector():
        return with_timed_plan(plan, on, cost_of_timed)


def cost_of_timed(timed: TimedPlan) -> Cost:
    """What a step costs, for a plan that is timed already."""
    plan, found, communication, step = timed.plan, timed.hardware, timed.communication, timed.step
    check = plan.source.context.check or (lambda: None)
    counted = timed.counted
    check()
    overlap = timed.overlap
    check()
    whole = walk_work(counted.source, found.chip)
    check()
    again = recomputed(counted.source, plan.source.context, whole)
    check()
    fabric = communication.fabric
    return Cost(
        found,
        fabric.mesh,
        {axis.name: fabric.axis_text(axis.name) for axis in fabric.mesh.axes},
        step.seconds,
        timed.seconds,
        overlap.busiest_link,
        step.flops,
        whole.flops - again.flops,
        again.flops,
        (whole.seconds_at_peak - again.seconds_at_peak) / fabric.mesh.total_size,
        whole.seconds_at_peak / fabric.mesh.total_size,
        _collectives(counted, communication, step, overlap),
        _operations(plan, counted.local, step),
        timed.memory.arguments,
        timed.memory.results,
        timed.memory.peak,
        timed.memory.parts,
        (*_misplaced(fabric), *_notes(plan, counted, step, found.chip)),
    )


def _collectives(
    counted: CountedPlan, communication: Communication, step: Step, overlap: Overlap
) -> tuple[CollectiveCost, ...]:
    """The plan's own account by kind and axes, with the time of those that the step meets."""
    groups: dict[tuple[str, str, int], list[tuple[Collective, int]]] = {}
    for one, times in counted.collectives:
        groups.setdefault((one.kind, axes_of(one), one.group_size), []).append((one, times))
    rows = []
    for key, found in groups.items():
        turns = [times * one.counted_turns for one, times in found]
        operations = list(dict.fromkeys(one.op for one, _ in found))
        met = [(step.runs.get(op, 0), communication.seconds(op)) for op in operations]
        rows.append(
            CollectiveCost(
                *key,
                sum(times for _, times in found),
                sum(one.bytes * times for one, times in found),
                sum(turns),
                sum(one.bytes * runs for (one, _), runs in zip(found, turns, strict=True)),
                sum(runs * seconds.after for runs, seconds in met),
                sum(runs * seconds.pipelined for runs, seconds in met),
                sum(overlap.exposed.get(op, 0.0) for op in operations),
            )
        )
    return tuple(sorted(rows, key=_longest_first))


def _longest_first(row: CollectiveCost | OperationTotals) -> float:
    # Rounding must not decide the order of rows that take equally long.
    return -float(f"{row.seconds:.9e}")


def _operations(plan: Plan, program: CountedProgram, step: Step) -> tuple[OperationTotals, ...]:
    """What takes time, the longest first; alike ones as one."""
    context = plan.module.context
    numbers: dict[SourceLocation, int] = {}
    places: dict[object, int] = {}
    """The number of the place that a location says."""
    texts: dict[tuple[Type, ...], str] = {}
    groups: dict[tuple[str, int, str], list[tuple[int, OperationTime, float]]] = {}
    for op, runs in step.runs.items():
        timed = step.timed[op]
        seconds = timed.seconds
        if not seconds:
            continue
        types = tuple([result.type for result in op.results])
        text = texts.get(types)
        if text is None:
            text = texts[types] = _types_text(types)
        locations = program.locations(op)
        at: dict[int, int] = {}
        for location, times in Counter(locations).items() if len(locations) > 1 else ((locations[0], 1),):
            number = places.get(location)
            if number is None:
                place = source_location(location, context)
                number = places[location] = numbers.setdefault(place, len(numbers))
            at[number] = at.get(number, 0) + times
        for number, times in at.items():
            part = runs * times // len(locations)
            groups.setdefault((op.name, number, text), []).append((part, timed, seconds))
    known = list(numbers)
    rows: list[OperationTotals] = []
    for (name, number, text), found in groups.items():
        flops = sum([runs * timed.work.flops for runs, timed, _ in found])
        bytes = sum([runs * timed.work.bytes for runs, timed, _ in found])
        seconds = sum([runs * seconds for runs, _, seconds in found])
        runs = sum([runs for runs, _, _ in found])
        rows.append(OperationTotals(name, known[number], text, runs, flops, bytes, seconds, _bound(found)))
    rows.sort(key=_in_text)
    return tuple(sorted(rows, key=_longest_first))


def _in_text(row: OperationTotals) -> tuple[object, ...]:
    """For those that take equally long: the order of the author's text, then one in which no two rows are equal."""
    at = row.location
    return at.file, at.line, at.column, row.operation, at.scope, at.function, at.operation, row.type


def _bound(found: Iterable[tuple[int, OperationTime, float]]) -> str:
    """What most of the time of these operations goes to: those of one place may wait for different things."""
    computing = sum([runs * seconds for runs, timed, seconds in found if timed.is_compute])
    moving = sum([runs * seconds for runs, timed, seconds in found if not timed.is_compute])
    return "compute" if computing > moving else "memory"


def _types_text(types: Sequence[Type]) -> str:
    shown = [
        "x".join([*map(str, type.shape), str(type.element)]) if isinstance(type, TensorType) else str(type)
        for type in types[:1]
    ]
    return shown[0] + (", …" if len(types) > 1 else "") if shown else ""


def _misplaced(fabric: Fabric) -> Iterable[str]:
    """Axes that the hardware puts somewhere, and the mesh does not have."""
    known = fabric.mesh.sizes
    for name in fabric.hardware.axes:
        if name not in known:
            listed = ", ".join(known) or "no axes"
            yield f"the hardware says where axis {name!r} lies, the mesh has {listed}{did_you_mean(name, known)}"


def _notes(plan: Plan, counted: CountedPlan, step: Step, chip: Chip) -> Iterable[str]:
    """Notes on what the model counts differently from the program, and on what it does not know."""
    context, local = plan.module.context, counted.local

    def at(ops: Iterable[Operation]) -> str:
        locations = dict.fromkeys(location for op in ops for location in local.locations(op))
        places = dict.fromkeys(filter(None, (source_location(one, context).place for one in locations)))
        return f" ({', '.join(places)})" if places else ""

    def number(ops: Iterable[Operation]) -> int:
        return sum(map(local.times, ops))

    if plan.mesh is None:
        yield "there is no mesh: these are the figures of one device, which does everything"
    if step.unknown_trip_counts:
        loops = _counted(number(step.unknown_trip_counts), "loop")
        yield f"no trip count is known for {loops}: a loop body counts once{at(step.unknown_trip_counts)}"
    if step.attentions:
        yield "attention counts as one kernel: its scores stand nowhere in memory"
    if step.conditionals:
        yield f"of each conditional only the most expensive branch is counted{at(step.conditionals)}"
    aside = sum(times for one, times in counted.collectives if one.op not in step.runs)
    if aside:
        yield f"{_counted(aside, 'collective')} in other branches: bytes count, seconds do not"
    for name, times in step.unknown.items():
        yield f"the cost of {name} is not known: it counts no operations, only the bytes that it reads and writes" + (
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
            yield f"the hardware has no rate for {element}: {peak / 1e12:g} TFLOP/s is assumed, from the rate of {key}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
