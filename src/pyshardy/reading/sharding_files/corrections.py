"""Corrections of a pattern that matches nothing: the nearest paths, and the pattern with their components.

A pattern and a path are aligned component by component, by edit distance. ``shardable_tensors`` uses corrections in its
messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from pyshardy.reading.sharding_files.paths import Path, matches

_MISSING = 0.7
"""The cost of a step of a path that the pattern lacks; replacing a step costs at most 1."""
_FAR = 0.5
"""The distance per step of the shorter path from which on a correction is not suggested."""


class Correction(NamedTuple):
    """A path, its distance from a pattern, and the pattern with its wrong components replaced by those of the path."""

    distance: float
    path: Path
    pattern: Path


def corrections(pattern: Path, paths: Iterable[Path]) -> list[Correction]:
    """Each of ``paths``, where ``*`` stands for numbers, with the corrected ``pattern``; the nearest first."""
    return sorted((_corrected(pattern, path) for path in paths), key=lambda one: one.distance)


def meant(found: Iterable[Correction], paths: Iterable[Path]) -> Path | None:
    """The pattern that was probably meant, if one is near enough; it matches at least one of ``paths``."""
    paths = list(paths)
    for one in found:
        if one.distance >= _FAR * max(1, min(len(one.path), len(one.pattern))):
            return None
        if any(matches(one.pattern, path) for path in paths):
            return one.pattern
    return None


def _corrected(pattern: Path, path: Path) -> Correction:
    # The cheapest alignment of the first components of both, row by row.
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
    """The cost of leaving out ``step`` of a pattern: less for a star, which is uncertain anyway."""
    return _MISSING / 2 if step == "*" else 1


@cache
def _distance(step: str, name: str) -> float:
    """The distance of ``step`` of a pattern from ``name``: 0 if it matches, up to 1."""
    if matches((step,), (name,)) or (name == "*" and step.isdecimal()):
        return 0
    if name == "*":
        return 1
    # Imported only for errors.
    from difflib import SequenceMatcher

    return max(0.1, 1 - SequenceMatcher(None, step.replace("*", ""), name).ratio())
