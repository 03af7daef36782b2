"""Collectives along several axes and dimensions bring each device the right data, whatever form they are written in."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

import pytest

import pyshardy
from tests.passes.partitioning.program_text import CONVERT, P, Q, on
from tests.passes.partitioning.simulated import same_results
from tests.passes.running import body_after


@pytest.mark.parametrize(
    "mesh",
    [
        '<["p"=2, "q"=3, "r"=4]>',
        '<["q"=3, "r"=4, "p"=2], device_ids=[23, 3, 5, 4, 11, 2, 0, 12, 13, 1, 6, 22, 21, 10, 7, 8, 9, 14, 20, 19, 15, 16, 17, 18]>',
    ],
)
@pytest.mark.parametrize(
    "option",
    [
        "",
        "{per-dim-all-gather=true combine-multi-dimension-reduce-scatter=true}",
        "{enable-rgv3=true}",
        "{enable-rgv3=true compat=r2}",
    ],
)
def test_collectives_of_several_dimensions_bring_the_right_data(mesh: str, option: str) -> None:
    all_axes = '"q", "r", "p"' if mesh.startswith('<["q"') else '"p", "q", "r"'
    same_results(
        f"{CONVERT}{option}",
        f"""
        sdy.mesh @m = {mesh}
        func.func @main(%x: tensor<24x8x24x8xf32> {on(Q, '"r"', "", P)}, %y: tensor<12x24xf32> {on("", "")}) -> (tensor<24x8x24x8xf32>, tensor<24x8x24x8xf32> {on("", '"r", "p"', Q, "")}, tensor<24x8x24x8xf32> {on("", '"r":(2)2', Q, "")}, tensor<12x24xf32> {on('"r"', '"p", "q"')}) {{
          %0 = sdy.all_gather [{{"q"}}, {{"r"}}, {{}}, {{"p"}}] %x out_sharding=<@m, [{{}}, {{}}, {{}}, {{}}]> : tensor<24x8x24x8xf32>
          %1 = sdy.all_to_all [{{"q"}}: 0->2, {{"p"}}: 3->1] %x out_sharding=<@m, [{{}}, {{"r", "p"}}, {{"q"}}, {{}}]> : tensor<24x8x24x8xf32>
          %2 = sdy.all_to_all [{{"r", "p"}}: 1->0] %1 out_sharding=<@m, [{{"r", "p"}}, {{}}, {{"q"}}, {{}}]> : tensor<24x8x24x8xf32>
          %3 = sdy.all_gather [{{"r", "p"}}, {{}}, {{}}, {{}}] %2 out_sharding=<@m, [{{}}, {{}}, {{"q"}}, {{}}]> : tensor<24x8x24x8xf32>
          %4 = sdy.all_slice [{{}}, {{"r":(1)2}}, {{}}, {{}}] %3 out_sharding=<@m, [{{}}, {{"r":(1)2}}, {{"q"}}, {{}}]> : tensor<24x8x24x8xf32>
          %5 = sdy.collective_permute %4 out_sharding=<@m, [{{}}, {{"r":(2)2}}, {{"q"}}, {{}}]> : tensor<24x8x24x8xf32>
          %u = sdy.replicated_to_unreduced {{{all_axes}}} %y out_sharding=<@m, [{{}}, {{}}], unreduced={{{all_axes}}}> : tensor<12x24xf32>
          %6 = sdy.reduce_scatter [{{"r"}}, {{"p", "q"}}] %u out_sharding=<@m, [{{"r"}}, {{"p", "q"}}]> : tensor<12x24xf32>
          return %0, %1, %5, %6 : tensor<24x8x24x8xf32>, tensor<24x8x24x8xf32>, tensor<24x8x24x8xf32>, tensor<12x24xf32>
        }}
        """,
    )


def test_a_dimension_that_is_not_scattered_keeps_its_place() -> None:
    text = same_results(
        f"{CONVERT}{{combine-multi-dimension-reduce-scatter=true}}",
        f"""
        sdy.mesh @m = <["p"=2, "q"=3]>
        func.func @main(%y: tensor<6x5x12xf32> {on("", "", "")}) -> (tensor<6x5x12xf32> {on(P, "", Q)}) {{
          %u = sdy.replicated_to_unreduced {{"p", "q"}} %y out_sharding=<@m, [{{}}, {{}}, {{}}], unreduced={{"p", "q"}}> : tensor<6x5x12xf32>
          %0 = sdy.reduce_scatter [{{"p"}}, {{}}, {{"q"}}] %u out_sharding=<@m, [{{"p"}}, {{}}, {{"q"}}]> : tensor<6x5x12xf32>
          return %0 : tensor<6x5x12xf32>
        }}
        """,
    )
    assert "stablehlo.transpose %" in text


def test_terms_of_a_sum_are_made_of_shards_and_of_replicas() -> None:
    same_results(
        CONVERT,
        """
        sdy.mesh @m = <["p"=2, "q"=3]>
        func.func @main(%x: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}]>}) -> (tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"p", "q"}>}) {
          %0 = sdy.replicated_to_unreduced {"p"} %x out_sharding=<@m, [{"q"}, {}], unreduced={"p"}> : tensor<6x5xf32>
          %1 = sdy.sharded_to_unreduced [{"q"}, {}] %0 out_sharding=<@m, [{}, {}], unreduced={"p", "q"}> : tensor<6x5xf32>
          return %1 : tensor<6x5xf32>
        }
        """,
    )


def test_a_permute_keeps_the_terms_of_a_sum_where_they_are() -> None:
    same_results(
        CONVERT,
        """
        sdy.mesh @m = <["p"=2, "t"=3, "q"=2]>
        func.func @main(%x: tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"p"}, {}]>}) -> (tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"q"}, {}], unreduced={"t"}>}) {
          %0 = sdy.replicated_to_unreduced {"t"} %x out_sharding=<@m, [{"p"}, {}], unreduced={"t"}> : tensor<4x5xf32>
          %1 = sdy.collective_permute %0 out_sharding=<@m, [{"q"}, {}], unreduced={"t"}> : tensor<4x5xf32>
          return %1 : tensor<4x5xf32>
        }
        """,
    )


@pytest.mark.parametrize("compat, axes", [("r1", '[#sdy<axis_ref"q">]'), ("r2", '[#stablehlo.axis_ref<name = "q">]')])
def test_axes_in_replica_groups_are_spelled_as_the_chosen_release_does(compat: str, axes: str) -> None:
    program = f"""
        sdy.mesh @m = <["p"=2, "q"=2]>
        func.func @main(%x: tensor<8xf32> {on(Q)}) -> tensor<8xf32> {{
          %0 = sdy.all_gather [{{"q"}}] %x out_sharding=<@m, [{{}}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }}
        """
    text = body_after(f"{CONVERT}{{enable-rgv3=true compat={compat}}}", program)
    assert f"replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = {axes}>" in text


def test_the_newer_release_lists_the_devices_of_sub_axes() -> None:
    program = f"""
        sdy.mesh @m = <["p"=4]>
        func.func @main(%x: tensor<8xf32> {on('"p":(2)2')}) -> tensor<8xf32> {{
          %0 = sdy.all_gather [{{"p":(2)2}}] %x out_sharding=<@m, [{{}}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }}
        """
    assert "dense<[[0, 1], [2, 3]]>" in body_after(f"{CONVERT}{{enable-rgv3=true compat=r2}}", program)


def test_an_inlined_mesh_in_replica_groups_can_be_read_again() -> None:
    program = """
        func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}) -> tensor<8xf32> {
          %0 = sdy.all_gather [{"a"}] %x out_sharding=<mesh<["a"=2]>, [{}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """
    text = body_after(f"{CONVERT}{{enable-rgv3=true}}", program)
    assert '<mesh = #stablehlo.mesh<axes=[<name = "a", size = 2>]>, axes = [#sdy<axis_ref"a">]>' in text
    assert str(pyshardy.parse(text)).count("mesh_axes") == 1
