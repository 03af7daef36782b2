"""How often a step meets its operations: loops, calls, branches, manual computations."""

from __future__ import annotations

import pytest

from pyshardy import hardware, parse
from pyshardy.analysis.cost.operations import work_of_operation
from pyshardy.analysis.cost.step import Step, time_step, walk_work
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.partitioning.account.counted import CountedProgram

CHIP = hardware({"chip": {"memory": 1e9, "bandwidth": 1e9, "flops": {"f32": 1e9}}}).chip


def step(text: str) -> Step:
    return time_step(program(text), CHIP)


def program(text: str) -> CountedProgram:
    module = parse(text)
    return CountedProgram(module.op, functions_by_name(module.op)["main"])


def loop(limit: str, body: str = "%next = stablehlo.tanh %y : tensor<4xf32>") -> str:
    return f"""
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {{
    %more = stablehlo.compare LT, %i, {limit} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    {body}
    stablehlo.return %j, %next : tensor<i32>, tensor<4xf32>
  }}
  return %0#1 : tensor<4xf32>"""


def test_a_loop_counts_by_its_iterations() -> None:
    found = step(
        f"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n%n = stablehlo.constant dense<10> : tensor<i32>"
        f"{loop('%n')}\n}}"
    )
    # A comparison, an addition and four times tanh.
    assert found.flops == 10 * (1 + 1 + 4) and not found.unknown_trip_counts


def test_a_loop_whose_iterations_are_not_known_counts_once() -> None:
    found = step(f"func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {{{loop('%n')}\n}}")
    assert found.flops == 6 and len(found.unknown_trip_counts) == 1


def test_calls_are_followed_with_the_iterations_around_them() -> None:
    call = "%next = func.call @twice(%y) : (tensor<4xf32>) -> tensor<4xf32>"
    found = step(
        f"""
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %n = stablehlo.constant dense<3> : tensor<i32>{loop("%n", call)}
}}
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = func.call @once(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @once(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}}
func.func private @once(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}}"""
    )
    assert found.flops == 3 * (2 + 2 * 4)
    assert {op.name: runs for op, runs in found.runs.items()}["stablehlo.tanh"] == 6


BRANCHES = """
func.func @main(%p: tensor<i32>, %x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "stablehlo.case"(%p) ({
    stablehlo.return %x : tensor<64xf32>
  }, {
    %1 = stablehlo.tanh %x : tensor<64xf32>
    %2 = stablehlo.transpose %1, dims = [0] : (tensor<64xf32>) -> tensor<64xf32>
    %3 = stablehlo.tanh %2 : tensor<64xf32>
    stablehlo.return %3 : tensor<64xf32>
  }, {
    %1 = stablehlo.sine %x : tensor<64xf32>
    stablehlo.return %1 : tensor<64xf32>
  }) : (tensor<i32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}"""


def test_of_branches_the_dearest_counts() -> None:
    found = step(BRANCHES)
    assert found.flops == 128 and len(found.conditionals) == 1
    talks = time_step(program(BRANCHES), CHIP, lambda op: 1.0 if op.name == "stablehlo.sine" else 0.0)
    assert talks.flops == 64


PASSING = """
func.func @main(%p: tensor<i32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = "stablehlo.case"(%p) ({
    %1 = stablehlo.negate %x : tensor<8x8xf32>
    %2 = stablehlo.negate %1 : tensor<8x8xf32>
    %3 = stablehlo.negate %2 : tensor<8x8xf32>
    stablehlo.return %3 : tensor<8x8xf32>
  }, {
    %1 = stablehlo.cholesky %x : tensor<8x8xf32>
    %2 = stablehlo.cholesky %1 : tensor<8x8xf32>
    stablehlo.return %2 : tensor<8x8xf32>
  }) : (tensor<i32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}"""
"""Which branch is the dearest depends on what stands in memory."""


@pytest.mark.parametrize("text", [BRANCHES, PASSING], ids=["branches", "fused"])
def test_what_operations_compute_is_known_without_what_stands_in_memory(text: str) -> None:
    counted = program(text)
    whole, alone = time_step(counted, CHIP), walk_work(counted, CHIP)
    assert alone.runs == whole.runs and alone.inner == whole.inner
    assert (alone.flops, alone.seconds_at_peak) == (whole.flops, whole.seconds_at_peak)


def test_a_manual_computation_runs_on_each_shard() -> None:
    found = step("""
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x"} (%arg1: tensor<4xf32>) {
    %1 = stablehlo.tanh %arg1 : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}""")
    assert found.flops == 16


def test_an_operation_takes_what_it_waits_for() -> None:
    found = step("""
func.func @main(%a: tensor<100x100xf32>, %x: tensor<8xf32>) -> (tensor<100x100xf32>, tensor<8xf32>) {
  %0 = stablehlo.dot %a, %a : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
  %1 = stablehlo.negate %x : tensor<8xf32>
  return %0, %1 : tensor<100x100xf32>, tensor<8xf32>
}""")
    timed = {op.name: one for op, one in found.timed.items()}
    assert timed["stablehlo.dot"].seconds == 2e6 / 1e9 and timed["stablehlo.dot"].is_compute
    assert timed["stablehlo.negate"].seconds == 64 / 1e9 and not timed["stablehlo.negate"].is_compute
    assert found.seconds == (2e6 + 64) / 1e9 and found.seconds_at_peak == (2e6 + 8) / 1e9


def test_what_nobody_knows_is_named() -> None:
    found = step("""
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @mystery(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @mystery(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}""")
    assert found.unknown == {"custom_call @mystery": 2}


def test_functions_share_the_kernels_around_their_calls() -> None:
    """``add``, ``silu`` and ``multiply`` are one pass through memory, whether ``silu`` is a function or not."""
    type = "tensor<256x256xf32>"
    silu = f"%s = stablehlo.logistic %0 : {type}\n  %1 = stablehlo.multiply %0, %s : {type}"
    call = f"%1 = func.call @silu(%0) : ({type}) -> {type}"
    function = f"""
func.func private @silu(%0: {type}) -> {type} {{
  {silu}
  return %1 : {type}
}}"""
    seconds, moved = set(), []
    for inside, more in ((silu, ""), (call, function)):
        found = step(f"""
func.func @main(%a: {type}, %b: {type}) -> {type} {{
  %0 = stablehlo.add %a, %b : {type}
  {inside}
  %2 = stablehlo.multiply %1, %b : {type}
  return %2 : {type}
}}{more}""")
        seconds.add(round(found.seconds, 15))
        moved.append(sum(one.work.bytes for one in found.timed.values()))
    assert len(seconds) == 1
    # Both operands are read, one of them again, and the result is written.
    assert moved == [4 * 4 * 256**2] * 2


def test_operations_of_one_kind_differ_by_what_stands_in_memory_and_is_read_twice() -> None:
    type, scalar = "tensor<64x64xf32>", "tensor<f32>"
    product = f"contracting_dims = [1] x [0] : ({type}, {type}) -> {type}"
    lines = [
        f"%0 = stablehlo.dot_general %a, %a, {product}",
        f"%1 = stablehlo.dot_general %a, %b, {product}",
        # What passes is read first, second, twice, and not at all.
        f"%2 = stablehlo.add %a, %b : {type}",
        f"%3 = stablehlo.multiply %2, %0 : {type}",
        f"%4 = stablehlo.add %a, %0 : {type}",
        f"%5 = stablehlo.multiply %1, %4 : {type}",
        f"%6 = stablehlo.add %1, %b : {type}",
        f"%7 = stablehlo.multiply %6, %6 : {type}",
        f"%8 = stablehlo.multiply %0, %1 : {type}",
        f"%9 = stablehlo.multiply %0, %0 : {type}",
        # A negation of what passes, and of what does not; one that stands, and one that does not.
        f"%10 = stablehlo.subtract %1, %0 : {type}",
        f"%11 = stablehlo.negate %10 : {type}",
        f"%12 = stablehlo.negate %1 : {type}",
        f"%13 = stablehlo.negate %0 : {type}",
        f"%14 = stablehlo.tanh %13 : {type}",
        f"%15 = stablehlo.negate %0 : {type}",
        f"%16 = stablehlo.multiply %0, %1 : {type}",
        f"%z = stablehlo.constant dense<0.0> : {scalar}",
        *[
            f"%s{n} = stablehlo.reduce(%{n} init: %z) applies stablehlo.add across dimensions = [0, 1]\n"
            f": ({type}, {scalar}) -> {scalar}"
            for n in (3, 5, 7, 8, 9, 11, 12, 14, 16)
        ],
    ]
    sums = ", ".join(f"%s{n}" for n in (3, 5, 7, 8, 9, 11, 12, 14, 16))
    returned = f"return %8, %11, %15, {sums} : {type}, {type}, {type}" + f", {scalar}" * 9
    results = f"{type}, {type}, {type}" + f", {scalar}" * 9
    body = "\n".join(lines)
    found = step(f"func.func @main(%a: {type}, %b: {type}) -> ({results}) {{\n{body}\n{returned}\n}}")
    assert found.fused_across_calls is not None
    entry = next(op.parent for op in found.timed if op.parent is not None)
    fused = found.fused_across_calls.of(entry)
    names = {op.name for op in found.timed if any(value in fused for value in op.results)}
    assert "stablehlo.add" in names and "stablehlo.negate" in names
    assert all(one.work == work_of_operation(op, fused) for op, one in found.timed.items())
