"""Partitions random programs of many layers, with shortcuts and without: `python -m tests.partitioning.fuzz_layers 99`.

Prints each program with which the outcomes differ, and how many operations of inner layers were written as those
of the layer before; exits with status 1 if there was a difference. `make fuzz-layers N=1000` runs it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from unittest.mock import patch

from pyshardy import PyshardyError, parse, partition
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.shortcuts import without_shortcuts
from pyshardy.partitioning.plan import Plan
from pyshardy.partitioning.written_layers import LayeredPartitioner
from tests.propagation.layered_programs import LayeredProgram
from tests.use_order import uses_by_number


def seen_of(plan: Plan) -> tuple[object, ...]:
    """What can be seen of a plan: texts, the order of uses, who needs which collective, how every value lies."""
    assert plan.correspondence is not None
    operations = plan.correspondence.module.op.operations()
    numbers = {op: number for number, op in enumerate(operations)}
    values = [value for op in operations for value in _values(op)]
    places = {value: number for number, value in enumerate(values)}
    moved = [
        (
            (one.kind, one.axes, one.group_size, one.bytes, one.turns),
            one.cause and numbers.get(one.cause),
            one.tensor and places.get(one.tensor),
        )
        for one in plan.collectives
    ]
    found = [plan.correspondence.values.get(value) for value in values]
    forms = [one and (one.layout, one.recipe is None, [form.layout for form in one.versions]) for one in found]
    text = str(plan.correspondence.module), str(plan.module)
    return text, uses_by_number(plan.local.op), moved, forms, plan.memory.peak


def _values(op: Operation) -> list[Value]:
    inside = [value for region in op.regions for block in region.blocks for value in block.arguments]
    return [*op.results, *inside]


def outcome(text: str) -> object:
    """What comes of a program, or what is said instead."""
    try:
        return seen_of(partition(parse(text)))
    except PyshardyError as error:
        return str(error)


def differ(text: str) -> bool:
    """Whether a program comes to another end without shortcuts."""
    short = outcome(text)
    with without_shortcuts():
        return outcome(text) != short


class Count:
    """How often operations of inner layers were written, or gone through as any other, while it lasts."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()

    def __enter__(self) -> Count:
        layer = LayeredPartitioner._emit_layer
        found = self.found

        def counted(self: LayeredPartitioner, places: list, operations: list[Operation]) -> None:  # type: ignore[type-arg]
            found["written"] += sum(place.written is not None for place in places)
            found["all"] += len(places)
            layer(self, places, operations)

        self._patch = patch.object(LayeredPartitioner, "_emit_layer", counted)
        self._patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries as many programs as asked for."""
    parser = argparse.ArgumentParser(description="partitions of many layers, with shortcuts and without")
    parser.add_argument("count", type=int)
    parser.add_argument("--start", type=int, default=0, help="the seed of the first program")
    given = parser.parse_args(arguments)
    differing = 0
    with Count() as count:
        for seed in range(given.start, given.start + given.count):
            text = str(LayeredProgram(seed, 30 + seed % 15))
            if differ(text):
                differing += 1
                print(f"seed {seed}:\n{text}")
    print(f"{given.count} programs, {differing} differ; {count.found}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
