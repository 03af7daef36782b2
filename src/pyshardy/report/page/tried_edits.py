"""The edits that were tried for the causes of collectives, as the page shows them: text, effect, lines of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from pyshardy.analysis.why.conflicts import Cause
from pyshardy.analysis.why.edits import Edit, Effect
from pyshardy.module import Module
from pyshardy.reading.sharding_files.paths import Path, path_of_name
from pyshardy.reading.sharding_files.writing import line_values, toml_text
from pyshardy.reading.tensors import main_arguments, main_results
from pyshardy.report.explanation_text import effect_text

_LEAST = 0.01
"""Edits with a smaller gain are not shown."""


@dataclass(frozen=True)
class TriedEdit:
    """An edit that was tried, its effect, and the equivalent lines of a sharding file."""

    text: str
    effect: str
    lines: str


class TriedEdits:
    """The edits of ``source`` that were tried, each worked out once. An edit counts that makes the plan faster, or
    smaller where it does not fit into memory (``fits``)."""

    def __init__(self, source: Module, *, fits: bool) -> None:
        self._source = source
        self._fits = fits
        self._known: dict[int, TriedEdit | None] = {}
        """By the ids of edits."""

    @cached_property
    def _before(self) -> Mapping[str, object]:
        """The lines of a sharding file for the program before edits."""
        return line_values(self._source)

    def of(self, cause: Cause) -> TriedEdit | None:
        """The edit of ``cause``; None if there is none, or if it gains hardly anything."""
        edit = cause.edit
        if edit is None:
            return None
        if id(edit) not in self._known:
            self._known[id(edit)] = self._shown(edit)
        return self._known[id(edit)]

    def of_collectives(self, causes: Iterable[Cause]) -> dict[int, TriedEdit]:
        """Those of ``causes``, by the ids of the collectives that they are for."""
        found: dict[int, TriedEdit] = {}
        for cause in causes:
            edit = self.of(cause)
            if edit is not None:
                found.update((id(reason.collective), edit) for reason in cause.reasons)
        return found

    def _shown(self, edit: Edit) -> TriedEdit | None:
        if gain(edit.effect, fits=self._fits) < _LEAST:
            return None
        return TriedEdit(edit.text, effect_text(edit.effect), file_lines(edit, self._before))


def gain(effect: Effect, *, fits: bool) -> float:
    """The fraction of a step, or without hardware of the bytes that move, that an edit saves; if the program does not
    fit (``fits``), the fraction of the peak counts, too."""
    if effect.seconds is not None and effect.seconds_before:
        saved = 1 - effect.seconds / effect.seconds_before
    else:
        saved = 1 - effect.bytes_moved_in_a_run / (effect.bytes_moved_in_a_run_before or 1.0)
    return saved if fits else max(saved, 1 - effect.peak_memory / (effect.peak_memory_before or 1))


def file_lines(edit: Edit, before: Mapping[str, object]) -> str:
    """The lines of a sharding file that are equivalent to an edit; one with stars for tensors that differ in numbers
    alone. ``before`` are the ``line_values`` of its source."""
    after = line_values(edit.edited)
    groups: dict[tuple[str, str], list[str]] = {}
    for pattern, value in after.items():
        if before.get(pattern) != value:
            groups.setdefault((_starred(pattern), toml_text(value)), []).append(pattern)
    paths = [path_of_name(one.name) for one in (*main_arguments(edit.source), *main_results(edit.source))]
    lines = [
        ([starred] if sum(_matches(starred, one) for one in paths) == len(patterns) else patterns, value)
        for (starred, value), patterns in groups.items()
    ]
    return "\n".join(f"{toml_text(one)} = {value}" for patterns, value in lines for one in patterns)


def _starred(path: str) -> str:
    """The path with a star for every component that is a number."""
    return "/".join("*" if step.isdecimal() else step for step in path.split("/"))


def _matches(starred: str, path: Path) -> bool:
    steps = starred.split("/")
    return len(steps) == len(path) and all(one in ("*", step) for one, step in zip(steps, path, strict=True))
