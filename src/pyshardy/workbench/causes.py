"""The largest costs of a setting: the tensors that fill the memory if it is too small, and exposed collectives.

The figures are those of the evaluation on the short program, with all layers counted.
"""

from __future__ import annotations

from typing import NamedTuple

from pyshardy.ir.source_location import source_location
from pyshardy.report.words import seconds_text, short_name, size_text
from pyshardy.searching.families import INPUT, MOMENT, WEIGHT
from pyshardy.searching.layouts import plain_axes
from pyshardy.searching.scoring import HotCollective, Score
from pyshardy.workbench.setting import Setting
from pyshardy.workbench.sheet import Sheet

_MOST = 3
_LEAST = 0.005
"""Causes with a smaller share of the memory, or of a step, are not listed."""
_WORDS = {WEIGHT: "parameters", MOMENT: "what the optimizer keeps", INPUT: "what a step is given"}


class Cause(NamedTuple):
    """A large cost: a description, its ``share`` of the memory or of a step, and its axes."""

    title: str
    detail: str
    share: float
    axes: tuple[str, ...]


def causes(sheet: Sheet, setting: Setting, score: Score) -> list[Cause]:
    """The three largest: memory first if the program does not fit."""
    memory = _memory(sheet, setting, score)
    waits = [_wait(sheet, one, score) for one in score.hot]
    computing = score.expected - sum(one.seconds for one in score.hot)
    time = [
        *waits,
        Cause(
            f"{seconds_text(max(0.0, computing))} computation and what else is waited for",
            _idle_axes(setting),
            max(0.0, computing) / (score.expected or 1.0),
            (),
        ),
    ]
    time.sort(key=lambda one: -one.share)
    if score.peak > sheet.capacity:
        rest = sorted([*memory[1:], *time], key=lambda one: -one.share)
        return [*memory[:1], *(one for one in rest if one.share >= _LEAST)][:_MOST]
    return [*time[:1], *(one for one in time[1:] if one.share >= _LEAST)][:_MOST]


def _memory(sheet: Sheet, setting: Setting, score: Score) -> list[Cause]:
    held = sheet.argument_bytes(setting)
    parts = [(_WORDS[role], size) for role, size in held.items()]
    parts.append(("activations, temporaries and gathered copies", max(0.0, score.peak - sum(held.values()))))
    parts.sort(key=lambda one: -one[1])
    of = f"of a peak of {size_text(score.peak)}, where {size_text(sheet.capacity)} can be used"
    return [Cause(f"{size_text(size)} of {name}", of, size / (score.peak or 1.0), ()) for name, size in parts if size]


def _wait(sheet: Sheet, one: HotCollective, score: Score) -> Cause:
    operations = sheet.short.module.op.operations()
    op = operations[one.number]
    members = sheet.short.source_members.get(sheet.short.groups[one.number], ())
    where = source_location(members[0].location, sheet.module.context) if members else None
    place = " ".join(filter(None, (where.place, where.inner_scope))) if where is not None else ""
    return Cause(
        f"{seconds_text(one.seconds)} waiting along {' and '.join(one.axes)}",
        f"{one.kind} of what {short_name(op.name)} makes" + (f" ({place})" if place else ""),
        one.seconds / (score.expected or 1.0),
        one.axes,
    )


def _idle_axes(setting: Setting) -> str:
    used = {axis for _, spec in setting.specs for axis in plain_axes(spec)}
    idle = [name for name, size in setting.mesh if size > 1 and name not in used]
    if not idle:
        return "shared along all axes of the mesh"
    return f"nothing lies along {' and '.join(idle)}: all devices along it do the same"
