"""What becomes of every text of the tests that needs the standard library alone: ``python -m tests.ir.text_outcomes``.

Any Python that the package supports runs it, with nothing installed, and must write the same lines
(``test_other_pythons.py``).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pyshardy
from pyshardy.ir.diagnostics import PyshardyError
from tests.ir.tables import cases

ROOT = Path(__file__).parents[2]
TABLES = ("tests/ir/tables", "tests/dialects/tables")
PROGRAMS = ("examples", "tests/dialects/programs", "tests/differential/programs")
PARTITIONED = ("examples/mlp.mlir", "examples/scan_layers.mlir", "examples/shard_map.mlir")


def texts() -> Iterator[tuple[str, str]]:
    """The texts with names: all cases of the tables, alone and as an attribute, and all programs, as they stand and
    with blanks and comments between what is listed."""
    for table in (path for folder in TABLES for path in sorted((ROOT / folder).glob("*.txt"))):
        for number, case in enumerate(cases(table)):
            yield f"{table.stem} {number}", case.written
            yield f"{table.stem} {number} as an attribute", f"module attributes {{foo.a = {case.written}}} {{}}"
    for path in (path for folder in PROGRAMS for path in sorted((ROOT / folder).rglob("*.mlir"))):
        text = path.read_text()
        yield str(path.relative_to(ROOT)), text
        if len(text) < 20_000:
            yield f"{path.relative_to(ROOT)} spread out", text.replace(", ", " ,  // next\n  ")


def outcome(text: str) -> str:
    """What is printed after reading ``text``, or what is wrong with it."""
    try:
        return pyshardy.parse(text, allow_unregistered=True).text(generic=True)
    except PyshardyError as error:
        return str(error)


def outcomes() -> dict[str, str]:
    """What becomes of each text, and of some programs that are propagated and partitioned."""
    found = {name: outcome(text) for name, text in texts()}
    for name in PARTITIONED:
        module = pyshardy.parse((ROOT / name).read_text())
        found[f"{name} propagated"] = str(pyshardy.propagate(module))
        found[f"{name} partitioned"] = str(pyshardy.partition(module).module)
    return found


if __name__ == "__main__":
    json.dump(outcomes(), sys.stdout)
