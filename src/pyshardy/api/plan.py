"""The public class of a plan, which ``partition`` returns."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pyshardy import planning
from pyshardy.api.module import Module
from pyshardy.api.with_answers import with_answers
from pyshardy.ir.collector import paused_collector
from pyshardy.module import check_is_module
from pyshardy.partitioning import plan

if TYPE_CHECKING:
    from pyshardy.analysis.cost.hardware import Hardware
    from pyshardy.analysis.cost.hardware_files import Source
    from pyshardy.analysis.why.explainer import Explainer
    from pyshardy.api.check_report import CheckReport
    from pyshardy.api.cost import Cost
    from pyshardy.api.explanations import CollectiveExplanation, Conflicts, TensorExplanation
    from pyshardy.propagation.journal import Journal


@dataclass(repr=False)
class Plan(plan.Plan):
    __doc__ = plan.Plan.__doc__

    module: Module
    source: Module
    local: Module

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        everything: bool = False,
        hardware: Source | Hardware | None = None,
    ) -> str:
        """The summary that ``pyshardy partition`` prints: memory and the largest tensors, collectives and the
        operations that need them. Rows that differ in an index alone are one row, unless ``everything`` is true. With a
        ``path`` the page of ``pyshardy report`` is written there, for a browser, and returned, with times and capacity
        of ``hardware``.

        Raises:
            ImportError: the page needs packages that are not installed (``pyshardy[report]``).
            ValueError: there is no such hardware.
            OSError: the page cannot be written.
        """
        if path is not None:
            from pyshardy.report.page.page import write_page

            return write_page(self._explainer, path, hardware)
        from pyshardy.report.console import printed
        from pyshardy.report.plan_summary import summarize_plan
        from pyshardy.report.plan_tables import print_plan

        with paused_collector():
            return printed(lambda out: print_plan(summarize_plan(self), out, everything=everything))

    def explain(
        self, *what: str, edits: bool | None = None, hardware: Source | Hardware | None = None
    ) -> list[TensorExplanation | CollectiveExplanation]:
        """Explains the tensors or collectives that ``what`` names, as ``pyshardy explain`` does (docs/explain.md). The
        program is propagated and partitioned once more, with a journal. With ``hardware`` the effects of edits are also
        in seconds.

        Raises:
            TypeError: what is asked about is no text.
            ValueError: a name matches nothing in the program, or without a star several tensors; or there is no such
                hardware.
        """
        from pyshardy.api.explanations import explained

        for one in what:
            if not isinstance(one, str):
                kind = type(one).__name__
                raise TypeError(f"explain takes names of tensors or collectives as text, as 'params/w', not a {kind}")

        explainer = self._explainer_on(hardware)
        return [explained(answer) for one in what for answer in explainer.explain(one, edits=edits)]

    def conflicts(self, *, edits: bool | None = None, hardware: Source | Hardware | None = None) -> Conflicts:
        """The conflicts between axes, grouped by the annotations that they come from, as ``pyshardy conflicts`` prints
        them; with ``hardware`` sorted by exposed seconds.

        Raises:
            ValueError: there is no such hardware.
        """
        from pyshardy.analysis.why.conflicts import find_conflicts
        from pyshardy.api.explanations import Conflicts

        return with_answers(Conflicts, find_conflicts(self._explainer_on(hardware), edits=edits))

    @cached_property
    def _explainer(self) -> Explainer:
        from pyshardy.analysis.why.explainer import Explainer

        return Explainer(self.source)

    def _explainer_on(self, on: Source | Hardware | None) -> Explainer:
        return self._explainer if on is None else self._explainer.on(on)

    def __repr__(self) -> str:
        from pyshardy.report.plan_page import plan_words

        return f"<Plan {plan_words(self)}>"

    def _repr_html_(self) -> str:
        """A table of the costs of the plan, for a notebook."""
        from pyshardy.report.plan_page import plan_page

        return plan_page(self)

    def cost(self, hardware: Source | Hardware | None = None) -> Cost:
        """The cost of a step on ``hardware``: a preset (``"h100"``, or ``"h100x8"``, ``"v5p:4x4x8"`` with the number of
        devices), a TOML file, a dict, or the result of ``pyshardy.hardware``; by default the hardware that the sharding
        file names.

        Raises:
            HardwareProblem: there is no such hardware, its description is wrong, or the mesh does not fit it; or none
                is given, and the sharding file names none.
            OSError: the file cannot be read.
        """
        from pyshardy.analysis.cost.estimate import cost_of
        from pyshardy.analysis.cost.hardware_files import HardwareProblem
        from pyshardy.analysis.cost.targets import named_target
        from pyshardy.api.cost import Cost

        if hardware is not None:
            return with_answers(Cost, cost_of(self, hardware))
        name = self.source.hardware
        if name is None:
            raise HardwareProblem('cost() needs hardware, as cost("h100"): the program has no sharding file with any')
        return with_answers(Cost, cost_of(self, named_target(name)))

    def check(self, seed: int = 0) -> CheckReport:
        """Runs the source program and the local one on random inputs in the interpreter, and compares the results.

        Raises:
            PyshardyError: the interpreter cannot run one of them, or not on so many devices.
            TooLarge: the tensors of all devices together take more than 16 GiB.
            UnknownInput: an argument has a dynamic size, or elements that are not plain numbers.
        """
        from pyshardy.api.check_report import CheckReport
        from pyshardy.checking.check import check_plan

        return with_answers(CheckReport, check_plan(self, seed))


def partition(
    module: Module,
    *,
    emit: str = "local",
    replica_groups: str = "list",
    propagated: bool = False,
    in_place: bool = False,
    chlo_rules: bool = True,
    progress: Callable[[int, int], None] | None = None,
    journal: Journal | None = None,
    hardware: Source | Hardware | None = None,
) -> Plan:
    """Makes the program of one device of ``module``, which stays as it is unless ``in_place`` allows
    changing it.

    Shardings are propagated first, unless ``propagated`` says that every value has the sharding that it should have;
    through operations of CHLO as well, unless ``chlo_rules`` is False (see ``pyshardy.propagate``). ``emit`` is one of
    ``FORMS``, ``replica_groups`` one of ``REPLICA_GROUPS``; ``progress`` is called with the number of operations that
    are done, and of all; there are more of them for each candidate plan. Propagation records its changes in
    ``journal``. The candidate plan that moves the fewest bytes is taken, or, with ``hardware``, or with hardware that
    the sharding file of the program names, the one that fits and is expected to take the fewest seconds there
    (``chosen_by`` says which).

    Raises:
        PyshardyError: propagation refuses the program, or its meshes have different numbers of devices.
        ValueError: an option has no such value, or the program has no function with a body; or there is no such
            hardware, or the mesh does not fit it.
        TypeError: ``module`` is no module.

    >>> from pyshardy import parse
    >>> plan = partition(parse('''
    ... sdy.mesh @mesh = <["x"=2]>
    ... func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
    ...   %0 = stablehlo.tanh %a : tensor<8x4xf32>
    ...   return %0 : tensor<8x4xf32>
    ... }'''))
    >>> print("\\n".join(line for line in str(plan.module).splitlines() if "tanh" in line))
        %0 = stablehlo.tanh %arg0 : tensor<4x4xf32>
    >>> plan.memory.arguments
    64
    """
    check_is_module(module, "partition")
    price = None
    if hardware is not None or module.hardware is not None:
        from pyshardy.analysis.cost.candidate_price import price_for, seconds_on

        price = price_for(module) if hardware is None else seconds_on(hardware)
    found = planning.partition(
        module,
        emit=emit,
        replica_groups=replica_groups,
        propagated=propagated,
        in_place=in_place,
        chlo_rules=chlo_rules,
        progress=progress,
        journal=journal,
        price=price,
    )
    if journal is not None and journal.run is None and not propagated:
        planning.keep_journal(module, journal, chlo_rules=chlo_rules)
    return with_answers(Plan, found)
