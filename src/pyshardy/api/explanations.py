"""The public classes of explanations and conflicts, whose ``str`` is the printed answer."""

from __future__ import annotations

from pyshardy.analysis.why import conflicts, explanation
from pyshardy.api.with_answers import with_answers


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
    """``answer`` as an object of a public class."""
    if isinstance(answer, explanation.TensorExplanation):
        return with_answers(TensorExplanation, answer)
    return with_answers(CollectiveExplanation, answer)
