"""Steps whose schedule can be worked out by hand: each product and each all-reduce of these programs takes 1 µs."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import inf
from pathlib import Path

import pytest

from pyshardy import Cost, Plan, load, parse, partition
from pyshardy.analysis.cost.overlap import Overlap
from pyshardy.analysis.cost.task_builder import IterationTasks, TaskBuilder
from pyshardy.analysis.cost.task_times import FirstIterations, LoopTimes, TaskTimes
from pyshardy.analysis.cost.tasks import NO_TASK, Tasks
from pyshardy.analysis.cost.timed_plan import TimedPlan
from pyshardy.partitioning.account.memory_bound import memory_bound, memory_bound_unfused
from tests.propagation.layered_programs import LayeredProgram

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.mlir"))
TENSOR = "tensor<64x64xf32>"
MICRO = 1e-6
HARDWARE = {
    "name": "clock",
    "chip": {"memory": 1e12, "bandwidth": 1e18, "flops": {"f32": 2 * 64**3 / MICRO}},
    "links": [
        {"name": "wire", "topology": "torus", "dimensions": [2, 2], "bandwidth": 64 * 64 * 4 / MICRO, "latency": 1e-16}
    ],
}
GROUPS = {"x": "[[0, 2], [1, 3]]", "y": "[[0, 1], [2, 3]]"}


@cache
def plan_of(path: Path) -> Plan:
    """That of an example, of which tests ask many things."""
    return partition(load(path))


def dot(name: str, left: str, right: str) -> str:
    return f"%{name} = stablehlo.dot %{left}, %{right} : ({TENSOR}, {TENSOR}) -> {TENSOR}"


def reduce(name: str, of: str, axis: str = "x") -> str:
    return f"""%{name} = "stablehlo.all_reduce"(%{of}) ({{
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) {{replica_groups = dense<{GROUPS[axis]}> : tensor<2x2xi64>}} : ({TENSOR}) -> {TENSOR}"""


def program(lines: list[str], result: str) -> Plan:
    """A plan whose local program is ``lines`` on the arguments ``%a`` and ``%b``."""
    body = "\n    ".join(lines)
    return partition(
        parse(f"""
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: {TENSOR}, %arg1: {TENSOR}) -> {TENSOR} {{
  %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{{}}, {{}}]>, <@mesh, [{{}}, {{}}]>]
      out_shardings=[<@mesh, [{{}}, {{}}]>] manual_axes={{"x", "y"}} (%a: {TENSOR}, %b: {TENSOR}) {{
    {body}
    sdy.return %{result} : {TENSOR}
  }} : ({TENSOR}, {TENSOR}) -> {TENSOR}
  return %0 : {TENSOR}
}}""")
    )


def loop(iterations: int, lines: list[str], returned: tuple[str, str]) -> list[str]:
    """A loop over the counter and two tensors, ``%u`` and ``%v``."""
    body = "\n      ".join(lines)
    types = f"tensor<i32>, {TENSOR}, {TENSOR}"
    return [
        "%zero = stablehlo.constant dense<0> : tensor<i32>",
        "%one = stablehlo.constant dense<1> : tensor<i32>",
        f"%many = stablehlo.constant dense<{iterations}> : tensor<i32>",
        f"""%l:3 = stablehlo.while(%i = %zero, %u = %a, %v = %b) : {types} cond {{
      %c = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{
      {body}
      %n = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %n, %{returned[0]}, %{returned[1]} : {types}
    }}""",
        f"%sum = stablehlo.add %l#1, %l#2 : {TENSOR}",
    ]


def cost(plan: Plan) -> Cost:
    """The cost, once it is seen to be in order."""
    found = plan.cost(HARDWARE)
    step, waits = found.step_seconds, found.exposed_seconds
    assert step.full_overlap <= step.expected <= step.no_overlap
    assert sum(one.exposed_seconds for one in found.collectives) == pytest.approx(waits.expected, abs=1e-12)
    return found


STEPS = {
    "what waits for each other": ([dot("0", "a", "b"), reduce("1", "0"), dot("2", "1", "b")], "2", (3, 3, 2)),
    "a product beside": (
        [dot("0", "a", "b"), reduce("1", "0"), dot("2", "b", "a"), dot("3", "1", "2")],
        "3",
        (4, 3, 3),
    ),
    "written late, begun early": (
        [dot("0", "a", "b"), dot("1", "b", "a"), dot("2", "1", "b"), reduce("3", "0"), dot("4", "3", "2")],
        "4",
        (5, 4, 4),
    ),
    "what leads to it goes first": (
        [dot("0", "b", "a"), dot("1", "a", "b"), reduce("2", "1"), dot("3", "2", "0")],
        "3",
        (4, 3, 3),
    ),
    "two axes at once": ([reduce("0", "a"), reduce("1", "b", "y"), dot("2", "0", "1")], "2", (3, 2, 1)),
    "one axis, one behind the other": ([reduce("0", "a"), reduce("1", "b"), dot("2", "0", "1")], "2", (3, 3, 2)),
    "a loop that waits in each iteration": (
        loop(10, [dot("0", "u", "v"), reduce("1", "0")], ("1", "v")),
        "sum",
        (20, 20, 10),
    ),
    "a loop in whose iterations both go on": (
        loop(10, [dot("0", "u", "u"), reduce("1", "v")], ("0", "1")),
        "sum",
        (20, 10, 10),
    ),
    "a loop whose links have more to do": (
        loop(10, [dot("0", "u", "u"), reduce("1", "v"), reduce("2", "1")], ("0", "2")),
        "sum",
        (30, 20, 20),
    ),
    "a collective that ends an iteration beside the product that begins the next one": (
        # The second product of an iteration reads what the iteration before reduced; the first one does not.
        loop(10, [dot("0", "u", "u"), dot("1", "0", "v"), reduce("2", "1")], ("0", "2")),
        "sum",
        (30, 21, 20),
    ),
}


A_LOOP = LoopTimes(1, 1.0, {}, lambda: FirstIterations(TaskTimes(Tasks(), [], []), (), ()))


LOOPS = [*(name for name in STEPS if "loop" in name), "scan_layers"]


def looping(name: str) -> Plan:
    if name not in STEPS:
        return plan_of(EXAMPLES[0].parent / f"{name}.mlir")
    lines, result, _ = STEPS[name]
    return program(lines, result)


@pytest.mark.parametrize("name", LOOPS)
def test_tasks_of_iterations_that_are_copied_are_those_that_are_made(name: str) -> None:
    timed = TimedPlan(looping(name), "v5e")
    for op in [op for op in timed.counted.local.module.operations() if op.name == "stablehlo.while"]:
        condition, body = (region.blocks[0] for region in op.regions)
        found = []
        for copies in (True, False):
            tasks, carried = Tasks(), [NO_TASK] * len(body.arguments)
            builder = TaskBuilder(timed.step, timed.communication, lambda _: A_LOOP)
            iteration = IterationTasks(builder, condition, body, copies=copies)
            for _ in range(5):
                carried = iteration.add(tasks, carried)
            found.append((vars(tasks), carried))
        assert found[0] == found[1] and len(found[0][0]["ops"]) > 5


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("in_order", [False, True])
def test_a_loop_without_collectives_takes_as_long_as_its_placed_iterations(
    path: Path, in_order: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed = TimedPlan(plan_of(path), "v5e")
    whole = [op for op in timed.counted.local.module.operations() if op.name == "stablehlo.while"]
    found = []
    for _ in range(2):
        overlap = Overlap(timed.counted.local, timed.step, timed.communication, lambda _: inf, in_order=in_order)
        found.append([overlap._loop(op).seconds for op in whole] + [overlap.seconds])
        monkeypatch.setattr(TaskBuilder, "seconds_of_computation", lambda *_: None)
    assert found[0] == pytest.approx(found[1], rel=1e-12, abs=0)
    assert all(found[0])


def test_waits_in_loops_of_loops_are_counted_once() -> None:
    inner = "\n".join(loop(5, [dot("0", "u", "v"), reduce("1", "0")], ("1", "v"))[3:4])
    for name in ("l", "i", "u", "v", "c", "n", "0", "1", "p", "q", "s"):
        inner = re.sub(rf"%{name}\b", f"%in_{name}", inner)
    inner = inner.replace("%in_u = %a, %in_v = %b", "%in_u = %u, %in_v = %v").replace("%many", "%five")
    lines = loop(6, [inner, dot("2", "in_l#1", "in_l#2")], ("2", "v"))
    five = "%five = stablehlo.constant dense<5> : tensor<i32>"
    found = cost(program([five, *lines], "sum"))
    assert [one.exposed_seconds for one in found.collectives] == [pytest.approx(30 * MICRO, rel=1e-4)]


@pytest.mark.parametrize("name", STEPS)
def test_a_step_takes_what_it_takes_by_hand(name: str) -> None:
    lines, result, wanted = STEPS[name]
    step = cost(program(lines, result)).step_seconds
    found = [seconds / MICRO for seconds in (step.no_overlap, step.expected, step.full_overlap)]
    assert found == pytest.approx(wanted, rel=1e-3)


def test_what_waits_is_said_of_the_collective_that_is_waited_for() -> None:
    lines = [reduce("0", "a"), dot("1", "b", "b"), dot("2", "0", "1"), reduce("3", "2", "y")]
    exposed = TimedPlan(program(lines, "3"), HARDWARE).overlap.exposed
    waits = [(op.operands[0].defining_op is None, seconds / MICRO) for op, seconds in exposed.items()]
    assert dict(waits) == pytest.approx({True: 0.0, False: 1.0}, abs=1e-6)


def test_what_is_waited_for_in_a_queue_is_shared_by_those_in_it() -> None:
    found = cost(program([reduce("0", "a"), reduce("1", "b"), dot("2", "0", "1")], "2")).collectives
    (row,) = found
    assert row.runs == 2 and row.exposed_seconds == pytest.approx(2 * MICRO)


def overlapped(timed: TimedPlan, memory: float) -> Overlap:
    return Overlap(timed.counted.local, timed.step, timed.communication, lambda _: memory)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("chip", ["h100", "v5e"])
def test_bounds_are_known_before_the_schedule(path: Path, chip: str) -> None:
    timed = TimedPlan(plan_of(path), chip)
    most = memory_bound(timed.counted, timed.memory_model)
    assert memory_bound_unfused(timed.counted, timed.memory_model) >= most >= timed.memory.peak
    seconds = timed.overlap.seconds
    assert timed.busiest_link <= timed.overlap.busiest_link * 1.000001 <= seconds * 1.000002
    assert seconds <= timed.most_seconds * 1.000001
    assert not overlapped(timed, inf).takes_longer(seconds * 1.000001)
    assert overlapped(timed, inf).takes_longer(seconds / 2) or seconds < 2 * timed.step.seconds
    assert overlapped(timed, inf).takes_longer(timed.step.seconds * 0.999)


def test_collectives_in_loops_are_busy_in_each_iteration_and_those_of_branches_may_not_be() -> None:
    timed = TimedPlan(looping("scan_layers"), "v5e")
    inside = [one for one, _ in timed.counted.collectives if one.op.parent is not timed.entry.body]
    assert inside and timed.busiest_link == pytest.approx(timed.overlap.busiest_link)
    branches = TimedPlan(partition(parse(BRANCHES)), "v5e")
    assert branches.counted.collectives and branches.busiest_link == 0.0


BRANCHES = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(%p: tensor<i1>, %a: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0]
      : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    stablehlo.return %1 : tensor<256x256xf32>
  }, {
    stablehlo.return %a : tensor<256x256xf32>
  }) : (tensor<i1>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}"""
TWICE = """
func.func @main(%a: tensor<1x4096xf32>) -> (tensor<1x4096xf32>, tensor<1x4096xf32>) {
  %0 = stablehlo.custom_call @unknown(%a) : (tensor<1x4096xf32>) -> tensor<4096x1xf32>
  %1 = stablehlo.reshape %0 : (tensor<4096x1xf32>) -> tensor<1x4096xf32>
  return %1, %1 : tensor<1x4096xf32>, tensor<1x4096xf32>
}"""
COPIED = """
func.func @main(%a: tensor<8x512x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0, 1] x [0, 2]
    : (tensor<8x512x512xf32>, tensor<8x512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}"""
CALLED = """
func.func @main(%a: tensor<8xf32>) -> tensor<f32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<f32>
  %1 = call @f(%a) : (tensor<8xf32>) -> tensor<f32>
  %2 = stablehlo.add %0, %1 : tensor<f32>
  return %2 : tensor<f32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.custom_call @unknown(%a) : (tensor<8xf32>) -> tensor<1024x8xf32>
  %1 = stablehlo.custom_call @unknown(%0) : (tensor<1024x8xf32>) -> tensor<512x512xf32>
  %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<512x512xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}"""
ITERATIONS_OF_LOOP = """
func.func @main(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%x = %a, %i = %c) : tensor<256x256xf32>, tensor<i32>
   cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %k = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %k : tensor<i32>
    %m = stablehlo.custom_call @unknown(%x) : (tensor<256x256xf32>) -> tensor<4096x256xf32>
    %y = stablehlo.custom_call @unknown(%m) : (tensor<4096x256xf32>) -> tensor<256x256xf32>
    stablehlo.return %y, %j : tensor<256x256xf32>, tensor<i32>
  }
  return %0#0 : tensor<256x256xf32>
}"""


@pytest.mark.parametrize("text", [TWICE, COPIED, CALLED, ITERATIONS_OF_LOOP])
@pytest.mark.parametrize("chip", ["h100", "v5e"])
def test_all_that_ever_stands_in_memory_is_enough_for_it(text: str, chip: str) -> None:
    timed = TimedPlan(partition(parse(text)), chip)
    assert memory_bound(timed.counted, timed.memory_model) >= timed.memory.peak


def test_an_operation_counts_as_often_as_it_stands_for_others() -> None:
    timed = TimedPlan(partition(parse(TWICE)), "h100")
    counted, made = timed.counted, timed.entry.body.operations()[0]
    several = replace(counted, local=counted.local._replace(multiplicities={made: 5}))
    most = [memory_bound(one, timed.memory_model) for one in (counted, several)]
    # Twice, as it is returned twice.
    assert most[1] - most[0] == 2 * 4 * 4096 * 4


@pytest.mark.parametrize("seed", [2, 4, 5])
@pytest.mark.parametrize("chip", ["h100", "v5e"])
def test_that_is_so_where_an_operation_stands_for_several(seed: int, chip: str) -> None:
    plan = partition(parse(str(LayeredProgram(seed, 40))))
    folded = plan.counted_form()
    assert folded is not None
    timed = TimedPlan(plan, chip, folded)
    most = memory_bound(timed.counted, timed.memory_model)
    assert most >= TimedPlan(plan, chip).memory.peak


READ_INSIDE = """
func.func @main(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %w = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0]
    : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %0:2 = stablehlo.while(%x = %a, %i = %c) : tensor<256x256xf32>, tensor<i32>
   cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %k = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %k : tensor<i32>
    %m = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    stablehlo.return %m, %j : tensor<256x256xf32>, tensor<i32>
  }
  return %0#0 : tensor<256x256xf32>
}"""


@pytest.mark.parametrize("path", [*EXAMPLES, None], ids=lambda path: path.stem if path else "read inside")
@pytest.mark.parametrize("in_order", [False, True])
def test_tasks_of_what_runs_once_are_those_of_its_executions(path: Path | None, in_order: bool) -> None:
    timed = TimedPlan(plan_of(path) if path else partition(parse(READ_INSIDE)), "h100")
    local, loops = timed.counted.local, timed.overlap.placed.tasks.loops
    assert local.all_segments is None

    once, listed = Tasks(), Tasks()
    builders = [TaskBuilder(timed.step, timed.communication, lambda _: A_LOOP, in_order=in_order) for _ in range(2)]
    builders[0].add_once(once, local.entry.body)
    builders[1].add_segments(listed, local.segments(), [NO_TASK] * len(local.entry.body.arguments))
    assert vars(once) == vars(listed)
    assert len(once.loops) == len(loops)


def test_without_memory_a_collective_begins_where_it_stands() -> None:
    late = [dot("0", "a", "b"), dot("1", "0", "b"), reduce("2", "a"), dot("3", "2", "1")]
    timed = TimedPlan(program(late, "3"), HARDWARE)
    seconds = {}
    for memory in (0.0, 64 * 64 * 4.0):
        seconds[memory] = overlapped(timed, memory).seconds / MICRO
    assert seconds == pytest.approx({0.0: 4, 64 * 64 * 4.0: 3}, rel=1e-6)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("memory", [0.0, 1e5, inf])
def test_nothing_begins_before_what_it_waits_for_nor_on_a_busy_resource(path: Path, memory: float) -> None:
    timed = TimedPlan(plan_of(path), "v5e")
    placed = overlapped(timed, memory).placed
    busy: dict[int, list[tuple[float, float]]] = {}
    for number, (begin, end) in enumerate(zip(placed.starts, placed.ends, strict=True)):
        assert all(placed.ends[other] <= begin + 1e-15 for other in placed.tasks.waits[number])
        if end > begin:
            for lane in placed.tasks.links[number] or (-1,):
                busy.setdefault(lane, []).append((begin, end))
    for times in busy.values():
        times.sort()
        assert all(end <= begin + 1e-15 for (_, end), (begin, _) in pairwise(times))
    assert sum(len(times) for times in busy.values()) > 5


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("hardware", ["v5e", "h100"])
def test_the_expected_time_lies_between_the_bounds(path: Path, hardware: str) -> None:
    found = plan_of(path).cost(hardware)
    step = found.step_seconds
    assert 0 < step.full_overlap <= step.expected <= step.no_overlap
    waits = sum(one.exposed_seconds for one in found.collectives)
    assert waits == pytest.approx(found.exposed_seconds.expected, rel=1e-6, abs=1e-12)


def _sharded_layers_in_a_loop() -> str:
    """A training step of layers in a loop, whose weights are sharded along both axes: in the third iteration much
    is done already that its computation waits for in the others."""
    import jax
    import jax.numpy as jnp

    mesh = jax.sharding.AbstractMesh((4, 2), ("data", "model"))

    def given(shape: tuple[int, ...], *spec: str | None) -> jax.ShapeDtypeStruct:
        sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*spec))
        return jax.ShapeDtypeStruct(shape, jnp.bfloat16, sharding=sharding)

    def layer(x: jax.Array, w: dict[str, jax.Array]) -> tuple[jax.Array, None]:
        return x + (jax.nn.silu(x @ w["gate"]) * (x @ w["up"])) @ w["down"], None

    def loss(weights: dict[str, jax.Array], x: jax.Array) -> jax.Array:
        return jnp.mean(jax.lax.scan(layer, x, weights)[0].astype(jnp.float32) ** 2)

    def step(weights: dict[str, jax.Array], x: jax.Array) -> dict[str, jax.Array]:
        found: dict[str, jax.Array] = jax.tree.map(lambda a, g: a - g, weights, jax.grad(loss)(weights, x))
        return found

    wide = given((12, 1024, 2816), None, "data", "model")
    weights = {"gate": wide, "up": wide, "down": given((12, 2816, 1024), None, "model", "data")}
    traced = jax.jit(step).trace(weights, given((16, 1024, 1024), "data"))
    return str(traced.lower(lowering_platforms=("tpu",)).as_text())


@pytest.mark.parametrize("name", ["h100", "v5e", "v5p"])
def test_a_loop_takes_as_long_as_its_computation_and_no_collective_waits_less_than_nothing(name: str) -> None:
    source = parse(_sharded_layers_in_a_loop())
    for plan in (partition(source), partition(source, hardware=name)):
        cost = plan.cost(name)
        overlap = TimedPlan(plan, name).overlap
        assert overlap.seconds >= cost.compute_seconds * (1 - 1e-9)
        assert min(one.exposed_seconds for one in cost.collectives) >= 0.0
        assert sum(overlap.exposed.values()) == pytest.approx(overlap.seconds - cost.compute_seconds)
