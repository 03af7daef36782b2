"""Chooses the reshard route that takes the least time, where hardware is given; otherwise the fewest bytes decide.

The links decide how long a collective takes: on a torus a permute may cross many of them, an all-gather only the one to
the next device.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.emitting.layout import Layout, Shape, local_shape
from pyshardy.ir.types import TensorType, Type
from pyshardy.partitioning.layouts.reshard_actions import Action, Permute
from pyshardy.partitioning.layouts.reshard_plan import ReshardPlan, reshard_routes
from pyshardy.sharding.mesh import Mesh

ActionSeconds = Callable[[Action, Shape, Type], float]
"""The seconds that an action takes on values of a local shape and an element type."""


_Question = tuple[Layout, Layout, TensorType]


class ReshardChoice:
    """Chooses among the reshard routes of tensors on ``mesh``, where an action takes so many ``seconds``. On other
    meshes the route of fewest bytes is taken. ``permutes_avoided`` counts the permutes of
    those routes that were not taken, over all reshards for which a route was asked."""

    def __init__(self, mesh: Mesh, seconds: ActionSeconds) -> None:
        self._mesh = mesh
        self._seconds = seconds
        self._known: dict[_Question, tuple[ReshardPlan, int]] = {}
        self.permutes_avoided = 0

    def of_another_run(self) -> ReshardChoice:
        """The same choice for another run, which counts its own permutes."""
        other = ReshardChoice(self._mesh, self._seconds)
        other._known = self._known
        return other

    def plan(self, source: Layout, target: Layout, type: TensorType) -> ReshardPlan:
        """The plan that reshards a tensor of global ``type`` from layout ``source`` to ``target``."""
        question = source, target, type
        found = self._known.get(question)
        if found is None:
            found = self._known[question] = self._found(*question)
        plan, avoided = found
        self.permutes_avoided += avoided
        return plan

    def _found(self, source: Layout, target: Layout, type: TensorType) -> tuple[ReshardPlan, int]:
        """The quickest route, and the permutes of the route of fewest bytes if it is another one."""
        routes = reshard_routes(source, target, type.shape)
        if len(routes) == 1 or any(mesh is not self._mesh for route in routes for mesh, _ in route.actions):
            return routes[0], 0
        before = local_shape(type.shape, source)
        seconds = [self._seconds_of(route, before, type.element) for route in routes]
        quickest = routes[seconds.index(min(seconds))]
        if quickest is routes[0]:
            return quickest, 0
        return quickest, sum(isinstance(action, Permute) for _, action in routes[0].actions)

    def _seconds_of(self, route: ReshardPlan, before: Shape, element: Type) -> float:
        total = 0.0
        for _, action in route.actions:
            total += self._seconds(action, before, element)
            before = action.shape
        # Rounded, so that routes that take equally long compare as equal in whatever order seconds are added up.
        return float(f"{total:.9e}")
