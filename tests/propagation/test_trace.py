"""What the debug options of propagation write down, on small programs.

`tests/differential/test_debug_info.py` compares with the reference.
"""

from __future__ import annotations

import re

import pytest

import pyshardy

BOTH = "{debug-sharding-origins=true debug-propagation-edge-sharding=true}"
T = "tensor<8x8xf32>"


def run(body: str, passes: str, mesh: str = '["a"=2, "b"=4]') -> str:
    module = pyshardy.parse(f"sdy.mesh @m = <{mesh}>\n{body}")
    return str(pyshardy.run_passes(module, passes))


def line_of(text: str, name: str) -> str:
    return next(line for line in text.splitlines() if name in line)


def origins(line: str) -> str:
    """The dictionary or list of origins on a line with one of them."""
    found = re.search(r"sdy\.sharding_origins = (\[?\{.*?\}\]?)(?=[,}])", line)
    return found[1] if found is not None else ""


def edges(line: str) -> str:
    found = re.search(r"#sdy\.propagation_edges<\[(.*?)\]>", line)
    return found[1] if found is not None else ""


CHAIN = f"""
func.func @main(%x: {T} {{sdy.sharding = #sdy.sharding<@m, [{{"a", ?}}, {{?}}]>}}, %y: {T}) -> {T} {{
  %0 = stablehlo.add %x, %y : {T}
  %1 = stablehlo.tanh %0 : {T}
  %2 = sdy.sharding_constraint %1 <@m, [{{?}}, {{"b", ?}}]> : {T}
  return %2 : {T}
}}"""


def test_each_axis_says_from_which_sharding_it_came() -> None:
    text = run(CHAIN, f"sdy-basic-propagate{BOTH}")
    assert origins(line_of(text, "stablehlo.add")) == '[{a = "input: 0", b = "constraint_0"}]'
    assert origins(line_of(text, "sharding_constraint")) == '{a = "input: 0", b = "self"}'
    assert 'sdy.sharding_origin_name = "constraint_0"' in line_of(text, "sharding_constraint")
    signature = line_of(text, "func.func")
    assert 'sdy.sharding_origins = {a = "self", b = "constraint_0"}}, %arg1' in signature
    assert 'sdy.sharding_origins = {a = "input: 0", b = "constraint_0"}}) {' in signature


def test_each_operation_says_what_it_moved_and_when() -> None:
    text = run(CHAIN, f"sdy-basic-propagate{BOTH}")
    # Step 0 took "b" from the constraint to the function's result.
    assert edges(line_of(text, "stablehlo.add")) == (
        '{step-1 = [{"a" = operand-0 -> [operand-1, result-0]}]}, '
        '{step-5 = [{"b" = result-0 -> [operand-0, operand-1]}]}'
    )
    assert edges(line_of(text, "stablehlo.tanh")) == (
        '{step-2 = [{"a" = operand-0 -> [result-0]}]}, {step-4 = [{"b" = result-0 -> [operand-0]}]}'
    )


def test_either_can_be_had_alone() -> None:
    only_origins = run(CHAIN, "sdy-basic-propagate{debug-sharding-origins=true}")
    assert "sharding_origins" in only_origins and "propagation_edges" not in only_origins
    only_edges = run(CHAIN, "sdy-basic-propagate{debug-propagation-edge-sharding=true}")
    assert "propagation_edges" in only_edges and "origin" not in only_edges


@pytest.mark.parametrize("propagate", ["basic", "aggressive", "op-priority", "user-priority"])
def test_shardings_are_the_same_with_and_without(propagate: str) -> None:
    plain = run(CHAIN, f"sdy-{propagate}-propagate")
    traced = run(CHAIN, f"sdy-{propagate}-propagate{BOTH},sdy-remove-propagation-debug-info")
    assert traced.replace(' {sdy.sharding_origin_name = "constraint_0"}', "") == plain


def test_a_split_axis_has_the_origin_of_the_whole() -> None:
    body = f"""
    func.func @main(%x: {T} {{sdy.sharding = #sdy.sharding<@m, [{{"b", ?}}, {{?}}]>}}) -> tensor<2x4x8xf32> {{
      %0 = stablehlo.reshape %x : ({T}) -> tensor<2x4x8xf32>
      return %0 : tensor<2x4x8xf32>
    }}"""
    line = line_of(run(body, f"sdy-basic-propagate{BOTH}"), "stablehlo.reshape")
    assert origins(line) == '[{"b:(1)2" = "input: 0", "b:(2)2" = "input: 0"}]'
    assert edges(line) == '{step-0 = [{"b":(1)2 = operand-0 -> [result-0]}, {"b":(2)2 = operand-0 -> [result-0]}]}'


def test_sub_axes_that_meet_again_count_as_one() -> None:
    body = """
    func.func @main(%x: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"b":(1)2}, {"b":(2)2}]>}) -> tensor<8xf32> {
      %0 = stablehlo.reshape %x : (tensor<2x4xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    line = line_of(run(body, "sdy-basic-propagate{debug-propagation-edge-sharding=true}"), "stablehlo.reshape")
    assert edges(line) == '{step-0 = [{"b" = operand-0 -> [result-0]}]}'


def test_copying_a_constraint_to_its_input_is_the_first_step() -> None:
    body = f"""
    func.func @main(%x: {T}) -> {T} {{
      %0 = stablehlo.tanh %x : {T}
      %1 = sdy.sharding_constraint %0 <@m, [{{"a"}}, {{}}]> : {T}
      return %1 : {T}
    }}"""
    text = run(body, f"sdy-apply-sharding-constraints{BOTH},sdy-basic-propagate{BOTH}")
    assert edges(line_of(text, "sharding_constraint")) == '{step-0 = [{"a" = result-0 -> [operand-0]}]}'
    assert "step-1" in edges(line_of(text, "stablehlo.tanh")) + edges(line_of(text, "func.func"))
    assert origins(line_of(text, "stablehlo.tanh")) == '[{a = "constraint_0"}]'


def test_the_places_of_a_manual_computation_have_names() -> None:
    body = f"""
    func.func @main(%x: {T}) -> {T} {{
      %0 = sdy.manual_computation(%x)
          in_shardings=[<@m, [{{"a", ?}}, {{?}}]>] out_shardings=[<@m, [{{"a", ?}}, {{"b"}}]>]
          manual_axes={{"a"}} (%i: tensor<4x8xf32>) {{
        %1 = stablehlo.tanh %i : tensor<4x8xf32>
        sdy.return %1 : tensor<4x8xf32>
      }} : ({T}) -> {T}
      return %0 : {T}
    }}"""
    text = run(body, f"sdy-add-data-flow-edges,sdy-basic-propagate{BOTH}")
    assert origins(line_of(text, "stablehlo.tanh")) == '[{b = "mc_0_output: 0"}]'
    assert 'sharding_origin_name = "mc_0"' in text
    assert [origins(line) for line in text.splitlines() if "data_flow_edge" in line] == [
        '{a = "self", b = "mc_0_output: 0"}',
        '{a = "self", b = "self"}',
    ]


def test_without_edges_the_origins_of_a_manual_computation_have_no_place() -> None:
    body = f"""
    func.func @main(%x: {T}) -> {T} {{
      %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{{"a"}}, {{}}]>] out_shardings=[<@m, [{{"a"}}, {{}}]>]
          manual_axes={{"a"}} (%i: tensor<4x8xf32>) {{
        sdy.return %i : tensor<4x8xf32>
      }} : ({T}) -> {T}
      return %0 : {T}
    }}"""
    with pytest.raises(pyshardy.PyshardyError, match="run sdy-add-data-flow-edges first"):
        run(body, "sdy-basic-propagate{debug-sharding-origins=true}")
    assert "propagation_edges" in run(body, "sdy-basic-propagate{debug-propagation-edge-sharding=true}")


def test_steps_are_counted_on_from_those_of_an_earlier_pass() -> None:
    earlier = '#sdy.propagation_edges<[{step-7 = [{"a" = operand-0 -> [result-0]}]}]>'
    body = f"""
    func.func @main(%x: {T} {{sdy.sharding = #sdy.sharding<@m, [{{"a", ?}}, {{?}}]>}}) -> {T} {{
      %0 = stablehlo.tanh %x {{sdy.propagation_edges = {earlier}}} : {T}
      %1 = stablehlo.abs %0 : {T}
      return %1 : {T}
    }}"""
    text = run(body, "sdy-basic-propagate{debug-propagation-edge-sharding=true}")
    assert edges(line_of(text, "stablehlo.tanh")) == '{step-8 = [{"a" = operand-0 -> [result-0]}]}'
    assert edges(line_of(text, "stablehlo.abs")) == '{step-9 = [{"a" = operand-0 -> [result-0]}]}'


def test_an_axis_of_an_unnamed_sharding_has_no_known_origin() -> None:
    body = f"""
    func.func @main(%x: {T}) -> {T} {{
      %0 = stablehlo.tanh %x {{sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"a", ?}}, {{?}}]>]>}} : {T}
      %1 = stablehlo.abs %0 : {T}
      return %1 : {T}
    }}"""
    line = line_of(run(body, "sdy-basic-propagate{debug-sharding-origins=true}"), "stablehlo.abs")
    assert origins(line) == '[{a = ": 0"}]'
