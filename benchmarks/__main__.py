"""Times parse, passes and print, ours and the C++ beside it, on models, on programs without repetition, as they grow.

``python -m benchmarks [LAYERS …] [--runs N] [--passes NAME …] [--sections NAME …]`` (default 2 32 128, ``whole`` and
``partition``, all sections).
The section ``layers`` times the first call of fresh processes, ours and theirs in turns, and later calls in one
process; with the verifier and without. The passes are ``propagate``, ``sdy-user-priority-propagate`` alone,
``pipeline``, ``sdy-propagation-pipeline``, ``collectives``, the whole way from import through propagation to explicit
collectives, ``whole``, the same as the pipeline with full explicit reshards and collectives behind it, and
``partition``, the whole way to the program of one device; that on residual perceptrons, since the C++ passes cannot
partition a transformer, and always verified. The section ``others`` does so for programs in which nothing repeats,
``plans`` times ``pyshardy.partition`` of a transformer's training step, ``growth`` ever more operations and devices,
ours alone, ``texts`` the reading and printing of texts of up to 100 MB, once. All is processor time; with each first
call stand the time of the whole process, loading included, and the most memory that it had. Where ``make
wheel-compiled`` has left a compiled installation, that is timed, too. Medians, in milliseconds and per operation; under
each block what changed against the stored figures (``figures``), at the end all of them as tables (``table``).
``--store`` keeps the figures, and writes the tables into ``docs/speed.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import median

from benchmarks.figures import Figure, Figures
from benchmarks.programs import ROOT, growing_meshes, growing_programs, large_texts, layered, without_repetition
from benchmarks.table import main as write_page
from benchmarks.table import tables

PASSES = {
    "propagate": "sdy-user-priority-propagate",
    "pipeline": "sdy-propagation-pipeline",
    "collectives": "sdy-import-pipeline,sdy-flatten-call-graph,symbol-dce,sdy-import-func-calls,symbol-dce,"
    "sdy-apply-sharding-constraints,sdy-sharding-group-import,sdy-pre-order-funcs,"
    "sdy-user-priority-propagate{keep-sharding-rules=true},sdy-export-named-computations,"
    "sdy-propagate-to-func-results,sdy-unflatten-call-graph,symbol-dce,sdy-insert-func-call-reshards,"
    "func.func(sdy-sink-data-flow-edges),sdy-export-pipeline{enable-insert-explicit-collectives=true}",
    "whole": "sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true},"
    "sdy-reshard-to-collectives)",
    "partition": "sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}),"
    "sdy-resolve-permutation-factors,func.func(sdy-reshard-to-collectives),func.func(sdy-pad-for-divisibility),"
    "sdy-convert-global-to-local,sdy-drop-sharding-and-mesh",
}
"""What the section ``layers`` runs."""
_OF_OURS = {"plan": "pyshardy.partition", "nothing": ""}
SECTIONS = ("layers", "others", "plans", "growth", "texts")

OURS = """
import json, sys, time
start = time.process_time()
import pyshardy
from pyshardy import parse, partition, run_passes
imported = time.process_time() - start
text = open(sys.argv[1]).read()
verify = sys.argv[2] == "verify"
pipeline = "builtin.module(" + sys.argv[4] + ")"
rows = []
for _ in range(int(sys.argv[3])):
    t0 = time.process_time()
    module = parse(text)
    t1 = time.process_time()
    if "pyshardy.partition" in pipeline:
        module = partition(module).module
    elif "sdy-convert-global-to-local" in pipeline:
        module = partition(module, in_place=True).module
    else:
        run_passes(module, pipeline, verify_each=verify)
    t2 = time.process_time()
    out = str(module)
    t3 = time.process_time()
    rows.append(dict(parse=t1 - t0, run=t2 - t1, print=t3 - t2))
count = sum(1 for _ in module.op.walk())
lines = dict(line.split(":", 1) for line in open("/proc/self/status"))
process = dict(whole=time.process_time(), memory=int(lines["VmHWM"].split()[0]) / 1024)
print(json.dumps([dict(row, imported=imported, operations=count, **process) for row in rows]))
"""

THEIRS = """
import json, sys, time
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir, passmanager
text = open(sys.argv[1]).read()
verify = sys.argv[2] == "verify"
pipeline = "builtin.module(" + sys.argv[4] + ")"
rows = []
for _ in range(int(sys.argv[3])):
    with jax_mlir.make_ir_context(), ir.Location.unknown():
        t0 = time.process_time()
        module = ir.Module.parse(text)
        t1 = time.process_time()
        manager = passmanager.PassManager.parse(pipeline)
        manager.enable_verifier(verify)
        manager.run(module.operation)
        t2 = time.process_time()
        out = str(module)
        t3 = time.process_time()
    rows.append(dict(parse=t1 - t0, run=t2 - t1, print=t3 - t2))
lines = dict(line.split(":", 1) for line in open("/proc/self/status"))
process = dict(whole=time.process_time(), memory=int(lines["VmHWM"].split()[0]) / 1024)
print(json.dumps([dict(row, **process) for row in rows]))
"""


Row = dict[str, float]
Found = Iterator[tuple[str, Figure]]
"""Figures with the names that they are stored under."""


COMPILED = ROOT / "build" / "compiled"
"""Where ``make wheel-compiled`` leaves a compiled installation."""


def measure(
    code: str, path: Path, passes: str, verify: bool, repeats: int, installation: Path | None = None
) -> list[Row]:
    """The timings that one fresh process reports, in seconds, one row a repetition; of the pyshardy in the directory
    ``installation``, if that is given."""
    checked = "verify" if verify else "plain"
    arguments = [sys.executable, "-c", code, str(path), checked, str(repeats), {**PASSES, **_OF_OURS}[passes]]
    # Modules compiled once, as in any installation, even where Python is told not to keep them.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    if installation is not None:
        environment["PYTHONPATH"] = str(installation)
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=ROOT, check=True, env=environment)
    found: list[Row] = json.loads(done.stdout.splitlines()[-1])
    return found


def first_calls(path: Path, passes: str, runs: int, verify: bool) -> list[Row]:
    """Medians of the first call of fresh processes in turns: ours, theirs, and ours compiled, if there is such an
    installation."""
    sides = _sides()
    rows: list[list[Row]] = [[] for _ in sides]
    for _ in range(runs):
        for found, (code, installation) in zip(rows, sides, strict=True):
            found += measure(code, path, passes, verify, 1, installation)
    return list(map(_medians, rows))


def steady_state(path: Path, passes: str, runs: int, verify: bool) -> list[Row]:
    """Medians of later calls in one process, of the same sides."""
    return [
        _medians(measure(code, path, passes, verify, runs + 1, installation)[1:]) for code, installation in _sides()
    ]


def _sides() -> list[tuple[str, Path | None]]:
    return [(OURS, None), (THEIRS, None), *([(OURS, COMPILED)] if COMPILED.exists() else [])]


def _medians(rows: list[Row]) -> Row:
    return {key: median(row[key] for row in rows) for key in rows[0]}


def report(
    title: str, passes: str, kind: str, rows: list[Row], verify: bool, stored: Figures
) -> Iterator[tuple[str, Figure]]:
    """One block of the table; the names that its figures are stored under, and the figures: seconds of parsing, passes
    and printing, and for a first call seconds and megabytes of the whole process."""
    ours, theirs, *compiled = rows
    count = int(ours["operations"])
    checked = "on" if verify else "off"
    imported = f"import pyshardy {ours['imported'] * 1e3:.0f} ms"
    print(f"{title}, {count} operations, {kind}, verifier {checked}; {imported}")
    print(f"  {'':12}{'pyshardy':>22}{'C++':>22}{'ratio':>8}")
    total_ours = total_theirs = 0.0
    for key, label in (("parse", "parse"), ("run", passes), ("print", "print")):
        _row(label, ours[key], theirs[key], count)
        total_ours += ours[key]
        total_theirs += theirs[key]
    _row("sum", total_ours, total_theirs, count)
    name = f"{title}, {passes}, {kind}, verifier {checked}"
    figures = {name: Figure(total_ours, total_theirs)}
    for row in compiled:
        _row("compiled", _sum(row), total_theirs, count)
        figures[f"{name}, compiled"] = Figure(_sum(row), total_theirs)
    for row, side in zip((ours, *compiled), ("", ", compiled"), strict=False):
        if kind == _FIRST:
            _row(f"process{side}"[:12], row["whole"], theirs["whole"], count)
            figures[f"{name}, whole process{side}"] = Figure(row["whole"], theirs["whole"])
            figures[f"{name}, memory{side}"] = Figure(row["memory"], theirs["memory"])
            ratio = figures[f"{name}, memory{side}"].ratio
            print(f"  {'memory':12}{row['memory']:19.0f} MB{theirs['memory']:19.0f} MB{ratio:8.2f}")
    print(f"  {stored.change(name, figures[name])}", flush=True)
    yield from figures.items()


def _row(label: str, ours: float, theirs: float, count: int) -> None:
    columns = [f"{value * 1e3:7.1f} ms {value * 1e6 / count:5.1f} µs/op" for value in (ours, theirs)]
    print(f"  {label:12}{columns[0]:>22}{columns[1]:>22}{ours / theirs:8.2f}")


_FIRST, _LATER = "first call", "steady state"


def layers_section(layers: list[int], names: list[str], runs: int, directory: Path, stored: Figures) -> Found:
    """Models of so many layers, with each of the passes."""
    for count, passes, verify in product(layers, names, (True, False)):
        path = layered(count, "residual_mlp" if passes == "partition" else "transformer_megatron", directory)
        for kind, timed in ((_FIRST, first_calls), (_LATER, steady_state)):
            rows = timed(path, passes, runs, verify)
            yield from report(f"{count} layers", passes, kind, rows, verify, stored)


def others_section(runs: int, directory: Path, stored: Figures) -> Found:
    """Programs in which nothing repeats, the whole way."""
    for name, passes, path in without_repetition(directory):
        for verify in (True, False):
            yield from report(name, passes, _FIRST, first_calls(path, passes, runs, verify), verify, stored)


def plans_section(layers: list[int], runs: int, directory: Path, stored: Figures) -> Found:
    """Partitions of a transformer's training step, by the number of layers."""
    for count in layers:
        path = layered(count, "transformer_megatron", directory)
        for side, ours in _ours(path, "plan", runs):
            words = f"{ours['run'] / count * 1e3:.1f} ms a layer"
            yield from alone(f"plan of {count} layers", side, ours, stored, words)


def growth_section(runs: int, directory: Path, stored: Figures) -> Found:
    """Ever more operations, the whole way; ever more devices, to the program of one."""
    for count, path in growing_programs(directory):
        for side, ours in _ours(path, "whole", runs):
            words = f"{_sum(ours) / count * 1e6:.1f} µs an operation"
            yield from alone(f"{count} operations", side, ours, stored, words)
    for devices, path in growing_meshes(directory):
        for side, ours in _ours(path, "plan", runs):
            yield from alone(f"{devices} devices", side, ours, stored, "partition of a perceptron")


def _ours(path: Path, passes: str, runs: int) -> Iterator[tuple[str, Row]]:
    """Medians of the first call of fresh processes, of ours alone: of the sources and, where there is such an
    installation, compiled."""
    for side, installation in (("", None), (", compiled", COMPILED)):
        if installation is None or installation.exists():
            rows = [row for _ in range(runs) for row in measure(OURS, path, passes, True, 1, installation)]
            yield side, _medians(rows)


def texts_section(directory: Path, stored: Figures) -> Found:
    """Large texts, read and printed once, beside the C++."""
    for name, path in large_texts(directory):
        rows = [measure(code, path, "nothing", True, 1)[0] for code in (OURS, THEIRS)]
        for what in ("parse", "print", "memory"):
            ours, theirs = (row[what] for row in rows)
            title, unit = f"text: {name}, {what}", "MB" if what == "memory" else "s"
            figure = Figure(ours, theirs)
            change = stored.change(title, figure)
            print(f"{title}: {ours:.2f} {unit}, C++ {theirs:.2f} {unit}, {figure.ratio:.2f}; {change}", flush=True)
            yield title, figure


def alone(title: str, side: str, ours: Row, stored: Figures, words: str) -> Found:
    """One line of what only we are timed on: a first call, and its memory."""
    seconds, memory = Figure(_sum(ours)), Figure(ours["memory"])
    change = stored.change(f"{title}{side}", seconds)
    print(f"{title}{side}: {seconds.ours * 1e3:.1f} ms, {words}, {memory.ours:.0f} MB; {change}", flush=True)
    yield f"{title}{side}", seconds
    yield f"{title}, memory{side}", memory


def _sum(row: Row) -> float:
    return row["parse"] + row["run"] + row["print"]


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("layers", nargs="*", type=int, default=[2, 32, 128])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--passes", nargs="*", choices=PASSES, default=["whole", "partition"])
    parser.add_argument("--sections", nargs="*", choices=SECTIONS, default=SECTIONS)
    parser.add_argument("--store", action="store_true", help="keep the figures, for later runs to be held against")
    options = parser.parse_args()
    stored, found = Figures.stored(), Figures.here()
    print(f"stored figures: {stored.made}\nthis run: {found.made}")
    with tempfile.TemporaryDirectory() as written:
        directory, runs = Path(written), options.runs
        sections: dict[str, Found] = {
            "layers": layers_section(options.layers, options.passes, runs, directory, stored),
            "others": others_section(runs, directory, stored),
            "plans": plans_section(options.layers, runs, directory, stored),
            "growth": growth_section(runs, directory, stored),
            "texts": texts_section(directory, stored),
        }
        for name in options.sections:
            found.rows.update(sections[name])
    print(f"\n{tables(found)}")
    if options.store:
        found.store()
        write_page()


if __name__ == "__main__":
    main()
