"""Edges hand their shardings to their owners and go."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.running import same_body

SINK = "builtin.module(func.func(sdy-sink-data-flow-edges{}))"
BARRIER = """
    sdy.mesh @m = <["x"=2, "y"=2]>
    func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
      %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>, <@m, [{"y"}]>]>} %a, %b : tensor<8xf32>, tensor<8xf32>
      %1 = sdy.data_flow_edge %0#0 : tensor<8xf32>
      %2 = sdy.data_flow_edge %0#1 EDGE : tensor<8xf32>
      %3 = stablehlo.add %1, %2 : tensor<8xf32>
      return %3 : tensor<8xf32>
    }
    """
SUNK = """
    sdy.mesh @m = <["x"=2, "y"=2]>
    func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {{
      %0:2 = stablehlo.optimization_barrier {attributes} %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
      %1 = stablehlo.add %0#0, %0#1 : tensor<8xf32>
      return %1 : tensor<8xf32>
    }}
    """


def test_the_owners_get_the_whole_list() -> None:
    expected = '{sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}]>, <@m, [{"x", ?}p1], replicated={"y"}>]>}'
    edge = 'sharding=<@m, [{"x", ?}p1], replicated={"y"}>'
    same_body(SINK, BARRIER.replace("EDGE", edge), SUNK.format(attributes=expected))


def test_edges_without_shardings_leave_the_owners_alone() -> None:
    expected = '{sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>, <@m, [{"y"}]>]>}'
    same_body(SINK, BARRIER.replace("EDGE", ""), SUNK.format(attributes=expected))


def test_debug_entries_are_collected_without_gaps() -> None:
    options = "sink-debug-sharding-origins=true sink-debug-propagation-edge-sharding=true"
    expected = (
        "{sdy.block_arg_propagation_edges = [], sdy.block_arg_sharding_origins = [], sdy.result_propagation_edges = [], "
        'sdy.result_sharding_origins = [{x = "input: 0"}], '
        'sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}]>, <@m, [{"x"}]>]>}'
    )
    edge = 'sharding=<@m, [{"x"}]> {sdy.sharding_origins = {x = "input: 0"}}'
    same_body(SINK.replace("{}", f"{{{options}}}"), BARRIER.replace("EDGE", edge), SUNK.format(attributes=expected))


def test_manual_axes_stay_in_front_of_what_an_edge_brings() -> None:
    same_body(
        SINK,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x", ?}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%p: tensor<4xf32>) {
            %1 = sdy.data_flow_edge %p sharding=<@m, [{"y"}]> : tensor<4xf32>
            sdy.return %1 : tensor<4xf32>
          } : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        """
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.manual_computation(%arg0) in_shardings=[<@m, [{"x", "y"}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
            sdy.return %arg1 : tensor<4xf32>
          } : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
    )
