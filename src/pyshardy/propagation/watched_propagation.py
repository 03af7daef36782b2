"""A run of propagation through few layers that keeps its history: whether layers on either side of a gap have the same.

What visits change, what they set off and how far away they look is noted while the run goes on. ``alike_layers``,
right of this file, says why that is enough, and what becomes of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import pairwise
from typing import NamedTuple

from pyshardy.ir.census import census
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.rewiring import Removals
from pyshardy.propagation.actions import Action, Node
from pyshardy.propagation.directions import Directions
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.gap import Gap, Place
from pyshardy.propagation.sharding_table import Holder
from pyshardy.propagation.step import Shardings, Updates
from pyshardy.sharding.tensor import TensorSharding

_UNKNOWN = 1 << 20
"""Farther away than any layer."""


class NotKnown(Exception):
    """What happens here is not told by the histories of layers."""


class _Entry(NamedTuple):
    """A change: of which fixed point, set off by a visit to which operation (None: to no operation, where the function
    returns), what was tried where, which holders were ``written`` and what; for none ``op`` was erased. All that one
    visit sets off is of one ``episode``."""

    fixed_point: int
    episode: int
    root: Operation | None
    op: Operation | None
    is_first: bool
    holders: tuple[Holder | None, ...]
    written: tuple[TensorSharding, ...]


class WatchedPropagation(Propagation):
    """Propagation through what is left of a program without the layers of ``gap``, which keeps its history."""

    def __init__(
        self, module: Operation, context: Context, gap: Gap, removals: Removals, *, conservative: bool
    ) -> None:
        operations = gap.without_left_out(census(module, context).operations[1:])
        super().__init__(module, context, conservative=conservative, operations=operations)
        self._gap = gap
        self._removals = removals
        self._entries: list[_Entry] = []
        self._visits: dict[int, list[tuple[Operation, int]]] = {}
        """What was visited or erased in each episode, and the number of the entry if that changed something, or -1."""
        self._spans: dict[Hashable, tuple[int, int]] = {}
        """How many layers below and above its own is what a visit to an operation looks at, by its place in a layer."""
        self.distance = 0
        """How far from the gap layers must have the same history, once that is known."""
        self.is_known = False
        """Whether the layers that were left out become what those beside them have become."""
        self._fixed_point = 0
        self._episode = 0
        self._root: Operation | None = None
        self._is_set_off = False

    def run(self, strategy: str, priority: int) -> None:
        """One fixed point, with a number."""
        super().run(strategy, priority)
        self._fixed_point += 1

    def _visit_listed(self, priority: int) -> None:
        self._is_set_off = True
        super()._visit_listed(priority)
        self._is_set_off = False

    def _begin_episode(self, root: Operation) -> None:
        self._root = root
        self._episode += 1

    def _visit(self, node: Node, priority: int) -> None:
        before = len(self._entries)
        super()._visit(node, priority)
        if self._is_set_off:
            changed = before if len(self._entries) > before else -1
            self._visits.setdefault(self._episode, []).append((node.op, changed))

    def _change(
        self, node: Node, action: Action, directions: Directions, shardings: Shardings, updates: Updates
    ) -> None:
        if not self._is_set_off:
            self._begin_episode(node.op)
        self._enter_change(self._root, node.op, action is node, action, updates)
        super()._change(node, action, directions, shardings, updates)

    def _agree(self, action: Action, updates: Updates) -> None:
        self._enter_change(None, None, True, action, updates)
        super()._agree(action, updates)

    def _enter_change(
        self, root: Operation | None, op: Operation | None, is_first: bool, action: Action, updates: Updates
    ) -> None:
        holders, written = tuple([action.holders[number] for number, _ in updates]), tuple([new for _, new in updates])
        episode = self._episode if root is not None else 0
        self._entries.append(_Entry(self._fixed_point, episode, root, op, is_first, holders, written))

    def _returned_actions(self) -> list[Action]:
        # Those of the layers that are left out are none of this run's business.
        gap = self._gap
        return [one for one in super()._returned_actions() if not gap.is_holder_left_out(one.holders[0])]

    def _erase(self, op: Operation) -> None:
        if not self._is_set_off:
            self._begin_episode(op)
        before = len(self._entries)
        super()._erase(op)
        if self._is_set_off:
            self._visits.setdefault(self._episode, []).append((op, before))

    def erase_dead(self, dead: list[Operation]) -> None:
        """Those that are left out go when it is known that they do."""
        self._root = None
        super().erase_dead([op for op in dead if not self._gap.is_left_out(op)])

    def _operations_left(self) -> list[Operation]:
        return [op for op in self.survey.operations if op not in self._erased]

    def _remove(self, op: Operation) -> None:
        if op.parent_op is not self.main and self._gap.place(op) is not None:
            raise NotKnown
        self._entries.append(_Entry(self._fixed_point, self._episode, self._root or op, op, False, (), ()))
        self._removals.add(op)

    # --- the histories ------------------------------------------------------------------------------------------------

    def are_layers_alike(self) -> bool:
        """Whether the layers on either side of the gap have the same history, as far as that matters."""
        gap = self._gap
        told = [(entry, self._place_of_root(entry), self._places_of(entry)) for entry in self._entries]
        waves: set[int] = set()
        layers_of_roots: dict[int, int] = {}
        change = 0
        for entry, root, places in told:
            if root is not None and gap.lowest <= root.layer < gap.highest:
                layers_of_roots[entry.episode] = root.layer
                for place in places:
                    if place is not None and place.layer != root.layer:
                        change = max(change, abs(place.layer - root.layer))
            elif entry.episode and any(place and gap.lowest < place.layer < gap.highest - 1 for place in places):
                # It goes deeper than to the layers at the edge.
                waves.add(entry.episode)
        look = self._farthest_look(layers_of_roots)
        for episode in waves:
            seen = self._seen_by_wave(episode)
            if seen is None:
                return False
            change, look = max(change, seen[0]), max(look, seen[1])
        if look >= _UNKNOWN or any(not entry.holders for entry in self._entries):
            # Operations that are erased, say, are no longer read by others.
            look = change + 2 * gap.reads
        self.distance = look + change
        begin, end = gap.above - self.distance - 1, gap.above + self.distance
        if begin < gap.lowest or end > gap.highest:
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
                histories[root.layer].append((entry.fixed_point, root.key, self._seen_from(root.layer, entry, places)))
        expected = histories[begin]
        return all(history == expected for history in histories.values())

    def _farthest_look(self, layers_of_roots: Mapping[int, int]) -> int:
        """How many layers away is at most what visits to operations of layers look at, and those that they set off: by
        ``layers_of_roots``, those where episodes begin."""
        look = self._gap.reads
        for episode, layer in layers_of_roots.items():
            for op, _ in self._visits.get(episode, ()):
                look = max(look, self._look(op, layer))
        return look

    def _look(self, op: Operation, layer: int) -> int:
        """How many layers away from ``layer`` is at most what a visit to ``op`` looks at."""
        place = self._gap.place(op)
        if place is None:
            return _UNKNOWN
        span = self._spans.get(place.key)
        if span is None:
            node, layers = self._nodes.get(op), [place.layer]
            for action in node.actions() if node is not None else ():
                seen = [self._gap.place_of_holder(holder) for holder in action.holders]
                layers += [one.layer for one in seen if one is not None]
            span = self._spans[place.key] = min(layers) - place.layer, max(layers) - place.layer
        return max(layer - place.layer - span[0], place.layer + span[1] - layer)

    def _seen_by_wave(self, episode: int) -> tuple[int, int] | None:
        """If the episode, which begins elsewhere, goes through the layers one after the other, and does the same in
        each before it comes to the next and nothing after: how far away it changes anything meanwhile, and how far it
        looks. Else None."""
        gap = self._gap
        visits = [(op, gap.place(op), number) for op, number in self._visits.get(episode, ())]
        first: dict[int, int] = {}
        for time, (_, place, _) in enumerate(visits):
            if place is not None and gap.is_alike(place):
                first.setdefault(place.layer, time)
        layers = list(first)
        if sorted(layers) != list(range(gap.lowest, gap.highest)) or layers not in (
            sorted(layers),
            sorted(layers)[::-1],
        ):
            return None
        reach = change = look = 0
        expected: list[Hashable] | None = None
        for layer, following in pairwise(layers):
            done: list[Hashable] = []
            for op, place, number in visits[first[layer] : first[following]]:
                if place is None:
                    return None
                reach, look = max(reach, abs(place.layer - layer)), max(look, self._look(op, layer))
                done.append((place.key, place.layer - layer))
                if number >= 0:
                    entry = self._entries[number]
                    places = self._places_of(entry)
                    for one in places:
                        if one is None:
                            return None
                        change = max(change, abs(one.layer - layer))
                    done.append(self._seen_from(layer, entry, places))
            if expected is None:
                expected = done
            elif done != expected:
                return None
        last = layers[-1]
        for _, place, number in visits[first[last] :]:
            if number >= 0 and place is not None and gap.is_alike(place) and abs(place.layer - last) > reach:
                return None
        return change, look

    def _places_of(self, entry: _Entry) -> list[Place | None]:
        """Where it was written, or where the operation stood that was erased."""
        place_of = self._gap.place_of_holder
        return [place_of(one) for one in entry.holders] or [self._place_of_op(entry)]

    def _seen_from(self, layer: int, entry: _Entry, places: list[Place | None]) -> Hashable:
        """The change as that layer sees it: the same for layers that are to their changes what others are to theirs."""
        op = self._place_of_op(entry)
        tried = (op.key, op.layer - layer) if op is not None else None
        changes = tuple([(place.key, place.layer - layer) for place in places if place is not None])
        return tried, entry.is_first, entry.written, changes

    def _place_of_root(self, entry: _Entry) -> Place | None:
        """Where the visit was that set off the change."""
        return self._gap.place(entry.root) if entry.root is not None else self._gap.place_of_holder(entry.holders[0])

    def _place_of_op(self, entry: _Entry) -> Place | None:
        return self._gap.place(entry.op) if entry.op is not None else None
