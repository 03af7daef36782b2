"""Operations are partitioned one by one; what is around stays global and sees the same."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import re
from textwrap import dedent

import numpy as np
import pytest

import pyshardy
from pyshardy.interpreter.run import run
from pyshardy.passes.partitioning.per_instruction_partitioning import Selection
from tests.passes.partitioning.program_text import of, on
from tests.passes.running import body_after, first_error

PASS = "sdy-per-instruction-partitioning"
P, Q = '"p"', '"q"'

PROGRAM = f"""
    sdy.mesh @m = <["p"=4, "q"=2]>
    func.func @main(%x: tensor<8x6xf32> {on(P, Q)}, %y: tensor<6x10xf32> {on(Q, "")}, %n: tensor<i32>) -> (tensor<8x10xf32>, tensor<10x8xf32>, tensor<10xf32>) {{
      %z = stablehlo.constant dense<-5.0> : tensor<f32>
      %0 = stablehlo.dot %x, %y {of(P, "")} : (tensor<8x6xf32>, tensor<6x10xf32>) -> tensor<8x10xf32>
      %1 = stablehlo.add %0, %0 {of("", P)} : tensor<8x10xf32>
      %2 = sdy.reshard %1 <@m, [{{"q"}}, {{}}]> : tensor<8x10xf32>
      %3 = stablehlo.reverse %1, dims = [1] {of("", P)} : tensor<8x10xf32>
      %4 = stablehlo.transpose %3, dims = [1, 0] {of(P, "")} : (tensor<8x10xf32>) -> tensor<10x8xf32>
      %5 = stablehlo.pad %4, %z, low = [1, 0], high = [0, 0], interior = [0, 0] {of(P, "")} : (tensor<10x8xf32>, tensor<f32>) -> tensor<11x8xf32>
      %6 = stablehlo.slice %5 [1:11, 0:8] {of(P, "")} : (tensor<11x8xf32>) -> tensor<10x8xf32>
      %7 = stablehlo.reduce(%6 init: %z) applies stablehlo.maximum across dimensions = [1] {of(P)} : (tensor<10x8xf32>, tensor<f32>) -> tensor<10xf32>
      %8 = "stablehlo.case"(%n) ({{
        %a = stablehlo.add %7, %7 {of(P)} : tensor<10xf32>
        stablehlo.return %a : tensor<10xf32>
      }}, {{
        stablehlo.return %7 : tensor<10xf32>
      }}) {of(P)} : (tensor<i32>) -> tensor<10xf32>
      return %2, %6, %8 : tensor<8x10xf32>, tensor<10x8xf32>, tensor<10xf32>
    }}
    """


@pytest.mark.parametrize("chosen", ["", "selectLow=2,selectHigh=6", "add, case", "reverse"])
def test_the_program_computes_what_it_did(chosen: str) -> None:
    whole, partitioned = pyshardy.parse(PROGRAM), pyshardy.parse(PROGRAM)
    pyshardy.run_passes(partitioned, f"{PASS}{{filter={{{chosen}}}}}")
    numbers = np.random.default_rng(0)
    inputs = [numbers.normal(size=shape).astype(np.float32) for shape in ((8, 6), (6, 10))]
    for branch in (0, 1):
        for want, got in zip(
            *(run(one, [*inputs, np.array(branch, np.int32)]) for one in (whole, partitioned)), strict=True
        ):
            np.testing.assert_allclose(got, want, rtol=1e-5)


@pytest.mark.parametrize(
    "chosen, expected",
    [
        ("", 9),
        ("selectLow=0,selectHigh=0", 1),
        ("'selectHigh=1'", 2),
        ("stablehlo.add", 1),
        ("transpose,slice", 2),
        ("selectLow=3,dot", 0),
        ("selectLow=x", 9),
    ],
)
def test_only_what_is_chosen_is_partitioned(chosen: str, expected: int) -> None:
    assert body_after(f"{PASS}{{filter={{{chosen}}}}}", PROGRAM).count("sdy.manual_computation") == expected


def test_one_operation_and_its_collective() -> None:
    text = body_after(f"{PASS}{{filter=dot}}", PROGRAM)
    found = re.search(r"  %0 = sdy.manual_computation.*?-> tensor<8x10xf32>\n(?=  %1)", text, re.DOTALL)
    assert found is not None
    expected = """
        %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@m, [{"p"}, {"q"}]>, <@m, [{"q"}, {}]>] out_shardings=[<@m, [{"p"}, {}]>] manual_axes={"p", "q"} (%arg3: tensor<2x3xf32>, %arg4: tensor<3x10xf32>) {
          %9 = stablehlo.dot %arg3, %arg4 : (tensor<2x3xf32>, tensor<3x10xf32>) -> tensor<2x10xf32>
          %10 = "stablehlo.all_reduce"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
          ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
            %11 = stablehlo.add %arg5, %arg6 : tensor<f32>
            stablehlo.return %11 : tensor<f32>
          }) : (tensor<2x10xf32>) -> tensor<2x10xf32>
          sdy.return %10 : tensor<2x10xf32>
        } : (tensor<8x6xf32>, tensor<6x10xf32>) -> tensor<8x10xf32>
        """
    assert dedent(found[0]) == dedent(expected).lstrip()


def test_an_inlined_mesh_gets_a_name() -> None:
    text = body_after(
        PASS,
        """
        func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}) -> tensor<4xf32> {
          %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<mesh<["a"=2]>, [{"a"}]>]>} : tensor<4xf32>
          return %0 : tensor<4xf32>
        }
        """,
    )
    assert text.startswith('sdy.mesh @mesh = <["a"=2]>')
    assert 'in_shardings=[<@mesh, [{"a"}]>]' in text


def test_operations_on_two_meshes_are_refused() -> None:
    program = f"""
        sdy.mesh @m = <["p"=2]>
        sdy.mesh @n = <["q"=2]>
        func.func @main(%x: tensor<4xf32> {on(P)}) -> tensor<4xf32> {{
          %0 = stablehlo.negate %x {{sdy.sharding = #sdy.sharding_per_value<[<@n, [{{"q"}}]>]>}} : tensor<4xf32>
          return %0 : tensor<4xf32>
        }}
        """
    assert first_error(PASS, program) == "operands and results have no mesh in common"


def test_the_export_pipeline_can_do_it() -> None:
    options = "enable-per-instruction-partitioning=true per-instruction-partitioning-filter={selectHigh=0}"
    text = body_after(f"sdy-export-pipeline{{{options}}}", PROGRAM)
    assert text.count("sdy.manual_computation") == 1


@pytest.mark.parametrize(
    "text, low, high, names",
    [
        ("", None, None, []),
        ("  'selectLow=3, add' ", 3, None, ["add"]),
        ('"a,b"', None, None, ["a", "b"]),
        ("selectHigh=,x", None, None, ["x"]),
    ],
)
def test_a_selection_is_read(text: str, low: int | None, high: int | None, names: list[str]) -> None:
    assert Selection.of(text) == Selection(low, high, names)


def test_values_from_outside_are_read_in_the_order_of_the_text() -> None:
    row, separator = "tensor<8xf32>", "\n        "
    names = [f"%v{number}" for number in range(8)]
    lines = [f"%{number} = stablehlo.add {name}, {name} : {row}" for number, name in enumerate(reversed(names))]
    text = f"""
    sdy.mesh @m = <["p"=4]>
    func.func @main(%c: tensor<i1>, {", ".join(f"{name}: {row} {on(P)}" for name in names)}) -> {row} {{
      %r = "stablehlo.if"(%c) ({{
        {separator.join(lines)}
        stablehlo.return %7 : {row}
      }}, {{
        stablehlo.return %v0 : {row}
      }}) {of(P)} : (tensor<i1>) -> {row}
      return %r : {row}
    }}
    """
    expected = [f"%arg{number}" for number in (0, *range(8, 0, -1))]
    for _ in range(5):
        module = pyshardy.run_passes(pyshardy.parse(text), PASS)
        read = re.search(r"sdy.manual_computation\(([^)]*)\)", str(module))
        assert read is not None and read[1].split(", ") == expected
