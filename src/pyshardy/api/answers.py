"""What a plan answers, as a person meets it: data of the rooms below that print themselves, in a notebook too."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

from pyshardy.analysis.cost import step_cost
from pyshardy.analysis.why import conflicts, explanation
from pyshardy.checking import verdicts

_Answer = TypeVar("_Answer")


class Cost(step_cost.Cost):
    __doc__ = step_cost.Cost.__doc__

    def report(self, *, everything: bool = False) -> str:
        """What ``pyshardy cost`` prints; with ``everything`` all operations."""
        from pyshardy.report.console import printed
        from pyshardy.report.cost_tables import print_cost

        return printed(lambda out: print_cost(self, out, everything=everything))

    def _repr_html_(self) -> str:
        """The figures, for a notebook."""
        from pyshardy.report.cost_page import cost_page

        return cost_page(self)


class CheckReport(verdicts.CheckReport):
    __doc__ = verdicts.CheckReport.__doc__

    def __repr__(self) -> str:
        from pyshardy.report.check_tables import outcome

        return f"<CheckReport: {outcome(self)} on {self.devices} devices, {self.evaluation} evaluation>"

    def _repr_html_(self) -> str:
        """The verdicts, for a notebook."""
        from pyshardy.report.check_page import check_page

        return check_page(self)


class Conflicts(conflicts.Conflicts):
    __doc__ = conflicts.Conflicts.__doc__

    def __str__(self) -> str:
        from pyshardy.report.conflict_tables import print_conflicts
        from pyshardy.report.console import printed

        return printed(lambda out: print_conflicts(self, out))

    def _repr_html_(self) -> str:
        """The causes, for a notebook."""
        from pyshardy.report.conflict_page import conflict_page

        return conflict_page(self)


class TensorExplanation(explanation.TensorExplanation):
    __doc__ = explanation.TensorExplanation.__doc__

    def __str__(self) -> str:
        return _printed(self)

    def _repr_html_(self) -> str:
        """The answer, for a notebook."""
        from pyshardy.report.explanation_page import tensor_page

        return tensor_page(self)


class CollectiveExplanation(explanation.CollectiveExplanation):
    __doc__ = explanation.CollectiveExplanation.__doc__

    def __str__(self) -> str:
        return _printed(self)

    def _repr_html_(self) -> str:
        """The answer, for a notebook."""
        from pyshardy.report.explanation_page import collective_page

        return collective_page(self)


def _printed(answer: explanation.Explanation) -> str:
    from pyshardy.report.console import printed
    from pyshardy.report.explanation_text import print_explanation

    return printed(lambda out: print_explanation(answer, out))


def explained(answer: explanation.Explanation) -> TensorExplanation | CollectiveExplanation:
    """``answer``, that prints itself."""
    if isinstance(answer, explanation.TensorExplanation):
        return with_answers(TensorExplanation, answer)
    return with_answers(CollectiveExplanation, answer)


def with_answers(kind: type[_Answer], data: Any) -> _Answer:
    """The dataclass ``data`` of a room below as a ``kind``, a subclass of its own that answers for itself."""
    return kind(**{field.name: getattr(data, field.name) for field in fields(data)})
