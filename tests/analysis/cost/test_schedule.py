"""What a device is at, and when: nothing on a track at once, and all of it what the step costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshardy import Plan, load, parse, partition
from pyshardy.analysis.cost.schedule import COMPUTE, Schedule, schedule_of
from pyshardy.analysis.cost.timed_plan import TimedPlan
from tests.analysis.cost.programs import TRAINING_STEP

EXAMPLES = Path(__file__).parents[3] / "examples"
NAMES = ("convolution", "mlp", "priorities", "scan_layers", "shard_map", "transformer_megatron")

LOOP = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<ITERATIONS> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x8xf32> cond {
    %c = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %d = stablehlo.dot %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %d : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1 : tensor<8x8xf32>
}"""


def check(plan: Plan, schedule: Schedule, *, shown: bool = True) -> None:
    """That tracks add up to what they cost, that nothing on one is at once, and that the step ends when it should;
    ``shown`` says that no loop has iterations without slots of their own."""
    cost = plan.cost("h100")
    by_track: dict[str, float] = {}
    ends: dict[str, float] = {}
    for slot in schedule.slots:
        if shown:
            assert slot.begin >= ends.get(slot.track, 0.0) - 1e-15
        ends[slot.track] = max(ends.get(slot.track, 0.0), slot.begin + slot.seconds)
        by_track[slot.track] = by_track.get(slot.track, 0.0) + slot.seconds
    assert by_track.pop(COMPUTE, 0.0) == pytest.approx(cost.compute_seconds)
    sums = sum(one.pipelined_seconds for one in cost.collectives)
    assert sum(by_track.values()) == pytest.approx(sums)
    assert set(by_track) <= set(schedule.tracks)
    assert schedule.seconds == pytest.approx(cost.step_seconds.expected)
    assert max(ends.values()) <= schedule.seconds * (1 + 1e-9)
    begins = [slot.begin for slot in schedule.slots]
    assert begins == sorted(begins)
    begins = [span.begin for span in schedule.spans]
    assert begins == sorted(begins)
    assert all(span.begin + span.seconds <= schedule.seconds * (1 + 1e-9) for span in schedule.spans)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("most_iterations, most_slots", [(4, 50_000), (1, 50_000), (3, 20), (4, 0)])
def test_the_slots_add_up_to_the_step(name: str, most_iterations: int, most_slots: int) -> None:
    plan = partition(load(EXAMPLES / f"{name}.mlir"))
    check(
        plan, schedule_of(TimedPlan(plan, "h100"), most_iterations=most_iterations, most_slots=most_slots), shown=False
    )


def test_a_long_loop_has_its_first_iterations_and_a_rest() -> None:
    plan = partition(parse(LOOP.replace("ITERATIONS", "1000")))
    schedule = schedule_of(TimedPlan(plan, "h100"))
    check(plan, schedule)
    (span,) = schedule.spans
    assert (span.iterations, span.shown) == (1000, 4) and len(schedule.slots) < 60
    assert {slot.iterations for slot in schedule.slots if slot.op is span.op} == {996}


def test_a_collective_stands_between_what_it_needs_and_what_needs_it() -> None:
    plan = partition(parse(TRAINING_STEP))
    slots = schedule_of(TimedPlan(plan, "v5e")).slots
    ends = {slot.op: slot.begin + slot.seconds for slot in slots}
    seen = 0
    for slot in slots:
        for operand in slot.op.operands:
            if operand.defining_op in ends:
                seen += 1
                assert ends[operand.defining_op] <= slot.begin + 1e-15
    assert seen


def test_each_axis_of_the_mesh_has_a_track_and_no_axis_two() -> None:
    plan = partition(parse(LOOP.replace("ITERATIONS", "2").replace('"x"=2', '"x"=2, "idle"=4, "one"=1')))
    assert schedule_of(TimedPlan(plan, "h100")).tracks == ("x", "idle")
