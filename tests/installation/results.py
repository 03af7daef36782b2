"""The results of this installation on many programs, each as a hash: ``python -m tests.installation.results [N]``.

Examples, JAX programs and N random ones, each through one pipeline or more and partitioned, as text, messages included;
and models of random layers, partitioned. ``compiled_wheel`` holds what a compiled installation prints to what the
sources print.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from pyshardy import PyshardyError, parse, partition, run_passes
from pyshardy.versions import is_compiled
from tests.differential.fuzz import pipeline_of, program_of
from tests.differential.jax_programs import PROGRAMS
from tests.differential.pipelines import PIPELINES
from tests.generator import random_program
from tests.partitioning.fuzz import FEATURES
from tests.propagation.layered_programs import LayeredProgram

_EXAMPLES = Path(__file__).parents[2] / "examples"
_OF_JAX = ("everything", "propagate-and-export-collectives", "explicit-reshards")


def results(random_programs: int) -> Iterator[tuple[str, str]]:
    """A name and what came of it, for each program and pipeline."""
    for path in sorted(_EXAMPLES.glob("*.mlir")):
        text = path.read_text()
        for name, pipeline in PIPELINES.items():
            yield f"{path.stem}, {name}", outcome(text, pipeline.text)
        yield f"{path.stem}, partition", outcome(text, None)
    for name, lower in PROGRAMS.items():
        text = lower()
        for pipeline_name in _OF_JAX:
            yield f"{name}, {pipeline_name}", outcome(text, PIPELINES[pipeline_name].text)
        yield f"{name}, partition", outcome(text, None)
    for seed in range(random_programs):
        pipeline = pipeline_of(seed)
        yield f"random program {seed}, {pipeline.name}", outcome(program_of(seed, pipeline), pipeline.text)
        yield f"random program {seed}, partition", outcome(random_program(seed, FEATURES), None)
    for seed in range(random_programs // 10):
        yield f"random layers {seed}, partition", outcome(str(LayeredProgram(seed, 30)), None)


def outcome(text: str, pipeline: str | None) -> str:
    """The program after ``pipeline``, or partitioned if that is None; of what is refused, the message."""
    try:
        module = parse(text)
        return str(run_passes(module, pipeline) if pipeline is not None else partition(module).module)
    except PyshardyError as error:
        return f"refused: {error}"


def main() -> None:
    """Prints what is installed, then a line a result."""
    print("compiled" if is_compiled() else "pure Python")
    for name, text in results(int(sys.argv[1]) if len(sys.argv) > 1 else 300):
        print(f"{sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:16]} {name}")


if __name__ == "__main__":
    main()
