"""Certificate of propagation: layers near the splice point have the same history of changes.

The folded program is propagated like any other. ``LayerHistories`` observes the run and keeps every change of a
sharding: which operation was visited, what was written where. From this it concludes whether the layers that were left
out would have got the same shardings as the layers beside them:

- A fixed point visits the operations in program order. A visit may change shardings, which sets off visits to the
  operations that read these; all of them are done before the fixed point goes on. One such *episode* begins at its
  *root*, the operation that was visited in program order. The history of a layer is the list of the changes of
  shardings in it, each with the root of its episode, told relative to the layer.
- Assume that visits to operations of layers, and those that they set off, look no farther than ``look`` layers from the
  root and change nothing farther away than ``change`` layers; that the layers up to ``max(look, change)`` layers from
  the template, on both sides, have equal histories; and that episodes whose roots are in no layer change nothing in
  them.
- Then a layer that is inserted finds, at each of its visits, the shardings that the template found at the same visit,
  and sets off the same changes: what it sees was made by the template, by layers below it and by others that are
  inserted, and histories say that each of them has changed in the next layer what the layer below it changed in the
  template. So the histories of inserted layers are equal to that of the template, and the layers that were there before
  find what they found without them.
- An episode whose root is elsewhere may run through all layers like a *wave*: a sharding of the first layer's input is
  carried on to the last. If it visits and changes the same in each layer before it comes to the next, and changes
  nothing in layers it has left, every layer still finds what the others found. So it does if a second wave follows, in
  the same direction or back.

So layers have to be alike, and to have equal histories, up to ``max(look, change)`` layers from the template. Layers
farther away may change something in these, too, and be otherwise unlike them. Visits that change nothing count in
``look``: with other shardings they might have changed something.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pyshardy.folding.folded import Folded, NotAlike
from pyshardy.folding.layer_places import LayerPlaces, RelativePlace
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import PassFailure
from pyshardy.propagation.observers import ObservedPropagation, PropagationObserver, PropagationStep
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.sharding.tensor import TensorSharding

USUAL_DISTANCE = 1
"""Visits usually look at shardings, and change them, at most so many layers away. In the first attempt as many layers
are kept as a certificate needs then."""
_FEWEST_IN_TURN = 2
"""A wave that has turned must come to more layers than that: the last of them is compared with no other."""
_UNKNOWN = 1 << 20
"""A distance larger than that of any two layers."""


class _Change(NamedTuple):
    """A change: in which fixed point and episode it was, the ``root`` of the episode, and the operation ``op`` whose
    visit wrote the shardings ``written`` to ``slots``. Without slots ``op`` was erased. ``root`` and ``op`` are None,
    and ``episode`` is 0, where the function's own results were visited. ``is_first`` says that the change was made by
    the node of ``op`` itself, and not by another of its actions."""

    fixed_point: int
    episode: int
    root: Operation | None
    op: Operation | None
    is_first: bool
    slots: tuple[ShardingSlot | None, ...]
    written: tuple[TensorSharding, ...]


_PlacedChange = tuple[_Change, RelativePlace | None, list[RelativePlace | None]]
"""A change, the place of its root, and the places of its slots; None for places in no layer."""


_Visits = Sequence[tuple[Operation, RelativePlace | None, int]]
"""Visits in their order: the operation, its place, and the number of the entry if it changed something, else -1."""


class _Wave(NamedTuple):
    """How many layers away a wave changes and looks at most, and how it may end: each time the number of the visit with
    which the next begins, None if there is none, and the layers to which the next may not come again."""

    change: int
    look: int
    ends: Sequence[tuple[int | None, range]]


class _Section(NamedTuple):
    """What is ``done`` by a wave in one layer, relative to it, and how many layers away it visits, changes and looks at
    most."""

    done: Sequence[Hashable]
    reach: int
    change: int
    look: int


class LayerHistories(PropagationObserver):
    """Observes propagation of what ``folded`` has become. ``is_certain`` says whether there is a certificate: layers
    near the splice point had equal histories in every run of propagation, and there was a run. If too few layers were
    kept to tell, ``missing`` is how many more are needed below the splice point and above it. If there were enough, and
    those next to the splice point had equal histories, but others not, ``unlike`` is how many more are needed so that
    these others are not looked at."""

    def __init__(self, folded: Folded) -> None:
        self._folded = folded
        self.missing = 0, 0
        self.unlike = 0, 0
        self.runs = 0
        self._refused = False
        self._places: LayerPlaces | None = None

    @property
    def is_certain(self) -> bool:
        """Whether layers that were left out would have got the shardings of those beside them."""
        return self.runs > 0 and not self._refused

    def began(self, run: ObservedPropagation) -> None:
        self.runs += 1
        self._changes: list[_Change] = []
        self._visits: dict[int, list[tuple[Operation, int]]] = {}
        """The operations that were visited or erased in each episode, each with the number of the entry if it changed
        something, else -1."""
        self._spans: dict[Hashable, tuple[int, int]] = {}
        """The lowest and the highest layer that a visit to an operation looks at, relative to its own, by its key."""
        self._slots: dict[Hashable, Sequence[tuple[Hashable, int]]] = {}
        """The slots that such a visit looks at, each by its key and layer relative to the operation's, by its key."""
        self._fixed_point = 0
        self._episode = 0
        self._root: Operation | None = None
        self._is_set_off = False
        self._visited: Operation | None = None
        self._before = 0
        self._places = None
        if not run.groups.empty:
            self._refused = True
        if not self._refused:
            try:
                self._places = LayerPlaces(self._folded, run)
                # As a rule that many are needed. If they are not there, what follows would be work for nothing.
                usual = max(self._folded.layers.reach, USUAL_DISTANCE)
                self._refused = not self._are_enough(self._places, usual)
            except NotAlike:
                self._refused = True
        self._give_up()

    def _are_enough(self, at: LayerPlaces, distance: int) -> bool:
        """Whether layers are alike as far as ``distance`` from the splice point. Sets ``missing`` if not."""
        below, above = self.missing
        below = max(below, at.lowest - (at.above - distance - 1))
        self.missing = below, max(above, at.above + distance - at.highest)
        return self.missing == (0, 0)

    def _give_up(self) -> None:
        """Ends the run of passes if there will be no certificate: the rest of it would be work for nothing."""
        if self._refused:
            raise PassFailure

    def begins_listed(self, run: ObservedPropagation) -> None:
        self._is_set_off = True

    def visits(self, op: Operation) -> None:
        self._note_visit()
        self._visited, self._before = op, len(self._changes)

    def _note_visit(self) -> None:
        op = self._visited
        if op is not None:
            changed = self._before if len(self._changes) > self._before else -1
            self._visits.setdefault(self._episode, []).append((op, changed))
            self._visited = None

    def ends_listed(self, run: ObservedPropagation) -> None:
        self._note_visit()
        self._is_set_off = False

    def writes(self, run: ObservedPropagation, step: PropagationStep) -> None:
        op, action, updates = step.op, step.action, step.updates
        root: Operation | None = None
        is_first = True
        if op is not run.main:
            if not self._is_set_off:
                self._begin_episode(op)
            root, is_first = self._root, action is run.node(op)
        slots = tuple([action.slots[number] for number, _ in updates])
        written = tuple([new for _, new in updates])
        episode = self._episode if root is not None else 0
        where = None if root is None else op
        self._changes.append(_Change(self._fixed_point, episode, root, where, is_first, slots, written))

    def _begin_episode(self, root: Operation) -> None:
        self._root = root
        self._episode += 1

    def erases(self, op: Operation) -> None:
        self._note_visit()
        if not self._is_set_off:
            self._begin_episode(op)
        if self._places is not None and op.parent_op is not self._folded.function and self._places.of(op) is not None:
            # In a region of a layer: such erasures are not part of histories.
            self._refused = True
        if self._is_set_off:
            self._visits.setdefault(self._episode, []).append((op, len(self._changes)))
        self._changes.append(_Change(self._fixed_point, self._episode, self._root or op, op, False, (), ()))

    def reached_fixed_point(self, run: ObservedPropagation) -> None:
        self._fixed_point += 1

    def finished(self, run: ObservedPropagation) -> None:
        if self._places is not None and not self._refused:
            try:
                self._refused = not self._are_layers_alike(self._places, run)
            except NotAlike:
                self._refused = True
        self._give_up()

    # --- the histories ------------------------------------------------------------------------------------------------

    def _are_layers_alike(self, at: LayerPlaces, run: ObservedPropagation) -> bool:
        """Whether layers near the splice point have equal histories, ``max(look, change)`` layers far. Sets ``missing``
        if fewer layers than that are alike."""
        placed: list[_PlacedChange] = [
            (entry, self._place_of_root(at, entry), self._places_of(at, entry)) for entry in self._changes
        ]
        # A wave does not stop at the lowest or highest of the layers that are alike.
        waves = {
            entry.episode
            for entry, root, places in placed
            if entry.episode
            and (root is None or not at.lowest <= root.layer < at.highest)
            and any(place and at.lowest < place.layer < at.highest - 1 for place in places)
        }
        layers_of_roots: dict[int, int] = {}
        change = 0
        for entry, root, places in placed:
            if root is not None and entry.episode not in waves:
                changed = [place.layer for place in places if place is not None]
                if any(at.lowest <= layer < at.highest for layer in (root.layer, *changed)):
                    layers_of_roots[entry.episode] = root.layer
                    change = max(change, *(abs(layer - root.layer) for layer in (root.layer, *changed)))
        look = self._farthest_look(at, run, layers_of_roots)
        for episode in waves:
            seen = self._distances_of_wave(at, run, episode)
            if seen is None:
                return False
            change, look = max(change, seen[0]), max(look, seen[1])
        if look >= _UNKNOWN or any(not entry.slots for entry in self._changes):
            # Visits were to operations without a place, or operations were erased, which no visit looks at any more. So
            # looks are not known, but bounded: a slot that is changed is up to ``change`` away, an operation that is
            # visited because of that ``reads`` farther, and what it looks at ``reads`` farther again.
            look = change + 2 * at.reads
        distance = max(look, change)
        begin, end = at.above - distance - 1, at.above + distance
        if not self._are_enough(at, distance) or not self._are_sorted_layers_independent(at, run, placed):
            return False
        histories: dict[int, list[Hashable]] = {layer: [] for layer in range(begin, end)}
        for entry, root, places in placed:
            if entry.episode in waves:
                continue
            if root is not None and root.layer in histories and None in places:
                # A value of no layer was changed, which any layer may read.
                return False
            for layer in {place.layer for place in places if place is not None and place.layer in histories}:
                if root is None:
                    return False
                here = [place for place in places if place is not None and place.layer == layer]
                seen_here = self._change_key(at, root.layer, entry, here)
                histories[layer].append((entry.fixed_point, root.key, seen_here))
        return self._are_equal(histories, at.above)

    def _are_equal(self, histories: Mapping[int, list[Hashable]], above: int) -> bool:
        """Whether all ``histories`` are equal, told by layer; ``above`` is the first above the splice point. Sets
        ``unlike`` if not."""
        expected = histories[above - 1]
        differ = [layer for layer, history in histories.items() if history != expected]
        if differ and above not in differ:
            # As those next to the splice point are alike, the others are taken for the ends of the model.
            low, high = [layer for layer in differ if layer < above], [layer for layer in differ if layer > above]
            self.unlike = max(low) - min(histories) + 1 if low else 0, max(histories) - min(high) + 1 if high else 0
        return not differ

    def _are_sorted_layers_independent(
        self, at: LayerPlaces, run: ObservedPropagation, placed: Sequence[_PlacedChange]
    ) -> bool:
        """Whether the order of layers does not matter in sorted series, nor among the results of the function, which
        have the same order. It does not matter if a slot that is changed by an episode with its root there is neither
        changed nor looked at by such an episode of another layer: if, for each slot that is changed, there is one
        distance only from the root of an episode to the slot, or, for a slot of no layer, one layer of such roots."""
        if not at.sorted_series:
            return True
        changed: dict[Hashable, set[int]] = {}
        """The layers, relative to that of the root, in which a slot is changed, by the key of the slot; of a slot of no
        layer, by itself, the layers of the roots."""
        looked_at: dict[Hashable, set[int]] = {}
        """The same for slots that are looked at."""
        visits = {(op, at.above) for op in at.sorted_operations()}
        for entry, root, places in placed:
            if root is None or (entry.root is not None and not at.is_sorted(root)):
                continue
            for slot, one in zip(entry.slots or (None,), places, strict=True):
                if one is not None:
                    changed.setdefault(one.key, set()).add(one.layer - root.layer)
                elif slot is not None:
                    changed.setdefault(slot, set()).add(root.layer)
            if entry.episode:
                visits.update((op, root.layer) for op, _ in self._visits.get(entry.episode, ()))
        for op, layer in visits:
            for slot in self._slots_looked_at(run, op):
                one = at.of_slot(slot)
                key, distance = (slot, layer) if one is None else (one.key, one.layer - layer)
                looked_at.setdefault(key, set()).add(distance)
        return all(len(distances | looked_at.get(key, set())) == 1 for key, distances in changed.items())

    def _slots_looked_at(self, run: ObservedPropagation, op: Operation) -> dict[ShardingSlot, None]:
        """The slots that visits to ``op`` look at."""
        node = run.node(op)
        slots = (slot for action in (() if node is None else node.actions()) for slot in action.slots)
        return {slot: None for slot in slots if slot is not None}

    def _slots_of(
        self, at: LayerPlaces, run: ObservedPropagation, op: Operation, place: RelativePlace
    ) -> Sequence[tuple[Hashable, int]]:
        """The slots that visits to ``op``, which is at ``place``, look at, each by key and relative layer."""
        known = self._slots.get(place.key)
        if known is None:
            seen = [at.of_slot(slot) for slot in self._slots_looked_at(run, op)]
            known = [(one.key, one.layer - place.layer) for one in seen if one is not None]
            self._slots[place.key] = known
        return known

    def _farthest_look(self, at: LayerPlaces, run: ObservedPropagation, layers_of_roots: Mapping[int, int]) -> int:
        """How many layers from its root an episode looks at most; ``layers_of_roots`` has the layer of the root of each
        episode that begins in a layer."""
        look = max(self._look(at, run, op, at.above) for op in at.a_layer())
        for episode, layer in layers_of_roots.items():
            for op, _ in self._visits.get(episode, ()):
                look = max(look, self._look(at, run, op, layer))
        return look

    def _look(self, at: LayerPlaces, run: ObservedPropagation, op: Operation, layer: int) -> int:
        """How many layers from ``layer`` a visit to ``op`` looks at most."""
        place = at.of(op)
        if place is None:
            node = run.node(op)
            # Functions are visited when their arguments change, but have nothing to do.
            does_nothing = op.name == "func.func" and node is not None and not any(True for _ in node.actions())
            return 0 if does_nothing else _UNKNOWN
        span = self._spans.get(place.key)
        if span is None:
            distances = [0, *(distance for _, distance in self._slots_of(at, run, op, place))]
            span = self._spans[place.key] = min(distances), max(distances)
        return max(layer - place.layer - span[0], place.layer + span[1] - layer)

    def _distances_of_wave(self, at: LayerPlaces, run: ObservedPropagation, episode: int) -> tuple[int, int] | None:
        """How many layers away a wave changes and looks at most, as (change, look). None if the episode is not a proper
        wave, or several that follow each other (gradients of two micro-batches are added to one sum)."""
        visits = [(op, at.of(op), number) for op, number in self._visits.get(episode, ())]
        waves: list[_Wave] = []
        ways: list[Iterator[tuple[int | None, range]]] = [iter([(0, range(0))])]
        """The ends of each of the waves that were not tried yet, those before the first one included."""
        tried: set[tuple[int, range]] = set()
        while ways:
            begin, turn = next(ways[-1], (-1, range(0)))
            if begin is None:
                return max(wave.change for wave in waves), max(wave.look for wave in waves)
            if begin < 0:
                ways.pop()
                del waves[-1:]
            elif (begin, turn) not in tried:
                tried.add((begin, turn))
                wave = self._next_wave(at, run, visits[begin:], turn)
                if wave is not None:
                    waves.append(wave)
                    ways.append(iter([(None if end is None else begin + end, turn) for end, turn in wave.ends]))
        return None

    def _next_wave(self, at: LayerPlaces, run: ObservedPropagation, visits: _Visits, turn: range) -> _Wave | None:
        """The first of the waves that these ``visits`` are. It has to come to the layers one after the other, those in
        ``turn`` perhaps left out, and to visit and change the same in each before it comes to the next. In the last
        either it does so, too; the next wave begins when one of the layers is visited again. Or it changes nothing in
        the others but in those next to it; the first such change is the begin of the next wave, which may have turned
        there. None if it is not like that."""
        first: dict[int, int] = {}
        for time, (_, place, _) in enumerate(visits):
            if place is not None and at.lowest <= place.layer < at.highest:
                first.setdefault(place.layer, time)
        layers, alike = list(first), set(range(at.lowest, at.highest))
        if not layers or layers not in (list(range(layers[0], layers[-1] + step, step)) for step in (1, -1)):
            return None
        if not first.keys() >= alike and not (
            first.keys() >= alike.difference(turn) | {at.above - 1, at.above} and len(first) > _FEWEST_IN_TURN
        ):
            return None
        if any(at.is_sorted(visits[time][1]) for time in first.values()):
            # A wave through a sorted series would come to its layers in another order with all of them.
            return None
        reach = change = look = 0
        expected: _Section | None = None
        for layer, following in pairwise(layers):
            section = self._section(at, run, visits[first[layer] : first[following]], layer)
            if section is None or (expected is not None and section.done != expected.done):
                return None
            expected = section
            reach, change, look = (max(pair) for pair in zip((reach, change, look), section[1:], strict=True))
        last = layers[-1]
        ends: list[tuple[int | None, range]] = []
        if expected is not None:
            end = first[last] + first[last] - first[layers[-2]]
            found = self._section(at, run, visits[first[last] : end], last)
            if found is not None and found.done == expected.done:
                again = (time for time in range(end, len(visits)) if self._is_in(visits[time], alike))
                ends.append((next(again, None), range(0)))
        around = range(last - reach, last + reach + 1)
        others = alike.difference(around)
        later = (time for time in range(first[last], len(visits)) if self._is_in(visits[time], others))
        change_of_others = next((time for time in later if visits[time][2] >= 0), None)
        ends.append((None if change_of_others is None else _first_in_layer(visits, change_of_others), around))
        return _Wave(change, look, ends)

    def _is_in(self, visit: tuple[Operation, RelativePlace | None, int], layers: Collection[int]) -> bool:
        """Whether a visit is to one of ``layers``."""
        return visit[1] is not None and visit[1].layer in layers

    def _section(self, at: LayerPlaces, run: ObservedPropagation, visits: _Visits, layer: int) -> _Section | None:
        """The visits of a wave from when it comes to ``layer`` until it comes to the next; None if some are to no
        layer, or change something of none."""
        reach = change = look = 0
        done: list[Hashable] = []
        for op, place, number in visits:
            if place is None:
                return None
            reach, look = max(reach, abs(place.layer - layer)), max(look, self._look(at, run, op, layer))
            done.append((place.key, place.layer - layer))
            if number >= 0:
                entry = self._changes[number]
                places = self._places_of(at, entry)
                for one in places:
                    if one is None:
                        return None
                    change = max(change, abs(one.layer - layer))
                done.append(self._change_key(at, layer, entry, places))
        return _Section(done, reach, change, look)

    def _places_of(self, at: LayerPlaces, entry: _Change) -> list[RelativePlace | None]:
        """The places of the slots that were written, or of the operation that was erased."""
        return [at.of_slot(one) for one in entry.slots] or [None if entry.op is None else at.of(entry.op)]

    def _change_key(
        self, at: LayerPlaces, layer: int, entry: _Change, places: Sequence[RelativePlace | None]
    ) -> Hashable:
        """The change relative to ``layer``: equal for changes that are counterparts."""
        op = None if entry.op is None else at.of(entry.op)
        tried = (op.key, op.layer - layer) if op is not None else None
        changes = tuple([(place.key, place.layer - layer) for place in places if place is not None])
        return tried, entry.is_first, entry.written, changes

    def _place_of_root(self, at: LayerPlaces, entry: _Change) -> RelativePlace | None:
        """The place of the root of the change; of the result, where the function's results were visited."""
        return at.of(entry.root) if entry.root is not None else at.of_slot(entry.slots[0])


def _first_in_layer(visits: _Visits, time: int) -> int:
    """The number of the first of the visits up to number ``time`` that are to the same layer in a row."""
    layer = visits[time][1]
    while time:
        before = visits[time - 1][1]
        if before is None or layer is None or before.layer != layer.layer:
            break
        time -= 1
    return time
