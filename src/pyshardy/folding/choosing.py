"""Run: the plan of a program is chosen on the folded program.

The plan is made from the folded program if propagation and partitioning are certified. If only propagation is, the
layers are unfolded after it, and the plan is made from the whole program.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pyshardy.folding.candidates import (
    FoldedCandidates,
    layers_for_plans,
    made_with_few_layers,
    partially_unfolded_for_plans,
    program_for_plans,
)
from pyshardy.folding.certifying.diagnostics import OtherDiagnostics
from pyshardy.folding.counting.counted_programs import counted_source
from pyshardy.folding.counting.folded_plan import FoldedPlan
from pyshardy.folding.detecting.layers import Layers
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.folding.program import FoldedProgram
from pyshardy.folding.switch import DECLINED, FOLDED
from pyshardy.ir import shortcuts
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.ir.verifying.verifier import verify
from pyshardy.module import Module
from pyshardy.partitioning.account.counted import CountedPlan
from pyshardy.partitioning.best_plan import best_plan
from pyshardy.partitioning.candidate_plan import CandidatePlan, CannotPrice
from pyshardy.partitioning.candidate_plans import Candidates, PlanOptions
from pyshardy.partitioning.chosen_plan import ChosenPlan, chosen_plan
from pyshardy.partitioning.plan_price import Pricing


def chosen_on_folded_program(
    source: Module, kinds: OperationKinds, options: PlanOptions, emit: str, price: Pricing | None
) -> ChosenPlan | None:
    """The plan of ``source``, whose operations have these ``kinds``, made from the folded program; None if it is not
    certain that all layers would be treated alike."""
    try:
        layers = layers_for_plans(source.op, kinds)
        if layers is None:
            return None
        choice = _ChoiceOnFoldedProgram(source, layers, options, emit, price)
        try:
            return made_with_few_layers(choice.chosen)
        except NoCertificate as error:
            DECLINED[str(error)] += 1
            return choice.chosen_on_all_layers()
    except (PyshardyError, NoCertificate, CannotPrice) as error:
        # Errors must be reported on the whole program.
        DECLINED[str(error) or "plans cannot be compared by what they cost"] += 1
        return None
    except Exception as error:
        shortcuts.raise_if_strict(error)
        return None


class _ChoiceOnFoldedProgram:
    """Chooses the plan of ``source``, which has these ``layers``."""

    def __init__(self, source: Module, layers: Layers, options: PlanOptions, emit: str, price: Pricing | None) -> None:
        self._source = source
        self._layers = layers
        self._options = options
        self._emit = emit
        self._price = price
        self._program: FoldedProgram | None = None
        """The program that was folded and propagated last."""

    def chosen(self, beside: int) -> ChosenPlan | None:
        """The plan made from the folded program with at least ``beside`` layers on each side of the splice point; None
        if it is not certain that propagation treats all layers alike, with fewer layers neither.

        Raises:
            CannotPrice: the plans cannot be compared by what they cost.
            NoCertificate: it is not certain that the partitioner does.
            PyshardyError: the program cannot be propagated or partitioned.
        """
        before, self._program = self._program, None
        if before is None:
            program = program_for_plans(self._source, self._layers, self._options.propagation, beside)
        else:
            # If that fails, its module may be neither folded as it says nor whole.
            program = partially_unfolded_for_plans(before, beside)
        if program is None:
            self._program = before
            return self.chosen_on_all_layers()
        self._program = program
        found = self._best(program.module, partial(FoldedCandidates, program))
        if self._emit == "local":
            # The layers that were left out are like those that remain, so all are legal.
            if not verify(found.best.partitioner.local, program.module.context):
                raise program.module.context.failure()
            found = found._replace(is_verified=True)
        found = found._replace(counted_form=partial(_counted_form, found.best, program.folded))
        if program.diagnostics.match_whole_program():
            return found
        FOLDED["unfolded"] += 1
        DECLINED[OtherDiagnostics.WHY] += 1
        return None

    def chosen_on_all_layers(self) -> ChosenPlan | None:
        """The plan made from the program with all layers, which are unfolded after propagation; None if no program has
        been folded, or if something else would be said about all layers.

        Raises:
            CannotPrice: the plans cannot be compared by what they cost.
            NoCertificate: the program cannot be unfolded.
            PyshardyError: the program cannot be partitioned.
        """
        if self._program is None or not self._program.diagnostics.match_whole_program():
            return None
        FOLDED["unfolded"] += 1
        self._program.unfold()
        return self._best(self._program.module, partial(Candidates, self._program.module))

    def _best(self, module: Module, candidates: Callable[[PlanOptions], Candidates]) -> ChosenPlan:
        """The best of the plans for ``module`` that ``candidates`` make."""
        return chosen_plan(
            module, lambda options: best_plan(candidates(options)), self._options, self._emit, self._price
        )


@paused_collector()
def _counted_form(best: CandidatePlan, folded: Folded) -> CountedPlan | None:
    """The counted plan of the folded program; None if costs cannot be counted."""
    try:
        return best.counted(partial(counted_source, folded)) if isinstance(best, FoldedPlan) else None
    except Exception as error:
        shortcuts.raise_if_strict(error)
        return None
