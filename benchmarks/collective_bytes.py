"""Bytes moved: our partitioning against XLA's own, counted in the programs that XLA makes of both; and memory: the
peak that a plan tells against what XLA takes for the same program.

``python -m benchmarks.collective_bytes [NAME…]`` compiles every example and JAX test program twice for virtual CPU
devices, once as it is and once partitioned by us (``--emit=manual``), runs both, compares the results, and prints what
each device receives by the byte model of docs/reshards.md. ``make bench-bytes`` runs it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.xla import Array, Executable, HloCollective, collectives_of, force_devices
from pyshardy import PyshardyError, parse, partition
from pyshardy.emitting.layout import Layout
from pyshardy.partitioning.plan import Plan
from pyshardy.sharding.tensor import DimSharding, TensorSharding

_MOST_DEVICES = 16
_TOLERANCE = 2e-3


@dataclass(frozen=True)
class Comparison:
    """One program: the collectives of both compiled programs, how far their results are apart, and how far ours are
    from the interpreter's; the memory of a device that our plan counts, and what XLA takes for that program.
    ``failure`` is why XLA cannot compile or run its own partitioning."""

    name: str
    ours: tuple[HloCollective, ...]
    theirs: tuple[HloCollective, ...]
    difference: float
    from_interpreter: float
    counted_memory: int
    taken_memory: int
    failure: str = ""

    @property
    def our_bytes(self) -> float:
        """What each device receives in our program."""
        return sum(one.bytes for one in self.ours)

    @property
    def their_bytes(self) -> float:
        """What each device receives in XLA's."""
        return sum(one.bytes for one in self.theirs)


def compare(name: str, text: str) -> Comparison:
    """Compiles and runs ``text`` as it is and partitioned by us.

    Raises:
        PyshardyError: the program cannot be partitioned.
        RuntimeError: XLA cannot compile or run our program.
    """
    from pyshardy.checking.inputs import in_their_types, random_inputs
    from pyshardy.checking.shards import shards_of
    from pyshardy.dialects.sdy.placement import set_function_result_sharding

    module = parse(text, name)
    plan = partition(module, emit="manual")
    main = next(op for op in module.op.body if op.symbol_name == plan.entry)
    arguments = in_their_types(main, random_inputs(module.op, main, 0))
    shards = [shards_of(value, one, plan.devices) for value, one in zip(arguments, plan.arguments, strict=True)]
    for index, boundary in enumerate(plan.results):
        # What XLA would choose for a result without a sharding is another program than ours.
        set_function_result_sharding(main, index, sharding_of(boundary.layout, plan.mesh_name))
    ours = Executable(str(plan.module), plan.devices)
    moved = tuple(collectives_of(ours.hlo, plan.devices))
    memory = plan.memory.peak, ours.memory
    try:
        theirs = Executable(str(module), plan.devices)
        expected = theirs.run(shards)
    except RuntimeError as error:
        return Comparison(name, moved, (), 0.0, 0.0, *memory, str(error).splitlines()[0])
    results = ours.run(shards)
    difference = max(map(_difference, expected, results), default=0.0)
    apart = _from_interpreter(plan, arguments, results)
    return Comparison(name, moved, tuple(collectives_of(theirs.hlo, plan.devices)), difference, apart, *memory)


def _from_interpreter(plan: Plan, arguments: list[Array], results: list[Array]) -> float:
    """How far the results of our program on each device are from those of the whole one in the interpreter; 0 if that
    cannot run it."""
    from pyshardy.checking.shards import shards_of
    from pyshardy.interpreter.run import run

    try:
        whole = run(plan.source, arguments, plan.entry)
    except PyshardyError:
        return 0.0
    apart = 0.0
    for value, boundary, found in zip(whole, plan.results, results, strict=True):
        expected = np.broadcast_to(shards_of(value, boundary, plan.devices), found.shape)
        if all(size % count == 0 for size, count in zip(value.shape, boundary.layout.counts, strict=True)):
            apart = max(apart, _difference(expected, found))
    return apart


def sharding_of(layout: Layout, mesh_name: str | None) -> TensorSharding | None:
    """The closed sharding that says ``layout``."""
    if mesh_name is None:
        return None
    return TensorSharding(mesh_name, map(DimSharding, layout.dims), (), layout.unreduced, layout.reduction)


def _difference(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference, relative to the largest element; infinite for another shape."""
    if a.shape != b.shape:
        return float("inf")
    if not a.size:
        return 0.0
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    first, second = a.astype(wide), b.astype(wide)
    with np.errstate(all="ignore"):
        same = (first == second) | (np.isnan(first) & np.isnan(second))
        apart = np.where(same, 0.0, np.abs(first - second))
    finite = np.abs(first[np.isfinite(first)])
    scale = float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    return float("inf") if np.isnan(apart).any() else float(apart.max()) / scale


def programs() -> dict[str, str]:
    """The examples and the JAX programs of the tests, by name."""
    from tests.differential.jax_programs import PROGRAMS

    found = {path.stem: path.read_text() for path in sorted(Path("examples").glob("*.mlir"))}
    found |= {name: make() for name, make in PROGRAMS.items()}
    return found


def as_json(found: Comparison) -> dict[str, object]:
    """The figures of a comparison as plain values."""
    return {
        "name": found.name,
        "ours": found.our_bytes,
        "theirs": found.their_bytes,
        "difference": found.difference,
        "from_interpreter": found.from_interpreter,
        "counted_memory": found.counted_memory,
        "taken_memory": found.taken_memory,
        "failure": found.failure,
    }


def _kinds(collectives: tuple[HloCollective, ...]) -> str:
    counts = Counter(one.kind for one in collectives)
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "none"


def main() -> int:
    """Prints the table; the exit status is 1 if a result differs or XLA moves less."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.collective_bytes", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these programs")
    parser.add_argument("--json", action="store_true", help="print one line of JSON for each program")
    parser.add_argument("--collectives", action="store_true", help="list the collectives of both programs")
    options = parser.parse_args()
    force_devices(_MOST_DEVICES)
    worse = 0
    memory: list[float] = []
    if not options.json:
        print(f"{'program':48} {'ours':>12} {'XLA':>12}  {'ratio':>6}  {'difference':>10}  collectives: ours | XLA")
    for name, text in programs().items():
        if options.names and name not in options.names:
            continue
        try:
            found = compare(name, text)
        except (PyshardyError, RuntimeError, ValueError) as error:
            worse += 1
            reason = str(error).splitlines()[0][:150]
            print(json.dumps({"name": name, "error": reason}) if options.json else f"{name:48} {reason}", flush=True)
            continue
        memory.append(found.counted_memory / found.taken_memory)
        if options.json:
            print(json.dumps(as_json(found)), flush=True)
            continue
        if found.failure:
            print(f"{name:48} {found.our_bytes:12.0f} {'fails':>12}  {found.failure[:120]}", flush=True)
            continue
        ratio = found.our_bytes / found.their_bytes if found.their_bytes else (1.0 if not found.our_bytes else 99.0)
        verdict = "" if ratio <= 1.0001 else "  <-- more"
        if found.difference > _TOLERANCE:
            verdict += "  <-- XLA is wrong" if found.from_interpreter <= _TOLERANCE else "  <-- DIFFERS"
        worse += bool(verdict) and "XLA is wrong" not in verdict
        print(
            f"{name:48} {found.our_bytes:12.0f} {found.their_bytes:12.0f}  {ratio:6.2f}  {found.difference:10.1e}  "
            f"{_kinds(found.ours)} | {_kinds(found.theirs)}{verdict}",
            flush=True,
        )
        if options.collectives:
            for label, collectives in (("ours", found.ours), ("XLA", found.theirs)):
                for one in collectives:
                    print(f"    {label}: {one.bytes:10.0f}  {one.text[:170]}")
    if memory and not options.json:
        middle, least, most = median(memory), min(memory), max(memory)
        print(f"memory, counted to taken by XLA: median {middle:.2f}, least {least:.2f}, most {most:.2f}")
    return int(bool(worse))


if __name__ == "__main__":
    sys.exit(main())
