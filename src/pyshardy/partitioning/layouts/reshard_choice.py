"""Chooses the reshard route that takes the least time, where hardware is given; otherwise the fewest bytes decide.

The links decide how long a collective takes: on a torus a permute may cross many of them, an all-gather only the one to
the next device. A run either takes the quickest routes (``decides``), or takes those of fewest bytes and notes for
which reshards a route was asked; the seconds that the quickest routes would save are computed when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.emitting.layout import Layout, Shape, local_shape
from pyshardy.ir.types import TensorType, Type
from pyshardy.partitioning.layouts.reshard_actions import Action
from pyshardy.partitioning.layouts.reshard_plan import ReshardPlan, reshard_plan, reshard_routes
from pyshardy.sharding.mesh import Mesh

ActionSeconds = Callable[[Action, Shape, Type], float]
"""The seconds that an action takes on values of a local shape and an element type."""


_Question = tuple[Layout, Layout, TensorType]


class ReshardChoice:
    """Chooses among the reshard routes of tensors on ``mesh``, where an action takes so many ``seconds``. On other
    meshes the route of fewest bytes is taken."""

    def __init__(self, mesh: Mesh, seconds: ActionSeconds, *, decides: bool = True) -> None:
        self._mesh = mesh
        self._seconds = seconds
        self._decides = decides
        self._known: dict[_Question, tuple[ReshardPlan, float]] = {}
        self._asked: list[_Question] = []

    def of_another_run(self, *, decides: bool) -> ReshardChoice:
        """The same choice for another run, which adds up its own savings."""
        other = ReshardChoice(self._mesh, self._seconds, decides=decides)
        other._known = self._known
        return other

    def plan(self, source: Layout, target: Layout, type: TensorType) -> ReshardPlan:
        """The plan that reshards a tensor of global ``type`` from layout ``source`` to ``target``."""
        question = source, target, type
        self._asked.append(question)
        return self._quickest(question)[0] if self._decides else reshard_plan(source, target, type.shape)

    @property
    def saved(self) -> float:
        """The seconds that the quickest routes save, added up over all reshards for which a route was asked."""
        saved = 0.0
        for question in self._asked:
            saved += self._quickest(question)[1]
        return saved

    def _quickest(self, question: _Question) -> tuple[ReshardPlan, float]:
        """The quickest route, and the seconds that it saves."""
        found = self._known.get(question)
        if found is None:
            found = self._known[question] = self._found(*question)
        return found

    def _found(self, source: Layout, target: Layout, type: TensorType) -> tuple[ReshardPlan, float]:
        routes = reshard_routes(source, target, type.shape)
        if len(routes) == 1 or any(mesh is not self._mesh for route in routes for mesh, _ in route.actions):
            return routes[0], 0.0
        before = local_shape(type.shape, source)
        seconds = [self._seconds_of(route, before, type.element) for route in routes]
        least = min(seconds)
        return routes[seconds.index(least)], seconds[0] - least

    def _seconds_of(self, route: ReshardPlan, before: Shape, element: Type) -> float:
        total = 0.0
        for _, action in route.actions:
            total += self._seconds(action, before, element)
            before = action.shape
        # Rounded, so that routes that take equally long compare as equal in whatever order seconds are added up.
        return float(f"{total:.9e}")
