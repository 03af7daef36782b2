"""Run: the partitioner makes candidate plans of a folded program.

``program_for_plans`` folds and propagates a program, ``FoldedCandidates`` has the plain partitioner make plans of it,
and each plan is certified as a ``FoldedPlan``. For that enough layers have to be kept (``_margin``): the partitioner
looks at an operation, its operands, the readers of its results, and a number of operations behind it, and all of these
have to be as they are with all layers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from pyshardy.emitting.layout import Layout
from pyshardy.folding.certifying.likeness import NeedsMoreLayers
from pyshardy.folding.certifying.parts import operations_by_layer
from pyshardy.folding.counting.folded_plan import FoldedPlan
from pyshardy.folding.detecting.layers import Layers
from pyshardy.folding.detecting.series import Series
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.folding.program import (
    Ends,
    FoldedProgram,
    Margin,
    folded_again,
    folded_program,
    layers_of,
    partially_unfolded,
)
from pyshardy.folding.switch import DECLINED
from pyshardy.ir import shortcuts
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.ir.passes import Pipeline
from pyshardy.module import Module
from pyshardy.partitioning.candidate_plan import CandidatePlan
from pyshardy.partitioning.candidate_plans import Candidates, PlanOptions, run_partitioner
from pyshardy.partitioning.clusters import FIRST_OPERATIONS, MAX_DISTANCE
from pyshardy.partitioning.localizing.program import SourceProgram
from pyshardy.partitioning.localizing.registry import localizer
from pyshardy.partitioning.localizing.run import RunOptions
from pyshardy.partitioning.reseeded_layouts import with_layouts
from pyshardy.plugins import is_from_outside
from pyshardy.rules.registry import has_rule_from_outside, looks_around

_NEAR = 16
"""What the partitioner makes of an operation depends on no others than its operands, their readers, and those that are
less than this many operations away, of whichever series."""
_FARTHEST_LOOK = MAX_DISTANCE + _NEAR
"""``_NEAR`` for operations that may begin a cluster, which is searched in the operations behind them."""


_T = TypeVar("_T")


class FoldedCandidates(Candidates):
    """Makes candidate plans for ``program``, which is folded and propagated, as ``Candidates`` does for a whole one.

    Raises:
        NoCertificate: copies of constants may be treated otherwise with all layers.
    """

    def __init__(self, program: FoldedProgram, options: PlanOptions) -> None:
        super().__init__(program.module, options)
        self._folded = program
        if not _are_treated_by_builtin_code(program.splice.copies_of_constants()):
            raise NoCertificate("a plugin's code treats copies of constants")

    def is_small(self) -> bool:
        # Of the whole program, which is not: smaller ones are not folded.
        return False

    def partitioned(self, run: RunOptions) -> CandidatePlan:
        return FoldedPlan(self._folded, run_partitioner(self.program, self.module, run))

    def reseeded_from(self, free: CandidatePlan, run: RunOptions) -> CandidatePlan:
        found = self._reseeded_with_few_layers(free, run)
        if found is not None:
            return found
        layouts = free.chosen_layouts()
        self._folded.unfold()
        return self.plan_with(self.module, layouts, run)

    def _reseeded_with_few_layers(self, free: CandidatePlan, run: RunOptions) -> CandidatePlan | None:
        """The plan of ``reseeded_from`` made of few layers; None if there is no certificate."""
        layouts = free.partitioner.chosen_layouts
        try:
            unlike = _unlike_ends(self._folded.folded, layouts)
            return made_with_few_layers(lambda beside: self._reseeded(layouts, unlike, beside, run))
        except (PyshardyError, NoCertificate) as error:
            DECLINED[str(error)] += 1
            return None
        except Exception as error:
            shortcuts.raise_if_strict(error)
            return None

    def _reseeded(
        self, layouts: Mapping[Value, Layout], unlike: Ends, beside: int, run: RunOptions
    ) -> CandidatePlan | None:
        margin = _margin(self._folded.folded.layers)
        program = folded_again(
            self._folded, lambda: with_layouts(self.module, layouts), self.options.propagation, margin, unlike, beside
        )
        if program is None:
            return None
        return FoldedPlan(
            program, run_partitioner(SourceProgram(program.module.op, self.program.rules), self.module, run)
        )


def made_with_few_layers(make: Callable[[int], _T]) -> _T:
    """What ``make(beside)`` makes with at least ``beside`` layers kept on each side of the splice point: with 0, or
    with one more than were kept then if a layer near an end of the model has turned out to be unlike the others.

    Raises:
        NoCertificate: there is no certificate.
    """
    try:
        return make(0)
    except NeedsMoreLayers as error:
        return make(error.beside)


def _unlike_ends(folded: Folded, layouts: Mapping[Value, Layout]) -> Ends:
    """How many layers at the two ends have other ``layouts`` than those near the splice point."""
    parts, layers = operations_by_layer(folded, folded.function.body.operations()), folded.layers

    def seen(layer: int) -> list[Layout | None]:
        own = (op for series in range(len(folded.series)) for op in parts.get((series, layer), ()))
        return [layouts.get(result) for op in own for result in op.results]

    expected, low, high = seen(folded.below), range(layers.first, folded.below), range(folded.end, layers.end)
    lowest = max((1 + layer - layers.first for layer in low if seen(layer) != expected), default=0)
    highest = max((layers.end - layer for layer in high if seen(layer) != expected), default=0)
    # The next one at the low end has the usual layouts, but reads a layer that has others. Its copies of constants may
    # come from another layer, relative to it, than those of the layers above (``mark_copies_of_other_layers``).
    return Ends(lowest + 1 if lowest else 0, highest)


def layers_for_plans(module: Operation, kinds: OperationKinds) -> Layers | None:
    """The layers of ``module``, whose operations (nested ones, too) have these ``kinds``; None if there are none, or if
    they may be treated otherwise with all layers."""
    layers = layers_of(module, kinds)
    if layers is None or not _are_treated_by_builtin_code(layers.operations_of_a_layer(layers.series)):
        return None
    return layers


def program_for_plans(source: Module, layers: Layers, propagation: Pipeline, beside: int = 0) -> FoldedProgram | None:
    """The folded program that ``propagation`` makes of ``source`` with these ``layers``, with as many of them as plans
    need, at least ``beside`` on each side of the splice point; None if there is no certificate."""
    return folded_program(source, propagation, layers, _margin(layers), beside)


def partially_unfolded_for_plans(program: FoldedProgram, beside: int) -> FoldedProgram | None:
    """``program``, which ``program_for_plans`` has made, with at least ``beside`` layers on each side of the splice
    point; None if too few are left out then.

    Raises:
        NoCertificate: there is no certificate.
    """
    return partially_unfolded(program, _margin(program.folded.layers), beside)


def _are_treated_by_builtin_code(operations: Iterable[Operation]) -> bool:
    """Whether all ``operations`` of a layer are treated by code of pyshardy. Rules and localizers of plugins might look
    at anything, so that layers which are alike could be treated differently."""
    for op in operations:
        own = localizer(op.name)
        # Those of pyshardy look at operands, users and regions, which the certificates compare.
        if op.definition is None or (looks_around(op) and has_rule_from_outside(op)):
            return False
        if own is not None and is_from_outside(own):
            return False
    return True


def _margin(layers: Layers) -> Margin:
    """How many layers have to be kept on each side of the splice point: as many as the partitioner looks at from the
    template, and below it the template."""
    near = -(-_NEAR // sum(1 for _ in layers.operations_of_a_layer(layers.series)))
    below, above = (
        max([near, *(_layers_of_a_cluster(layers, one, direction) for one in layers.series)]) for direction in (-1, 1)
    )
    return Margin(below + 1, above)


def _layers_of_a_cluster(layers: Layers, one: Series, direction: int) -> int:
    """How many layers of one series above (1) or below (-1) an operation may have operations of the same cluster: only
    in the direction in which the layers follow each other in the text."""
    # Operations of functions that are called count: the partitioner puts these in the place of their calls.
    layer = list(layers.operations_of_a_layer([one]))
    is_searched = one.direction == direction and any(op.name in FIRST_OPERATIONS for op in layer)
    return -(-_FARTHEST_LOOK // len(layer)) if is_searched else 0
