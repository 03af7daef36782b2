"""Shardy's sequence of collectives from one layout to another: slice, permute, all-to-all, gather.

Slices come first, because they are free and make all later steps smaller; gathers last, for the same reason. One round
of the four suffices if all axis sizes are powers of two. Otherwise there is a second round, and some layouts are still
not reached: ``collective_plan`` completes the sequence then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import gcd

from pyshardy.resharding.axis_alignment import Layout, aligned, by_name, remove_minor, split_to_fit
from pyshardy.resharding.collective_steps import CollectiveStep, all_gather, all_slice, all_to_all, collective_permute
from pyshardy.sharding.axes import AxisRef, append_or_merge, shard_count
from pyshardy.sharding.mesh import Mesh

_ROUNDS = 2

_Axes = list[AxisRef]


def collective_sequence(
    mesh: Mesh, source: Layout, target: Layout, shape: Sequence[int], changes_mesh: bool
) -> list[CollectiveStep]:
    """Shardy's steps from ``source`` to ``target``. They may end at another layout if an axis size is no power of two.
    ``changes_mesh`` says that ``target`` is on a mesh with the same axes as that of ``source`` and another order of
    devices."""
    return _Sequence(mesh, source, target, shape, changes_mesh).steps()


class _Sequence:
    """The state of a tensor during the sequence. After the axes that are right already, each dimension has axes that
    still have to leave, and axes that still have to arrive. An axis that arrives in one dimension usually leaves
    another."""

    def __init__(self, mesh: Mesh, source: Layout, target: Layout, shape: Sequence[int], changes_mesh: bool) -> None:
        self._mesh = mesh
        self._shape = shape
        self._dims = range(len(shape))
        self._on_target_mesh = not changes_mesh
        self._steps: list[CollectiveStep] = []
        self._now = [list(axes) for axes in source]
        sources, targets = by_name(chain.from_iterable(source)), by_name(chain.from_iterable(target))
        self._leaving = [aligned(axes, targets, mesh) for axes in source]
        self._arriving = [aligned(axes, sources, mesh) for axes in target]
        for leaving, arriving in zip(self._leaving, self._arriving, strict=True):
            _strip_common_prefix(leaving, arriving)
        self._capacity = [1] * len(shape)
        self._held = set(chain.from_iterable(self._leaving))
        self._find_places()

    def steps(self) -> list[CollectiveStep]:
        for _ in range(_ROUNDS):
            if self._on_target_mesh and not any(self._leaving) and not any(self._arriving):
                break
            self._slice()
            self._permute()
            self._move_between_dims(in_order_only=True)
            self._move_between_dims(in_order_only=False)
            self._gather()
        return self._steps

    def _find_places(self) -> None:
        """Notes where each axis has to arrive: the dimension, and the position among the axes that arrive there."""
        self._places = {
            axis: (dim, index) for dim, axes in enumerate(self._arriving) for index, axis in enumerate(axes)
        }

    def _count(self, axes: Iterable[AxisRef]) -> int:
        return shard_count(axes, self._mesh)

    # --- slices -------------------------------------------------------------------------------------------------------

    def _slice(self) -> None:
        """Slices by all axes that arrive somewhere and are used nowhere yet; those without room at their target go to
        any dimension with room, from where a later step moves them."""
        slicing: list[_Axes] = [[] for _ in self._dims]
        for dim in self._dims:
            wanted = self._count(self._arriving[dim])
            self._capacity[dim] = wanted // gcd(self._count(self._leaving[dim]), wanted)
        for dim in self._dims:
            self._slice_companions(dim, slicing)
        unplaced = [axis for dim in self._dims for axis in self._slice_in_place(dim, slicing)]

        def record(dim: int, axis: AxisRef) -> None:
            append_or_merge(slicing[dim], axis, self._mesh)
            append_or_merge(self._now[dim], axis, self._mesh)

        self._spread(lambda dim: unplaced, at_end=True, on_place=record)
        self._find_places()
        if any(slicing):
            self._steps.append(all_slice(slicing, self._now, self._on_target_mesh))

    def _slice_companions(self, source: int, slicing: list[_Axes]) -> None:
        """Slices dimension ``source`` also by the axes that come directly after those that an all-to-all will move from
        it to another dimension, so that the same all-to-all moves them, too."""
        leaving = self._leaving[source]
        if not leaving or self._arriving[source] or leaving[-1] not in self._places:
            return
        target = self._places[leaving[-1]][0]
        arriving = self._arriving[target]
        if self._leaving[target]:
            return
        start = arriving.index(leaving[-1]) + 1
        if start == len(arriving) or arriving[start] in self._held:
            return
        matched = _common_suffix_length(leaving, arriving[:start])
        unmatched = leaving[: len(leaving) - matched]
        if any(axis in self._places and self._places[axis][0] == target for axis in unmatched):
            return
        stop = start
        while stop < len(arriving) and arriving[stop] not in self._held:
            stop += 1
        added = arriving[start:stop]
        if self._shape[source] % (self._count(self._now[source]) * self._count(added)):
            return
        self._capacity[target] //= self._count(leaving[len(leaving) - matched :]) * self._count(added)
        leaving.extend(added)
        self._held.update(added)
        for axis in added:
            append_or_merge(slicing[source], axis, self._mesh)
            append_or_merge(self._now[source], axis, self._mesh)

    def _slice_in_place(self, dim: int, slicing: list[_Axes]) -> _Axes:
        """Slices ``dim`` by axes that arrive there and are used nowhere yet, as far as there is capacity; returns the
        others."""
        unplaced: _Axes = []
        arriving, leaving = self._arriving[dim], self._leaving[dim]
        index = 0
        while index < len(arriving):
            axis = arriving[index]
            if axis in self._held:
                index += 1
                continue
            part, rest, self._capacity[dim] = split_to_fit(axis, self._capacity[dim], self._mesh)
            if part is None:
                unplaced.append(axis)
                index += 1
                continue
            append_or_merge(slicing[dim], part, self._mesh)
            append_or_merge(self._now[dim], part, self._mesh)
            if not leaving and index == 0:
                del arriving[0]
            else:
                leaving.append(part)
                self._held.add(part)
                arriving[index] = part
                index += 1
            if rest is not None:
                arriving.insert(index, rest)
                index += 1
                unplaced.append(rest)
        return unplaced

    def _spread(
        self,
        available: Callable[[int], _Axes],
        *,
        at_end: bool,
        on_place: Callable[[int, AxisRef], None] = lambda dim, axis: None,
    ) -> None:
        """Fills the remaining capacity of each dimension with axes from ``available(dim)``, and removes them from
        there."""
        split: _Axes = []
        for dim in self._dims:
            axes, leaving = available(dim), self._leaving[dim]
            place = len(leaving) if at_end else 0
            index = 0
            while index < len(axes) and self._capacity[dim] > 1:
                part, rest, self._capacity[dim] = split_to_fit(axes[index], self._capacity[dim], self._mesh)
                if part is None:
                    index += 1
                    continue
                del axes[index]
                leaving.insert(place, part)
                place += 1
                self._held.add(part)
                on_place(dim, part)
                if rest is not None:
                    axes.insert(0, rest)
                    split.append(part)
        parts = by_name(split)
        self._arriving = [aligned(axes, parts, self._mesh) for axes in self._arriving]

    # --- permutes -----------------------------------------------------------------------------------------------------

    def _permute(self) -> None:
        if self._wants_permute():
            self._exchange_axes()
        elif self._on_target_mesh:
            return
        self._on_target_mesh = True
        self._steps.append(collective_permute(self._now))

    def _wants_permute(self) -> bool:
        removable: AxisRef | None = None
        for dim in self._dims:
            leaving, arriving = self._leaving[dim], self._arriving[dim]
            if leaving and arriving and self._sizes_match(leaving[0], arriving[0]):
                return True
            if self._out_of_order(dim):
                return True
            removable = next((axis for axis in reversed(leaving) if axis not in self._places), removable)
        missing = [axis for axes in self._arriving for axis in axes if axis not in self._held]
        return bool(missing) and removable is not None and self._sizes_match(missing[-1], removable)

    def _sizes_match(self, a: AxisRef, b: AxisRef) -> bool:
        sizes = a.size(self._mesh), b.size(self._mesh)
        return not (sizes[0] % sizes[1] and sizes[1] % sizes[0])

    def _out_of_order(self, dim: int) -> bool:
        """Whether some axes that leave ``dim`` cannot be moved by all-to-alls, one target dimension after the other."""
        last: tuple[int, int] | None = None
        seen: set[int] = set()
        for axis in self._leaving[dim]:
            place = self._places.get(axis)
            if place is None:
                if last is not None and not self._arriving[dim]:
                    return True
                last = None
                continue
            target, index = place
            if (target == dim or target in seen) and (last is None or last != (target, index - 1)):
                return True
            seen.add(target)
            last = place
        return False

    def _exchange_axes(self) -> None:
        """Chooses the axes after a permute: for each dimension those that belong there, then those that are still
        missing in any dimension, then those that it had."""
        self._held = set()
        missing: _Axes = []
        had = [self._make_room(dim, missing) for dim in self._dims]
        self._spread(lambda dim: missing, at_end=True)
        self._spread(lambda dim: had[dim], at_end=False)
        left = list(chain.from_iterable(had))
        self._spread(lambda dim: left, at_end=False)
        self._find_places()
        for dim in self._dims:
            for axis in self._leaving[dim]:
                append_or_merge(self._now[dim], axis, self._mesh)

    def _make_room(self, dim: int, missing: _Axes) -> _Axes:
        """Replaces axes that leave ``dim`` by axes that arrive there, as far as they fit, and adds those that do not
        fit to ``missing``. Returns the axes that arrive nowhere; last come those that were replaced."""
        leaving, arriving, now = self._leaving[dim], self._arriving[dim], self._now[dim]
        used = self._capacity[dim] = self._count(leaving)
        remove_minor(now, leaving)
        while self._capacity[dim] > 1 and arriving:
            part, rest, self._capacity[dim] = split_to_fit(arriving[0], self._capacity[dim], self._mesh)
            if part is None:
                break
            append_or_merge(now, part, self._mesh)
            arriving[:1] = [] if rest is None else [rest]
        missing.extend(arriving)
        used //= self._capacity[dim]
        unwanted = [axis for axis in leaving if axis not in self._places]
        moved: _Axes = []
        while used > 1 and unwanted:
            part, rest, used = split_to_fit(unwanted[0], used, self._mesh)
            if part is None:
                break
            moved.append(part)
            unwanted[:1] = [] if rest is None else [rest]
        self._leaving[dim] = []
        return unwanted + moved

    # --- all-to-alls --------------------------------------------------------------------------------------------------

    def _move_between_dims(self, *, in_order_only: bool) -> None:
        for source in self._dims:
            while True:
                target, axes = self._next_move(source)
                if target is None or (in_order_only and self._arriving[target][: len(axes)] != axes):
                    break
                self._move(axes, source, target)

    def _next_move(self, source: int) -> tuple[int | None, _Axes]:
        """The longest list of axes at the minor end of ``source`` that arrive in one other dimension, and that
        dimension."""
        leaving = self._leaving[source]
        place = self._places.get(leaving[-1]) if leaving else None
        if place is None or place[0] == source:
            return None, []
        start = len(leaving)
        while start and self._places.get(leaving[start - 1], (None, 0))[0] == place[0]:
            start -= 1
        return place[0], leaving[start:]

    def _move(self, axes: _Axes, source: int, target: int) -> None:
        """Moves ``axes`` from the minor end of ``source`` to ``target`` by an all-to-all."""
        del self._leaving[source][-len(axes) :]
        remove_minor(self._now[source], axes)
        merged: _Axes = []
        for axis in axes:
            append_or_merge(merged, axis, self._mesh)
            append_or_merge(self._now[target], axis, self._mesh)
            if not self._leaving[target] and self._arriving[target][:1] == [axis]:
                del self._arriving[target][0]
            else:
                self._leaving[target].append(axis)
        self._steps.append(all_to_all([(merged, source, target)], self._now, self._on_target_mesh))

    # --- gathers ------------------------------------------------------------------------------------------------------

    def _gather(self) -> None:
        """Gathers all dimensions whose last axis arrives nowhere."""
        gathering: list[_Axes] = [[] for _ in self._dims]
        for dim in self._dims:
            leaving = self._leaving[dim]
            if not leaving or leaving[-1] in self._places:
                continue
            for axis in leaving:
                append_or_merge(gathering[dim], axis, self._mesh)
            remove_minor(self._now[dim], leaving)
            leaving.clear()
        if any(gathering):
            self._steps.append(all_gather(gathering, self._now, self._on_target_mesh))


def _strip_common_prefix(a: _Axes, b: _Axes) -> None:
    same = 0
    while same < min(len(a), len(b)) and a[same] is b[same]:
        same += 1
    del a[:same], b[:same]


def _common_suffix_length(a: Sequence[AxisRef], b: Sequence[AxisRef]) -> int:
    length = 0
    while length < min(len(a), len(b)) and a[-1 - length] is b[-1 - length]:
        length += 1
    return length
