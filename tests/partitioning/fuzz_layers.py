"""Partitions random programs of many layers, with shortcuts and without: `python -m tests.partitioning.fuzz_layers 99`.

Prints each program with which the outcomes differ, or with which a shortcut fails, how many operations of inner layers
were written as those of the layer before, and how often few layers were enough; exits with status 1 if there was a
difference. ``--alike`` takes programs of things that are alike in other ways. `make fuzz-layers N=1000` and
`make fuzz-shortcuts N=5000` run it.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from pyshardy import PyshardyError, parse, partition
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.shortcuts import without_shortcuts
from pyshardy.ir.verifier import is_legal
from pyshardy.partitioning import few_layers as few
from pyshardy.partitioning import plan as plans
from pyshardy.partitioning import ways
from pyshardy.partitioning.plan import Plan
from pyshardy.partitioning.written_layers import LayeredPartitioner
from tests.propagation.alike_programs import AlikeProgram
from tests.propagation.layered_programs import LayeredProgram
from tests.use_order import uses_by_number


def seen_of(plan: Plan) -> dict[str, object]:
    """What can be seen of a plan: texts, the order of uses, who needs which collective, how every value lies."""
    source = plan.correspondence.module
    operations, made = source.op.operations(), plan.local.op.operations()
    numbers, local_numbers = ({op: number for number, op in enumerate(one)} for one in (operations, made))
    values = [value for op in operations for value in _values(op)]
    places = {value: number for number, value in enumerate(values)}
    local_places = {value: number for number, value in enumerate(value for op in made for value in _values(op))}
    moved = [
        (
            (one.kind, one.axes, one.group_size, one.bytes, one.turns),
            local_numbers[one.op],
            one.cause and numbers.get(one.cause),
            one.tensor and places.get(one.tensor),
        )
        for one in plan.collectives
    ]
    found = [plan.correspondence.values.get(value) for value in values]
    return {
        "texts": (str(source), str(plan.module)),
        "uses": (uses_by_number(source.op), uses_by_number(plan.local.op)),
        "locations": ([op.location for op in operations], [op.location for op in made]),
        "collectives": moved,
        "boundary": (plan.arguments, plan.results),
        "forms": [
            one
            # Whether it could still be made of nothing, nobody asks any more.
            and (one.layout, local_places.get(one.value))
            # What was tried, or turned out to be needed by nobody, is not there.
            + tuple([(form.layout, local_places[form.value]) for form in one.versions if form.value in local_places])
            for one in found
        ],
        "peak": plan.memory.peak,
        "legal": [is_legal(one.op, one.context) for one in (source, plan.local)],
    }


def _values(op: Operation) -> list[Value]:
    inside = [value for region in op.regions for block in region.blocks for value in block.arguments]
    return [*op.results, *inside]


def outcome(text: str) -> object:
    """What comes of a program, or what is said instead."""
    try:
        return seen_of(partition(parse(text)))
    except PyshardyError as error:
        return str(error)


@contextmanager
def by_all_layers() -> Iterator[None]:
    """While it lasts, programs are partitioned by all of their layers."""
    with patch.object(plans, "few_layers", lambda *_: None), patch.object(ways, "few_layers", lambda *_: None):
        yield


@contextmanager
def small_programs_too() -> Iterator[None]:
    """While it lasts, few layers are tried in small programs, too, where there is nothing to gain."""
    with patch.object(few, "_FEWEST_OPERATIONS", 60):
        yield


def wrong_of(program: AlikeProgram) -> str | None:
    """What is wrong with the shortcuts in ``program``; None if nothing is."""
    text = str(program)
    try:
        short = outcome(text)
    except Exception:
        return traceback.format_exc(limit=-2)
    with without_shortcuts():
        whole = outcome(text)
    if short == whole:
        return None
    if not isinstance(short, dict) or not isinstance(whole, dict):
        return f"{str(short)[:300]}, {str(whole)[:300]} without shortcuts"
    return f"other {', '.join(key for key in whole if short[key] != whole[key])} without shortcuts"


def differ(text: str) -> bool:
    """Whether a program comes to another end by all of its layers, or without any shortcut."""
    short = outcome(text)
    with by_all_layers():
        whole = outcome(text)
    with without_shortcuts():
        return not outcome(text) == whole == short


class Count:
    """How often operations of inner layers were written, or gone through as any other, and how often few layers were
    enough, while it lasts."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()

    def __enter__(self) -> Count:
        layer, way = LayeredPartitioner._emit_layer, plans._way_by_few_layers
        found = self.found

        def counted(self: LayeredPartitioner, places: list, operations: list[Operation]) -> None:  # type: ignore[type-arg]
            found["written"] += sum(place.written is not None for place in places)
            found["all"] += len(places)
            layer(self, places, operations)

        def noted(*given: Any, **options: Any) -> object:
            result = way(*given, **options)
            found["by few" if result is not None else "by all"] += 1
            return result

        self._patches = (
            patch.object(LayeredPartitioner, "_emit_layer", counted),
            patch.object(plans, "_way_by_few_layers", noted),
        )
        for one in self._patches:
            one.start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._patches:
            one.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries as many programs as asked for."""
    parser = argparse.ArgumentParser(description="partitions of many layers, with shortcuts and without")
    parser.add_argument("count", type=int)
    parser.add_argument("--start", type=int, default=0, help="the seed of the first program")
    parser.add_argument("--alike", action="store_true", help="chains, trees, updates, calls and others that are alike")
    given = parser.parse_args(arguments)
    os.environ["PYSHARDY_SHORTCUTS"] = "strict"
    return _fuzz_alike(given.start, given.count) if given.alike else _fuzz_layered(given.start, given.count)


def _fuzz_alike(start: int, count: int) -> int:
    found: Counter[str] = Counter()
    wrong = 0
    with Count() as counted, small_programs_too():
        for seed in range(start, start + count):
            program = AlikeProgram(seed, (10, 16, 24, 36)[seed % 4])
            found[program.kind] += 1
            said = wrong_of(program)
            if said is not None:
                wrong += 1
                print(f"seed {seed} ({program.kind}): {said}", flush=True)
    print(f"{count} programs, {wrong} wrong; {dict(found)}; {counted.found}")
    return 1 if wrong else 0


def _fuzz_layered(start: int, number: int) -> int:
    differing = 0
    with Count() as count:
        for seed in range(start, start + number):
            text = str(LayeredProgram(seed, 30 + seed % 15))
            if differ(text):
                differing += 1
                print(f"seed {seed}:\n{text}")
    print(f"{number} programs, {differing} differ; {count.found}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
