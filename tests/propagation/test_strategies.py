"""What one step moves: the basic strategy never decides a conflict, the aggressive one does."""

import pytest

from tests.propagation.programs import propagated

T = "tensor<8x8xf32>"


def sharded(dims: str) -> str:
    return f"{{sdy.sharding = #sdy.sharding<@m, {dims}>}}"


@pytest.mark.parametrize(
    ("before", "shape", "after", "expected", "conservative"),
    [
        ('[{"b"}]', "24", "6x4", '[{"b":(1)2, ?}, {?}]', ""),
        ('[{"a", "c"}]', "16", "4x4", '[{"a", ?}, {?}]', '[{"a", ?}, {?}]'),
        ('[{"a", ?}, {"b", ?}]', "4x4", "16", '[{"a", ?}]', '[{"a", ?}]'),
        ('[{"b", ?}, {"c", ?}]', "4x4", "16", '[{"b", "c", ?}]', '[{"b", "c", ?}]'),
        ('[{"b", ?}, {"c", ?}]', "2x8", "16", '[{"b":(1)2, "c", ?}]', ""),
    ],
)
def test_axes_follow_the_factors_of_a_reshape(
    before: str, shape: str, after: str, expected: str, conservative: str
) -> None:
    program = f"""
func.func @main(%x: tensor<{shape}xf32> {sharded(before)}) -> tensor<{after}xf32> {{
  %0 = stablehlo.reshape %x {{tag = "y"}} : (tensor<{shape}xf32>) -> tensor<{after}xf32>
  return %0 : tensor<{after}xf32>
}}"""
    mesh = '["a"=2, "b"=4, "c"=3]'
    assert propagated(program, mesh=mesh)["y"] == expected
    passes = "sdy-basic-propagate{conservative-propagation=true}"
    assert propagated(program, passes=passes, mesh=mesh)["y"] == conservative


DOT = """
func.func @main(%x: tensor<8x{k}xf32> {x}, %y: tensor<{k}x{n}xf32> {y}) -> tensor<8x{n}xf32> {{
  %0 = stablehlo.dot %x, %y {{tag = "z"}} : (tensor<8x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<8x{n}xf32>
  return %0 : tensor<8x{n}xf32>
}}"""


@pytest.mark.parametrize(("k", "n", "expected"), [(8, 8, '[{"a", ?}, {?}]'), (16, 64, '[{?}, {"a", ?}]')])
def test_the_larger_tensor_wins_a_conflict_and_the_first_a_tie(k: int, n: int, expected: str) -> None:
    program = DOT.format(k=k, n=n, x=sharded('[{"a", ?}, {?}]'), y=sharded('[{?}, {"a", ?}]'))
    assert propagated(program)["z"] == ""
    assert propagated(program, passes="sdy-aggressive-propagate")["z"] == expected


def add(x: str, y: str, out: str = "") -> str:
    result = f"{T} {out}" if out else T
    return f"""
func.func @main(%x: {T} {x}, %y: {T} {y}) -> ({result}) {{
  %0 = stablehlo.add %x, %y {{tag = "z"}} : {T}
  return %0 : {T}
}}"""


def test_in_an_elementwise_operation_the_more_sharded_factor_wins() -> None:
    program = add(sharded('[{"a", ?}, {?}]'), sharded('[{?}, {"a", "b", ?}]'))
    assert propagated(program)["z"] == ""
    assert propagated(program, passes="sdy-aggressive-propagate")["z"] == '[{?}, {"a", "b", ?}]'


def test_operands_do_not_propagate_sideways_past_a_closed_result() -> None:
    program = add(sharded('[{"a", ?}, {}]'), "", sharded("[{}, {?}]"))
    found = propagated(
        program.replace('{tag = "z"}', '{tag = "z", sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {?}]>]>}'),
        passes="sdy-aggressive-propagate",
    )
    assert found["arg1"] == ""


def test_a_replicated_axis_is_never_used() -> None:
    program = add(sharded('[{"a", ?}, {"b", ?}]'), sharded('[{?}, {?}], replicated={"b"}'))
    found = propagated(program)
    assert found["z"] == '[{"a", ?}, {?}]' and found["arg1"] == '[{"a", ?}, {?}]'


def test_priorities_are_propagated_one_after_the_other() -> None:
    program = add(sharded('[{"b", ?}p1, {?}]'), sharded('[{?}, {"b", ?}]'))
    assert propagated(program, passes="sdy-user-priority-propagate")["z"] == '[{?}, {"b", ?}]'
    without = program.replace("p1", "")
    assert propagated(without, passes="sdy-user-priority-propagate")["z"] == '[{"b", ?}, {?}]'


def test_pass_through_operations_go_before_a_dot() -> None:
    program = f"""
func.func @main(%x: {T} {sharded('[{"a", ?}, {?}]')}, %w: {T}) -> ({T} {sharded('[{?}, {"a", ?}]')}) {{
  %0 = stablehlo.dot %x, %w {{tag = "dot"}} : ({T}, {T}) -> {T}
  %1 = stablehlo.abs %0 : {T}
  return %1 : {T}
}}"""
    assert propagated(program, passes="sdy-op-priority-propagate")["dot"] == '[{?}, {"a", ?}]'
    passes = "sdy-op-priority-propagate{run-op-priority-propagation=false}"
    assert propagated(program, passes=passes)["dot"] == '[{"a", ?}, {?}]'


def test_a_manual_computation_propagates_along_its_free_axes() -> None:
    program = f"""
func.func @main(%x: {T} {sharded('[{"a", "b", ?}, {?}]')}) -> {T} {{
  %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{{"a", ?}}, {{?}}]>] out_shardings=[<@m, [{{"a", ?}}, {{?}}]>]
      manual_axes={{"a"}} (%y: tensor<4x8xf32>) {{
    %2 = stablehlo.tanh %y {{tag = "inside"}} : tensor<4x8xf32>
    sdy.return %2 : tensor<4x8xf32>
  }} {{tag = "outside"}} : ({T}) -> {T}
  return %0 : {T}
}}"""
    found = propagated(program, passes="sdy-add-data-flow-edges,sdy-basic-propagate")
    assert found["inside"] == '[{"b", ?}, {?}]'
    assert found["outside"] == '[{"a", "b", ?}, {?}]'
