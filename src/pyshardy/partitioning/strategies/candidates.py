"""The search that all plans for layouts share: what is given, which layouts there are to choose from, the cheapest.

A plan says how many ``elements`` each device receives; ``prices`` has what else counts. Localizers that exchange data
themselves search here, those that go by a sharding rule in ``strategy_search``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple, Protocol, TypeVar

from pyshardy.emitting.layout import Axes, Layout, Shape, Sharded, local_shape
from pyshardy.partitioning.layouts.reshard_plan import reshard_plan
from pyshardy.partitioning.strategies.factor_layouts import has_conflict
from pyshardy.partitioning.strategies.prices import ELEMENTS_PER_COMPUTED, MOST_CANDIDATES
from pyshardy.sharding.mesh import Mesh


class OperandTensor(NamedTuple):
    """A tensor that an operation is given: its ``shape``, where it lies, and whether it is ``free``: costs nothing to
    have in any layout."""

    shape: Shape
    layout: Layout
    free: bool

    @classmethod
    def of(cls, sharded: Sharded) -> OperandTensor:
        """What a search needs to know of ``sharded``."""
        return cls(sharded.shape, sharded.layout, sharded.recipe is not None)

    def brought(self, layout: Layout) -> float:
        """The elements that each device receives to have it in ``layout``."""
        return 0.0 if self.free else reshard_plan(self.layout, layout, self.shape).elements


def delivered(shape: Shape, layout: Layout, wanted: Layout | None) -> float:
    """The elements that each device receives when a result comes out in ``layout`` and is ``wanted`` elsewhere."""
    return 0.0 if wanted is None else reshard_plan(layout, wanted, shape).elements


class Weighed(Protocol):
    """A way to do an operation, with what it moves."""

    @property
    def elements(self) -> float:
        """The elements that each device receives."""


_Weighed = TypeVar("_Weighed", bound=Weighed)


def cheapest(plans: Iterable[_Weighed | None], shape: Shape, worked: Callable[[_Weighed], Layout]) -> _Weighed:
    """The plan with the fewest elements received and computed, where each device computes its part of ``shape`` in the
    layout ``worked(plan)``; the first of those that are alike. There is one: to gather always works."""

    def cost(plan: _Weighed) -> float:
        return plan.elements + ELEMENTS_PER_COMPUTED * prod(local_shape(shape, worked(plan)))

    return min((plan for plan in plans if plan is not None), key=cost)


def first_mesh(layouts: Iterable[Layout | None]) -> Mesh | None:
    """The mesh of the first of ``layouts`` that has one."""
    return next((layout.mesh for layout in layouts if layout is not None and layout.mesh is not None), None)


def layouts_like(
    layouts: Iterable[Layout | None], rank: int, mesh: Mesh | None, whole: Sequence[int] = ()
) -> Iterator[Layout]:
    """Layouts on ``mesh`` that have each dimension as one of ``layouts`` on it has, or whole; the dimensions ``whole``
    are so in any case."""
    present = [layout for layout in layouts if layout is not None and layout.mesh is mesh]
    choices: list[list[Axes]] = [
        [()] if dim in whole else list(dict.fromkeys([*(layout.dims[dim] for layout in present), ()]))
        for dim in range(rank)
    ]
    if are_too_many(choices):
        choices = [[one[0], ()] for one in choices]
    for dims in product(*choices):
        if not has_conflict(dims):
            yield Layout(mesh, dims)


def are_too_many(choices: Iterable[Sequence[object]]) -> bool:
    """Whether there are more combinations of ``choices`` than are looked at."""
    return prod(map(len, choices)) > MOST_CANDIDATES
