"""Propagates random programs of many layers by few of them, and all the way: `python -m tests.propagation.fuzz 1000`.

Prints each program with which the outcomes differ, and how often few layers were enough; exits with status 1 if there
was a difference. `make fuzz-layers N=1000` runs it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

from pyshardy import PyshardyError, parse, run_passes
from pyshardy.passes.propagating import basic_propagate
from pyshardy.propagation import alike_layers
from tests.propagation.layered_programs import LayeredProgram
from tests.use_order import uses_by_number

PIPELINES = (
    "sdy-propagation-pipeline",
    "sdy-basic-propagate",
    "sdy-aggressive-propagate{propagation-strategy=basic-then-aggressive}",
    "sdy-op-priority-propagate{keep-sharding-rules=true}",
)


class Ways:
    """Propagates by few layers or by all. ``taken`` says how often few were enough (True) and how often not."""

    def __init__(self) -> None:
        self.taken: Counter[bool] = Counter()

    def outcome(self, text: str, pipeline: str, *, all_layers: bool) -> object:
        """What comes of the program: its text and the order of its uses, or what is said instead."""

        def noted(*given: Any, **options: Any) -> bool:
            found = not all_layers and alike_layers.propagated_by_few_layers(*given, **options)
            if not all_layers:
                self.taken[found] += 1
            return found

        with (
            patch.object(alike_layers, "_FEWEST_OPERATIONS", 0),
            patch.object(basic_propagate, "propagated_by_few_layers", noted),
        ):
            try:
                module = run_passes(parse(text), pipeline)
                return str(module), uses_by_number(module.op)
            except PyshardyError as error:
                return str(error)

    def differ(self, text: str, pipeline: str) -> bool:
        """Whether the two ways come to different ends."""
        return self.outcome(text, pipeline, all_layers=False) != self.outcome(text, pipeline, all_layers=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries as many programs as asked for."""
    parser = argparse.ArgumentParser(description="propagation by few layers against propagation by all")
    parser.add_argument("count", type=int)
    parser.add_argument("--start", type=int, default=0, help="the seed of the first program")
    given = parser.parse_args(arguments)
    ways, differing = Ways(), 0
    for seed in range(given.start, given.start + given.count):
        text = str(LayeredProgram(seed, 30 + seed % 15))
        for pipeline in PIPELINES:
            if ways.differ(text, pipeline):
                differing += 1
                print(f"seed {seed}, {pipeline}: the outcomes differ")
    print(f"{given.count} programs, {len(PIPELINES)} pipelines: {differing} differ")
    print(f"few layers were enough {ways.taken[True]} times, {ways.taken[False]} times not")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
