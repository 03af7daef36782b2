"""How a pass comes by its names: in the table, in diagnostics, and in help."""

from __future__ import annotations

from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.pass_registry import pass_names, pass_or_pipeline
from pyshardy.ir.passes import Pass, register_pass


@register_pass("test-two-sentences", on="any")
class TwoSentences(Pass):
    """Leaves ``sdy.mesh`` operations, and all
    others, alone. Says more than help repeats."""

    def apply(self, op: Operation, context: Context) -> bool:
        return False


def test_help_says_the_first_sentence() -> None:
    assert TwoSentences.summary == "Leaves sdy.mesh operations, and all others, alone."


def test_diagnostics_name_the_class() -> None:
    assert TwoSentences.class_name == "TwoSentencesPass"


def test_what_is_given_comes_before_what_follows_from_the_class() -> None:
    @register_pass("test-given", on="any", class_name="Other", summary="Is given.")
    class Given(TwoSentences):
        """Is not said."""

    assert (Given.name, Given.anchor, Given.class_name, Given.summary) == ("test-given", "any", "Other", "Is given.")


def test_every_name_leads_to_its_class() -> None:
    for name in pass_names():
        found = pass_or_pipeline(name)
        assert found is not None
        assert found.name == {"sdy-constant-merger": "sdy-constant-or-scalar-merger"}.get(name, name)
        assert found.summary.endswith(".")
