"""Searches for the cheapest sequence of collectives from one layout to another: A* on layouts of atoms.

Two facts keep the search small. Each device must receive all elements of its target shard that it does not hold, which
is a lower bound for the rest of any sequence. And a permute followed by a gather receives the target shard exactly
once, so a sequence needs at most one permute, after moves between dimensions and before gathers. So a permute is tried
only together with all steps that follow it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import chain, combinations, combinations_with_replacement, count, islice, permutations, product
from math import gcd, prod
from typing import NamedTuple

from pyshardy.resharding.axis_atoms import AtomLayout

_MOST_MOVES = 1000
"""How many moves are tried before the search gives up."""
_MOST_MOVES_AT_ONCE = 4000
"""How many moves are tried from one layout: a tensor split along many dimensions has millions."""
_MANY_ATOMS = 10

_Numbers = tuple[int, ...]


class LayoutMove(NamedTuple):
    """One collective on atoms. ``lists`` has the atoms of each dimension for a gather, slice or scatter, those of each
    part for an all-to-all, which goes from and to the dimensions in ``ends``, and one list for an all-reduce.
    ``layout`` and ``unreduced`` describe the tensor afterwards."""

    name: str
    lists: tuple[_Numbers, ...]
    layout: AtomLayout
    unreduced: _Numbers
    ends: tuple[tuple[int, int], ...] = ()


class SequencePrice(NamedTuple):
    """The cost of a sequence: elements that a device receives (times a scale that makes them integers), the number of
    collectives that move data, and of all operations. Compared in this order."""

    received: int
    collectives: int
    operations: int


class _Node(NamedTuple):
    """A layout reached by ``moves``, and their price; ``is_end`` if nothing is left to do."""

    price: SequencePrice
    layout: AtomLayout
    unreduced: _Numbers
    moves: tuple[LayoutMove, ...]
    is_end: bool = False


_Part = tuple[int, int, _Numbers]
"""A part of an all-to-all: from which dimension, to which one, which atoms."""

_Key = tuple[AtomLayout, _Numbers, str]


class LayoutSearch:
    """A search from ``source``, unreduced over the atoms ``unreduced``, to ``target``, which is reduced.

    ``sizes`` are those of the atoms. The tensor stays unreduced over the atoms ``kept``: nothing is split along them.
    With ``must_permute`` the sequence has to contain a permute; each permute costs ``permute_surcharge`` elements more.
    Elements are multiplied by ``scale``, so that all prices are integers: a multiple of the square of the number of
    devices.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        source: AtomLayout,
        target: AtomLayout,
        unreduced: _Numbers,
        shape: Sequence[int],
        *,
        scale: int,
        must_permute: bool,
        kept: _Numbers = (),
        permute_surcharge: int = 0,
    ) -> None:
        self._sizes = sizes
        self._counts: dict[_Numbers, int] = {}
        self._last_moves: list[tuple[AtomLayout, _Part]] | None = None
        self._source = source
        self._target = target
        self._unreduced = unreduced
        self._shape = [max(size, 1) for size in shape]
        self._must_permute = must_permute
        self._permute_surcharge = permute_surcharge
        shards = prod(sizes)
        self._is_even = len(set(sizes)) < 2 and all(size % shards == 0 for size in self._shape)
        self._has_trivial_atoms = 1 in sizes
        self._splitting_target = self._without_trivial_atoms(target)
        self._dims = range(len(shape))
        self._wanted = tuple(chain.from_iterable(target))
        self._usable = [atom for atom in range(len(sizes)) if atom not in kept]
        self._target_counts = [self._count(atoms) for atoms in target]
        self._scale = scale
        self._target_share = prod(self._shape) * scale // prod(self._target_counts)

    def lower_bound(self) -> int:
        """A lower bound of the elements received by any sequence."""
        return self._lower_bound(self._source, self._unreduced)

    def run(self, bound: SequencePrice) -> tuple[LayoutMove, ...] | None:
        """The cheapest sequence, or the cheapest one found before the search gives up, if it is cheaper than ``bound``;
        otherwise None."""
        start = _Node(SequencePrice(0, 0, 0), self._source, self._unreduced, ())
        numbers = count()
        queue = [(self._estimate(start), next(numbers), start)]
        seen: dict[_Key, SequencePrice] = {}
        found: tuple[LayoutMove, ...] | None = None
        tried = 0
        most_at_once = _MOST_MOVES_AT_ONCE if len(self._sizes) < _MANY_ATOMS else _MOST_MOVES
        while queue and tried < _MOST_MOVES:
            estimate, _, node = heappop(queue)
            if estimate >= bound:
                break
            if seen.get(_key(node), node.price) < node.price:
                continue
            for successor in islice(self._successors(node), most_at_once):
                tried += 1
                estimate = self._estimate(successor)
                if estimate >= bound:
                    continue
                if self._is_end(successor):
                    bound, found = successor.price, successor.moves
                    continue
                key = _key(successor)
                if key not in seen or successor.price < seen[key]:
                    seen[key] = successor.price
                    heappush(queue, (estimate, next(numbers), successor))
        return found

    def _is_end(self, node: _Node) -> bool:
        return node.is_end or (not self._must_permute and not node.unreduced and node.layout == self._target)

    # --- prices -------------------------------------------------------------------------------------------------------

    def _count(self, atoms: _Numbers) -> int:
        found = self._counts.get(atoms)
        if found is None:
            found = self._counts[atoms] = prod(self._sizes[atom] for atom in atoms)
        return found

    def _local(self, layout: AtomLayout) -> int:
        elements = 1
        for size, atoms in zip(self._shape, layout, strict=True):
            elements *= -(-size // self._count(atoms))
        return elements

    def _received(self, move: LayoutMove, operand: int) -> int:
        if move.name == "collective_permute":
            return (operand + self._permute_surcharge) * self._scale
        elements = self._local(move.layout) if move.name == "all_gather" else operand
        group = prod(map(self._count, move.lists))
        times = 2 if move.name == "all_reduce" else 1
        return times * elements * (group - 1) * (self._scale // group)

    def _with(self, node: _Node, move: LayoutMove, operand: int | None = None) -> _Node:
        """``node``, in which a device holds ``operand`` elements, after another move. Consecutive slices count as
        one."""
        price = node.price
        is_slice = move.name == "all_slice"
        joins = is_slice and node.moves[-1:] != () and node.moves[-1].name == "all_slice"
        received = 0
        if not is_slice:
            received = self._received(move, self._local(node.layout) if operand is None else operand)
        price = SequencePrice(
            price.received + received, price.collectives + (not is_slice), price.operations + (not joins)
        )
        return _Node(price, move.layout, move.unreduced, (*node.moves, move))

    def _estimate(self, node: _Node) -> SequencePrice:
        if node.is_end:
            return node.price
        rest = self._lower_bound(node.layout, node.unreduced)
        ahead = int(rest > 0)
        return SequencePrice(node.price.received + rest, node.price.collectives + ahead, node.price.operations + ahead)

    def _lower_bound(self, layout: AtomLayout, unreduced: _Numbers) -> int:
        """A lower bound of the elements still to receive: some device's shard of the target without the part of it that
        the device holds."""
        if unreduced or self._must_permute:
            return self._target_share
        if self._has_trivial_atoms:
            layout = self._without_trivial_atoms(layout)
        parts = 1
        for atoms, wanted in zip(layout, self._splitting_target, strict=True):
            common = min(len(atoms), len(wanted))
            if atoms[:common] != wanted[:common]:
                return self._target_share
            if len(atoms) > common:
                parts *= self._count(atoms[common:])
        return self._target_share * (parts - 1) // parts

    def _without_trivial_atoms(self, layout: AtomLayout) -> AtomLayout:
        return tuple(tuple(atom for atom in atoms if self._sizes[atom] > 1) for atoms in layout)

    # --- moves --------------------------------------------------------------------------------------------------------

    def _successors(self, node: _Node) -> Iterator[_Node]:
        """The nodes after one more move from ``node``, or at the end of a complete sequence."""
        placed = self._sliced_in_place(node)
        if placed is not None:
            yield placed
            if self._is_even:
                # The slice costs nothing, makes all later steps cheaper, and excludes none of them.
                return
        if not node.unreduced:
            yield from self._completions(node)
        moves = (self._slices(node), self._moves_between(node), self._gathers(node), self._reductions(node))
        operand = self._local(node.layout)
        for move in chain.from_iterable(moves):
            yield self._with(node, move, operand)

    def _missing(self, node: _Node) -> list[int]:
        held = {*chain.from_iterable(node.layout), *node.unreduced}
        return [atom for atom in self._wanted if atom not in held]

    def _sliced_in_place(self, node: _Node) -> _Node | None:
        """``node`` after a slice by all the atoms that can be added at their target positions at once."""
        missing = set(self._missing(node))
        lists: list[_Numbers] = []
        for atoms, wanted in zip(node.layout, self._target, strict=True):
            end = start = len(atoms)
            if wanted[:start] == atoms:
                while end < len(wanted) and wanted[end] in missing:
                    end += 1
            lists.append(wanted[start:end])
        if not any(lists):
            return None
        layout = _appended(node.layout, lists)
        return self._with(node, LayoutMove("all_slice", tuple(lists), layout, node.unreduced))

    def _slices(self, node: _Node) -> Iterator[LayoutMove]:
        held = {*chain.from_iterable(node.layout), *node.unreduced}
        # Atoms of one size that are not in the target are interchangeable.
        spare = {self._sizes[atom]: atom for atom in self._usable if atom not in held and atom not in self._wanted}
        for atom in (*self._missing(node), *spare.values()):
            for dim in self._dims:
                lists = _only_in_dim(dim, (atom,), len(self._dims))
                yield LayoutMove("all_slice", lists, _appended(node.layout, lists), node.unreduced)

    def _moves_between(self, node: _Node) -> Iterator[LayoutMove]:
        parts = [
            (source, target, atoms[start:])
            for source, atoms in enumerate(node.layout)
            for start in range(len(atoms))
            for target in self._dims
            if target != source
        ]
        for part in parts:
            yield _all_to_all(node, (part,))
        for one, other in combinations(parts, 2):
            if one[0] != other[0] and one[1] != other[1] and one[0] != other[1] and one[1] != other[0]:
                yield _all_to_all(node, (one, other))

    def _gathers(self, node: _Node) -> Iterator[LayoutMove]:
        if node.moves and node.moves[-1].name == "all_gather":
            return
        for starts in product(*(range(len(atoms), -1, -1) for atoms in node.layout)):
            lists = tuple(atoms[start:] for atoms, start in zip(node.layout, starts, strict=True))
            if any(lists):
                layout = tuple(atoms[:start] for atoms, start in zip(node.layout, starts, strict=True))
                yield LayoutMove("all_gather", lists, layout, node.unreduced)

    def _reductions(self, node: _Node) -> Iterator[LayoutMove]:
        """All-reduces over subsets of the unreduced atoms, and reduce-scatters of them to any dimensions."""
        for size in range(1, len(node.unreduced) + 1):
            for order in permutations(node.unreduced, size):
                left = tuple(atom for atom in node.unreduced if atom not in order)
                if list(order) == sorted(order):
                    yield LayoutMove("all_reduce", (order,), node.layout, left)
                for dims in combinations_with_replacement(self._dims, size):
                    lists = tuple(
                        tuple(atom for atom, there in zip(order, dims, strict=True) if there == dim)
                        for dim in self._dims
                    )
                    yield LayoutMove("reduce_scatter", lists, _appended(node.layout, lists), left)

    # --- endings ------------------------------------------------------------------------------------------------------

    def _completions(self, node: _Node) -> Iterator[_Node]:
        """The complete sequences from ``node`` that contain a permute: dimensions with too few shards are sliced before
        it, those with too many are gathered after it."""
        yield from self._permuted(node, self._target)
        if not self._is_even:
            # If sizes differ, a permute may first have to reorder axes, so that an all-to-all can move some of them.
            for layout, part in self._before_last_move:
                yield from self._permuted(node, layout, part)

    @property
    def _before_last_move(self) -> list[tuple[AtomLayout, _Part]]:
        """The layouts from which one all-to-all leads to the target, and what it moves."""
        if self._last_moves is None:
            self._last_moves = self._found_last_moves()
        return self._last_moves

    def _found_last_moves(self) -> list[tuple[AtomLayout, _Part]]:
        found: list[tuple[AtomLayout, _Part]] = []
        for target, source in product(self._dims, self._dims):
            for start in range(len(self._target[target]) if target != source else 0):
                moved = self._target[target][start:]
                dims = list(self._target)
                dims[target] = dims[target][:start]
                dims[source] = dims[source] + moved
                found.append((tuple(dims), (source, target, moved)))
        return found

    def _permuted(self, node: _Node, layout: AtomLayout, last: _Part | None = None) -> Iterator[_Node]:
        """The sequence from ``node`` by a permute to ``layout``, and possibly by a ``last`` all-to-all, to the
        target."""
        there = [self._count(atoms) for atoms in node.layout]
        wanted = [self._count(atoms) for atoms in layout]
        lacking = [shards // gcd(shards, now) for shards, now in zip(wanted, there, strict=True)]
        if any(factor > 1 for factor in lacking):
            held = set(chain.from_iterable(node.layout))
            lists = _filled(lacking, [atom for atom in self._usable if atom not in held], self._sizes)
            if lists is not None:
                node = self._with(node, LayoutMove("all_slice", tuple(lists), _appended(node.layout, lists), ()))
                there = [now * factor for now, factor in zip(there, lacking, strict=True)]
            elif last is None:
                layout = self._prefixes(layout, lacking, there)
                wanted = [self._count(atoms) for atoms in layout]
        if any(now % shards for now, shards in zip(there, wanted, strict=True)):
            return
        room = [now // shards for now, shards in zip(there, wanted, strict=True)]
        extra = _filled(room, [atom for atom in self._usable if atom not in self._wanted], self._sizes)
        if extra is None or (last is not None and extra[last[1]]):
            return
        moved = _only_in_dim(last[0], last[2], len(layout)) if last is not None else [()] * len(layout)
        layout = tuple(atoms[: len(atoms) - len(part)] for atoms, part in zip(layout, moved, strict=True))
        between = _appended(_appended(layout, extra), moved)
        end = self._with(node, LayoutMove("collective_permute", (), between, ()))
        if last is not None:
            end = self._with(end, _all_to_all(end, (last,)))
            layout = self._target
        if any(extra):
            end = self._with(end, LayoutMove("all_gather", tuple(extra), layout, ()))
        rest = tuple(atoms[len(now) :] for atoms, now in zip(self._target, end.layout, strict=True))
        if any(rest):
            end = self._with(end, LayoutMove("all_slice", rest, self._target, ()))
        yield end._replace(is_end=True)

    def _prefixes(self, layout: AtomLayout, lacking: Sequence[int], there: Sequence[int]) -> AtomLayout:
        """``layout`` without atoms that cannot be sliced before a permute, so that they are sliced after it."""
        return tuple(
            atoms if factor == 1 else _prefix_of_size(atoms, now, self._sizes)
            for atoms, factor, now in zip(layout, lacking, there, strict=True)
        )


def _key(node: _Node) -> _Key:
    last = node.moves[-1].name if node.moves else ""
    return (node.layout, node.unreduced, last)


def _appended(layout: AtomLayout, lists: Sequence[_Numbers]) -> AtomLayout:
    return tuple(atoms + more for atoms, more in zip(layout, lists, strict=True))


def _only_in_dim(dim: int, atoms: _Numbers, rank: int) -> tuple[_Numbers, ...]:
    return tuple(atoms if one == dim else () for one in range(rank))


def _all_to_all(node: _Node, parts: Sequence[_Part]) -> LayoutMove:
    dims = list(node.layout)
    for source, target, atoms in parts:
        dims[source] = dims[source][: -len(atoms)]
        dims[target] = dims[target] + atoms
    lists = tuple(atoms for _, _, atoms in parts)
    ends = tuple((source, target) for source, target, _ in parts)
    return LayoutMove("all_to_all", lists, tuple(dims), node.unreduced, ends)


def _prefix_of_size(atoms: _Numbers, shards: int, sizes: Sequence[int]) -> _Numbers:
    """The first of ``atoms`` that split into ``shards``; all of them if no prefix does."""
    split = 1
    for length, atom in enumerate(atoms):
        if split == shards:
            return atoms[:length]
        split *= sizes[atom]
    return atoms


def _filled(room: Sequence[int], atoms: Sequence[int], sizes: Sequence[int]) -> list[_Numbers] | None:
    """For each dimension atoms that split it into exactly as many shards as there is ``room`` for; None if there are
    none."""
    if not room:
        return []
    first, *others = room
    if first == 1:
        rest = _filled(others, atoms, sizes)
        return None if rest is None else [(), *rest]
    # Atoms of one size are interchangeable: if the first one leads to no solution, no other one does.
    tried = {1}
    for index, atom in enumerate(atoms):
        if sizes[atom] not in tried and first % sizes[atom] == 0:
            tried.add(sizes[atom])
            left = [*atoms[:index], *atoms[index + 1 :]]
            rest = _filled([first // sizes[atom], *others], left, sizes)
            if rest is not None:
                return [(atom, *rest[0]), *rest[1:]]
    return None
