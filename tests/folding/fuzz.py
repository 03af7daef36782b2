"""Propagates and partitions random programs of many layers, folded and whole: `python -m tests.folding.fuzz 99`.

Prints each seed with which the outcomes differ, or with which folding fails, and how often few layers were enough;
exits with status 1 if there was a difference. ``--alike`` takes programs of things that are alike in other ways,
``--numbered`` those of layers that have constants of their own, ``--sliced`` those that read elements of one tensor,
``--returning`` those that return one value for all layers, ``--updated`` those whose optimizer goes through weights in
the order of names, ``--warned`` those with kernels of which a warning is given, ``--all`` switches off all other
shortcuts, too, and ``--propagate`` only runs passes. `make fuzz-layers N=1000` and `make fuzz-shortcuts N=5000` run it.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TypeVar
from unittest.mock import patch

from pyshardy import Cost, Plan, PyshardyError, parse, partition, planning, run_passes
from pyshardy.folding import program as folded_programs
from pyshardy.folding.counting import peak
from pyshardy.folding.switch import FOLDED
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.shortcuts import without_shortcuts
from pyshardy.ir.verifying.verifier import is_legal
from pyshardy.partitioning.account import memory_model
from tests.folding.numbered_layers import random_numbered
from tests.folding.returning_layers import random_returning
from tests.folding.sliced_layers import random_sliced
from tests.folding.stochastic_depth import random_rated
from tests.folding.switch import without_folding
from tests.folding.updated_layers import UpdatedLayers
from tests.folding.warned_layers import random_warned
from tests.propagation.alike_programs import KINDS, AlikeProgram
from tests.propagation.layered_programs import LayeredProgram
from tests.use_order import uses_by_number

PIPELINES = (
    "sdy-propagation-pipeline",
    "sdy-basic-propagate",
    "sdy-aggressive-propagate{propagation-strategy=basic-then-aggressive}",
    "sdy-op-priority-propagate{keep-sharding-rules=true}",
    "sdy-propagation-pipeline{enable-insert-explicit-collectives=true}",
)

_GENERATORS: dict[str, tuple[Callable[[int], object], str]] = {
    "numbered": (random_numbered, "layers with constants of their own"),
    "rated": (random_rated, "layers with floats of their own, as for stochastic depth"),
    "sliced": (random_sliced, "layers that read elements of one tensor"),
    "returning": (random_returning, "layers that return one value"),
    "updated": (UpdatedLayers, "weights that are updated in the order of names"),
    "warned": (random_warned, "kernels without a rule, of which a warning is given"),
}

_T = TypeVar("_T")
_CHIPS = ("h100", "v5e")
_DONATED = ("", "a-zA-Z", "w")
"""The first letters of arguments whose memory a program may have."""


def cost_seen(plan: Plan, chips: Sequence[str] = _CHIPS) -> dict[str, object]:
    """What can be seen of the cost of a plan, but for rounding."""
    return {f"cost on {chip}": _cost_seen(plan.cost(chip)) for chip in chips}


def _cost_seen(cost: Cost) -> object:
    rows = [*(one.as_json() for one in cost.collectives), *(one.as_json() for one in cost.operations)]
    return _rounded({**cost.as_json(), "rows": rows, "bound": ""})


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return f"{value:.7g}"
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value


def seen_of(plan: Plan, chips: Sequence[str] = _CHIPS) -> dict[str, object]:
    """What can be seen of a plan: its cost on ``chips``, texts, the order of uses, who needs which collective, how
    every value lies."""
    # These come from few layers as long as nobody has asked for all, as who asks for memory does that is not known.
    cost = cost_seen(plan, chips) if plan.counted_form() is not None else {}
    memory = plan.memory.arguments, plan.memory.results, plan.memory.peak, plan.bytes_moved
    diagnostics = list(map(str, plan.module.context.diagnostics))
    cost = cost or cost_seen(plan, chips)
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
        **cost,
        "texts": (str(source), str(plan.module)),
        "uses": (uses_by_number(source.op), uses_by_number(plan.local.op)),
        "locations": (_locations(operations), _locations(made)),
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
        "memory": (*memory, [one.bytes for one in plan.memory.live_at_peak], plan.memory.reserved),
        "legal": [is_legal(one.op, one.context) for one in (source, plan.local)],
        "diagnostics": diagnostics,
    }


def _locations(operations: Sequence[Operation]) -> list[object]:
    return [(op.location, [value.location for value in op.block_arguments()]) for op in operations]


def _values(op: Operation) -> list[Value]:
    return [*op.results, *op.block_arguments()]


def outcome(text: str, hardware: str | None = None, chips: Sequence[str] = _CHIPS) -> object:
    """What comes of partitioning a program, or what is said instead."""
    try:
        return seen_of(partition(parse(text), hardware=hardware), chips)
    except PyshardyError as error:
        return str(error)


def passed(text: str, pipeline: str) -> object:
    """What comes of the program by passes: its text, the order of its uses, where operations stand; or what is said
    instead."""
    try:
        module = run_passes(parse(text), pipeline)
        locations = _locations(module.op.operations())
        diagnostics = list(map(str, module.context.diagnostics))
        uses = uses_by_number(module.op)
        return {"texts": str(module), "uses": uses, "locations": locations, "diagnostics": diagnostics}
    except PyshardyError as error:
        return str(error)


@contextmanager
def small_programs_too() -> Iterator[None]:
    """While it lasts, small programs are folded, too, where there is nothing to gain."""
    with (
        patch.object(folded_programs, "_FEWEST_OPERATIONS", 0),
        patch.object(folded_programs, "_LESS_THAN_AN_ATTEMPT", 0),
        patch.object(folded_programs, "_LEAST_LEFT_OUT", 0),
        patch.object(folded_programs, "_LEAST_LEFT_OUT_AGAIN", 0),
        patch.object(planning, "_FEWEST_FOLDED_WITH_JOURNAL", 0),
    ):
        yield


@contextmanager
def in_program_order() -> Iterator[None]:
    """While it lasts, small programs run in the order in which they are written, as large ones do: only then their
    memory is worked out from few layers."""
    with patch.object(memory_model, "has_at_most", _never), patch.object(peak, "has_at_most", _never):
        yield


def _never(*_: object) -> bool:
    return False


def by_few(act: Callable[[], _T]) -> tuple[bool, _T]:
    """Whether a program was folded while ``act`` was at work, and what that returns."""
    before = FOLDED.copy()
    found = act()
    return _few_were_enough(before), found


def _few_were_enough(before: Counter[str]) -> bool:
    """Whether programs have been folded since ``FOLDED`` was as ``before``, and none unfolded."""
    return FOLDED["folded"] > before["folded"] and FOLDED["unfolded"] == before["unfolded"]


def wrong_of(text: str, act: Callable[[str], object] = outcome, *, everything: bool = False) -> str | None:
    """What is wrong with folding in what ``act`` makes of a program, or with any shortcut; None if nothing is."""
    try:
        short = act(text)
    except Exception:
        return traceback.format_exc(limit=-2)
    with without_shortcuts() if everything else without_folding():
        whole = act(text)
    if short == whole:
        return None
    if not isinstance(short, dict) or not isinstance(whole, dict):
        return f"{str(short)[:300]}, {str(whole)[:300]} without shortcuts"
    return f"other {', '.join(key for key in whole if short[key] != whole[key])} without shortcuts"


def _alike(seed: int, kind: str | None = None) -> tuple[str, str]:
    program = AlikeProgram(seed, (10, 16, 24, 36)[seed % 4], kind)
    return program.kind, str(program)


def donating(text: str, names: str) -> str:
    """The same program, which may have the memory of the arguments whose names begin with one of the letters
    ``names``."""
    head, main, rest = text.partition("@main(")
    arguments, arrow, rest = rest.partition(") ->")
    if not names:
        return text
    donor = "jax.buffer_donor = true"
    arguments = re.sub(rf"(%[{names}]\w*: tensor<[^>]*>)( \{{)?", lambda one: _with_attribute(one, donor), arguments)
    return head + main + arguments + arrow + rest


def _with_attribute(found: re.Match[str], attribute: str) -> str:
    return f"{found[1]} {{{attribute}, " if found[2] else f"{found[1]} {{{attribute}}}"


def _layered(seed: int) -> tuple[str, str]:
    return "layers", str(LayeredProgram(seed, 30 + seed % 15))


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries as many programs as asked for."""
    parser = argparse.ArgumentParser(description="programs of many layers, folded and whole")
    parser.add_argument("count", type=int)
    parser.add_argument("--start", type=int, default=0, help="the seed of the first program")
    parser.add_argument("--alike", action="store_true", help="chains, trees, updates, calls and others that are alike")
    parser.add_argument("--kind", choices=KINDS, help="programs of things that are alike in this way alone")
    for name, (_, words) in _GENERATORS.items():
        parser.add_argument(f"--{name}", action="store_true", help=words)
    parser.add_argument("--all", action="store_true", help="switch off all shortcuts")
    parser.add_argument("--hardware", help="choose plans by seconds there")
    parser.add_argument("--propagate", action="store_true", help="run passes alone")
    given = parser.parse_args(arguments)
    chosen = next((name for name in _GENERATORS if getattr(given, name)), None)
    os.environ["PYSHARDY_SHORTCUTS"] = "strict"
    acts: list[Callable[[str], object]] = [lambda text, one=one: passed(text, one) for one in PIPELINES]  # type: ignore[misc]
    found: Counter[str] = Counter()
    wrong = 0
    with small_programs_too():
        for seed in range(given.start, given.start + given.count):
            if chosen is not None:
                kind, text = chosen, str(_GENERATORS[chosen][0](seed))
            else:
                kind, text = _alike(seed, given.kind) if given.alike or given.kind else _layered(seed)
            if not given.propagate:
                text = donating(text, _DONATED[seed % len(_DONATED)])
            for act in acts if given.propagate else [partial(outcome, hardware=given.hardware)]:
                before = FOLDED.copy()
                with in_program_order() if seed % 2 else nullcontext():
                    said = wrong_of(text, act, everything=given.all)
                found[kind] += 1
                found[f"{kind}, folded"] += _few_were_enough(before)
                found[f"{kind}, unfolded"] += FOLDED["unfolded"] > before["unfolded"]
                if said is not None:
                    wrong += 1
                    print(f"seed {seed} ({kind}): {said}", flush=True)
    print(f"{given.count} programs, {wrong} wrong; {dict(sorted(found.items()))}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
