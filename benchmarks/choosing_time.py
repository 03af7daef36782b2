"""How long ``partition`` takes where candidate plans are compared by seconds, by the time where bytes decide.

``python -m benchmarks.choosing_time [NAME…] [--hardware v5e] [--every N] [--runs N]`` partitions the examples, the JAX
test programs and the models of ``memory_programs`` in both ways, in turns, and prints the least processor time of each.
Beside them stands the step that is expected of the plan chosen by seconds, by that of the plan chosen by bytes. At the
end stand the median and the most, and in how many programs it takes more than a fifth longer. Let nothing else run: on
a machine with other work single ratios are off by a tenth and more. ``--instructions`` counts instructions instead,
which other work does not change, of later calls in a process, or ``--command`` of whole processes; valgrind has to be
there, and a program takes a minute.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from benchmarks.collective_bytes import programs
from benchmarks.memory_programs import memory_programs
from benchmarks.xla import force_devices
from pyshardy import Plan, PyshardyError, hardware, parse, partition
from pyshardy.analysis.cost.hardware import Hardware

_MOST = 1.2
_LAYOUT = "{:58} {:>8} {:>8} {:>6} {:>6}"


def _texts() -> Iterator[tuple[str, Callable[[], str]]]:
    for name, text in programs().items():
        yield name, partial(str, text)
    for name, make in memory_programs():
        yield name, lambda make=make: str(make())  # type: ignore[misc]


def _timed(text: str, on: Hardware | None) -> tuple[float, Plan]:
    """The seconds of ``partition``, and its plan."""
    module = parse(text)
    gc.collect()
    begun = time.process_time()
    plan = partition(module, hardware=on)
    return time.process_time() - begun, plan


_CALLS = """
import sys
from pyshardy import hardware, parse, partition
text, on = open(sys.argv[1]).read(), hardware(sys.argv[2])
modules = [parse(text) for _ in range(4)]
for module, way in zip(modules, sys.argv[3]):
    partition(module, hardware=on if way == "s" else None)
"""
"""Partitions a file by seconds (``s``) and by bytes (``b``), in the order of the letters of an argument."""


def _instructions(*arguments: str) -> int:
    """How many instructions Python executes with these arguments.

    Raises:
        SystemExit: valgrind is not there.
    """
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise SystemExit("--instructions needs valgrind, which is not installed")
    # With byte code, as in any installation: the first run writes it.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["OPENBLAS_NUM_THREADS"] = "1"
    counting = [valgrind, "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={os.devnull}"]
    subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=False)
    done = subprocess.run([*counting, sys.executable, *arguments], env=environment, capture_output=True, text=True)
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    if done.returncode or found is None:
        raise SystemExit(done.stderr)
    return int(found[1].replace(",", ""))


def _counted(text: str, on: str, *, command: bool) -> tuple[int, int]:
    """The instructions where bytes decide, and where seconds do."""
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory, "program.mlir"))
        Path(path).write_text(text)
        if command:
            words = ("-m", "pyshardy", "partition", path, "-o", os.devnull)
            return _instructions(*words), _instructions(*words, "--hardware", on)
        first, by_bytes, by_seconds = (_instructions("-c", _CALLS, path, on, ways) for ways in ("sb", "sbb", "sbs"))
        return by_bytes - first, by_seconds - first


def main() -> int:
    """Prints the table; the exit status is 1 if a plan chosen by seconds is expected to take more of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.choosing_time", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these programs")
    parser.add_argument("--hardware", default="v5e")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth program")
    parser.add_argument(
        "--runs", type=int, default=5, metavar="N", help="so many runs of each, of which the least counts"
    )
    parser.add_argument("--instructions", action="store_true", help="count instructions of a later call, by valgrind")
    parser.add_argument("--command", action="store_true", help="count those of the whole command")
    options = parser.parse_args()
    force_devices(1)
    on, ratios, slower = hardware(options.hardware), list[float](), 0
    print(_LAYOUT.format("", "bytes", "seconds", "ratio", "step"))
    for name, make in islice(_texts(), 0, None, options.every):
        if options.names and name not in options.names:
            continue
        text = make()
        if options.instructions or options.command:
            counts = _counted(text, options.hardware, command=options.command)
            ratios.append(counts[1] / counts[0])
            millions = [f"{count / 1e6:.0f} M" for count in counts]
            print(_LAYOUT.format(name[:58], *millions, f"{ratios[-1]:.2f}", ""), flush=True)
            continue
        try:
            runs = [(_timed(text, None), _timed(text, on)) for _ in range(options.runs)]
        except PyshardyError as error:
            print(f"{name:58} {str(error).splitlines()[0][:60]}", file=sys.stderr)
            continue
        by_bytes, by_seconds = (min(one[way][0] for one in runs) for way in (0, 1))
        steps = [plan.cost(on).step_seconds.expected for _, plan in runs[0]]
        step = steps[1] / steps[0] if steps[0] else 1.0
        slower += step > 1 + 1e-8
        ratios.append(by_seconds / by_bytes)
        figures = f"{1e3 * by_bytes:.0f} ms", f"{1e3 * by_seconds:.0f} ms", f"{ratios[-1]:.2f}", f"{step:.2f}"
        print(_LAYOUT.format(name[:58], *figures), flush=True)
    longer = sum(one > _MOST for one in ratios)
    print(f"{len(ratios)} programs: median {median(ratios):.2f}, most {max(ratios):.2f}, {longer} above {_MOST}")
    return int(bool(slower))


if __name__ == "__main__":
    sys.exit(main())
