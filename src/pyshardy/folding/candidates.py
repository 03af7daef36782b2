"""Candidate plans that are made with few of the layers of a program.

The partitioner looks at an operation, at what it reads and who reads it, and at what is near it; so what it makes of
layers that are alike, between layers that became the same, becomes the same (``folded_plan``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pyshardy.emitting.layout import Layout
from pyshardy.folding.folded import Folded, NotAlike
from pyshardy.folding.folded_plan import FoldedPlan
from pyshardy.folding.layers import Layers
from pyshardy.folding.parts import operations_by_layer
from pyshardy.folding.program import Ends, FoldedProgram, folded_again, folded_program, layers_of
from pyshardy.folding.series import Series
from pyshardy.ir import shortcuts
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Value
from pyshardy.ir.passes import Pipeline
from pyshardy.module import Module
from pyshardy.partitioning.candidate_plan import CandidatePlan
from pyshardy.partitioning.candidate_plans import Candidates, PlanOptions, partitioned
from pyshardy.partitioning.clusters import FIRST_OPERATIONS, MAX_DISTANCE
from pyshardy.partitioning.localizing.program import Program
from pyshardy.partitioning.localizing.registry import localizer
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.reseeded_layouts import with_layouts
from pyshardy.rules.registry import is_from_outside, looks_around

_NEAR = 16
_FARTHEST_LOOK = MAX_DISTANCE + _NEAR
"""What an operation becomes depends on none that stands so far behind it, if a cluster may begin with it, or else so
near it, but for the makers of what it reads and those that read its results."""


class FoldedCandidates(Candidates):
    """Makes candidate plans for ``program``, which is folded and propagated."""

    def __init__(self, program: FoldedProgram, options: PlanOptions) -> None:
        super().__init__(program.module, options)
        self._folded = program

    def partitioned(self, run: RunOptions) -> CandidatePlan:
        return FoldedPlan(self._folded, partitioned(self.program, self.module, run))

    def spread(self, free: CandidatePlan, run: RunOptions) -> CandidatePlan:
        found = self._spread_by_few(free, run)
        if found is not None:
            return found
        layouts = free.chosen_layouts()
        self._folded.unfolded()
        return self.plan_with(self.module, layouts, run)

    def _spread_by_few(self, free: CandidatePlan, run: RunOptions) -> CandidatePlan | None:
        """The same with few of the layers; None if they do not say what would become of all."""
        layouts = free.partitioner.chosen_layouts
        margin = _margin(self._folded.folded.layers)
        try:
            unlike = _unlike_ends(self._folded.folded, layouts)
            spread = folded_again(
                self._folded, lambda: with_layouts(self.module, layouts), self.options.propagation, margin, unlike
            )
            if spread is None:
                return None
            given = Program(spread.module.op, self.program.rules)
            return FoldedPlan(spread, partitioned(given, self.module, run))
        except (PyshardyError, NotAlike):
            return None
        except Exception as error:
            shortcuts.declines_after(error)
            return None


def _unlike_ends(folded: Folded, layouts: Mapping[Value, Layout]) -> Ends:
    """How many layers at the ends have other layouts than those beside the splice point."""
    parts, layers = operations_by_layer(folded, folded.function.body.operations()), folded.layers

    def seen(layer: int) -> list[Layout | None]:
        own = (op for series in range(len(layers.series)) for op in parts.get((series, layer), ()))
        return [layouts.get(result) for op in own for result in op.results]

    expected, low, high = seen(folded.below), range(layers.first, folded.below), range(folded.end, layers.end)
    lowest = max((1 + layer - layers.first for layer in low if seen(layer) != expected), default=0)
    highest = max((layers.end - layer for layer in high if seen(layer) != expected), default=0)
    # The lowest of those that are like the others reads what is not: constants are handed out there in another way.
    return Ends(lowest + 1, highest)


def program_for_plans(source: Module, propagation: Pipeline) -> FoldedProgram | None:
    """What becomes of ``source`` by ``propagation``, with few of its layers, but so many that plans can be made of it;
    None if that is not known."""
    layers = layers_of(source.op)
    if layers is None or not is_known_what_becomes_of_layers(layers):
        return None
    return folded_program(source, propagation, layers, _margin(layers))


def is_known_what_becomes_of_layers(layers: Layers) -> bool:
    """Whether what becomes of all that repeats is up to pyshardy alone."""
    for op in layers.a_layer():
        own = localizer(op.name)
        # Ours look at operands, users and regions, which are alike.
        if op.definition is None or (looks_around(op) and is_from_outside(op)):
            return False
        if own is not None and not own.__module__.startswith("pyshardy."):
            return False
    return True


def _margin(layers: Layers) -> Callable[[int], int]:
    """How many layers must stand above (1) or below (-1) those beside the splice point."""
    return lambda direction: _layers_seen(layers, direction) + 1


def _layers_seen(layers: Layers, direction: int) -> int:
    """How many layers must stand between those that become the same and what is unlike them, above (1) or below
    (-1)."""
    return max(_layers_seen_in(layers, one, direction) for one in layers.series)


def _layers_seen_in(layers: Layers, one: Series, direction: int) -> int:
    layer = layers.operations_in(one)
    looks = one.direction == direction and any(op.name in FIRST_OPERATIONS for op in layer)
    # A function that is called once is written in the place of its call.
    return -(-(_FARTHEST_LOOK if looks else _NEAR) // len(layer))
