"""Asks about every tensor of random programs: `python -m tests.analysis.why.fuzz 5000`, or `make fuzz-why N=5000`.

Holds each answer against the journal, done again (``soundness``). Then the cause of some axes that did not come is
deleted in the program: a closed dimension is opened, an axis in the way is taken off the annotation to blame; the axis
has to come, or something else has to stand in its way. Of each program one edit is looked at: what it promises has to
hold for its text, parsed and partitioned anew. Prints what is wrong and how often each cause was given; exits with
status 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from pyshardy import parse, partition
from pyshardy.analysis.why import failed_conditions as failed
from pyshardy.analysis.why.annotations import MANUAL
from pyshardy.analysis.why.blocking_annotations import Blocker
from pyshardy.analysis.why.edits import OPEN, REPLICATE, EditTrial, Proposal, edited
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.dialects.sdy.placement import FunctionResult
from pyshardy.ir.operation import Value
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.sharding.axes import AxisRef, overlaps
from pyshardy.sharding.tensor import DimSharding, TensorSharding
from tests.analysis.why.random_programs import random_explainer
from tests.analysis.why.soundness import Counts, differences_from_propagation, disagreements, tensors_of

_DELETIONS = 3
"""So many causes are deleted of a program."""

Blamed = tuple[Value | FunctionResult, ShardingSlot, Blocker]


@dataclass
class Tally:
    """What was seen of all programs."""

    programs: Counter[str] = field(default_factory=Counter)
    answers: Counts = field(default_factory=lambda: Counts(0, 0, 0, Counter()))
    deletions: Counter[tuple[str, str]] = field(default_factory=Counter)
    edits: Counter[str] = field(default_factory=Counter)


def problems(seed: int, tally: Tally) -> Iterator[str]:
    """What is wrong with the answers about the random program ``seed``."""
    explainer = random_explainer(seed)
    tally.programs["refused by propagation" if explainer is None else "asked about"] += 1
    if explainer is None:
        return
    yield from disagreements(explainer, tally.answers)
    yield from differences_from_propagation(explainer)
    rng = Random(seed)
    found = [
        (given, slot, one)
        for given, slot in tensors_of(explainer.traced)
        for dimension in explainer.dimensions(slot)
        for one in dimension.blockers
    ]
    blamed = [one for one in found if one[2].by is not None and one[2].by.kind != MANUAL]
    rng.shuffle(blamed)
    blamed.sort(key=lambda one: one[2].cause == failed.NOT_ASKED)
    for one in blamed[:_DELETIONS]:
        yield from _deletion(explainer, one, tally)
    if found:
        yield from _edit(explainer, rng.choice(found)[0], tally)


# --- deleting a cause -------------------------------------------------------------------------------------------------


def _deletion(explainer: Explainer, blamed: Blamed, tally: Tally) -> Iterator[str]:
    given, slot, blocker = blamed
    number = explainer.traced.slots(given).index(slot)
    proposal = without_cause(blocker)
    trial = explainer.trials.of(proposal) if proposal is not None else None
    if proposal is None or trial is None:
        tally.deletions[blocker.cause, "cannot be deleted by itself"] += 1
        return
    outcome = _outcome(explainer, trial, given, number, blocker)
    tally.deletions[blocker.cause, outcome] += 1
    if outcome.startswith("wrong"):
        name = explainer.names.name(given)
        yield f"{proposal.text}: dimension {blocker.dim} of {name}: {outcome}, was {blocker.text}"


def without_cause(blocker: Blocker) -> Proposal | None:
    """The annotation to blame without what it is blamed for; None if that is not one dimension or axis of it."""
    by, dim = blocker.by, blocker.by_dim
    if by is None or by.kind == MANUAL:
        return None
    sharding = by.sharding
    if blocker.cause in (failed.REPLICATED, failed.UNREDUCED, failed.MANUAL):
        new = sharding.replace(
            replicated=[one for one in sharding.replicated if not overlaps(one, blocker.axis)],
            unreduced=[one for one in sharding.unreduced if not overlaps(one, blocker.axis)],
        )
        kind = REPLICATE
    elif dim is None or dim >= sharding.rank:
        return None
    elif blocker.cause in (failed.CLOSED, failed.HELD_BACK, failed.NOT_ASKED):
        # What holds an operand back may be any of what stops an axis at the result.
        axes = () if blocker.cause == failed.HELD_BACK else sharding.dims[dim].axes
        new = _with(sharding, dim, DimSharding(axes, False, sharding.dims[dim].priority))
        kind = OPEN
    else:
        new = _with(sharding, dim, DimSharding((), sharding.dims[dim].is_closed))
        kind = REPLICATE
    return Proposal.of(kind, f"delete {by.text} {by.sharding.body_text}", by.name, by.given, new)


def _with(sharding: TensorSharding, dim: int, new: DimSharding) -> TensorSharding:
    return sharding.replace(dims=[new if index == dim else one for index, one in enumerate(sharding.dims)])


def _outcome(
    explainer: Explainer, trial: EditTrial, given: Value | FunctionResult, number: int, blocker: Blocker
) -> str:
    """What became of the axis: it came, another cause is given, or nobody has it any more."""
    mapping: dict[Value, Value] = {}
    after = Explainer(edited(trial.before.source, trial.proposal, mapping))

    def counterpart(one: Value | FunctionResult) -> Value | FunctionResult:
        return FunctionResult(after.traced.main, one.number) if isinstance(one, FunctionResult) else mapping[one]

    there = next(one for one in _tensors(after) if _is(one, counterpart(given)))
    slots = after.traced.slots(there)
    if number >= len(slots):
        return "the tensor is copied less often"
    dimension = after.dimensions(slots[number])[blocker.dim]
    if any(overlaps(one.axis, blocker.axis) for one in dimension.chains):
        return "the axis comes"
    left = [one for one in dimension.blockers if overlaps(one.axis, blocker.axis)]
    deleted = counterpart(blocker.by.given) if blocker.by is not None else None
    for one in left:
        again = one.by is not None and deleted is not None and _is(one.by.given, deleted)
        if again and (one.cause, one.by_dim) == (blocker.cause, blocker.by_dim):
            return "wrong: it is blamed again"
    if left:
        return "another cause"
    source = blocker.source
    origin = explainer.traced.value(source) if source is not None else None
    if origin is None or _is(origin, given):
        return "nobody has the axis"
    for place in after.traced.slots(_found(after, counterpart(origin))):
        if not dimension.chains and _dims_with(after, place, blocker.axis) & _dims_with(
            explainer, source, blocker.axis
        ):
            return "wrong: nothing is said"
    return "nobody has the axis"


def _dims_with(explainer: Explainer, slot: ShardingSlot | None, axis: AxisRef) -> set[int]:
    sharding = explainer.traced.final_sharding(slot) if slot is not None else None
    dims = sharding.dims if sharding is not None else ()
    return {number for number, dim in enumerate(dims) if any(overlaps(one, axis) for one in dim.axes)}


def _tensors(explainer: Explainer) -> Iterator[Value | FunctionResult]:
    yield from explainer.traced.given_values()
    for number in range(explainer.traced.result_count):
        yield FunctionResult(explainer.traced.main, number)


def _found(explainer: Explainer, wanted: Value | FunctionResult) -> Value | FunctionResult:
    if isinstance(wanted, FunctionResult):
        return FunctionResult(explainer.traced.main, wanted.number)
    return wanted


def _is(one: Value | FunctionResult, other: Value | FunctionResult) -> bool:
    if isinstance(one, FunctionResult) or isinstance(other, FunctionResult):
        return isinstance(one, FunctionResult) and isinstance(other, FunctionResult) and one.number == other.number
    return one is other


# --- edits ------------------------------------------------------------------------------------------------------------


def _edit(explainer: Explainer, given: Value | FunctionResult, tally: Tally) -> Iterator[str]:
    question = explainer.names.name(given)
    try:
        answers = explainer.explain(question, edits=True)
    except ValueError:
        tally.edits["the name means several tensors"] += 1
        return
    edits = [edit for answer in answers for edit in answer.edits]
    tally.edits["answers with edits" if edits else "answers without"] += 1
    for edit in edits[:1]:
        plan = partition(parse(edit.edited.text(debug_info=True), "edited"))
        shown = edit.effect
        if (plan.bytes_moved, plan.memory.peak) != (shown.bytes_moved, shown.peak_memory):
            yield f"{edit.text}: moves {plan.bytes_moved}, peak {plan.memory.peak}, not {shown}"


def main() -> int:
    """Runs as told on the command line and returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.analysis.why.fuzz", description=__doc__)
    parser.add_argument("count", type=int, help="number of programs")
    parser.add_argument("--start", type=int, default=0, metavar="SEED", help="seed of the first program")
    parser.add_argument("--stop-after", type=int, default=20, metavar="N", help="stop after N programs with problems")
    options = parser.parse_args()
    tally, wrong, begun = Tally(), 0, time.perf_counter()
    for seed in range(options.start, options.start + options.count):
        try:
            found = list(problems(seed, tally))
        except Exception:
            found = [traceback.format_exc(limit=-4)]
        for one in found[:3]:
            print(f"seed {seed}: {one}", flush=True)
        wrong += bool(found)
        if wrong >= options.stop_after:
            break
    print(f"{tally.programs.total()} programs in {time.perf_counter() - begun:.0f} s, {wrong} with problems")
    for counts in (tally.programs, tally.edits):
        print("  " + ", ".join(f"{count} {what}" for what, count in counts.most_common()))
    answers = tally.answers
    print(f"  {answers.tensors} tensors, {answers.chains} chains, {answers.steps} steps")
    for cause in failed.CAUSES:
        deleted = [f"{count} x {what}" for (one, what), count in tally.deletions.most_common() if one == cause]
        print(f"{answers.causes[cause]:8} {cause}" + (f"; deleted: {', '.join(deleted)}" if deleted else ""))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
