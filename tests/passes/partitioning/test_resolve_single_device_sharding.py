"""What is on one device is computed there, and all devices get the result."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.partitioning.program_text import on
from tests.passes.partitioning.simulated import same_results
from tests.passes.running import body_after, first_error, same_body

RESOLVE = "func.func(sdy-resolve-single-device-sharding)"
ONE = "{sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>}"
MESHES = """
        sdy.mesh @m = <["p"=2, "q"=2]>
        sdy.mesh @one = <[], device_ids=[2]>"""


def test_an_operation_becomes_a_branch_and_an_all_reduce() -> None:
    same_body(
        RESOLVE,
        f"""
        {MESHES}
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
          %0 = sdy.reshard %x <@one, []> : tensor<4xf32>
          %1 = stablehlo.cosine %0 {ONE} : tensor<4xf32>
          %2 = sdy.reshard %1 <@m, [{{}}]> : tensor<4xf32>
          return %2 : tensor<4xf32>
        }}
        """,
        """
        sdy.mesh @m = <["p"=2, "q"=2]>
        sdy.mesh @one = <[], device_ids=[2]>
        func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.partition_id : tensor<ui32>
          %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i64>
          %c = stablehlo.constant dense<2> : tensor<i64>
          %2 = stablehlo.compare EQ, %1, %c : (tensor<i64>, tensor<i64>) -> tensor<i1>
          %3 = "stablehlo.if"(%2) ({
            %5 = stablehlo.cosine %arg0 : tensor<4xf32>
            stablehlo.return %5 : tensor<4xf32>
          }, {
            %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
            stablehlo.return %cst : tensor<4xf32>
          }) : (tensor<i1>) -> tensor<4xf32>
          %4 = sdy.all_reduce {"p", "q"} %3 out_sharding=<@m, [{}]> : tensor<4xf32>
          return %4 : tensor<4xf32>
        }
        """,
    )


def test_the_result_is_that_of_the_operation_wherever_its_operand_was() -> None:
    text = same_results(
        "sdy-partitioner",
        f"""
        {MESHES}
        func.func @main(%x: tensor<4x6xf32> {on('"p"', '"q"')}) -> (tensor<4x6xf32> {on("", '"p"')}) {{
          %0 = sdy.reshard %x <@one, []> : tensor<4x6xf32>
          %1 = stablehlo.cosine %0 {ONE} : tensor<4x6xf32>
          %2 = stablehlo.negate %1 {ONE} : tensor<4x6xf32>
          %3 = sdy.reshard %2 <@m, [{{}}, {{"p"}}]> : tensor<4x6xf32>
          return %3 : tensor<4x6xf32>
        }}
        """,
    )
    assert text.count('"stablehlo.if"') == 2


def test_branches_that_hold_shards_stay_on_all_devices() -> None:
    text = same_results(
        "sdy-partitioner",
        f"""
        {MESHES}
        func.func @main(%x: tensor<4x6xf32> {on('"p"', '"q"')}, %i: tensor<i32>) -> tensor<4x6xf32> {{
          %0 = "stablehlo.case"(%i) ({{
            %1 = stablehlo.negate %x {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"p"}}, {{"q"}}]>]>}} : tensor<4x6xf32>
            %2 = sdy.reshard %1 <@one, []> : tensor<4x6xf32>
            stablehlo.return %2 : tensor<4x6xf32>
          }}) {ONE} : (tensor<i32>) -> tensor<4x6xf32>
          return %0 : tensor<4x6xf32>
        }}
        """,
    )
    assert "stablehlo.if" not in text


def test_without_a_mesh_of_all_devices_nothing_is_done() -> None:
    program = f"""
        sdy.mesh @one = <[], device_ids=[2]>
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
          %0 = stablehlo.cosine %x {ONE} : tensor<4xf32>
          return %0 : tensor<4xf32>
        }}
        """
    assert body_after(RESOLVE, program) == body_after("", program)


def test_results_on_two_devices_are_refused() -> None:
    program = f"""
        {MESHES}
        sdy.mesh @other = <[], device_ids=[1]>
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
          %0:2 = stablehlo.custom_call @f(%x) {{sdy.sharding = #sdy.sharding_per_value<[<@one, []>, <@other, []>]>}} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
          return %0#0 : tensor<4xf32>
        }}
        """
    assert first_error(RESOLVE, program) == (
        "all results of an operation on a single device must be on that device or replicated"
    )
