"""The page's data on memory over a step and on computation, as columns of plain values.

The figures are those of ``analysis.cost.memory_timeline`` and of ``computation_parts``; texts and operations are
referred to by the numbers that ``page_data`` gives them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pyshardy.analysis.cost.memory_timeline import MemoryTimeline
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.ir.operation import Operation, Value
from pyshardy.report.alike import alike
from pyshardy.report.page.computation_parts import ComputationShare, Work
from pyshardy.report.page.texts import Texts, plain_type, rounded
from pyshardy.report.words import short_name

Json = dict[str, Any]
_MOST_LIVE = 60
_MOST_SCOPES = 6
_MOST_WORKS = 150
_NUMBER = re.compile(r"(@\w+/)?%\d+(#\d+)?")
_MOST_PLACES = 500
"""The number of positions in a step that a picture of its memory has room for."""


class _Live(NamedTuple):
    """A value that is live at the peak, with its name outside of loops."""

    value: Value
    name: str
    maker: str
    kind: str
    bytes: int


class CostData:
    """Columns for the program of ``explainer``; ``texts`` and ``numbers`` of operations are those of the page."""

    def __init__(self, explainer: Explainer, texts: Texts, numbers: Mapping[Operation, int]) -> None:
        self._explainer, self._traced = explainer, explainer.traced
        self._texts, self._operation_numbers = texts, numbers
        self._is_timed = explainer.timed is not None

    def memory(self, timeline: MemoryTimeline, capacity: float | None) -> Json:
        """Memory over time, thinned to the width of a picture, the peak and its position, and the largest tensors that
        are live there."""
        traced, texts = self._traced, self._texts
        memory = timeline.memory
        given = traced.numbering.operation(memory.at_peak) if memory.at_peak is not None else None
        where = self._explainer.names.location(given)
        place = (short_name(memory.at_peak.name) if memory.at_peak is not None else "", where.place, where.inner_scope)
        rows = [
            _Live(value, self._local_name(value), self._maker(value), timeline.kind_of(one.value), one.bytes)
            for one in memory.live_at_peak
            for value in [timeline.becomes(one.value)]
            if timeline.kind_of(one.value) in timeline.kinds
        ]
        groups = alike(
            rows,
            # Numbers of values are replaced by stars, so that equal values of many layers are one row.
            lambda one: "" if _NUMBER.fullmatch(one.name) else one.name,
            lambda one: (one.value.type, one.kind, one.maker),
            size=lambda one: one.bytes,
        )
        listed = [
            [
                texts.number(group.name or (one.name if len(group.rows) == 1 else "")),
                texts.number(one.maker),
                texts.number(plain_type(str(one.value.type))),
                timeline.kinds.index(one.kind),
                sum(other.bytes for other in group.rows),
                self._operation_number(one.value.defining_op),
                len(group.rows),
            ]
            for group in groups[:_MOST_LIVE]
            for one in group.rows[:1]
        ]
        shown = _thinned(timeline)
        return {
            "peak": memory.peak,
            "at": " ".join(filter(None, place)),
            "kinds": timeline.kinds,
            "live": listed,
            "capacity": capacity,
            "seconds": timeline.seconds,
            "timed": self._is_timed,
            "begins": [rounded(timeline.begins[one]) for one in shown],
            "operations": [self._operation_number(timeline.operations[one]) for one in shown],
            "rows": [[row[one] for one in shown] for row in timeline.rows],
            "peak_place": shown.index(timeline.peak) if shown else -1,
            "turns": [[rounded(one.begin), rounded(one.end), one.iterations] for one in timeline.loops],
        }

    def work(self, parts: Sequence[ComputationShare], works: Sequence[Work], timed: TimedPlan) -> Json:
        """Computation: the parts by scope, the work of operations for a roofline, and its roof."""
        chip = timed.hardware.chip
        heaviest = max(timed.step.timed.values(), key=lambda one: one.work.flops, default=None)
        element = heaviest.work.element if heaviest is not None else None
        return {
            "parts": [[one.name, rounded(one.seconds), one.largest(_MOST_SCOPES)] for one in parts],
            "works": [
                [self._operation_numbers.get(one.operation, -1), one.flops, one.bytes, rounded(one.seconds), one.part]
                for one in works[:_MOST_WORKS]
            ],
            "roof": {
                "peak": chip.peak(element)[0] if element is not None else 0.0,
                "bandwidth": chip.bandwidth,
                "type": str(element or ""),
            },
        }

    def _operation_number(self, op: Operation | None) -> int:
        given = self._traced.numbering.operation(op) if op is not None else None
        return self._operation_numbers.get(given, -1) if given is not None else -1

    def _local_name(self, value: Value) -> str:
        given = self._traced.numbering.value(value)
        return self._explainer.names.name(given) if given is not None else ""

    def _maker(self, value: Value) -> str:
        made = value.defining_op
        if made is None:
            around = value.parent_block.parent_op if value.parent_block is not None else None
            return "an argument" if around is None or around.name == "func.func" else "carried by a loop"
        place = self._explainer.names.location(self._traced.numbering.operation(made)).place
        return " ".join(filter(None, (short_name(made.name), place)))


def _thinned(timeline: MemoryTimeline) -> list[int]:
    """As many positions as a picture has room for: of close ones that with the most memory."""
    finest, totals = timeline.seconds / _MOST_PLACES, timeline.totals
    found: list[int] = []
    for place, begin in enumerate(timeline.begins):
        if found and begin - timeline.begins[found[-1]] < finest and len(found) > 1:
            if totals[place] > totals[found[-1]]:
                found[-1] = place
        else:
            found.append(place)
    return sorted({*found, timeline.peak}) if found else []
