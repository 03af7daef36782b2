"""The space of strategies: the dimension classes that an axis can shard, and the shardings of arguments and results by
a strategy.

An axis, or several that are used as one, shards a set of dimension classes without conflicts, so that no tensor needs
the axis for two dimensions. The maximal sets without conflicts are the known kinds of parallelism: the batch is data
parallelism; heads, hidden features and the vocabulary are Megatron's. In addition there is *storage*: parameters, or
only their moments, are sharded between steps along axes that shard other dimensions in the computation (FSDP, ZeRO).
Strategies are built from these sets, storage, and exceptions for single families.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice, pairwise
from typing import NamedTuple

from pyshardy.ir.types import IntegerType
from pyshardy.reading.tensors import main_of
from pyshardy.searching.class_names import class_names
from pyshardy.searching.dimension_classes import DimensionClasses
from pyshardy.searching.families import INPUT, MOMENT, RESULT, WEIGHT, Families, Family, Parameter
from pyshardy.searching.layouts import LATER, BoundarySpecs, InnerSharding, Key, Spec, divides, plain_axes, without_axes
from pyshardy.searching.short_program import ShortProgram
from pyshardy.sharding.mesh import Mesh

ALL, MOMENTS, ALL_WITH_SMALL, MOMENTS_WITH_SMALL = "all", "moments", "all with small", "moments with small"
"""The kinds of storage: of parameters with their moments (ZeRO-3, FSDP), or of moments only (ZeRO-1); each with or
without small ones, such as scales and biases."""
WITH_SMALL = {ALL: ALL_WITH_SMALL, MOMENTS: MOMENTS_WITH_SMALL, ALL_WITH_SMALL: ALL, MOMENTS_WITH_SMALL: MOMENTS}
"""For each kind of storage the other one of the two that differ in small parameters alone."""

AxisGroup = tuple[str, ...]
"""Neighbouring axes of a mesh that are used as one."""

_MOST_SETS = 12
_MOST_LOOKED_AT = 4096
"""The number of sets that are enumerated at most: it grows exponentially if layers are not related to each other."""
_SMALL = 1e-4
"""Families with a smaller fraction of all bytes are small: storing them takes lines, and rarely gains anything."""


class Strategy(NamedTuple):
    """``mesh`` by names and sizes; which dimension classes each group of axes shards (``sets``); along which groups
    parameters are stored, and what of them (``storage``); families with other shardings (``exceptions``), by number;
    and shardings of tensors inside of the program (``inner``)."""

    mesh: tuple[tuple[str, int], ...]
    sets: tuple[tuple[AxisGroup, tuple[int, ...]], ...]
    storage: tuple[tuple[AxisGroup, str], ...] = ()
    exceptions: tuple[tuple[int, Spec], ...] = ()
    inner: tuple[InnerSharding, ...] = ()

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of the axes."""
        return dict(self.mesh)


class Layouts(NamedTuple):
    """The shardings of a strategy: the spec of each family, and those of tensors inside. Strategies with equal layouts
    are evaluated once."""

    mesh: tuple[tuple[str, int], ...]
    specs: tuple[Spec, ...]
    inner: tuple[InnerSharding, ...]


class Space:
    """The strategies for the program that ``short`` is a copy of, in which the arguments and results ``kept`` keep
    their shardings."""

    def __init__(self, short: ShortProgram, kept: frozenset[Key] = frozenset()) -> None:
        self.short = short
        self._kept = kept
        self.classes = DimensionClasses(short.module.op, main_of(short.module))
        self.families = Families(short, self.classes)
        self.listed: Sequence[Family] = self.families.listed
        self.parameters: Sequence[Parameter] = self.families.parameters
        boundary = {one for family in self.listed for one in family.classes}
        self._conflicts = {
            (one, other) for one, other in self.classes.conflicts() if one in boundary and other in boundary
        }
        self.total_bytes = sum(family.bytes for family in self.listed if family.arguments)
        self._volume = self._volumes()
        self.candidates = [one for one in sorted(boundary) if self._is_candidate(one)]
        self._sets: dict[int, list[tuple[int, ...]]] = {}

    def _volumes(self) -> dict[int, int]:
        """For each class the number of elements of all tensors that have it."""
        found: dict[int, int] = {}
        for classes, size in self.classes.tensors().items():
            for one in set(classes):
                found[one] = found.get(one, 0) + size
        return found

    def _is_candidate(self, one: int) -> bool:
        return self.classes.size(one) > 1 and not self.classes.is_sliced(one)

    def volume(self, one: int) -> int:
        """The number of elements of all tensors that have class ``one``."""
        return self._volume.get(one, 0)

    def are_in_conflict(self, one: int, other: int) -> bool:
        """Whether one tensor has both classes."""
        return (min(one, other), max(one, other)) in self._conflicts

    # --- sets of classes for an axis ----------------------------------------------------------------------------------

    @cached_property
    def batch(self) -> tuple[int, ...]:
        """The classes of the batch: the first dimensions of inputs that are no parameters."""
        inputs = [one for one in self.listed if one.role == INPUT and one.shape]
        whole = [one for one in inputs if isinstance(one.type.element, IntegerType)] or inputs
        # If a loop takes slices of the first dimension, it is that of microbatches, and the batch is the next one.
        able = [[each for each in one.classes if each in self.candidates] for one in whole]
        found = [classes[0] for classes in able if classes]
        if not found and self.candidates:
            firsts = [one.classes[0] for one in self.listed if one.shape and one.classes[0] in self.candidates]
            given_back = [one.classes[0] for one in self.listed if one.role == RESULT and one.shape]
            kept = [one for one in firsts if one in given_back] or firsts
            found = [max(kept, key=self.volume)] if kept else []
        return tuple(dict.fromkeys(found))

    def sets(self, size: int) -> list[tuple[int, ...]]:
        """The maximal sets of classes without conflicts, for an axis of ``size``; those with the most elements
        first."""
        found = self._sets.get(size)
        if found is None:
            able = [one for one in self.candidates if self.classes.size(one) >= size]
            some = islice(independent_sets(able, self.are_in_conflict), _MOST_LOOKED_AT)
            every = sorted(some, key=lambda one: (-sum(map(self.volume, one)), one))
            found = self._sets[size] = every[:_MOST_SETS]
        return found

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of classes: their meaning in the model if it was recognised, else a family that has them."""
        return class_names(self.listed, self.classes, self.batch, self.candidates, self.volume)

    def set_name(self, classes: Sequence[int]) -> str:
        """The name of a set of classes: that of its largest class, or Megatron's if it is that set."""
        if not classes:
            return "nothing"
        names = [self.names[one] for one in sorted(classes, key=lambda one: (-self.volume(one), one))]
        known = [name for name in names if name in ("experts", "heads", "hidden")]
        if "heads" in known and "hidden" in known:
            return "Megatron"
        return known[0] if known else names[0]

    # --- from a strategy to layouts -----------------------------------------------------------------------------------

    def layouts(self, strategy: Strategy) -> Layouts:
        """The shardings of families and of tensors inside."""
        exceptions = dict(strategy.exceptions)
        specs: list[Spec] = []
        for family in self.listed:
            spec = exceptions.get(family.number)
            if self.is_kept(family):
                specs.append(((),) * len(family.shape))
                continue
            specs.append(self._spec(family, strategy) if spec is None else spec)
        return Layouts(strategy.mesh, tuple(specs), strategy.inner)

    def boundary(self, layouts: Layouts) -> BoundarySpecs:
        """The specs of arguments and results by their numbers."""
        arguments: dict[int, Spec] = {}
        results: dict[int, Spec] = {}
        for family, spec in zip(self.listed, layouts.specs, strict=True):
            arguments.update((one, spec) for one in family.arguments if ("argument", one) not in self._kept)
            results.update((one, spec) for one in family.results if ("result", one) not in self._kept)
        return BoundarySpecs(arguments, results)

    @property
    def has_kept(self) -> bool:
        """Whether anything is kept."""
        return bool(self._kept)

    def is_kept(self, family: Family) -> bool:
        """Whether all of a family is kept."""
        return bool(self._kept) and all(key in self._kept for key in family.keys)

    def _spec(self, family: Family, strategy: Strategy) -> Spec:
        sizes = strategy.sizes
        dims: list[tuple[str, ...]] = [()] * len(family.shape)
        for axes, classes in strategy.sets:
            for place, one in enumerate(family.classes):
                if one in classes and divides(family.shape[place], (*dims[place], *axes), sizes):
                    dims[place] = (*dims[place], *axes)
                    break
        for axes, what in strategy.storage:
            if self.is_stored(family, what):
                dims = list(self.stored(family, dims, axes, sizes))
        return tuple(dims)

    def is_stored(self, family: Family, what: str) -> bool:
        """Whether storage of ``what`` applies to ``family``."""
        if family.role not in (WEIGHT, MOMENT):
            return False
        if what in (ALL, MOMENTS) and self.is_small(family):
            return False
        if set(family.classes) & set(self.batch):
            return False
        return what in (ALL, ALL_WITH_SMALL) or family.role == MOMENT

    def is_small(self, family: Family) -> bool:
        """Whether the family has a small part of all bytes, as scales and biases do."""
        return family.bytes < _SMALL * self.total_bytes

    def stored(
        self, family: Family, dims: Sequence[tuple[str, ...]], axes: AxisGroup, sizes: Mapping[str, int]
    ) -> Sequence[tuple[str, ...]]:
        """``dims`` with ``axes`` on the largest unsharded dimension, or after other axes if all are sharded. Dimensions
        that a loop takes slices of are not sharded."""
        if set(plain_axes(tuple(dims))) & set(axes):
            return dims
        places = [place for place, one in enumerate(family.classes) if not self.classes.is_sliced(one)]
        for place in sorted(places, key=lambda place: (bool(dims[place]), -family.shape[place], place)):
            added = (*dims[place], *(LATER + axis for axis in axes))
            if divides(family.shape[place], added, sizes):
                return [*dims[:place], added, *dims[place + 1 :]]
        return dims

    def single_specs(self, family: Family, spec: Spec, strategy: Strategy) -> Iterator[Spec]:
        """Other specs of one family: with an axis moved or removed, or with an axis added, after others or in their
        place."""
        sizes = strategy.sizes
        groups = list(dict.fromkeys([axes for axes, _ in strategy.sets] + [(name,) for name, _ in strategy.mesh]))
        used = set(plain_axes(spec))
        for group in groups:
            without = without_axes(spec, group)
            if set(group) <= used:
                yield without
            elif set(group) & used:
                continue
            for place, size in enumerate(family.shape):
                if family.classes[place] in self.candidates:
                    for mark in ("", LATER):
                        own = tuple(mark + axis for axis in group)
                        for added in dict.fromkeys(((*without[place], *own), own)):
                            if divides(size, added, sizes):
                                moved = list(without)
                                moved[place] = added
                                if tuple(moved) != spec:
                                    yield tuple(moved)


def axis_groups(mesh: Mesh) -> list[tuple[AxisGroup, ...]]:
    """The groupings of the axes of ``mesh`` in which neighbouring axes are used as one; ungrouped axes first."""
    names = [axis.name for axis in mesh.axes if axis.size > 1]
    found = []
    for count in range(len(names), 0, -1):
        for cuts in combinations(range(1, len(names)), count - 1):
            ends = (0, *cuts, len(names))
            found.append(tuple(tuple(names[one:other]) for one, other in pairwise(ends)))
    return found


def independent_sets(vertices: Sequence[int], adjacent: Callable[[int, int], bool]) -> Iterator[tuple[int, ...]]:
    """The maximal independent sets of ``vertices``: Bron and Kerbosch's algorithm, with pivots."""
    free = {one: {other for other in vertices if other != one and not adjacent(one, other)} for one in vertices}

    def extended(chosen: tuple[int, ...], left: set[int], done: set[int]) -> Iterator[tuple[int, ...]]:
        if not left and not done:
            yield tuple(sorted(chosen))
            return
        pivot = max(sorted(left | done), key=lambda one: len(free[one] & left))
        for one in sorted(left - free[pivot]):
            yield from extended((*chosen, one), left & free[one], done & free[one])
            left = left - {one}
            done = done | {one}

    yield from extended((), set(vertices), set())
