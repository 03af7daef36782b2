"""How long ``partition`` takes where candidate plans are compared by seconds, by the time where bytes decide.

``python -m benchmarks.choosing_time [NAME…] [--hardware v5e] [--every N] [--runs N]`` partitions the examples, the JAX
test programs and the models of ``memory_programs`` in both ways, in turns, and prints the least processor time of each.
Beside them stands the step that is expected of the plan chosen by seconds, by that of the plan chosen by bytes. At the
end stand the median and the most, and in how many programs it takes more than a fifth longer. Let nothing else run: on
a machine with other work single ratios are off by a tenth and more.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
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


def main() -> int:
    """Prints the table; the exit status is 1 if a plan chosen by seconds is expected to take more of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.choosing_time", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these programs")
    parser.add_argument("--hardware", default="v5e")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth program")
    parser.add_argument(
        "--runs", type=int, default=5, metavar="N", help="so many runs of each, of which the least counts"
    )
    options = parser.parse_args()
    force_devices(1)
    on, ratios, slower = hardware(options.hardware), list[float](), 0
    print(_LAYOUT.format("", "bytes", "seconds", "ratio", "step"))
    for name, make in islice(_texts(), 0, None, options.every):
        if options.names and name not in options.names:
            continue
        text = make()
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
