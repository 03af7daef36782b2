"""Count: what layers do to memory that are left out of a sorted series, step by step.

Such a series has its layers in the order of their names, so those left out stand at several insertion points between
those kept. Memory need not be highest in a layer that was kept: each that was left out does what the template does, in
the place where it stands. ``inserted_steps`` puts the steps of the template there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from pyshardy.folding.certifying.splice import Splice
from pyshardy.ir.operation import Operation, OpResult, Value
from pyshardy.partitioning.account.memory import AllocationChange, EventChanges, MemoryUse


def inserted_steps(
    splice: Splice,
    use: MemoryUse,
    numbers: Mapping[Operation, int],
    series: Set[int],
    changes: Mapping[int, Sequence[AllocationChange]],
) -> dict[int, list[EventChanges]] | None:
    """The steps of all layers left out at the places where layers of ``series`` are, by the number of the operation
    before which they come, which their events have, too. ``use`` is memory in the course of the folded program, whose
    operations have these ``numbers``, and ``changes`` what layers left out change in it altogether. None if that does
    not follow from the template."""
    if use.kept_copies:
        # Which copies are kept between inserted layers is not known.
        return None
    at: dict[int, list[int]] = {}
    """The series that have layers left out before the operation of a number, in the order in which these come."""
    for one in splice.insertions():
        if one.point in numbers:
            at.setdefault(numbers[one.point], []).append(one.series)
    places = [place for place, own in at.items() if not series.isdisjoint(own)]
    steps = {step.event.place: step for step in use.steps}
    own_steps: dict[int, list[EventChanges]] = {}
    for which in {one for place in places for one in at[place]}:
        last = max(place for place, own in at.items() if which in own)
        rows = [splice.parts.get((which, layer)) for layer in splice.layers_compared()]
        per_layer = [_steps_of(row, numbers, steps) for row in rows if row is not None]
        if not per_layer or any(_sizes(one) != _sizes(per_layer[0]) for one in per_layer):
            return None
        if any(use.last.get(value, last) < last for value in _read_from_outside(splice, use, which)):
            # The last layer in the text is left out: there such a value dies, and not in the last one that was kept.
            return None
        own_steps[which] = _steps_of(splice.template[which], numbers, steps)
    found = {}
    for place in places:
        made = [step for which in at[place] for step in own_steps[which]]
        if _totals(change for step in made for change in (*step.before, *step.after)) != _totals(
            changes.get(place, ())
        ):
            return None
        found[place] = [step._replace(event=step.event._replace(place=place)) for step in made]
    return found


def _steps_of(
    row: Iterable[Operation], numbers: Mapping[Operation, int], steps: Mapping[int, EventChanges]
) -> list[EventChanges]:
    """The steps of the operations ``row`` that change memory."""
    return [steps[numbers[op]] for op in row if numbers[op] in steps]


def _sizes(steps: Iterable[EventChanges]) -> list[tuple[int, Counter[tuple[bool, int]], Counter[tuple[bool, int]]]]:
    """What ``steps`` change, and how many bytes each needs while it runs."""
    return [(one.event.temporary_bytes, _totals(one.before), _totals(one.after)) for one in steps]


def _totals(changes: Iterable[AllocationChange]) -> Counter[tuple[bool, int]]:
    """How many values there are more, by where they are and by size."""
    found = Counter[tuple[bool, int]]()
    for in_result_buffers, size, number in changes:
        found[in_result_buffers, size] += number if size else 0
    return Counter({key: number for key, number in found.items() if number})


def _read_from_outside(splice: Splice, use: MemoryUse, series: int) -> Iterator[Value]:
    """The values of no layer that the template reads in ``series``, itself or through fused ones, and whose memory is
    free behind the last reader."""
    waiting: dict[Value, None] = {
        ref: None
        for op in splice.template[series]
        for inner in op.operations()
        for _, ref in splice.reads.get(inner, ())
        if isinstance(ref, Value)
    }
    seen = set(waiting)
    while waiting:
        value, _ = waiting.popitem()
        if not isinstance(value, OpResult):
            # Other arguments are in memory all the time.
            if value in use.in_place:
                yield value
        elif use.has_buffer(value):
            yield value
        else:
            for inner in value.owner.operations():
                waiting.update((one, None) for one in inner.operands if one not in seen)
                seen.update(inner.operands)
