"""What a pattern that means nothing may have meant: the paths that are nearest to it, and itself with their steps.

A pattern and a path are aligned step by step, as two words are letter by letter. ``places`` asks here for its messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from pyshardy.reading.sharding_files.paths import Path, matches

_MISSING = 0.7
"""What a step of a path costs that a pattern lacks; one in the place of another costs at most 1."""
_FAR = 0.5
"""From where on, a step of the shorter one, a path is not what somebody meant."""


class Correction(NamedTuple):
    """A path by its distance from a pattern, and the pattern with those steps of the path that it has wrong."""

    distance: float
    path: Path
    pattern: Path


def corrections(pattern: Path, paths: Iterable[Path]) -> list[Correction]:
    """Each of ``paths``, where ``*`` stands for numbers, with what ``pattern`` would have to be; the nearest first."""
    return sorted((_corrected(pattern, path) for path in paths), key=lambda one: one.distance)


def meant(found: Iterable[Correction], paths: Iterable[Path]) -> Path | None:
    """The pattern that somebody will have meant, if one is near enough; it means at least one of ``paths``."""
    paths = list(paths)
    for one in found:
        if one.distance >= _FAR * max(1, min(len(one.path), len(one.pattern))):
            return None
        if any(matches(one.pattern, path) for path in paths):
            return one.pattern
    return None


def _corrected(pattern: Path, path: Path) -> Correction:
    # The cheapest alignment of the first steps of both, row by row.
    row = [Correction(_MISSING * done, path, path[:done]) for done in range(len(path) + 1)]
    for step in pattern:
        if step == "**":
            following = [_longer(row[0], 0, step)]
            for done in range(len(path)):
                following.append(_nearest(_longer(row[done + 1], 0, step), following[done]))
        else:
            following = [_longer(row[0], _lost(step))]
            for done, name in enumerate(path):
                distance = _distance(step, name)
                right = name if distance else step
                instead, without = _longer(row[done], distance, right), _longer(row[done + 1], _lost(step))
                following.append(_nearest(instead, without, _longer(following[done], _MISSING, name)))
        row = following
    return row[-1]


def _nearest(*found: Correction) -> Correction:
    return min(found, key=lambda one: one.distance)


def _longer(before: Correction, distance: float, *steps: str) -> Correction:
    return before._replace(distance=before.distance + distance, pattern=(*before.pattern, *steps))


def _lost(step: str) -> float:
    """What it costs to leave out ``step`` of a pattern: who writes a star is not sure of it."""
    return _MISSING / 2 if step == "*" else 1


@cache
def _distance(step: str, name: str) -> float:
    """How far ``step`` of a pattern is from ``name``: 0 if it means it, up to 1."""
    if matches((step,), (name,)) or (name == "*" and step.isdecimal()):
        return 0
    if name == "*":
        return 1
    # Loaded for errors alone.
    from difflib import SequenceMatcher

    return max(0.1, 1 - SequenceMatcher(None, step.replace("*", ""), name).ratio())
