"""What the journal of propagation costs: ``python -m benchmarks.tracing [PROGRAM]``, processor time, the best of five.

Without a program it is the training step of a transformer of 32 layers that ``examples/make_examples.py`` makes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pyshardy import Module, load, run_passes
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.ir.pipeline_text import expanded
from pyshardy.passes.propagation_pipeline import PropagationPipeline
from pyshardy.propagation.journal import Journal

_RUNS = 5
_MAKER = Path(__file__).parents[1] / "examples" / "make_examples.py"


def seconds(given: Module, *, journal: bool) -> float:
    """The processor time of propagating a copy of ``given``."""
    best = float("inf")
    passes = expanded(PropagationPipeline(inserts_reshards=False))
    for _ in range(_RUNS):
        module = given.copy()
        module.context.propagation_observers = (Journal(),) if journal else ()
        begun = time.process_time()
        run_passes(module, passes)
        best = min(best, time.process_time() - begun)
    return best


def main() -> int:
    """Prints the times; the exit status."""
    with tempfile.TemporaryDirectory() as directory:
        if len(sys.argv) > 1:
            path = Path(sys.argv[1])
        else:
            subprocess.run([sys.executable, str(_MAKER), "--layers", "32", "--out", directory], check=True)
            path = Path(directory) / "transformer_fsdp_32.mlir"
        module = load(path)
    without, traced = seconds(module, journal=False), seconds(module, journal=True)
    print(f"propagation {without:.3f} s, with a journal {traced:.3f} s: {traced / without - 1:+.1%}")
    begun = time.process_time()
    Explainer(module)
    print(f"partitioned and ready to answer: {time.process_time() - begun:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
