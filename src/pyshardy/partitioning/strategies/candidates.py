"""What localizers use that choose layouts by enumeration: the layouts to choose from, and the cheapest choice.

A choice says how many ``elements`` each device receives; ``cost_weights`` has the weights of everything else.
Localizers that exchange elements between shards choose here, those that go by a sharding rule in ``strategy_search``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple, Protocol, TypeVar

from pyshardy.emitting.layout import Axes, Layout, Shape, local_shape
from pyshardy.emitting.sharded import Sharded
from pyshardy.partitioning.layouts.reshard_plan import reshard_plan
from pyshardy.partitioning.strategies.cost_weights import ELEMENTS_PER_COMPUTED, MOST_CANDIDATES
from pyshardy.partitioning.strategies.factor_layouts import has_conflict
from pyshardy.sharding.mesh import Mesh


class OperandTensor(NamedTuple):
    """An operand: its ``shape``, its ``layout``, and whether it is ``free``, so that it can be had in any layout
    without communication."""

    shape: Shape
    layout: Layout
    free: bool

    @classmethod
    def of(cls, sharded: Sharded) -> OperandTensor:
        """What a search needs to know of ``sharded``."""
        return cls(sharded.shape, sharded.layout, sharded.recipe is not None)

    def reshard_elements(self, layout: Layout) -> float:
        """The elements that each device receives when the operand is resharded to ``layout``."""
        return 0.0 if self.free else reshard_plan(self.layout, layout, self.shape).elements


def result_reshard_elements(shape: Shape, layout: Layout, requested: Layout | None) -> float:
    """The elements that each device receives when a result that comes out in ``layout`` is resharded to the layout
    ``requested``."""
    return 0.0 if requested is None else reshard_plan(layout, requested, shape).elements


class HasElements(Protocol):
    """A choice, with the elements that it moves."""

    @property
    def elements(self) -> float:
        """The elements that each device receives."""


_PlanT = TypeVar("_PlanT", bound=HasElements)


def cheapest(plans: Iterable[_PlanT | None], shape: Shape, work_layout: Callable[[_PlanT], Layout]) -> _PlanT:
    """The plan with the lowest cost: elements received, and elements that each device computes of a tensor of ``shape``
    in the layout ``work_layout(plan)``. The first of equal ones. At least one plan must not be None."""

    def cost(plan: _PlanT) -> float:
        return plan.elements + ELEMENTS_PER_COMPUTED * prod(local_shape(shape, work_layout(plan)))

    return min((plan for plan in plans if plan is not None), key=cost)


def first_mesh(layouts: Iterable[Layout | None]) -> Mesh | None:
    """The mesh of the first of ``layouts`` that has one."""
    return next((layout.mesh for layout in layouts if layout is not None and layout.mesh is not None), None)


def layouts_like(
    layouts: Iterable[Layout | None], rank: int, mesh: Mesh | None, whole: Sequence[int] = ()
) -> Iterator[Layout]:
    """Layouts on ``mesh`` that shard each dimension as one of ``layouts`` does, or not at all; the dimensions ``whole``
    are never sharded."""
    present = [layout for layout in layouts if layout is not None and layout.mesh is mesh]
    choices: list[list[Axes]] = [
        [()] if dim in whole else list(dict.fromkeys([*(layout.dims[dim] for layout in present), ()]))
        for dim in range(rank)
    ]
    if exceeds_limit(choices):
        choices = [[one[0], ()] for one in choices]
    for dims in product(*choices):
        if not has_conflict(dims):
            yield Layout(mesh, dims)


def exceeds_limit(choices: Iterable[Sequence[object]]) -> bool:
    """Whether ``choices`` have more combinations than are compared."""
    return prod(map(len, choices)) > MOST_CANDIDATES
