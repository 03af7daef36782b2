"""Runs random programs through the named pipelines on both sides: `python -m tests.differential.fuzz 1000`.

Program number `seed` takes the pipeline whose turn it is, so a thousand programs try every pipeline about thirty times.
Prints each disagreement (with what is needed to see it again) and the counts, and exits with status 1 if there was one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace

from tests.differential.pipelines import PIPELINES, NamedPipeline
from tests.differential.reference import Outcome, Verdict, compare
from tests.generator import random_program

_SHOWN_LINES = 30


@dataclass(frozen=True)
class Finding:
    """The outcome for one random program."""

    seed: int
    pipeline: NamedPipeline
    outcome: Outcome

    def __str__(self) -> str:
        lines = self.outcome.detail.splitlines()
        rest = [f"... {len(lines) - _SHOWN_LINES} more lines"] if len(lines) > _SHOWN_LINES else []
        head = f"seed {self.seed}, pipeline {self.pipeline.name}: {self.outcome.verdict.value}"
        return "\n".join([head, f"  {self.pipeline.text}", *lines[:_SHOWN_LINES], *rest])


def pipeline_of(seed: int) -> NamedPipeline:
    """Returns the pipeline whose turn it is at `seed`."""
    pipelines = list(PIPELINES.values())
    return pipelines[seed % len(pipelines)]


def try_program(seed: int, pipeline: NamedPipeline | None = None, operations: int | None = None) -> Finding:
    """Compares both sides on one random program.

    `pipeline` defaults to the one whose turn it is, `operations` (the typical size) to what the pipeline asks for.
    """
    chosen = pipeline or pipeline_of(seed)
    return Finding(seed, chosen, compare(program_of(seed, chosen, operations), chosen.text))


def program_of(seed: int, pipeline: NamedPipeline, operations: int | None = None) -> str:
    """Returns the random program that belongs to the seed under this pipeline."""
    features = pipeline.features if operations is None else replace(pipeline.features, operations=operations)
    return random_program(seed, features)


def main() -> int:
    """Runs as told on the command line and returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.fuzz", description=__doc__)
    parser.add_argument("count", type=int, help="number of programs")
    parser.add_argument("--start", type=int, default=0, metavar="SEED", help="seed of the first program")
    parser.add_argument("--pipeline", choices=PIPELINES, help="always this pipeline")
    parser.add_argument("--operations", type=int, metavar="N", help="size of the programs; small ones explain more")
    parser.add_argument("--stop-after", type=int, default=20, metavar="N", help="stop after N disagreements")
    parser.add_argument("--print-program", action="store_true", help="only print the program of the first seed")
    options = parser.parse_args()
    fixed = PIPELINES[options.pipeline] if options.pipeline else None
    if options.print_program:
        print(program_of(options.start, fixed or pipeline_of(options.start), options.operations), end="")
        return 0
    verdicts: Counter[Verdict] = Counter()
    blamed: Counter[str] = Counter()
    begun = time.perf_counter()
    for seed in range(options.start, options.start + options.count):
        finding = try_program(seed, fixed, options.operations)
        verdicts[finding.outcome.verdict] += 1
        if not finding.outcome.agrees:
            blamed[finding.pipeline.name] += 1
            print(finding, end="\n\n", flush=True)
            if blamed.total() >= options.stop_after:
                break
    counts = ", ".join(f"{count} {verdict.value}" for verdict, count in verdicts.most_common())
    print(f"{verdicts.total()} programs in {time.perf_counter() - begun:.0f} s: {counts}")
    if blamed:
        print("disagreements by pipeline: " + ", ".join(f"{name} {count}" for name, count in blamed.most_common()))
    return int(bool(blamed))


if __name__ == "__main__":
    sys.exit(main())
