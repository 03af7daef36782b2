"""A plan: a partitioned program, with what it will cost. ``planning`` makes it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pyshardy.dialects.main_function import functions_by_name
from pyshardy.emitting.collectives import Collective
from pyshardy.emitting.layout import Sharded
from pyshardy.ir.operation import Value
from pyshardy.module import Module
from pyshardy.partitioning.account.counted import CountedMemory, CountedPlan, CountedProgram
from pyshardy.partitioning.account.memory import Memory, memory_of
from pyshardy.partitioning.account.memory_parts import memory_parts
from pyshardy.partitioning.boundary import Boundary
from pyshardy.sharding.mesh import Mesh

if TYPE_CHECKING:
    from pyshardy.analysis.cost.hardware import Hardware
    from pyshardy.analysis.cost.hardware_files import Source
    from pyshardy.analysis.cost.step_cost import Cost
    from pyshardy.analysis.why.conflicts import Conflicts
    from pyshardy.analysis.why.explainer import Explainer
    from pyshardy.analysis.why.explanation import Explanation
    from pyshardy.checking.verdicts import CheckReport
    from pyshardy.reading.tensor_names import TensorNames


@dataclass(frozen=True)
class Correspondence:
    """What became of each value: of ``module``, the program with all its shardings, in the local program. ``origins``
    says of values on one side of a call what they are on the other, ``inside`` what values have become in each function
    that is called from several places."""

    module: Module
    values: Mapping[Value, Sharded]
    origins: Mapping[Value, Value]
    inside: Sequence[Mapping[Value, Sharded]] = ()


class Account(NamedTuple):
    """What a plan tells of its program: the collectives that a run meets, and what became of each value."""

    collectives: tuple[Collective, ...]
    correspondence: Correspondence


def no_counts() -> CountedPlan | None:
    """None: every operation is looked at."""
    return None


@dataclass(repr=False)
class Plan:
    """A partitioned program.

    ``module`` is the program in the form asked for, ``source`` the program as it was given, ``local`` that of one
    device; ``arguments`` and ``results`` say how those of the function ``entry`` are cut up. ``seconds`` is how long it
    took. What ``account`` tells, ``collectives`` and ``correspondence``, is worked out when it is first asked for, as
    is ``memory``: ask before you change ``local``. ``source`` is not asked again.
    """

    module: Module
    source: Module
    local: Module
    form: str
    entry: str
    mesh: Mesh | None
    mesh_name: str | None
    arguments: tuple[Boundary, ...]
    results: tuple[Boundary, ...]
    account: Callable[[], Account]
    seconds: float
    folded_counts: Callable[[], CountedPlan | None] = no_counts
    """The plan as its costs are added up with few of its layers, while it is folded; None if it is not."""

    @property
    def collectives(self) -> tuple[Collective, ...]:
        """The collectives of the local program, each as often as it is called (loops count once)."""
        return self.account().collectives

    @property
    def correspondence(self) -> Correspondence:
        """What became of each value."""
        return self.account().correspondence

    @cached_property
    def memory(self) -> Memory:
        """What a device needs for the function ``entry``; worked out when it is first asked for."""
        return memory_of(self.local.op, functions_by_name(self.local.op)[self.entry])

    @property
    def counted(self) -> CountedPlan:
        """The plan as its costs are added up, with every operation."""
        memory, entry = self.memory, functions_by_name(self.local.op)[self.entry]
        return CountedPlan(
            CountedProgram(self.source.op, functions_by_name(self.source.op)[self.entry]),
            CountedProgram(self.local.op, entry),
            [(one, 1) for one in self.collectives],
            CountedMemory(memory.arguments, memory.results, memory.peak, memory_parts(memory, entry)),
        )

    @cached_property
    def names(self) -> TensorNames:
        """What the values of the global program are called: of the one with all its shardings, to which the causes of
        collectives belong."""
        from pyshardy.reading.tensor_names import TensorNames

        module = self.correspondence.module.op
        return TensorNames(module, functions_by_name(module)[self.entry], self.correspondence.origins)

    @property
    def devices(self) -> int:
        """On how many devices the program runs."""
        return self.mesh.total_size if self.mesh is not None else 1

    @property
    def bytes_moved(self) -> float:
        """The bytes that each device receives in all collectives."""
        return sum(one.bytes for one in self.collectives)

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        everything: bool = False,
        hardware: Source | Hardware | None = None,
    ) -> str:
        """What ``pyshardy partition`` says of it: memory and what fills it, collectives and what needs them. Rows that
        differ in an index alone are one, unless you want ``everything``. With a ``path`` the page of ``pyshardy
        report`` is written there, for a browser, and returned; ``hardware`` is what it gives times and capacity of.

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

        return printed(lambda out: print_plan(summarize_plan(self), out, everything=everything))

    def explain(self, *what: str, edits: bool | None = None) -> list[Explanation]:
        """Why the tensors or collectives that ``what`` names are as they are, as ``pyshardy explain`` says it
        (docs/explain.md). The program is propagated and partitioned once more, with a journal.

        Raises:
            ValueError: a name means nothing in the program, or without a star several tensors.
        """
        return [answer for one in what for answer in self._explainer.explain(one, edits=edits)]

    def conflicts(self, *, edits: bool | None = None) -> Conflicts:
        """Where axes meet and one loses, by the annotations behind it, as ``pyshardy conflicts`` says it."""
        from pyshardy.analysis.why.conflicts import find_conflicts

        return find_conflicts(self._explainer, edits=edits)

    @cached_property
    def _explainer(self) -> Explainer:
        from pyshardy.analysis.why.explainer import Explainer

        return Explainer(self.source)

    def __repr__(self) -> str:
        from pyshardy.report.plan_page import plan_words

        return f"<Plan {plan_words(self)}>"

    def _repr_html_(self) -> str:
        """What the plan costs, for a notebook."""
        from pyshardy.report.plan_page import plan_page

        return plan_page(self)

    def cost(self, hardware: Source | Hardware) -> Cost:
        """What a step costs on ``hardware``: a preset (``"h100"``), a TOML file, a dict, or what ``pyshardy.hardware``
        gives.

        Raises:
            HardwareProblem: there is no such hardware, its description is wrong, or the mesh does not fit it.
            OSError: the file cannot be read.
        """
        from pyshardy.analysis.cost.estimate import cost_of

        return cost_of(self, hardware)

    def check(self, seed: int = 0) -> CheckReport:
        """Runs the given program and the local one on random inputs in the interpreter, and compares the results.

        Raises:
            PyshardyError: the interpreter cannot run one of them.
        """
        from pyshardy.checking.check import check_plan

        return check_plan(self, seed)
