"""What few layers say of the bytes, the memory and the work of all of them, before they are unfolded."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest

from pyshardy import hardware, parse, partition
from pyshardy.analysis.cost.recomputed import recomputed
from pyshardy.analysis.cost.step import time_step, walk_work
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.folding.candidates import FoldedCandidates, layers_for_plans, program_for_plans
from pyshardy.folding.counting.peak import moments_between
from pyshardy.ir import rewriting
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.partitioning.account.counted import CountsDiffer
from pyshardy.partitioning.best_plan import best_plan
from pyshardy.partitioning.candidate_plan import CandidatePlan, kinds_of_collectives, kinds_of_operations
from pyshardy.partitioning.candidate_plans import Candidates, PlanOptions
from pyshardy.planning import _propagation
from tests.folding.fuzz import cost_seen, in_program_order, outcome, small_programs_too, wrong_of
from tests.folding.fuzz import donating as giving_memory
from tests.folding.programs import SQUARE, gathered, keeping_copies, random_program
from tests.folding.stacks import clipped_moments
from tests.folding.switch import without_folding
from tests.folding.test_plans import ALL
from tests.folding.updated_layers import UpdatedLayers
from tests.propagation.alike_programs import AlikeProgram
from tests.propagation.layered_programs import LayeredProgram
from tests.sampling import sampled

DONATED = "{jax.buffer_donor = true, "


def candidates(text: str) -> Candidates:
    propagation = _propagation(collectives=False)
    with small_programs_too():
        module = parse(text)
        layers = layers_for_plans(module.op, OperationKinds(module.op))
        assert layers is not None
        program = program_for_plans(module, layers, propagation)
    assert program is not None
    return FoldedCandidates(program, PlanOptions(propagation, False, None, False, None))


def costs(plan: CandidatePlan) -> tuple[float, int, int]:
    return plan.rounded_bytes, plan.work, plan.peak


def donating(text: str) -> str:
    """The same program, that may have the memory of its weights."""
    return text.replace(": " + SQUARE + " {sdy", ": " + SQUARE + " " + DONATED + "sdy")


def seen(text: str) -> tuple[CandidatePlan, tuple[float, int, int]]:
    """The best plan, unfolded, and what it cost before."""
    plan = best_plan(candidates(text))
    few = len(plan.partitioner.local.operations())
    found = costs(plan)
    assert len(plan.partitioner.local.operations()) == few
    assert len(plan.local().operations()) > few
    for name in ("bytes", "work", "peak"):
        plan.__dict__.pop(name)
    assert costs(plan) == found
    return plan, found


@pytest.mark.parametrize("model", ALL)
def test_models(model: str) -> None:
    seen(ALL[model])


@pytest.mark.parametrize("change", [str, donating])
def test_what_is_kept_from_one_series_to_another_grows_with_the_layers(change: Any) -> None:
    text, shorter = change(gathered(60)), change(gathered(30))
    assert (DONATED in text) == (change is donating)
    # An activation of each layer at least, of which a device has a half.
    assert seen(text)[1][2] - seen(shorter)[1][2] > 25 * 32 * 32 * 4 / 2


@pytest.mark.parametrize("seed", [2, 7, 18, 20, 45, 50, 6055])
def test_random_programs(seed: int) -> None:
    seen(random_program(seed))


REMAT = """
func.func @main(%x: tensor<8x8xf32>{arguments}) -> tensor<8x8xf32> {{
{body}
  return %{last} : tensor<8x8xf32>
}}"""


def recomputing(layers: int) -> str:
    """A chain of matrix products each of which stands twice: the second time is a recomputation."""
    body, before = [], "x"
    for layer in range(layers):
        product = f"stablehlo.dot_general %{before}, %w{layer}, contracting_dims = [1] x [0] : (%T, %T) -> %T"
        body += [
            f"  %a{layer} = {product}",
            f"  %b{layer} = {product}",
            f"  %c{layer} = stablehlo.add %a{layer}, %b{layer} : %T",
            f"  %d{layer} = stablehlo.tanh %c{layer} : %T",
        ]
        before = f"d{layer}"
    arguments = "".join(f", %w{layer}: %T" for layer in range(layers))
    found = REMAT.format(arguments=arguments, body="\n".join(body), last=before)
    return found.replace("%T", "tensor<8x8xf32>")


@pytest.mark.parametrize(
    "text",
    sampled([*ALL.values(), recomputing(40), keeping_copies(450), clipped_moments(60)], 3),
    ids=[*ALL, "recomputing", "keeping copies", "clipped moments"],
)
def test_the_cost_of_all_layers_comes_from_few(text: str) -> None:
    with small_programs_too():
        plan = partition(parse(text))
    counted = plan.counted_form()
    assert counted is not None
    few = len(counted.local.module.operations())
    cost = cost_seen(plan)
    assert len(plan.local.op.operations()) > few
    with without_folding():
        assert cost_seen(partition(parse(text))) == cost


@pytest.mark.parametrize("model", sampled(ALL, 2))
def test_tasks_of_all_layers_come_from_few(model: str) -> None:
    with small_programs_too():
        plan = partition(parse(ALL[model]))
    counted = plan.counted_form()
    assert counted is not None
    few, whole = (TimedPlan(plan, "h100", one).overlap.placed.tasks for one in (counted, None))
    assert few.waits == whole.waits
    assert (few.seconds, few.links, few.bytes) == (whole.seconds, whole.links, whole.bytes)
    assert list(few.loops) == list(whole.loops)
    assert [one[1:] for one in few.calls] == [one[1:] for one in whole.calls]


@pytest.mark.parametrize("model", ["attending", "clipped", "own functions", "sorted by name"])
def test_the_source_tells_where_the_operations_of_all_layers_stand(model: str) -> None:
    with small_programs_too():
        counted = partition(parse(ALL[model])).counted_form()
    assert counted is not None
    source, functions = counted.source, functions_by_name(counted.source.module)
    assert len(source.operations) < len(list(source.entry.body))
    told, called = [nested for op in source.operations for nested in op.operations()], set()
    for op in told:
        if op.name == "func.call" and callee(op) not in called:
            called.add(callee(op))
            told += functions[callee(op)].operations()
    stand = [op.location for one in functions.values() for op in one.operations() if op is not source.entry]
    assert Counter(location for op in told for location in source.locations(op)) == Counter(stand)


def test_what_is_computed_again_counts_in_every_layer() -> None:
    with small_programs_too():
        plan = partition(parse(recomputing(40)))
    counted = plan.counted_form()
    assert counted is not None
    step = walk_work(counted.source, hardware("h100").chip)
    assert recomputed(counted.source, plan.source.context, step).flops == 40 * 2 * 8**3
    cost = plan.cost("h100")
    assert cost.recomputed_flops == 40 * 2 * 8**3
    assert cost.model_flops == pytest.approx(cost.recomputed_flops + 40 * 2 * 8 * 8)


def test_a_program_that_is_unfolded_is_counted_as_a_whole() -> None:
    with small_programs_too():
        plan = partition(parse(recomputing(40)))
    assert plan.collectives == ()
    assert str(plan.local)
    assert plan.counted_form() is None
    assert plan.cost("h100").recomputed_flops == 40 * 2 * 8**3


def test_what_is_not_alike_is_not_multiplied() -> None:
    with small_programs_too():
        plan = partition(parse(recomputing(40)))
    counted = plan.counted_form()
    assert counted is not None
    product, addition = (
        next(op for op in counted.local.entry.body if op.name == name)
        for name in ("stablehlo.dot_general", "stablehlo.add")
    )
    operations = list(counted.source.entry.body)
    local = counted.local._replace(alike=[(product, addition)])
    with pytest.raises(CountsDiffer):
        time_step(local, hardware("h100").chip)
    source = counted.source._replace(alike=[(operations[0], operations[1])])
    step = time_step(source, hardware("h100").chip)
    with pytest.raises(CountsDiffer):
        recomputed(source, plan.source.context, step)


def test_a_program_that_was_changed_since_is_counted_as_a_whole() -> None:
    module = parse(recomputing(40))
    with small_programs_too():
        plan = partition(module)
    first = next(op for op in module.op.operations() if op.name == "stablehlo.tanh")
    rewriting.replace_op(first, first.operands)
    counted = plan.counted_form()
    assert counted is not None
    with pytest.raises(CountsDiffer):
        _ = counted.source
    assert plan.cost("h100").peak_bytes == plan.memory.peak


def test_a_region_that_was_changed_since_has_no_counterparts() -> None:
    """In the middle of the model an operation in a loop is gone since the program was folded."""
    module = parse(str(AlikeProgram(500, 24, "loops")))
    with small_programs_too():
        counted = partition(module).counted_form()
    assert counted is not None
    source = counted.source
    loops = [op for op in module.op.operations() if op.name == "stablehlo.while"]
    nested = loops[len(loops) // 2].regions[1].blocks[0].first
    assert nested is not None
    rewriting.replace_op(nested, [*nested.operands, *loops[0].operands][: len(nested.results)])
    template = next(op for op in source.multiplicities if op.name == "stablehlo.while")
    assert len(source.locations(template)) == source.multiplicities[template] > 8
    with pytest.raises(CountsDiffer):
        source.locations(template.operations()[-1])


def test_memory_and_bytes_of_all_layers_come_from_few() -> None:
    # Fewer layers would run depth first, which few of them do not tell.
    text = gathered(300)
    with small_programs_too():
        plan = partition(parse(text))
    memory, moved = plan.memory, plan.bytes_moved
    seen = repr(memory), memory.peak
    # Nothing was unfolded so far.
    assert plan.counted_form() is not None
    with without_folding():
        other = partition(parse(text))
    assert seen == (repr(other.memory), other.memory.peak)
    assert moved == other.bytes_moved
    assert [one.bytes for one in memory.live_at_peak] == [one.bytes for one in other.memory.live_at_peak]
    assert memory.reserved == other.memory.reserved
    assert plan.counted_form() is None


def test_a_layer_that_was_left_out_may_have_the_first_of_equal_peaks() -> None:
    """The backward pass needs equal bytes in all layers. With all of them the peak is in layer 1, which is left out:
    layer 0, the template, has empty result buffers of the same size, but comes later."""
    layers = UpdatedLayers(184)
    layers.count, layers.order = 12, sorted(range(12), key=str)
    text = str(layers)
    with small_programs_too(), in_program_order():
        cost = cost_seen(partition(parse(text)), ["v5e"])
        with without_folding():
            assert cost_seen(partition(parse(text)), ["v5e"]) == cost


@pytest.mark.parametrize("seed", [20042, 20102, 20103, 81033])
def test_the_cost_of_random_programs(seed: int) -> None:
    text = str(LayeredProgram(seed, 30 + seed % 15))
    with small_programs_too():
        plan = partition(parse(text))
    assert plan.counted_form() is not None
    cost = cost_seen(plan)
    with without_folding():
        assert cost_seen(partition(parse(text))) == cost


@pytest.mark.parametrize("seed", [930067, 930227])
def test_what_is_read_two_layers_above_is_not_kept_until_the_end(seed: int) -> None:
    """Behind the layer above the splice point the model ends: what the layers below and above it make is read by the
    same operation last, two layers away and one."""
    text = giving_memory(str(LayeredProgram(seed, 30 + seed % 15)), "a-zA-Z")
    with small_programs_too(), in_program_order():
        assert wrong_of(text, partial(outcome, hardware="v5e")) is None


def test_a_search_through_layers_may_end_elsewhere_with_all_of_them() -> None:
    text = clipped_moments(80, chained=True)
    with small_programs_too(), in_program_order():
        assert wrong_of(text, partial(outcome, chips=["v5e"])) is None


def test_a_plan_with_other_layers_kept_may_have_the_operations_of_an_earlier_one() -> None:
    """A plan is re-seeded on a folding of its own; the plan that comes of it is one that is known, in another order."""
    text = str(LayeredProgram(970147, 37))
    with small_programs_too(), in_program_order():
        assert wrong_of(text, partial(outcome, hardware="v5e")) is None


def test_values_outside_of_layers_may_be_read_beyond_them() -> None:
    """A number of the device is read behind all layers only: whether each reader computes it again is decided by a
    search through these, which ends after a number of operations."""
    text = giving_memory(str(LayeredProgram(980047, 37)), "a-zA-Z")
    with small_programs_too(), in_program_order():
        assert wrong_of(text, partial(outcome, hardware="v5e")) is None


@pytest.mark.parametrize("model", ["attending", "clipped", "own functions", "sorted by name"])
def test_operations_and_collectives_are_counted_with_all_layers(model: str) -> None:
    plan = best_plan(candidates(ALL[model]))
    operations, collectives = plan._kinds
    assert operations == kinds_of_operations(plan.local().operations())
    assert collectives == kinds_of_collectives(plan.collectives())
    assert collectives.total() > 0


def test_a_value_with_one_reader_may_be_computed_by_several_kernels() -> None:
    """Each layer adds up the gradients of two batches; several kernels compute the update that alone reads the sum."""
    with small_programs_too(), in_program_order():
        assert wrong_of(str(AlikeProgram(2380047, 36, "batches")), partial(outcome, chips=["v5e"])) is None


def test_changes_before_an_operation_that_changes_nothing_are_seen_at_the_next_moment() -> None:
    course = [(-1, 10, 10), (2, 30, 20), (4, 25, 20), (8, 90, 80), (9, 85, 80)]
    assert moments_between(course, 2, 4) == course[:3]
    assert moments_between(course, 4, 6) == course[1:4]
    assert moments_between(course, 4, 8) == course[1:4]
