"""What ``pyshardy cost`` counts against what XLA does of the same local programs: memory, operations, bytes moved.

``python -m benchmarks.cost_model [NAME…]`` partitions every example and JAX test program, and the models of
``memory_programs``, compiles what one device runs for virtual CPU devices, and prints for each what is counted here by
what XLA counts: arguments, results and the peak of memory (``memory_analysis``), floating point operations
(``cost_analysis``) and the bytes that each device receives (the collectives of the optimised program). Loops count
once, as they do there. At the end stand least, quartiles and most, and how many peaks are met; models that were written
afterwards (``memory_models_not_looked_at``, ``memory_models_unseen``) count by themselves.

XLA orders operations so that they need little memory, as it does for accelerators, and does not join all-reduces. Its
order for CPUs begins whatever it can at once, for many cores, and keeps more; and its CPU backend joins all all-reduces
into one, however large they are: ``--as-on-cpus`` compares with that. ``--without-library`` has XLA make all kernels
itself, where its CPU backend leaves products and reductions, with what it fuses into these, to a library.
``--elements bfloat16`` makes the models of ``memory_programs`` in another type; the CPU backend computes in f32, and
keeps what it computes as such.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from statistics import quantiles

from benchmarks.collective_bytes import programs
from benchmarks.memory_programs import is_held_out, is_known, is_new, is_unseen, memory_programs
from benchmarks.xla import Executable, collectives_of, force_devices
from pyshardy import PyshardyError, hardware, parse, partition

_MOST_DEVICES = 16
_AS_ON_ACCELERATORS = (
    "--xla_cpu_scheduler_type=CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED",
    "--xla_disable_hlo_passes=cpu-all-reduce-combiner",
)
_WITHOUT_LIBRARY = "--xla_cpu_experimental_ynn_fusion_type="
_NEAR = (0.9, 1.15)
"""Between these a peak counts as met."""
_SMALL_MEMORY = 16 << 10
"""Below, it is XLA's own buffers that count."""
_SMALL_WORK = 10_000
"""Below, it is the arithmetic of indices and loop counters that counts."""


@dataclass(frozen=True)
class Counted:
    """The figures of one program, here and there; bytes and operations of one device."""

    name: str
    arguments: tuple[int, int]
    results: tuple[int, int]
    peak: tuple[int, int]
    flops: tuple[float, float]
    received: tuple[float, float]


def count(name: str, text: str) -> Counted:
    """Partitions and compiles ``text``.

    Raises:
        PyshardyError: the program cannot be partitioned.
        RuntimeError: XLA cannot compile it.
    """
    from pyshardy.analysis.cost.step import time_step
    from pyshardy.dialects.main_function import functions_by_name
    from pyshardy.partitioning.account.counted import CountedProgram

    plan = partition(parse(text, name), emit="manual")
    compiled = Executable(str(plan.module), plan.devices)
    arguments, results, temporaries = compiled.memory_parts
    local = plan.local.op
    program = CountedProgram(local, functions_by_name(local)[plan.entry])
    once = time_step(program, hardware("laptop").chip, iterations=lambda loop: 1)
    received = sum(one.bytes for one in collectives_of(compiled.hlo, plan.devices))
    return Counted(
        name,
        (plan.memory.arguments, arguments),
        (plan.memory.results, results + compiled.donated),
        (plan.memory.peak, arguments + results + temporaries),
        (once.flops, compiled.flops),
        (plan.bytes_moved, received),
    )


def _ratio(pair: tuple[float, float]) -> float:
    ours, theirs = pair
    return ours / theirs if theirs else 1.0 if not ours else float("inf")


def spread(ratios: list[float]) -> str:
    """Least, quartiles and most."""
    if len(ratios) < 2:
        return "too few"
    return "  ".join(f"{one:6.2f}" for one in (min(ratios), *quantiles(ratios, n=4, method="inclusive"), max(ratios)))


def summary(found: list[Counted]) -> dict[str, list[float]]:
    """The ratios, ours by theirs, of each figure."""
    return {
        "arguments": [_ratio(one.arguments) for one in found if one.arguments[1]],
        "results": [_ratio(one.results) for one in found if one.results[1]],
        "peak of memory": [_ratio(one.peak) for one in found if one.peak[1]],
        "peak above 16 KiB": [_ratio(one.peak) for one in found if one.peak[1] > _SMALL_MEMORY],
        "operations": [_ratio(one.flops) for one in found if one.flops[1]],
        "operations above 10,000": [_ratio(one.flops) for one in found if one.flops[1] > _SMALL_WORK],
        "bytes received": [_ratio(one.received) for one in found if one.received[1]],
    }


def _all_programs(dtype: str) -> Iterator[tuple[str, Callable[[], str]]]:
    for name, text in programs().items():
        yield name, lambda text=text: text  # type: ignore[misc]
    for name, make in memory_programs(dtype):
        yield name, lambda make=make: str(make())  # type: ignore[misc]


def near(found: list[Counted]) -> str:
    """How many of the larger peaks are met: of all but those written afterwards, of those of them that the model was
    not made with at first, of those written afterwards, and of those written last."""
    large = [one for one in found if one.peak[1] > _SMALL_MEMORY]
    known = [one for one in large if is_known(one.name)]
    said = []
    for what, among in (
        ("", known),
        ("held out: ", [one for one in known if is_held_out(one.name)]),
        ("written afterwards: ", [one for one in large if is_new(one.name)]),
        ("written last: ", [one for one in large if is_unseen(one.name)]),
    ):
        met = sum(_NEAR[0] <= _ratio(one.peak) <= _NEAR[1] for one in among)
        said.append(f"{what}{met} of {len(among)}")
    return f"peaks above 16 KiB within {_NEAR[0]} and {_NEAR[1]}: {'; '.join(said)}"


def main() -> int:
    """Prints the table; the exit status is 1 if a program cannot be partitioned or compiled."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cost_model", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these programs")
    parser.add_argument("--json", action="store_true", help="print one line of JSON for each program")
    parser.add_argument("--as-on-cpus", action="store_true", help="let XLA order and join operations as for CPUs")
    parser.add_argument("--without-library", action="store_true", help="let XLA make all kernels itself")
    parser.add_argument(
        "--elements", default="float32", metavar="TYPE", help="the type of the models of memory_programs"
    )
    options = parser.parse_args()
    flags = [] if options.as_on_cpus else [*_AS_ON_ACCELERATORS]
    force_devices(_MOST_DEVICES, *flags, *([_WITHOUT_LIBRARY] if options.without_library else []))
    found: list[Counted] = []
    failed = 0
    if not options.json:
        print(f"{'ours by XLA':62} {'args':>6} {'results':>7} {'peak':>6} {'flops':>6} {'bytes':>6}")
    for name, make in _all_programs(options.elements):
        if options.names and name not in options.names:
            continue
        try:
            one = count(name, make())
        except (PyshardyError, RuntimeError, ValueError) as error:
            failed += 1
            print(f"{name:62} {str(error).splitlines()[0][:100]}", file=sys.stderr, flush=True)
            continue
        found.append(one)
        if options.json:
            print(json.dumps(asdict(one)), flush=True)
        else:
            ratios = [_ratio(pair) for pair in (one.arguments, one.results, one.peak, one.flops, one.received)]
            print(f"{name:62} " + " ".join(f"{ratio:6.2f}" for ratio in ratios), flush=True)
    if not options.json:
        print(f"\n{'':30}programs   least     1/4  median     3/4    most")
        for what, ratios in summary([one for one in found if is_known(one.name)]).items():
            print(f"{what:30}{len(ratios):8}  {spread(ratios)}")
        print(near(found))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
