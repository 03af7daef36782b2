"""Propagation through few of many layers that are alike; the others get what these got.

Layers are left out of the midst of those that are alike (``repetition``), those on either side are joined, and the
program that is left is propagated as any other, with an eye on who changes what. That this is what the whole program
would come to is known before anything is written:

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
anything: what is looked at is what it was at first and what visits so near have made of it. Few layers are left at
first, as many as that usually takes; if it takes more, more. Where the histories do not agree, or anything happens that
they do not tell of (a diagnostic, say), nothing was written, and all layers are gone through. Left of this file are
``gap`` and ``fixed_point``; the propagate passes stand right of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import pairwise
from typing import NamedTuple

from pyshardy.dialects.main_function import find_main_function
from pyshardy.ir import shortcuts
from pyshardy.ir.census import census
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.layers_to_come import LayersToCome
from pyshardy.ir.opdef import DATA_FLOW
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.rewiring import Removals
from pyshardy.propagation.actions import Action, Node
from pyshardy.propagation.directions import Directions
from pyshardy.propagation.fixed_point import Propagation
from pyshardy.propagation.gap import Gap, Place
from pyshardy.propagation.journal import journal_of
from pyshardy.propagation.repeats import FEWEST_REPEATS
from pyshardy.propagation.repetition import Repetition
from pyshardy.propagation.sharding_table import Holder
from pyshardy.propagation.step import Shardings, Updates
from pyshardy.sharding.tensor import TensorSharding

_FEWEST_OPERATIONS = 500
"""In smaller programs there is nothing to gain."""
_UNKNOWN = 1 << 20
"""Farther away than any layer."""
_USUAL_CHANGE = 1
"""It is tried as if visits looked no farther than operations read, and changed nothing but in their own layer and those
beside it, as is usual."""


class _NotKnown(Exception):
    """What happens here is not told by the histories of layers."""


def propagated_by_few_layers(
    module: Operation,
    context: Context,
    propagate: Callable[[Propagation], None],
    *,
    conservative: bool,
    keep_sharding_rules: bool,
) -> bool:
    """Whether ``module`` could be propagated by few of its layers, which is done then: as if ``propagate`` had been
    given a run over the whole of it, and the run been finished. Otherwise nothing has changed. Where layers are to
    come, few of them are there already: whether what was done holds for those, too."""
    main, to_come = find_main_function(module), context.layers_to_come
    if not shortcuts.taken() or main is None or len(main.regions[0].blocks) != 1 or journal_of(context) is not None:
        return False
    found = census(module, context)
    if found.has("sdy.sharding_group") or (len(found.operations) < _FEWEST_OPERATIONS and to_come is None):
        return False
    fewest = FEWEST_REPEATS if to_come is None else to_come.fewest
    repetition = Repetition(main, fewest, constants=to_come is not None)
    if to_come is not None and not _are_joined(repetition, to_come):
        return False
    reads = distance_read(repetition)
    distance = reads + _USUAL_CHANGE
    while True:
        gap = Gap(repetition, reads, None if to_come is not None else distance)
        run = _propagated_around(gap, module, context, propagate, conservative, keep_sharding_rules)
        if run is None or run.is_known:
            return run is not None
        if to_come is not None:
            to_come.beside = run.distance + 1
        if to_come is not None or run.distance <= distance:
            return False
        distance = run.distance


def _propagated_around(
    gap: Gap,
    module: Operation,
    context: Context,
    propagate: Callable[[Propagation], None],
    conservative: bool,
    keep_sharding_rules: bool,
) -> _WatchedPropagation | None:
    """A run over ``module`` without the layers of ``gap``, which are given what it says if that is known; None if there
    can be none. Where they are not given anything, nothing has changed."""
    rewiring = gap.rewiring()
    if rewiring is None or not gap.is_known_what_layers_do() or not gap.are_constants_in_order():
        return None
    # Whatever is said is said again when all layers are gone through.
    quiet = context.like()
    quiet.censuses, quiet.chlo_rules = context.censuses, context.chlo_rules
    removals = Removals()
    rewiring.exchange()
    run = None
    try:
        run = _WatchedPropagation(module, quiet, gap, removals, conservative=conservative)
        propagate(run)
        run.is_known = not quiet.diagnostics and run.are_layers_alike()
        if run.is_known:
            run.finish(keep_sharding_rules=keep_sharding_rules)
    except (PassFailure, PyshardyError, _NotKnown):
        return None
    finally:
        removals.undo()
        rewiring.exchange()
    if run.is_known:
        gap.fill()
        gap.erase(removals.operations)
    return run


def _are_joined(repetition: Repetition, to_come: LayersToCome) -> bool:
    """Whether the layers where others are to come are among those of ``repetition`` that are alike: in each series what
    stands below is to its layer what stands above is to the next one."""
    numbers = repetition.numbers
    for pairs in to_come.pairs:
        left = next(((numbers[one], other) for one, other in pairs if one in numbers and other in numbers), None)
        layer = None if left is None else repetition.layer(left[0])
        if left is None or layer is None or repetition.moved(left[0], 1) is not left[1]:
            return False
        if not repetition.first <= layer < repetition.end - 1:
            return False
    return True


def distance_read(repetition: Repetition) -> int:
    """How many layers away what a visit reads is at most: what an operation reads, or, where that is data flow, what
    flows in there."""
    layer, through = (repetition.first + repetition.end) // 2, 0
    for op in repetition.operations_of(layer):
        nested = op.operations() if op.regions else [op]
        if any(map(_is_data_flow, nested)):
            read = [repetition.layer_of(value) for one in nested for value in one.operands]
            through = max([through, *(abs(other - layer) for other in read if other is not None)])
    return repetition.reach + through


def layers_beside(repetition: Repetition) -> int:
    """How many layers must stand on either side of those that are put in later, as a rule."""
    return distance_read(repetition) + _USUAL_CHANGE + 1


def _is_data_flow(op: Operation) -> bool:
    # Calls become data flow before propagation.
    return bool(op.traits & DATA_FLOW) or op.name in ("sdy.data_flow_edge", "func.call")


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


class _WatchedPropagation(Propagation):
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
            raise _NotKnown
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
