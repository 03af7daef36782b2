"""The time of the actions of a reshard on hardware: that of their collectives; local actions take none."""

from __future__ import annotations

from math import prod

from pyshardy.analysis.cost.collective_times import collective_seconds
from pyshardy.analysis.cost.communication import CollectiveTimes
from pyshardy.emitting.devices import source_target_pairs
from pyshardy.emitting.layout import Shape
from pyshardy.ir.types import Type, element_width
from pyshardy.partitioning.layouts.reshard_actions import COLLECTIVE_OF, AlongAxes, CollectivePermute, ReshardAction
from pyshardy.partitioning.layouts.reshard_choice import ActionSeconds


def action_seconds(times: CollectiveTimes) -> ActionSeconds:
    """The seconds of actions by ``times``, whose mesh has their axes."""

    def seconds(action: ReshardAction, before: Shape, element: Type) -> float:
        width = element_width(element) / 8
        if isinstance(action, CollectivePermute):
            source, target = action.source, action.target
            assert source.mesh is not None and target.mesh is not None
            pairs = source_target_pairs(source.mesh, tuple(source.axes()), target.mesh, tuple(target.axes()))
            return times.permute_seconds(pairs, int(prod(before) * width)).after
        if not isinstance(action, AlongAxes):
            return 0.0
        kind = COLLECTIVE_OF[type(action)]
        elements = max(prod(before), prod(action.shape))
        return collective_seconds(kind, times.along(action.axes), int(elements * width)).after

    return seconds
