"""Layers that an optimizer goes through in another order than the model, as their names are sorted."""

from __future__ import annotations

from functools import partial

import pytest

from pyshardy import parse, partition, planning, run_passes
from pyshardy.dialects.main_function import find_main_function
from pyshardy.folding.candidates import layers_for_plans, program_for_plans
from pyshardy.folding.certifying.splice import Splice
from pyshardy.folding.certifying.use_order import UsesLeftOut
from pyshardy.folding.counting.all_layers import segments_of_all_layers
from pyshardy.folding.counting.folded_plan import FoldedPlan
from pyshardy.folding.detecting.detection import detected_layers
from pyshardy.folding.fold import fold
from pyshardy.folding.program import FoldedProgram
from pyshardy.ir import rewriting
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.partitioning.account.executions import executions_of_block
from pyshardy.partitioning.best_plan import best_plan
from pyshardy.versions import is_compiled
from tests.folding.fuzz import (
    by_few,
    cost_seen,
    in_program_order,
    outcome,
    passed,
    small_programs_too,
    wrong_of,
)
from tests.folding.programs import ROWS, SQUARE
from tests.folding.stacks import growing, meeting, normed, reading_beside, sorted_by_name, wide_updates
from tests.folding.switch import without_folding
from tests.folding.test_costs import candidates
from tests.folding.updated_layers import UpdatedLayers
from tests.sampling import sampled

PASSES = "sdy-propagation-pipeline"
BY_NAME, BY_NAME_24 = (sorted(range(count), key=str) for count in (40, 24))
MIDST_TURNED = [*range(15), *reversed(range(15, 45)), *range(45, 60)]
"""Layers that are left out stand against the order of those that are kept."""
LOWEST_APART = [1, *range(10, 20), 2, 20, 21, 0, 22, 23, *range(3, 10)]
LEFT_OUT_LAST = [1, 2, *range(4, 20), 3, *range(35, 40), 0, *range(20, 35)]
MIDST_FIRST = [0, 1, *range(25, 40), *range(2, 25), *range(40, 60)]
"""Some of those that are left out stand in front of most of those that are kept."""


def test_layers_that_meet_are_not_folded_where_their_order_decides() -> None:
    with small_programs_too():
        for order, is_folded in ((list(range(60)), True), (MIDST_TURNED, False)):
            text = meeting(order)
            assert by_few(lambda: wrong_of(text, partial(passed, pipeline=PASSES))) == (is_folded, None)  # noqa: B023


def test_updates_may_set_off_visits_to_operations_of_no_layer() -> None:
    """The gradient of the first layer is made in another way, and gets its sharding from the update."""
    plain = f"%d0 = stablehlo.dot_general %x0, %a0, contracting_dims = [0] x [0] : ({ROWS}, {ROWS}) -> {SQUARE}"
    turned = f"""%t0 = stablehlo.dot_general %a0, %x0, contracting_dims = [0] x [0] : ({ROWS}, {ROWS}) -> {SQUARE}
    %d0 = stablehlo.transpose %t0, dims = [1, 0] : ({SQUARE}) -> {SQUARE}"""
    text = sorted_by_name(60)
    assert plain in text
    with small_programs_too():
        act = partial(passed, pipeline=PASSES)
        assert by_few(lambda: wrong_of(text.replace(plain, turned), act)) == (True, None)


@pytest.mark.parametrize("shared", ["", "0.5"])
def test_programs_are_partitioned_the_same(shared: str) -> None:
    with small_programs_too():
        assert wrong_of(wide_updates(MIDST_FIRST, shared), partial(outcome, chips=["v5e"])) is None


def test_most_memory_may_be_needed_where_layers_are_left_out() -> None:
    plan = best_plan(candidates(wide_updates(MIDST_FIRST)))
    found = plan.peak
    plan.local()
    plan.__dict__.pop("peak")
    assert plan.peak == found


@pytest.mark.parametrize("shared", [False, True])
def test_memory_may_grow_until_the_last_layer_that_is_left_out(shared: bool) -> None:
    """Shared values die in the last layer of all, which is left out, not in the last one that was kept. So the peak is
    not known without all layers."""
    text = growing(LEFT_OUT_LAST, shared=shared)
    with small_programs_too(), in_program_order():
        plan = best_plan(candidates(text))
        assert isinstance(plan, FoldedPlan) and plan._peak_of_layers is None
        found = plan.peak
        plan.local()
        plan.__dict__.pop("peak")
        assert plan.peak == found
        assert by_few(lambda: wrong_of(text, partial(outcome, chips=["v5e"]))) == (True, None)


def test_memory_may_be_highest_in_the_last_layer_of_all_which_is_left_out() -> None:
    text = growing([0, *range(20, 24), *range(1, 20)])
    with small_programs_too(), in_program_order():
        plan = partition(parse(text))
        cost = cost_seen(plan, ["v5e"])
        with without_folding():
            assert cost_seen(partition(parse(text)), ["v5e"]) == cost


@pytest.mark.parametrize("seed, is_unfolded", [(2454119, True), (2454120, False), (2454015, True)])
def test_memory_of_random_optimizers(seed: int, is_unfolded: bool) -> None:
    """It is highest among their updates; costs need all layers if that may be in a layer that is left out."""
    text = str(UpdatedLayers(seed))
    with small_programs_too(), in_program_order():
        plan = partition(parse(text))
        cost = cost_seen(plan, ["v5e"])
        # Compiled modules do not see that small programs shall run in the order in which they are written.
        assert is_compiled() or (plan.counted_form() is None) == is_unfolded
        with without_folding():
            assert cost_seen(partition(parse(text)), ["v5e"]) == cost


@pytest.mark.parametrize("order", [sorted(range(30), key=str), MIDST_TURNED, MIDST_FIRST])
def test_values_may_die_in_the_update_of_another_layer(order: list[int]) -> None:
    text = reading_beside(order)
    with small_programs_too(), in_program_order():
        plan = best_plan(candidates(text))
        assert isinstance(plan, FoldedPlan) and plan._peak_of_layers is not None
        assert wrong_of(text, partial(outcome, chips=["v5e"])) is None


def test_where_values_die_is_not_known_if_the_order_of_layers_decides_who_reads_them_last() -> None:
    text = reading_beside(sorted(range(30), key=str), twice=True)
    with small_programs_too(), in_program_order():
        plan = best_plan(candidates(text))
        assert isinstance(plan, FoldedPlan) and plan._peak_of_layers is None
        assert wrong_of(text, partial(outcome, chips=["v5e"])) is None


def test_the_last_layer_may_be_the_first_to_read_what_all_read() -> None:
    module, order = parse(sorted_by_name(24)), sorted(range(24), key=str)
    main = find_main_function(module.op)
    assert main is not None
    layers = detected_layers(main)
    folded = fold(module.op, layers, 5, 19)
    assert folded is not None
    constant = next(op for op in folded.function.body if op.name == "stablehlo.constant")
    *others, last = constant.result._uses
    rewriting.order_uses(constant.result, [last, *others])
    found: list[int] = []
    for reader in Splice(folded).outside[constant.result]:
        if isinstance(reader, UsesLeftOut):
            found += reader.layers if reader.uses else ()
        else:
            layer = layers.layer(folded.number_of_origin(reader[0].location) or 0)
            assert layer is not None
            found.append(layer)
    *others_of_all, last_of_all = order
    assert last_of_all == 9
    assert found == [9, *others_of_all]


@pytest.mark.parametrize("layers", sampled([12, 13, 14, 15], 2))
def test_arguments_of_a_repeat_may_be_of_two_layers_that_are_sorted(layers: int) -> None:
    """The first layer has one operation only, so repeats begin in the midst of layers: one has the second weight of
    layer 9 and the first weight of layer 10, which is given before."""
    sharding = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    weights = [f"%{kind}{n}: {SQUARE} {sharding}" for n in sorted(range(layers), key=str) for kind in "ab"]
    body = [f"%x1 = stablehlo.add %a0, %b0 : {SQUARE}"]
    for n in range(1, layers):
        body += [
            f"%y{n} = stablehlo.multiply %x{n}, %a{n} : {SQUARE}",
            *(
                f"%t{n}_{step} = stablehlo.cosine %{f't{n}_{step - 1}' if step else f'y{n}'} : {SQUARE}"
                for step in range(64)
            ),
            f"%x{n + 1} = stablehlo.add %t{n}_63, %b{n} : {SQUARE}",
        ]
    text = "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=2]>',
            f"func.func @main({', '.join(weights)}) -> {SQUARE} {{",
            *body,
            f"return %x{layers} : {SQUARE}",
            "}",
        ]
    )
    with small_programs_too():
        assert by_few(lambda: wrong_of(text)) == (True, None)


EVERYWHERE = "[{}, {}]"


@pytest.mark.parametrize("hardware", [None, "v5e"])
@pytest.mark.parametrize(
    ("order", "others", "is_folded"),
    [
        (BY_NAME, {}, True),
        # What layer 2 gets from layer 19, and hands on to layer 20, is made otherwise: both are left out.
        (BY_NAME, {2: EVERYWHERE}, False),
        # The last layer in the text is left out.
        (BY_NAME_24, {}, True),
        # Layer 25 gets the sum from layer 1, and so on: the first to be left out is not the lowest.
        (MIDST_FIRST, {}, True),
        # The first layer in the text gets no sum, and is next to an insertion point.
        (LOWEST_APART, {}, True),
    ],
)
def test_a_sum_may_go_through_layers_in_the_order_of_their_names(
    order: list[int], others: dict[int, str], is_folded: bool, hardware: str | None
) -> None:
    with small_programs_too(), in_program_order():
        act = partial(outcome, hardware=hardware, chips=["v5e"])
        assert by_few(lambda: wrong_of(normed(order, others), act)) == (is_folded, None)


@pytest.mark.parametrize("order", [BY_NAME, BY_NAME_24, MIDST_FIRST])
def test_executions_and_memory_of_layers_that_a_sum_goes_through_are_known_without_them(order: list[int]) -> None:
    with small_programs_too(), in_program_order():
        plan = best_plan(candidates(normed(order)))
        assert isinstance(plan, FoldedPlan)
        assert plan._peak_of_layers is not None
        executions = [one for segment in segments_of_all_layers(plan._splice) for one in segment.executions()]
    body = next(op for op in plan.local().body if op.symbol_name == "main").body
    # Those of the last operation are the values that layers which were kept return.
    assert [(one.op.name, one.operands) for one in executions[:-1]] == [
        (one.op.name, one.operands) for one in executions_of_block(body)[:-1]
    ]


def test_a_sum_that_the_function_returns_belongs_to_the_last_layer() -> None:
    types = ", ".join([*[SQUARE] * 24, ROWS])
    text = normed(BY_NAME_24).replace("sqrt %t9", "constant dense<2.0>")
    text = text.replace(f"-> ({types})", f"-> ({types}, tensor<f32>)")
    text = text.replace(f"%g0 : {types}", f"%g0, %t9 : {types}, tensor<f32>")
    with small_programs_too(), in_program_order():
        assert by_few(lambda: wrong_of(text, partial(outcome, chips=["v5e"]))) == (True, None)


def test_some_of_the_layers_that_a_sum_goes_through_are_written_first() -> None:
    text = normed(BY_NAME)
    source = parse(text)
    with small_programs_too():
        layers = layers_for_plans(source.op, OperationKinds(source.op))
        assert layers is not None
        program = program_for_plans(source, layers, planning.propagation_for_plans())
        assert program is not None
        left_out = range(program.folded.first, program.folded.end)
        assert [layer for layer in BY_NAME[:8] if layer in left_out] == [10, 11, 12, 13, 14, 15]
        less = program.unfold_partially(left_out.start + 2, left_out.stop - 2)
        FoldedProgram(less, program.module, program.diagnostics).unfold()
    with without_folding():
        whole = run_passes(parse(text), planning.propagation_for_plans())
    assert str(program.module) == str(whole)
