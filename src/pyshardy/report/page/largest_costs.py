"""The largest costs of a plan: memory, computation and communication in one list, each with its share and a remedy.

If the program does not fit, the tensors that fill the peak come first. ``computation_parts`` has the times of
computation, ``analysis.why.conflicts`` the causes of collectives, ``memory_timeline`` the values in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from pyshardy.analysis.cost.memory_kinds import GATHERED, OPTIMIZER, PARAMETERS, SAVED, TEMPORARIES
from pyshardy.analysis.cost.memory_timeline import MemoryTimeline
from pyshardy.analysis.displaced_batch import displaced_batches
from pyshardy.emitting.collectives import Collective
from pyshardy.ir.operation import Value
from pyshardy.ir.types import TensorType, tensor_shape
from pyshardy.partitioning.account.liveness import LiveTensor
from pyshardy.report.page.colours import COMPUTATION, classes
from pyshardy.report.page.computation_parts import MEMORY, ComputationShare
from pyshardy.report.page.tried_edits import TriedEdit, TriedEdits
from pyshardy.report.plan_summary import displaced_rows
from pyshardy.report.plan_tables import displaced_words
from pyshardy.report.words import counted, seconds_text, short_name, size_text

if TYPE_CHECKING:
    from pyshardy.report.page.report import Report

_MOST_LINES = 6
_LEAST = 0.01
"""Smaller shares get no line."""
_MOST_SCOPES = 3


@dataclass(frozen=True)
class CostLine:
    """A line of the list: ``kind`` is memory, computation or communication; ``share`` is its share ``of`` something;
    ``view`` the view that shows it, as a fragment of the page's address; ``axes`` its axes."""

    kind: str
    share: float
    of: str
    title: str
    texts: tuple[str, ...]
    view: str
    axes: tuple[str, ...] = ()
    edit: TriedEdit | None = None

    def colours(self, of_axes: Mapping[str, int]) -> tuple[str, ...]:
        """The classes of the colours of its bar: grey, or those of its axes."""
        return classes(self.axes, of_axes) if self.axes else (COMPUTATION if self.kind == "computation" else "kn",)

    @property
    def share_text(self) -> str:
        """The share as text."""
        return f"{100 * self.share:.0f} %"


def largest_costs(
    report: Report, timeline: MemoryTimeline, parts: Sequence[ComputationShare], edits: TriedEdits
) -> list[CostLine]:
    """The lines, the most important first; ``edits`` are those of ``report``."""
    memory = list(_memory(report, timeline))
    others = [*_computation(report, parts), *_communication(report, edits)]
    fits = report.cost is None or report.cost.fits
    ranked = sorted(
        [*(memory if fits else memory[1:]), *others], key=lambda one: -one.share if one.share >= _LEAST else 0.0
    )
    found = ranked if fits else [*memory[:1], *ranked]
    return [one for one in found if one.share >= _LEAST][:_MOST_LINES] or found[:1]


# --- memory -----------------------------------------------------------------------------------------------------------


def _memory(report: Report, timeline: MemoryTimeline) -> Iterator[CostLine]:
    """A line for each kind of values in memory at the peak, the largest first."""
    peak = timeline.memory.peak or 1
    limit = report.hardware.chip.capacity if report.hardware is not None else peak
    fits = peak <= limit
    of = "of the peak of memory" if report.hardware is None or not fits else "of the memory of the chip"
    for kind, size in sorted(timeline.at_peak.items(), key=lambda row: -row[1]):
        if not size:
            continue
        live = [one for one in timeline.memory.live_at_peak if timeline.kind_of(one.value) == kind]
        largest = timeline.becomes(live[0].value) if live else None
        texts = [
            *_largest(report, largest, live),
            *(_remedies(report, kind, largest, live) if not fits or size > limit / 4 else ()),
        ]
        share = size / (limit if fits else peak)
        verb = "" if kind in (SAVED, GATHERED) else "of "
        yield CostLine("memory", share, of, f"{size_text(size)} {verb}{kind}", tuple(texts), "#view=memory")


def _largest(report: Report, value: Value | None, live: Sequence[LiveTensor]) -> Iterator[str]:
    if value is not None:
        name, made = _name(report, value), value.defining_op
        given = report.explainer.traced.numbering.operation(made) if made is not None else None
        where = report.explainer.names.location(given).place if given is not None else ""
        by = "" if made is None else f", made by {short_name(made.name)}" + (f" at {where}" if where else "")
        yield f"the largest is {name or 'a tensor'}, {_type(value)}: {size_text(live[0].bytes)}{by}"


def _remedies(report: Report, kind: str, value: Value | None, live: Sequence[LiveTensor]) -> Iterator[str]:
    """Remedies for this kind of values, of which ``value`` is the largest, in sentences."""
    replicas, axes = _replicas(report, value) if value is not None else (1, ())
    largest = live[0].bytes if live else 0
    if replicas > 1:
        along = f" along {' and '.join(axes)}" if axes else ""
        what = "stored" if kind in (PARAMETERS, OPTIMIZER) else "sharded"
        yield (
            f"what would help: {counted(replicas, 'device')}{along} hold the same of it; {what} there, too, it takes "
            f"{size_text(largest / replicas)}"
        )
    if kind == SAVED and report.cost is None:
        return
    if kind == SAVED and not _recomputes(report):
        yield "what would help: recomputing layers in the backward pass (jax.checkpoint): their inputs alone are kept"
    elif kind == SAVED:
        yield "what would help: more microbatches, each of which saves its own part alone, one after the other"
    if kind == TEMPORARIES and any(_is_scores(one.value) for one in live[:3]):
        yield "what would help: attention as one kernel (--fused-attention), whose scores stand nowhere in memory"


def _replicas(report: Report, value: Value) -> tuple[int, tuple[str, ...]]:
    """The number of devices that hold the same part of a value, and the axes along which they do, if that is known."""
    traced = report.explainer.traced
    given, type = traced.numbering.value(value), value.type
    if given is None or not isinstance(type, TensorType):
        return 1, ()
    whole = traced.type(given)
    if not isinstance(whole, TensorType) or whole.rank != type.rank:
        return 1, ()
    shards = round(prod(whole.shape) / max(prod(type.shape), 1))
    replicas = report.plan.devices // max(shards, 1)
    slots = traced.slots(given)
    sharding = traced.final_sharding(slots[0]) if slots else None
    used = {axis.name for dim in sharding.dims for axis in dim.axes} if sharding is not None else set()
    mesh = report.plan.mesh
    free = [axis for axis in mesh.axes if axis.size > 1 and axis.name not in used] if mesh is not None else []
    names = tuple(axis.name for axis in free) if prod(axis.size for axis in free) == replicas else ()
    return replicas, names


def _is_scores(value: Value) -> bool:
    shape = tensor_shape(value.type)
    return len(shape) >= 4 and shape[-1] == shape[-2] >= 1024


def _recomputes(report: Report) -> bool:
    return report.cost is not None and report.cost.recomputed_flops > 0


def _name(report: Report, value: Value) -> str:
    given = report.explainer.traced.numbering.value(value)
    return report.explainer.names.name(given) if given is not None else ""


def _type(value: Value) -> str:
    return str(value.type).removeprefix("tensor<").removesuffix(">")


# --- time -------------------------------------------------------------------------------------------------------------


def _computation(report: Report, parts: Sequence[ComputationShare]) -> Iterator[CostLine]:
    if report.cost is None:
        return
    step = report.cost.step_seconds.expected or 1.0
    for part in parts:
        if part.seconds:
            shown = [f"{scope} {seconds_text(seconds)}" for scope, seconds in part.largest(_MOST_SCOPES)]
            texts = [", ".join(shown)]
            doing = "waiting for memory" if part.name == MEMORY else f"of {part.name}"
            title = f"{seconds_text(part.seconds)} {doing}"
            yield CostLine("computation", part.seconds / step, "of a step", title, tuple(texts), "#view=time")


def _communication(report: Report, edits: TriedEdits) -> Iterator[CostLine]:
    """A line for each cause, the first for axes that the batch has lost to weights, which cause the others; with
    hardware only those with exposed time."""
    conflicts = report.conflicts
    causes = [one for one in (*conflicts.causes, *conflicts.sums, *conflicts.others) if one.reasons]
    moved = sum(one.run_bytes for one in causes) or 1.0
    found = displaced_batches(report.plan)
    for displaced, row in zip(found, displaced_rows(report.plan, found), strict=True):
        those = {id(one) for one in displaced.collectives}
        own = [one for one in causes if all(id(reason.collective) in those for reason in one.reasons)]
        causes = [one for one in causes if one not in own]
        lost, where = displaced_words(row)
        helps = (
            f'what would help: a sharding constraint with "{row.axis}" in dimension {row.batch_dimension} of that '
            "tensor, or priority 1 for the weights in a sharding file"
        )
        edit = next(filter(None, map(edits.of, own)), None)
        exposed = _exposed_seconds(report, displaced.collectives)
        yield _line(report, (row.axis,), displaced.collectives, exposed, moved, lost, (where, helps), edit)
    for cause in causes:
        met = {axis.name for one in cause.reasons for axis in one.collective.axes}
        axes = [name for mesh in report.explainer.traced.meshes.values() for name in mesh.sizes if name in met]
        axes = list(dict.fromkeys(axes))
        collectives = [one.collective for one in cause.reasons]
        first = cause.reasons[0].text
        texts = (cause.text, "" if first == cause.text else first)
        yield _line(report, axes, collectives, cause.exposed or 0.0, moved, cause.name, texts, edits.of(cause))


def _line(
    report: Report,
    axes: Sequence[str],
    collectives: Sequence[Collective],
    exposed: float,
    moved: float,
    name: str,
    texts: Sequence[str],
    edit: TriedEdit | None,
) -> CostLine:
    """The line for ``collectives``, as a share of a step or of the bytes that are ``moved`` in all."""
    size = sum(one.run_bytes for one in collectives)
    kinds = ", ".join(dict.fromkeys(one.kind for one in collectives))
    along = " and ".join(axes) or "pairs of devices"
    received = f"{size_text(size)} in {counted(len(collectives), 'collective')} ({kinds})"
    if report.cost is not None:
        share, of = exposed / (report.cost.step_seconds.expected or 1.0), "of a step"
        title, name = f"{seconds_text(exposed)} waiting along {along}", f"{received}: {name}"
    else:
        share, of, title = size / moved, "of what each device receives", f"{received} along {along}"
    shown = tuple(dict.fromkeys(filter(None, (name, *texts))))
    return CostLine("communication", share, of, title, shown, "#view=communication", tuple(axes), edit)


def _exposed_seconds(report: Report, collectives: Sequence[Collective]) -> float:
    if report.timed is None:
        return 0.0
    waits = report.timed.overlap.exposed
    return sum(waits.get(op, 0.0) for op in dict.fromkeys(one.op for one in collectives))
