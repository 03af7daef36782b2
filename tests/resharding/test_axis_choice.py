"""Common axes by the fewest reshards and by the fewest bytes; and operations with a rule of the user's own."""

from __future__ import annotations

from random import Random

import pytest

import pyshardy
from pyshardy.report.communication import Origins, find_transfers
from pyshardy.sharding.axes import axes_text
from pyshardy.sharding.mesh import Mesh
from tests.passes.running import body_after
from tests.resharding.collectives.layouts import random_layout
from tests.resharding.test_explicit_reshards import argument, sharded, steps


def _pass(choice: str) -> str:
    return f"func.func(sdy-insert-explicit-reshards{{enable-full-version=true axis-choice={choice}}})"


def test_by_the_fewest_reshards_a_dot_keeps_what_most_of_its_tensors_have() -> None:
    program = """
    sdy.mesh @mesh = <["x"=4, "y"=2]>
    func.func @main(%lhs: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                    %rhs: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
        -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
      %0 = stablehlo.dot %lhs, %rhs {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
          : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
      return %0 : tensor<8x16xf32>
    }"""
    lines = [line.strip() for line in body_after(_pass("fewest-reshards"), program).splitlines()]
    assert '%0 = sdy.reshard %arg1 <@mesh, [{"y"}, {}]> : tensor<32x16xf32>' in lines
    assert (
        '%1 = stablehlo.dot %arg0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} '
        ": (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>" in lines
    )
    assert sum("sdy.reshard" in line for line in lines) == 1


_THIN, _FLAT, _WIDE = "tensor<256x4xf32>", "tensor<4x256xf32>", "tensor<256x256xf32>"


def test_by_the_fewest_bytes_a_small_operand_is_gathered_rather_than_a_large_result_summed() -> None:
    arguments = ", ".join([argument("%l", _THIN, '[{}, {"a"}]'), f"%r: {_FLAT}"])
    dot = f"%0 = stablehlo.dot %l, %r : ({_THIN}, {_FLAT}) -> {_WIDE}"
    assert steps(_pass("fewest-bytes"), arguments, dot, _WIDE) == [
        "%0 = sdy.reshard %arg0 <@m, [{}, {}]>",
        "%1 = stablehlo.dot %0, %arg1",
    ]


def test_by_the_fewest_bytes_work_is_shared_where_that_costs_nothing() -> None:
    made = sharded('[{"a"}, {"b"}]')
    dot = f"%0 = stablehlo.dot %l, %r {made} : ({_THIN}, {_FLAT}) -> {_WIDE}"
    result = '{sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}'
    assert steps(_pass("fewest-bytes"), f"%l: {_THIN}, %r: {_FLAT}", dot, _WIDE, result) == [
        '%0 = sdy.reshard %arg0 <@m, [{"a"}, {}]>',
        '%1 = sdy.reshard %arg1 <@m, [{}, {"b"}]>',
        f"%2 = stablehlo.dot %0, %1 {made}",
    ]


def test_by_the_fewest_bytes_a_sum_may_stay_where_it_is_scattered() -> None:
    arguments = ", ".join([argument("%l", "tensor<64x256xf32>", '[{}, {"a"}]'), argument("%r", _WIDE, '[{"a"}, {}]')])
    type = "tensor<64x256xf32>"
    made = sharded('[{"a"}, {}]')
    dot = f"%0 = stablehlo.dot %l, %r {made} : ({type}, {_WIDE}) -> {type}"
    result = '{sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}'
    assert steps(_pass("fewest-bytes"), arguments, dot, type, result) == [
        "%0 = stablehlo.dot %arg0, %arg1 " + sharded("[{}, {}]"),
        '%1 = sdy.all_reduce {"a"} %0 out_sharding=<@m, [{}, {}]>',
        '%2 = sdy.reshard %1 <@m, [{"a"}, {}]>',
    ]


_SQUARE = "tensor<8x8xf32>"


def test_an_operation_with_a_custom_rule_takes_part_if_asked_for() -> None:
    call = (
        '%0 = stablehlo.custom_call @mine(%x) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"b"}, {}]>]>, '
        "sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) "
        f"{{i=8, j=8}}, custom>}} : ({_SQUARE}) -> {_SQUARE}"
    )
    given = argument("%x", _SQUARE, '[{"a"}, {}]')
    result = '{sdy.sharding = #sdy.sharding<@m, [{"b"}, {}]>}'
    full = "func.func(sdy-insert-explicit-reshards{enable-full-version=true reshard-custom-rules=%s})"
    skipped, taken = (steps(full % flag, given, call, _SQUARE, result) for flag in ("false", "true"))
    assert [step.split()[2] for step in skipped] == ["stablehlo.custom_call"]
    assert [step.split()[2] for step in taken] == ["stablehlo.custom_call", "sdy.reshard"]
    assert taken[1].endswith('<@m, [{"b"}, {}]>')


def _random_dot(random: Random) -> str:
    mesh = Mesh({"a": 2, "b": 2, "c": 4})
    i, k, j = (random.choice((8, 16, 64, 256)) for _ in range(3))

    def sharding() -> str:
        dims = random_layout(random, mesh, 2, sub_axes=0.2)
        listed = ", ".join(axes_text(axes) for axes in dims)
        return f"{{sdy.sharding = #sdy.sharding<@m, [{listed}]>}}"

    result = sharding()
    made = result.replace("#sdy.sharding<", "#sdy.sharding_per_value<[<").replace(">}", ">]>}")
    return (
        f"sdy.mesh @m = {mesh.body_text}\n"
        f"func.func @main(%l: tensor<{i}x{k}xf32> {sharding()}, %r: tensor<{k}x{j}xf32> {sharding()}) -> "
        f"(tensor<{i}x{j}xf32> {result}) {{\n"
        f"  %0 = stablehlo.dot %l, %r {made} : (tensor<{i}x{k}xf32>, tensor<{k}x{j}xf32>) -> tensor<{i}x{j}xf32>\n"
        f"  return %0 : tensor<{i}x{j}xf32>\n}}\n"
    )


def _moved(program: str, choice: str) -> tuple[float, int]:
    """The bytes that each device receives in the end, and the number of reshards on the way."""
    module = pyshardy.parse(program)
    pyshardy.run_passes(module, f"builtin.module({_pass(choice)})")
    reshards = sum(op.name == "sdy.reshard" for op in module.op.walk())
    pyshardy.run_passes(module, "func.func(sdy-reshard-to-collectives),canonicalize{enable-patterns=sdy-collective}")
    transfers = find_transfers(module.op, module.context, Origins(module.op), "reference")
    return sum(one.bytes for one in transfers), reshards


@pytest.mark.slow
def test_no_choice_is_worse_than_the_reference_by_its_own_measure() -> None:
    random = Random(3)
    cheaper = fewer = 0
    for _ in range(60):
        program = _random_dot(random)
        reference = _moved(program, "reference")
        by_bytes, by_reshards = _moved(program, "fewest-bytes"), _moved(program, "fewest-reshards")
        assert by_bytes[0] <= reference[0], program
        assert by_reshards[1] <= reference[1], program
        cheaper += by_bytes[0] < reference[0]
        fewer += by_reshards[1] < reference[1]
    assert cheaper > 20 and fewer > 5
