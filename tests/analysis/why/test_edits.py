"""Edits that are shown, written to text, parsed and partitioned anew: the effect is the one that was shown."""

from pathlib import Path

import pytest

from pyshardy import Module, load, parse
from pyshardy.analysis.why.edits import CONSTRAIN, EDIT_KINDS, OPEN, POSTPONE, REPLICATE, SHARD, Edit
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.analysis.why.traced_program import TracedProgram
from pyshardy.sharding.axes import AxisRef
from tests.analysis.why.blocker_programs import STOPPED
from tests.analysis.why.programs import explained, program, sharded
from tests.analysis.why.soundness import tensors_of

ROOT = Path(__file__).parents[3]


def layouts(module: Module) -> list[set[tuple[tuple[AxisRef, ...], ...]]]:
    """How the tensors of a program are sharded in the end, without constraints, in its order."""
    traced = TracedProgram(module)
    found: dict[object, set[tuple[tuple[AxisRef, ...], ...]]] = {}
    for given, slot in tensors_of(traced):
        op = getattr(given, "defining_op", None)
        if op is None or op.name != "sdy.sharding_constraint":
            found.setdefault(given, set()).add(traced.layout(slot))
    return list(found.values())


def check(given: Module, edit: Edit) -> None:
    again = parse(edit.edited.text(debug_info=True), "edited")
    traced, effect = TracedProgram(again), edit.effect
    assert (traced.plan.bytes_moved, traced.bytes_in_a_run) == (effect.bytes_moved, effect.bytes_moved_in_a_run)
    assert traced.plan.memory.peak == effect.peak_memory
    before = TracedProgram(given)
    assert (before.plan.bytes_moved, before.plan.memory.peak) == (effect.bytes_moved_before, effect.peak_memory_before)
    if edit.proposal.kind != CONSTRAIN:
        pairs = zip(layouts(given), layouts(again), strict=True)
        assert sum(one != other for one, other in pairs) == effect.changed_tensors


@pytest.mark.parametrize("number", range(len(STOPPED)))
def test_an_edit_has_the_effect_that_is_shown_and_brings_what_was_asked_for(number: int) -> None:
    stopped = STOPPED[number]
    for edit in explained(stopped.text, stopped.what, edits=True).edits:
        check(parse(stopped.text), edit)
        assert edit.proposal.kind in EDIT_KINDS and edit.text


def kinds(text: str, what: str) -> dict[str, Edit]:
    """The first edit of each kind."""
    return {edit.proposal.kind: edit for edit in reversed(explained(text, what, edits=True).edits)}


def brings(edit: Edit, what: str, dim: int, axis: str = '"x"') -> bool:
    found = explained(edit.edited.text(), what).dimensions[dim].chains
    return axis in [one.axis.body_text for one in found]


def test_a_closed_dimension_is_opened() -> None:
    stopped = STOPPED[0]
    edit = kinds(stopped.text, stopped.what)[OPEN]
    assert edit.text == "open dimension 0 of result 0: <@mesh, [{?}, {?}]>" and brings(edit, stopped.what, 0)


def test_what_is_in_the_way_gets_a_later_priority_or_loses_its_axis() -> None:
    text = program(f"""
func.func @main(%a: tensor<8xf32> {sharded('[{"x"}]')}, %b: tensor<8xf32> {sharded('[{"y"}]')}) -> tensor<8xf32> {{
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}}""")
    found = kinds(text, "%0")
    assert {POSTPONE, REPLICATE} & set(found)
    assert all(any(brings(edit, "%0", 0, axis) for axis in ('"x"', '"y"')) for edit in found.values())


def test_what_nobody_asked_for_can_be_written_on_an_argument_or_behind_an_operation() -> None:
    text = program(f"""
func.func @main(%a: tensor<8x8xf32> {sharded("[{?}, {?}]")}) -> tensor<8x8xf32> {{
  %0 = stablehlo.tanh %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}}""")
    shard, constrain = kinds(text, "%arg0")[SHARD], kinds(text, "%0")[CONSTRAIN]
    assert brings(shard, "%arg0", 0) and brings(constrain, "%0", 0)
    assert constrain.text.startswith("constrain %0 to ")


def test_no_edit_is_shown_that_does_not_do_what_it_says() -> None:
    for stopped in STOPPED:
        answer = explained(stopped.text, stopped.what, edits=True)
        before = [{one.axis for one in dimension.chains} for dimension in answer.dimensions]
        for edit in answer.edits:
            after = explained(edit.edited.text(), stopped.what) if edit.proposal.kind != CONSTRAIN else None
            if after is not None and not answer.moves:
                gained = [
                    {one.axis for one in dim.chains} - had for dim, had in zip(after.dimensions, before, strict=True)
                ]
                assert any(gained), edit.text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mlp", "priorities", "transformer_fsdp"])
def test_edits_of_examples_have_the_effects_that_are_shown(name: str) -> None:
    module = load(ROOT / "examples" / f"{name}.mlir")
    explainer = Explainer(module)
    questions = {"all_gather:0", "all_reduce:0"} & {f"{one.kind}:0" for one in explainer.traced.plan.collectives}
    for question in questions:
        for edit in explainer.explain(question)[0].edits:
            check(module, edit)
