"""Dead operations that carry priorities: the program comes out as if they had not been there."""

from tests.propagation.programs import propagated

T = "tensor<8x8xf32>"
P1 = 'sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a", ?}p1, {?}]>]>'


def program(dead: str) -> str:
    return f"""
func.func @main(%x: {T} {{sdy.sharding = #sdy.sharding<@m, [{{?}}, {{"b", ?}}]>}}, %y: {T}) -> ({T}, {T}) {{
  {dead}
  %0 = stablehlo.tanh %x {{tag = "live", sdy.sharding = #sdy.sharding_per_value<[<@m, [{{"a", ?}}p2, {{?}}]>]>}} : {T}
  %1 = stablehlo.abs %y {{tag = "other"}} : {T}
  return %0, %1 : {T}, {T}
}}"""


def test_a_dead_operation_with_a_priority_leaves_no_trace() -> None:
    dead = f"%d0 = stablehlo.add %x, %y : {T}\n  %d1 = stablehlo.negate %d0 {{{P1}}} : {T}"
    passes = "sdy-user-priority-propagate"
    assert propagated(program(dead), passes=passes) == propagated(program(""), passes=passes)


def test_so_does_one_in_a_dead_loop() -> None:
    dead = f"""%d0 = stablehlo.while(%i = %y) : {T}
  cond {{
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }} do {{
    %n = stablehlo.negate %i {{{P1}}} : {T}
    stablehlo.return %n : {T}
  }}"""
    passes = "sdy-user-priority-propagate"
    assert propagated(program(dead), passes=passes) == propagated(program(""), passes=passes)


def test_a_dead_operation_without_priority_is_visited_while_it_lives() -> None:
    dead = f"%d0 = stablehlo.add %x, %y : {T}\n  %d1 = stablehlo.negate %d0 : {T}"
    assert propagated(program(dead))["arg1"] != ""
    assert propagated(program(""))["arg1"] == ""
