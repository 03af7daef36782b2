"""Causes, conflicts and edits of programs whose plans were found with few layers: they are those of all layers."""

from __future__ import annotations

from itertools import product

import pytest

from pyshardy import parse, partition
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.folding.switch import FOLDED
from tests.folding.fuzz import small_programs_too
from tests.folding.programs import perceptrons
from tests.folding.switch import without_folding
from tests.propagation.alike_programs import AlikeProgram
from tests.propagation.layered_programs import LayeredProgram
from tests.sampling import sampled

PROGRAMS = {
    "layers": str(LayeredProgram(500, 16)),
    "loops": str(AlikeProgram(500, 14, "loops")),
    "chains": str(AlikeProgram(502, 14, "chains")),
}


def causes(text: str, hardware: str | None) -> object:
    plan = partition(parse(text))
    return rounded(plan.conflicts(edits=True, hardware=hardware).as_json())


def rounded(value: object) -> object:
    """``value``, where sums of many floats may have been added up in another order."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize(("hardware", "name"), sampled(product([None, "h100"], PROGRAMS), 2))
def test_conflicts_are_those_of_all_layers(name: str, hardware: str | None) -> None:
    before = FOLDED["folded"]
    with small_programs_too():
        found = causes(PROGRAMS[name], hardware)
    # The program, and each that was tried.
    assert FOLDED["folded"] > before
    with without_folding():
        assert found == causes(PROGRAMS[name], hardware)


def test_a_journal_is_kept_of_all_layers_when_it_is_asked_for() -> None:
    text = perceptrons(60)
    with small_programs_too():
        traced = TracedProgram(parse(text))
    assert traced._journal.run is None
    with without_folding():
        whole = TracedProgram(parse(text))
    assert [len(one.journal.changes) for one in (traced, whole)] == [len(whole.journal.changes)] * 2
    assert traced.bytes_in_a_run == whole.bytes_in_a_run
    assert layouts(traced) == layouts(whole)


def layouts(traced: TracedProgram) -> list[list[object]]:
    """Those of all tensors, at each place where passes have put them."""
    return [[traced.layout(slot) for slot in traced.slots(value)] for value in traced.given_values()]
