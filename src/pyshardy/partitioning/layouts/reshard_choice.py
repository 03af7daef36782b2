"""Chooses the reshard route that takes the least time, where hardware is given; otherwise the fewest bytes decide.

The links decide how long a collective takes: on a torus a permute may cross many of them, an all-gather only the one to
the next device.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.emitting.layout import Layout, Shape, local_shape
from pyshardy.ir.types import TensorType, Type
from pyshardy.partitioning.layouts.reshard_actions import CollectivePermute, ReshardAction
from pyshardy.partitioning.layouts.reshard_plan import ReshardPlan, reshard_routes
from pyshardy.sharding.mesh import Mesh

ActionSeconds = Callable[[ReshardAction, Shape, Type], float]
"""The seconds that an action takes on values of a local shape and an element type."""


_Question = tuple[Layout, Layout, TensorType]


class ReshardChoice:
    """Chooses among the reshard routes of tensors on ``mesh``, where an action takes so many ``seconds``. On other
    meshes the route of fewest bytes is taken."""

    def __init__(self, mesh: Mesh, seconds: ActionSeconds) -> None:
        self._mesh = mesh
        self._seconds = seconds
        self._known: dict[_Question, tuple[ReshardPlan, bool]] = {}
        self._without_permutes: set[tuple[Layout, Layout]] = set()
        """From which layouts to which others tensors are resharded without the permutes of the routes of fewest
        bytes."""

    def of_another_run(self) -> ReshardChoice:
        """A copy for another run: it shares the cache of routes, and starts without recorded reshards."""
        other = ReshardChoice(self._mesh, self._seconds)
        other._known = self._known
        return other

    @property
    def avoids_permutes(self) -> bool:
        """Whether a route of fewest bytes that permutes was not taken for some reshard."""
        return bool(self._without_permutes)

    @property
    def avoids_permutes_in_a_row(self) -> bool:
        """Whether two consecutive reshards of one tensor may both have avoided a permute."""
        targets = {target for _, target in self._without_permutes}
        return any(source in targets for source, _ in self._without_permutes)

    def plan(self, source: Layout, target: Layout, type: TensorType) -> ReshardPlan:
        """The plan that reshards a tensor of global ``type`` from layout ``source`` to ``target``."""
        question = source, target, type
        found = self._known.get(question)
        if found is None:
            found = self._known[question] = self._found(*question)
        plan, avoids_permute = found
        if avoids_permute:
            self._without_permutes.add((source, target))
        return plan

    def _found(self, source: Layout, target: Layout, type: TensorType) -> tuple[ReshardPlan, bool]:
        """The quickest route, and whether it is another one than that of fewest bytes, which permutes."""
        routes = reshard_routes(source, target, type.shape)
        if len(routes) == 1 or any(mesh is not self._mesh for route in routes for mesh, _ in route.actions):
            return routes[0], False
        before = local_shape(type.shape, source)
        seconds = [self._seconds_of(route, before, type.element) for route in routes]
        quickest = routes[seconds.index(min(seconds))]
        permutes = any(isinstance(action, CollectivePermute) for _, action in routes[0].actions)
        return quickest, permutes and quickest is not routes[0]

    def _seconds_of(self, route: ReshardPlan, before: Shape, element: Type) -> float:
        total = 0.0
        for _, action in route.actions:
            total += self._seconds(action, before, element)
            before = action.shape
        # Rounded, so that routes that take equally long compare as equal in whatever order seconds are added up.
        return float(f"{total:.9e}")
