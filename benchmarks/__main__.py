"""Times parse, passes and print, ours and the C++ beside it, on transformers of several sizes.

``python -m benchmarks [LAYERS …] [--runs N] [--passes NAME …]`` (default 2 32 128, all passes): the first call of fresh
processes, ours and theirs in turns, and later calls in one process; with the verifier and without. The passes are
``propagate``, ``sdy-user-priority-propagate`` alone, ``pipeline``, ``sdy-propagation-pipeline``, ``collectives``,
the whole way from import through propagation to explicit collectives, and ``partition``, the whole way to the program
of one device; that on residual perceptrons, since the C++ passes cannot partition a transformer, and always verified.
Medians, in milliseconds and per operation; under each block what changed against the stored figures (``figures``),
which ``--store`` replaces.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from statistics import median

from benchmarks.figures import Figure, Figures

ROOT = Path(__file__).resolve().parent.parent
PASSES = {
    "propagate": "sdy-user-priority-propagate",
    "pipeline": "sdy-propagation-pipeline",
    "collectives": "sdy-import-pipeline,sdy-flatten-call-graph,symbol-dce,sdy-import-func-calls,symbol-dce,"
    "sdy-apply-sharding-constraints,sdy-sharding-group-import,sdy-pre-order-funcs,"
    "sdy-user-priority-propagate{keep-sharding-rules=true},sdy-export-named-computations,"
    "sdy-propagate-to-func-results,sdy-unflatten-call-graph,symbol-dce,sdy-insert-func-call-reshards,"
    "func.func(sdy-sink-data-flow-edges),sdy-export-pipeline{enable-insert-explicit-collectives=true}",
    "partition": "sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true}),"
    "sdy-resolve-permutation-factors,func.func(sdy-reshard-to-collectives),func.func(sdy-pad-for-divisibility),"
    "sdy-convert-global-to-local,sdy-drop-sharding-and-mesh",
}

OURS = """
import json, sys, time
start = time.perf_counter()
import pyshardy
from pyshardy import parse, partition, run_passes
imported = time.perf_counter() - start
text = open(sys.argv[1]).read()
verify = sys.argv[2] == "verify"
pipeline = "builtin.module(" + sys.argv[4] + ")"
rows = []
for _ in range(int(sys.argv[3])):
    t0 = time.perf_counter()
    module = parse(text)
    t1 = time.perf_counter()
    if "sdy-convert-global-to-local" in pipeline:
        module = partition(module, in_place=True).module
    else:
        run_passes(module, pipeline, verify_each=verify)
    t2 = time.perf_counter()
    out = str(module)
    t3 = time.perf_counter()
    rows.append(dict(parse=t1 - t0, run=t2 - t1, print=t3 - t2))
count = sum(1 for _ in module.op.walk())
print(json.dumps([dict(row, imported=imported, operations=count) for row in rows]))
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
        t0 = time.perf_counter()
        module = ir.Module.parse(text)
        t1 = time.perf_counter()
        manager = passmanager.PassManager.parse(pipeline)
        manager.enable_verifier(verify)
        manager.run(module.operation)
        t2 = time.perf_counter()
        out = str(module)
        t3 = time.perf_counter()
    rows.append(dict(parse=t1 - t0, run=t2 - t1, print=t3 - t2))
print(json.dumps(rows))
"""


Row = dict[str, float]


def measure(code: str, path: Path, passes: str, verify: bool, repeats: int) -> list[Row]:
    """The timings that one fresh process reports, in seconds, one row a repetition."""
    checked = "verify" if verify else "plain"
    arguments = [sys.executable, "-c", code, str(path), checked, str(repeats), PASSES[passes]]
    # Modules compiled once, as in any installation, even where Python is told not to keep them.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=ROOT, check=True, env=environment)
    found: list[Row] = json.loads(done.stdout.splitlines()[-1])
    return found


def first_calls(path: Path, passes: str, runs: int, verify: bool) -> tuple[Row, Row]:
    """Medians of the first call of fresh processes, ours and theirs in turns."""
    ours, theirs = [], []
    for _ in range(runs):
        ours += measure(OURS, path, passes, verify, 1)
        theirs += measure(THEIRS, path, passes, verify, 1)
    return _medians(ours), _medians(theirs)


def steady_state(path: Path, passes: str, runs: int, verify: bool) -> tuple[Row, Row]:
    """Medians of later calls in one process."""
    repeats = runs + 1
    ours, theirs = (measure(code, path, passes, verify, repeats)[1:] for code in (OURS, THEIRS))
    return _medians(ours), _medians(theirs)


def _medians(rows: list[Row]) -> Row:
    return {key: median(row[key] for row in rows) for key in rows[0]}


def program(layers: int, passes: str, directory: Path) -> Path:
    """A training step of that many layers, as text: what ``passes`` are timed on."""
    script = ROOT / "examples" / "make_examples.py"
    arguments = [sys.executable, str(script), "--layers", str(layers), "--out", str(directory)]
    subprocess.run(arguments, check=True, cwd=ROOT, capture_output=True)
    name = "residual_mlp" if passes == "partition" else "transformer_megatron"
    (path,) = directory.glob(f"{name}_{layers}.mlir")
    return path


def report(
    layers: int, passes: str, kind: str, ours: Row, theirs: Row, verify: bool, stored: Figures
) -> tuple[str, Figure]:
    """One block of the table; the name that its figure is stored under, and the figure."""
    count = int(ours["operations"])
    checked = "on" if verify else "off"
    imported = f"import pyshardy {ours['imported'] * 1e3:.0f} ms"
    print(f"{layers} layers, {count} operations, {kind}, verifier {checked}; {imported}")
    print(f"  {'':12}{'pyshardy':>22}{'C++':>22}{'ratio':>8}")
    total_ours = total_theirs = 0.0
    for key, label in (("parse", "parse"), ("run", passes), ("print", "print")):
        _row(label, ours[key], theirs[key], count)
        total_ours += ours[key]
        total_theirs += theirs[key]
    _row("sum", total_ours, total_theirs, count)
    name = f"{layers} layers, {passes}, {kind}, verifier {checked}"
    figure = Figure(total_ours, total_theirs)
    print(f"  {stored.change(name, figure)}", flush=True)
    return name, figure


def _row(label: str, ours: float, theirs: float, count: int) -> None:
    columns = [f"{value * 1e3:7.1f} ms {value * 1e6 / count:5.1f} µs/op" for value in (ours, theirs)]
    print(f"  {label:12}{columns[0]:>22}{columns[1]:>22}{ours / theirs:8.2f}")


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("layers", nargs="*", type=int, default=[2, 32, 128])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--passes", nargs="*", choices=PASSES, default=list(PASSES))
    parser.add_argument("--store", action="store_true", help="keep the figures, for later runs to be held against")
    options = parser.parse_args()
    stored, found = Figures.stored(), Figures.here()
    print(f"stored figures: {stored.made}\nthis run: {found.made}")
    with tempfile.TemporaryDirectory() as directory:
        for layers in options.layers:
            for passes, verify in product(options.passes, (True, False)):
                path = program(layers, passes, Path(directory))
                for kind, timed in (("first call", first_calls), ("steady state", steady_state)):
                    rows = timed(path, passes, options.runs, verify)
                    name, figure = report(layers, passes, kind, *rows, verify, stored)
                    found.rows[name] = figure
    if options.store:
        found.store()


if __name__ == "__main__":
    main()
