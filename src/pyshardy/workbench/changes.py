"""Changes that may improve a setting: sharding a dimension class along an axis or not, or storing parameters along it.

A change affects a dimension class in all tensors, since sharding one shards all. Each change is evaluated; the button
*try* takes the best.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from pyshardy.choices import EXPECTED
from pyshardy.ir.progress import Check
from pyshardy.searching.families import INPUT, MOMENT, WEIGHT
from pyshardy.searching.layouts import LATER, divides, plain_axes, without_axes
from pyshardy.searching.objective import Objective
from pyshardy.searching.scoring import Score
from pyshardy.workbench.scheduling import SCHEDULER, Cancelled
from pyshardy.workbench.setting import Setting
from pyshardy.workbench.sheet import Sheet

_MOST_CLASSES = 6


class Change(NamedTuple):
    """A changed setting, the change in words, and its cost."""

    setting: Setting
    words: str
    score: Score


def best_change(
    sheet: Sheet, setting: Setting, axes: Sequence[str], seconds: float, check: Check
) -> tuple[Change | None, list[Change]]:
    """The best change that was tried within ``seconds``, those of ``axes`` first, if it improves the setting; and all
    that were tried, until ``check`` cancelled it."""
    tried: list[Change] = []
    now: Score | None = None
    end = time.monotonic() + seconds
    listed = sorted(changes(sheet, setting), key=lambda row: row[2] not in axes)
    for changed, words, _ in [(setting, "", ""), *listed]:
        if time.monotonic() > end and tried:
            break
        try:
            score = SCHEDULER.long(partial(sheet.score, changed), check)
        except Cancelled:
            break
        if changed is setting:
            now = score
            continue
        if score is not None:
            tried.append(Change(changed, words, score))
    goal = Objective(EXPECTED, sheet.capacity)
    best = min(tried, key=lambda one: goal.rank(one.score), default=None)
    if best is None or (now is not None and goal.rank(best.score) >= goal.rank(now)):
        return None, tried
    return best, tried


def changes(sheet: Sheet, setting: Setting) -> Iterator[tuple[Setting, str, str]]:
    """Settings with one change each, with the change in words and its axis; the most promising first."""
    own = dict(setting.specs)
    space = sheet.space
    classes = sorted(space.candidates, key=lambda one: -space.volume(one))
    batch = [one for one in classes if one in space.batch]
    ordered = [*batch, *[one for one in classes if one not in batch]][: _MOST_CLASSES + len(batch)]
    for axis, size in setting.mesh:
        if size < 2:
            continue
        without = {number: without_axes(spec, (axis,)) for number, spec in own.items()}
        for what in ("parameters", "optimizer"):
            stored = _stored(sheet, setting, axis, what)
            if stored != setting:
                yield stored, f"{what} stored along {axis}", axis
        for one in ordered:
            placed = place_class(sheet, setting, axis, one)
            if placed != setting and dict(placed.specs) != {k: v for k, v in without.items() if any(v)}:
                yield placed, f"{space.names.get(one, 'a dimension')} along {axis}", axis
        if any(axis in plain_axes(spec) for spec in own.values()):
            yield setting.with_specs(without), f"nothing along {axis}", axis


def place_class(sheet: Sheet, setting: Setting, axis: str, wanted: int) -> Setting:
    """``setting`` with ``axis`` on dimension class ``wanted`` in all tensors where it divides, and on no other
    dimension except for storage of parameters."""
    sizes = setting.sizes
    specs = {
        number: tuple(tuple(one for one in axes if one != axis) for axes in spec) for number, spec in setting.specs
    }
    for family in sheet.space.listed:
        if wanted not in family.classes or not family.arguments or sheet.is_small(family):
            continue
        place = family.classes.index(wanted)
        spec = list(without_axes(specs.get(family.number, ((),) * len(family.shape)), (axis,)))
        spec[place] = (axis, *spec[place])
        if divides(family.shape[place], spec[place], sizes):
            specs[family.number] = tuple(spec)
    return setting.with_specs(specs)


def store_class(sheet: Sheet, setting: Setting, axis: str, wanted: int, roles: Sequence[str]) -> Setting:
    """``setting`` with the families of ``roles`` stored along ``axis``, after all other axes, on dimension class
    ``wanted``."""
    specs, sizes = dict(setting.specs), setting.sizes
    for family in sheet.space.listed:
        if wanted not in family.classes or family.role not in roles or sheet.is_small(family):
            continue
        place = family.classes.index(wanted)
        spec = list(without_axes(specs.get(family.number, ((),) * len(family.shape)), (axis,)))
        spec[place] = (*spec[place], LATER + axis)
        if divides(family.shape[place], spec[place], sizes):
            specs[family.number] = tuple(spec)
    return setting.with_specs(specs)


def shards_inputs(sheet: Sheet, setting: Setting, axis: str) -> bool:
    """Whether an input of the step, such as the batch, is sharded along ``axis``."""
    inputs = {family.number for family in sheet.space.listed if family.role == INPUT}
    return any(number in inputs and axis in plain_axes(spec) for number, spec in setting.specs)


def _stored(sheet: Sheet, setting: Setting, axis: str, what: str) -> Setting:
    """``setting`` with parameters and their moments, or only the moments, stored along ``axis`` on their largest
    unsharded dimension."""
    specs, sizes = dict(setting.specs), setting.sizes
    roles = (WEIGHT, MOMENT) if what == "parameters" else (MOMENT,)
    for family in sheet.space.listed:
        if family.role in roles and not sheet.is_small(family):
            spec = specs.get(family.number, ((),) * len(family.shape))
            specs[family.number] = tuple(sheet.space.stored(family, spec, (axis,), sizes))
    return setting.with_specs(specs)
