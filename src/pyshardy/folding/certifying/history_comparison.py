"""Certificate of propagation: layers near the splice point have equal histories of changes.

``histories`` has observed the propagation of a folded program. From the changes of shardings that it kept follows
whether the layers that were left out would have got the same shardings as the layers beside them:

- A fixed point visits the operations in program order. A visit may change shardings, which sets off visits to the
  operations that read these; all of them are done before the fixed point goes on. One such *cascade* begins at its
  *root*, the operation that was visited in program order. The history of a layer is the list of the changes of
  shardings in it, each with the root of its cascade, relative to the layer.
- Assume that visits to operations of layers, and those that they set off, look no farther than ``look`` layers from the
  root and change nothing farther away than ``change`` layers; that the layers up to ``max(look, change)`` layers from
  the template, on both sides, have equal histories; and that cascades whose roots are in no layer change nothing in
  them.
- Then a layer that is inserted finds, at each of its visits, the shardings that the template found at the same visit,
  and sets off the same changes: what it sees was made by the template, by layers below it and by others that are
  inserted, and histories say that each of them has changed in the next layer what the layer below it changed in the
  template. So the histories of inserted layers are equal to that of the template, and the layers that were there before
  find what they found without them.
- A cascade whose root is elsewhere may run through all layers like a *sweep*: a sharding of the first layer's input is
  carried on to the last. If it visits and changes the same in each layer before it comes to the next, and changes
  nothing in layers it has left, every layer still finds what the others found. So it does if a second sweep follows, in
  the same direction or back.

So layers have to be alike, and to have equal histories, up to ``max(look, change)`` layers from the template. Layers
farther away may change something in these, too, and be otherwise unlike them. Visits that change nothing count in
``look``: with other shardings they might have changed something.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pyshardy.folding.certifying.layer_places import LayerPlaces, RelativePlace
from pyshardy.ir.operation import Operation
from pyshardy.propagation.observers import ObservedPropagation
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.sharding.tensor import TensorSharding

_FEWEST_COMPARED = 2
"""A sweep that may skip layers has to come to more layers than that: the last is compared with no other, so with two
nothing would be."""
_UNKNOWN = 1 << 20
"""A distance larger than that of any two layers."""


class Change(NamedTuple):
    """A change: in which fixed point and cascade it was, the ``root`` of the cascade, and the operation ``op`` whose
    visit wrote the shardings ``written`` to ``slots``. Without slots ``op`` was erased. ``root`` and ``op`` are None,
    and ``cascade`` is 0, where the function's own results were visited. ``is_first`` says that the change was made by
    the node of ``op`` itself, and not by another of its actions."""

    fixed_point: int
    cascade: int
    root: Operation | None
    op: Operation | None
    is_first: bool
    slots: tuple[ShardingSlot | None, ...]
    written: tuple[TensorSharding, ...]


_PlacedChange = tuple[Change, RelativePlace | None, list[RelativePlace | None]]
"""A change, the place of its root, and the places of its slots; None for places in no layer."""


_Visits = Sequence[tuple[Operation, RelativePlace | None, int]]
"""Visits in their order: the operation, its place, and the number of the change that it made, else -1."""


class _Sweep(NamedTuple):
    """How many layers away a sweep changes and looks at most, and how it may end: each time the number of the visit
    with which the next begins, None if there is none, and the layers that the next may skip."""

    change: int
    look: int
    ends: Sequence[tuple[int | None, range]]


class _LayerVisits(NamedTuple):
    """What is ``done`` by a sweep in one layer, relative to it, and how many layers away it visits, changes and looks
    at most."""

    done: Sequence[Hashable]
    reach: int
    change: int
    look: int


class HistoryComparison:
    """Compares the histories of layers near the splice point in a ``run`` of propagation: its ``changes``, and the
    ``visits`` of each cascade, by its number: the operations that were visited or erased, each with the number of the
    change that it made, else -1. ``at`` are the places of operations and slots relative to their layers."""

    def __init__(
        self,
        at: LayerPlaces,
        run: ObservedPropagation,
        changes: Sequence[Change],
        visits: Mapping[int, Sequence[tuple[Operation, int]]],
    ) -> None:
        self._at = at
        self._run = run
        self._changes = changes
        self._visits = visits
        self._spans: dict[Hashable, tuple[int, int]] = {}
        """The lowest and the highest layer that a visit to an operation looks at, relative to its own, by its key."""
        self._slots: dict[Hashable, Sequence[tuple[Hashable, int]]] = {}
        """The slots that such a visit looks at, each by its key and layer relative to the operation's, by its key."""
        self._placed: list[_PlacedChange] = [
            (change, self._place_of_root(change), self._places_of(change)) for change in changes
        ]
        # A sweep does not stop at the lowest or highest of the layers that are alike.
        self._sweeps = {
            change.cascade
            for change, root, places in self._placed
            if change.cascade
            and (root is None or not at.lowest <= root.layer < at.highest)
            and any(place and at.lowest < place.layer < at.highest - 1 for place in places)
        }
        """The numbers of the cascades that are sweeps."""

    def distance(self) -> int | None:
        """``max(look, change)``: as far from the splice point layers have to be alike. None if no distance is enough,
        because some sweep does not come to one layer after the other."""
        at, change = self._at, 0
        layers_of_roots: dict[int, int] = {}
        for one, root, places in self._placed:
            if root is not None and one.cascade not in self._sweeps:
                changed = [place.layer for place in places if place is not None]
                if any(at.lowest <= layer < at.highest for layer in (root.layer, *changed)):
                    layers_of_roots[one.cascade] = root.layer
                    change = max(change, *(abs(layer - root.layer) for layer in (root.layer, *changed)))
        look = self._farthest_look(layers_of_roots)
        for cascade in self._sweeps:
            seen = self._distances_of_sweep(cascade)
            if seen is None:
                return None
            change, look = max(change, seen[0]), max(look, seen[1])
        if look >= _UNKNOWN or any(not one.slots for one in self._changes):
            # Visits were to operations without a place, or operations were erased, which no visit looks at any more. So
            # looks are not known, but bounded: a slot that is changed is up to ``change`` away, an operation that is
            # visited because of that ``reads`` farther, and what it looks at ``reads`` farther again.
            look = change + 2 * at.reads
        return max(look, change)

    def histories(self, distance: int) -> dict[int, list[Hashable]] | None:
        """The history of each layer up to ``distance`` from the splice point; sweeps do not count. None if something
        was changed there that is in no history."""
        at = self._at
        found: dict[int, list[Hashable]] = {layer: [] for layer in range(at.above - distance - 1, at.above + distance)}
        for change, root, places in self._placed:
            if change.cascade in self._sweeps:
                continue
            if root is not None and root.layer in found and None in places:
                # A value of no layer was changed, which any layer may read.
                return None
            for layer in {place.layer for place in places if place is not None and place.layer in found}:
                if root is None:
                    return None
                here = [place for place in places if place is not None and place.layer == layer]
                found[layer].append((change.fixed_point, root.key, self._change_key(root.layer, change, here)))
        return found

    def are_sorted_layers_independent(self) -> bool:
        """Whether the order of layers does not matter in sorted series, nor among the results of the function, which
        have the same order. It does not matter if a slot that is changed by a cascade with its root there is neither
        changed nor looked at by such a cascade of another layer: if, for each slot that is changed, there is one
        distance only from the root of a cascade to the slot, or, for a slot of no layer, one layer of such roots."""
        at = self._at
        if not at.has_sorted_series:
            return True
        changed: dict[Hashable, set[int]] = {}
        """The layers, relative to that of the root, in which a slot is changed, by the key of the slot; of a slot of no
        layer, by itself, the layers of the roots."""
        looked_at: dict[Hashable, set[int]] = {}
        """As ``changed``, for slots that are looked at."""
        visits = {(op, at.above) for op in at.sorted_operations()}
        for change, root, places in self._placed:
            if root is None or (change.root is not None and not at.is_sorted(root)):
                continue
            for slot, one in zip(change.slots or (None,), places, strict=True):
                if one is not None:
                    changed.setdefault(one.key, set()).add(one.layer - root.layer)
                elif slot is not None:
                    changed.setdefault(slot, set()).add(root.layer)
            if change.cascade:
                visits.update((op, root.layer) for op, _ in self._visits.get(change.cascade, ()))
        for op, layer in visits:
            for slot in self._slots_looked_at(op):
                one = at.of_slot(slot)
                key, distance = (slot, layer) if one is None else (one.key, one.layer - layer)
                looked_at.setdefault(key, set()).add(distance)
        return all(len(distances | looked_at.get(key, set())) == 1 for key, distances in changed.items())

    def _slots_looked_at(self, op: Operation) -> dict[ShardingSlot, None]:
        """The slots that visits to ``op`` look at."""
        node = self._run.node(op)
        slots = (slot for action in (() if node is None else node.actions()) for slot in action.slots)
        return {slot: None for slot in slots if slot is not None}

    def _slots_of(self, op: Operation, place: RelativePlace) -> Sequence[tuple[Hashable, int]]:
        """The slots that visits to ``op``, which is at ``place``, look at, each by key and relative layer."""
        known = self._slots.get(place.key)
        if known is None:
            seen = [self._at.of_slot(slot) for slot in self._slots_looked_at(op)]
            known = [(one.key, one.layer - place.layer) for one in seen if one is not None]
            self._slots[place.key] = known
        return known

    def _farthest_look(self, layers_of_roots: Mapping[int, int]) -> int:
        """How many layers from its root a cascade looks at most; ``layers_of_roots`` has the layer of the root of each
        cascade that begins in a layer."""
        look = max(self._look(op, self._at.above) for op in self._at.a_layer())
        for cascade, layer in layers_of_roots.items():
            for op, _ in self._visits.get(cascade, ()):
                look = max(look, self._look(op, layer))
        return look

    def _look(self, op: Operation, layer: int) -> int:
        """How many layers from ``layer`` a visit to ``op`` looks at most."""
        place = self._at.of(op)
        if place is None:
            node = self._run.node(op)
            # Functions are visited when their arguments change, but have nothing to do.
            does_nothing = op.name == "func.func" and node is not None and not any(True for _ in node.actions())
            return 0 if does_nothing else _UNKNOWN
        span = self._spans.get(place.key)
        if span is None:
            distances = [0, *(distance for _, distance in self._slots_of(op, place))]
            span = self._spans[place.key] = min(distances), max(distances)
        return max(layer - place.layer - span[0], place.layer + span[1] - layer)

    def _distances_of_sweep(self, cascade: int) -> tuple[int, int] | None:
        """How many layers away a sweep changes and looks at most, as (change, look). None if the cascade is not a
        proper sweep, or several that follow each other (gradients of two micro-batches are added to one sum)."""
        visits = [(op, self._at.of(op), number) for op, number in self._visits.get(cascade, ())]
        sweeps: list[_Sweep] = []
        ends: list[Iterator[tuple[int | None, range]]] = [iter([(0, range(0))])]
        """The ends of each of the sweeps that were not tried yet, those before the first one included."""
        tried: set[tuple[int, range]] = set()
        while ends:
            begin, may_skip = next(ends[-1], (-1, range(0)))
            if begin is None:
                return max(sweep.change for sweep in sweeps), max(sweep.look for sweep in sweeps)
            if begin < 0:
                ends.pop()
                del sweeps[-1:]
            elif (begin, may_skip) not in tried:
                tried.add((begin, may_skip))
                sweep = self._next_sweep(visits[begin:], may_skip)
                if sweep is not None:
                    sweeps.append(sweep)
                    ends.append(iter([(None if end is None else begin + end, skip) for end, skip in sweep.ends]))
        return None

    def _next_sweep(self, visits: _Visits, may_skip: range) -> _Sweep | None:
        """The first of the sweeps that these ``visits`` are; None if they are none. A sweep comes to the layers one
        after the other, but for those in ``may_skip``, and visits and changes the same in each before it comes to the
        next. It ends in one of two ways, and both are returned:

        - In the last layer it does what it did in the others. The next sweep begins with the next visit to one of the
          layers.
        - It changes nothing farther than ``reach`` from the last layer. The next sweep begins with the first change
          there, and may skip the layers around the last one.
        """
        at = self._at
        first: dict[int, int] = {}
        for time, (_, place, _) in enumerate(visits):
            if place is not None and at.lowest <= place.layer < at.highest:
                first.setdefault(place.layer, time)
        layers, alike = list(first), set(range(at.lowest, at.highest))
        if not layers or layers not in (list(range(layers[0], layers[-1] + step, step)) for step in (1, -1)):
            return None
        if not first.keys() >= alike and not (
            first.keys() >= alike.difference(may_skip) | {at.above - 1, at.above} and len(first) > _FEWEST_COMPARED
        ):
            return None
        if any(at.is_sorted(visits[time][1]) for time in first.values()):
            # A sweep through a sorted series would come to its layers in another order with all of them.
            return None
        reach = change = look = 0
        expected: _LayerVisits | None = None
        for layer, following in pairwise(layers):
            in_layer = self._layer_visits(visits[first[layer] : first[following]], layer)
            if in_layer is None or (expected is not None and in_layer.done != expected.done):
                return None
            expected = in_layer
            reach, change, look = (max(pair) for pair in zip((reach, change, look), in_layer[1:], strict=True))
        last = layers[-1]
        ends: list[tuple[int | None, range]] = []
        if expected is not None:
            end = first[last] + first[last] - first[layers[-2]]
            found = self._layer_visits(visits[first[last] : end], last)
            if found is not None and found.done == expected.done:
                again = (time for time in range(end, len(visits)) if _is_in(visits[time], alike))
                ends.append((next(again, None), range(0)))
        around = range(last - reach, last + reach + 1)
        others = alike.difference(around)
        later = (time for time in range(first[last], len(visits)) if _is_in(visits[time], others))
        change_of_others = next((time for time in later if visits[time][2] >= 0), None)
        ends.append((None if change_of_others is None else _first_in_layer(visits, change_of_others), around))
        return _Sweep(change, look, ends)

    def _layer_visits(self, visits: _Visits, layer: int) -> _LayerVisits | None:
        """The visits of a sweep from when it comes to ``layer`` until it comes to the next; None if some are to no
        layer, or change something of none."""
        reach = change = look = 0
        done: list[Hashable] = []
        for op, place, number in visits:
            if place is None:
                return None
            reach, look = max(reach, abs(place.layer - layer)), max(look, self._look(op, layer))
            done.append((place.key, place.layer - layer))
            if number >= 0:
                made = self._changes[number]
                places = self._places_of(made)
                for one in places:
                    if one is None:
                        return None
                    change = max(change, abs(one.layer - layer))
                done.append(self._change_key(layer, made, places))
        return _LayerVisits(done, reach, change, look)

    def _places_of(self, change: Change) -> list[RelativePlace | None]:
        """The places of the slots that were written, or of the operation that was erased."""
        at = self._at
        return [at.of_slot(one) for one in change.slots] or [None if change.op is None else at.of(change.op)]

    def _change_key(self, layer: int, change: Change, places: Sequence[RelativePlace | None]) -> Hashable:
        """``change`` relative to ``layer``: equal for changes that are counterparts."""
        op = None if change.op is None else self._at.of(change.op)
        tried = (op.key, op.layer - layer) if op is not None else None
        changes = tuple([(place.key, place.layer - layer) for place in places if place is not None])
        return tried, change.is_first, change.written, changes

    def _place_of_root(self, change: Change) -> RelativePlace | None:
        """The place of the root of the change; of the result, where the function's results were visited."""
        at = self._at
        return at.of(change.root) if change.root is not None else at.of_slot(change.slots[0])


def _is_in(visit: tuple[Operation, RelativePlace | None, int], layers: Collection[int]) -> bool:
    """Whether a visit is to one of ``layers``."""
    return visit[1] is not None and visit[1].layer in layers


def _first_in_layer(visits: _Visits, time: int) -> int:
    """The number of the first of the visits up to number ``time`` that are to the same layer in a row."""
    layer = visits[time][1]
    while time:
        before = visits[time - 1][1]
        if before is None or layer is None or before.layer != layer.layer:
            break
        time -= 1
    return time
