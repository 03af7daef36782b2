"""The figures of earlier runs of the benchmark, with their date and machine: what a new run is held against.

``figures.json`` has a row a block of the table, the sum of parsing, passes and printing, ours and the C++ (if that can
do it), and rows for the time and the memory of whole processes. Machines
differ, so what counts is the ratio of the two, which were measured in turns.
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import dataclass
from datetime import date
from pathlib import Path

STORED = Path(__file__).parent / "figures.json"
_LITTLE = 0.05
"""A ratio that changed by less says nothing: runs of the same code differ as much."""


@dataclass(frozen=True)
class Figure:
    """Seconds (or megabytes) of one block of the table, ours and the C++, if that is timed."""

    ours: float
    theirs: float | None = None

    @property
    def ratio(self) -> float:
        """Ours in units of the C++, or else in seconds (megabytes)."""
        return self.ours if self.theirs is None else self.ours / self.theirs


@dataclass
class Figures:
    """Figures by block; ``made`` says when, where and with which Python."""

    made: str
    rows: dict[str, Figure]

    @classmethod
    def stored(cls, path: Path = STORED) -> Figures:
        """Those of ``path``; none if there is no such file."""
        if not path.exists():
            return cls("never", {})
        found = json.loads(path.read_text())
        return cls(found["made"], {name: Figure(*row) for name, row in found["rows"].items()})

    @classmethod
    def here(cls) -> Figures:
        """None yet, made today on this machine."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        made = f"{date.today().isoformat()}, {_processor()}, {cores} cores, Python {platform.python_version()}"
        return cls(made, {})

    def store(self, path: Path = STORED) -> None:
        """Writes them to ``path``, with rows of other blocks that stand there."""
        rows = {**Figures.stored(path).rows, **self.rows}
        listed = {
            name: [round(one, 5) for one in (row.ours, row.theirs) if one is not None]
            for name, row in sorted(rows.items())
        }
        path.write_text(json.dumps({"made": self.made, "rows": listed}, indent=1) + "\n")

    def change(self, name: str, now: Figure) -> str:
        """What has changed against the figure of that name, in a few words."""
        before = self.rows.get(name)
        if before is None:
            return "no stored figure"
        factor = now.ratio / before.ratio
        what = f"stored {'figure' if before.theirs is None else 'ratio'} {before.ratio:.2f}"
        if abs(factor - 1) < _LITTLE:
            return f"{what}: as before"
        return f"{what}: {'slower' if factor > 1 else 'faster'} by {abs(factor - 1):.0%}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
