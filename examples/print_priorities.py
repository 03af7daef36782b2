"""Prints a program after each of its user priorities: `python print_priorities.py [FILE]` (default `priorities.mlir`).

Each time the program is read anew and propagated up to that priority with `pyshardy.propagate(stop_after=…)`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pyshardy


def priorities_in(text: str) -> list[int]:
    """The user priorities that stand in the shardings of a program, 0 included."""
    return sorted({0, *(int(found) for found in re.findall(r"}p(\d+)", text))})


def main() -> None:
    """Runs as told on the command line."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("priorities.mlir")
    text = path.read_text()
    for priority in priorities_in(text):
        print(f"// after priority {priority}")
        print(pyshardy.propagate(pyshardy.parse(text, str(path)), stop_after=priority))


if __name__ == "__main__":
    main()
