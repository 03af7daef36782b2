"""A modelled step as a trace for Perfetto and ``chrome://tracing``: compute, and the links along each axis, as tracks.

The format is the trace event format (JSON): complete events with begin and duration in microseconds, metadata that
names processes and tracks. The times are those of ``analysis.cost.schedule``; each plan is a process.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pyshardy.analysis.cost.schedule import COMPUTE, Schedule, Slot, Span
from pyshardy.dialects.func import callee
from pyshardy.ir.operation import Operation
from pyshardy.ir.source_location import source_location
from pyshardy.ir.types import TensorType
from pyshardy.partitioning.plan import Plan
from pyshardy.report.words import counted, one_line, short_name

Json = dict[str, Any]
_MICROSECONDS = 1e6
_SPANS = 1
"""The tracks of a process by number: loops and calls, computation, then the links."""


def step_trace(plans: Mapping[str, tuple[Plan, Schedule]]) -> str:
    """The trace of each plan's step, by the name of the plan, as JSON."""
    metadata: list[Json] = []
    events: list[Json] = []
    for process, (name, (plan, schedule)) in enumerate(plans.items(), 1):
        metadata += _metadata(process, name, schedule)
        events += _events(process, plan, schedule)
    events.sort(key=lambda event: event["ts"])
    return json.dumps(
        {
            "displayTimeUnit": "ns",
            "otherData": {
                "what": "a step as pyshardy expects it: collectives beside computation, as far as the program allows",
                "step_seconds": {one_line(name): schedule.seconds for name, (_, schedule) in plans.items()},
            },
            "traceEvents": [*metadata, *events],
        },
        separators=(",", ":"),
    )


def _metadata(process: int, name: str, schedule: Schedule) -> Iterator[Json]:
    def named(what: str, track: int, text: str) -> Json:
        return {"ph": "M", "name": what, "pid": process, "tid": track, "ts": 0, "args": {"name": one_line(text)}}

    yield named("process_name", 0, f"{name}: one device, {schedule.hardware.name}")
    names = ["loops and calls", "compute", *(f"links along {track}" for track in schedule.tracks)]
    for track, text in enumerate(names, _SPANS):
        yield named("thread_name", track, text)
        yield {
            "ph": "M",
            "name": "thread_sort_index",
            "pid": process,
            "tid": track,
            "ts": 0,
            "args": {"sort_index": track},
        }


def _events(process: int, plan: Plan, schedule: Schedule) -> Iterable[Json]:
    numbers = {track: number for number, track in enumerate((COMPUTE, *schedule.tracks), _SPANS + 1)}
    places: dict[object, Json] = {}

    def where(op: Operation) -> Json:
        if op.location not in places:
            found = source_location(op.location, plan.module.context)
            texts = {"location": found.place, "scope": found.inner_scope}
            places[op.location] = {key: one_line(text) for key, text in texts.items() if text}
        return places[op.location]

    def event(name: str, category: str, track: int, one: Slot | Span, arguments: Json) -> Json:
        return {
            "ph": "X",
            "name": one_line(name),
            "cat": category,
            "pid": process,
            "tid": track,
            "ts": one.begin * _MICROSECONDS,
            "dur": one.seconds * _MICROSECONDS,
            "args": arguments | where(one.op),
        }

    for span in schedule.spans:
        arguments: Json = {"turns": span.iterations}
        if span.shown < span.iterations:
            arguments["turns by themselves"] = span.shown
        yield event(_span_name(span.op), "program", _SPANS, span, arguments)
    for slot in schedule.slots:
        name, category, arguments = _slot_row(slot)
        yield event(name, category, numbers[slot.track], slot, arguments)


def _span_name(op: Operation) -> str:
    return f"call @{callee(op)}" if op.name == "func.call" else short_name(op.name)


def _slot_row(slot: Slot) -> tuple[str, str, Json]:
    """Name, category and figures of a slot."""
    if slot.collective is not None:
        one = slot.collective
        axes = [axis.body_text for axis in one.axes]
        return one.kind, "communication", {"bytes": one.bytes, "devices in a group": one.group_size, "axes": axes}
    if slot.timed is not None:
        work = slot.timed.work
        bound = "compute" if slot.timed.is_compute else "memory"
        figures = {"flops": work.flops, "bytes": work.bytes, "waits for": bound, "on a device": _type_text(slot.op)}
        return short_name(slot.op.name), bound, figures
    if slot.op.name == "stablehlo.while":
        return (
            f"{counted(slot.iterations, 'more iteration')} of {short_name(slot.op.name)}",
            "several",
            {"turns": slot.iterations},
        )
    return f"all of {_span_name(slot.op)}", "several", {"turns": slot.iterations}


def _type_text(op: Operation) -> str:
    return ", ".join(str(one.type) for one in op.results[:4] if isinstance(one.type, TensorType))
