"""Which way a tensor goes to another layout where it is known how long each takes: the quickest, not the one of fewest
bytes.

Links decide: on a torus a permute goes over many of them, an all-gather only to the next device. A run either follows
this choice (``decides``), or goes the ways of fewest bytes and notes what was asked for; what others would save is
worked out when somebody wants to know.
"""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.emitting.layout import Layout, Shape, local_shape
from pyshardy.ir.types import TensorType, Type
from pyshardy.partitioning.layouts.reshard_actions import Action
from pyshardy.partitioning.layouts.reshard_plan import ReshardPlan, reshard_plan, reshard_ways
from pyshardy.sharding.mesh import Mesh

ActionSeconds = Callable[[Action, Shape, Type], float]
"""How long an action takes on values of a local shape and an element type."""


_Question = tuple[Layout, Layout, TensorType]


class ReshardChoice:
    """Chooses for tensors on ``mesh``, where actions take so many ``seconds``; other meshes are left alone."""

    def __init__(self, mesh: Mesh, seconds: ActionSeconds, *, decides: bool = True) -> None:
        self._mesh = mesh
        self._seconds = seconds
        self._decides = decides
        self._known: dict[_Question, tuple[ReshardPlan, float]] = {}
        self._asked: list[_Question] = []

    def of_another_run(self, *, decides: bool) -> ReshardChoice:
        """The same choice for another run."""
        other = ReshardChoice(self._mesh, self._seconds, decides=decides)
        other._known = self._known
        return other

    def plan(self, source: Layout, target: Layout, type: TensorType) -> ReshardPlan:
        """What to do with a tensor of global ``type`` in layout ``source`` to have it in ``target``."""
        question = source, target, type
        self._asked.append(question)
        return self._quickest(question)[0] if self._decides else reshard_plan(source, target, type.shape)

    @property
    def saved(self) -> float:
        """The seconds that the quickest ways save, of all that were asked for, one after the other."""
        saved = 0.0
        for question in self._asked:
            saved += self._quickest(question)[1]
        return saved

    def _quickest(self, question: _Question) -> tuple[ReshardPlan, float]:
        """The quickest way, and the seconds that it saves."""
        found = self._known.get(question)
        if found is None:
            found = self._known[question] = self._found(*question)
        return found

    def _found(self, source: Layout, target: Layout, type: TensorType) -> tuple[ReshardPlan, float]:
        ways = reshard_ways(source, target, type.shape)
        if len(ways) == 1 or any(mesh is not self._mesh for way in ways for mesh, _ in way.actions):
            return ways[0], 0.0
        before = local_shape(type.shape, source)
        seconds = [self._of_way(way, before, type.element) for way in ways]
        least = min(seconds)
        return ways[seconds.index(least)], seconds[0] - least

    def _of_way(self, way: ReshardPlan, before: Shape, element: Type) -> float:
        total = 0.0
        for _, action in way.actions:
            total += self._seconds(action, before, element)
            before = action.shape
        # How they are added up must not decide.
        return float(f"{total:.9e}")
