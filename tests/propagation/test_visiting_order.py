"""The order in which operations are visited decides conflicts, so it is held to the reference's."""

from tests.propagation.programs import propagated

T = "tensor<8x8xf32>"
A0 = '{sdy.sharding = #sdy.sharding<@m, [{"a", ?}, {?}]>}'


def test_users_are_visited_before_what_was_waiting() -> None:
    found = propagated(f"""
func.func @main(%x: {T}, %y: {T}) -> ({T}, {T}, {T} {A0}) {{
  %1 = stablehlo.add %x, %y {{tag = "add"}} : {T}
  %2 = stablehlo.transpose %x, dims = [1, 0] {{tag = "transpose"}} : ({T}) -> {T}
  %3 = stablehlo.add %1, %2 {{tag = "last"}} : {T}
  %4 = stablehlo.tanh %x : {T}
  return %3, %2, %4 : {T}, {T}, {T}
}}""")
    assert {found[name] for name in ("arg0", "arg1", "add", "transpose", "last")} == {'[{"a", ?}, {?}]'}


def test_swapping_two_operations_changes_the_result() -> None:
    found = propagated(f"""
func.func @main(%x: {T}, %y: {T}) -> ({T}, {T}, {T} {A0}) {{
  %2 = stablehlo.transpose %x, dims = [1, 0] {{tag = "transpose"}} : ({T}) -> {T}
  %1 = stablehlo.add %x, %y {{tag = "add"}} : {T}
  %3 = stablehlo.add %1, %2 {{tag = "last"}} : {T}
  %4 = stablehlo.tanh %x : {T}
  return %3, %2, %4 : {T}, {T}, {T}
}}""")
    assert found["arg0"] == '[{"a", ?}, {?}]'
    assert found["arg1"] == ""
    assert {found[name] for name in ("add", "transpose", "last")} == {'[{?}, {"a", ?}]'}


def test_the_order_of_users_alone_can_decide() -> None:
    found = propagated(
        f"""
func.func @main(%arg0: {T} {{sdy.sharding = #sdy.sharding<@m, [{{?}}, {{?}}]>}})
    -> ({T} {{sdy.sharding = #sdy.sharding<@m, [{{"a", ?}}, {{?}}], replicated={{"b"}}>}}, {T}, {T}, {T}, {T}) {{
  %v1 = stablehlo.add %arg0, %arg0 : {T}
  %v2 = stablehlo.transpose %v1, dims = [1, 0] {{tag = "v2"}} : ({T}) -> {T}
  %v3 = stablehlo.transpose %v1, dims = [1, 0] : ({T}) -> {T}
  %v4 = stablehlo.multiply %v1, %v2 : {T}
  %v5 = stablehlo.sqrt %arg0 : {T}
  %v6 = stablehlo.dot_general %v1, %v3, contracting_dims = [1] x [0] : ({T}, {T}) -> {T}
  return %v6, %v1, %v2, %v4, %v5 : {T}, {T}, {T}, {T}, {T}
}}""",
        passes="sdy-user-priority-propagate",
        mesh='["a"=2, "b"=3, "c"=4]',
    )
    assert found["v2"] == '[{?}, {"a", ?}]'


def test_a_dead_operation_propagates_while_it_still_has_users() -> None:
    found = propagated(f"""
func.func @main(%x: {T} {{sdy.sharding = #sdy.sharding<@m, [{{"a"}}, {{}}]>}}, %y: {T}, %z: {T}) -> {T} {{
  %d0 = stablehlo.add %x, %y {{tag = "d0"}} : {T}
  %d1 = stablehlo.add %d0, %z {{tag = "d1"}} : {T}
  return %x : {T}
}}""")
    assert found == {"arg0": '[{"a"}, {}]', "arg1": '[{"a", ?}, {?}]', "arg2": "", "out0": '[{"a", ?}, {?}]'}


def test_the_last_of_two_writes_to_one_tensor_wins() -> None:
    program = f"""
func.func @main(%x: {T}) -> ({T} {{sdy.sharding = #sdy.sharding<@m, [{{"b", ?}}, {{"a", ?}}]>}}) {{
  %0 = stablehlo.dot %x, %x : ({T}, {T}) -> {T}
  return %0 : {T}
}}"""
    assert propagated(program)["arg0"] == '[{?}, {"a", ?}]'
    assert propagated(program, passes="sdy-op-priority-propagate")["arg0"] == '[{"b", ?}, {"a", ?}]'


def test_a_late_operand_does_not_enter_a_named_computation_in_the_same_fixed_point() -> None:
    program = f"""
func.func @main(%arg0: {T}, %arg1: {T} {{sdy.sharding = #sdy.sharding<@m, [{{"a"}}, {{?}}]>}}) -> ({T}, {T}) {{
  %0 = stablehlo.tanh %arg0 {{tag = "operand"}} : {T}
  %1 = sdy.named_computation<"foo">(%0) (%a: {T}) {{
    %3 = stablehlo.tanh %a {{tag = "inside"}} : {T}
    sdy.return %3 : {T}
  }} : ({T}) -> {T}
  %2 = stablehlo.add %0, %arg1 : {T}
  return %1, %2 : {T}, {T}
}}"""
    once = propagated(program, passes="sdy-add-data-flow-edges,sdy-basic-propagate")
    assert once["operand"] == '[{"a", ?}, {?}]' and once["inside"] == ""
    often = propagated(program, passes="sdy-add-data-flow-edges,sdy-op-priority-propagate")
    assert often["inside"] == '[{"a", ?}, {?}]'
