"""The chain of steps along which an axis came: small programs, one for each thing that stands between tensors."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.analysis.why.programs import chain, origin, program, steps


class Asked(NamedTuple):
    """The chain of ``axis`` in dimension ``dim`` of ``what``: it begins at ``origin`` and takes these ``steps``."""

    what: str
    dim: int
    axis: str
    origin: str
    steps: list[str]


PROGRAMS = {
    "an axis goes forward to the result": (
        """func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  %1 = stablehlo.exponential %0 : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}""",
        [
            Asked(
                "%1",
                0,
                '"x"',
                "argument %arg0",
                ["tanh i forward %arg0:0 -> %0:0", "exponential i forward %0:0 -> %1:0"],
            ),
            Asked(
                "result[0]",
                0,
                '"x"',
                "argument %arg0",
                [
                    "tanh i forward %arg0:0 -> %0:0",
                    "exponential i forward %0:0 -> %1:0",
                    "func i forward %1:0 -> result 0:0",
                ],
            ),
        ],
    ),
    "an axis goes backward from the result": (
        """func.func @main(%a: tensor<8x4xf32>)
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}""",
        [
            Asked(
                "%arg0", 0, '"x"', "result 0", ["func i backward result 0:0 -> %0:0", "tanh i backward %0:0 -> %arg0:0"]
            ),
        ],
    ),
    "factors lead through a dot": (
        """func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                %b: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x"}]>})
    -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}""",
        [
            Asked("%0", 1, '"x"', "argument %arg1", ["dot_general j forward %arg1:1 -> %0:1"]),
            Asked("%arg1", 0, '"y"', "argument %arg0", ["dot_general k across %arg0:1 -> %arg1:0"]),
        ],
    ),
    "a transpose moves it to another dimension": (
        """func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> tensor<4x8xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}""",
        [
            Asked("%0", 1, '"x"', "argument %arg0", ["transpose j forward %arg0:0 -> %0:1"]),
        ],
    ),
    "a reshape splits an axis": (
        """func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<2x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<8xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}""",
        [
            Asked("%0", 0, '"y":(1)2', "argument %arg0", ["reshape i forward %arg0:0 -> %0:0"]),
            Asked("%0", 1, '"y":(2)2', "argument %arg0", ["reshape j forward %arg0:0 -> %0:1"]),
        ],
    ),
    "a loop hands it to its body and its result": (
        """func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %n: tensor<i32>)
    -> tensor<8xf32> {
  %0:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, tensor<8xf32>
  cond {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.tanh %x : tensor<8xf32>
    stablehlo.return %i, %1 : tensor<i32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}""",
        [
            Asked("%0#1", 0, '"x"', "argument %arg0", ["while i forward %arg0:0 -> %0#1:0"]),
            Asked("tanh:0", 0, '"x"', "argument %arg0", ["while i across %arg0:0 -> %1:0"]),
            Asked("while:0/%iterArg_0", 0, '"x"', "argument %arg0", ["while i forward %arg0:0 -> %0#1:0"]),
        ],
    ),
    "a branch hands it to the other": (
        """func.func @main(%i: tensor<i32>, %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32>)
    -> tensor<8xf32> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<8xf32>
  }, {
    %1 = stablehlo.tanh %b : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}""",
        [
            Asked("%0", 0, '"x"', "argument %arg1", ["case i forward %arg1:0 -> %0:0"]),
            Asked(
                "%arg2",
                0,
                '"x"',
                "argument %arg1",
                ["case i across %arg1:0 -> %1:0", "tanh i backward %1:0 -> %arg2:0"],
            ),
        ],
    ),
    "each call of a function has a chain of its own": (
        """func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
    -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%b) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}""",
        [
            Asked(
                "%0",
                0,
                '"x"',
                "argument %arg0",
                [
                    "call i forward %arg0:0 -> @f/%arg0:0",
                    "tanh i forward @f/%arg0:0 -> @f/%0:0",
                    "call i forward @f/%0:0 -> %0:0",
                ],
            ),
            Asked(
                "%1",
                0,
                '"y"',
                "argument %arg1",
                [
                    "call i forward %arg1:0 -> @f/%arg0:0",
                    "tanh i forward @f/%arg0:0 -> @f/%0:0",
                    "call i forward @f/%0:0 -> %1:0",
                ],
            ),
            Asked(
                "@f/%0@0",
                0,
                '"x"',
                "argument %arg0",
                ["call i forward %arg0:0 -> @f/%arg0:0", "tanh i forward @f/%arg0:0 -> @f/%0:0"],
            ),
            Asked(
                "@f/%0@1",
                0,
                '"y"',
                "argument %arg1",
                ["call i forward %arg1:0 -> @f/%arg0:0", "tanh i forward @f/%arg0:0 -> @f/%0:0"],
            ),
            Asked("@f/%arg0@1", 0, '"y"', "argument %arg1", ["call i forward %arg1:0 -> @f/%arg0:0"]),
        ],
    ),
    "free axes go into a manual computation and out": (
        """func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {?}]>]
      out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"}
      (%p: tensor<4x8xf32>) {
    %1 = stablehlo.tanh %p : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.exponential %0 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}""",
        [
            Asked(
                "%2",
                1,
                '"y"',
                "argument %arg0",
                ["manual_computation j forward %arg0:1 -> %arg1:1", "tanh j forward %arg1:1 -> %2:1"],
            ),
            Asked(
                "tanh:0",
                1,
                '"y"',
                "argument %arg0",
                ["manual_computation j forward %arg0:1 -> %arg1:1", "tanh j forward %arg1:1 -> %2:1"],
            ),
        ],
    ),
    "a manual computation asks its operand": (
        """func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.exponential %a : tensor<8x8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>]
      out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"}
      (%p: tensor<4x8xf32>) {
    %2 = stablehlo.tanh %p : tensor<4x8xf32>
    sdy.return %2 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}""",
        [
            Asked(
                "%0",
                0,
                '"x"',
                "the manual computation with operand 0 (-:4)",
                ["manual_computation backward operand 0:0 -> %0:0"],
            ),
            Asked(
                "%arg0",
                0,
                '"x"',
                "the manual computation with operand 0 (-:4)",
                ["manual_computation backward operand 0:0 -> %0:0", "exponential i backward %0:0 -> %arg0:0"],
            ),
        ],
    ),
    "a group hands it on": (
        """func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = stablehlo.tanh %b : tensor<8xf32>
  sdy.sharding_group %0 group_id=0 : tensor<8xf32>
  sdy.sharding_group %1 group_id=0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}""",
        [
            Asked("tanh:1", 0, '"x"', "argument %arg0", ["tanh i forward %arg0:0 -> %0:0", "tanh group %0:0 -> %1:0"]),
            Asked(
                "%arg1",
                0,
                '"x"',
                "argument %arg0",
                ["tanh i forward %arg0:0 -> %0:0", "tanh group %0:0 -> %1:0", "tanh i backward %1:0 -> %arg1:0"],
            ),
        ],
    ),
    "a group begins with what one of it has": (
        """func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}""",
        [
            Asked("%arg1", 0, '"x"', "argument %arg0", ["group %arg0:0 -> %arg1:0"]),
        ],
    ),
    "a closed constraint is handed to its operand": (
        """func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
  %2 = stablehlo.exponential %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}""",
        [
            Asked("%0", 0, '"x"', "the constraint %1 (-:4)", ["sharding_constraint backward %1:0 -> %0:0"]),
            Asked("%1", 0, '"x"', "the constraint %1 (-:4)", []),
            Asked("%2", 0, '"x"', "the constraint %1 (-:4)", ["exponential i forward %1:0 -> %2:0"]),
            Asked(
                "%arg0",
                0,
                '"x"',
                "the constraint %1 (-:4)",
                ["sharding_constraint backward %1:0 -> %0:0", "tanh i backward %0:0 -> %arg0:0"],
            ),
        ],
    ),
    "an open constraint goes backward by itself": (
        """func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x", ?}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}""",
        [
            Asked("%0", 0, '"x"', "the constraint %1 (-:4)", ["sharding_constraint i backward %1:0 -> %0:0"]),
        ],
    ),
    "a barrier lets it through in its direction": (
        """func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.propagation_barrier %a allowed_direction=FORWARD : tensor<8xf32>
  return %0 : tensor<8xf32>
}""",
        [
            Asked("%0", 0, '"x"', "argument %arg0", ["propagation_barrier i forward %arg0:0 -> %0:0"]),
        ],
    ),
    "an optimization barrier hands each on": (
        """func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
    -> (tensor<8xf32>, tensor<4xf32>) {
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<8xf32>, tensor<4xf32>
  return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
}""",
        [
            Asked("%0#1", 0, '"y"', "argument %arg1", ["optimization_barrier i forward %arg1:0 -> %0#1:0"]),
        ],
    ),
    "each copy of a constant follows its use": (
        """func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
    -> (tensor<8xf32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = stablehlo.add %a, %c : tensor<8xf32>
  %1 = stablehlo.add %b, %c : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}""",
        [
            Asked("%cst@0", 0, '"x"', "argument %arg0", ["add i across %arg0:0 -> %cst:0"]),
            Asked("%cst@1", 0, '"y"', "argument %arg1", ["add i across %arg1:0 -> %cst:0"]),
        ],
    ),
    "an earlier priority goes first": (
        """func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p1, {?}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x"}p0]>})
    -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}""",
        [
            Asked("%0", 1, '"x"', "argument %arg1", ["add j forward %arg1:1 -> %0:1"]),
            Asked("%arg0", 0, '"x"', "argument %arg0", []),
        ],
    ),
    "steps say their priority": (
        """func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p0, {"y"}p1]>})
    -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}""",
        [
            Asked("%0", 0, '"x"', "argument %arg0", ["tanh i forward %arg0:0 -> %0:0"]),
            Asked("%0", 1, '"y"', "argument %arg0", ["tanh j forward %arg0:1 -> %0:1, priority 1"]),
        ],
    ),
    "what a step could not take is said": (
        """func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {?}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>})
    -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}""",
        [
            Asked("%0", 0, '"x"', "argument %arg0", ["add i forward %arg0:0 -> %0:0"]),
            Asked("%arg1", 0, '"x"', "argument %arg0", ["add i across %arg0:0 -> %arg1:0, then axis taken"]),
        ],
    ),
    "an axis goes from operand to operand": (
        """func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>},
                %b: tensor<4x16xf32>)
    -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}""",
        [
            Asked("%arg1", 0, '"y"', "argument %arg0", ["dot_general k across %arg0:1 -> %arg1:0"]),
        ],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_chain_has_every_step(name: str) -> None:
    body, asked = PROGRAMS[name]
    for one in asked:
        found = chain(program(body), one.what, one.dim, one.axis)
        assert (origin(found), steps(found)) == (one.origin, one.steps), one.what


def test_what_a_priority_restores_in_a_group_is_no_step() -> None:
    sharding = "#sdy.sharding<@mesh, [%s]>"
    text = program(
        f"""
func.func @main(%a: tensor<8x8x8xf32> {{sdy.sharding = {sharding % '{"x"}p1, {?}, {?}'}}}, %b: tensor<8x8x8xf32>,
                %c: tensor<8x8x8xf32> {{sdy.sharding = {sharding % '{?}, {"y"}p0, {"z"}p1'}}})
    -> (tensor<8x8x8xf32>, tensor<8x8x8xf32>) {{
  sdy.sharding_group %a group_id=0 : tensor<8x8x8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8x8x8xf32>
  %0 = stablehlo.add %a, %c : tensor<8x8x8xf32>
  return %0, %b : tensor<8x8x8xf32>, tensor<8x8x8xf32>
}}""",
        '["x"=2, "y"=2, "z"=2]',
    )
    found = chain(text, "%arg1", 0, '"x"')
    assert (origin(found), steps(found)) == ("argument %arg0", ["group %arg0:0 -> %arg1:0"])
    assert len(steps(chain(text, "%arg1", 2, '"z"'))) == 2


def test_what_a_manual_computation_asks_of_its_second_operand_is_told_so() -> None:
    text = program("""
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %b : tensor<8x8xf32>
  %1 = sdy.manual_computation(%a, %0) in_shardings=[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>]
      out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%p: tensor<8x4xf32>, %q: tensor<4x8xf32>) {
    sdy.return %q : tensor<4x8xf32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}""")
    found = chain(text, "%0", 0, '"x"')
    assert origin(found) == "the manual computation with operand 1 (-:5)"
    assert found.origin is not None and found.origin.sharding.body_text == '<@mesh, [{"x"}, {}]>'


def test_what_goes_round_in_a_loop_begins_with_the_sharding_of_its_group() -> None:
    text = program("""
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>, %n: tensor<i32>)
    -> tensor<8xf32> {
  %0:2 = stablehlo.while(%i = %n, %v = %b) : tensor<i32>, tensor<8xf32>
  cond {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    sdy.sharding_group %v group_id=0 : tensor<8xf32>
    sdy.sharding_group %a group_id=0 : tensor<8xf32>
    stablehlo.return %i, %v : tensor<i32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}""")
    found = chain(text, "%0#1", 0, '"x"')
    assert (origin(found), steps(found)) == ("argument %arg0", ["group %arg0:0 -> %0#1:0"])


def test_a_member_of_a_group_that_has_an_axis_does_not_get_it_again() -> None:
    text = program("""
func.func @main(%a: tensor<8xf32>, %n: tensor<i32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1:2 = stablehlo.while(%i = %n, %v = %0) : tensor<i32>, tensor<8xf32>
  cond {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    sdy.sharding_group %v group_id=0 : tensor<8xf32>
    sdy.sharding_group %0 group_id=0 : tensor<8xf32>
    stablehlo.return %i, %v : tensor<i32>, tensor<8xf32>
  }
  return %1#1 : tensor<8xf32>
}""")
    found = chain(text, "%0", 0, '"x"')
    assert (origin(found), steps(found)) == (
        "result 0",
        ["func i backward result 0:0 -> %1#1:0", "while i across %1#1:0 -> %0:0"],
    )
