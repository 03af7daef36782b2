"""The number and bytes of some collectives or reshards, with loops counted once and with all iterations, as figures and
as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from pyshardy.ir.json_fields import fields_as_json
from pyshardy.report.words import size_text


@dataclass(frozen=True)
class Traffic:
    """The sum of some collectives: their number in the program and the bytes that each device receives in them;
    ``runs`` and ``run_bytes`` are the same with all iterations of loops. ``unknown`` of them are in loops whose trip
    count is not known, and count once."""

    count: int
    bytes: float
    runs: int
    run_bytes: float
    unknown: int

    @property
    def is_repeated(self) -> bool:
        """Whether loops make a difference."""
        return self.runs != self.count or self.run_bytes != self.bytes or bool(self.unknown)

    def as_json(self) -> dict[str, object]:
        """The figures as plain values."""
        return fields_as_json(self, unknown="in_loops_of_unknown_length")


class DataMovement(Protocol):
    """An operation that moves data: the bytes that each device receives, and how often it runs in its loops, None if
    that is not known."""

    @property
    def bytes(self) -> float: ...

    @property
    def turns(self) -> int | None: ...


def traffic(collectives: Iterable[DataMovement]) -> Traffic:
    """The sum of ``collectives``."""
    listed = list(collectives)
    turns = [1 if one.turns is None else one.turns for one in listed]
    return Traffic(
        len(listed),
        sum(one.bytes for one in listed),
        sum(turns),
        sum(one.bytes * times for one, times in zip(listed, turns, strict=True)),
        sum(one.turns is None for one in listed),
    )


def received_text(moved: Traffic, in_runs: str = "") -> str:
    """The bytes that each device receives, as text: once, and, if loops make a difference, with all iterations (whose
    number ``in_runs`` may give)."""
    once = f"each device receives {size_text(moved.bytes)}"
    if not moved.is_repeated:
        return once
    unknown = f"; no trip count is known for loops around {moved.unknown} of them" if moved.unknown else ""
    total = f"{size_text(moved.run_bytes)}{in_runs}"
    return f"{once} with one iteration of every loop, {total} with all iterations{unknown}"
