"""The figures of earlier runs of the benchmark, with their date and machine: what a new run is held against.

``figures.json`` has a row a block of the table, the sum of parsing, passes and printing, ours and the C++. Machines
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
    """Seconds of one block of the table, ours and the C++."""

    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """Ours in units of the C++."""
        return self.ours / self.theirs


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
        listed = {name: [round(row.ours, 5), round(row.theirs, 5)] for name, row in sorted(rows.items())}
        path.write_text(json.dumps({"made": self.made, "rows": listed}, indent=1) + "\n")

    def change(self, name: str, now: Figure) -> str:
        """What has changed against the figure of that name, in a few words."""
        before = self.rows.get(name)
        if before is None:
            return "no stored figure"
        factor = now.ratio / before.ratio
        if abs(factor - 1) < _LITTLE:
            return f"stored ratio {before.ratio:.2f}: as before"
        return f"stored ratio {before.ratio:.2f}: {'slower' if factor > 1 else 'faster'} by {abs(factor - 1):.0%}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
