"""Collectives that a program brings along are counted as those that we make."""

from __future__ import annotations

import pytest

from pyshardy import parse, partition

_AXES = '#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "x">]>'


@pytest.mark.parametrize("groups", ["dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>", _AXES])
def test_groups_count_alike_however_they_are_written(groups: str) -> None:
    plan = partition(
        parse(f"""
          sdy.mesh @m = <["x"=4]>
          func.func @main(%a: tensor<32xf32>, %b: tensor<16xf32>) -> (tensor<8xf32>, tensor<4xf32>) {{
            %0:2 = sdy.manual_computation(%a, %b) in_shardings=[<@m, [{{"x"}}]>, <@m, [{{"x"}}]>]
                out_shardings=[<@m, [{{}}]>, <@m, [{{}}]>] manual_axes={{"x"}} (%c: tensor<8xf32>, %d: tensor<4xf32>) {{
              %1:2 = "stablehlo.all_reduce"(%c, %d) <{{replica_groups = {groups}}}> ({{
              ^bb0(%x: tensor<f32>, %y: tensor<f32>):
                %2 = stablehlo.add %x, %y : tensor<f32>
                stablehlo.return %2 : tensor<f32>
              }}) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
              sdy.return %1#0, %1#1 : tensor<8xf32>, tensor<4xf32>
            }} : (tensor<32xf32>, tensor<16xf32>) -> (tensor<8xf32>, tensor<4xf32>)
            return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
          }}""")
    )
    (collective,) = plan.collectives
    assert (collective.kind, collective.group_size) == ("all_reduce", 4)
    assert collective.bytes == 2 * (8 + 4) * 4 * 3 / 4
