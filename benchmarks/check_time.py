"""What exact evaluation costs: ``python -m benchmarks.check_time`` prints, for each example, the seconds that both
programs take in the interpreter as they are written, one after the other, and the seconds of a check.

docs/check.md keeps the table. Both times are the least of a few in one process. Then come the parts that were compared
alone, those that are like them, and the runs of both programs as a whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from pyshardy import load, partition
from pyshardy.checking.check import check_programs, programs_of
from pyshardy.checking.inputs import in_their_types
from pyshardy.cli.memory import keep_freed_memory
from pyshardy.interpreter.number_systems import AS_WRITTEN

_RUNS = 4
_EXAMPLES = Path(__file__).parents[1] / "examples"


def seconds_of(action: Callable[[], object]) -> float:
    """The least seconds of a few runs of ``action``."""
    found = []
    for _ in range(_RUNS):
        begun = time.perf_counter()
        action()
        found.append(time.perf_counter() - begun)
    return min(found)


def row_of(path: Path) -> str:
    """The row of the program at ``path``."""
    programs = programs_of(partition(load(path)))
    inputs = in_their_types(programs.function, programs.inputs(0))

    def as_written() -> None:
        programs.run_source(inputs, AS_WRITTEN)
        programs.run_local(inputs, AS_WRITTEN, 0)

    plain = seconds_of(as_written)
    exact = seconds_of(lambda: check_programs(programs))
    report = check_programs(programs)
    return f"| {path.stem} | {plain:.3f} | {exact:.3f} | {report.parts} | {report.alike} | {report.runs} |"


def main() -> None:
    """Prints the table."""
    keep_freed_memory()
    print("| program | as written, s | check, s | parts | alike | runs |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for path in sorted(_EXAMPLES.glob("*.mlir")):
        print(row_of(path))


if __name__ == "__main__":
    main()
