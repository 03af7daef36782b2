"""The certificate of propagation: layers beside the splice point have the same history, so that those that were left
out would get what they got.

The folded program is propagated as any other, while this file keeps who changes what. That the layers that were left
out would become the same is known from that:

- A fixed point goes through the operations in program order, and does all that a visit sets off before it goes on. So
  its history is a list of visits, each with the changes it set off; visits that change nothing leave no trace.
- If the visits to the operations of one layer set off the same changes as those to the layers beside it, up to some
  distance, nobody else changes them, and they change nothing but layers so near, then how these layers look at each
  moment follows from what they were made of and from visits to layers near them, in an order that is the same for each.
- A visit far away may set off changes that run through the layers like a wave. If they visit and change the same in
  each before they come to the next, and nothing when they come back, the stack looks the same at each layer, too.
- Hence a layer that is put in between finds at each of its visits what its neighbours found, sets off the same changes
  as they did, and they, in turn, find what they found without it. So do all that are left out.

The distance is that at which visits look at anything, those that change nothing included, and that at which they change
anything: what is looked at is what it was at first and what visits so near have made of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pyshardy.dialects.sdy.placement import FunctionResult, function_argument_sharding, function_result_sharding
from pyshardy.dialects.sdy.shared_constants import is_shared_constant
from pyshardy.folding.folded import Folded, NotAlike
from pyshardy.folding.parts import LayerParts, operations_by_layer
from pyshardy.ir.opdef import DATA_FLOW
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.passes import PassFailure
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.observers import PropagationObserver, PropagationStep
from pyshardy.propagation.sharding_table import ShardingSlot
from pyshardy.rules.registry import is_from_outside, looks_around
from pyshardy.sharding.tensor import TensorSharding

_UNKNOWN = 1 << 20
"""Farther away than any layer."""


class _LayerPosition(NamedTuple):
    """Where something stands: in which layer, of those that are there, and where in it."""

    layer: int
    key: Hashable


class _Entry(NamedTuple):
    """A change: of which fixed point, set off by a visit to which operation (None: to no operation, where the function
    returns), what was tried where, which slots were ``written`` and what; for none ``op`` was erased. All that one
    visit sets off is of one ``episode``."""

    fixed_point: int
    episode: int
    root: Operation | None
    op: Operation | None
    is_first: bool
    slots: tuple[ShardingSlot | None, ...]
    written: tuple[TensorSharding, ...]


_Told = tuple[_Entry, _LayerPosition | None, list[_LayerPosition | None]]
"""A change, where the visit was that set it off, and where it was."""


class LayerHistories(PropagationObserver):
    """Watches propagation of what ``folded`` has become. ``is_certain`` says whether layers had the same history as far
    from the splice point as that matters, in every run that there was, one at least; ``missing`` is how many layers
    more would have had to stand on each side to tell."""

    def __init__(self, folded: Folded) -> None:
        self._folded = folded
        self.missing = 0
        self.runs = 0
        self._refused = False
        self._places: _Places | None = None

    @property
    def is_certain(self) -> bool:
        """Whether layers that were left out would have got what those beside them have got."""
        return self.runs > 0 and not self._refused

    def began(self, run: Propagation) -> None:
        self.runs += 1
        self._entries: list[_Entry] = []
        self._visits: dict[int, list[tuple[Operation, int]]] = {}
        """What was visited or erased in each episode, and the number of the entry if that changed something, or -1."""
        self._spans: dict[Hashable, tuple[int, int]] = {}
        """How many layers below and above its own is what a visit to an operation looks at, by its place in a layer."""
        self._slots: dict[Hashable, Sequence[tuple[Hashable, int]]] = {}
        """What that looks at, and how many layers away, by the same."""
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
                self._places = _Places(self._folded, run)
            except NotAlike:
                self._refused = True
        self._give_up()

    def _give_up(self) -> None:
        """Ends the run of passes if there will be no certificate."""
        if self._refused:
            raise PassFailure

    def begins_listed(self, run: Propagation) -> None:
        self._is_set_off = True

    def visits(self, op: Operation) -> None:
        self._note_visit()
        self._visited, self._before = op, len(self._entries)

    def _note_visit(self) -> None:
        op = self._visited
        if op is not None:
            changed = self._before if len(self._entries) > self._before else -1
            self._visits.setdefault(self._episode, []).append((op, changed))
            self._visited = None

    def ends_listed(self, run: Propagation) -> None:
        self._note_visit()
        self._is_set_off = False

    def writes(self, run: Propagation, step: PropagationStep) -> None:
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
        self._entries.append(_Entry(self._fixed_point, episode, root, where, is_first, slots, written))

    def _begin_episode(self, root: Operation) -> None:
        self._root = root
        self._episode += 1

    def erases(self, op: Operation) -> None:
        self._note_visit()
        if not self._is_set_off:
            self._begin_episode(op)
        if self._places is not None and op.parent_op is not self._folded.function and self._places.of(op) is not None:
            # What happens here is not told by the histories of layers.
            self._refused = True
        if self._is_set_off:
            self._visits.setdefault(self._episode, []).append((op, len(self._entries)))
        self._entries.append(_Entry(self._fixed_point, self._episode, self._root or op, op, False, (), ()))

    def reached_fixed_point(self, run: Propagation) -> None:
        self._fixed_point += 1

    def finished(self, run: Propagation) -> None:
        if self._places is not None and not self._refused:
            try:
                self._refused = not self._are_layers_alike(self._places, run)
            except NotAlike:
                self._refused = True
        self._give_up()

    # --- the histories ------------------------------------------------------------------------------------------------

    def _are_layers_alike(self, at: _Places, run: Propagation) -> bool:
        """Whether the layers on either side of the splice point have the same history, as far as that matters."""
        told: list[_Told] = [
            (entry, self._place_of_root(at, entry), self._places_of(at, entry)) for entry in self._entries
        ]
        waves: set[int] = set()
        layers_of_roots: dict[int, int] = {}
        change = 0
        for entry, root, places in told:
            if root is not None and at.lowest <= root.layer < at.highest:
                layers_of_roots[entry.episode] = root.layer
                for place in places:
                    if place is not None and place.layer != root.layer:
                        change = max(change, abs(place.layer - root.layer))
            elif entry.episode and any(place and at.lowest < place.layer < at.highest - 1 for place in places):
                # It goes deeper than to the layers at the edge.
                waves.add(entry.episode)
        look = self._farthest_look(at, run, layers_of_roots)
        for episode in waves:
            seen = self._seen_by_wave(at, run, episode)
            if seen is None:
                return False
            change, look = max(change, seen[0]), max(look, seen[1])
        if look >= _UNKNOWN or any(not entry.slots for entry in self._entries):
            # Operations that are erased, say, are no longer read by others.
            look = change + 2 * at.reads
        distance = look + change
        begin, end = at.above - distance - 1, at.above + distance
        self.missing = max(self.missing, at.lowest - begin, end - at.highest)
        if begin < at.lowest or end > at.highest or not self._is_order_of_sorted_free(at, run, told):
            return False
        histories: dict[int, list[Hashable]] = {layer: [] for layer in range(begin, end)}
        for entry, root, places in told:
            if entry.episode in waves:
                continue
            if root is None or root.layer not in histories:
                if any(place and begin + change <= place.layer < end - change for place in places):
                    return False
            elif None in places:
                # What is in no layer may be read by any.
                return False
            else:
                seen_here = self._seen_from(at, root.layer, entry, places)
                histories[root.layer].append((entry.fixed_point, root.key, seen_here))
        expected = histories[begin]
        return all(history == expected for history in histories.values())

    def _is_order_of_sorted_free(self, at: _Places, run: Propagation, told: Sequence[_Told]) -> bool:
        """Whether it does not matter which layer comes first where layers are sorted by name, and where the function
        returns: what such visits change, with all that they set off, none of another layer looks at or changes."""
        if not at.sorted_series:
            return True
        changed: dict[Hashable, set[int]] = {}
        """How far away from the layer of the visit that is changed, by its place in its layer."""
        looked_at: dict[Hashable, set[int]] = {}
        visits = {(op, at.above) for op in at.sorted_operations()}
        for entry, root, places in told:
            if root is None or (entry.root is not None and not at.is_sorted(root)):
                continue
            for one in places:
                if one is not None:
                    changed.setdefault(one.key, set()).add(one.layer - root.layer)
            if entry.episode:
                visits.update((op, root.layer) for op, _ in self._visits.get(entry.episode, ()))
        for op, layer in visits:
            place = at.of(op)
            if place is None:
                if self._look(at, run, op, layer):
                    return False
                continue
            for key, distance in self._slots_of(at, run, op, place):
                looked_at.setdefault(key, set()).add(place.layer + distance - layer)
        return all(len(distances | looked_at.get(key, set())) == 1 for key, distances in changed.items())

    def _slots_of(
        self, at: _Places, run: Propagation, op: Operation, place: _LayerPosition
    ) -> Sequence[tuple[Hashable, int]]:
        """What visits to ``op``, which stands there, look at, and how many layers away that is."""
        known = self._slots.get(place.key)
        if known is None:
            node = run.node(op)
            slots = () if node is None else {slot: None for action in node.actions() for slot in action.slots}
            seen = [at.of_slot(slot) for slot in slots]
            known = [(one.key, one.layer - place.layer) for one in seen if one is not None]
            self._slots[place.key] = known
        return known

    def _farthest_look(self, at: _Places, run: Propagation, layers_of_roots: Mapping[int, int]) -> int:
        """How many layers away is at most what visits to operations of layers look at, and those that they set off: by
        ``layers_of_roots``, those where episodes begin."""
        look = at.reads
        for episode, layer in layers_of_roots.items():
            for op, _ in self._visits.get(episode, ()):
                look = max(look, self._look(at, run, op, layer))
        return look

    def _look(self, at: _Places, run: Propagation, op: Operation, layer: int) -> int:
        """How many layers away from ``layer`` is at most what a visit to ``op`` looks at."""
        place = at.of(op)
        if place is None:
            node = run.node(op)
            # Functions are told of their arguments, and do nothing.
            does_nothing = op.name == "func.func" and node is not None and not any(True for _ in node.actions())
            return 0 if does_nothing else _UNKNOWN
        span = self._spans.get(place.key)
        if span is None:
            distances = [0, *(distance for _, distance in self._slots_of(at, run, op, place))]
            span = self._spans[place.key] = min(distances), max(distances)
        return max(layer - place.layer - span[0], place.layer + span[1] - layer)

    def _seen_by_wave(self, at: _Places, run: Propagation, episode: int) -> tuple[int, int] | None:
        """If the episode, which begins elsewhere, goes through the layers one after the other, and does the same in
        each before it comes to the next and nothing after: how far away it changes anything meanwhile, and how far it
        looks. Else None."""
        visits = [(op, at.of(op), number) for op, number in self._visits.get(episode, ())]
        first: dict[int, int] = {}
        for time, (_, place, _) in enumerate(visits):
            if place is not None and at.lowest <= place.layer < at.highest:
                first.setdefault(place.layer, time)
        layers = list(first)
        if sorted(layers) != list(range(at.lowest, at.highest)) or layers not in (
            sorted(layers),
            sorted(layers)[::-1],
        ):
            return None
        if any(at.is_sorted(visits[time][1]) for time in first.values()):
            # With all layers it would come to them in another order.
            return None
        reach = change = look = 0
        expected: list[Hashable] | None = None
        for layer, following in pairwise(layers):
            done: list[Hashable] = []
            for op, place, number in visits[first[layer] : first[following]]:
                if place is None:
                    return None
                reach, look = max(reach, abs(place.layer - layer)), max(look, self._look(at, run, op, layer))
                done.append((place.key, place.layer - layer))
                if number >= 0:
                    entry = self._entries[number]
                    places = self._places_of(at, entry)
                    for one in places:
                        if one is None:
                            return None
                        change = max(change, abs(one.layer - layer))
                    done.append(self._seen_from(at, layer, entry, places))
            if expected is None:
                expected = done
            elif done != expected:
                return None
        last = layers[-1]
        for _, place, number in visits[first[last] :]:
            is_alike = place is not None and at.lowest <= place.layer < at.highest
            if number >= 0 and place is not None and is_alike and abs(place.layer - last) > reach:
                return None
        return change, look

    def _places_of(self, at: _Places, entry: _Entry) -> list[_LayerPosition | None]:
        """Where it was written, or where the operation stood that was erased."""
        return [at.of_slot(one) for one in entry.slots] or [None if entry.op is None else at.of(entry.op)]

    def _seen_from(self, at: _Places, layer: int, entry: _Entry, places: list[_LayerPosition | None]) -> Hashable:
        """The change as that layer sees it: equal for the counterparts of a change in other layers."""
        op = None if entry.op is None else at.of(entry.op)
        tried = (op.key, op.layer - layer) if op is not None else None
        changes = tuple([(place.key, place.layer - layer) for place in places if place is not None])
        return tried, entry.is_first, entry.written, changes

    def _place_of_root(self, at: _Places, entry: _Entry) -> _LayerPosition | None:
        """Where the visit was that set off the change."""
        return at.of(entry.root) if entry.root is not None else at.of_slot(entry.slots[0])


class _Places:
    """Where everything stands in the program that ``run`` is about to propagate, which ``folded`` has become. ``above``
    is the layer above the splice point, and from ``lowest`` up to (excluding) ``highest`` are those that are alike, all
    of those that are there counted; visits read what is ``reads`` layers away at most.

    Raises:
        NotAlike: layers beside the splice point are not alike, or do what is not followed here.
    """

    def __init__(self, folded: Folded, run: Propagation) -> None:
        self._folded = folded
        self._main = folded.function
        if run.main is not folded.function:
            raise NotAlike
        self.sorted_series = {number for number, one in enumerate(folded.layers.series) if one.order}
        """The series whose layers are sorted by name."""
        block = self._main.body
        operations = list(block)
        parts = operations_by_layer(folded, operations)
        series, constants = len(folded.layers.series), self._constants_of_layers(parts, operations)
        for (which, layer), own in constants.items():
            parts[which, layer] = own
        relations = self._relations = LayerParts(folded, self._main, parts, (), frozenset())
        below, above = ([parts.get((one, layer), ()) for one in range(series)] for layer in (folded.below, folded.end))
        relations.shared = relations.read_by_both(below, above, folded.below)
        self._terminator = block.terminator
        self._operands_returned = list(self._terminator.operands)
        self.above = folded.folded_number(folded.end)
        self._found = {
            op: _LayerPosition(place.layer, (place.series, place.number, place.inner))
            for op, place in relations.places.items()
        }
        self._of_slots: dict[ShardingSlot, _LayerPosition | None] = {}
        self._of_arguments = self._places_of_arguments()
        self.lowest, self.highest = self._alike(series)
        self._look_at_a_layer(series)
        self._look_at_constants(series)
        self.reads = self._distance_read(series)

    def _constants_of_layers(
        self, parts: Mapping[tuple[int, int], list[Operation]], operations: list[Operation]
    ) -> dict[tuple[int, int], list[Operation]]:
        """Constants that stand elsewhere, but are used by one layer alone, in the order of what uses them. Passes give
        each use of a constant its own."""
        homes = {op: (key, number) for key, own in parts.items() for number, op in enumerate(own)}
        found: dict[tuple[int, int], list[tuple[tuple[int, int, int], Operation]]] = {}
        number = len(self._folded.layers.series)
        self.constants: list[Operation] = []
        for op in operations:
            if op in homes or not is_shared_constant(op) or len(op.results[0]._uses) != 1:
                continue
            ((user, index),) = op.results[0]._uses
            home = homes.get(user)
            if home is not None:
                (series, layer), place = home
                found.setdefault((number, layer), []).append(((series, place, index), op))
                self.constants.append(op)
        return {key: [op for _, op in sorted(own, key=lambda one: one[0])] for key, own in found.items()}

    def _places_of_arguments(self) -> list[_LayerPosition | None]:
        folded = self._folded
        found: list[_LayerPosition | None] = []
        for index, layer in enumerate(folded.layers_of_arguments):
            family = folded.arguments[index]
            if layer is None or folded.first <= layer < folded.end:
                found.append(None)
            elif family is None:
                found.append(_LayerPosition(folded.folded_number(layer), ("argument itself", index)))
            else:
                found.append(_LayerPosition(folded.folded_number(layer), ("argument", family[0])))
        return found

    def _alike(self, series: int) -> tuple[int, int]:
        """The layers around the splice point that are alike."""
        expected = self._seen_of(self.above, series)
        if expected is None or expected != self._seen_of(self.above - 1, series):
            raise NotAlike
        layers = self._folded.layers
        begin, end = self.above - 1, self.above + 1
        first, last = self._folded.folded_number(layers.first), self._folded.folded_number(layers.end)
        while begin > first and self._seen_of(begin - 1, series) == expected:
            begin -= 1
        while end < last and self._seen_of(end, series) == expected:
            end += 1
        return begin, end

    def _seen_of(self, layer: int, series: int) -> Hashable:
        """What ``layer`` is made of, what it reads and who reads it, as it sees that: the same for layers that are
        alike; None if that cannot be said."""
        relations, full = self._relations, self._folded.full_number(layer)
        found: list[Hashable] = []
        try:
            for number in range(series + 1):
                own = relations.parts.get((number, full), ())
                if number < series and not own:
                    return None
                for op in own:
                    found.append(relations.key(op, layer))
                    for result in op.results:
                        found.append(tuple([self._seen_use(use, layer) for use in result._uses]))
            for index, place in enumerate(self._of_arguments):
                if place is not None and place.layer == layer:
                    argument = self._main.body.arguments[index]
                    sharding = function_argument_sharding(self._main, index)
                    uses = tuple([self._seen_use(use, layer) for use in argument._uses])
                    found.append((place.key, argument.type, sharding, uses))
        except NotAlike:
            return None
        return tuple(found)

    def _seen_use(self, use: tuple[Operation, int], layer: int) -> Hashable:
        if use[0] is self._terminator:
            return self._relations.use_ref(use, layer), function_result_sharding(self._main, use[1])
        return self._relations.use_ref(use, layer)

    def _a_layer(self, series: int) -> Iterator[Operation]:
        full = self._folded.full_number(self.above)
        for number in range(series + 1):
            for op in self._relations.parts.get((number, full), ()):
                yield from op.operations() if op.regions else (op,)

    def _look_at_a_layer(self, series: int) -> None:
        """Raises NotAlike if what happens in a layer concerns others by ways that are not followed here."""
        for op in self._a_layer(series):
            if op.name == "func.call" or (looks_around(op) and is_from_outside(op)):
                raise NotAlike
        values: list[Value] = [result for op in self._a_layer(series) for result in op.results]
        block = self._main.body
        own = [index for index, place in enumerate(self._of_arguments) if place and place.layer == self.above]
        values += [block.arguments[index] for index in own]
        for value in values:
            # What is returned twice has two shardings to agree with, in an order that layers may not share.
            if sum(1 for user, _ in value._uses if user is self._terminator) > 1:
                raise NotAlike

    def _look_at_constants(self, series: int) -> None:
        """Raises NotAlike unless the constants of layers that stand elsewhere stand there layer by layer, upward or
        downward; those that sorted layers read may stand in any order, as these do."""
        blocks: list[tuple[int, list[Hashable]]] = []
        for op in self.constants:
            place = self._found[op]
            if self.is_sorted(self._found[next(iter(op.result._uses))[0]]):
                continue
            if not blocks or blocks[-1][0] != place.layer:
                blocks.append((place.layer, []))
            blocks[-1][1].append(place.key)
        rows: dict[tuple[Hashable, ...], list[tuple[int, int]]] = {}
        for number, (layer, keys) in enumerate(blocks):
            if self.lowest <= layer < self.highest:
                rows.setdefault(tuple(keys), []).append((number, layer))
        layers = list(range(self.lowest, self.highest))
        for row in rows.values():
            begin, found = row[0][0], [layer for _, layer in row]
            if found not in (layers, layers[::-1]) or [at for at, _ in row] != list(range(begin, begin + len(row))):
                raise NotAlike

    def _distance_read(self, series: int) -> int:
        """How many layers away what a visit reads is at most: what an operation reads, or, where that is data flow,
        what flows in there."""
        full, relations, above = self._folded.full_number(self.above), self._relations, self.above
        own = [op for number in range(series + 1) for op in relations.parts.get((number, full), ())]
        reach = max(self._folded.layers.reach, relations.farthest_read(own, above))
        flowing = [op for op in own if any(map(_is_data_flow, op.operations() if op.regions else (op,)))]
        return reach + relations.farthest_read(flowing, above)

    def sorted_operations(self) -> Iterator[Operation]:
        """The operations of the layer above the splice point that stand in series which are sorted."""
        return (op for op in self._a_layer(len(self._folded.layers.series)) if self.is_sorted(self.of(op)))

    def is_sorted(self, place: _LayerPosition | None) -> bool:
        """Whether ``place`` is that of an operation in a series which is sorted."""
        return place is not None and isinstance(place.key, tuple) and place.key[0] in self.sorted_series

    # --- where something stands ---------------------------------------------------------------------------------------

    def of(self, op: Operation) -> _LayerPosition | None:
        """Where ``op`` stands; None for what is in no layer."""
        return self._found.get(op)

    def of_slot(self, slot: ShardingSlot | None) -> _LayerPosition | None:
        """Where ``slot`` stands; None for what is in no layer."""
        if slot is None:
            return None
        if slot not in self._of_slots:
            self._of_slots[slot] = self._found_of_slot(slot)
        return self._of_slots[slot]

    def _found_of_slot(self, slot: ShardingSlot) -> _LayerPosition | None:
        if isinstance(slot, FunctionResult):
            if slot.func is not self._main:
                return None
            inner = self.of_slot(self._operands_returned[slot.number])
            return _LayerPosition(inner.layer, ("returned", inner.key)) if inner is not None else None
        if isinstance(slot, OpResult):
            if slot in self._relations.shared:
                return None
            made = self.of(slot.owner)
            return _LayerPosition(made.layer, (made.key, slot.index)) if made is not None else None
        assert isinstance(slot, BlockArgument)
        if slot.owner is self._main.body:
            return self._of_arguments[slot.index]
        owner = slot.owner.parent_op
        around = self.of(owner) if owner is not None else None
        if around is None or owner is None:
            return None
        blocks = [block for region in owner.regions for block in region.blocks]
        return _LayerPosition(around.layer, (around.key, "argument", blocks.index(slot.owner), slot.index))


def _is_data_flow(op: Operation) -> bool:
    # Calls become data flow before propagation.
    return bool(op.traits & DATA_FLOW) or op.name in ("sdy.data_flow_edge", "func.call")
