"""The cheapest ways between all layouts of a small mesh, by brute force: Dijkstra over every collective there is.

It shares with the planner nothing but the names of axes: costs are written out here once more, from the definition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product
from math import prod

from pyshardy.resharding.axis_alignment import Layout
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import Mesh
from tests.resharding.collectives.layouts import all_layouts


class Cheapest:
    """Elements received per device at least from one layout to another, for a tensor of ``shape`` on ``mesh``, the
    axes of which have prime sizes, so that no collective can split them."""

    def __init__(self, mesh: Mesh, shape: Sequence[int]) -> None:
        self._sizes = {axis.name: axis.size for axis in mesh.axes}
        self._shape = tuple(shape)
        self.layouts = all_layouts(mesh, len(shape))
        self._edges = {layout: list(self._collectives(layout)) for layout in self.layouts}

    def from_layout(self, source: Layout) -> dict[Layout, Fraction]:
        """The cost of the cheapest way from ``source`` to every layout."""
        costs: dict[Layout, Fraction] = {}
        queue: list[tuple[Fraction, int, Layout]] = [(Fraction(0), 0, source)]
        pushed = 0
        while queue:
            cost, _, layout = heappop(queue)
            if layout in costs:
                continue
            costs[layout] = cost
            for following, price in self._edges[layout]:
                if following not in costs:
                    pushed += 1
                    heappush(queue, (cost + price, pushed, following))
        return costs

    def _count(self, axes: Sequence[AxisRef]) -> int:
        return prod(self._sizes[axis.name] for axis in axes)

    def _local(self, layout: Layout) -> int:
        return prod(-(-size // self._count(axes)) for size, axes in zip(self._shape, layout, strict=True))

    def _collectives(self, layout: Layout) -> Iterator[tuple[Layout, Fraction]]:
        operand = self._local(layout)
        counts = [self._count(axes) for axes in layout]
        for other in self.layouts:
            if [self._count(axes) for axes in other] == counts:
                yield other, Fraction(operand)
            if all(new[: len(old)] == old for old, new in zip(layout, other, strict=True)):
                yield other, Fraction(0)
            if all(old[: len(new)] == new for old, new in zip(layout, other, strict=True)):
                group = prod(counts) // prod(self._count(axes) for axes in other)
                yield other, Fraction(self._local(other) * (group - 1), group)
        yield from self._all_to_alls(layout, operand)

    def _all_to_alls(self, layout: Layout, operand: int) -> Iterator[tuple[Layout, Fraction]]:
        dims = range(len(layout))
        single = [
            (source, start, target)
            for source, target in product(dims, dims)
            if source != target
            for start in range(len(layout[source]))
        ]
        pairs = [(a, b) for a, b in product(single, single) if len({a[0], a[2], b[0], b[2]}) == 4]
        for moves in [*((one,) for one in single), *pairs]:
            changed = list(layout)
            group = 1
            for source, start, target in moves:
                axes = layout[source][start:]
                group *= self._count(axes)
                changed[source] = layout[source][:start]
                changed[target] = layout[target] + axes
            yield tuple(changed), Fraction(operand * (group - 1), group)
